"""6.1 and 6.6: lines of supply over land and sea."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, reduce
from itertools import compress
from operator import or_

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, bits_of, ones
from ..model.state import AT_WAR, NEUTRAL, BKState
from .gates import is_gate_closed
from .ground import GROUND, friendly_bits, is_friendly
from .politics import friends, lines
from .units import escorts_in, fleets_in, nations_in, occupied

Navy = tuple[tuple[int, int, int], int]
"""The nations in a zone, those with Task Forces, those with Task Forces or convoys; all zones in which it is so."""


def is_source(s: BKState, nation: int, space: int) -> bool:
    """Return whether an area supplies a nation: production in the home country of an ally at war, still in the side's
    hands. [bg-6.1-source] [bg-quick-flag-source] [bg-8.3-supply-source]"""
    from_here = any(ATLAS.sources_of[owner] >> space & 1 for owner in _suppliers(s, nation))
    return from_here and is_friendly(s, nation, space)


def _suppliers(s: BKState, nation: int) -> list[int]:
    """Allies at war: their home countries supply a nation's units."""
    allies = friends(s, nation)
    return [owner for owner, standing in enumerate(s.standing) if standing == AT_WAR and allies >> owner & 1]


def supplied_spaces(s: BKState, nation: int) -> int:
    """Return every space joined to a source by land, by sea or by both, as bits. [bg-6.1-land-line] [bg-6.1-sea-line]
    [bg-6.1-forbidden-link] [bg-6.1-out]"""
    return _supplied(s, nation, presence(s), _navies(s), -1, 0)[0]


def unsupplied(s: BKState) -> list[int]:
    """Return the units that are out of supply now. [bg-6.1-home-always] [bg-6.1-ships-exempt]"""
    present = presence(s)
    aboard = [unit for loads in s.cargo.values() for unit in loads]
    there = sum([nation for nation, _ in present]) | bits_of(s.nation[unit] for unit in aboard)
    navies, at_sea = _navies(s), bits_of(s.place[unit] for unit in aboard)
    out: list[int] = []
    for nation, alike in lines(s):
        if not alike & there:
            continue
        reached, asked = _supplied(s, nation, present, navies, at_sea, alike)
        lost = asked & ~reached
        if lost:
            ashore = [unit for space in ones(lost & ~ATLAS.all_seas) for unit in s.here[space]]
            out += [u for u in ashore if alike >> s.nation[u] & 1 and not is_at_home(s, u)]
            out += [u for u in aboard if alike >> s.nation[u] & 1 and lost >> s.place[u] & 1]
    return out


def is_at_home(s: BKState, unit: int) -> bool:
    """Return whether a unit is in a home area with production of its own country. [bg-6.1-home-always]"""
    space, nation = s.place[unit], s.nation[unit]
    return ATLAS.has_production[space] and space in ATLAS.home_areas_set[nation] and s.carrier[unit] < 0


def _supplied(
    s: BKState, nation: int, present: list[tuple[int, int]], navies: list[Navy], asked: int, whose: int
) -> tuple[int, int]:
    """The supplied spaces as far as it matters for the spaces asked about and for those areas where the nations `whose`
    stand; and all the spaces asked about. [bg-6.1-sea-block] [bg-6.1-sea-unblock]"""
    sources, friendly, closed = _net(s, nation)
    allies, war, seas = friends(s, nation), s.war[nation], ATLAS.all_seas
    friendly_units = theirs = 0
    for one, spaces in present:
        if one & allies:
            friendly_units |= spaces
            if one & whose:
                theirs |= spaces
    asked |= theirs & ~seas
    usable = friendly | seas | (friendly_units & ~seas)
    foes, pals = war & ~allies, allies & ~war
    for (nations, fleets, escorts), zones in navies:
        # enemy Task Forces close a zone unless a friendly Task Force or convoy is there
        if fleets & war and nations & foes and not escorts & pals:
            usable ^= zones
    return flood(sources, usable, closed, asked & usable), asked


def _navies(s: BKState) -> list[Navy]:
    here, bit, nations, fleets, escorts = s.here, ATLAS.bit, nations_in(s), fleets_in(s), escorts_in(s)
    alike: dict[tuple[int, int, int], int] = {}
    for zone in occupied(s, ATLAS.seas):
        units = here[zone]
        if fleets[units]:
            who = (nations[units], fleets[units], escorts[units])
            alike[who] = alike.get(who, 0) | bit[zone]
    return list(alike.items())


def presence(s: BKState) -> list[tuple[int, int]]:
    """Return the nations that have units anywhere, each as a bit, and the spaces where they are, as bits; what is
    aboard a ship is not counted."""
    nations = nations_in(s)
    there: defaultdict[int, list[int]] = defaultdict(list)
    stacks = map(nations.__getitem__, filter(None, s.here))
    for together, bit in zip(stacks, compress(ATLAS.bit, s.here), strict=True):
        there[together].append(bit)
    by_nation: dict[int, int] = {}
    for together, bits in there.items():
        total = sum(bits)
        for nation in _each(together):
            by_nation[nation] = by_nation.get(nation, 0) | total
    return list(by_nation.items())


@fact("advanced", *GROUND)
def _net(s: BKState, nation: int) -> tuple[int, int, int]:
    """What the flags on the map say of a nation's supply, as bits: the sources, the friendly areas, closed gates."""
    friendly = friendly_bits(s, nation)
    candidates = sum(ATLAS.sources_of[owner] for owner in _suppliers(s, nation))
    gates = ATLAS.gated_by.items() if s.advanced and s.standing[nation] != NEUTRAL else ()
    closed = sum(links for (a, b), links in gates if is_gate_closed(s, nation, a, b))
    return candidates & friendly, friendly, closed


@lru_cache(maxsize=256)
def flood(sources: int, usable: int, closed: int, asked: int) -> int:
    """Return everything joined to the sources through usable spaces, until all that are asked about are found; closed
    gates are left out."""
    reached, left = sources, usable & ~ATLAS.all_seas & ~sources
    parts = waters(usable & ATLAS.all_seas, closed)
    while True:
        before = reached
        for zones, coast in parts:
            if coast & reached and not zones & reached:
                reached |= zones | (coast & left)
        left &= ~reached
        if not asked & ~reached:
            return reached
        for area in ones(left):
            if ATLAS.one_march[area] & reached:
                reached |= 1 << area
        left &= ~reached
        if reached == before:
            return reached


@lru_cache(maxsize=256)
def _seaways(closed: int) -> list[frozenset[int]]:
    """By zone those that ships can sail to."""
    around = [joined & ATLAS.all_seas for joined in ATLAS.joined]
    for number, (one, other) in enumerate(ATLAS.gated):
        if closed >> number & 1:
            around[one] &= ~(1 << other)
            around[other] &= ~(1 << one)
    return [frozenset(ones(zones)) for zones in around]


@lru_cache(maxsize=1024)
def waters(seas: int, closed: int) -> list[tuple[int, int]]:
    """Return the seas in parts through which lines can run: the zones of each and the areas on its coasts, as bits."""
    around = _seaways(closed)
    left, parts = set(ones(seas)), []
    while left:
        zones = [left.pop()]
        for zone in zones:  # grows while it is looked through
            fresh = around[zone] & left
            if fresh:
                left -= fresh
                zones += fresh
        parts.append((sum([ATLAS.bit[z] for z in zones]), reduce(or_, [ATLAS.beside_coast[z] for z in zones])))
    return parts


@lru_cache(maxsize=4096)
def _each(nations: int) -> list[int]:
    """Nations given as bits, each as a bit of its own."""
    return [1 << nation for nation in ones(nations)]
