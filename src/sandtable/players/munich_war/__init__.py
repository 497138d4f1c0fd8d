"""Computer players of Munich War 1938."""

from sandtable.players.base import register

from .captain import Captain
from .recruit import Recruit

register("recruit", "munich-war", Recruit)
register("captain", "munich-war", Captain)
