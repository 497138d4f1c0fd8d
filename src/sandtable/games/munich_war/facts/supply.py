"""Supply (chapter 14), with air supply (16.10.2), sealift and amphibious supply (18.2.1, 18.3) and storms (20)."""

from __future__ import annotations

import functools
from operator import or_

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, COUNTRY, NOBODY
from ..model.hexsets import next_to
from ..model.state import LANDED, WAITING, MunichState
from .board import board
from .control import controlled, owned, terror

_FORTS = tuple(frozenset(u for u in country.units if ATLAS.units[u].fort) for country in ATLAS.countries)
_LIFTS = tuple(tuple(u for u in country.units if ATLAS.units[u].lift) for country in ATLAS.countries)
_SEAS = tuple(tuple(ATLAS.seas.get(country.index, ())) for country in ATLAS.countries)
_STRAITS = tuple(any(shut != NOBODY for _, _, shut in seas) for seas in _SEAS)
_WATERS = tuple(functools.reduce(or_, [hexes for _, hexes, _ in seas], 0) for seas in _SEAS)
"""By country: whether one of its seas can be shut, and the hexes of all of them."""


# ---- seas (18.1) ---------------------------------------------------------------------------------------------------
def friendly_seas(s: MunichState, country: int) -> list[int]:
    """[mw-18.1-b] [mw-18.1-c] The hexes of each sea in which a country's markers and ports work now: of those with a
    strait, where the enemy does not control it."""
    lost = controlled(s)[1 - s.side[country]]
    return [hexes for _, hexes, shut in _SEAS[country] if shut == NOBODY or not lost >> shut & 1]


def waters_of(s: MunichState, country: int) -> int:
    """All hexes of a country's friendly seas."""
    return functools.reduce(or_, friendly_seas(s, country), 0) if _STRAITS[country] else _WATERS[country]


# ---- lines of supply -----------------------------------------------------------------------------------------------
def sources(s: MunichState, country: int) -> int:
    """[mw-14.2-a] [mw-14.2-b] [mw-16.8.2-d] [mw-16.8.2-f] [mw-21.0-f] A country's supply sources: its own capital and
    mobilization centers and ports it controls in its seas, none of them terrorized or in enemy hands."""
    if s.fallen[country]:
        return 0
    known, side = board(s), s.side[country]
    enemy = 1 - side
    home = ATLAS.countries[country].cities & ~known.occupied[enemy] & ~(owned(s, enemy) & ~known.occupied[side])
    ports = ATLAS.ports & waters_of(s, country)
    return (home | (ports & controlled(s)[side] & known.open if ports else 0)) & ~terror(s)


@fact("where", "side", "owned")
def railway(s: MunichState, side: int) -> int:
    """[mw-14.4-b] [mw-14.4-c] [mw-14.4-note] Rail hexes that can carry a side's supply: captured and free of enemy
    zones, or with a friend in them."""
    known = board(s)
    enemy = 1 - side
    usable = owned(s, side) & ~known.zoc[enemy] | known.occupied[side]
    return ATLAS.rail & known.open & usable & ~known.occupied[enemy]


def lines(s: MunichState, country: int) -> int:
    """[mw-14.3-a] [mw-14.4-a] Where a line of supply may end: the sources, and every rail hex that leads to one."""
    return _along_rail(s, country, ~0)


def off_lines(s: MunichState, country: int, hexes: int) -> int:
    """Those of some hexes that are no source and from which no railroad leads to one."""
    return hexes & ~_along_rail(s, country, hexes)


def _along_rail(s: MunichState, country: int, sought: int) -> int:
    """The sources and what is reached from them by rail; the search ends when all that is sought is found."""
    seen = sources(s, country)
    # A source is reached along the railroad even where it lies in an enemy zone: lines go into such hexes.
    front, inside = seen & ATLAS.rail, railway(s, s.side[country])
    while front and sought & ~seen:
        front = next_to(front, ATLAS.rail_edges, ATLAS.rail_next) & inside & ~seen
        seen |= front
    return seen


