"""Victory Conditions."""

from __future__ import annotations

from ..facts.control import control_side
from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.state import M, W2State

A = ATLAS


def flags_held(state: W2State, side: int) -> list[int]:
    """Powers whose Major Flag space a side controls; a neutral major holds its own for its side."""
    found = []
    for power, capital in enumerate(A.capital):
        holder = control_side(state, capital)
        if holder < 0 and state.owner[capital] == power:
            holder = A.side[power]
        if holder == side:
            found.append(power)
    return found


def check_victory(m: M) -> bool:
    """Total victory, or the count of flags after the last turn.

    [w2e-victory-axis] [w2e-victory-allies] [w2e-victory-minor]
    """
    state = m.state
    axis = [A.powers[p] for p in A.side_powers[0]]
    allies = [A.powers[p] for p in A.side_powers[1]]
    held = flags_held(state, 0), flags_held(state, 1)
    if all(power in held[1] for power in A.side_powers[0]):
        m.end(allies, "total", "w2e-victory-allies")
    elif sum(1 for power in held[0] if A.side[power] == 1) >= 2:
        m.end(axis, "total", "w2e-victory-axis")
    elif state.turn + 1 >= len(turn_track(state.scenario)):
        if len(held[0]) == len(held[1]):
            m.end((), "draw", "w2e-victory-minor")
        else:
            m.end(axis if len(held[0]) > len(held[1]) else allies, "minor", "w2e-victory-minor")
    else:
        return False
    return True
