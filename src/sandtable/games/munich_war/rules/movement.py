"""Land movement (chapter 8) under zones of control (10.3), mountains, entrenchments (19) and storms (20)."""

from __future__ import annotations

import functools

from sandtable.core import Refusal

from ..facts.board import facts, hex_name, occupy, side_of
from ..model.atlas import ATLAS, NOBODY
from ..model.hexsets import Edges, bits, flood, mask_of, shifted
from ..model.state import MOVED, M, lay, mark
from .politics import enterable, invadable, invade_if_neutral, why_closed
from .supply import is_supplied

_MOBILE = [tuple(u for u in country.units if ATLAS.units[u].mobile) for country in ATLAS.countries]
_IS_MOBILE = tuple(unit.mobile for unit in ATLAS.units)
_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_OFF_MAP_COUNTRY = ATLAS.country_number[ATLAS.rules["off_map_rail"]["country"]]
_BIT = [1 << at for at in range(ATLAS.hex_count)]
_TRENCHED = [bool(ATLAS.trenches >> at & 1) for at in range(ATLAS.hex_count)]
_MANY = 9  # from so many hexes on it is quicker to move them all together
Steps = tuple[tuple[int, int, Edges], ...]
Levels = list[int]
"""By half movement factors spent: the hexes first reached with them."""


def may_move(m: M, unit: int) -> bool:
    """[mw-8.0-b] [mw-8.0-c] [mw-8.2-a] [mw-8.2-b] [mw-5.2-a] Whether a unit may start (or go on with) a move: a mobile
    unit of the phasing player on the map that has not ended one."""
    state = m.state
    return (
        not state.flags[unit] & MOVED
        and state.where[unit] >= 0
        and _IS_MOBILE[unit]
        and state.side[_COUNTRY[unit]] == state.phasing != NOBODY
        and unit not in state.assaults
    )


def why_not_move_at_all(m: M, unit: int) -> Refusal | None:
    """Why a unit may not start (or go on with) a move."""
    if may_move(m, unit):
        return None
    face, state = ATLAS.units[unit], m.state
    if side_of(m, unit) == NOBODY:
        return Refusal("mw-5.2-a", "neutral-unit", unit=face.id)
    if side_of(m, unit) != state.phasing:
        return Refusal("mw-8.2-a", "not-your-unit", unit=face.id)
    if state.where[unit] < 0 or unit in state.assaults:
        return Refusal("mw-8.2-a", "not-on-map", unit=face.id)
    if not face.mobile:
        return Refusal("mw-8.0-c", "static-unit", unit=face.id)
    return Refusal("mw-8.2-b", "has-moved", unit=face.id)


def movable(m: M, side: int) -> list[int]:
    """[mw-8.0-a] The units that may still move."""
    state, lasting = m.state, facts(m).lasting
    where, flags, at_sea = state.where, state.flags, state.assaults
    army: tuple[int, ...] | None = lasting.get(("mobile", side))
    if army is None:
        members = facts(m).members[side]
        army = lasting["mobile", side] = tuple(unit for country in members for unit in _MOBILE[country])
    found = [unit for unit in army if where[unit] >= 0 and not flags[unit] & MOVED]
    return [unit for unit in found if unit not in at_sea] if at_sea else found


