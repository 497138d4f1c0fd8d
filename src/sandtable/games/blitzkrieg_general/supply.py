"""6.1 and 6.6 the supply checks, and 6.4.3 C the seaways that can be closed."""

from __future__ import annotations

from .atlas import CONVOY, TF, USA, atlas
from .state import AT_WAR, NEUTRAL, OUT, BKState, are_allied, is_friendly


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
    found = atlas()
    if not found.has_production[space]:
        return False
    owner = found.owner[space]
    home = found.home_of[space] >= 0 if owner < 8 else space in found.home_areas_set[owner]
    if not home or state.standing[owner] != AT_WAR or not are_allied(state, nation, owner):
        return False
    return is_friendly(state, nation, space)


def is_sea_open(state: BKState, nation: int, zone: int) -> bool:
    """Enemy Task Forces close a seazone unless a friendly Task Force or convoy is there. [bg-6.1-sea-block]
    [bg-6.1-sea-unblock]"""
    found = atlas()
    war, blocked = state.war[nation], False
    for unit in state.here[zone]:
        other = state.nation[unit]
        if war >> other & 1:
            blocked = blocked or found.type[unit] == TF
        elif found.type[unit] in (TF, CONVOY) and are_allied(state, nation, other):
            return True
    return not blocked


def supplied_spaces(state: BKState, nation: int) -> bytearray:
    """Every space joined to a source by land, by sea or by both. [bg-6.1-land-line] [bg-6.1-sea-line]
    [bg-6.1-forbidden-link] [bg-6.1-out]"""
    found = atlas()
    reached = bytearray(found.count)
    allied = [are_allied(state, nation, other) for other in range(len(state.side))]
    control, here, nations = state.control, state.here, state.nation
    is_sea, sea_next, coast, land_next = found.is_sea, found.sea_next, found.coast, found.land_next
    gates, count = found.gate_of, found.count
    todo = [s for s in found.sources if is_source(state, nation, s)]
    for space in todo:
        reached[space] = 1
    while todo:
        space = todo.pop()
        if is_sea[space]:
            zones, land = sea_next[space], coast[space]
        else:
            zones, land = coast[space], land_next[space]
        for zone in zones:
            if reached[zone]:
                continue
            if space * count + zone in gates and is_gate_closed(state, nation, space, zone):
                continue
            if not here[zone] or is_sea_open(state, nation, zone):
                reached[zone] = 1
                todo.append(zone)
        for area in land:
            if not reached[area] and (allied[control[area]] or any(allied[nations[u]] for u in here[area])):
                reached[area] = 1
                todo.append(area)
    return reached


def check_supply(state: BKState) -> None:
    """Fix every unit's status, for both sides, until the next check. [bg-6.1-times] [bg-6.6-second-check]
    [bg-6.1-home-always]
    [bg-6.1-ships-exempt]"""
    found = atlas()
    reach: dict[int, bytearray] = {}
    same: dict[tuple[int, tuple[bool, ...]], bytearray] = {}
    for unit in range(found.units):
        space = state.place[unit]
        if space < 0 or found.is_ship[unit]:
            continue
        state.flags[unit] &= ~OUT
        nation = state.nation[unit]
        if state.standing[nation] != AT_WAR or is_at_home(state, unit):
            continue
        if nation not in reach:
            # nations with the same enemies and the same friends have the same lines
            friends = tuple(are_allied(state, nation, other) for other in range(len(state.side)))
            key = (state.war[nation], friends)
            if key not in same:
                same[key] = supplied_spaces(state, nation)
            reach[nation] = same[key]
        if not reach[nation][space]:
            state.flags[unit] |= OUT


def is_at_home(state: BKState, unit: int) -> bool:
    """A unit in a home area with production of its own country. [bg-6.1-home-always]"""
    found = atlas()
    space, nation = state.place[unit], state.nation[unit]
    return space in found.home_areas_set[nation] and found.has_production[space] and state.carrier[unit] < 0
