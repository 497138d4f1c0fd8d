"""6.1 and 6.6 the supply checks, and 6.4.3 C the seaways that can be closed."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, reduce
from itertools import compress
from operator import or_

from ..facts.relations import ground, relations, roster
from ..model.atlas import USA, atlas
from ..model.state import AT_WAR, NEUTRAL, OUT, BKState, is_friendly, occupied, with_flags


# ---- gates --------------------------------------------------------------------------------------------------------
def is_gate_closed(state: BKState, nation: int, here: int, there: int, sub: bool = False) -> bool:
    """Whether ships of a nation may not use a sea link now. [bg-6.4.3c-general] [bg-6.4.3c-panama] [bg-6.4.3c-suez]
    [bg-6.4.3c-gibraltar] [bg-6.4.3c-malaya] [bg-6.4.3c-skagerrak] [bg-6.4.3c-turkey] [bg-6.4.3c-subs]"""
    found = atlas()
    name = found.gate_of.get(here * found.count + there)
    if name is None or not state.advanced or state.standing[nation] == NEUTRAL:
        return False
    gate = found.gates[name]
    if sub and not gate["applies_to_subs"]:
        return False
    war, areas, control = state.war[nation], gate["areas"], state.control
    rule = gate["rule"]
    if rule == "closed_to_axis_once_usa_at_war":
        return state.standing[USA] == AT_WAR and state.side[nation] != state.side[USA]
    if rule == "closed_if_any_enemy":
        return any(war >> control[s] & 1 for s in areas)
    if rule == "closed_if_all_enemy":
        return all(war >> control[s] & 1 for s in areas)
    owner = control[areas[0]]
    return state.standing[owner] == NEUTRAL or bool(war >> owner & 1)


# ---- supply -------------------------------------------------------------------------------------------------------
def is_source(state: BKState, nation: int, space: int) -> bool:
    """Production in the home country of an ally at war, still in the side's hands. [bg-6.1-source]
    [bg-quick-flag-source]
    [bg-8.3-supply-source]"""
    from_here = any(atlas().sources_of[owner] >> space & 1 for owner in _suppliers(state, nation))
    return from_here and is_friendly(state, nation, space)


def _suppliers(state: BKState, nation: int) -> list[int]:
    """Allies at war: their home countries supply a nation's units."""
    friends = relations(state).friends(nation)
    return [owner for owner, standing in enumerate(state.standing) if standing == AT_WAR and friends >> owner & 1]


def supplied_spaces(state: BKState, nation: int) -> int:
    """Every space joined to a source by land, by sea or by both, as bits. [bg-6.1-land-line] [bg-6.1-sea-line]
    [bg-6.1-forbidden-link] [bg-6.1-out]"""
    return _supplied(state, nation, presence(state), _navies(state), -1, 0)[0]


def _supplied(
    state: BKState, nation: int, present: list[tuple[int, int]], navies: list[Navy], asked: int, whose: int
) -> tuple[int, int]:
    """The same as far as it matters for the spaces asked about and for those areas where the nations `whose` stand;
    and all the spaces asked about. [bg-6.1-sea-block] [bg-6.1-sea-unblock]"""
    sources, friendly, closed = _net(state, nation)
    friends, war, seas = relations(state).friends(nation), state.war[nation], atlas().all_seas
    friendly_units = theirs = 0
    for one, spaces in present:
        if one & friends:
            friendly_units |= spaces
            if one & whose:
                theirs |= spaces
    asked |= theirs & ~seas
    usable = friendly | seas | (friendly_units & ~seas)
    foes, pals = war & ~friends, friends & ~war
    for (nations, fleets, escorts), zones in navies:
        # enemy Task Forces close a zone unless a friendly Task Force or convoy is there
        if fleets & war and nations & foes and not escorts & pals:
            usable ^= zones
    return flood(sources, usable, closed, asked & usable), asked


Navy = tuple[tuple[int, int, int], int]
"""The nations in a zone, those with Task Forces, those with Task Forces or convoys; all zones in which it is so."""


def _navies(state: BKState) -> list[Navy]:
    here, mine, bit = state.here, roster(state), atlas().bit
    alike: dict[tuple[int, int, int], int] = {}
    for zone in occupied(here, atlas().seas):
        units = here[zone]
        fleets = mine.fleets[units]
        if fleets:
            who = (mine.nations[units], fleets, mine.escorts[units])
            alike[who] = alike.get(who, 0) | bit[zone]
    return list(alike.items())


def presence(state: BKState) -> list[tuple[int, int]]:
    """The nations that have units anywhere, each as a bit, and the spaces where they are, as bits; what is aboard a
    ship is not counted."""
    here, nations = state.here, roster(state).nations
    there: defaultdict[int, list[int]] = defaultdict(list)
    stacks = map(nations.__getitem__, filter(None, here))
    for together, bit in zip(stacks, compress(atlas().bit, here), strict=True):
        there[together].append(bit)
    by_nation: dict[int, int] = {}
    for together, bits in there.items():
        total = sum(bits)
        for nation in _each(together):
            by_nation[nation] = by_nation.get(nation, 0) | total
    return list(by_nation.items())


