"""6.4.3 D-F: the search for ships, who comes to help, and how the navy may react to an invasion (6.5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.columns import lacking

from ..facts.attacks import fleets
from ..facts.politics import acting
from ..facts.reach import air_range, flight, sea_distance
from ..facts.units import on_map
from ..model import events as ev
from ..model.atlas import AIR, ATLAS, CONVOY, SIDES, SUB, TF, name
from ..model.state import (
    FOUGHT,
    MOVED,
    STATIONED,
    BKState,
    M,
    at_war,
    enemy_side,
    has_advance,
    has_enemy,
    send,
    side_of,
)
from ..model.tables import LIMITS


# ---- the search table ---------------------------------------------------------------------------------------------
def search_number(state: BKState, searchers: Sequence[int], targets: Sequence[int], zone: int) -> int:
    """Return the best number among the searchers' columns; 0 when they cannot search at all. [bg-6.4.3e-col-tf]
    [bg-6.4.3e-col-convoy]
    [bg-6.4.3e-col-asw] [bg-6.4.3e-col-sub] [bg-6.4.3e-sub-v-sub] [bg-6.4.3e-one-roll] [bg-6.4.3e-radar-mod]
    [bg-6.4.3e-sonar-mod]
    [bg-6.4.3e-subs-mod] [bg-7.5-radar] [bg-7.5-sonar] [bg-7.5-subs]"""
    weather = "bad" if state.bad[ATLAS.map[zone]] else "good"
    only_subs = all(ATLAS.type[u] == SUB for u in targets)
    best = 0
    for unit in searchers:
        kind = ATLAS.type[unit]
        if only_subs:
            column = "" if kind == SUB else "ships_search_subs"
        elif kind in (TF, AIR):
            column = "cv_air_search_ships"
        else:
            column = "ships_search_ships" if kind == CONVOY else "subs_search_ships"
        if column:
            row = ATLAS.search[column]
            number = int(row[weather])
            for advance, bonus in row["bonus"].items():
                number += bonus if has_advance(state, state.nation[unit], advance) else 0
            best = max(best, number)
    return best


def roll_search(m: M, side: int, zone: int, searchers: Sequence[int], targets: Sequence[int]) -> bool:
    """Roll two dice and return whether they are not above the number. [bg-6.4.3e-roll] [bg-card-naval-surprise]"""
    state = m.state
    surprise = state.effects.get("naval_surprise_zone", -1) == zone
    if surprise:
        return state.side[state.effects["naval_surprise_by"]] == side
    number = search_number(state, searchers, targets, zone)
    if not number:
        return False
    total = sum(m.roll_many(2, why="bg-6.4.3e-roll"))
    success = total <= number
    m.emit(ev.Searched(side=f"@{SIDES[side]}", space=name(zone), total=total, number=number, found=success))
    return success


def watchers(state: BKState, zone: int, nation: int) -> list[int]:
    """Return the enemy aircraft stationed over a zone (optional 9.1). [bg-opt-9.1]"""
    if not state.options.get("aircraft-searches"):
        return []
    return [
        u for u, target in state.abroad.items()
        if target == zone and state.flags[u] & STATIONED and at_war(state, nation, state.nation[u])
    ]  # fmt: skip


def arrivals_under_watch(state: BKState, zone: int) -> list[int]:
    """Return the ships of the phasing side that have sailed into a zone over which an enemy aircraft is stationed
    (optional 9.1). [bg-opt-9.1]"""
    return [
        u for u in state.here[zone]
        if side_of(state, u) == state.phasing and state.flags[u] & MOVED
        and state.start[u] != zone and watchers(state, zone, state.nation[u])
    ]  # fmt: skip


def watched_zones(state: BKState) -> list[int]:
    """Return the zones in which such arrivals lie."""
    if not state.options.get("aircraft-searches"):
        return []
    zones = {target for u, target in state.abroad.items() if state.flags[u] & STATIONED}
    return [z for z in sorted(zones) if arrivals_under_watch(state, z)]


def helpers(state: BKState, side: int, zone: int) -> list[int]:
    """Return the aircraft of a side that can reach a sea battle. [bg-6.4.3e-air-help]"""
    enemies = [u for u in state.here[zone] if side_of(state, u) == enemy_side(side)]
    busy = FOUGHT | STATIONED | (MOVED if side == state.phasing else 0)
    out = []
    for major in acting(state, side):
        for unit in on_map(state, major, "aircraft"):
            if state.carrier[unit] >= 0 or state.mission[unit] >= 0 or state.flags[unit] & busy:
                continue
            if not any(at_war(state, state.nation[unit], state.nation[v]) for v in enemies):
                continue
            if zone in flight(state, state.nation[unit], state.place[unit], air_range(state, unit)):
                out.append(unit)
    return out


# ---- the navy's reaction ------------------------------------------------------------------------------------------
def naval_reactions(state: BKState, unit: int) -> list[int]:
    """Return the invasion zones that a ship can reach. [bg-6.5.4-naval-range-count] [bg-6.5.4-neutral-minor]
    [bg-10.1-pin-naval-reserves]"""
    if state.flags[unit] & MOVED or not state.war[state.nation[unit]]:
        return []
    if state.place[unit] not in state.invasions.values() and _is_pinned_at_sea(state, unit):
        return []
    out: list[int] = []
    nation = state.nation[unit]
    for area, zone in state.invasions.items():
        if zone in out or not has_enemy(state, nation, zone):
            continue
        owner = state.control[area]
        fresh_minor = owner >= 8 and state.war_since[owner] == state.turn and state.attacked >> owner & 1
        most = 0 if fresh_minor else LIMITS["invasion_zones"]
        near = ATLAS.sea_steps[state.place[unit]].get(zone, most + 1) <= most
        if near and sea_distance(state, unit, zone, most) <= most:
            out.append(zone)
    return out


def _is_pinned_at_sea(state: BKState, unit: int) -> bool:
    """Ships beside enemies stay, but for those that outnumber them. [bg-10.1-pin-number] [bg-10.2-who]"""
    mine, theirs = fleets(state, state.place[unit])
    return bool(mine) and unit in theirs and len(theirs) <= len(mine)


def cancel_landing(state: BKState, unit: int) -> None:
    """Keep a unit aboard; an area that nobody lands in any more is not invaded."""
    area = state.mission[unit]
    for load in state.cargo.get(state.carrier[unit], (unit,)):
        if state.mission[load] == area:
            send(state, load, -1)
    if not any(state.mission[c] == area for loads in state.cargo.values() for c in loads):
        state.invasions = lacking(state.invasions, area)
