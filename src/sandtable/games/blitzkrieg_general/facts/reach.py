"""How far units get: marches, railways, flights, voyages."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import Final

from sandtable.core.facts import fact

from ..model.atlas import ARM, ATLAS, BE, CHINA, JAPAN, SUB, SWAMP_BORDER
from ..model.state import OFF_THE_MAP, BKState, has_advance, has_enemy
from ..model.tables import LIMITS
from .gates import is_gate_closed
from .ground import (
    GROUND,
    HOSTILE_ENTRY,
    entry,
    friendly,
    friendly_bits,
    has_bystanders,
    holdings,
    is_friendly,
    open_sky,
    peaceful_sky,
)
from .stacking import has_room, is_full
from .units import counters, nations_in

Marches = dict[int, list[int]]
"""Areas that a unit can march to, each with the areas from which it can enter (none: it does not matter)."""


# ---- marches ------------------------------------------------------------------------------------------------------
def why_no_exploitation(bad: tuple[int, ...], here: int, there: int) -> tuple[str, str, int] | None:
    """Return the rule, the reason and the space that keep an exploiting unit from a step in this weather.
    [bg-5.4-bad-exploit] [bg-5.4-map-switch] [bg-1.2-no-exploit] [bg-6.7-prohibited]"""
    for space in (here, there):
        if bad[ATLAS.map[space]]:
            return "bg-5.4-bad-exploit", "bad-weather-exploitation", -1
        if ATLAS.terrain_effects.get(ATLAS.terrain[space], {}).get("no_exploitation"):
            return "bg-1.2-no-exploit", "swamp-exploitation", space
    if ATLAS.border.get(here * ATLAS.count + there, 0) & SWAMP_BORDER:
        return "bg-1.2-no-exploit", "swamp-exploitation", there
    if ATLAS.map[here] != ATLAS.map[there] and bad[0] != bad[1]:
        return "bg-5.4-map-switch", "weather-differs", -1
    return None


def _land_next(s: BKState) -> list[list[int]]:
    """The areas next to each over land that units may enter in this phase and weather."""
    return _exploit_next(s.bad) if s.exploiting and s.advanced else ATLAS.land_next


@lru_cache(maxsize=4)
def _exploit_next(bad: tuple[int, ...]) -> list[list[int]]:
    return [
        [there for there in around if why_no_exploitation(bad, here, there) is None]
        for here, around in enumerate(ATLAS.land_next)
    ]


def land_reach(s: BKState, unit: int) -> Marches:
    """Return where a land unit can march and find room."""
    kind = ATLAS.type[unit]
    reached = _marches(s, s.nation[unit], s.place[unit], kind, ATLAS.range[unit])
    if s.options.get("cooperation"):
        return {to: ways for to, ways in reached.items() if has_room(s, unit, to)}
    full = [to for to in reached if ATLAS.is_limited[to] and is_full(s, unit, to)]
    return {to: ways for to, ways in reached.items() if to not in full} if full else reached


@fact("here", "nation", "bad", "exploiting", "advanced", *GROUND)
def _marches(s: BKState, nation: int, start: int, kind: int, steps: int) -> Marches:
    """Where a land unit of this nation and type can march, full or not. [bg-6.4.1-infantry] [bg-6.4.1-armor]
    [bg-6.4.1-hq] [bg-6.4.1-overrun-empty] [bg-6.4.2-double] [bg-6.2-adjacent]"""
    land_next, passes = _land_next(s), kind >= ARM
    out: Marches = {}
    if not land_next[start]:
        return out
    open_to, own, stacks = entry(s, nation), friendly(s, nation), s.here
    war, nations = s.war[nation], nations_in(s)
    frontier, seen = [start], {start}
    for _step in range(steps):
        following: list[int] = []
        for here in frontier:
            for there in land_next[here]:
                code = open_to[there]
                if not code or there == start:
                    continue
                units = stacks[there]
                if units and code == HOSTILE_ENTRY and has_bystanders(s, nation, there):
                    continue
                contested = units and nations[units] & war
                if there not in out:
                    out[there] = []
                if (not own[there] or contested) and here not in out[there]:
                    out[there].append(here)
                if not contested and there not in seen and (own[there] or passes):
                    seen.add(there)
                    following.append(there)
        frontier = following
    if own[start] and not nations[stacks[start]] & war:
        for space in _double(s, nation, start, 2 * steps):
            if space not in out:
                out[space] = []
    return out


def _double(s: BKState, nation: int, start: int, steps: int) -> list[int]:
    """Areas within twice the range through friendly areas only. [bg-6.4.2-double] [bg-6.4.2-double-no-attack]"""
    land_next, open_to, own, here_are = _land_next(s), entry(s, nation), friendly(s, nation), s.here
    war, nations = s.war[nation], nations_in(s)
    seen, frontier, out = {start}, [start], []
    for _ in range(steps):
        following = []
        for here in frontier:
            for there in land_next[here]:
                if not own[there] or there in seen or not open_to[there]:
                    continue
                if here_are[there] and nations[here_are[there]] & war:
                    continue
                seen.add(there)
                following.append(there)
        out += following
        frontier = following
    return out


FAR: Final = 99
"""The distance of an area to which there is no way."""


class Roads(dict[int, list[int]]):
    """By area the marches over land from it to every other through passable areas, the same there and back: computed
    once."""

    __slots__ = ("land_next",)

    def __init__(self, passable: frozenset[int]) -> None:
        self.land_next = [
            [there for there in beside if there in passable] if here in passable else []
            for here, beside in enumerate(ATLAS.land_next)
        ]

    def __missing__(self, start: int) -> list[int]:
        land_next = self.land_next
        out = self[start] = [FAR] * ATLAS.count
        out[start], reached = 0, [start]
        for here in reached:
            steps = out[here] + 1
            for there in land_next[here]:
                if steps < out[there]:
                    out[there] = steps
                    reached.append(there)
        return out


@lru_cache(maxsize=64)
def roads(passable: frozenset[int]) -> Roads:
    """Return the distances through passable areas. Nobody may change them."""
    return Roads(passable)


# ---- railways -----------------------------------------------------------------------------------------------------
@fact(*GROUND)
def rail_nets(s: BKState, nation: int) -> dict[int, list[int]]:
    """Return by friendly area all areas joined to it by rail, itself included."""
    own, open_to = friendly(s, nation), entry(s, nation)
    nets: dict[int, list[int]] = {}
    for start in ATLAS.land:
        if not own[start] or start in nets:
            continue
        seen, todo = {start}, [start]
        while todo:
            for there in ATLAS.land_next[todo.pop()]:
                if there not in seen and own[there] and open_to[there]:
                    seen.add(there)
                    todo.append(there)
        # what is joined to one is joined to all, but for a place that nobody may come back to
        net = sorted(seen)
        nets |= dict.fromkeys(seen if open_to[start] else (start,), net)
    return nets


def rail_reach(s: BKState, unit: int) -> list[int]:
    """Return everything joined by land through friendly areas where a unit finds room. [bg-6.2-rail-range]
    [bg-6.2-rail-no-enemy]"""
    nation, start, limited = s.nation[unit], s.place[unit], ATLAS.is_limited
    if has_enemy(s, nation, start):
        return []
    net = rail_nets(s, nation).get(start, [])
    if s.options.get("cooperation"):
        return [space for space in net if space != start and has_room(s, unit, space)]
    return [space for space in net if space != start and not (limited[space] and is_full(s, unit, space))]


@fact("control", "side")
def railways(s: BKState, major: int) -> set[int] | None:
    """Return the areas with railways that a major may use; None: everywhere. Japan's are joined to Japan and China, the
    Empire's not to South Africa. [bg-6.2-rail-japan] [bg-6.2-rail-be]"""
    if major == JAPAN:
        homes = [*ATLAS.homes[JAPAN], *ATLAS.homes[CHINA]]
    elif major == BE:
        homes = [h for h in ATLAS.homes[BE] if ATLAS.british_homes[ATLAS.british_home[h]] in ATLAS.rail_homes]
    else:
        return None
    side_of, land_next = [s.side[owner] for owner in s.control], ATLAS.land_next
    seen, todo = set(homes), list(homes)
    while todo:
        here = todo.pop()
        for there in land_next[here]:
            if there not in seen and side_of[there] == side_of[here]:
                seen.add(there)
                todo.append(there)
    return seen


