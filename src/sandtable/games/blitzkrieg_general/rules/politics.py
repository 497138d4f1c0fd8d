"""8.1-8.4 and the time table's political part: who fights whom, who plays whom, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core import Refusal
from sandtable.core.columns import lacking, put

from ..facts.ground import may_enter
from ..model import events as ev
from ..model.atlas import ATLAS, AXIS, BE, FRANCE, GERMANY, ITALY, JAPAN, MAJORS, SIDES, TYPES, USA, USSR, name, ones
from ..model.printed import Listed
from ..model.state import (
    AT_WAR,
    CONQUERED,
    NEUTRAL,
    POOL,
    BKState,
    M,
    at_war,
    belligerents,
    enemy_side,
    is_hostile,
    plays,
    role_of,
)
from .economy import refresh_production


# ---- wars ---------------------------------------------------------------------------------------------------------
def set_war(state: BKState, a: int, b: int) -> None:
    """Let two nations fight, and the minors they play."""
    circle_a = [a, *(n for n in range(8, len(state.master)) if state.master[n] == a and state.standing[n] == AT_WAR)]
    circle_b = [b, *(n for n in range(8, len(state.master)) if state.master[n] == b and state.standing[n] == AT_WAR)]
    for x in circle_a:
        for y in circle_b:
            if state.side[x] != state.side[y]:
                start_fighting(state, x, y)


def end_war(state: BKState, a: int, b: int) -> None:
    """End the war between two nations and their minors."""
    for x in range(len(state.war)):
        for y in range(len(state.war)):
            if state.master[x] == a and state.master[y] == b:
                stop_fighting(state, x, y)


def make_up(state: BKState, nation: int) -> None:
    """End the wars of a nation with the side it has joined."""
    for other in ones(state.war[nation]):
        if state.side[other] == state.side[nation]:
            stop_fighting(state, nation, other)


def start_fighting(state: BKState, a: int, b: int) -> None:
    war = list(state.war)
    war[a] |= 1 << b
    war[b] |= 1 << a
    state.war = tuple(war)


def stop_fighting(state: BKState, a: int, b: int) -> None:
    war = list(state.war)
    war[a] &= ~(1 << b)
    war[b] &= ~(1 << a)
    state.war = tuple(war)


def fight_of(state: BKState, nation: int) -> None:
    """Let a minor that joins fight everybody its master fights. [bg-8.4-axis-attacks-minor]"""
    master, side = state.master[nation], state.side
    make_up(state, nation)
    war = list(state.war)
    for other in range(len(war)):
        if war[master] >> other & 1 and other != nation and side[other] != side[nation]:
            war[nation] |= 1 << other
            war[other] |= 1 << nation
    state.war = tuple(war)


def enter_war(m: M, major: int) -> None:
    """Make a major a belligerent."""
    state = m.state
    if state.standing[major] == NEUTRAL:
        state.standing = put(state.standing, major, AT_WAR)
        state.war_since = put(state.war_since, major, state.turn)
        m.emit(ev.Joined(country=f"@{MAJORS[major]}", side=f"@{SIDES[state.side[major]]}", master=""))


def change_us_level(m: M, change: int) -> None:
    """Move the neutral USA's production at once. [bg-7.2-axis-attack] [bg-7.2-allied-attack]
    [bg-7.2-events-plus]"""
    state = m.state
    if state.advanced and state.standing[USA] == NEUTRAL:
        state.us_level = max(0, state.us_level + change)
        m.emit(ev.UsLevel(level=state.us_level))


def us_enters(m: M) -> None:
    """The USA joins: war with every Axis major at war, 36 points, and BE and France fight Japan.
    [bg-8.3-war-production]
    [bg-time-4-41] [bg-time-be-pacific-alt]"""
    state = m.state
    enter_war(m, USA)
    for axis in belligerents(state, enemy_side(state.side[USA])):
        set_war(state, USA, axis)
    for west in (BE, FRANCE):
        if state.standing[west] == AT_WAR and state.side[west] != state.side[JAPAN] and state.standing[JAPAN] == AT_WAR:
            set_war(state, west, JAPAN)
    state.be_pacific = True


def italy_joins(m: M) -> None:
    """Italy fights everybody Germany fights, or fought until it fell. [bg-time-2-40] [bg-time-2-40-card]"""
    state = m.state
    enter_war(m, ITALY)
    enemies = ones(state.war[GERMANY])
    if state.standing[GERMANY] == CONQUERED:
        # the West, and the USSR if it still fights the Axis minors: the others fight Japan alone
        west = [n for n in belligerents(state, enemy_side(state.side[ITALY])) if n in (BE, FRANCE, USA)]
        enemies = [*west, USSR] if any(at_war(state, USSR, n) for n in ATLAS.axis_minors) else west
    for other in enemies:
        if state.side[other] != state.side[ITALY]:
            set_war(state, ITALY, other)


def ussr_joins(m: M) -> None:
    """War between the USSR and the European Axis; the four Axis minors join. [bg-time-2-41] [bg-time-2-41-minors]"""
    state = m.state
    enter_war(m, USSR)
    for axis in (GERMANY, ITALY):
        if state.standing[axis] == AT_WAR and state.side[axis] != state.side[USSR]:
            set_war(state, USSR, axis)
    for minor in ATLAS.axis_minors:
        if state.standing[minor] == NEUTRAL:
            join(m, minor, GERMANY)


def join(m: M, nation: int, master: int) -> None:
    """A minor enters the war on its master's side: its forces are set up, its production goes to the master.
    [bg-time-neutral-attacked]
    [bg-scn39-axis-minors] [bg-8.3-supply-source]"""
    state = m.state
    state.side = put(state.side, nation, state.side[master])
    state.master = put(state.master, nation, master)
    state.standing = put(state.standing, nation, AT_WAR)
    state.war_since = put(state.war_since, nation, state.turn)
    fight_of(state, nation)
    set_up_minor(state, nation)
    m.emit(
        ev.Joined(
            country=f"@{ATLAS.nation_ids[nation]}", side=f"@{SIDES[state.side[master]]}", master=f"@{MAJORS[master]}"
        )
    )


def set_up_minor(state: BKState, nation: int) -> None:
    """Set up the forces listed for a country. [bg-scn39-neutrals] [bg-scn39-spain] [bg-scn39-turkey]
    [bg-quick-set-up-excess]"""
    rows = [(row, ATLAS.space_of[row.space]) for row in ATLAS.data.neutral_setups.get(ATLAS.nation_ids[nation], ())]
    rows = [(row, space) for row, space in rows if ATLAS.is_sea[space] or state.control[space] == nation]
    take_counters(state, [(listed, nation, space, -1) for row, space in rows for listed in row.units])


def take_counters(state: BKState, orders: Iterable[tuple[Listed, int, int, int]]) -> None:
    """Fetch listed counters out of the tray, each for a nation, and put them on a space (or on the production chart,
    with the quarter in which they are due)."""
    nations, flipped, dues = list(state.nation), list(state.flipped), list(state.due)
    place, here = list(state.place), list(state.here)
    for listed, nation, space, due in orders:
        chosen = [ATLAS.hq_named[listed.name]] if listed.name else _in_tray(place, listed)[: listed.n]
        for unit in chosen:
            nations[unit], flipped[unit], dues[unit], place[unit] = nation, int(listed.flipped), due, space
        if space >= 0:
            here[space] = (*here[space], *chosen)
    state.nation, state.flipped, state.due = tuple(nations), tuple(flipped), tuple(dues)
    state.place, state.here = tuple(place), tuple(here)


def _in_tray(place: list[int], listed: Listed) -> list[int]:
    """Counters of the listed kind that are in the tray. French ones marked V or F are set up and built like the
    others. [bg-scn39-france-vf]"""
    source, kind = ATLAS.nation_of[listed.nation], TYPES.index(listed.type)
    any_tag = source == FRANCE and not listed.tag
    kinds = [k for k in ATLAS.kinds_of[source] if k.type == kind and k.front == listed.front]
    return [u for k in kinds if any_tag or k.tag == listed.tag for u in k.units if place[u] == POOL]


# ---- declaring war ------------------------------------------------------------------------------------------------
def defender_of(m: M, attacker: int) -> int:
    """Return the major that plays a neutral attacked by this one. [bg-8.4-axis-attacks-minor]
    [bg-8.4-allies-attack-minor] [bg-8.4-ussr-attacks-minor] [bg-8.4-controller-gone]"""
    state = m.state
    side = enemy_side(state.side[attacker])
    wanted = [BE] if state.side[BE] == side else []
    if side == AXIS or not wanted:
        italy_neutral = state.standing[ITALY] == NEUTRAL
        wanted = [n for n in ((GERMANY,) if italy_neutral else (ITALY,)) if state.side[n] == side]
    if wanted and state.standing[wanted[0]] == AT_WAR:
        return wanted[0]
    others = belligerents(state, side) or [n for n in range(8) if state.side[n] == side and plays(state, n)]
    if not others:
        return attacker
    return others[m.roll(len(others), why="bg-8.4-controller-gone") - 1]


def may_fight_at_all(state: BKState, major: int) -> Refusal | None:
    """Refuse the USA and Italy while they are neutral: others may open a war. [bg-8.4-usa] [bg-time-2-40]"""
    if state.standing[major] == NEUTRAL and major == USA:
        return Refusal("bg-8.4-usa", "usa-neutral")
    if state.standing[major] == NEUTRAL and major == ITALY:
        return Refusal("bg-time-2-40", "neutral-major", country=f"@{MAJORS[major]}")
    return None


def why_not_declare(state: BKState, major: int, target: int) -> Refusal | None:
    """Refuse a declaration of war. [bg-8.4-usa] [bg-8.4-ussr] [bg-basic-8.4-ussr] [bg-8.4-be-france] [bg-8.4-axis-free]
    [bg-8.4-ussr-others] [bg-time-west-japan] [bg-time-2-41-pact]"""
    name = f"@{ATLAS.nation_ids[target]}"
    refused = may_fight_at_all(state, major)
    if refused is not None:
        return refused
    if not _can_be_fought(state, target):
        return Refusal("bg-8.4-dow", "no-such-enemy", country=name)
    if at_war(state, major, target):
        return Refusal("bg-8.4-dow", "already-at-war", country=name)
    if state.side[target] == state.side[major] and state.standing[target] != CONQUERED:
        return Refusal("bg-8.4-dow", "own-side", country=name)
    european = target in (GERMANY, ITALY) or target in ATLAS.axis_minors
    if major == USSR and european and state.side[GERMANY] != state.side[USSR]:
        if state.advanced and not state.ussr_may_declare:
            return Refusal("bg-8.4-ussr", "ussr-needs-card", country=name)
        if not state.advanced and state.turn < ATLAS.fixed["ussr_joins"]:
            return Refusal("bg-basic-8.4-ussr", "ussr-pact", country=name)
    if target == JAPAN and major != USSR and state.side[major] == state.side[USA] and not at_war(state, JAPAN, USA):
        return Refusal("bg-8.4-be-france", "no-war-on-japan", country=f"@{MAJORS[major]}")
    if state.peace >= 0 and {major, target} == {JAPAN, USSR}:
        return Refusal("bg-card-force-peace", "peace-lasts")
    return None


def _can_be_fought(state: BKState, target: int) -> bool:
    if target < 8:
        return state.standing[target] != CONQUERED or target in state.control
    if ATLAS.nation_ids[target] == "switzerland":
        return False
    return target in state.control


def declare(m: M, major: int, target: int) -> None:
    """Declare war, with all that follows at once. [bg-8.4-dow] [bg-8.4-japan-west] [bg-time-japan-west]
    [bg-7.2-attacked]"""
    state = m.state
    m.emit(ev.WarDeclared(country=f"@{MAJORS[major]}", on=f"@{ATLAS.nation_ids[target]}"))
    if target < 8 and state.standing[target] != CONQUERED:
        _declare_on_major(m, major, target)
    elif target == ATLAS.trust_nation:
        start_fighting(state, major, target)
        if state.side[major] != state.side[USA]:
            _war_with_usa(m, major)
    elif state.standing[target] == CONQUERED:
        start_fighting(state, major, target)
    elif state.standing[target] == AT_WAR:
        # it fights others already, and goes on under the major that plays it [bg-8.4-fighting-minor]
        set_war(state, major, target)
    else:
        _declare_on_minor(m, major, target)
    refresh_production(state)


def _declare_on_minor(m: M, major: int, target: int) -> None:
    state = m.state
    if not state.attacked >> target & 1:
        state.attacked |= 1 << target
        change_us_level(m, 1 if state.side[major] == AXIS else -1)
    master = defender_of(m, major)
    join(m, target, master)
    set_war(state, major, target)
    if target == ATLAS.bnl and major == JAPAN and state.side[USA] != state.side[JAPAN]:
        _war_with_usa(m, JAPAN)


def _war_with_usa(m: M, major: int) -> None:
    state = m.state
    if state.standing[USA] == NEUTRAL:
        us_enters(m)
    if not at_war(state, major, USA):
        enter_war(m, major)
        set_war(state, major, USA)


def _declare_on_major(m: M, major: int, target: int) -> None:
    state = m.state
    enter_war(m, major)
    european = (GERMANY, ITALY)
    if (target == USSR and major in european) or (major == USSR and target in european):
        was_fighting = at_war(state, USSR, GERMANY) or at_war(state, USSR, ITALY)
        ussr_joins(m)
        if not was_fighting and major in european:
            change_us_level(m, 1)
            state.soviet_declared_on = True
    elif {major, target} == {JAPAN, USSR}:
        enter_war(m, USSR)
        change_us_level(m, 1 if major == JAPAN else -1)
        if major == USSR:
            state.soviet_attacked_japan = True
            navy = ATLAS.card_of["japanese_navy"]
            if navy in state.table:
                state.table = lacking(state.table, navy)
                # the army comes first now [bg-card-japanese-navy-end]
                state.out = (*state.out, navy)
                m.emit(ev.CardDiscarded(card="@japanese_navy"))
        else:
            state.soviet_declared_on = True
    elif target == ITALY and state.standing[ITALY] == NEUTRAL:
        change_us_level(m, -1)
        italy_joins(m)
    elif target == USA:
        _war_with_usa(m, major)
    elif major == JAPAN and target in (BE, FRANCE):
        set_war(state, major, target)
        if state.side[USA] != state.side[JAPAN]:
            _war_with_usa(m, JAPAN)
    enter_war(m, target)
    set_war(state, major, target)


# ---- entering areas -----------------------------------------------------------------------------------------------
def why_not_enter(state: BKState, nation: int, space: int) -> Refusal | None:
    """Refuse land units where the ground is closed to them: neutral ground is; enemy ground is open to those who fight
    its owner and everybody on it. [bg-8.1-neutral-area] [bg-8.2-neutral-units] [bg-8.8-bulgaria]"""
    if may_enter(state, nation, space):
        return None
    owner, where = state.control[space], name(space)
    if ATLAS.closed_space[space]:
        return Refusal("bg-1.2-sea-forbidden", "closed-area", space=where)
    if nation == ATLAS.bulgaria and ATLAS.home_of[space] == USSR:
        return Refusal("bg-8.8-bulgaria", "bulgaria")
    if is_hostile(state, nation, space):
        return Refusal("bg-8.4-dow", "bystanders", space=where)
    if state.side[owner] == state.side[nation] and state.side[nation] >= 0:
        if state.standing[owner] == NEUTRAL:
            return Refusal("bg-8.1-neutral-area", "still-neutral", space=where, country=f"@{ATLAS.nation_ids[owner]}")
        if state.standing[nation] == NEUTRAL:
            return Refusal("bg-8.2-neutral-units", "neutral-abroad", space=where)
        if state.standing[owner] == AT_WAR:
            rule = "bg-8.2-ussr-japan" if state.peace >= 0 else "bg-8.2-neutral-units"
            return Refusal(rule, "no-common-enemy", space=where)
    return Refusal("bg-8.1-neutral-area", "neutral-area", space=where, country=f"@{ATLAS.nation_ids[owner]}")


# ---- who decides --------------------------------------------------------------------------------------------------
def side_leader(state: BKState, side: int, majors: list[int]) -> int:
    """Return who decides for a side: its boss where that takes part, else the first who does. [bg-1.0-boss]"""
    boss = ATLAS.boss[side]
    if boss in majors or not majors:
        return boss
    return majors[0]


def leader_of(state: BKState, units: Sequence[int], side: int) -> str:
    """Return who decides for several units of a side. [bg-1.0-boss]"""
    majors = list(dict.fromkeys(role_of(state, u) for u in units if role_of(state, u) >= 0))
    return MAJORS[side_leader(state, side, majors)]


def randomly(m: M, majors: list[int], why: str) -> int:
    """Return one of several majors, drawn by a die."""
    return majors[0] if len(majors) == 1 else majors[m.roll(len(majors), why=why) - 1]
