"""7.1 Conquest, what follows from it, and the return of a country."""

from __future__ import annotations

from ..model import events as ev
from ..model.atlas import AXIS, BE, FRANCE, GERMANY, MAJORS, atlas
from ..model.state import (
    AT_WAR,
    BUILDING,
    CONQUERED,
    REMOVED,
    BKPlay,
    BKState,
    belligerents,
    british_home_of,
    changed,
    has_enemy,
    is_friendly,
    put,
    remove,
)
from .control import take_control
from .economy import refresh_production
from .movement import label
from .politics import randomly
from .reach import bases, name


def is_overrun(state: BKState, nation: int, areas: list[int]) -> bool:
    """All these areas are in enemy hands. [bg-7.1-major] [bg-7.1-minor] [bg-7.1-abbrev]"""
    return bool(areas) and all(state.side[state.control[s]] >= 0 and state.side[state.control[s]] != state.side[nation]
                               and state.standing[state.control[s]] == AT_WAR for s in areas)  # fmt: skip


def check_conquest(m: BKPlay) -> None:
    """Every country whose home is wholly in enemy hands falls. [bg-7.1-major] [bg-7.1-minor] [bg-7.1-be]"""
    state, found = m.state, atlas()
    for nation in range(len(found.nation_ids)):
        if state.standing[nation] != AT_WAR or not found.homes[nation]:
            continue
        if nation == BE:
            _check_british_homes(m)
        elif is_overrun(state, nation, found.homes[nation]):
            conquer(m, nation)
    check_liberated_homes(m)
    refresh_production(state)


def _check_british_homes(m: BKPlay) -> None:
    """[bg-7.1-be]"""
    state, found = m.state, atlas()
    for home, areas in enumerate(found.british_areas):
        if state.homes_lost >> home & 1 or not is_overrun(state, BE, areas):
            continue
        state.homes_lost |= 1 << home
        m.emit(ev.Conquered(country=f"@home-{found.british_homes[home]}"))
        for unit in found.units_of_printed[BE]:
            alive = state.place[unit] >= 0 or state.place[unit] == BUILDING
            if alive and british_home_of(unit) == home and state.nation[unit] == BE and not found.is_hq[unit]:
                remove(state, unit)
    if state.homes_lost == (1 << len(found.british_homes)) - 1:
        conquer(m, BE)


def check_liberated_homes(m: BKPlay) -> None:
    """A British home country with an area back may build again. [bg-7.1-reconquest]"""
    state, found = m.state, atlas()
    for home, areas in enumerate(found.british_areas):
        if state.homes_lost >> home & 1 and any(state.control[s] == BE for s in areas):
            state.homes_lost &= ~(1 << home)


def conquer(m: BKPlay, nation: int) -> None:
    """A country leaves the war. [bg-7.1-colonies] [bg-7.1-forces] [bg-7.1-cards-removed] [bg-8.6-maginot]
    [bg-time-bnl-conquered]
    [bg-time-french-colonies] [bg-time-france-be-pacific]"""
    state, found = m.state, atlas()
    m.emit(ev.Conquered(country=f"@{found.nation_ids[nation]}"))
    remove_forces(state, nation)
    leave_war(m, nation)
    if nation == FRANCE:
        fall_of_france(m)
    if nation == found.poland:
        holder = state.control[found.space_of["western_poland"]]
        state.pact = 1 if state.side[holder] == state.side[GERMANY] else 2
    heir = nation
    if nation == FRANCE:
        heir = found.vichy_nation
    elif nation == found.bnl and state.side[nation] != AXIS:
        heir = found.trust_nation
    for space in found.land:
        if state.control[space] == nation and space not in found.home_areas_set[nation]:
            make_neutral(m, space, heir)
    from .cards import lose_hand, throw_away_dead_cards

    if nation < 8:
        lose_hand(m, nation)
    throw_away_dead_cards(m, nation)
    refresh_production(state)


def remove_forces(state: BKState, nation: int) -> None:
    """[bg-7.1-forces]"""
    for unit, owner in enumerate(state.nation):
        if owner == nation and (state.place[unit] >= 0 or state.place[unit] == BUILDING):
            remove(state, unit)


def leave_war(m: BKPlay, nation: int) -> None:
    """Its wars end; the minors it played go to another major of the side."""
    state, found = m.state, atlas()
    state.standing = changed(state.standing, nation, CONQUERED)
    for other in range(len(state.war)):
        state.war = changed(state.war, other, state.war[other] & (~(1 << nation)))
    state.war = changed(state.war, nation, 0)
    if nation < 8:
        state.points, state.saved = changed(state.points, nation, 0), changed(state.saved, nation, 0)
        state.bonus = changed(state.bonus, nation, 0)
        heirs = belligerents(state, state.side[nation])
        for minor in range(8, len(found.nation_ids)):
            if state.master[minor] == nation and heirs:
                state.master = changed(state.master, minor, randomly(m, heirs, "bg-8.4-controller-gone"))
    else:
        state.war_since = changed(state.war_since, nation, -1)


def fall_of_france(m: BKPlay) -> None:
    """[bg-8.6-maginot] [bg-time-france-be-pacific]"""
    state = m.state
    state.fortress = False
    state.french_fell = True
    state.be_pacific = True


def make_neutral(m: BKPlay, space: int, heir: int) -> None:
    """An area abroad becomes neutral, unless another belligerent's land units hold it. [bg-7.1-colonies]
    [bg-8.2-return-neutral]"""
    state, found = m.state, atlas()
    land = [u for u in state.here[space] if found.is_land[u] and state.standing[state.nation[u]] == AT_WAR]
    if land:
        take_control(m, space, state.master[state.nation[land[0]]])
        return
    take_control(m, space, heir)
    for unit in list(state.here[space]):
        if state.nation[unit] != heir:
            send_away(m, unit)


def send_away(m: BKPlay, unit: int) -> None:
    """A unit on ground that is closed to it goes to the nearest friendly area. [bg-8.2-return-neutral]"""
    state, found = m.state, atlas()
    start, nation = state.place[unit], state.nation[unit]
    seen, frontier = {start}, [start]
    while frontier:
        following = []
        for here in frontier:
            for there in found.air_next[here]:
                if there in seen:
                    continue
                seen.add(there)
                following.append(there)
                if (
                    not found.is_sea[there]
                    and is_friendly(state, nation, there)
                    and not has_enemy(state, nation, there)
                ):
                    put(state, unit, there)
                    m.emit(ev.Moved(unit=label(unit), origin=name(start), space=name(there), how="@relocation"))
                    return
        frontier = following
    m.emit(ev.Lost(unit=label(unit), space=name(start)))
    remove(state, unit)


def surrender(m: BKPlay, nation: int) -> None:
    """A bombed country gives up: like a conquest, its unoccupied home becomes neutral. [bg-7.5-atom-collapse]"""
    state, found = m.state, atlas()
    m.emit(ev.Surrendered(country=f"@{MAJORS[nation]}"))
    homes = [s for s in found.homes[nation] if state.control[s] == nation]
    conquer(m, nation)
    for space in homes:
        make_neutral(m, space, nation)
    refresh_production(state)


__all__ = ["REMOVED", "bases", "check_conquest", "conquer", "make_neutral", "send_away", "surrender"]