# ---- flights ------------------------------------------------------------------------------------------------------
def air_range(s: BKState, unit: int) -> int:
    """Return how many spaces an aircraft flies. [bg-6.4.1-air] [bg-7.5-long-range]"""
    return ATLAS.range[unit] + has_advance(s, s.nation[unit], "long_range")


@lru_cache(maxsize=8192)
def _zones_within(start: int, steps: int) -> list[int]:
    """The seazones that an aircraft could reach at the most."""
    return [zone for zone in ATLAS.seas if ATLAS.within_flight[start][steps] >> zone & 1]


def flight(s: BKState, nation: int, start: int, steps: int, peaceful: bool = False) -> dict[int, int]:
    """Return the spaces in reach of an aircraft with their distance; an island and its seazone are one space.

    Neutral areas are closed; `peaceful` also closes the enemy's. [bg-6.4.1-overfly] [bg-6.4.5-overfly]
    [bg-6.3-rebase-path]
    """
    return _fly(*_sky_around(s, nation, start, steps, peaceful), start, steps)


def _sky_around(s: BKState, nation: int, start: int, steps: int, peaceful: bool) -> tuple[int, int]:
    """What of the sky near a base is open, and the zones that can only be reached with the island in them: those with
    enemy ships, which a peaceful flight avoids. Both as bits; what is far off does not matter. [bg-6.8-seazone]"""
    near = ATLAS.within_flight[start][steps]
    if not peaceful:
        return open_sky(s, nation) & near, 0
    closed, war = 0, s.war[nation]
    if war:
        here, nations, bit = s.here, nations_in(s), ATLAS.bit
        for zone in _zones_within(start, steps):
            if here[zone] and nations[here[zone]] & war:
                closed |= bit[zone]
    return peaceful_sky(s, nation) & near & ~closed, closed