def trace_length(s: MunichState, unit: int) -> int:
    """[mw-14.3-g] [mw-14.3-h] [mw-20.0-e] The unit's printed movement in hexes, one less in storms."""
    printed = ATLAS.units[unit].move
    return printed - 1 if s.storm and printed else printed


def can_trace(s: MunichState, unit: int) -> bool:
    """[mw-14.3-b] [mw-14.3-c] [mw-14.3-d] [mw-14.3-e] [mw-14.3-f] [mw-10.5] [mw-5.1-c] Whether a line of supply runs
    from the unit to a source, or to a railroad that leads to one."""
    country, terrain = COUNTRY[unit], ATLAS.units[unit].terrain
    known, side, goals = board(s), s.side[country], sources(s, country)
    front = seen = 1 << s.where[unit]
    if front & goals:
        return True
    edges, table = ATLAS.enterable[terrain], ATLAS.near[terrain]
    unseen = known.open & ~known.occupied[1 - side] & ~front
    free = ~known.zoc[1 - side] | known.occupied[side]
    for _ in range(trace_length(s, unit)):
        front = next_to(front, edges, table) & unseen
        if front & goals:
            return True
        seen |= front
        unseen &= ~front
        front &= free
        if not front:
            break
    # The railroads are followed from this end, which mostly finds a source sooner.
    net = railway(s, side)
    front = seen & net
    net &= ~front
    while front:
        front = next_to(front, ATLAS.rail_edges, ATLAS.rail_next)
        if front & goals:
            return True
        front &= net
        net ^= front
    return False


def is_automatic(s: MunichState, unit: int) -> bool:
    """[mw-14.1-a] [mw-14.1-b] [mw-14.1-b-exception] [mw-14.1-c] [mw-14.1-d] [mw-19.0-fort] Always in supply: static
    units, units in their own cities, units with a fortification of their country. (A unit in another source has a line
    of no length: see `can_trace`.)"""
    face, at = ATLAS.units[unit], s.where[unit]
    country = face.country
    if face.static:
        return True
    if ATLAS.countries[country].cities >> at & 1 and not s.fallen[country] and not terror(s) >> at & 1:
        return True
    return not _FORTS[country].isdisjoint(board(s).stack(at))


def has_air_supply(s: MunichState, unit: int) -> bool:
    """[mw-16.10.2-b] [mw-16.10.2-note] [mw-16.10-a] An airlift of its country is in or next to its hex, and not one
    that waits for a passenger."""
    where = s.where
    near = ATLAS.neighbours(where[unit]) | 1 << where[unit]
    return any(
        where[lift] >= 0 and near >> where[lift] & 1 and not s.flags[lift] & WAITING for lift in _LIFTS[COUNTRY[unit]]
    )


@fact("where", "side", "owned", "terror", "fallen", "storm")
def _is_supplied_by_land(s: MunichState, unit: int) -> bool:
    return is_automatic(s, unit) or can_trace(s, unit)


def is_supplied(s: MunichState, unit: int) -> bool:
    """[mw-14.5] Supply for movement and refit. A neutral's units at home want for nothing."""
    return s.side[COUNTRY[unit]] == NOBODY or _is_supplied_by_land(s, unit) or has_air_supply(s, unit)


def is_supplied_for_combat(s: MunichState, unit: int) -> bool:
    """[mw-14.7-a] [mw-18.2.1-f] [mw-18.2.2-f] [mw-18.3-a] Supply for an attack: as for movement, or from the sea."""
    if unit in s.assaults or is_supplied(s, unit):
        return True
    at = s.where[unit]
    if any(s.flags[other] & LANDED for other in board(s).stack(at)):
        return True
    near = ATLAS.neighbours(at) | 1 << at
    return any(
        s.where[marker] >= 0 and COUNTRY[marker] == COUNTRY[unit] and near >> s.where[marker] & 1
        for marker in ATLAS.transports
    )
