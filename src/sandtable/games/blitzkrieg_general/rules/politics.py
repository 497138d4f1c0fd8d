"""8.1-8.4 and the time table's political part: who fights whom, who plays whom, and what follows from it."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.relations import FREE_ENTRY, HOSTILE_ENTRY, NO_ENTRY, ground
from ..model import events as ev
from ..model.atlas import ALLIES, AXIS, BE, FRANCE, GERMANY, ITALY, JAPAN, MAJORS, SIDES, TYPES, USA, USSR, atlas
from ..model.state import (
    AT_WAR,
    CONQUERED,
    NEUTRAL,
    POOL,
    BKPlay,
    BKState,
    are_allied,
    at_war,
    belligerents,
    changed,
    enemy_side,
    is_hostile,
    make_up,
    plays,
    put,
    without,
)
from .economy import refresh_production

MAJOR_BITS = 0xFF


# ---- wars ---------------------------------------------------------------------------------------------------------
def set_war(state: BKState, a: int, b: int) -> None:
    """Two nations fight, and so do the minors they play."""
    circle_a = [a, *(n for n in range(8, len(state.master)) if state.master[n] == a and state.standing[n] == AT_WAR)]
    circle_b = [b, *(n for n in range(8, len(state.master)) if state.master[n] == b and state.standing[n] == AT_WAR)]
    for x in circle_a:
        for y in circle_b:
            if state.side[x] != state.side[y]:
                state.war = changed(state.war, x, state.war[x] | (1 << y))
                state.war = changed(state.war, y, state.war[y] | (1 << x))


def end_war(state: BKState, a: int, b: int) -> None:
    """Two nations and their minors stop fighting."""
    for x in range(len(state.war)):
        for y in range(len(state.war)):
            if state.master[x] == a and state.master[y] == b:
                state.war = changed(state.war, x, state.war[x] & (~(1 << y)))
                state.war = changed(state.war, y, state.war[y] & (~(1 << x)))


def fight_of(state: BKState, nation: int) -> None:
    """A minor that joins fights everybody its master fights. [bg-8.4-axis-attacks-minor]"""
    master, side = state.master[nation], state.side
    make_up(state, nation)
    war = list(state.war)
    for other in range(len(war)):
        if war[master] >> other & 1 and other != nation and side[other] != side[nation]:
            war[nation] |= 1 << other
            war[other] |= 1 << nation
    state.war = tuple(war)


def enter_war(m: BKPlay, major: int) -> None:
    """A major becomes a belligerent."""
    state = m.state
    if state.standing[major] == NEUTRAL:
        state.standing = changed(state.standing, major, AT_WAR)
        state.war_since = changed(state.war_since, major, state.turn)
        m.emit(ev.Joined(country=f"@{MAJORS[major]}", side=f"@{SIDES[state.side[major]]}", master=""))


def change_us_level(m: BKPlay, change: int) -> None:
    """Events move the neutral USA's production at once. [bg-7.2-axis-attack] [bg-7.2-allied-attack]
    [bg-7.2-events-plus]"""
    state = m.state
    if state.advanced and state.standing[USA] == NEUTRAL:
        state.us_level = max(0, state.us_level + change)
        m.emit(ev.UsLevel(level=state.us_level))


def us_enters(m: BKPlay) -> None:
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


def italy_joins(m: BKPlay) -> None:
    """Italy fights everybody Germany fights. [bg-time-2-40] [bg-time-2-40-card]"""
    state = m.state
    enter_war(m, ITALY)
    for other in range(len(state.war)):
        if state.war[GERMANY] >> other & 1 and state.side[other] != state.side[ITALY]:
            set_war(state, ITALY, other)


def ussr_joins(m: BKPlay) -> None:
    """War between the USSR and the European Axis; the four Axis minors join. [bg-time-2-41] [bg-time-2-41-minors]"""
    state = m.state
    enter_war(m, USSR)
    for axis in (GERMANY, ITALY):
        if state.standing[axis] == AT_WAR and state.side[axis] != state.side[USSR]:
            set_war(state, USSR, axis)
    for minor in atlas().axis_minors:
        if state.standing[minor] == NEUTRAL:
            join(m, minor, GERMANY)


def join(m: BKPlay, nation: int, master: int) -> None:
    """A minor enters the war on its master's side: its forces are set up, its production is his.
    [bg-time-neutral-attacked]
    [bg-scn39-axis-minors] [bg-8.3-supply-source]"""
    state, found = m.state, atlas()
    state.side = changed(state.side, nation, state.side[master])
    state.master = changed(state.master, nation, master)
    state.standing = changed(state.standing, nation, AT_WAR)
    state.war_since = changed(state.war_since, nation, state.turn)
    fight_of(state, nation)
    set_up_minor(state, nation)
    m.emit(
        ev.Joined(
            country=f"@{found.nation_ids[nation]}", side=f"@{SIDES[state.side[master]]}", master=f"@{MAJORS[master]}"
        )
    )


def set_up_minor(state: BKState, nation: int) -> None:
    """Lay out the forces listed for a country. [bg-scn39-neutrals] [bg-scn39-spain] [bg-scn39-turkey]
    [bg-quick-set-up-excess]"""
    found = atlas()
    for row in found.data["neutral_setups"].get(found.nation_ids[nation], ()):
        space = found.space_of[row["space"]]
        if not found.is_sea[space] and state.control[space] != nation:
            continue
        for entry in row["units"]:
            take_counters(state, entry, nation, space)


def take_counters(state: BKState, entry: dict[str, object], nation: int, space: int, due: int = -1) -> list[int]:
    """Fetch the listed counters out of the tray and lay them out (or on the production chart)."""
    found = atlas()
    name = entry.get("name")
    if name:
        chosen = [found.hq_named[str(name)]]
    else:
        source = found.nation_of[str(entry["nation"])]
        tag = str(entry.get("tag") or "")
        kind = TYPES.index(str(entry["type"]))
        # French counters marked V or F are set up and built like the others. [bg-scn39-france-vf]
        free = [
            u
            for k in found.kinds_of[source]
            if k.type == kind and k.front == entry["front"]
            and (k.tag == tag or (source == FRANCE and not tag))
            for u in k.units
            if state.place[u] == POOL
        ]  # fmt: skip
        chosen = free[: int(str(entry["n"]))]
    for unit in chosen:
        state.nation = changed(state.nation, unit, nation)
        state.flipped = changed(state.flipped, unit, 1 if entry.get("flipped") else 0)
        put(state, unit, space)
        state.due = changed(state.due, unit, due)
    return chosen


# ---- declaring war ------------------------------------------------------------------------------------------------
def defender_of(m: BKPlay, attacker: int) -> int:
    """The major that plays a neutral attacked by this one. [bg-8.4-axis-attacks-minor] [bg-8.4-allies-attack-minor]
    [bg-8.4-ussr-attacks-minor] [bg-8.4-controller-gone]"""
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
    """A neutral major opens no war, save the USSR. [bg-8.4-usa]"""
    if state.standing[major] == NEUTRAL and major == USA:
        return Refusal("bg-8.4-usa", "usa-neutral")
    if state.standing[major] == NEUTRAL and major != USSR:
        return Refusal("bg-time-2-40", "neutral-major", country=f"@{MAJORS[major]}")
    return None


def why_not_declare(state: BKState, major: int, target: int) -> Refusal | None:
    """Who may declare war on whom. [bg-8.4-usa] [bg-8.4-ussr] [bg-basic-8.4-ussr] [bg-8.4-be-france] [bg-8.4-axis-free]
    [bg-8.4-ussr-others] [bg-time-west-japan] [bg-time-2-41-pact]"""
    found = atlas()
    name = f"@{found.nation_ids[target]}"
    refused = may_fight_at_all(state, major)
    if refused is not None:
        return refused
    if not _can_be_fought(state, target):
        return Refusal("bg-8.4-dow", "no-such-enemy", country=name)
    if at_war(state, major, target):
        return Refusal("bg-8.4-dow", "already-at-war", country=name)
    if state.side[target] == state.side[major] and state.standing[target] != CONQUERED:
        return Refusal("bg-8.4-dow", "own-side", country=name)
    european = target in (GERMANY, ITALY) or target in found.axis_minors
    if major == USSR and european and state.side[GERMANY] != state.side[USSR]:
        if state.advanced and not state.ussr_may_declare:
            return Refusal("bg-8.4-ussr", "ussr-needs-card", country=name)
        if not state.advanced and state.turn < found.fixed["ussr_joins"]:
            return Refusal("bg-basic-8.4-ussr", "ussr-pact", country=name)
    if target == JAPAN and major != USSR and state.side[major] == state.side[USA] and not at_war(state, JAPAN, USA):
        return Refusal("bg-8.4-be-france", "no-war-on-japan", country=f"@{MAJORS[major]}")
    if state.peace >= 0 and {major, target} == {JAPAN, USSR}:
        return Refusal("bg-card-force-peace", "peace-lasts")
    return None


def _can_be_fought(state: BKState, target: int) -> bool:
    found = atlas()
    if target < 8:
        return state.standing[target] != CONQUERED or bool(ground(state).holders() >> target & 1)
    if found.nation_ids[target] == "switzerland":
        return False
    return bool(ground(state).holders() >> target & 1)


def declare(m: BKPlay, major: int, target: int) -> None:
    """War is declared, with all that follows at once. [bg-8.4-dow] [bg-8.4-japan-west] [bg-time-japan-west]
    [bg-7.2-attacked]"""
    state, found = m.state, atlas()
    m.emit(ev.WarDeclared(country=f"@{MAJORS[major]}", on=f"@{found.nation_ids[target]}"))
    if target < 8 and state.standing[target] != CONQUERED:
        _declare_on_major(m, major, target)
    elif target == found.trust_nation:
        state.war = changed(state.war, major, state.war[major] | (1 << target))
        state.war = changed(state.war, target, state.war[target] | (1 << major))
        if state.side[major] != state.side[USA]:
            _war_with_usa(m, major)
    elif state.standing[target] == CONQUERED:
        state.war = changed(state.war, major, state.war[major] | (1 << target))
        state.war = changed(state.war, target, state.war[target] | (1 << major))
    else:
        _declare_on_minor(m, major, target)
    refresh_production(state)


def _declare_on_minor(m: BKPlay, major: int, target: int) -> None:
    state, found = m.state, atlas()
    if not state.attacked >> target & 1:
        state.attacked |= 1 << target
        change_us_level(m, 1 if state.side[major] == AXIS else -1)
    master = defender_of(m, major)
    join(m, target, master)
    set_war(state, major, target)
    if target == found.bnl and major == JAPAN and state.side[USA] != state.side[JAPAN]:
        _war_with_usa(m, JAPAN)


def _war_with_usa(m: BKPlay, major: int) -> None:
    state = m.state
    if state.standing[USA] == NEUTRAL:
        us_enters(m)
    if not at_war(state, major, USA):
        enter_war(m, major)
        set_war(state, major, USA)


def _declare_on_major(m: BKPlay, major: int, target: int) -> None:
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
            navy = atlas().card_of["japanese_navy"]
            if navy in state.table:
                state.table = without(state.table, navy)
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
    """Neutral ground is closed; enemy ground is open to those who fight its owner. [bg-8.1-neutral-area]
    [bg-8.2-neutral-units]
    [bg-8.8-bulgaria]"""
    found = atlas()
    owner = state.control[space]
    if found.closed_space[space]:
        return Refusal("bg-1.2-sea-forbidden", "closed-area", space=f"@{found.space_ids[space]}")
    if nation == found.bulgaria and found.home_of[space] == USSR:
        return Refusal("bg-8.8-bulgaria", "bulgaria")
    reason = _why_closed(state, nation, owner)
    if not reason:
        return _why_not_meet(state, nation, space) if is_hostile(state, nation, space) else None
    if reason == "no-common-enemy":
        return _kept_apart(state, nation, space)
    where = f"@{found.space_ids[space]}"
    if reason == "neutral-abroad":
        return Refusal("bg-8.2-neutral-units", reason, space=where)
    return Refusal("bg-8.1-neutral-area", reason, space=where, country=f"@{found.nation_ids[owner]}")


def _why_closed(state: BKState, nation: int, owner: int) -> str:
    """The reason why ground of this owner is closed to a nation, whatever stands there; empty where it is open."""
    if owner == nation or state.war[nation] >> owner & 1:
        return ""
    if state.side[owner] == state.side[nation] and state.side[nation] >= 0:
        if state.standing[nation] == NEUTRAL or state.standing[owner] == NEUTRAL:
            return "neutral-abroad"
        if state.standing[owner] == AT_WAR:
            return "" if are_allied(state, nation, owner) else "no-common-enemy"
    return "neutral-area"


def entry(state: BKState, nation: int) -> bytes:
    """For every space whether the nation's land units may go there, as `why_not_enter` says but for bystanders on
    hostile ground, who come and go."""
    here = ground(state)
    known = here.entries.get(nation)
    if known is None:
        found = atlas()
        owners = here.relations.owners_of(nation, FREE_ENTRY, HOSTILE_ENTRY, NO_ENTRY, NO_ENTRY)
        codes = bytearray(here.owners.translate(owners))
        for space in found.closed_spaces:
            codes[space] = NO_ENTRY
        if nation == found.bulgaria:
            for space in found.land:
                if found.home_of[space] == USSR:
                    codes[space] = NO_ENTRY
        known = here.entries[nation] = bytes(codes)
    return known


def may_enter(state: BKState, nation: int, space: int) -> bool:
    """The same as `why_not_enter`, without the reason."""
    code = entry(state, nation)[space]
    return code == FREE_ENTRY or (code == HOSTILE_ENTRY and _why_not_meet(state, nation, space) is None)


def _why_not_meet(state: BKState, nation: int, space: int) -> Refusal | None:
    """Who attacks an area attacks everybody of the other side in it: he must be at war with all of them.
    [bg-8.4-dow]"""
    side, war = state.side[nation], state.war[nation]
    for unit in state.here[space]:
        other = state.nation[unit]
        if state.side[other] != side and not war >> other & 1:
            return Refusal("bg-8.4-dow", "bystanders", space=f"@{atlas().space_ids[space]}")
    return None


def _kept_apart(state: BKState, nation: int, space: int) -> Refusal:
    rule = "bg-8.2-ussr-japan" if state.peace >= 0 else "bg-8.2-neutral-units"
    return Refusal(rule, "no-common-enemy", space=f"@{atlas().space_ids[space]}")


def side_leader(state: BKState, side: int, majors: list[int]) -> int:
    """Who decides for a side: the boss where he takes part, else the first who does. [bg-1.0-boss]"""
    boss = atlas().boss[side]
    if boss in majors or not majors:
        return boss
    return majors[0]


def randomly(m: BKPlay, majors: list[int], why: str) -> int:
    """One of several majors, drawn by a die."""
    return majors[0] if len(majors) == 1 else majors[m.roll(len(majors), why=why) - 1]


__all__ = [
    "ALLIES", "are_allied", "change_us_level", "declare", "defender_of", "end_war", "enter_war", "fight_of",
    "italy_joins", "join", "randomly", "set_up_minor", "set_war", "side_leader", "take_counters", "us_enters",
    "ussr_joins", "why_not_declare", "why_not_enter",
]  # fmt: skip
