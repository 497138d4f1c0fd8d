"""6.5.8: where units may retreat to, and who may not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core import Refusal

from ..facts.gates import is_gate_closed
from ..facts.ground import entry, friendly, is_friendly
from ..facts.stacking import has_room, is_full, stranger
from ..model import events as ev
from ..model.atlas import ATLAS, MAJORS, label, name
from ..model.state import (
    LAND_BATTLE,
    SEA_BATTLE,
    Battle,
    BKState,
    M,
    enemies_at,
    has_enemy,
    move_unit,
    side_of,
    the_battle,
)
from .chart import army, flyers, land_units, leave


def send_off(state: BKState, units: Sequence[int]) -> Battle:
    """Aircraft and Task Forces leave the battle; they come home when it is over."""
    battle = the_battle(state)
    if units:
        battle = state.battle = replace(leave(battle, units), gone=(*battle.gone, *units))
    return battle


def land_retreats(state: BKState, unit: int) -> list[int]:
    """Return the adjacent friendly areas; if there is none, areas that hold units of both sides. [bg-6.5.8-land]
    [bg-6.5.8-land-contested] [bg-opt-9.11-retreat]"""
    nation = state.nation[unit]
    clear: list[int] = []
    contested: list[int] = []
    own, open_to = friendly(state, nation), entry(state, nation)
    for there in ATLAS.land_next[state.place[unit]]:
        if not (own[there] and open_to[there]):
            if has_enemy(state, nation, there) and _has_friend(state, nation, there):
                contested.append(there)
        elif not is_full(state, unit, there):
            (contested if has_enemy(state, nation, there) else clear).append(there)
    best = [s for s in clear if stranger(state, unit, s) < 0]
    return best or clear or [s for s in contested if not is_full(state, unit, s)]


def _has_friend(state: BKState, nation: int, space: int) -> bool:
    return any(side_of(state, u) == state.side[nation] for u in state.here[space])


def sea_retreats(state: BKState, unit: int) -> list[int]:
    """Return the adjacent zones without an enemy Task Force (in the basic game without any enemy ship), or else
    shared ones. [bg-6.5.8-ships] [bg-basic-6.2.3-ships] [bg-6.5.8-ships-contested]"""
    nation, zone = state.nation[unit], state.place[unit]
    clear, shared = [], []
    for there in ATLAS.sea_next[zone]:
        if is_gate_closed(state, nation, zone, there, ATLAS.is_sub[unit]):
            continue
        enemies = enemies_at(state, nation, there)
        if state.advanced:
            enemies = [u for u in enemies if ATLAS.is_task_force[u]]
        if not enemies:
            clear.append(there)
        elif _has_friend(state, nation, there):
            shared.append(there)
    return clear or shared


def why_not_retreat(state: BKState, side: int) -> Refusal | None:
    """Refuse a side that may not leave the battle. [bg-6.5.8-all] [bg-6.5.8-none] [bg-scn39-poland-no-retreat]
    [bg-card-total-war] [bg-6.5.4-no-reembark]"""
    battle = the_battle(state)
    for unit in army(battle, side):
        if stands_fast(state, unit, battle.space):
            return Refusal("bg-scn39-poland-no-retreat", "poland-stays")
        if is_in_total_war(state, unit):
            return Refusal("bg-card-total-war", "total-war", country=f"@{MAJORS[state.nation[unit]]}")
    if battle.kind == SEA_BATTLE:
        for unit in army(battle, side):
            if ATLAS.is_ship[unit] and not sea_retreats(state, unit):
                return Refusal("bg-6.5.8-none", "nowhere-to-go", unit=label(unit))
        return None
    for unit in land_units(army(battle, side)):
        if not land_retreats(state, unit):
            rule = "bg-6.5.4-no-reembark" if unit in battle.invaders else "bg-6.5.8-none"
            return Refusal(rule, "nowhere-to-go", unit=label(unit))
    return None


def stands_fast(state: BKState, unit: int, space: int) -> bool:
    """Return whether a unit is a Polish one in Western Poland. [bg-scn39-poland-no-retreat]"""
    return state.nation[unit] == ATLAS.poland and space == ATLAS.western_poland


def is_in_total_war(state: BKState, unit: int) -> bool:
    """Return whether a unit's country has declared it: its troops never leave a combat of their own accord.
    [bg-card-total-war]"""
    return state.table.get(ATLAS.card_of["total_war"], -1) == state.nation[unit]


def may_fly_off(state: BKState, side: int) -> list[int]:
    """Return the aircraft, and Task Forces over land, that may leave although the others fight on. [bg-6.5.8-air-tf]"""
    battle = the_battle(state)
    units = army(battle, side)
    fleers = flyers(units) if battle.kind == LAND_BATTLE else [u for u in units if ATLAS.is_air[u]]
    return [u for u in fleers if not is_in_total_war(state, u)]


def go_on_to_partners(m: M, unit: int) -> None:
    """Optional 9.11: a unit that fled to strangers goes on until it is among partners. [bg-opt-9.11-retreat]"""
    state = m.state
    start, nation = state.place[unit], state.nation[unit]
    if ATLAS.is_sea[start] or stranger(state, unit, start) < 0:
        return
    seen, frontier = {start}, [start]
    while frontier:
        following = []
        for here in frontier:
            for there in ATLAS.land_next[here]:
                if there in seen or not is_friendly(state, nation, there) or has_enemy(state, nation, there):
                    continue
                seen.add(there)
                following.append(there)
                if has_room(state, unit, there):
                    move_unit(state, unit, there)
                    m.emit(ev.Retreated(unit=label(unit), origin=name(start), space=name(there)))
                    return
        frontier = following
