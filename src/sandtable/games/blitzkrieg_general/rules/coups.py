"""Cards that change the map of alliances: coups, the Soviet-Japanese peace, Vichy, Indochine, the Italian surrender."""

from __future__ import annotations

from ..model import events as ev
from ..model.atlas import FRANCE, GERMANY, INF, ITALY, JAPAN, MAJORS, USSR, atlas
from ..model.state import (
    AT_WAR,
    BUILDING,
    CONQUERED,
    NEUTRAL,
    POOL,
    BKPlay,
    BKState,
    belligerents,
    changed,
    enemy_side,
    is_friendly,
    is_hostile,
    put,
    remove,
)
from ..model.tables import LIMITS
from .card_rules import coup_target
from .chart import the_battle
from .conquest import conquer, fall_of_france, leave_war, make_neutral, remove_forces, send_away
from .control import take_control
from .economy import refresh_production
from .movement import label
from .politics import change_us_level, end_war, join, randomly, set_up_minor
from .reach import name


def coup(m: BKPlay, major: int, card: int) -> None:
    """Two dice against the card's ranges. [bg-card-general-coup] [bg-ex-adv-iraq]"""
    state, found = m.state, atlas()
    target = coup_target(state, card)
    row = found.cards[card]["coup"]
    total = sum(m.roll_many(2, why="bg-card-general-coup"))
    result = next(word for word in ("success", "no_effect", "counter") if row[word][0] <= total <= row[word][1])
    m.emit(ev.CoupRolled(country=f"@{found.nation_ids[target]}", total=total, result=f"@coup-{result}"))
    if result == "no_effect":
        return
    if target == found.bnl:
        # the islands in the Pacific are not affected
        for space in found.bnl_islands:
            if state.control[space] == found.bnl:
                take_control(m, space, found.trust_nation)
    if result == "success":
        join(m, target, major)
        return
    enemies = belligerents(state, enemy_side(state.side[major]))
    if enemies:
        join(m, target, randomly(m, enemies, "bg-card-general-coup"))


def give_up(m: BKPlay, major: int) -> None:
    """Optional 9.2: an attacked neutral surrenders to the attacker, its friend saves a point per unit. [bg-opt-9.2]"""
    state, found = m.state, atlas()
    battle = the_battle(state)
    nation = state.control[battle.space]
    units = [u for u, owner in enumerate(state.nation) if owner == nation and state.place[u] >= 0]
    state.saved = changed(state.saved, major, state.saved[major] + len(units))
    taker = battle.by[0] if battle.by else state.master[state.nation[battle.attackers[0]]]
    for unit in units:
        for army in (battle.attackers, battle.defenders):
            if unit in army:
                army.remove(unit)
        remove(state, unit)
    areas = [s for s in found.land if state.control[s] == nation]
    conquer(m, nation)
    for space in areas:
        take_control(m, space, taker)


def relocate_violators(m: BKPlay) -> None:
    """Units on ground that is neither theirs nor their friends' nor their enemies' go home. [bg-8.2-return-neutral]
    [bg-8.2-ussr-japan] [bg-card-force-peace-china]"""
    state, found = m.state, atlas()
    for unit in range(found.units):
        space = state.place[unit]
        if space < 0 or found.is_sea[space]:
            continue
        nation = state.nation[unit]
        if not is_friendly(state, nation, space) and not is_hostile(state, nation, space):
            send_away(m, unit)


def force_peace(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-force-peace]"""
    state = m.state
    end_war(state, USSR, JAPAN)
    state.peace = major
    m.emit(ev.PeaceMade(one="@ussr", other="@japan"))
    for nation in (USSR, JAPAN):
        if not state.war[nation] & 0xFF:
            state.standing = changed(state.standing, nation, NEUTRAL)
            state.war_since = changed(state.war_since, nation, -1)
    relocate_violators(m)
    refresh_production(state)


def occupy_indochine(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-japan-indochine] [bg-time-indochine-adv] [bg-7.2-events-plus]"""
    state, found = m.state, atlas()
    space = found.space_of["indochine"]
    for unit in list(state.here[space]):
        if state.nation[unit] in (FRANCE, found.vichy_nation):
            m.emit(ev.Lost(unit=label(unit), space=name(space)))
            remove(state, unit)
    take_control(m, space, JAPAN)
    change_us_level(m, 1)


def vichy(m: BKPlay, major: int, on: str) -> None:
    """France surrenders and Vichy takes its place. [bg-card-vichy] [bg-card-vichy-garrison] [bg-card-vichy-neutral]
    [bg-time-vichy]"""
    state, found = m.state, atlas()
    m.emit(ev.VichyInstalled())
    remove_forces(state, FRANCE)
    leave_war(m, FRANCE)
    fall_of_france(m)
    state.vichy = True
    seat = found.space_of["vichy"]
    for space in found.homes[FRANCE]:
        owner = state.control[space]
        held = state.side[owner] == state.side[GERMANY] and state.standing[owner] == AT_WAR
        if space != seat and not held:
            for unit in list(state.here[space]):
                if state.side[state.nation[unit]] != state.side[GERMANY]:
                    send_away(m, unit)
            take_control(m, space, GERMANY)
    take_control(m, seat, found.vichy_nation)
    for unit in list(state.here[seat]):
        send_away(m, unit)
    for space in found.areas_of[FRANCE]:
        if space not in found.homes[FRANCE] and state.control[space] == FRANCE:
            make_neutral(m, space, found.vichy_nation)
    _garrison(m)
    due = state.turn + LIMITS["vichy_quarters"]
    for unit in found.units_of_printed[FRANCE]:
        if found.tag[unit] == "V" and state.place[unit] == POOL:
            put(state, unit, BUILDING)
            state.nation = changed(state.nation, unit, found.vichy_nation)
            state.due = changed(state.due, unit, due)
    from .cards import lose_hand, throw_away_dead_cards

    lose_hand(m, FRANCE)
    throw_away_dead_cards(m, FRANCE)
    refresh_production(state)


def _garrison(m: BKPlay) -> None:
    """One random French unit, reduced, in Vichy and each of its colonies. [bg-card-vichy-garrison]"""
    state, found = m.state, atlas()
    for space in found.land:
        if state.control[space] != found.vichy_nation:
            continue
        free = [
            u for u in found.units_of_printed[FRANCE]
            if state.place[u] == POOL and found.type[u] == INF and found.tag[u] == ""
        ]  # fmt: skip
        if free:
            unit = free[m.roll(len(free), why="bg-card-vichy-garrison") - 1]
            state.nation = changed(state.nation, unit, found.vichy_nation)
            put(state, unit, space)
            state.flipped = changed(state.flipped, unit, 1)
            m.emit(ev.Placed(unit=label(unit), space=name(space)))


def italian_surrender(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-italian-surrender]"""
    state, found = m.state, atlas()
    m.emit(ev.Surrendered(country="@italy"))
    remove_forces(state, ITALY)
    for minor in range(8, len(found.nation_ids)):
        if state.master[minor] == ITALY:
            state.master = changed(state.master, minor, GERMANY)
    leave_war(m, ITALY)
    for space in found.land:
        if state.control[space] != ITALY:
            continue
        if found.home_of[space] == ITALY:
            take_control(m, space, GERMANY)
        else:
            make_neutral(m, space, ITALY)
    from .cards import lose_hand, throw_away_dead_cards

    lose_hand(m, ITALY)
    throw_away_dead_cards(m, ITALY)
    refresh_production(state)


__all__ = ["CONQUERED", "MAJORS", "BKState", "coup", "set_up_minor"]
