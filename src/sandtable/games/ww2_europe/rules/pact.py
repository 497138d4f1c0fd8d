"""The Nazi-Soviet Non-Aggression Pact: what each side must hold at the end of a turn."""

from __future__ import annotations

from ..facts.names import unit_name
from ..facts.whereabouts import at
from ..model.atlas import ATLAS, NEUTRAL
from ..model.events import Lost, PactBroken
from ..model.kinds import GROUND
from ..model.state import AT_WAR, NEUTRAL_POWER, M
from .land import give_up, raze, set_owner
from .units import remove

A = ATLAS
K = ATLAS.kinds
NEED = int(A.rules["pact"]["ground_sp_in_poland_each"])


def garrison(m: M, power: int) -> int:
    """Return the Stack Points of a power's ground units in Poland."""
    state = m.state
    return sum(
        K.stack[state.kind[u]] for space in A.poland for u in at(state, space)
        if state.power[u] == power and K.cls[state.kind[u]] == GROUND
    )  # fmt: skip


def check_pact(m: M) -> None:
    """The test at the end of each turn.  [w2e-pact-german] [w2e-pact-soviet]"""
    state = m.state
    if not state.pact or state.status[A.ussr] != NEUTRAL_POWER or state.status[A.germany] != AT_WAR:
        return
    state.breach = 0
    west, east = A.pact_german, [s for s in A.pact_soviet if s in A.poland]
    if garrison(m, A.germany) < NEED or any(state.owner[s] != A.germany for s in west):
        state.breach = 1
        m.emit(PactBroken(power="@germany"))
        return  # who does not hold its own share is given nothing of the other's
    poland_lost = garrison(m, A.ussr) < NEED or any(state.owner[s] != A.ussr for s in east)
    others = [s for s in A.pact_soviet if s not in A.poland and state.owner[s] != A.ussr]
    if poland_lost or others:
        m.emit(PactBroken(power="@ussr"))
        state.breach = 2
    for space in [*(A.poland if poland_lost else ()), *others]:
        _to_germany(m, space)


def _to_germany(m: M, space: int) -> None:
    state = m.state
    for unit in at(state, space):
        owner = state.power[unit]
        if A.side[owner] != 0 and state.cargo_of[unit] < 0:
            name = f"@{A.powers[owner]}" if owner < NEUTRAL else "@neutral"
            m.emit(Lost(unit=unit_name(state, unit), power=name, why="w2e-pact-soviet"))
            remove(state, unit)
    if state.owner[space] != A.germany:
        raze(state, space)
        set_owner(m, space, A.germany)
    give_up(state, A.minor_of[space])
