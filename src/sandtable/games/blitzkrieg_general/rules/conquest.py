"""7.1 Conquest, what follows from it, and the return of a country."""

from __future__ import annotations

from sandtable.core.columns import put

from ..facts.ground import is_friendly
from ..facts.stacking import is_full
from ..model import events as ev
from ..model.atlas import ATLAS, AXIS, BE, FRANCE, GERMANY, MAJORS, USSR, label, name
from ..model.state import (
    AT_WAR,
    BUILDING,
    CONQUERED,
    BKState,
    M,
    belligerents,
    british_home_of,
    disembark,
    has_enemy,
    is_hostile,
    move_unit,
    remove,
    send,
)
from ..model.tables import LIMITS
from .cards.deck import is_in_effect, lose_hand, take_off_table, throw_away_dead_cards
from .control import take_control
from .economy import refresh_production
from .politics import randomly


def is_overrun(state: BKState, nation: int, areas: list[int]) -> bool:
    """Return whether all these areas are in enemy hands. [bg-7.1-major] [bg-7.1-minor] [bg-7.1-abbrev]"""
    return bool(areas) and all(state.side[state.control[s]] >= 0 and state.side[state.control[s]] != state.side[nation]
                               and state.standing[state.control[s]] == AT_WAR for s in areas)  # fmt: skip


def check_conquest(m: M) -> None:
    """Every country whose home is wholly in enemy hands falls. [bg-7.1-major] [bg-7.1-minor] [bg-7.1-be]"""
    state = m.state
    for nation in range(len(ATLAS.nation_ids)):
        if state.standing[nation] != AT_WAR or not ATLAS.homes[nation]:
            continue
        if nation == BE:
            _check_british_homes(m)
        elif is_overrun(state, nation, ATLAS.homes[nation]):
            conquer(m, nation)
    check_liberated_homes(m)
    relocate_violators(m)
    refresh_production(state)


def _check_british_homes(m: M) -> None:
    """[bg-7.1-be]"""
    state = m.state
    for home, areas in enumerate(ATLAS.british_areas):
        if state.homes_lost >> home & 1 or not is_overrun(state, BE, areas):
            continue
        state.homes_lost |= 1 << home
        m.emit(ev.Conquered(country=f"@home-{ATLAS.british_homes[home]}"))
        for unit in ATLAS.units_of_printed[BE]:
            alive = state.place[unit] >= 0 or state.place[unit] == BUILDING
            if alive and british_home_of(unit) == home and state.nation[unit] == BE and not ATLAS.is_hq[unit]:
                remove(state, unit)
    if state.homes_lost == (1 << len(ATLAS.british_homes)) - 1:
        conquer(m, BE)


def check_liberated_homes(m: M) -> None:
    """A British home country with an area back may build again. [bg-7.1-reconquest]"""
    state = m.state
    for home, areas in enumerate(ATLAS.british_areas):
        if state.homes_lost >> home & 1 and any(state.control[s] == BE for s in areas):
            state.homes_lost &= ~(1 << home)


def conquer(m: M, nation: int) -> None:
    """A country leaves the war. [bg-7.1-colonies] [bg-7.1-forces] [bg-7.1-cards-removed] [bg-8.6-maginot]
    [bg-time-bnl-conquered]
    [bg-time-french-colonies] [bg-time-france-be-pacific]"""
    state = m.state
    m.emit(ev.Conquered(country=f"@{ATLAS.nation_ids[nation]}"))
    remove_forces(m, nation)
    leave_war(m, nation)
    if nation == FRANCE:
        fall_of_france(m)
    if nation == ATLAS.poland:
        holder = state.control[ATLAS.western_poland]
        state.pact = 1 if state.side[holder] == state.side[GERMANY] else 2
    heir = nation
    if nation == FRANCE:
        heir = ATLAS.vichy_nation
    elif nation == ATLAS.bnl and state.side[nation] != AXIS:
        heir = ATLAS.trust_nation
    for space in ATLAS.land:
        if state.control[space] == nation and space not in ATLAS.home_areas_set[nation]:
            make_neutral(m, space, heir)
    if nation < 8:
        lose_hand(state, nation)
    throw_away_dead_cards(m, nation)
    refresh_production(state)


