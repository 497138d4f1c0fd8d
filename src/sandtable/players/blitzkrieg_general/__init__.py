"""Computer players of Blitzkrieg General."""

from sandtable.players.base import register

from .recruit import Recruit

register("recruit", "blitzkrieg-general", Recruit)
