"""6.2-6.4 how far units get: land moves, flights, rail, the sea; and the limits of stacking."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sandtable.core import Refusal

from ..facts.relations import HOSTILE_ENTRY, ground, roster
from ..model.atlas import ARM, SWAMP_BORDER, atlas
from ..model.state import AT_WAR, BKPlay, BKState, has_enemy, is_friendly, is_hostile
from .politics import entry, may_enter


def name(space: int) -> str:
    return atlas().space_names[space]


# ---- stacking -----------------------------------------------------------------------------------------------------
def why_not_stack(state: BKState, unit: int, space: int) -> Refusal | None:
    """Deserts and small islands hold only so many units of a side; HQs are not counted. [bg-1.2-desert]
    [bg-1.1-stack-limit]
    [bg-1.1-no-limit-areas]"""
    if not state.advanced:
        return None
    found = atlas()
    island, desert = found.stack_limit[space], found.desert_limit[space]
    if not (island or desert) or found.is_hq[unit]:
        return None
    side, air = state.side[state.nation[unit]], found.is_air[unit]
    if air and not island:
        return None
    limit = island or desert
    count = 0
    for other in state.here[space]:
        if other != unit and found.is_air[other] == air and not found.is_hq[other]:
            count += state.side[state.nation[other]] == side
    for load, target in _landing(state):
        count += target == space and load != unit and state.side[state.nation[load]] == side and not found.is_hq[load]
    if count < limit:
        return None
    rule = "bg-1.1-stack-limit" if island else "bg-1.2-desert"
    return Refusal(rule, "stack-limit", space=name(space), limit=limit)


def _landing(state: BKState) -> list[tuple[int, int]]:
    """Cargo that is about to invade, with its target."""
    if not state.invasions:
        return []
    return [(u, state.mission[u]) for loads in state.cargo.values() for u in loads if state.mission[u] >= 0]


def why_not_cooperate(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """Optional 9.11: who may stack with whom. [bg-opt-9.11-limits] [bg-opt-9.11-who]"""
    if not m.option("cooperation"):
        return None
    state, found = m.state, atlas()
    mine = state.nation[unit]
    if not found.is_sea[space]:
        owner = state.control[space]
        if state.side[owner] == state.side[mine] and not cooperate(state, mine, owner):
            return Refusal("bg-opt-9.11-limits", "no-cooperation", country=f"@{found.nation_ids[owner]}")
    abroad = [u for u, target in state.abroad.items() if target == space]
    for other in (*state.here[space], *abroad):
        nation = state.nation[other]
        if other != unit and state.side[nation] == state.side[mine] and not cooperate(state, mine, nation):
            return Refusal("bg-opt-9.11-limits", "no-cooperation", country=f"@{found.nation_ids[nation]}")
    return None


def cooperate(state: BKState, a: int, b: int) -> bool:
    """[bg-opt-9.11-who]"""
    one, other = state.master[a], state.master[b]
    return one == other or frozenset((one, other)) in atlas().cooperation


# ---- land moves ---------------------------------------------------------------------------------------------------
def why_not_exploit_step(m: BKPlay, here: int, there: int) -> Refusal | None:
    """Bad weather, swamps and the change of maps in the exploitation phase. [bg-5.4-bad-exploit] [bg-5.4-map-switch]
    [bg-1.2-no-exploit] [bg-6.7-prohibited]"""
    return _why_not_exploit(m.state.bad, here, there) if m.state.advanced else None


def _why_not_exploit(bad: tuple[int, ...], here: int, there: int) -> Refusal | None:
    found = atlas()
    for space in (here, there):
        if bad[found.map[space]]:
            return Refusal("bg-5.4-bad-exploit", "bad-weather-exploitation")
        if found.terrain_effects.get(found.terrain[space], {}).get("no_exploitation"):
            return Refusal("bg-1.2-no-exploit", "swamp-exploitation", space=name(space))
    if found.border.get(here * found.count + there, 0) & SWAMP_BORDER:
        return Refusal("bg-1.2-no-exploit", "swamp-exploitation", space=name(there))
    if found.map[here] != found.map[there] and bad[0] != bad[1]:
        return Refusal("bg-5.4-map-switch", "weather-differs")
    return None


@lru_cache(maxsize=4)
def _exploit_next(bad: tuple[int, ...]) -> list[list[int]]:
    """The areas next to each over land that exploitation in this weather may enter."""
    land_next = enumerate(atlas().land_next)
    return [[there for there in around if _why_not_exploit(bad, here, there) is None] for here, around in land_next]


def land_reach(m: BKPlay, unit: int) -> dict[int, list[int]]:
    """Where a land unit can march, and for each place the areas from which it can enter it (empty: it does not matter).
    [bg-6.4.1-infantry] [bg-6.4.1-armor] [bg-6.4.1-hq] [bg-6.4.1-overrun-empty] [bg-6.4.2-double] [bg-6.2-adjacent]"""
    state, found = m.state, atlas()
    nation, start, steps = state.nation[unit], state.place[unit], found.range[unit]
    land_next = _exploit_next(state.bad) if state.exploiting and state.advanced else found.land_next
    if not land_next[start]:
        return {}
    key = ("reach", nation, start, found.type[unit])
    known: dict[int, list[int]] | None = m.cache.get(key)
    if known is not None:
        return known
    passes = found.type[unit] >= ARM
    open_to, friendly, here_are = entry(state, nation), ground(state).friendly(nation), state.here
    war, nations = state.war[nation], roster(state).nations
    out: dict[int, list[int]] = {}
    frontier, seen = [start], {start}
    for _step in range(1, steps + 1):
        following: list[int] = []
        for here in frontier:
            for there in land_next[here]:
                code = open_to[there]
                if not code or there == start:
                    continue
                units = here_are[there]
                if units and code == HOSTILE_ENTRY and not may_enter(state, nation, there):
                    continue
                contested = units and nations[units] & war
                if friendly[there] and not contested:
                    if there not in out:
                        out[there] = []
                else:
                    ways = out.setdefault(there, [])
                    if here not in ways:
                        ways.append(here)
                if not contested and there not in seen and (friendly[there] or passes):
                    seen.add(there)
                    following.append(there)
        frontier = following
    if friendly[start] and not nations[here_are[start]] & war:
        _double(state, unit, out, land_next, open_to, friendly)
    limited, strict = found.is_limited, bool(m.option("cooperation"))
    asked = [s for s in out if (limited[s] and state.advanced) or strict]
    if not asked:  # the same for all that are alike there
        m.cache[key] = out
    for to in asked:
        if why_not_stack(state, unit, to) is not None or (strict and why_not_cooperate(m, unit, to) is not None):
            del out[to]
    return out


def _double(
    state: BKState, unit: int, out: dict[int, list[int]], land_next: list[list[int]], open_to: bytes, friendly: bytes
) -> None:
    """Twice the range through friendly areas only. [bg-6.4.2-double] [bg-6.4.2-double-no-attack]"""
    start, here_are = state.place[unit], state.here
    war, nations = state.war[state.nation[unit]], roster(state).nations
    seen, frontier = {start}, [start]
    for _ in range(2 * atlas().range[unit]):
        following = []
        for here in frontier:
            for there in land_next[here]:
                if not friendly[there] or there in seen or not open_to[there]:
                    continue
                if here_are[there] and nations[here_are[there]] & war:
                    continue
                seen.add(there)
                following.append(there)
                out.setdefault(there, [])
        frontier = following


def path_between(m: BKPlay, unit: int, via: int) -> list[int]:
    """Areas that armor or an HQ passes on its way to an attack: the enemy's empty ones change hands."""
    return [via] if via >= 0 and via != m.state.place[unit] else []


