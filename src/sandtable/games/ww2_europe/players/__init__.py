"""Computer players of World War II in Europe."""

from sandtable.players.base import register

from .captain import Captain
from .colonel import Colonel
from .general import General
from .recruit import Recruit

register("recruit", "ww2-europe", Recruit)
register("captain", "ww2-europe", Captain)
register("colonel", "ww2-europe", Colonel)
register("general", "ww2-europe", General)
