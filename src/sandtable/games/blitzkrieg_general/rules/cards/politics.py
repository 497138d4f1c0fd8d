"""Cards that change the map of alliances."""

from __future__ import annotations

from sandtable.core.columns import lacking, put

from ...facts.attacks import fleets
from ...facts.ground import is_friendly
from ...model import events as ev
from ...model.atlas import ATLAS, FRANCE, GERMANY, INF, ITALY, JAPAN, USA, USSR, label, name
from ...model.state import (
    AT_WAR,
    ATOM,
    BOMBER,
    BUILDING,
    NEUTRAL,
    POOL,
    STATIONED,
    BKState,
    M,
    at_war,
    belligerents,
    enemy_side,
    has_enemy,
    is_hostile,
    move_unit,
    remove,
    send,
    the_battle,
    unmark_all,
)
from ...model.tables import LIMITS
from ..chart import leave
from ..conquest import conquer, fall_of_france, leave_war, make_neutral, relocate_violators, remove_forces, send_away
from ..control import take_control
from ..economy import refresh_production
from ..politics import change_us_level, end_war, italy_joins, join, randomly
from ..search import cancel_landings
from .deck import coup_target, lose_hand, take_off_table, throw_away_dead_cards
from .entry import ANY, MOVES, card, lies_on_the_table


# ---- coups --------------------------------------------------------------------------------------------------------
def _enter_coup(number: int) -> None:
    """Enter a coup. It can also be played on an attacked neutral that gives up (optional 9.2)."""

    def when(state: BKState, major: int, moment: str) -> bool:
        target = coup_target(state, number)
        return _gives_up(state, major, target) if moment == "surrender" else state.standing[target] == NEUTRAL

    @card(
        ATLAS.card_ids[number],
        *ANY,
        "surrender",
        when=when,
        on=lambda s, n, at: ("surrender" if at == "surrender" else "",),
        dead=lambda s: s.standing[coup_target(s, number)] != NEUTRAL,
    )
    def play(m: M, major: int, on: str) -> None:
        if on == "surrender":
            give_up(m, major)
        else:
            coup(m, major, number)


for _number, _target in enumerate(ATLAS.coup_target):
    if _target >= 0:
        _enter_coup(_number)


def _gives_up(state: BKState, major: int, target: int) -> bool:
    """Optional 9.2: the country defends itself in this very battle. [bg-opt-9.2]"""
    battle = state.battle
    if battle is None or not state.options.get("coup-surrender"):
        return False
    return state.control[battle.space] == target and state.side[target] == state.side[major]


def coup(m: M, major: int, number: int) -> None:
    """Two dice against the card's ranges. [bg-card-general-coup] [bg-ex-adv-iraq]"""
    state = m.state
    target = coup_target(state, number)
    row = ATLAS.cards[number].coup
    assert row is not None
    total = sum(m.roll_many(2, why="bg-card-general-coup"))
    ranges = {"success": row.success, "no_effect": row.no_effect, "counter": row.counter}
    result = next(word for word, (low, high) in ranges.items() if low <= total <= high)
    m.emit(ev.CoupRolled(country=f"@{ATLAS.nation_ids[target]}", total=total, result=f"@coup-{result}"))
    if result == "no_effect":
        return
    if target == ATLAS.bnl:
        # the islands in the Pacific are not affected
        for space in ATLAS.bnl_islands:
            if state.control[space] == ATLAS.bnl:
                take_control(m, space, ATLAS.trust_nation)
    if result == "success":
        join(m, target, major)
        return
    enemies = belligerents(state, enemy_side(state.side[major]))
    if enemies:
        join(m, target, randomly(m, enemies, "bg-card-general-coup"))


def give_up(m: M, major: int) -> None:
    """Optional 9.2: an attacked neutral surrenders to the attacker, its friend saves a point per unit. [bg-opt-9.2]"""
    state = m.state
    battle = the_battle(state)
    nation = state.control[battle.space]
    units = [u for u, owner in enumerate(state.nation) if owner == nation and state.place[u] >= 0]
    state.saved = put(state.saved, major, state.saved[major] + len(units))
    taker = battle.by[0] if battle.by else state.master[state.nation[battle.attackers[0]]]
    state.battle = leave(battle, units)
    for unit in units:
        remove(state, unit)
    areas = [s for s in ATLAS.land if state.control[s] == nation]
    conquer(m, nation)
    for space in areas:
        take_control(m, space, taker)


