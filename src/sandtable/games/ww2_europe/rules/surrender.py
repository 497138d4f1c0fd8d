"""Surrender of a major power: who must, what is lost, and who takes what."""

from __future__ import annotations

from sandtable.core.columns import put

from ..facts.control import active_powers
from ..facts.whereabouts import at
from ..model.atlas import ATLAS, NEUTRAL, NOBODY
from ..model.events import InitiativePassed, Surrendered
from ..model.kinds import GROUND
from ..model.state import AT_WAR, DEAD, OUT, M
from .land import new_owner, raze, set_owner
from .units import remove

A = ATLAS
K = ATLAS.kinds


def fallen(m: M) -> list[int]:
    """Return active powers that do not control their Major Flag space.  [w2e-surrender]"""
    state = m.state
    return [
        p for p in range(len(A.powers))
        if state.status[p] == AT_WAR and state.owner[A.capital[p]] != p
        and not (p == A.france and m.option("french-armistice"))
    ]  # fmt: skip


def claimants(m: M, power: int) -> list[int]:
    """Enemy powers that could be the conqueror: those with ground units in the capital.  [w2e-surrender-conqueror]"""
    state = m.state
    capital, side = A.capital[power], A.side[power]
    there = {
        state.power[u] for u in at(state, capital)
        if K.cls[state.kind[u]] == GROUND and A.side[state.power[u]] == 1 - side
    }  # fmt: skip
    found = [p for p in A.side_powers[1 - side] if p in there and state.status[p] == AT_WAR]
    if found:
        return found
    owner = state.owner[capital]
    if owner < NEUTRAL and A.side[owner] == 1 - side and state.status[owner] == AT_WAR:
        return [owner]
    return [*active_powers(state, 1 - side)[:1]]


def surrender(m: M, power: int, conqueror: int, *, pays: bool = True) -> None:
    """The power is out of the game.

    [w2e-surrender-units] [w2e-surrender-ally-spaces] [w2e-surrender-conqueror] [w2e-surrender-initiative]
    [w2e-control-ally-colour]
    """
    state = m.state
    heir = f"@{A.powers[conqueror]}" if conqueror >= 0 else "@nobody"
    m.emit(Surrendered(power=f"@{A.powers[power]}", conqueror=heir))
    lands = [s for s in A.land if state.owner[s] == power]
    allies = {s: _ally_on(m, s, power) for s in lands}
    strike(m, power)
    successor = next((p for p in active_powers(state, A.side[power]) if A.group[p] == A.group[power]), NOBODY)
    for minor, patron in enumerate(state.patron):
        if patron == power:
            state.patron = put(state.patron, minor, successor if successor >= 0 else NEUTRAL)
    for space in lands:
        ally = allies[space]
        if ally < 0 and A.minor_of[space] >= 0 and state.patron[A.minor_of[space]] == successor >= 0:
            ally = successor
        new = ally if ally >= 0 else conqueror
        if new < 0:
            continue
        if A.side[new] != A.side[power]:
            raze(state, space)
        set_owner(m, space, new_owner(state, space, new))
    if not pays:
        for space in A.land:
            if A.homeland[space] == power:
                state.no_income = put(state.no_income, space, 1)
    if conqueror >= 0:
        front = A.front_of[A.capital[power]][0]
        side = A.side[conqueror]
        if state.initiative[front] != side:
            state.initiative = put(state.initiative, front, side)
            m.emit(InitiativePassed(front=f"@{A.fronts[front]}", side=("@axis", "@allies")[side]))


def strike(m: M, power: int) -> None:
    """Remove all that belongs to a power: units, boxes, convoys, money."""
    state = m.state
    state.convoys = tuple(c for c in state.convoys if c.power != power)
    for unit, owner in enumerate(state.power):
        if owner == power and state.space[unit] != DEAD:
            for load, ship in enumerate(state.cargo_of):
                if ship == unit and state.power[load] != power:
                    remove(state, load)
            remove(state, unit)
    state.money, state.rps = put(state.money, power, 0), put(state.rps, power, 0)
    state.depots = put(state.depots, power, 0)
    state.status = put(state.status, power, OUT)
    for number, (owner, _) in enumerate(A.leaders):
        if owner == power:
            state.leader_dead = put(state.leader_dead, number, 1)
            state.leader_space = put(state.leader_space, number, NOBODY)
            state.leader_ship = put(state.leader_ship, number, NOBODY)


def _ally_on(m: M, space: int, power: int) -> int:
    state = m.state
    for unit in at(state, space):
        other = state.power[unit]
        if other != power and other < NEUTRAL and A.group[other] == A.group[power] and state.cargo_of[unit] < 0:
            return other
    return NOBODY
