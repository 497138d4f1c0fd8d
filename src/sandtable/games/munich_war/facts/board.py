"""Who stands where, and the zones of control that follow from it (chapters 2.3, 5.2 and 10)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter, or_
from typing import Any

import msgspec

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ATLAS, NOBODY
from ..model.hexsets import mask_of, shifted
from ..model.state import MunichState
from .politics import members, open_hexes

_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_IS_LAND = ATLAS.is_land
_IS_MOBILE = tuple(unit.mobile for unit in ATLAS.units)
_BIT = tuple(1 << at for at in range(ATLAS.hex_count))
_places_of_air = itemgetter(*ATLAS.air_units)


class Board(msgspec.Struct, frozen=True, gc=False):
    """The land units on the map."""

    stacks: Mapping[int, tuple[int, ...]]
    """Land units by hex, neutrals included, in the order of the counter list."""
    mobile: tuple[int, ...]
    """By country: hexes with its mobile units."""
    occupied: tuple[int, int]
    """By side: hexes with its land units.  [mw-2.3-occupy]"""
    neutral: int
    """Hexes with units of neutrals."""
    zoc: tuple[int, int]
    """By side: hexes in its zones of control: none of static units or neutrals, none into neutrals, none over
    all-sea hexsides.  [mw-10.0-a] [mw-10.0-b] [mw-10.1-b-exception] [mw-5.2-b]"""
    open: int
    """Hexes of belligerent countries.  [mw-2.4-a]"""

    def stack(self, at: int) -> tuple[int, ...]:
        """The land units in a hex."""
        return self.stacks.get(at, ())


def _moved(s: MunichState, before: tuple[Any, ...], value: Board) -> Board | None:
    """The board after some units have moved; None where politics have changed as well."""
    old, side = before
    if side is not s.side:
        return None
    where = s.where
    moved = [unit for unit in changes(old, where) if _IS_LAND[unit]]
    if not moved:
        return value
    stacks = dict(value.stacks)
    touched = set()
    for unit in moved:
        here, there = old[unit], where[unit]
        if here >= 0:
            touched.add(here)
            stacks[here] = tuple([other for other in stacks[here] if other != unit])
        if there >= 0:
            touched.add(there)
            stacks[there] = tuple(sorted((*stacks.get(there, ()), unit)))
    rest = ~mask_of(touched)
    mobile = list(value.mobile)
    for unit in moved:
        mobile[_COUNTRY[unit]] &= rest
    axis, allies = value.occupied
    occupied = [axis & rest, allies & rest]
    neutral = _count(s, stacks, touched, mobile, occupied, value.neutral & rest)
    for at in touched:
        if not stacks[at]:
            del stacks[at]
    same = tuple(mobile) == value.mobile
    zoc = value.zoc if same else _zones(s, mobile, value.open)
    return Board(stacks, tuple(mobile), (occupied[0], occupied[1]), neutral, zoc, value.open)


@fact("where", "side", update=_moved)
def board(s: MunichState) -> Board:
    """Who stands where, and the zones of control."""
    lists: dict[int, list[int]] = {}
    where = s.where
    for unit in ATLAS.land_units:
        at = where[unit]
        if at >= 0:
            lists.setdefault(at, []).append(unit)
    stacks = {at: tuple(units) for at, units in lists.items()}
    mobile, occupied = [0] * len(s.side), [0, 0]
    neutral = _count(s, stacks, stacks, mobile, occupied, 0)
    open_now = open_hexes(s)
    zoc = _zones(s, mobile, open_now)
    return Board(stacks, tuple(mobile), (occupied[0], occupied[1]), neutral, zoc, open_now)


def _count(
    s: MunichState, stacks: Mapping[int, tuple[int, ...]], places: Iterable[int], mobile: list[int],
    occupied: list[int], neutral: int,
) -> int:  # fmt: skip
    """Add what stands in some hexes to the sets by country and side; returns the hexes of neutrals."""
    side = s.side
    for at in places:
        bit = _BIT[at]
        for unit in stacks[at]:
            country = _COUNTRY[unit]
            who = side[country]
            if who < 0:
                neutral |= bit
            else:
                occupied[who] |= bit
                if _IS_MOBILE[unit]:
                    mobile[country] |= bit
    return neutral


def _zones(s: MunichState, mobile: Sequence[int], open_now: int) -> tuple[int, int]:
    axis, allies = (
        shifted(functools.reduce(or_, [mobile[country] for country in own], 0), ATLAS.land_edges) & open_now
        for own in members(s)
    )
    return axis, allies


def foreign(s: MunichState, country: int) -> int:
    """[mw-8.2-e] [mw-9.0-c] Hexes with mobile units of the country's friends: its own may not end a move there."""
    mobile, found = board(s).mobile, 0
    for other in members(s)[s.side[country]]:
        if other != country:
            found |= mobile[other]
    return found


def enemy_at(s: MunichState, side: int, at: int) -> list[int]:
    """The other side's land units in a hex."""
    return [unit for unit in board(s).stack(at) if s.side[_COUNTRY[unit]] == 1 - side]


def aloft(s: MunichState) -> list[int]:
    """The air units over the map."""
    where = s.where
    if max(_places_of_air(where)) < 0:
        return []
    return [unit for unit in ATLAS.air_units if where[unit] >= 0]


def air_at(s: MunichState, side: int, at: int) -> int:
    """A side's air unit over a hex; NOBODY where there is none."""
    for unit in aloft(s):
        if s.where[unit] == at and s.side[_COUNTRY[unit]] == side:
            return unit
    return NOBODY


def flying(s: MunichState, side: int) -> int:
    """Hexes with air units of a side."""
    return mask_of(s.where[unit] for unit in aloft(s) if s.side[_COUNTRY[unit]] == side)
