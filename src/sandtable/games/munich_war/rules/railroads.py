"""Railroad movement (8.6), on the map and off its east edge (8.6.1)."""

from __future__ import annotations

import functools

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.board import facts, hex_name, occupy, side_of, unit_id
from ..model.atlas import ATLAS
from ..model.hexsets import bits, mask_of, next_to, shifted
from ..model.state import MOVED, M, lay, mark
from .movement import finish_move, strangers, why_not_move_at_all
from .supply import along_rail, is_supplied

_OFF_MAP_COUNTRY = ATLAS.country_number[ATLAS.rules["off_map_rail"]["country"]]


def why_not_rail(m: M, unit: int) -> Refusal | None:
    """[mw-8.6-b] [mw-8.6-c] [mw-8.6-f] [mw-8.6.2] [mw-14.6-c] Why a unit may not use the railroad."""
    refusal = why_not_move_at_all(m, unit)
    if refusal is not None:
        return refusal
    face, state = ATLAS.units[unit], m.state
    if state.moving == unit:
        return Refusal("mw-8.6-f", "has-moved", unit=face.id)
    country = ATLAS.countries[face.country]
    if state.rail_used[face.country] >= country.rail_capacity:
        return Refusal("mw-8.6.2", "rail-full", country=f"@{country.name}", capacity=country.rail_capacity)
    if not (ATLAS.rail & country.hexes) >> state.where[unit] & 1:
        abroad = ATLAS.rail >> state.where[unit] & 1
        return Refusal("mw-8.6-a" if abroad else "mw-8.6-b", "no-railroad", unit=face.id)
    if not is_supplied(m, unit):
        return Refusal("mw-14.6-c", "rail-unsupplied", unit=face.id)
    return None


def rail_net(m: M, country: int) -> int:
    """[mw-8.6-a] [mw-8.6-g] The rail hexes of a country that trains may enter: none with or under the enemy."""
    known = facts(m)
    side = m.state.side[country]
    return ATLAS.rail & ATLAS.countries[country].hexes & ~known.occupied[1 - side] & ~known.controlled(1 - side)


def rail_reach(m: M, unit: int, start: int | None = None) -> int:
    """[mw-8.6-d] [mw-8.6-e] [mw-10.3-c] Hexes a unit can get to by rail: into an enemy zone but no further."""
    country, known = ATLAS.units[unit].country, facts(m)
    key = ("rail", unit, start)
    found: int | None = known.memo.get(key)
    if found is not None:
        return found
    zones = known.zoc[1 - m.state.side[country]]
    net = rail_net(m, country)
    outset, at = 0, m.state.where[unit]
    if start is None:
        outset = 1 << at
        seen = ATLAS.rail_next[at] & net
        if zones & outset:
            seen &= ~zones
    else:
        seen = start & net
    front = seen & ~zones
    for stretch, ends in rail_stretches(net & ~zones, net):
        if stretch & front:
            seen |= ends
    found = known.memo[key] = seen & ~outset & ~known.foreign(country)
    return found


@functools.lru_cache(maxsize=512)
def rail_stretches(free: int, net: int) -> tuple[tuple[int, int], ...]:
    """The stretches of rail hexes that hang together, each with its ends: the rail hexes of the net next to it."""
    found = []
    while free:
        stretch = along_rail(free & -free, free)
        found.append((stretch, stretch | shifted(stretch, ATLAS.rail_edges) & net))
        free &= ~stretch
    return tuple(found)


def why_not_rail_to(m: M, unit: int, at: int) -> Refusal | None:
    """[mw-8.6-a] [mw-8.6-example] Why the railroad does not go there."""
    face = ATLAS.units[unit]
    country = ATLAS.countries[face.country]
    if not country.hexes >> at & 1:
        return Refusal("mw-8.6-a", "rail-abroad", hex=hex_name(at), country=f"@{country.name}")
    if strangers(m, unit) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    if facts(m).occupied[1 - m.state.side[country.index]] >> at & 1:
        return Refusal("mw-8.2-d", "enemy-there", hex=hex_name(at))
    if (
        rail_net(m, country.index) >> at & 1
        and facts(m).zoc[1 - m.state.side[country.index]] >> m.state.where[unit] & 1
    ):
        return Refusal("mw-10.3-c", "rail-cut", hex=hex_name(at))
    return Refusal("mw-8.6-a", "rail-cut", hex=hex_name(at))


