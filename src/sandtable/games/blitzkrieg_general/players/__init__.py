"""Computer players of Blitzkrieg General."""

from sandtable.players.base import register

from .captain import Captain
from .colonel import Colonel
from .general import General
from .recruit import Recruit

register("recruit", "blitzkrieg-general", Recruit)
register("captain", "blitzkrieg-general", Captain)
register("colonel", "blitzkrieg-general", Colonel)
register("general", "blitzkrieg-general", General)
