"""Who there is and who is where, kept from action to action.

Two derived facts that nearly every question about a position asks for. The roster hangs on what the units are and
whose they are; it is remade only when a unit is built or changes sides. The index of who is where follows each move
as it is made, and is checked against the state itself before it is used in a new action.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count
from operator import itemgetter, ne
from typing import Any

from .atlas import ATLAS
from .kinds import AIR, GROUND, NAVAL
from .state import M

A = ATLAS
K = ATLAS.kinds
Pick = Callable[[Sequence[int]], tuple[int, ...]]
"""Takes some units' entries out of a column of the state."""
_OWNERS, _SIDES, _GROUPS = len(A.powers) + 1, 2, 3


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
        "air", "all_air", "all_naval", "bases", "carriers", "drops", "dry", "fed", "ground", "kind", "naval", "of",
        "pick_fed", "pick_ground", "pick_sides", "pick_wardens", "power", "seagoing", "side_air", "side_ground",
        "sides", "strikers", "wardens",
    )  # fmt: skip

    def __init__(self, kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        self.of = _lists(_OWNERS)
        self.ground = _lists(_OWNERS)
        self.air = _lists(_OWNERS)
        self.naval = _lists(_OWNERS)
        self.dry = _lists(_OWNERS)
        """Ground units and airbases."""
        self.drops = _lists(_OWNERS)
        """Airborne units."""
        self.strikers = _lists(_OWNERS)
        """Units that can blitz."""
        self.carriers = _lists(_OWNERS)
        self.all_air: list[int] = []
        self.all_naval: list[int] = []
        self.bases: list[int] = []
        self.side_air = _lists(_SIDES)
        self.seagoing = _lists(_SIDES)
        """Ships and planes."""
        self.sides = _lists(_SIDES)
        self.side_ground = _lists(_SIDES)
        self.wardens = _lists(_SIDES)
        """Units that can have Sea Control."""
        self.fed = _lists(_GROUPS)
        """Ground units of a group: those who eat."""
        self.kind: tuple[int, ...] = ()
        self.power: tuple[int, ...] = ()
        self._update(kind, power)

    def after(self, kind: tuple[int, ...], power: tuple[int, ...]) -> Roster:
        """The roster for other columns: a copy of this one, changed where they differ."""
        fresh = object.__new__(Roster)
        for name in _TABLES:
            setattr(fresh, name, [row[:] for row in getattr(self, name)])
        for name in ("all_air", "all_naval", "bases"):
            setattr(fresh, name, getattr(self, name)[:])
        fresh.kind, fresh.power = self.kind, self.power
        fresh._update(kind, power)
        return fresh

    def _update(self, kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        for unit in sorted({*_differences(self.kind, kind), *_differences(self.power, power)}):
            for row in self._rows(self.kind[unit], self.power[unit]):
                row.remove(unit)
            for row in self._rows(kind[unit], power[unit]):
                insort(row, unit)
        for unit in range(len(self.kind), len(kind)):
            for row in self._rows(kind[unit], power[unit]):
                row.append(unit)
        self.kind, self.power = kind, power
        self.pick_sides = tuple(picker(units) for units in self.sides)
        self.pick_ground = tuple(picker(units) for units in self.side_ground)
        self.pick_wardens = tuple(picker(units) for units in self.wardens)
        self.pick_fed = tuple(picker(units) for units in self.fed)

    def _rows(self, kind: int, power: int) -> list[list[int]]:
        """The lists that a unit of a kind and a power stands in."""
        what, side = K.cls[kind], A.side[power]
        rows = [self.of[power]]
        if what == GROUND:
            rows += (self.ground[power], self.dry[power])
            if K.drop[kind]:
                rows.append(self.drops[power])
        elif what == AIR:
            rows += (self.air[power], self.all_air)
        elif what == NAVAL:
            rows += (self.naval[power], self.all_naval)
            if kind == K.carrier:
                rows.append(self.carriers[power])
        else:
            rows += (self.dry[power], self.bases)
        if K.blitz[kind]:
            rows.append(self.strikers[power])
        if side >= 0:
            rows.append(self.sides[side])
            if what == GROUND:
                rows += (self.side_ground[side], self.fed[A.group[power]])
            elif what in (AIR, NAVAL):
                rows.append(self.seagoing[side])
                if what == AIR:
                    rows.append(self.side_air[side])
            if K.sea_control[kind]:
                rows.append(self.wardens[side])
        return rows


_TABLES = (
    "of", "ground", "air", "naval", "dry", "drops", "strikers", "carriers", "side_air", "seagoing", "sides",
    "side_ground", "wardens", "fed",
)  # fmt: skip
"""The lists of lists in a roster."""


def _differences(old: Sequence[int], new: Sequence[int]) -> Iterator[int]:
    """The places at which two columns have different values, as far as both go."""
    return compress(count(), map(ne, old, new))


def _lists(number: int) -> list[list[int]]:
    return [[] for _ in range(number)]


def roster(m: M) -> Roster:
    """The units by owner and class."""
    state = m.state
    return m.kept("roster", (state.kind, state.power), lambda: _next_roster(m))


def _next_roster(m: M) -> Roster:
    """Made from the last one, as few units change from one to the next."""
    last: list[Roster] = m.kept("last-roster", (), list)
    kind, power = m.state.kind, m.state.power
    usable = bool(last) and len(last[0].kind) <= len(kind)
    last[:] = [last[0].after(kind, power) if usable else Roster(kind, power)]
    return last[0]


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


_OFF_BOARD = 32
"""More than there are spaces off the board: the dead, convoys, build boxes."""


class Index:
    """Per space the units in it, cargo included, in the order of the slots."""

    __slots__ = ("off", "rows", "seen")

    def __init__(self, spaces: list[int]) -> None:
        self.build(spaces)

    def build(self, spaces: list[int]) -> None:
        self.seen = spaces[:]
        self.rows: list[list[int]] = [[] for _ in A.names]
        self.off: list[list[int]] = [[] for _ in range(_OFF_BOARD)]
        """The same for the spaces below 0, by the number without its sign."""
        rows, off = self.rows, self.off
        for unit, space in enumerate(spaces):
            (rows[space] if space >= 0 else off[-space]).append(unit)

    def move(self, unit: int, space: int) -> None:
        """A unit is put elsewhere; a slot that was not there before is a new unit's."""
        seen = self.seen
        if unit < len(seen):
            old = seen[unit]
            if old == space:
                return
            (self.rows[old] if old >= 0 else self.off[-old]).remove(unit)
            seen[unit] = space
        else:
            seen.append(space)
        insort(self.rows[space] if space >= 0 else self.off[-space], unit)

    def at(self, space: int) -> list[int]:
        """The units in a space, on the board or off it."""
        return self.rows[space] if space >= 0 else self.off[-space]


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
