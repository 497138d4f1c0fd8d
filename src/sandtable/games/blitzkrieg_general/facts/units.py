"""Whose units are whose, and who stands together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import ne
from typing import Final, TypeVar

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, FRANCE
from ..model.state import BKState
from .politics import quarrels

Units = tuple[int, ...]
T = TypeVar("T")
_MOST_STACKS: Final = 20_000


class Stacks(dict[Units, T]):
    """Something about stacks of units, such as bits over nations: looked up as `stacks[units]`, computed once."""

    __slots__ = ("look",)

    def __init__(self, look: Callable[[Units], T]) -> None:
        self.look = look

    def __missing__(self, units: Units) -> T:
        if len(self) >= _MOST_STACKS:
            self.clear()
        found = self[units] = self.look(units)
        return found


def _those(s: BKState, counts: list[bool] | None = None) -> Stacks[int]:
    """A table of the nations of those units of a stack that count."""
    bit = [1 << nation for nation in s.nation]

    def look(units: Units) -> int:
        out = 0
        for unit in units:
            if counts is None or counts[unit]:
                out |= bit[unit]
        return out

    return Stacks(look)


@fact("nation")
def nations_in(s: BKState) -> Stacks[int]:
    """Return a table of the nations of any stack."""
    return _those(s)


@fact("nation")
def armies_in(s: BKState) -> Stacks[int]:
    """Return a table of the nations with land units in a stack."""
    return _those(s, ATLAS.is_land)


@fact("nation")
def fleets_in(s: BKState) -> Stacks[int]:
    """Return a table of the nations with Task Forces in a stack."""
    return _those(s, ATLAS.is_task_force)


@fact("nation")
def escorts_in(s: BKState) -> Stacks[int]:
    """Return a table of the nations with Task Forces or convoys in a stack."""
    return _those(s, ATLAS.is_escort)


@fact("nation")
def convoys_in(s: BKState) -> Stacks[int]:
    """Return a table of the nations with convoys in a stack."""
    return _those(s, ATLAS.is_convoy)


@fact("nation")
def packs_in(s: BKState) -> Stacks[int]:
    """Return a table of the nations with submarines in a stack."""
    return _those(s, ATLAS.is_sub)


def fights(s: BKState, stacks: Sequence[Units]) -> Iterator[bool]:
    """Return of each stack whether two of its nations fight each other."""
    return map(quarrels(s).__getitem__, map(nations_in(s).__getitem__, stacks))


@fact("here", "nation", "war")
def contested_areas(s: BKState) -> list[int]:
    """Return the areas that hold units of nations at war with each other."""
    return list(compress(ATLAS.land, fights(s, ATLAS.of_land(s.here))))


def occupied(s: BKState, spaces: Sequence[int]) -> Iterator[int]:
    """Return those of the spaces where any units stand."""
    return compress(spaces, map(s.here.__getitem__, spaces))


@fact("nation", "master")
def counters(s: BKState, arm: str = "all") -> list[list[int]]:
    """Return by major all counters of an arm that it moves, wherever they are, in the order of the mix. The arms are
    all, land, ashore, aircraft, ships, task_forces."""
    nation, master, printed_nation = s.nation, s.master, ATLAS.printed_nation
    mine: list[list[int]] = [[] for _ in range(8)]
    strays: set[int] = set()
    if nation != printed_nation:
        strays = set(compress(printed_nation, map(ne, printed_nation, nation)))
    for printed, units in ATLAS.counters_of_arm[arm]:
        if printed in strays:
            # counters that serve another country: French ones Vichy or, as Free French, the Empire or the USA
            for unit in units:
                holder = master[nation[unit]]
                if holder >= 0 and (printed == FRANCE or holder == master[printed]):
                    mine[holder].append(unit)
        elif master[printed] >= 0:
            mine[master[printed]] += units
    return mine


def on_map(s: BKState, major: int, arm: str = "all") -> list[int]:
    """Return the units of an arm that a major moves and that are on the map, its minors' included."""
    place = s.place
    return [u for u in counters(s, arm)[major] if place[u] >= 0]
