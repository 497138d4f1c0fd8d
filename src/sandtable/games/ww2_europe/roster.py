"""Who there is and who is where, kept from action to action.

Two derived facts that nearly every question about a position asks for. The roster hangs on what the units are and
whose they are; it is remade only when a unit is built or changes sides. The index of who is where follows each move
as it is made, and is checked against the state itself before it is used in a new action.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from .atlas import ATLAS
from .kinds import AIR, GROUND, NAVAL
from .state import M, W2State

A = ATLAS
K = ATLAS.kinds
Pick = Callable[[Sequence[int]], tuple[int, ...]]
"""Takes some units' entries out of a column of the state."""
_GROUPS = 3


def picker(units: Sequence[int]) -> Pick:
    """The entries of these units, in one go."""
    if len(units) > 1:
        return itemgetter(*units)
    if units:
        only = units[0]
        return lambda column: (column[only],)
    return lambda column: ()


class Roster:
    """All unit slots by owner and class, the dead ones included; everything in the order of the slots."""

    __slots__ = (
        "air", "all_air", "all_naval", "bases", "dry", "fed", "ground", "naval", "of", "pick_fed", "pick_ground",
        "pick_sides", "pick_wardens", "seagoing", "side_air", "side_ground", "wardens",
    )  # fmt: skip

    def __init__(self, state: W2State) -> None:
        powers = len(A.powers) + 1
        self.of: list[list[int]] = [[] for _ in range(powers)]
        self.ground: list[list[int]] = [[] for _ in range(powers)]
        self.air: list[list[int]] = [[] for _ in range(powers)]
        self.naval: list[list[int]] = [[] for _ in range(powers)]
        self.dry: list[list[int]] = [[] for _ in range(powers)]
        """Ground units and airbases."""
        self.all_air: list[int] = []
        self.all_naval: list[int] = []
        self.bases: list[int] = []
        self.side_air: tuple[list[int], list[int]] = ([], [])
        self.seagoing: tuple[list[int], list[int]] = ([], [])
        """Ships and planes."""
        sides: tuple[list[int], list[int]] = ([], [])
        self.side_ground: tuple[list[int], list[int]] = ([], [])
        self.wardens: tuple[list[int], list[int]] = ([], [])
        """Units that can have Sea Control."""
        self.fed: list[list[int]] = [[] for _ in range(_GROUPS)]
        """Ground units of a group: those who eat."""
        side_of, group_of, cls, control = A.side, A.group, K.cls, K.sea_control
        for unit, (kind, power) in enumerate(zip(state.kind, state.power, strict=True)):
            self.of[power].append(unit)
            what, side = cls[kind], side_of[power]
            if what == GROUND:
                self.ground[power].append(unit)
                self.dry[power].append(unit)
            elif what == AIR:
                self.air[power].append(unit)
                self.all_air.append(unit)
            elif what == NAVAL:
                self.naval[power].append(unit)
                self.all_naval.append(unit)
            else:
                self.dry[power].append(unit)
                self.bases.append(unit)
            if side < 0:
                continue
            sides[side].append(unit)
            if what == GROUND:
                self.side_ground[side].append(unit)
                self.fed[group_of[power]].append(unit)
            elif what in (AIR, NAVAL):
                self.seagoing[side].append(unit)
                if what == AIR:
                    self.side_air[side].append(unit)
            if control[kind]:
                self.wardens[side].append(unit)
        self.pick_sides = tuple(picker(units) for units in sides)
        self.pick_ground = tuple(picker(units) for units in self.side_ground)
        self.pick_wardens = tuple(picker(units) for units in self.wardens)
        self.pick_fed = tuple(picker(units) for units in self.fed)


def roster(m: M) -> Roster:
    """The units by owner and class."""
    state = m.state
    return m.kept("roster", (state.kind, state.power), lambda: Roster(state))


def places(column: Sequence[int], value: int) -> list[int]:
    """Where a column of the state has a value."""
    found: list[int] = []
    for _ in range(column.count(value)):
        found.append(column.index(value, found[-1] + 1 if found else 0))
    return found


class Same:
    """Compares by being the same object: a fact that follows one list must not be taken for another's."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.thing is other.thing

    __hash__ = None  # type: ignore[assignment]


class Index:
    """Per space the units in it, cargo included, in the order of the slots."""

    __slots__ = ("rows", "seen")

    def __init__(self, spaces: list[int]) -> None:
        self.build(spaces)

    def build(self, spaces: list[int]) -> None:
        self.seen = spaces[:]
        self.rows: list[list[int]] = [[] for _ in A.names]
        for unit, space in enumerate(spaces):
            if space >= 0:
                self.rows[space].append(unit)

    def move(self, unit: int, space: int) -> None:
        """A unit is put elsewhere; a slot that was not there before is a new unit's."""
        seen = self.seen
        if unit < len(seen):
            old = seen[unit]
            if old >= 0:
                self.rows[old].remove(unit)
            seen[unit] = space
        else:
            seen.append(space)
        if space >= 0:
            insort(self.rows[space], unit)


def index(m: M) -> Index:
    """The index of this action: made true on first use, kept true by `put`."""
    found: Index | None = m.cache.get("at")
    if found is None:
        spaces = m.state.space
        found = m.kept("at", (Same(spaces),), lambda: Index(spaces))
        if found.seen != spaces:
            found.build(spaces)
        m.cache["at"] = found
    return found
