"""Computer players of Hitler's War."""

from __future__ import annotations

from sandtable.players.base import register

from .captain import Captain
from .recruit import Recruit

register("recruit", "hitlers-war", Recruit)
register("captain", "hitlers-war", Captain)