def rail_reach(state: BKState, unit: int) -> list[int]:
    """Everything joined by land through friendly areas. [bg-6.2-rail-range] [bg-6.2-rail-no-enemy]"""
    nation, start = state.nation[unit], state.place[unit]
    if not is_friendly(state, nation, start) or has_enemy(state, nation, start):
        return []
    limited, net = atlas().is_limited, _rail_net(state, nation, start)
    return [s for s in net if s != start and (not limited[s] or why_not_stack(state, unit, s) is None)]


def _rail_net(state: BKState, nation: int, start: int) -> list[int]:
    """All areas joined by rail to a friendly one, itself included."""
    on = ground(state)
    known: list[int] | None = on.railways.get((nation, start))
    if known is None:
        found, friendly, open_to = atlas(), on.friendly(nation), entry(state, nation)
        seen, todo = {start}, [start]
        while todo:
            for there in found.land_next[todo.pop()]:
                if there not in seen and friendly[there] and open_to[there]:
                    seen.add(there)
                    todo.append(there)
        known = sorted(seen)
        # what is joined to one is joined to all, but for a place that nobody may come back to
        for area in seen if open_to[start] else (start,):
            on.railways[nation, area] = known
    return known


# ---- flights ------------------------------------------------------------------------------------------------------
def air_range(state: BKState, unit: int) -> int:
    """[bg-6.4.1-air] [bg-7.5-long-range]"""
    found = atlas()
    nation = state.nation[unit]
    far = nation < 8 and state.advances[nation] >> found.advance_bit["long_range"] & 1
    return int(found.range[unit] + far)