@lru_cache(maxsize=8192)
def _fly(opened: int, islands_only: int, start: int, steps: int) -> dict[int, int]:
    """The flight itself. What it returns is shared: nobody may change it."""
    air_next, twins = ATLAS.air_next, ATLAS.twin
    is_open, is_island = _flags_of(opened), _flags_of(islands_only)
    reached = {start: 0}
    if twins[start] >= 0:
        reached[twins[start]] = 0
    for here in reached:  # what has been reached is closed
        is_open[here] = is_island[here] = 0
    frontier = list(reached)
    for step in range(1, steps + 1):
        following: list[int] = []
        for here in frontier:
            for there in air_next[here]:
                if is_open[there]:
                    is_open[there] = 0
                    reached[there] = step
                    following.append(there)
                    twin = twins[there]
                    if twin >= 0 and (is_open[twin] or is_island[twin]):
                        is_open[twin] = is_island[twin] = 0
                        reached[twin] = step
                        following.append(twin)
        frontier = following
    return reached


def _flags_of(spaces: int) -> bytearray:
    """Return spaces given as bits as a byte for each, 0 or 1."""
    digits = format(spaces, "b").zfill(ATLAS.count)[::-1]
    return bytearray(digits, "ascii").translate(_FROM_DIGITS)


_FROM_DIGITS: Final = bytes(digit == ord("1") for digit in range(256))


def can_land(s: BKState, unit: int, space: int) -> bool:
    """Return whether an aircraft may land in an area: friendly, without enemies, and with room. [bg-6.4.1-air-landing]
    [bg-6.5.8-air-no-sea] [bg-1.1-no-basing-open-sea]"""
    nation = s.nation[unit]
    return is_friendly(s, nation, space) and not has_enemy(s, nation, space) and has_room(s, unit, space)


@fact("here", "nation", "advanced", "options", "abroad", "invasions", "cargo", "mission", *GROUND)
def bases(s: BKState, unit: int, start: int, steps: int, peaceful: bool = False) -> list[int]:
    """Return the areas where an aircraft can land after so many steps."""
    nation, limited = s.nation[unit], ATLAS.is_limited
    near = friendly_bits(s, nation) & ATLAS.within_flight[start][steps]
    areas = _friendly_landings(*_sky_around(s, nation, start, steps, peaceful), start, steps, near)
    here, nations, war = s.here, nations_in(s), s.war[nation]
    out = [space for space in areas if not nations[here[space]] & war]
    if s.options.get("cooperation"):
        return [space for space in out if has_room(s, unit, space)]
    return [space for space in out if not (limited[space] and is_full(s, unit, space))]


@lru_cache(maxsize=8192)
def _friendly_landings(opened: int, islands_only: int, start: int, steps: int, friendly: int) -> list[int]:
    is_friendly = _flags_of(friendly)
    return [space for space in _fly(opened, islands_only, start, steps) if is_friendly[space]]


@fact("control")
def within_v_range(s: BKState, major: int) -> list[int]:
    """Return the areas so near to one that a major holds that its V-weapons reach them. [bg-7.5-v-weapons]"""
    near: set[int] = set()
    for start in ATLAS.land:
        if s.control[start] != major:
            continue
        seen, frontier = {start}, [start]
        for _ in range(LIMITS["v_weapon_range"]):
            frontier = [there for here in frontier for there in ATLAS.air_next[here] if there not in seen]
            seen.update(frontier)
        near |= seen
    return [space for space in sorted(near) if not ATLAS.is_sea[space]]


# ---- voyages ------------------------------------------------------------------------------------------------------
def sea_distance(s: BKState, unit: int, goal: int, most: int) -> int:
    """Return the zones between a ship and a zone, closed gates avoided; more than `most` when out of reach."""
    nation, sub = s.nation[unit], ATLAS.type[unit] == SUB
    seen, frontier = {s.place[unit]}, [s.place[unit]]
    for steps in range(most + 1):
        if goal in frontier:
            return steps
        following = []
        for here in frontier:
            for there in ATLAS.sea_next[here]:
                if there not in seen and not is_gate_closed(s, nation, here, there, sub):
                    seen.add(there)
                    following.append(there)
        frontier = following
    return most + 1


# ---- neighbours ---------------------------------------------------------------------------------------------------
@fact("place", "here", "nation", "master", "control")
def neighbours(s: BKState, major: int) -> int:
    """Return the nations within one step of a major's units, as bits: next to them over land, over a coast, or in a
    zone with their ships. [bg-8.4-dow]"""
    spaces = set(map(s.place.__getitem__, counters(s)[major])).difference(OFF_THE_MAP)
    areas = reduce(or_, map(ATLAS.areas_beside.__getitem__, spaces), 0)
    zones = set().union(*map(ATLAS.own_zones.__getitem__, spaces))
    near = map(nations_in(s).__getitem__, set(map(s.here.__getitem__, zones)))
    return reduce(or_, near, sum([nation for nation, held in holdings(s) if held & areas]))