def remove_forces(m: M, nation: int) -> None:
    """Remove all units of a country; associates aboard its convoys go to the nearest friendly area. [bg-7.1-forces]
    [bg-7.1-passengers]"""
    state = m.state
    for unit, owner in enumerate(state.nation):
        if owner == nation and (state.place[unit] >= 0 or state.place[unit] == BUILDING):
            guests = [load for load in state.cargo.get(unit, ()) if state.nation[load] != nation]
            for guest in guests:
                send(state, guest, -1)
                disembark(state, guest, state.place[unit])
            remove(state, unit)
            for guest in guests:
                send_away(m, guest)


def leave_war(m: M, nation: int) -> None:
    """Its wars end; the minors it played go to another major of the side."""
    state = m.state
    state.standing = put(state.standing, nation, CONQUERED)
    for other in range(len(state.war)):
        state.war = put(state.war, other, state.war[other] & (~(1 << nation)))
    state.war = put(state.war, nation, 0)
    if nation < 8:
        _end_lend_lease(state, nation)
        state.points, state.saved = put(state.points, nation, 0), put(state.saved, nation, 0)
        state.bonus = put(state.bonus, nation, 0)
        heirs = belligerents(state, state.side[nation])
        for minor in range(8, len(ATLAS.nation_ids)):
            if state.master[minor] == nation and heirs:
                state.master = put(state.master, minor, randomly(m, heirs, "bg-8.4-controller-gone"))
    else:
        state.war_since = put(state.war_since, nation, -1)


def _end_lend_lease(state: BKState, nation: int) -> None:
    """What the British Empire gives the USSR ends when either falls. [bg-card-lend-lease-be]"""
    if nation not in (BE, USSR) or not is_in_effect(state, "lend_lease_be_ussr"):
        return
    take_off_table(state, "lend_lease_be_ussr")
    points = LIMITS["lend_lease_be"]
    state.bonus = put(state.bonus, BE, state.bonus[BE] + points)
    state.bonus = put(state.bonus, USSR, state.bonus[USSR] - points)


def fall_of_france(m: M) -> None:
    """[bg-8.6-maginot] [bg-time-france-be-pacific]"""
    state = m.state
    state.fortress = False
    state.french_fell = True
    state.be_pacific = True


def make_neutral(m: M, space: int, heir: int) -> None:
    """An area abroad becomes neutral, unless another belligerent's land units hold it. [bg-7.1-colonies]
    [bg-8.2-return-neutral]"""
    state = m.state
    land = [u for u in state.here[space] if ATLAS.is_land[u] and state.standing[state.nation[u]] == AT_WAR]
    if land:
        take_control(m, space, state.master[state.nation[land[0]]])
        return
    take_control(m, space, heir)
    for unit in list(state.here[space]):
        if state.nation[unit] != heir:
            send_away(m, unit)


def send_away(m: M, unit: int) -> None:
    """A unit on ground that is closed to it goes to the nearest friendly area. [bg-8.2-return-neutral]"""
    state = m.state
    start, nation = state.place[unit], state.nation[unit]
    seen, frontier = {start}, [start]
    while frontier:
        following = []
        for here in frontier:
            for there in ATLAS.air_next[here]:
                if there in seen:
                    continue
                seen.add(there)
                following.append(there)
                if is_friendly(state, nation, there) and can_stay(state, unit, there):
                    move_unit(state, unit, there)
                    m.emit(ev.Moved(unit=label(unit), origin=name(start), space=name(there), how="@relocation"))
                    return
        frontier = following
    m.emit(ev.Lost(unit=label(unit), space=name(start)))
    remove(state, unit)


def can_stay(state: BKState, unit: int, area: int) -> bool:
    return not has_enemy(state, state.nation[unit], area) and not is_full(state, unit, area)


def relocate_violators(m: M) -> None:
    """Units on ground that is neither theirs nor their friends' nor their enemies' go home: a peace keeps them apart,
    or the enemy they had in common has fallen. [bg-8.2-return-neutral] [bg-8.2-ussr-japan]
    [bg-card-force-peace-china]"""
    state = m.state
    for unit in range(ATLAS.units):
        space = state.place[unit]
        if space < 0 or ATLAS.is_sea[space]:
            continue
        nation = state.nation[unit]
        if not is_friendly(state, nation, space) and not is_hostile(state, nation, space):
            send_away(m, unit)


def surrender(m: M, nation: int) -> None:
    """A bombed country gives up: like a conquest, its unoccupied home becomes neutral. [bg-7.5-atom-collapse]"""
    state = m.state
    m.emit(ev.Surrendered(country=f"@{MAJORS[nation]}"))
    homes = [s for s in ATLAS.homes[nation] if state.control[s] == nation]
    conquer(m, nation)
    for space in homes:
        make_neutral(m, space, nation)
    refresh_production(state)
