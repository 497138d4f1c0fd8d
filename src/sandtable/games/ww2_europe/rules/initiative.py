"""Initiative: who moves first on each front next turn, and who is player A."""

from __future__ import annotations

from ..facts.control import active_powers, holdings
from ..facts.roster import roster
from ..model.atlas import ATLAS
from ..model.kinds import BASE, NAVAL
from ..model.state import M, W2State

A = ATLAS
K = ATLAS.kinds


def player_a(state: W2State) -> int:
    """The side with more markers; a tie leaves things as they were.  [w2e-movement-order]"""
    axis = state.initiative.count(0)
    allies = len(state.initiative) - axis
    if axis == allies:
        return state.first
    return 0 if axis > allies else 1


_FRONT_LAND = tuple(sum(1 << space for space in lands) for lands in A.front_land)
"""Per front its land, as a set of bits."""


def held_alone(m: M, front: int) -> int:
    """The side that holds all land of a front that is not neutral, with no enemy unit but submarines and transports.

    [w2e-initiative-auto] [w2e-armistice-italian-med]
    """
    state, held = m.state, holdings(m.state)
    holders = [side for side in (0, 1) if held.held_by(active_powers(state, side)) & _FRONT_LAND[front]]
    if len(holders) != 1:
        return -1
    side = holders[0]
    lenient = side == 1 and A.fronts[front] == "mediterranean" and m.option("italian-armistice")
    for power in active_powers(state, 1 - side):
        for unit in roster(state).of[power]:
            kind, space = state.kind[unit], state.space[unit]
            harmless = K.must_avoid[kind] or K.cls[kind] == BASE or (lenient and K.cls[kind] == NAVAL)
            if space >= 0 and not harmless and front in A.front_of[space]:
                return -1
    return side