def call_off(m: M) -> None:
    """Aircraft, landings and fleets under way against somebody who is no enemy any more do not fight.
    [bg-7.4-at-once]"""
    state = m.state
    for unit, target in state.abroad.items():
        nation = state.nation[unit]
        at_sea = ATLAS.is_sea[target]
        if state.flags[unit] & STATIONED or (has_enemy if at_sea else is_hostile)(state, nation, target):
            continue
        if not at_sea and is_friendly(state, nation, target):
            continue
        if state.carrier[unit] >= 0:
            cancel_landings(state, state.carrier[unit])
        else:
            send(state, unit, -1)
            unmark_all(state, BOMBER | ATOM, (unit,))
    for zone in state.sea_battles:
        if not all(fleets(state, zone)):
            state.sea_battles = lacking(state.sea_battles, zone)


# ---- peace --------------------------------------------------------------------------------------------------------
@card("force_peace", *ANY, when=lambda s, n, at: at_war(s, USSR, JAPAN) and s.peace < 0)
def force_peace(m: M, major: int, on: str) -> None:
    """[bg-card-force-peace]"""
    state = m.state
    end_war(state, USSR, JAPAN)
    state.peace = major
    m.emit(ev.PeaceMade(one="@ussr", other="@japan"))
    for nation in (USSR, JAPAN):
        if not state.war[nation] & 0xFF:
            state.standing = put(state.standing, nation, NEUTRAL)
            state.war_since = put(state.war_since, nation, -1)
    relocate_violators(m)
    call_off(m)
    refresh_production(state)


# ---- France and Italy ---------------------------------------------------------------------------------------------
def french_areas_taken(state: BKState) -> int:
    """Return how many French home areas the side of Germany holds."""
    owners = [state.control[s] for s in ATLAS.homes[FRANCE]]
    return sum(1 for n in owners if state.side[n] == state.side[GERMANY] and state.standing[n] == AT_WAR)


def _france_is_beaten(state: BKState, major: int, moment: str) -> bool:
    return state.standing[FRANCE] == AT_WAR and french_areas_taken(state) >= LIMITS["vichy_areas"]


@card("french_vichy_surrender", *ANY, when=_france_is_beaten)
def vichy(m: M, major: int, on: str) -> None:
    """France surrenders and Vichy takes its place. [bg-card-vichy] [bg-card-vichy-garrison] [bg-card-vichy-neutral]
    [bg-time-vichy]"""
    state = m.state
    m.emit(ev.VichyInstalled())
    remove_forces(m, FRANCE)
    leave_war(m, FRANCE)
    fall_of_france(m)
    state.vichy = True
    seat = ATLAS.space_of["vichy"]
    for space in ATLAS.homes[FRANCE]:
        owner = state.control[space]
        held = state.side[owner] == state.side[GERMANY] and state.standing[owner] == AT_WAR
        if space != seat and not held:
            for unit in list(state.here[space]):
                if state.side[state.nation[unit]] != state.side[GERMANY]:
                    send_away(m, unit)
            take_control(m, space, GERMANY)
    take_control(m, seat, ATLAS.vichy_nation)
    for unit in list(state.here[seat]):
        send_away(m, unit)
    for space in ATLAS.areas_of[FRANCE]:
        if space not in ATLAS.homes[FRANCE] and state.control[space] == FRANCE:
            make_neutral(m, space, ATLAS.vichy_nation)
    _garrison(m)
    due = state.turn + LIMITS["vichy_quarters"]
    for unit in ATLAS.units_of_printed[FRANCE]:
        if ATLAS.tag[unit] == "V" and state.place[unit] == POOL:
            move_unit(state, unit, BUILDING)
            state.nation = put(state.nation, unit, ATLAS.vichy_nation)
            state.due = put(state.due, unit, due)
    call_off(m)
    lose_hand(state, FRANCE)
    throw_away_dead_cards(m, FRANCE)
    refresh_production(state)


def _garrison(m: M) -> None:
    """One random French unit, reduced, in Vichy and each of its colonies. [bg-card-vichy-garrison]"""
    state = m.state
    for space in ATLAS.land:
        if state.control[space] != ATLAS.vichy_nation:
            continue
        free = [
            u for u in ATLAS.units_of_printed[FRANCE]
            if state.place[u] == POOL and ATLAS.type[u] == INF and ATLAS.tag[u] == ""
        ]  # fmt: skip
        if free:
            unit = free[m.roll(len(free), why="bg-card-vichy-garrison") - 1]
            state.nation = put(state.nation, unit, ATLAS.vichy_nation)
            move_unit(state, unit, space)
            state.flipped = put(state.flipped, unit, 1)
            m.emit(ev.Placed(unit=label(unit), space=name(space)))


