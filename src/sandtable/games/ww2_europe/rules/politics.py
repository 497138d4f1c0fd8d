"""Neutrality and Minor Allies: who may declare war, activation, dated entries, Surprise by politics."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.access import neutral_minors
from ..facts.control import active_powers, speaker
from ..facts.roster import roster
from ..facts.whereabouts import at
from ..model.atlas import ATLAS, AXIS, NEUTRAL, NOBODY
from ..model.calendar import date_key, has_come, turn_name
from ..model.events import Entered, Joined, Noted
from ..model.kinds import BASE, GROUND
from ..model.state import AT_WAR, NEUTRAL_POWER, SURPRISED, M, W2State
from ..model.units import add_unit, mark, mark_all
from .combat import MAJOR
from .land import set_owner
from .stacking import ground_room
from .units import remove

A = ATLAS
K = ATLAS.kinds


def patron_for(state: W2State, attacker: int) -> int:
    """Whose ally an attacked minor becomes: Germany's or Great Britain's, or who speaks for them.  [w2e-minor-ally]"""
    wanted = A.britain if attacker == 0 else A.germany
    return wanted if state.status[wanted] == AT_WAR else speaker(state, 1 - attacker)


def targets(m: M, power: int) -> list[str]:
    """Return the countries on which a power may declare war now.  [w2e-attack-neutral-announce]"""
    neutral = [A.minors[minor] for minor in neutral_minors(m.state)]
    return [name for name in (*neutral, *A.powers) if declare_refusal(m, power, name) is None]


def _pact_is_young(state: W2State) -> bool:
    """Whether Germany may not yet attack the USSR without a breach of the pact."""
    return not has_come(state, A.house["dates"]["german_attack_on_ussr"])


def declare_refusal(m: M, power: int, country: str) -> Refusal | None:
    """Why a power may not attack a country.  [w2e-pact-partition] [w2e-neutrality]"""
    state = m.state
    side = A.side[power]
    if country in A.minor_index:
        if A.minor_index[country] not in neutral_minors(state):
            return Refusal("w2e-neutrality", "no-neutral", country=f"@{country}")
        if state.status[power] != AT_WAR:
            return Refusal("w2e-neutrality", "still-neutral", power=f"@{A.powers[power]}")
        if side == AXIS and state.pact and set(A.minor_spaces[A.minor_index[country]]) <= set(A.pact_soviet):
            return Refusal("w2e-pact-partition", "pact-minor", country=f"@{country}")
        return None
    other = A.power_index.get(country, NOBODY)
    if other < 0:
        return Refusal("w2e-neutrality", "no-neutral", country=country)
    if power == A.ussr and state.status[power] == NEUTRAL_POWER:
        if A.side[other] == 0 and state.status[other] == AT_WAR and other == A.germany and state.breach == 1:
            return None
        return Refusal("w2e-pact-german", "no-breach")
    if state.status[power] != AT_WAR:
        return Refusal("w2e-neutrality", "still-neutral", power=f"@{A.powers[power]}")
    if state.status[other] != NEUTRAL_POWER or A.side[other] == side:
        return Refusal("w2e-neutrality", "no-neutral", country=f"@{country}")
    if other == A.ussr and state.pact and state.breach != 2 and _pact_is_young(state):
        return Refusal("w2e-pact-partition", "pact-holds")
    return None


# ---- minors ----------------------------------------------------------------------------------------------------------
def attack_minor(m: M, minor: int, attacker: int) -> None:
    """A neutral minor is attacked: it joins the other side, and all units within its borders are Surprised.

    [w2e-neutral-minor] [w2e-minor-ally-surprise] [w2e-armistice-french-colonies]
    """
    state = m.state
    patron = patron_for(state, attacker)
    parts = [minor, *(c for c in A.colonies if state.patron[c] == NOBODY)] if minor == A.vichy else [minor]
    for part in parts:
        join(m, part, patron)
        state.attacked = (*state.attacked, part)
    spaces = {s for part in parts for s in A.minor_spaces[part]}
    surprise_spaces(m, spaces)
    if minor == A.vichy:
        state.vichy = False


def join(m: M, minor: int, patron: int) -> None:
    """A minor becomes an ally: its land is its patron's, its army stands up.  [w2e-minor-ally]"""
    state = m.state
    state.patron = put(state.patron, minor, patron)
    m.emit(Joined(country=f"@{A.minors[minor]}", power=f"@{A.powers[patron]}"))
    own = [s for s in A.minor_spaces[minor] if state.owner[s] == NEUTRAL]
    for space in own:
        set_owner(m, space, patron)
        state.start_owner = put(state.start_owner, space, patron)
    for space in own:
        for unit in at(state, space):
            if K.cls[state.kind[unit]] == BASE and A.side[state.power[unit]] == 1 - A.side[patron]:
                remove(state, unit)  # an airbase left in what is now enemy land is captured
    standing = False
    for space in (*own, *(A.port_of_land[s] for s in own)):
        if space >= 0:
            for unit in at(state, space):
                if state.power[unit] == NEUTRAL:
                    state.power = put(state.power, unit, patron)
                    state.home = put(state.home, unit, space)
                    standing = True
    if standing or minor == A.vichy or minor in A.colonies:
        return
    for place, stack in A.minor_forces[minor].items():
        space = A.index[place]
        land = space if A.is_land[space] else A.land_of_port[space]
        if land in own:
            for name, count in stack.items():
                for _ in range(count):
                    kind = K.index[name]
                    full = K.cls[kind] == GROUND and ground_room(state, land, A.side[patron]) < K.stack[kind]
                    if not full:
                        add_unit(state, kind, patron, space)


