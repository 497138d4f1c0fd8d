"""Who there is: the units by owner and class."""

from __future__ import annotations

import functools
from bisect import insort
from collections.abc import Sequence
from itertools import compress
from typing import Any

import msgspec

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.state import IN_CONVOY, W2State

A = ATLAS
K = ATLAS.kinds
Rows = Sequence[Sequence[int]]
_OWNERS, _SIDES, _GROUPS, _CLASSES = len(A.powers) + 1, 2, 3, BASE + 1
_MANY = 24
"""Above so many changes a roster is made from scratch."""


class Roster(msgspec.Struct, frozen=True):
    """All unit slots by owner and class, the dead ones included; everything in the order of the slots."""

    of: Rows
    """Per owner all its units."""
    ground: Rows
    air: Rows
    naval: Rows
    dry: Rows
    """Per owner its ground units and airbases."""
    drops: Rows
    """Per owner its airborne units."""
    strikers: Rows
    """Per owner its units that can blitz."""
    carriers: Rows
    transports: Rows
    warships: Rows
    """Per owner its ships that may seek battle."""
    submarines: Rows
    """Per owner its submerged ships that must avoid battle."""
    ferries: Rows
    """Per owner its surface ships that must avoid battle: what carries troops."""
    seagoing: Rows
    """Per side its ships and planes."""
    wardens: Rows
    """Per side its units that can have Sea Control."""
    fed: Rows
    """Per group its ground units: those who need supply."""
    every: Rows
    """Per class all units."""
    kinds: Rows
    """Per owner and plain kind its units, improved ones included."""

    def of_kind(self, power: int, base: int) -> Sequence[int]:
        """Return a power's units of a plain kind and its improved versions."""
        return self.kinds[power * len(K.names) + base]


_NUMBER_OF_ROWS = {
    "seagoing": _SIDES, "wardens": _SIDES, "fed": _GROUPS, "every": _CLASSES, "kinds": _OWNERS * len(K.names),
}  # fmt: skip
TABLES = Roster.__struct_fields__


@functools.cache
def _rows_of(kind: int, power: int) -> dict[str, int]:
    """Return the tables that a unit of a kind and a power stands in, and its row in each."""
    what, side = K.cls[kind], A.side[power]
    found = {"of": power, "every": what, "kinds": power * len(K.names) + K.base[kind]}
    found[("ground", "air", "naval", "dry")[what]] = power
    avoids = K.must_avoid[kind]
    special = {
        "dry": what == GROUND, "drops": K.drop[kind], "strikers": K.blitz[kind], "carriers": kind == K.carrier,
        "transports": kind == K.transport, "warships": what == NAVAL and not avoids,
        "submarines": avoids and K.submerged[kind], "ferries": avoids and not K.submerged[kind],
    }  # fmt: skip
    found.update({name: power for name, is_one in special.items() if is_one})
    if side >= 0 and what == GROUND:
        found["fed"] = A.group[power]
    elif side >= 0 and what in (AIR, NAVAL):
        found["seagoing"] = side
    if side >= 0 and K.sea_control[kind]:
        found["wardens"] = side
    return found


def _changed(s: W2State, before: tuple[Any, ...], value: Roster) -> Roster | None:
    """Return the roster after a few units were built or changed sides; what has not changed is shared."""
    kinds, powers = before
    known = len(kinds)
    if len(s.kind) < known:
        return None
    units = {*changes(kinds, s.kind), *changes(powers, s.power), *range(known, len(s.kind))}
    if len(units) > _MANY:
        return None
    tables: dict[str, list[Sequence[int]]] = {}
    for unit in units:
        old = _rows_of(kinds[unit], powers[unit]) if unit < known else {}
        new = _rows_of(s.kind[unit], s.power[unit])
        for name in {**old, **new}:
            leaves, joins = old.get(name, -1), new.get(name, -1)
            if leaves == joins:
                continue
            table = tables.setdefault(name, [*getattr(value, name)])
            if leaves >= 0:
                table[leaves] = [u for u in table[leaves] if u != unit]
            if joins >= 0:
                row = [*table[joins]]
                insort(row, unit)
                table[joins] = row
    return msgspec.structs.replace(value, **tables)


@fact("kind", "power", update=_changed)
def roster(s: W2State) -> Roster:
    """Return the units by owner and class."""
    tables: dict[str, list[list[int]]] = {
        name: [[] for _ in range(_NUMBER_OF_ROWS.get(name, _OWNERS))] for name in TABLES
    }
    for unit, (kind, power) in enumerate(zip(s.kind, s.power, strict=True)):
        for name, row in _rows_of(kind, power).items():
            tables[name][row].append(unit)
    return Roster(**tables)


def units_of_power(s: W2State, power: int) -> list[int]:
    """Return the units of a power on the board, in convoys and aboard ships included."""
    space = s.space
    return [u for u in roster(s).of[power] if space[u] >= 0 or space[u] == IN_CONVOY]


@fact("damage")
def hurt(s: W2State) -> list[int]:
    """Return the units that are damaged."""
    return filled(s.damage)


def filled(column: Sequence[int]) -> list[int]:
    """Return the places at which a column has anything but 0."""
    return [*compress(range(len(column)), column)]


def places(column: Sequence[int], value: int) -> list[int]:
    """Return the places at which a column has a value."""
    found: list[int] = []
    for _ in range(column.count(value)):
        found.append(column.index(value, found[-1] + 1 if found else 0))
    return found
