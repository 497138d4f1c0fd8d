"""Computer players of Hitler's War."""

from collections.abc import Mapping

from sandtable.core.game import Maker

from .captain import Captain
from .colonel import Colonel
from .general import General, Marshal
from .recruit import Recruit

PLAYERS: Mapping[str, Maker] = {
    "recruit": Recruit,
    "captain": Captain,
    "colonel": Colonel,
    "general": General,
    "marshal": Marshal,
}
"""Weakest first."""
