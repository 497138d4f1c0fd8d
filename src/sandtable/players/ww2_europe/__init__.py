"""Computer players of World War II in Europe."""

from sandtable.players.base import register

from .recruit import Recruit

register("recruit", "ww2-europe", Recruit)
