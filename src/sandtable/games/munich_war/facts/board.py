"""Who stands where, and the zones of control that follow from it (chapters 2.3, 5.2 and 10)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from operator import itemgetter, or_
from typing import Any

import msgspec

from sandtable.core.bits import bits, mask_of
from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ATLAS, COUNTRY, NOBODY
from ..model.hexsets import shifted
from ..model.state import MunichState
from .politics import members, open_hexes
from .stacking import broken_limit

_IS_LAND = ATLAS.is_land
_IS_MOBILE = tuple(unit.mobile for unit in ATLAS.units)
_BIT = tuple(1 << at for at in range(ATLAS.hex_count))
_ZONE = ATLAS.zone
_NEAR = tuple(tuple(bits(zone)) for zone in _ZONE)
"""By hex: the hexes that a zone of control from there takes in. Zones are the same both ways."""
_places_of_air = itemgetter(*ATLAS.air_units)


class Board(msgspec.Struct, frozen=True, gc=False):
    """The land units on the map."""

    stacks: dict[int, tuple[int, ...]]
    """Land units by hex, neutrals included, in the order of the counter list."""
    mobile: tuple[int, ...]
    """By country: hexes with its mobile units."""
    occupied: tuple[int, ...]
    """By side: hexes with its land units.  [mw-2.3-occupy]"""
    fronts: tuple[int, ...]
    """By side: hexes with its mobile units."""
    zoc: tuple[int, ...]
    """By side: hexes in its zones of control: none of static units or neutrals, none into neutrals, none over
    all-sea hexsides.  [mw-10.0-a] [mw-10.0-b] [mw-10.1-b-exception] [mw-5.2-b]"""
    neutral: int
    """Hexes with units of neutrals."""
    open: int
    """Hexes of belligerent countries.  [mw-2.4-a]"""
    overfull: frozenset[int]
    """Hexes whose stacks break a limit.  [mw-9.0-a]"""

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
    stacks, mobile, neutral, overfull = value.stacks.copy(), list(value.mobile), value.neutral, value.overfull
    occupied, fronts, zoc = list(value.occupied), list(value.fronts), list(value.zoc)
    for unit in moved:
        country = COUNTRY[unit]
        who = side[country]
        at = old[unit]
        if at >= 0:
            rest = stacks.pop(at)
            friends: Sequence[int] = ()
            if len(rest) > 1:
                stacks[at] = rest = tuple([other for other in rest if other != unit])
                friends = [other for other in rest if side[COUNTRY[other]] == who]
                if at in overfull and not broken_limit(rest, at):
                    overfull = overfull - {at}
            bit = _BIT[at]
            if not friends:
                if who == NOBODY:
                    neutral ^= bit
                else:
                    occupied[who] ^= bit
            if who != NOBODY and _IS_MOBILE[unit]:
                nations = [COUNTRY[other] for other in friends if _IS_MOBILE[other]]
                if country not in nations:
                    mobile[country] ^= bit
                if not nations:
                    front = fronts[who] = fronts[who] ^ bit
                    for near in _NEAR[at]:
                        if not _ZONE[near] & front:
                            zoc[who] &= ~_BIT[near]
        at = where[unit]
        if at >= 0:
            stack = stacks.get(at)
            if stack is None:
                stacks[at] = (unit,)
            else:
                stack = stacks[at] = tuple(sorted((*stack, unit)))
                if broken_limit(stack, at):
                    overfull = overfull | {at}
            bit = _BIT[at]
            if who == NOBODY:
                neutral |= bit
            else:
                occupied[who] |= bit
                if _IS_MOBILE[unit]:
                    mobile[country] |= bit
                    fronts[who] |= bit
                    zoc[who] |= _ZONE[at] & value.open
    return Board(stacks, tuple(mobile), tuple(occupied), tuple(fronts), tuple(zoc), neutral, value.open, overfull)


@fact("where", "side", update=_moved)
def board(s: MunichState) -> Board:
    """Who stands where, and the zones of control."""
    units: dict[int, list[int]] = {}
    mobile, occupied, neutral = [0] * len(s.side), [0, 0], 0
    for unit in ATLAS.land_units:
        at = s.where[unit]
        if at >= 0:
            units.setdefault(at, []).append(unit)
            country = COUNTRY[unit]
            who = s.side[country]
            if who == NOBODY:
                neutral |= _BIT[at]
                continue
            occupied[who] |= _BIT[at]
            if _IS_MOBILE[unit]:
                mobile[country] |= _BIT[at]
    stacks = {at: tuple(stack) for at, stack in units.items()}
    overfull = frozenset(at for at, stack in stacks.items() if len(stack) > 1 and broken_limit(stack, at))
    fronts = [functools.reduce(or_, [mobile[country] for country in own], 0) for own in members(s)]
    zoc = [shifted(front, ATLAS.land_edges) & open_hexes(s) for front in fronts]
    return Board(stacks, tuple(mobile), tuple(occupied), tuple(fronts), tuple(zoc), neutral, open_hexes(s), overfull)


def limit_broken_by(s: MunichState, unit: int, at: int) -> tuple[str, str] | None:
    """The limit that a unit would break by joining a hex's stack; an empty hex has room for any."""
    stack = board(s).stacks.get(at)
    if stack is None:
        return None
    return broken_limit(stack if unit in stack else (*stack, unit), at)


def foreign(s: MunichState, country: int) -> int:
    """[mw-8.2-e] [mw-9.0-c] Hexes with mobile units of the country's friends: its own may not end a move there."""
    mobile, found = board(s).mobile, 0
    for other in members(s)[s.side[country]]:
        if other != country:
            found |= mobile[other]
    return found


def enemy_at(s: MunichState, side: int, at: int) -> list[int]:
    """The other side's land units in a hex."""
    return [unit for unit in board(s).stack(at) if s.side[COUNTRY[unit]] == 1 - side]


def aloft(s: MunichState) -> list[int]:
    """The air units over the map."""
    where = s.where
    if max(_places_of_air(where)) < 0:
        return []
    return [unit for unit in ATLAS.air_units if where[unit] >= 0]


def air_at(s: MunichState, side: int, at: int) -> int:
    """A side's air unit over a hex; NOBODY where there is none."""
    for unit in aloft(s):
        if s.where[unit] == at and s.side[COUNTRY[unit]] == side:
            return unit
    return NOBODY


def flying(s: MunichState, side: int) -> int:
    """Hexes with air units of a side."""
    return mask_of(s.where[unit] for unit in aloft(s) if s.side[COUNTRY[unit]] == side)
