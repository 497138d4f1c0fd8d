"""6.8 Control: who holds an area, when it changes, and who gets it."""

from __future__ import annotations

from sandtable.core.columns import put

from ..facts.politics import are_allied
from ..facts.reach import air_range, bases
from ..model import events as ev
from ..model.atlas import ATLAS, FRANCE, JAPAN, label, name
from ..model.state import AT_WAR, CONQUERED, STATIONED, BKState, M, belligerents, enemy_side, move_unit, remove
from .economy import refresh_production
from .politics import defender_of, make_up, start_fighting


def rightful_holder(state: BKState, space: int, taker: int) -> int:
    """Return who gets an area: what was its own side's goes back to its owner, a conquered owner is freed by it, but
    who may not be in the owner's areas keeps it. [bg-7.6.2-reconquer] [bg-7.1-reconquest] [bg-ex-quick-w-poland]"""
    owner = ATLAS.owner[space]
    if owner == taker or state.side[owner] != state.side[taker]:
        return taker
    if state.standing[owner] == AT_WAR:
        return owner if are_allied(state, taker, owner) else taker
    return owner if is_liberation(state, space, taker) else taker


def is_liberation(state: BKState, space: int, taker: int) -> bool:
    """Return whether it is a home area of a conquered country of the taker's own side. [bg-7.1-reconquest]"""
    owner = ATLAS.owner[space]
    return (
        owner != taker
        and state.standing[owner] == CONQUERED
        and state.side[owner] == state.side[taker]
        and space in ATLAS.home_areas_set[owner]
    )


def take_control(m: M, space: int, nation: int) -> None:
    """Change the flag of an area, and with it two production flags. [bg-6.8-change] [bg-6.8-flag] [bg-6.8-production]
    [bg-6.8-immediate]"""
    state = m.state
    former = state.control[space]
    if former == nation:
        return
    state.control = put(state.control, space, nation)
    m.emit(
        ev.Controlled(
            space=name(space),
            country=f"@{ATLAS.nation_ids[nation]}",
            former=f"@{ATLAS.nation_ids[former]}",
        )
    )
    move_watchers(m, space)
    if ATLAS.owner[space] == ATLAS.yugoslavia:
        axis = state.side[nation] == state.side[JAPAN] and nation != ATLAS.yugoslavia
        state.yugoslavia_since = state.turn if axis else -1
    refresh_production(state)


def move_watchers(m: M, space: int) -> None:
    """Optional 9.1: an aircraft over a seazone whose base has fallen will land elsewhere, or nowhere. [bg-opt-9.1]"""
    state = m.state
    for unit in state.here[space]:
        if not state.flags[unit] & STATIONED or state.control[space] == state.nation[unit]:
            continue
        if not state.war[state.nation[unit]] >> state.control[space] & 1:
            continue
        near = bases(state, unit, state.mission[unit], air_range(state, unit))
        if near:
            move_unit(state, unit, near[0])
        else:
            m.emit(ev.Lost(unit=label(unit), space=name(state.mission[unit])))
            remove(state, unit)


def free_country(m: M, nation: int, liberator: int) -> None:
    """A conquered country is back in the war. A minor is played by who would play it if it were attacked now, or by its
    liberator if that may not be in that one's areas. [bg-7.1-reconquest] [bg-8.2-ussr-japan]"""
    state = m.state
    state.standing = put(state.standing, nation, AT_WAR)
    state.war_since = put(state.war_since, nation, state.turn)
    make_up(state, nation)
    if nation >= 8 and (state.master[nation] < 0 or state.standing[state.master[nation]] != AT_WAR):
        state.master = put(state.master, nation, defender_of(m, ATLAS.boss[enemy_side(state.side[nation])]))
    if nation >= 8 and not are_allied(state, liberator, state.master[nation]):
        state.master = put(state.master, nation, liberator)
    others = [n for n in belligerents(state, state.side[nation]) if n != nation]
    leader = state.master[nation] if nation >= 8 else max(others, key=lambda n: state.war[n].bit_count(), default=-1)
    if leader >= 0:
        for enemy in range(len(state.war)):
            if state.war[leader] >> enemy & 1 and state.side[enemy] != state.side[nation]:
                start_fighting(state, nation, enemy)
    m.emit(ev.Freed(country=f"@{ATLAS.nation_ids[nation]}"))
    refresh_production(state)


def major_behind(state: BKState, unit: int) -> int:
    """Return the major for whom a unit takes ground: a minor's units count for the one that plays it.
    [bg-6.8-joint-capture]"""
    return state.master[state.nation[unit]]


def hand_back_colonies(m: M, space: int) -> None:
    """France is free and the Allies hold Vichy: its colonies are French again. [bg-card-vichy-reconquest]"""
    state = m.state
    if ATLAS.space_ids[space] != "vichy" or state.standing[FRANCE] != AT_WAR:
        return
    if state.side[state.control[space]] != state.side[FRANCE]:
        return
    for area in ATLAS.areas_of[FRANCE]:
        if state.control[area] == ATLAS.vichy_nation:
            for unit in state.here[area]:
                if state.nation[unit] == ATLAS.vichy_nation:
                    state.nation = put(state.nation, unit, FRANCE)
            take_control(m, area, FRANCE)
