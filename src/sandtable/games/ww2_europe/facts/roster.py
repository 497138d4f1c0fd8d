"""Who there is: the units by owner and class, kept from action to action.

The roster hangs on what the units are and whose they are; it is remade only when a unit is built or changes sides.
"""

from __future__ import annotations

import functools
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count
from operator import itemgetter, ne

from ..model.atlas import ATLAS
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.state import M
from .whereabouts import Index, index

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


def kind_row(power: int, base: int) -> int:
    """The list of a power's units of a plain kind in the table of kinds."""
    return power * len(K.names) + base


class Roster:
    """All unit slots by owner and class, the dead ones included; everything in the order of the slots.

    It is made from the one before: each table is brought up to date when somebody first looks into it.
    """

    of: list[list[int]]
    """Per owner all his units."""
    ground: list[list[int]]
    air: list[list[int]]
    naval: list[list[int]]
    dry: list[list[int]]
    """Per owner his ground units and airbases."""
    drops: list[list[int]]
    """Per owner his airborne units."""
    strikers: list[list[int]]
    """Per owner his units that can blitz."""
    carriers: list[list[int]]
    transports: list[list[int]]
    warships: list[list[int]]
    """Per owner his ships that may seek battle."""
    submarines: list[list[int]]
    """Per owner his submerged ships that must avoid battle."""
    ferries: list[list[int]]
    """Per owner his surface ships that must avoid battle: what carries troops."""
    side_air: list[list[int]]
    side_ground: list[list[int]]
    seagoing: list[list[int]]
    """Per side its ships and planes."""
    wardens: list[list[int]]
    """Per side its units that can have Sea Control."""
    fed: list[list[int]]
    """Per group its ground units: those who eat."""
    kinds: list[list[int]]
    """Per owner and plain kind his units of it, improved ones included."""

    def __init__(self, kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        self.kind, self.power = kind, power
        self._tables: dict[str, list[list[int]]] = {name: [[] for _ in range(rows)] for name, rows in TABLES.items()}
        for unit in range(len(kind)):
            for name, row in _entries(kind[unit], power[unit]).items():
                self._tables[name][row].append(unit)
        self._late: dict[str, tuple[tuple[int, int, int], ...]] = {}
        """Per table the changes it has not been told yet: (unit, list it leaves, list it joins), -1 for none."""
        self._picks: dict[tuple[str, int], tuple[list[int], Pick]] = {}
        self._sorts: dict[int, tuple[list[int], ...]] = {}

    def after(self, kind: tuple[int, ...], power: tuple[int, ...], recruit: int = -1) -> Roster:
        """The roster for other columns: what has not changed is shared with this one.

        Whoever has put one new unit into a slot names it, and the columns need not be compared.
        """
        fresh = object.__new__(Roster)
        fresh.kind, fresh.power = kind, power
        fresh._tables, fresh._late, fresh._picks = self._tables.copy(), self._late.copy(), self._picks
        fresh._sorts = {}
        known = len(self.kind)
        if recruit >= 0:
            units = [recruit]
        else:
            changed = {*_differences(self.kind, kind), *_differences(self.power, power)}
            units = [*sorted(changed), *range(known, len(kind))]
        for unit in units:
            before = (self.kind[unit], self.power[unit]) if unit < known else None
            for name, old, new in _changes(before, (kind[unit], power[unit])):
                fresh._late[name] = (*fresh._late.get(name, ()), (unit, old, new))
        return fresh

    def table(self, name: str) -> list[list[int]]:
        """A table as it is now."""
        if name in self._late:
            rows = self._tables[name][:]
            mine: set[int] = set()
            for unit, old, new in self._late.pop(name):
                for row in (old, new):
                    if row >= 0 and row not in mine:
                        mine.add(row)
                        rows[row] = rows[row][:]
                if old >= 0:
                    rows[old].remove(unit)
                if new >= 0:
                    insort(rows[new], unit)
            self._tables[name] = rows
        return self._tables[name]

    def pick(self, name: str, row: int) -> Pick:
        """What takes the entries of the units of a list out of a column, in one go."""
        units = self.table(name)[row]
        known = self._picks.get((name, row))
        if known is None or known[0] is not units:
            known = self._picks[name, row] = (units, picker(units))
        return known[1]

    def __getattr__(self, name: str) -> list[list[int]]:
        """A table by its name; it stays where it is looked for, as this roster does not change any more."""
        if name not in TABLES:
            raise AttributeError(name)
        found = self.__dict__[name] = self.table(name)
        return found

    def of_kind(self, power: int, base: int) -> list[int]:
        """A power's units of a plain kind and its improved versions."""
        return self.kinds[kind_row(power, base)]

    def sorts(self, power: int) -> tuple[list[int], ...]:
        """A power's planes, ships, warships, submarines, bombers, fighters, transports, airborne units, ground units
        and carriers."""
        found = self._sorts.get(power)
        if found is None:
            found = self._sorts[power] = (
                self.air[power], self.naval[power], self.warships[power], self.submarines[power],
                self.of_kind(power, K.bomber), self.of_kind(power, K.fighter), self.ferries[power], self.drops[power],
                self.ground[power], self.carriers[power],
            )  # fmt: skip
        return found

    @property
    def bases(self) -> list[int]:
        return self.table("every")[BASE]


TABLES = {
    "of": _OWNERS, "ground": _OWNERS, "air": _OWNERS, "naval": _OWNERS, "dry": _OWNERS, "drops": _OWNERS,
    "strikers": _OWNERS, "carriers": _OWNERS, "transports": _OWNERS, "warships": _OWNERS, "submarines": _OWNERS,
    "ferries": _OWNERS, "side_air": _SIDES, "side_ground": _SIDES,
    "seagoing": _SIDES, "wardens": _SIDES, "fed": _GROUPS, "every": BASE + 1,
    "kinds": _OWNERS * len(K.names),
}  # fmt: skip
"""The tables of a roster, and how many lists each has."""


@functools.cache
def _entries(kind: int, power: int) -> dict[str, int]:
    """The tables that a unit of a kind and a power stands in, and its list in each."""
    what, side = K.cls[kind], A.side[power]
    found = [("of", power), ("every", what), ("kinds", kind_row(power, K.base[kind]))]
    found.append((("ground", "air", "naval", "dry")[what], power))
    if what == GROUND:
        found.append(("dry", power))
    special = {
        "drops": K.drop[kind], "strikers": K.blitz[kind], "carriers": kind == K.carrier,
        "transports": kind == K.transport, "warships": what == NAVAL and not K.must_avoid[kind],
        "submarines": K.must_avoid[kind] and K.submerged[kind],
        "ferries": K.must_avoid[kind] and not K.submerged[kind],
    }  # fmt: skip
    found += [(name, power) for name, is_one in special.items() if is_one]
    if side >= 0:
        if what == GROUND:
            found += [("side_ground", side), ("fed", A.group[power])]
        elif what in (AIR, NAVAL):
            found.append(("seagoing", side))
            if what == AIR:
                found.append(("side_air", side))
        if K.sea_control[kind]:
            found.append(("wardens", side))
    return dict(found)


@functools.cache
def _changes(before: tuple[int, int] | None, after: tuple[int, int]) -> tuple[tuple[str, int, int], ...]:
    """The tables in which a unit changes its list when it becomes another: (table, old list, new list), -1 for none."""
    old, new = _entries(*before) if before is not None else {}, _entries(*after)
    both = ((name, old.get(name, -1), new.get(name, -1)) for name in {**old, **new})
    return tuple(change for change in both if change[1] != change[2])


def _differences(old: Sequence[int], new: Sequence[int]) -> Iterator[int]:
    """The places at which two columns have different values, as far as both go."""
    return compress(count(), map(ne, old, new))


def roster(m: M) -> Roster:
    """The units by owner and class."""
    where: Index = m.cache.get("at") or index(m)
    found, state = where.units, m.state
    if found is None or found.kind is not state.kind or found.power is not state.power:
        found = where.units = m.kept("roster", (state.kind, state.power), lambda: _next_roster(m))
    return found


def _next_roster(m: M) -> Roster:
    """Made from the last one, as few units change from one to the next."""
    last: list[Roster] = m.kept("last-roster", (), list)
    kind, power = m.state.kind, m.state.power
    if last and last[0].kind is kind and last[0].power is power:
        return last[0]
    usable = bool(last) and len(last[0].kind) <= len(kind)
    last[:] = [last[0].after(kind, power) if usable else _first_roster(kind, power)]
    return last[0]


@functools.lru_cache(maxsize=16)
def _first_roster(kind: tuple[int, ...], power: tuple[int, ...]) -> Roster:
    """Matches begin with the same units again and again."""
    return Roster(kind, power)


def enrol(m: M, before: Roster, unit: int) -> None:
    """One new unit was put into a slot: the roster is made from the one before it."""
    last: list[Roster] = m.kept("last-roster", (), list)
    last[:] = [before.after(m.state.kind, m.state.power, unit)]
    index(m).units = last[0]


def filled(column: Sequence[int]) -> list[int]:
    """Where a column of the state has anything but 0."""
    return [*compress(_slots(len(column)), column)]


@functools.lru_cache(maxsize=256)
def _slots(number: int) -> tuple[int, ...]:
    """The numbers of so many slots, ready made."""
    return tuple(range(number))


def places(column: Sequence[int], value: int) -> list[int]:
    """Where a column of the state has a value."""
    found: list[int] = []
    for _ in range(column.count(value)):
        found.append(column.index(value, found[-1] + 1 if found else 0))
    return found
