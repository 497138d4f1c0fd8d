"""Supply (chapter 14), with air supply (16.10.2), sealift and amphibious supply (18.2.1, 18.3) and storms (20)."""

from __future__ import annotations

import functools

from ..facts.board import facts
from ..model.atlas import ATLAS, NOBODY
from ..model.hexsets import next_to
from ..model.state import LANDED, M

_FORTS = [frozenset(u for u in country.units if ATLAS.units[u].fort) for country in ATLAS.countries]
_LIFTS = [tuple(u for u in country.units if ATLAS.units[u].lift) for country in ATLAS.countries]
_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_KINDS = {kind: number for number, kind in enumerate(
    dict.fromkeys((unit.country, unit.terrain, unit.move, unit.static) for unit in ATLAS.units))}  # fmt: skip
_KIND = tuple(_KINDS[unit.country, unit.terrain, unit.move, unit.static] for unit in ATLAS.units)
"""All that supply depends on but the hex: units of one kind in one hex are supplied or not together."""


_STRAITS = [
    tuple(shut for _, _, shut in ATLAS.seas.get(country.index, ()) if shut != NOBODY) for country in ATLAS.countries
]
"""By country: the hexes whose loss shuts a sea."""
_WATERS = [
    functools.reduce(lambda found, sea: found | sea[1], ATLAS.seas.get(country.index, ()), 0)
    for country in ATLAS.countries
]
"""By country: the hexes of all its seas."""


def friendly_seas(m: M, country: int) -> list[tuple[str, int]]:
    """[mw-18.1-b] [mw-18.1-c] The seas in which a country's markers and ports work now, with their hexes."""
    enemy = 1 - m.state.side[country]
    found = []
    for name, hexes, shut in ATLAS.seas.get(country, ()):
        if shut == NOBODY or not is_shut(m, enemy, shut):
            found.append((name, hexes))
    return found


def is_shut(m: M, enemy: int, strait: int) -> bool:
    """Whether the enemy controls the hex that shuts a sea."""
    known, bit = facts(m), 1 << strait
    return bool(known.owned[enemy] & bit) and bool(known.controlled(enemy) & bit)


def waters_of(m: M, country: int) -> int:
    """All hexes of a country's friendly seas."""
    for shut in _STRAITS[country]:
        if is_shut(m, 1 - m.state.side[country], shut):
            return functools.reduce(lambda found, sea: found | sea[1], friendly_seas(m, country), 0)
    return _WATERS[country]


def sources(m: M, country: int) -> int:
    """[mw-14.2-a] [mw-14.2-b] [mw-16.8.2-d] [mw-16.8.2-f] [mw-21.0-f] A country's supply sources: its own capital and
    mobilization centers and ports it controls in its seas, none of them terrorized or in enemy hands."""
    known = facts(m)
    key = ("sources", country)
    found: int | None = known.memo.get(key)
    if found is None:
        side = m.state.side[country]
        enemy = 1 - side
        home = ATLAS.countries[country].cities & ~known.occupied[enemy] & ~(known.owned[enemy] & ~known.occupied[side])
        ports = ATLAS.ports & waters_of(m, country) & known.controlled(side) & known.open
        found = 0 if m.state.fallen[country] else (home | ports) & ~known.terror
        known.memo[key] = found
    return found


def railway(m: M, side: int) -> int:
    """[mw-14.4-b] [mw-14.4-c] [mw-14.4-note] Rail hexes that can carry a side's supply: captured, and free of enemy
    zones unless a friend stands there."""
    known = facts(m)
    enemy = 1 - side
    free = ~known.zoc[enemy] | known.occupied[side]
    return ATLAS.rail & known.open & known.owned[side] & free & ~known.occupied[enemy]


def lines(m: M, country: int) -> int:
    """[mw-14.3-a] [mw-14.4-a] Where a line of supply may end: the sources, and every rail hex that leads to one."""
    known = facts(m)
    key = ("lines", country)
    found: int | None = known.memo.get(key)
    if found is None:
        start = sources(m, country)
        side = m.state.side[country]
        # A source is reached along the railroad even where it lies in an enemy zone: lines go into such hexes.
        found = start | along_rail(start & ATLAS.rail, railway(m, side))
        known.memo[key] = found
    return found


