"""How hard units hit, terrain and weather left out."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any, Final

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ARM, ATLAS
from ..model.state import BKState
from .units import Stacks, Units, nations_in

_SIDES = 6
_FRONT = [min(front, _SIDES) / _SIDES * shots for front, shots in zip(ATLAS.front, ATLAS.shots, strict=True)]
_BACK = [min(back, _SIDES) / _SIDES * shots for back, shots in zip(ATLAS.back, ATLAS.shots, strict=True)]
ALL, LAND, ARMOUR = 0, 1, 2
"""The arms that are counted by `might`."""
_COUNTS: Final = ([True] * len(ATLAS.type), ATLAS.is_land, [kind == ARM for kind in ATLAS.type])
_FROM: Final = [
    [(start, start not in beside) for start in near if start != space]
    for space, (beside, near) in enumerate(zip(ATLAS.land_next, ATLAS.within_marches, strict=True))
]
"""By area those from which it can be reached, and whether that takes two marches."""


def _turned(s: BKState, before: tuple[Any, ...], value: list[float]) -> list[float]:
    out = list(value)
    for unit in changes(before[0], s.flipped):
        out[unit] = _BACK[unit] if s.flipped[unit] else _FRONT[unit]
    return out


@fact("flipped", update=_turned)
def powers(s: BKState) -> list[float]:
    """Return the hits that each unit scores in a round on the average."""
    return [_BACK[unit] if flipped else _FRONT[unit] for unit, flipped in enumerate(s.flipped)]


@fact("nation", "flipped")
def might(s: BKState, nations: int, arm: int) -> Stacks[float]:
    """Return a table of the power in any stack of the units of some nations, given as bits, and of an arm."""
    nation, power, counts, present = s.nation, powers(s), _COUNTS[arm], nations_in(s)

    def look(units: Units) -> float:
        if not present[units] & nations:
            return 0.0
        return fsum([power[u] for u in units if nations >> nation[u] & 1 and counts[u]])

    return Stacks(look)


class Marches(dict[int, float]):
    """By area the power of those who could march there: looked up as `marches[area]`, computed once."""

    __slots__ = ("armour", "here", "land")

    def __init__(self, here: Sequence[Units], land: Stacks[float], armour: Stacks[float]) -> None:
        self.here, self.land, self.armour = here, land, armour

    def __missing__(self, space: int) -> float:
        here, land, armour = self.here, self.land, self.armour
        out = 0.0
        for start, far in _FROM[space]:
            units = here[start]
            if units:
                out += (armour if far else land)[units]
        self[space] = out
        return out


@fact("here", "nation", "flipped")
def marches_of(s: BKState, nations: int) -> Marches:
    """Return by area the power of the land units of some nations that could march there; nations as bits."""
    return Marches(s.here, might(s, nations, LAND), might(s, nations, ARMOUR))