@lru_cache(maxsize=8192)
def _zones_within(start: int, steps: int) -> list[int]:
    """The seazones that an aircraft could reach at the most."""
    found = atlas()
    return [zone for zone in found.seas if found.within_flight[start][steps] >> zone & 1]


def flight(state: BKState, nation: int, start: int, steps: int, peaceful: bool = False) -> dict[int, int]:
    """Spaces in reach of an aircraft with their distance; an island and its seazone are one space. Neutral areas are
    closed; `peaceful` also closes the enemy's. [bg-6.4.1-overfly] [bg-6.4.5-overfly] [bg-6.3-rebase-path]"""
    return _fly(*_sky_around(state, nation, start, steps, peaceful), start, steps)


def _sky_around(state: BKState, nation: int, start: int, steps: int, peaceful: bool) -> tuple[int, int]:
    """What of the sky near a base is open, and the zones that can only be reached with the island in them: those with
    enemy ships, which a peaceful flight avoids. Both as bits; what is far off does not matter. [bg-6.8-seazone]"""
    near = atlas().within_flight[start][steps]
    if not peaceful:
        return ground(state).open_sky(nation) & near, 0
    closed, war = 0, state.war[nation]
    if war:
        here, nations, bit = state.here, roster(state).nations, atlas().bit
        for zone in _zones_within(start, steps):
            if here[zone] and nations[here[zone]] & war:
                closed |= bit[zone]
    return ground(state).peaceful_sky(nation) & near & ~closed, closed


@lru_cache(maxsize=8192)
def _fly(opened: int, islands_only: int, start: int, steps: int) -> dict[int, int]:
    """The flight itself. What it returns is shared: nobody may change it."""
    found = atlas()
    air_next, twins = found.air_next, found.twin
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
    """Spaces given as bits as a byte for each, 0 or 1."""
    digits = format(spaces, "b").zfill(atlas().count)[::-1]
    return bytearray(digits, "ascii").translate(_FROM_DIGITS)


_FROM_DIGITS: Final = bytes(digit == ord("1") for digit in range(256))


def can_land(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """Aircraft land in friendly areas only, never at sea. [bg-6.4.1-air-landing] [bg-6.5.8-air-no-sea]
    [bg-1.1-no-basing-open-sea]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if found.is_sea[space]:
        return Refusal("bg-6.5.8-air-no-sea", "no-landing-at-sea", space=name(space))
    if not is_friendly(state, nation, space) or has_enemy(state, nation, space):
        return Refusal("bg-6.4.1-air-landing", "not-friendly", space=name(space))
    return why_not_stack(state, unit, space) or why_not_cooperate(m, unit, space)


def bases(m: BKPlay, unit: int, start: int, steps: int, peaceful: bool = False) -> list[int]:
    """Areas where an aircraft can land after so many steps: those that `can_land` does not refuse."""
    state, nation, limited = m.state, m.state.nation[unit], atlas().is_limited
    here, nations, war = state.here, roster(state).nations, state.war[nation]
    out = [s for s in _landings(state, nation, start, steps, peaceful) if not nations[here[s]] & war]
    if state.advanced:
        out = [s for s in out if not limited[s] or why_not_stack(state, unit, s) is None]
    if m.option("cooperation"):
        out = [s for s in out if why_not_cooperate(m, unit, s) is None]
    return out


def _landings(state: BKState, nation: int, start: int, steps: int, peaceful: bool) -> list[int]:
    """Friendly areas within a flight, whoever stands there."""
    friendly = ground(state).friendly_bits(nation) & atlas().within_flight[start][steps]
    return _friendly_landings(*_sky_around(state, nation, start, steps, peaceful), start, steps, friendly)


@lru_cache(maxsize=8192)
def _friendly_landings(opened: int, islands_only: int, start: int, steps: int, friendly: int) -> list[int]:
    is_friendly = _flags_of(friendly)
    return [space for space in _fly(opened, islands_only, start, steps) if is_friendly[space]]


def is_belligerent(state: BKState, nation: int) -> bool:
    return state.standing[nation] == AT_WAR


__all__ = [
    "air_range", "bases", "can_land", "cooperate", "flight", "is_belligerent", "is_hostile", "land_reach",
    "path_between", "rail_reach", "why_not_cooperate", "why_not_exploit_step", "why_not_stack",
]  # fmt: skip
