"""6.4.3 D-F: the search for ships, who comes to help, and how the navy may react to an invasion (6.5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal
from sandtable.core.columns import having, lacking

from ..facts.attacks import fleets
from ..facts.politics import acting
from ..facts.reach import air_range, flight, sea_distance
from ..facts.units import on_map
from ..model import events as ev
from ..model.atlas import AIR, ATLAS, CONVOY, SIDES, SUB, TF, label, name
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
        if side_of(state, u) == state.phasing and state.flags[u] & (MOVED | FOUGHT) == MOVED
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
    landings = [(area, zone) for area, zones in state.invasions.items() for zone in zones]
    if all(zone != state.place[unit] for _, zone in landings) and _is_pinned_at_sea(state, unit):
        return []
    out: list[int] = []
    nation = state.nation[unit]
    for area, zone in landings:
        if zone in out or not has_enemy(state, nation, zone):
            continue
        owner = state.control[area]
        fresh_minor = owner >= 8 and state.war_since[owner] == state.turn and state.attacked >> owner & 1
        most = 0 if fresh_minor else LIMITS["invasion_zones"]
        near = ATLAS.sea_steps[state.place[unit]].get(zone, most + 1) <= most
        if near and sea_distance(state, unit, zone, most) <= most:
            out.append(zone)
    return out


def why_not_come(state: BKState, unit: int) -> Refusal | None:
    """Refuse a ship that cannot react to an invasion. [bg-6.4.1-once] [bg-10.1-pin-naval-reserves]
    [bg-6.5.4-naval-range-count]"""
    if unit < 0 or state.place[unit] < 0 or not ATLAS.is_ship[unit]:
        return None
    if state.flags[unit] & MOVED:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    if _is_pinned_at_sea(state, unit):
        return Refusal("bg-10.1-pin-naval-reserves", "pinned", unit=label(unit))
    return Refusal("bg-6.5.4-naval-range-count", "no-landing-in-reach", unit=label(unit))


def _is_pinned_at_sea(state: BKState, unit: int) -> bool:
    """Ships beside enemies stay, but for those that outnumber them. [bg-10.1-pin-number] [bg-10.2-who]"""
    mine, theirs = fleets(state, state.place[unit])
    return bool(mine) and unit in theirs and len(theirs) <= len(mine)


def is_pinner(state: BKState, unit: int) -> bool:
    """Whether a ship of the side that reacts has come to where it is in this phase. [bg-10.1-pin-invasion]"""
    return bool(state.flags[unit] & MOVED) and side_of(state, unit) == enemy_side(state.phasing)


def cancel_landings(state: BKState, convoy: int) -> None:
    """Keep what a convoy carries aboard. From a zone without landing craft, and in an area that nobody lands in any
    more, there is no invasion. [bg-6.5.4-retreat]"""
    areas = {state.mission[load] for load in state.cargo.get(convoy, ()) if state.mission[load] >= 0}
    for load in state.cargo.get(convoy, ()):
        send(state, load, -1)
    for area in areas:
        landing = {state.place[c] for loads in state.cargo.values() for c in loads if state.mission[c] == area}
        zones = tuple(zone for zone in state.invasions[area] if zone in landing)
        state.invasions = having(state.invasions, area, zones) if zones else lacking(state.invasions, area)
