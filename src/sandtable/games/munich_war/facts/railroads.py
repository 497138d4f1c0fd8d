"""Where a unit can go by rail (8.6), on the map and in from off its east edge (8.6.1)."""

from __future__ import annotations

import functools
from operator import or_

from ..model.atlas import ATLAS
from ..model.state import MunichState
from .board import board, foreign
from .control import controlled


def rail_net(s: MunichState, country: int) -> int:
    """[mw-8.6-a] [mw-8.6-g] The rail hexes of a country that trains may enter: none with or under the enemy."""
    enemy = 1 - s.side[country]
    return ATLAS.rail & ATLAS.countries[country].hexes & ~board(s).occupied[enemy] & ~controlled(s)[enemy]


def rail_rings(s: MunichState, unit: int, start: int) -> tuple[int, ...]:
    """By rail hexes passed: the hexes a unit first gets to from the start hexes."""
    country = ATLAS.units[unit].country
    net = rail_net(s, country)
    return _rings(start, net, board(s).zoc[1 - s.side[country]] & (net | start), s.where[unit] >= 0)


@functools.lru_cache(maxsize=4096)
def _rings(start: int, net: int, zones: int, on_map: bool) -> tuple[int, ...]:
    """[mw-8.6-d] [mw-8.6-e] [mw-10.3-c] An enemy zone can be entered but not passed, and none from another one. A unit
    on the map may start in any hex, one from off the map only in the net."""
    new = start if on_map else start & net
    unseen, rings = net & ~start, [new]
    front = new if on_map else new & ~zones
    while front:
        new = 0
        while front:
            at = front.bit_length() - 1
            new |= ATLAS.rail_next[at]
            front ^= 1 << at
        new &= unseen
        if on_map and len(rings) == 1 and start & zones:
            new &= ~zones
        unseen ^= new
        rings.append(new)
        front = new & ~zones
    return tuple(rings)


def rail_reach(s: MunichState, unit: int) -> int:
    """Hexes a unit on the map can get to by rail."""
    return _ends(s, unit, rail_rings(s, unit, 1 << s.where[unit])[1:])


def entry_reach(s: MunichState, unit: int) -> int:
    """[mw-8.6.1-b] Where a unit can come back to: an east-edge rail hex, then on by rail."""
    return _ends(s, unit, rail_rings(s, unit, ATLAS.east_rail))


def _ends(s: MunichState, unit: int, rings: tuple[int, ...]) -> int:
    return functools.reduce(or_, rings, 0) & ~foreign(s, ATLAS.units[unit].country)


def rail_path(s: MunichState, unit: int, start: int, at: int) -> list[int]:
    """A shortest way by rail from one of the start hexes; of two as short the one with the lower hexes, from the end
    backwards."""
    zones = board(s).zoc[1 - s.side[ATLAS.units[unit].country]]
    outset = 1 << s.where[unit] if s.where[unit] >= 0 else 0
    rings = rail_rings(s, unit, start)
    far = next(number for number, ring in enumerate(rings) if ring >> at & 1)
    path = [at]
    for ring in reversed(rings[:far]):
        before = ring & (~zones | outset) & ATLAS.rail_next[path[-1]]
        path.append((before & -before).bit_length() - 1)
    path.reverse()
    return path