def surprise_spaces(m: M, spaces: set[int]) -> None:
    """All units within borders are Surprised for this turn.  [w2e-surprise-who]"""
    state = m.state
    for space in spaces:
        for place in (space, A.port_of_land[space]):
            if place >= 0:
                for unit in at(state, place):
                    if A.side[state.power[unit]] == A.side[state.owner[space]]:
                        mark(state, unit, SURPRISED)


def reinforce_surprise(m: M, unit: int, space: int) -> None:
    """A unit that comes to help a country under its first attack is Surprised too.  [w2e-surprise-who]"""
    state = m.state
    for country in state.attacked:
        if country < MAJOR:
            here, helped = space in A.minor_spaces[country], state.patron[country]
        else:
            here, helped = state.start_owner[space] == country - MAJOR, country - MAJOR
        if here and A.side[state.power[unit]] == A.side[helped] >= 0:
            mark(state, unit, SURPRISED)


# ---- majors ----------------------------------------------------------------------------------------------------------
def enter_war(m: M, power: int) -> None:
    """A neutral major power enters the war.  [w2e-neutral-dates]"""
    state = m.state
    state.status = put(state.status, power, AT_WAR)
    if power == A.ussr:
        state.pact = False
        state.breach = 0
    m.emit(Entered(power=f"@{A.powers[power]}"))


def attack_major(m: M, power: int) -> None:
    """A neutral major is attacked: in the war at once, all units of it and in its land Surprised this turn.

    [w2e-neutrality] [w2e-surprise-who]
    """
    state = m.state
    enter_war(m, power)
    state.attacked = (*state.attacked, MAJOR + power)
    _surprise(state, power)
    surprise_spaces(m, {space for space in A.land if state.owner[space] == power})


def _surprise(s: W2State, power: int) -> None:
    """All units of a power on the board are Surprised this turn."""
    mark_all(s, [unit for unit in roster(s).of[power] if s.space[unit] >= 0], SURPRISED)


def entry_date(power: int) -> str:
    """When a power enters by itself; '' for those in the war from the start."""
    return str(A.house["entry"].get(A.powers[power], ""))


def before_its_date(state: W2State, power: int) -> bool:
    """Whether a power fights before the turn in which it would have entered.  [w2e-neutral-income]"""
    date = entry_date(power)
    return bool(date) and date_key(turn_name(state)) < date_key(date)


def dated_entries(m: M) -> None:
    """What the calendar brings at the beginning of a turn.  [w2e-neutral-dates] [w2e-march-bolshevism]"""
    state = m.state
    for power in range(len(A.powers)):
        date = entry_date(power)
        if date and state.status[power] == NEUTRAL_POWER and has_come(state, date):
            enter_war(m, power)
    if turn_name(state) == A.house["dates"]["march_against_bolshevism"]:
        for minor, when in enumerate(A.minor_joins):
            if when and state.patron[minor] == NOBODY and active_powers(state, 0):
                patron = A.germany if state.status[A.germany] == AT_WAR else speaker(state, 0)
                join(m, minor, patron)


def dated_surprise(m: M) -> None:
    """Poland, France and Britain in fall 1939, Greece in spring 1941.

    [w2e-poland-surprised] [w2e-greece-surprised] [w2e-surprise-fall-1939]
    """
    state = m.state
    for row in A.house["surprised"].values():
        if row["turn"] != turn_name(state):
            continue
        for name in row["powers"]:
            power = A.power_index[name]
            if state.status[power] == AT_WAR:
                _surprise(state, power)
        for name in row["countries"]:
            minor = A.minor_index[name]
            if 0 <= state.patron[minor] < NEUTRAL and A.side[state.patron[minor]] == 1:
                state.attacked = (*state.attacked, minor)
                surprise_spaces(m, set(A.minor_spaces[minor]))
                m.emit(Noted(note="@note-surprised", place=f"@{name}"))