def _net(state: BKState, nation: int) -> tuple[int, int, int]:
    """What the flags on the map say of a nation's supply, as bits: the sources, the friendly areas, closed gates."""
    on = ground(state)
    known = on.nets.get((nation, state.advanced))
    if known is None:
        found, friendly = atlas(), on.friendly_bits(nation)
        candidates = sum(found.sources_of[owner] for owner in _suppliers(state, nation))
        gates = found.gated_by.items() if state.advanced and state.standing[nation] != NEUTRAL else ()
        closed = sum(links for (a, b), links in gates if is_gate_closed(state, nation, a, b))
        known = on.nets[nation, state.advanced] = (candidates & friendly, friendly, closed)
    return known


@lru_cache(maxsize=256)
def flood(sources: int, usable: int, closed: int, asked: int) -> int:
    """Everything joined to the sources through usable spaces, until all that are asked about are found; closed gates
    are left out."""
    found = atlas()
    reached, left = sources, usable & ~found.all_seas & ~sources
    waters = list(_waters(usable & found.all_seas, closed))
    while True:
        before = reached
        for water in waters:
            zones, coast = water
            if coast & reached and not zones & reached:
                reached |= zones | (coast & left)
        left &= ~reached
        if not asked & ~reached:
            return reached
        for area in _ones(left):
            if found.one_march[area] & reached:
                reached |= 1 << area
        left &= ~reached
        if reached == before:
            return reached


@lru_cache(maxsize=256)
def _seaways(closed: int) -> list[frozenset[int]]:
    """By zone those that ships can sail to."""
    found = atlas()
    around = [joined & found.all_seas for joined in found.joined]
    for number, (one, other) in enumerate(found.gated):
        if closed >> number & 1:
            around[one] &= ~(1 << other)
            around[other] &= ~(1 << one)
    return [frozenset(_ones(zones)) for zones in around]


@lru_cache(maxsize=1024)
def _waters(seas: int, closed: int) -> list[tuple[int, int]]:
    """The seas in parts through which lines can run: the zones of each and the areas on its coasts, as bits."""
    found, around = atlas(), _seaways(closed)
    left, parts = set(_ones(seas)), []
    while left:
        zones = [left.pop()]
        for zone in zones:  # grows while it is looked through
            fresh = around[zone] & left
            if fresh:
                left -= fresh
                zones += fresh
        parts.append((sum([found.bit[z] for z in zones]), reduce(or_, [found.beside_coast[z] for z in zones])))
    return parts


def check_supply(state: BKState) -> None:
    """Fix every unit's status, for both sides, until the next check. [bg-6.1-times] [bg-6.6-second-check]
    [bg-6.1-home-always]
    [bg-6.1-ships-exempt]"""
    found, politics, present = atlas(), relations(state), presence(state)
    flags = state.flags
    for unit in with_flags(state):
        if flags[unit] & OUT:
            flags[unit] ^= OUT
    aboard = [unit for loads in state.cargo.values() for unit in loads]
    there = sum([nation for nation, _ in present])
    for unit in aboard:
        there |= 1 << state.nation[unit]
    navies = _navies(state)
    at_sea = sum({1 << state.place[unit] for unit in aboard})
    for nation, alike in politics.lines():
        if not alike & there:
            continue
        reached, asked = _supplied(state, nation, present, navies, at_sea, alike)
        lost = asked & ~reached
        if not lost:
            continue
        for space in _ones(lost & ~found.all_seas):
            for unit in state.here[space]:
                if alike >> state.nation[unit] & 1 and not is_at_home(state, unit):
                    flags[unit] |= OUT
        for unit in aboard:
            if alike >> state.nation[unit] & 1 and lost >> state.place[unit] & 1:
                flags[unit] |= OUT


@lru_cache(maxsize=4096)
def _each(nations: int) -> list[int]:
    """Nations given as bits, each as a bit of its own."""
    return [1 << nation for nation in _ones(nations)]


def _ones(bits: int) -> list[int]:
    """The numbers of the bits that are set."""
    out = []
    bit = atlas().bit
    while bits:
        number = bits.bit_length() - 1
        bits ^= bit[number]
        out.append(number)
    return out


def is_at_home(state: BKState, unit: int) -> bool:
    """A unit in a home area with production of its own country. [bg-6.1-home-always]"""
    found = atlas()
    space, nation = state.place[unit], state.nation[unit]
    return found.has_production[space] and space in found.home_areas_set[nation] and state.carrier[unit] < 0
