"""Victory Conditions."""

from __future__ import annotations

from ..facts.control import control_side
from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.state import M, W2State

A = ATLAS
_ALLIED_FLAGS = 2
"""Allied Major Flags that the Axis needs."""


def flags_held(state: W2State, side: int) -> list[int]:
    """Return powers whose Major Flag space a side controls; a neutral major holds its own for its side."""
    found = []
    for power, capital in enumerate(A.capital):
        holder = control_side(state, capital)
        if holder < 0 and state.owner[capital] == power:
            holder = A.side[power]
        if holder == side:
            found.append(power)
    return found


def total_victors(state: W2State) -> list[int]:
    """Return the sides that hold the Major Flags they need.  [w2e-victory-axis] [w2e-victory-allies]"""
    held = flags_held(state, 0), flags_held(state, 1)
    allies = all(power in held[1] for power in A.side_powers[0])
    axis = sum(1 for power in held[0] if A.side[power] == 1) >= _ALLIED_FLAGS
    return [side for side, has_won in ((0, axis), (1, allies)) if has_won]


def both_victorious(m: M) -> bool:
    """End the match in a draw if both sides reach total victory in one turn.

    It is tested before powers surrender: a capital lost in the same turn would hand its conquests to the enemy.
    [w2e-victory-axis] [w2e-victory-allies]
    """
    both = len(total_victors(m.state)) > 1
    if both:
        m.end((), "draw", "w2e-victory-axis")
    return both


def check_victory(m: M) -> bool:
    """Total victory, or the count of flags after the last turn.

    [w2e-victory-axis] [w2e-victory-allies] [w2e-victory-minor]
    """
    state = m.state
    axis = [A.powers[p] for p in A.side_powers[0]]
    allies = [A.powers[p] for p in A.side_powers[1]]
    held, won = (flags_held(state, 0), flags_held(state, 1)), total_victors(state)
    if 1 in won:
        m.end(allies, "total", "w2e-victory-allies")
    elif 0 in won:
        m.end(axis, "total", "w2e-victory-axis")
    elif state.turn + 1 >= len(turn_track(state.scenario)):
        if len(held[0]) == len(held[1]):
            m.end((), "draw", "w2e-victory-minor")
        else:
            m.end(axis if len(held[0]) > len(held[1]) else allies, "minor", "w2e-victory-minor")
    else:
        return False
    return True
