"""Computer players of Hitler's War."""

from __future__ import annotations

from sandtable.players.base import register

from .captain import Captain
from .colonel import Colonel
from .general import General
from .recruit import Recruit

register("recruit", "hitlers-war", Recruit)
register("captain", "hitlers-war", Captain)
register("colonel", "hitlers-war", Colonel)
register("general", "hitlers-war", General)