def allowance(m: M, unit: int) -> int:
    """[mw-14.6-a] [mw-14.6-b] [mw-14.6-d] Half movement factors for the whole move: printed, halved (rounded up) for a
    unit that begins it out of supply."""
    printed = ATLAS.units[unit].move
    return 2 * printed if is_supplied(m, unit) else 2 * ((printed + 1) // 2)


def levels(m: M, unit: int) -> Levels:
    """Every hex a unit can get to now, by the half factors it takes.

    [mw-8.1-a] [mw-8.2-c] [mw-8.2-d] [mw-8.3] [mw-8.3-note] [mw-8.4-a] [mw-8.4-b] [mw-8.4-c] [mw-8.5-a] [mw-8.5-b]
    [mw-8.5-c] [mw-10.3-a] [mw-10.3-b] [mw-10.3-c] [mw-19.0-mountain] [mw-19.0-trench-a] [mw-20.0-g]
    """
    state, known = m.state, facts(m)
    goes_on = state.moving == unit
    key = ("levels", unit, state.spent if goes_on else -1)
    found: Levels | None = known.memo.get(key)
    if found is not None:
        return found
    face = ATLAS.units[unit]
    side = state.side[face.country]
    zones = known.zoc[1 - side]
    at = state.where[unit]
    start = 1 << at
    most = max(0, state.allowance - state.spent if goes_on else allowance(m, unit))
    inside = enterable(m, face.country) & ~known.occupied[1 - side]
    foreign = border_crossings(m, face.country)
    inside |= foreign
    # A unit stops where it meets a zone, and at a border it crosses by force: what lies behind is seen then.
    stop = zones | foreign
    trenches = trenches_within(at, most)
    if trenches:
        trenches &= ~_friendly_land(m, side)
    terrain = face.terrain, state.storm
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
    if not goes_on or not state.spent:
        near = ATLAS.near[face.terrain][at] & unseen
        near = near & ~zones if leaving else near
        if near:
            out[-1] |= near
    known.memo[key] = out
    return out


@functools.cache
def trenches_within(at: int, most: int) -> int:
    """The entrenchments that a unit could meet with so many half factors: no step costs less than one of them."""
    return ATLAS.trenches & flood(1 << at, ATLAS.all_edges, ATLAS.board, most)


def _spread(
    out: Levels,
    cost: int,
    front: int,
    steps: Steps,
    ways: list[tuple[tuple[int, int], ...]],
    trenches: int,
) -> None:
    """Add what lies one step on, closed to the unit or not, to the level its cost puts it in."""
    if front.bit_count() > _MANY:
        _spread_wide(out, cost, front, steps, trenches)
        return
    room = len(out) - cost
    while front:
        at = front.bit_length() - 1
        front ^= _BIT[at]
        for price, hexes in ways[at]:
            if price >= room:
                break
            if trenches and hexes & trenches:
                dug_in = cost + price + ATLAS.trench_cost
                if dug_in < len(out):
                    out[dug_in] |= hexes & trenches
                hexes &= ~trenches
            out[cost + price] |= hexes


def _spread_wide(out: Levels, cost: int, front: int, steps: Steps, trenches: int) -> None:
    """The same for many hexes at once, kind of step by kind of step."""
    room = len(out)
    for price, origins, edges in steps:
        there = cost + price
        if there >= room:
            break
        movers = front & origins
        if movers:
            hexes = shifted(movers, edges)
            if trenches and hexes & trenches:
                if there + ATLAS.trench_cost < room:
                    out[there + ATLAS.trench_cost] |= hexes & trenches
                hexes &= ~trenches
            out[there] |= hexes


def _friendly_land(m: M, side: int) -> int:
    """Hexes of countries that are not the enemy's: their entrenchments cost nothing extra."""
    lasting = facts(m).lasting
    found: int | None = lasting.get(("home", side))
    if found is None:
        found = 0
        for country, who in enumerate(m.state.side):
            if who == side:
                found |= ATLAS.countries[country].hexes
        lasting["home", side] = found
    return found


def border_crossings(m: M, country: int) -> int:
    """[mw-5.4-a] Empty hexes of neutrals that a country's units may invade by walking in."""
    hexes = invadable(m, country)
    return hexes & ~facts(m).neutral if hexes else 0


def strangers(m: M, unit: int) -> int:
    """[mw-8.2-e] [mw-9.0-c] Hexes with mobile friends of another nationality: a unit may not end its move there."""
    return facts(m).foreign(_COUNTRY[unit])


def reach(m: M, unit: int) -> int:
    """All hexes in which a unit may end a move."""
    hexes = 0
    for level in levels(m, unit):
        hexes |= level
    return hexes & ~strangers(m, unit)


def costs(m: M, unit: int) -> dict[int, str]:
    """What the way to each hex costs, for the eyes."""
    return {at: _halves(cost) for cost, level in enumerate(levels(m, unit)) for at in bits(level)}


def _halves(cost: int) -> str:
    whole = cost // 2
    return (str(whole) if whole or not cost % 2 else "") + ("½" if cost % 2 else "")


def why_not_to(m: M, unit: int, at: int) -> Refusal | None:
    """The most telling reason why a unit cannot move to a hex."""
    face, state, known = ATLAS.units[unit], m.state, facts(m)
    if reach(m, unit) >> at & 1:
        return None
    side = state.side[face.country]
    if not ATLAS.land >> at & 1:
        return Refusal("mw-8.0-d", "sea-hex", hex=hex_name(at))
    closed = why_closed(m, face.country, at)
    if closed is not None:
        return closed
    if known.occupied[1 - side] >> at & 1 or known.neutral >> at & 1:
        return Refusal("mw-8.2-d", "enemy-there", hex=hex_name(at))
    if at == state.where[unit]:
        return Refusal("mw-8.1-a", "already-there", hex=hex_name(at))
    if strangers(m, unit) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    if ATLAS.mountains >> at & 1 and not face.alpine:
        return Refusal("mw-19.0-mountain", "mountain", hex=hex_name(at))
    if known.zoc[1 - side] >> state.where[unit] & 1:
        if state.moving == unit and state.spent:
            return Refusal("mw-10.3-a", "stopped-by-zoc", unit=face.id)
        if known.zoc[1 - side] >> at & 1 and ATLAS.neighbours(state.where[unit]) >> at & 1:
            return Refusal("mw-10.3-c", "zoc-to-zoc", hex=hex_name(at))
    return Refusal("mw-8.1-a", "too-far", unit=face.id, hex=hex_name(at))


def price_of(found: Levels, at: int) -> int:
    """What the way to a hex costs."""
    bit = 1 << at
    for cost, hexes in enumerate(found):
        if hexes & bit:
            return cost
    raise AssertionError("only hexes in reach have a price")


def path_to(m: M, unit: int, at: int) -> list[int]:
    """The cheapest way to a hex."""
    found = levels(m, unit)
    return path_through(m, unit, at, found, price_of(found, at))


def path_through(m: M, unit: int, at: int, found: Levels, level: int) -> list[int]:
    """The cheapest way to a hex of this level, found backwards through the levels."""
    face, state = ATLAS.units[unit], m.state
    start = state.where[unit]
    side = state.side[face.country]
    zones = facts(m).zoc[1 - side]
    barred = zones | border_crossings(m, face.country)
    ways_in = ATLAS.ways_in[face.terrain, state.storm]
    path = [at]
    while at != start:
        if _TRENCHED[at] and not _friendly_land(m, side) >> at & 1:
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


def move(m: M, unit: int, at: int) -> list[int]:
    """Carry out a move; returns the path. The unit may go on while it has factors left and met no zone."""
    state = m.state
    side = side_of(m, unit)
    found = levels(m, unit)
    used = price_of(found, at)
    path = path_through(m, unit, at, found, used)
    if state.moving != unit:
        most = allowance(m, unit)
        finish_move(m)
        state.moving, state.spent, state.allowance = unit, 0, most
    invade_if_neutral(m, ATLAS.units[unit].country, at)
    lay(state, unit, at)
    occupy(m, side, mask_of(path[1:]))
    state.spent += used
    if facts(m).zoc[1 - side] >> at & 1 or state.spent >= state.allowance:
        finish_move(m)
    return path


def finish_move(m: M) -> None:
    """The unit that was moving has ended its move."""
    state = m.state
    if state.moving != NOBODY:
        mark(state, state.moving, MOVED)
        state.moving, state.spent, state.allowance = NOBODY, 0, 0
