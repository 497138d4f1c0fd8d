"""6.8 Control: who holds an area, when it changes, and who gets it."""

from __future__ import annotations

from ..model import events as ev
from ..model.atlas import FRANCE, JAPAN, atlas
from ..model.state import AT_WAR, CONQUERED, STATIONED, BKPlay, BKState, changed, make_up, put, remove
from .economy import refresh_production


def rightful_holder(state: BKState, space: int, taker: int) -> int:
    """An area that was its own side's goes back to its owner, a conquered owner is freed by it. [bg-7.6.2-reconquer]
    [bg-7.1-reconquest] [bg-ex-quick-w-poland]"""
    owner = atlas().owner[space]
    if owner == taker or state.side[owner] != state.side[taker]:
        return taker
    if state.standing[owner] == AT_WAR or is_liberation(state, space, taker):
        return owner
    return taker


def is_liberation(state: BKState, space: int, taker: int) -> bool:
    """A home area of a conquered country of the taker's own side. [bg-7.1-reconquest]"""
    found = atlas()
    owner = found.owner[space]
    return (
        owner != taker
        and state.standing[owner] == CONQUERED
        and state.side[owner] == state.side[taker]
        and space in found.home_areas_set[owner]
    )


def take_control(m: BKPlay, space: int, nation: int) -> None:
    """The flag changes, and with it two production flags. [bg-6.8-change] [bg-6.8-flag] [bg-6.8-production]
    [bg-6.8-immediate]"""
    state, found = m.state, atlas()
    former = state.control[space]
    if former == nation:
        return
    state.control = changed(state.control, space, nation)
    m.emit(
        ev.Controlled(
            space=f"@{found.space_ids[space]}",
            country=f"@{found.nation_ids[nation]}",
            former=f"@{found.nation_ids[former]}",
        )
    )
    move_watchers(m, space)
    yugoslavia = found.nation_of["yugoslavia"]
    if found.owner[space] == yugoslavia:
        axis = state.side[nation] == state.side[JAPAN] and nation != yugoslavia
        state.yugoslavia_since = state.turn if axis else -1
    refresh_production(state)


def move_watchers(m: BKPlay, space: int) -> None:
    """Optional 9.1: an aircraft over a seazone whose base has fallen will land elsewhere, or nowhere. [bg-opt-9.1]"""
    from .movement import label
    from .reach import air_range, bases, name

    state = m.state
    for unit in state.here[space]:
        if not state.flags[unit] & STATIONED or state.control[space] == state.nation[unit]:
            continue
        if not state.war[state.nation[unit]] >> state.control[space] & 1:
            continue
        near = bases(m, unit, state.mission[unit], air_range(state, unit))
        if near:
            put(state, unit, near[0])
        else:
            m.emit(ev.Lost(unit=label(unit), space=name(state.mission[unit])))
            remove(state, unit)


def free_country(m: BKPlay, nation: int) -> None:
    """A conquered country is back in the war. [bg-7.1-reconquest]"""
    state, found = m.state, atlas()
    state.standing = changed(state.standing, nation, AT_WAR)
    state.war_since = changed(state.war_since, nation, state.turn)
    make_up(state, nation)
    if nation >= 8 and state.master[nation] < 0:
        state.master = changed(state.master, nation, found.boss[state.side[nation]])
    others = [
        n for n in range(8) if state.side[n] == state.side[nation] and state.standing[n] == AT_WAR and n != nation
    ]
    leader = state.master[nation] if nation >= 8 else max(others, key=lambda n: state.war[n].bit_count(), default=-1)
    if leader >= 0:
        for enemy in range(len(state.war)):
            if state.war[leader] >> enemy & 1 and state.side[enemy] != state.side[nation]:
                state.war = changed(state.war, nation, state.war[nation] | (1 << enemy))
                state.war = changed(state.war, enemy, state.war[enemy] | (1 << nation))
    m.emit(ev.Freed(country=f"@{found.nation_ids[nation]}"))
    refresh_production(state)


def major_behind(state: BKState, unit: int) -> int:
    """The major for whom a unit takes ground: a minor's units count for the one that plays it.
    [bg-6.8-joint-capture]"""
    return state.master[state.nation[unit]]


def occupy(m: BKPlay, space: int, taker: int) -> None:
    """A major's land units hold an enemy area alone."""
    state, found = m.state, atlas()
    holder = rightful_holder(state, space, taker)
    if holder != taker and state.standing[holder] == CONQUERED:
        if m.option("alternative-reconquest"):
            from .aftermath import LiberateOrKeep

            m.push(LiberateOrKeep(space, taker))
            return
        free_country(m, holder)
    take_control(m, space, holder)
    if found.owner[space] == FRANCE and state.vichy:
        hand_back_colonies(m, space)


def hand_back_colonies(m: BKPlay, space: int) -> None:
    """France is free and the Allies hold Vichy: its colonies are French again. [bg-card-vichy-reconquest]"""
    state, found = m.state, atlas()
    if found.space_ids[space] != "vichy" or state.standing[FRANCE] != AT_WAR:
        return
    if state.side[state.control[space]] != state.side[FRANCE]:
        return
    for area in found.areas_of[FRANCE]:
        if state.control[area] == found.vichy_nation:
            for unit in state.here[area]:
                if state.nation[unit] == found.vichy_nation:
                    state.nation = changed(state.nation, unit, FRANCE)
            take_control(m, area, FRANCE)
