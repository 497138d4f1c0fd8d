"""What a position is worth to a side, in dollars."""

from __future__ import annotations

from sandtable.games.ww2_europe.atlas import ATLAS, NEUTRAL
from sandtable.games.ww2_europe.lookup import control_side
from sandtable.games.ww2_europe.state import CUT_OFF, DEAD, W2State

from .aims import taken
from .sight import worth

A = ATLAS
K = ATLAS.kinds
_TROOPS = 0.9
"""How much a unit on the board is worth beside its price,"""
_LOST = 0.4
"""and one that is cut off."""
_VICTORY = 5000.0
_HALF_WAY = 200.0
"""The first of two capitals."""


def evaluate(state: W2State, side: int) -> float:
    """Land, troops and money of one side less those of the other."""
    if state.outcome is not None:
        if not state.outcome.winners:
            return 0.0
        return _VICTORY if A.side[A.power_index[state.outcome.winners[0]]] == side else -_VICTORY
    total = 0.0
    for space in A.land:
        holder = control_side(state, space)
        if holder >= 0:
            total += worth(state, space) if holder == side else -worth(state, space)
    for unit, space in enumerate(state.space):
        owner = state.power[unit]
        if space == DEAD or owner >= NEUTRAL:
            continue
        price = K.cost[state.kind[unit]] * (_LOST if state.flags[unit] & CUT_OFF else _TROOPS)
        total += price if A.side[owner] == side else -price
    for power in range(NEUTRAL):
        if taken(state, power):
            total += -_HALF_WAY if A.side[power] == side else _HALF_WAY
    return total