def _italy_is_beaten(state: BKState, major: int, moment: str) -> bool:
    """Italy has lost Africa and an area at home. [bg-card-italian-surrender]"""
    if state.standing[ITALY] != AT_WAR or any(state.control[s] == ITALY for s in ATLAS.africa):
        return False
    return any(state.side[state.control[s]] not in (state.side[ITALY], -1) for s in ATLAS.homes[ITALY])


@card("italian_surrender", *ANY, when=_italy_is_beaten)
def italian_surrender(m: M, major: int, on: str) -> None:
    """[bg-card-italian-surrender]"""
    state = m.state
    m.emit(ev.Surrendered(country="@italy"))
    remove_forces(m, ITALY)
    for minor in range(8, len(ATLAS.nation_ids)):
        if state.master[minor] == ITALY:
            state.master = put(state.master, minor, GERMANY)
    leave_war(m, ITALY)
    for space in ATLAS.land:
        if state.control[space] != ITALY:
            continue
        if ATLAS.home_of[space] == ITALY:
            take_control(m, space, GERMANY)
        else:
            make_neutral(m, space, ITALY)
    call_off(m)
    lose_hand(state, ITALY)
    throw_away_dead_cards(m, ITALY)
    refresh_production(state)


def _indochine_is_open(state: BKState, major: int, moment: str) -> bool:
    return state.french_fell and state.control[ATLAS.indochine] in (FRANCE, ATLAS.vichy_nation)


@card(
    "japan_occupies_indochine",
    *MOVES,
    when=_indochine_is_open,
    dead=lambda s: s.control[ATLAS.indochine] == JAPAN,
)
def occupy_indochine(m: M, major: int, on: str) -> None:
    """[bg-card-japan-indochine] [bg-time-indochine-adv] [bg-7.2-events-plus]"""
    state = m.state
    space = ATLAS.indochine
    for unit in list(state.here[space]):
        if state.nation[unit] in (FRANCE, ATLAS.vichy_nation):
            m.emit(ev.Lost(unit=label(unit), space=name(space)))
            remove(state, unit)
    take_control(m, space, JAPAN)
    change_us_level(m, 1)


# ---- new belligerents ---------------------------------------------------------------------------------------------
def _neutral_friends(state: BKState, major: int, moment: str) -> list[str]:
    nations = (*ATLAS.axis_minors, ITALY)
    return [ATLAS.nation_ids[n] for n in nations if state.standing[n] == NEUTRAL]


@card(
    "axis_minor_activation",
    *ANY,
    when=lambda s, n, at: bool(_neutral_friends(s, n, at)),
    on=_neutral_friends,
    dead=lambda s: not _neutral_friends(s, GERMANY, ""),
)
def axis_minor_activation(m: M, major: int, on: str) -> None:
    """[bg-card-axis-minor-activation] [bg-time-2-40-card]"""
    if on == "italy":
        italy_joins(m)
        change_us_level(m, 1)
        return
    join(m, ATLAS.nation_of[on], major)


@card("ussr_may_declare_war", *ANY, when=lambda s, n, at: ATLAS.year[s.turn] >= 1941)
def ussr_may_declare_war(m: M, major: int, on: str) -> None:
    m.state.ussr_may_declare = True


# ---- the USA and the Dutch islands --------------------------------------------------------------------------------
@card(
    "embargo_usa_japan",
    "us-entry",
    when=lambda s, n, at: s.production[USA] > 11 and not s.embargo,
    dead=lambda s: s.embargo or at_war(s, USA, JAPAN),
)
def embargo(m: M, major: int, on: str) -> None:
    m.state.embargo = True


@card("japan_gains_bnl", "us-entry", when=lambda s, n, at: s.embargo and not s.trust_to_japan)
def japan_gains_bnl(m: M, major: int, on: str) -> None:
    """[bg-card-japan-bnl] [bg-time-bnl-card]"""
    m.state.trust_to_japan = True
    m.window("bnl", ["usa"])


@card("bnl_embargo", "us-entry", "bnl", when=lambda s, n, at: s.trust_to_japan)
def bnl_embargo(m: M, major: int, on: str) -> None:
    """Both cards leave the game when they meet. [bg-card-bnl-embargo] [bg-ex-adv-us-entry]"""
    m.state.trust_to_japan = False
    for ident in ("japan_gains_bnl", "bnl_embargo"):
        take_off_table(m.state, ident)


# ---- Yugoslavia ---------------------------------------------------------------------------------------------------
def _occupied_for_a_year(state: BKState, major: int, moment: str) -> bool:
    return state.yugoslavia_since >= 0 and state.turn - state.yugoslavia_since >= LIMITS["one_year"]


lies_on_the_table("tito_partisans", *ANY, when=_occupied_for_a_year)
