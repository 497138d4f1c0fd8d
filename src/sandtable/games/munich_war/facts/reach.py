"""Where a unit can go by road (chapter 8): zones of control (10.3), mountains and entrenchments (19), storms (20)."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.hexsets import Edges, flood, shifted
from ..model.state import MunichState
from .board import board, foreign
from .politics import enterable, invadable, territories
from .supply import is_supplied

_BIT = tuple(1 << at for at in range(ATLAS.hex_count))
_MANY = 9  # from so many hexes on it is quicker to move them all together
Steps = tuple[tuple[int, int, Edges], ...]
Levels = Sequence[int]
"""By half movement factors spent: the hexes first reached with them."""


def allowance(s: MunichState, unit: int) -> int:
    """[mw-14.6-a] [mw-14.6-b] [mw-14.6-d] Half movement factors for the whole move: printed, halved (rounded up) for a
    unit that begins it out of supply."""
    printed = ATLAS.units[unit].move
    return 2 * printed if is_supplied(s, unit) else 2 * ((printed + 1) // 2)


def border_crossings(s: MunichState, country: int) -> int:
    """[mw-5.4-a] Empty hexes of neutrals that a country's units may invade by walking in."""
    hexes = invadable(s, country)
    return hexes & ~board(s).neutral if hexes else 0


@fact("where", "side", "flags", "owned", "terror", "fallen", "storm", "options", "moving", "spent", "allowance")
def levels(s: MunichState, unit: int) -> Levels:
    """Every hex a unit can get to now, by the half factors it takes.

    [mw-8.1-a] [mw-8.2-c] [mw-8.2-d] [mw-8.3] [mw-8.3-note] [mw-8.4-a] [mw-8.4-b] [mw-8.4-c] [mw-8.5-a] [mw-8.5-b]
    [mw-8.5-c] [mw-10.3-a] [mw-10.3-b] [mw-10.3-c] [mw-19.0-mountain] [mw-19.0-trench-a] [mw-20.0-g]
    """
    known, face = board(s), ATLAS.units[unit]
    goes_on = s.moving == unit
    side, at = s.side[face.country], s.where[unit]
    zones = known.zoc[1 - side]
    start = 1 << at
    most = max(0, s.allowance - s.spent if goes_on else allowance(s, unit))
    foreign_soil = border_crossings(s, face.country)
    inside = enterable(s, face.country) & ~known.occupied[1 - side] | foreign_soil
    # A unit stops where it meets a zone, and at a border it crosses by force: what lies behind is seen then.
    stop = zones | foreign_soil
    trenches = trenches_within(at, most)
    if trenches:
        trenches &= ~territories(s)[side]
    terrain = face.terrain, s.storm
    ways, steps = ATLAS.ways_out[terrain], ATLAS.moves[terrain]
    out = [0] * (most + 1)
    leaving = bool(start & zones)
    if not (leaving and goes_on):
        _spread(out, 0, start, steps, ways, trenches)
        if leaving:
            out = [hexes & ~zones for hexes in out]
    unseen, passable = inside & ~start, ~stop
    for cost in range(1, most + 1):
        here = out[cost]
        if here:
            here = out[cost] = here & unseen
            unseen ^= here
            front = here & passable
            if front and cost < most:
                _spread(out, cost, front, steps, ways, trenches)
    if not goes_on or not s.spent:
        near = ATLAS.near[face.terrain][at] & unseen
        out[-1] |= near & ~zones if leaving else near
    return out


@functools.cache
def trenches_within(at: int, most: int) -> int:
    """The entrenchments that a unit could meet with so many half factors: no step costs less than one of them."""
    return ATLAS.trenches & flood(1 << at, ATLAS.all_edges, ATLAS.board, most)


def _spread(
    out: list[int], cost: int, front: int, steps: Steps, ways: Sequence[tuple[tuple[int, int], ...]], trenches: int
) -> None:
    """Add what lies one step on, closed to the unit or not, to the level its cost puts it in."""
    room = len(out) - cost
    found: dict[int, int] = {}
    if front.bit_count() > _MANY:
        for price, origins, edges in steps:
            if price < room and front & origins:
                found[price] = shifted(front & origins, edges)
    else:
        while front:
            at = front.bit_length() - 1
            front ^= _BIT[at]
            for price, hexes in ways[at]:
                if price >= room:
                    break
                found[price] = found.get(price, 0) | hexes
    for price, hexes in found.items():
        if trenches and hexes & trenches:
            if price + ATLAS.trench_cost < room:
                out[cost + price + ATLAS.trench_cost] |= hexes & trenches
            hexes &= ~trenches
        out[cost + price] |= hexes


def reach(s: MunichState, unit: int) -> int:
    """All hexes in which a unit may end a move."""
    hexes = 0
    for level in levels(s, unit):
        hexes |= level
    return hexes & ~foreign(s, ATLAS.units[unit].country)


def price_of(found: Levels, at: int) -> int:
    """The half factors that the way to a hex takes."""
    bit = 1 << at
    return next(cost for cost, hexes in enumerate(found) if hexes & bit)


def path_to(s: MunichState, unit: int, at: int) -> list[int]:
    """The cheapest way to a hex in reach, found backwards through the levels."""
    found, face = levels(s, unit), ATLAS.units[unit]
    level = price_of(found, at)
    start, side = s.where[unit], s.side[face.country]
    zones = board(s).zoc[1 - side]
    barred = zones | border_crossings(s, face.country)
    trenches = ATLAS.trenches & ~territories(s)[side]
    ways_in = ATLAS.ways_in[face.terrain, s.storm]
    path = [at]
    while at != start:
        if trenches & _BIT[at]:
            level -= ATLAS.trench_cost
        for before, price in ways_in[at]:
            cost = level - price
            if cost > 0:
                if found[cost] & _BIT[before] and not barred & _BIT[before]:
                    break
            elif cost == 0 and before == start and not (zones >> start & zones >> at & 1):
                break
        else:
            # Only the minimum move of one hex gets here without paying.
            path.append(start)
            break
        path.append(before)
        at, level = before, cost
    path.reverse()
    return path