def along_rail(start: int, inside: int) -> int:
    """`start` and all that is reached from it by rail within `inside`."""
    seen = front = start
    while front:
        front = next_to(front, ATLAS.rail_edges, ATLAS.rail_next) & inside & ~seen
        seen |= front
    return seen


def trace_length(m: M, unit: int) -> int:
    """[mw-14.3-g] [mw-14.3-h] [mw-20.0-e] The unit's printed movement in hexes, one less in storms."""
    printed = ATLAS.units[unit].move
    return printed - 1 if m.state.storm and printed else printed


def can_trace(m: M, unit: int) -> bool:
    """[mw-14.3-b] [mw-14.3-c] [mw-14.3-d] [mw-14.3-e] [mw-14.3-f] [mw-10.5] [mw-5.1-c] Whether a line of supply runs
    from the unit to a source or a railroad that leads to one."""
    known, face = facts(m), ATLAS.units[unit]
    country, terrain = face.country, face.terrain
    side = m.state.side[country]
    # Where the railroads of the country have been followed already they are the goal; else the sources are, and the
    # railroads that were met are followed from this end, which mostly finds a source sooner.
    railroads: int | None = known.memo.get(("lines", country))
    goals = sources(m, country) if railroads is None else railroads
    front = seen = 1 << m.state.where[unit]
    if front & goals:
        return True
    edges, table = ATLAS.enterable[terrain], ATLAS.near[terrain]
    enemies, friends = known.occupied[1 - side], known.occupied[side]
    unseen = known.open & ~enemies & ~front
    free = ~known.zoc[1 - side] | friends
    for _ in range(trace_length(m, unit)):
        front = next_to(front, edges, table) & unseen
        if front & goals:
            return True
        seen |= front
        unseen &= ~front
        front &= free
        if not front:
            break
    if railroads is not None:
        return False
    net = railway(m, side)
    front = seen & net
    net &= ~front
    while front:
        front = next_to(front, ATLAS.rail_edges, ATLAS.rail_next)
        if front & goals:
            return True
        front &= net
        net ^= front
    return False


def is_automatic(m: M, unit: int) -> bool:
    """[mw-14.1-a] [mw-14.1-b] [mw-14.1-b-exception] [mw-14.1-c] [mw-14.1-d] [mw-19.0-fort] Always in supply."""
    face = ATLAS.units[unit]
    if face.static:
        return True
    at, country = m.state.where[unit], face.country
    if sources(m, country) >> at & 1:
        return True
    known = facts(m)
    if ATLAS.countries[country].cities >> at & 1 and not m.state.fallen[country]:
        return not known.terror >> at & 1
    return not _FORTS[country].isdisjoint(known.stacks[at])


def has_air_supply(m: M, unit: int) -> bool:
    """[mw-16.10.2-b] [mw-16.10.2-note] An airlift of its country is in or next to its hex."""
    where = m.state.where
    for lift in _LIFTS[ATLAS.units[unit].country]:
        if where[lift] >= 0 and (ATLAS.neighbours(where[unit]) | 1 << where[unit]) >> where[lift] & 1:
            return True
    return False


def is_supplied(m: M, unit: int) -> bool:
    """[mw-14.5] Supply for movement and refit. A neutral's units at home want for nothing."""
    state = m.state
    if state.side[_COUNTRY[unit]] == NOBODY:
        return True
    memo, key = facts(m).memo, (_KIND[unit], state.where[unit])
    found: bool | None = memo.get(key)
    if found is None:
        found = memo[key] = is_automatic(m, unit) or can_trace(m, unit) or has_air_supply(m, unit)
    return found


def is_supplied_for_combat(m: M, unit: int) -> bool:
    """[mw-14.7-a] [mw-18.2.1-f] [mw-18.2.2-f] [mw-18.3-a] Supply for an attack: as for movement, or from the sea."""
    state = m.state
    if unit in state.assaults or is_supplied(m, unit):
        return True
    at = state.where[unit]
    if any(state.flags[other] & LANDED for other in facts(m).stack(at)):
        return True
    country = ATLAS.units[unit].country
    near = ATLAS.neighbours(at) | 1 << at
    return any(
        state.where[marker] >= 0 and ATLAS.units[marker].country == country and near >> state.where[marker] & 1
        for marker in ATLAS.transports
    )