def rail_path(m: M, unit: int, start: int, at: int) -> list[int]:
    """A shortest way by rail from one of the start hexes; of two as short the one with the lower hexes, from the end
    backwards."""
    country = ATLAS.units[unit].country
    zones, net = facts(m).zoc[1 - m.state.side[country]], rail_net(m, country)
    straight = peaceful_path(start, at)
    free = passed = mask_of(straight[1:-1])
    if len(straight) > 1 and zones >> straight[0] & 1:
        # Out of one zone and into another is no way, and from off the map none leads through one.
        free |= 1 << straight[1 if m.state.where[unit] >= 0 else 0]
    if not (passed | 1 << at) & ~net and not free & zones:
        return straight
    return searched_path(m, unit, start, at)


def searched_path(m: M, unit: int, start: int, at: int) -> list[int]:
    """The same among the hexes that are open now, ring by ring."""
    country = ATLAS.units[unit].country
    zones, net = facts(m).zoc[1 - m.state.side[country]], rail_net(m, country)
    rings = [start]
    seen = start
    outset = 1 << m.state.where[unit] if m.state.where[unit] >= 0 else 0
    passable, goal, new = ~zones | outset, 1 << at, start
    while not new & goal:
        front = new & passable
        new = next_to(front, ATLAS.rail_edges, ATLAS.rail_next) & net & ~seen
        if front & outset & zones:
            new &= ~zones
        seen |= new
        rings.append(new)
    path = [at]
    rings.pop()
    for ring in reversed(rings):
        before = ring & passable & ATLAS.rail_next[path[-1]]
        path.append((before & -before).bit_length() - 1)
    path.reverse()
    return path


def peaceful_path(start: int, at: int) -> list[int]:
    """The way by rail that nobody disturbs, within the country it starts in. Where it is open it is what a search of
    the open hexes would find: those it would leave out are not on it."""
    before = _steps_back(start)
    path = [at]
    while at in before:
        at = before[at]
        path.append(at)
    path.reverse()
    return path


@functools.lru_cache(maxsize=512)
def _steps_back(start: int) -> dict[int, int]:
    """For each other rail hex of the country: the hex before it on the shortest way from one of the start hexes."""
    home = ATLAS.rail & ATLAS.countries[ATLAS.country_of[start.bit_length() - 1]].hexes
    before: dict[int, int] = {}
    seen = ring = start
    while ring:
        farther = shifted(ring, ATLAS.rail_edges) & home & ~seen
        for at in bits(farther):
            nearest = ring & ATLAS.rail_next[at]
            before[at] = (nearest & -nearest).bit_length() - 1
        seen |= farther
        ring = farther
    return before


def use_train(m: M, unit: int) -> None:
    """[mw-8.6.2] One more of the country's trains has run."""
    country = ATLAS.units[unit].country
    m.state.rail_used = put(m.state.rail_used, country, m.state.rail_used[country] + 1)


def ride(m: M, unit: int, path: list[int]) -> None:
    """Carry out a railroad move."""
    state = m.state
    finish_move(m)
    use_train(m, unit)
    lay(state, unit, path[-1])
    occupy(m, side_of(m, unit), mask_of(path))
    mark(state, unit, MOVED)


def why_not_leave_map(m: M, unit: int) -> Refusal | None:
    """[mw-8.6.1-a] Why a unit may not roll off the east edge."""
    face = ATLAS.units[unit]
    if face.country != _OFF_MAP_COUNTRY:
        return Refusal("mw-8.6.1-a", "not-soviet", unit=unit_id(unit))
    refusal = why_not_rail(m, unit)
    if refusal is not None:
        return refusal
    zones = facts(m).zoc[1 - m.state.side[face.country]]
    here = 1 << m.state.where[unit]
    gates = ATLAS.east_rail & (rail_reach(m, unit) & ~zones | here)
    return None if gates else Refusal("mw-8.6.1-a", "no-gate", unit=face.id)


def entry_reach(m: M, unit: int) -> int:
    """[mw-8.6.1-b] Where a unit can come back to: an east-edge rail hex, then on by rail."""
    return rail_reach(m, unit, ATLAS.east_rail)
