"""How hard units hit, terrain and weather left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import fsum
from typing import Any, Final

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ARM, ATLAS, ones
from ..model.state import BKState
from .units import Stacks, Units

_SIDES = 6
_FRONT = [min(front, _SIDES) / _SIDES * shots for front, shots in zip(ATLAS.front, ATLAS.shots, strict=True)]
_BACK = [min(back, _SIDES) / _SIDES * shots for back, shots in zip(ATLAS.back, ATLAS.shots, strict=True)]
ALL, LAND, ARMOUR = 0, 1, 2
"""The arms that are counted by `might`."""
_BITS: Final = ATLAS.of_land(ATLAS.bit)
_COUNTS: Final = ([True] * len(ATLAS.type), ATLAS.is_land, [kind == ARM for kind in ATLAS.type])


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
    nation, power, counts = s.nation, powers(s), _COUNTS[arm]

    def look(units: Units) -> float:
        return fsum([power[u] for u in units if nations >> nation[u] & 1 and counts[u]])

    return Stacks(look)


class Marches(dict[int, float]):
    """By area the power of those who could march there: looked up as `marches[area]`, computed once."""

    __slots__ = ("armour", "here", "land", "starts")

    def __init__(self, here: Sequence[Units], land: Stacks[float], armour: Stacks[float]) -> None:
        self.here, self.land, self.armour = here, land, armour
        self.starts = sum(compress(_BITS, map(land.__getitem__, ATLAS.of_land(here))))
        """The areas in which they stand, as bits."""

    def __missing__(self, space: int) -> float:
        beside, out = ATLAS.one_march[space], 0.0
        for start in reversed(ones(self.starts & ATLAS.two_marches[space] & ~ATLAS.bit[space])):
            out += (self.land if beside >> start & 1 else self.armour)[self.here[start]]
        self[space] = out
        return out


@fact("here", "nation", "flipped")
def marches_of(s: BKState, nations: int) -> Marches:
    """Return by area the power of the land units of some nations that could march there; nations as bits."""
    return Marches(s.here, might(s, nations, LAND), might(s, nations, ARMOUR))
