"""Initiative: who moves first on each front next turn, and who is player A."""

from __future__ import annotations

from ..facts.control import active_powers, holdings
from ..facts.lanes import spaces_in
from ..facts.whereabouts import whereabouts
from ..model.atlas import ATLAS
from ..model.kinds import BASE
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

_FRONT_SPACES = tuple(sum(1 << space for space in spaces) for spaces in A.front_spaces)
"""Per front its land, and all its spaces, as sets of bits."""


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
    where = whereabouts(state)
    enemies = where.forces(1 - side) | where.ships(1 - side)
    for space in spaces_in(enemies & _FRONT_SPACES[front]):
        for unit in where.rows[space]:
            kind = state.kind[unit]
            if A.side[state.power[unit]] != 1 - side or K.must_avoid[kind] or K.cls[kind] == BASE:
                continue
            if state.status[state.power[unit]] != 1 or (lenient and K.cls[kind] == 2):
                continue
            return -1
    return side
