"""Computer players of Munich War 1938."""

from sandtable.players.base import register

from .captain import Captain
from .colonel import Colonel
from .general import General
from .recruit import Recruit

register("recruit", "munich-war", Recruit)
register("captain", "munich-war", Captain)
register("colonel", "munich-war", Colonel)
register("general", "munich-war", General)
