"""Unit slots: a new unit takes the first free one. Flags are set and cleared here."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.columns import append, put, put_all

from .atlas import NOBODY
from .state import DEAD, HOME_BOUND, MOVED, W2State


def add_unit(s: W2State, kind: int, power: int, space: int, flags: int = 0) -> int:
    """Put a new unit into the first free slot, on the board or off it; return its number."""
    if DEAD not in s.space:
        s.kind, s.power, s.space = append(s.kind, kind), append(s.power, power), append(s.space, space)
        s.cargo_of, s.home, s.came = (*s.cargo_of, NOBODY), (*s.home, space), (*s.came, NOBODY)
        s.convoy, s.task, s.damage, s.flags = (*s.convoy, NOBODY), (*s.task, NOBODY), (*s.damage, 0), (*s.flags, flags)
        return len(s.kind) - 1
    unit = s.space.index(DEAD)
    empty_slot(s, unit)
    slot = (unit,)
    s.kind, s.power, s.space = put_all(s.kind, slot, kind), put_all(s.power, slot, power), put_all(s.space, slot, space)
    s.home, s.flags = put(s.home, unit, space), put(s.flags, unit, flags)
    return unit


def empty_slot(s: W2State, unit: int) -> None:
    """Forget all that a dead unit had: orders, cargo, damage, flags."""
    s.cargo_of, s.convoy = emptied(s.cargo_of, unit, NOBODY), emptied(s.convoy, unit, NOBODY)
    s.task, s.came = emptied(s.task, unit, NOBODY), emptied(s.came, unit, NOBODY)
    s.flags, s.damage = emptied(s.flags, unit, 0), emptied(s.damage, unit, 0)


def emptied(column: tuple[int, ...], unit: int, value: int) -> tuple[int, ...]:
    """Return the column with the value; most slots have it already."""
    return column if column[unit] == value else put(column, unit, value)


def put_aboard(s: W2State, unit: int, ship: int) -> None:
    """Put a unit aboard a ship, or ashore where the ship is -1."""
    s.cargo_of = put(s.cargo_of, unit, ship)


def mark(s: W2State, unit: int, flags: int) -> None:
    """Set flags of a unit."""
    s.flags = put(s.flags, unit, s.flags[unit] | flags)


def mark_all(s: W2State, units: Iterable[int], flags: int) -> None:
    """Set flags of several units."""
    column = list(s.flags)
    for unit in units:
        column[unit] |= flags
    s.flags = tuple(column)


def set_out(s: W2State, units: Iterable[int], flags: int = 0) -> None:
    """Units carry out an order. One that was driven from its base earlier in the turn can be met again."""
    column = list(s.flags)
    for unit in units:
        column[unit] = column[unit] & ~HOME_BOUND | MOVED | flags
    s.flags = tuple(column)
