"""What a position is worth to a side, in dollars."""

from __future__ import annotations

from math import fsum

from ..facts.control import control_side
from ..model.atlas import ATLAS, NEUTRAL
from ..model.state import AT_WAR, CUT_OFF, DEAD, M, W2State
from .aims import taken
from .sight import Sight, rate, worth

A = ATLAS
K = ATLAS.kinds
_TROOPS = 0.9
"""How much a unit on the board is worth beside its price,"""
_LOST = 0.4
"""and one that is cut off."""
_VICTORY = 5000.0
_HALF_WAY = 200.0
"""The first of two capitals."""
_DANGER = 250.0
"""What it costs if a capital is sure to fall next."""
_FURTHER = 0.6
"""How much those count who are two steps away."""
_FULL = 5.0
"""Hits in a round of the best troops that fit into one space."""
_EVEN = 1.5
"""The square of the superiority at which a capital falls every other time."""


def evaluate(state: W2State, side: int) -> float:
    """Return land, troops and money of one side less those of the other."""
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


def outlook(m: M, side: int) -> float:
    """Return the same, and how likely it seems that capitals fall next."""
    state, total = m.state, evaluate(m.state, side)
    if state.outcome is not None:
        return total
    at_war = [[p for p in A.side_powers[s] if state.status[p] == AT_WAR] for s in (0, 1)]
    sights = {s: Sight(m, powers[0]) for s, powers in enumerate(at_war) if powers}
    for power, capital in enumerate(A.capital):
        if state.status[power] == AT_WAR and not taken(state, power):
            danger = _DANGER * falls(sights[A.side[power]], capital)
            total += -danger if A.side[power] == side else danger
    return total


def falls(sight: Sight, capital: int) -> float:
    """Roughly the chance that a capital of this sight's side falls to those who stand near it."""
    near = {there for there, _, _ in A.land_links[capital]}
    wide = {there for s in near for there, _, _ in A.land_links[s]} - near - {capital}
    state, other = sight.state, 1 - sight.side
    feet, wings = 0.0, 0.0
    for space in (*near, *wide):
        share = 1.0 if space in near else _FURTHER
        feet += share * fsum(rate(state, u, capital, defending=False) for u in sight.ground[other].get(space, ()))
        wings += share * fsum(rate(state, u, capital, defending=False) for u in sight.air[other].get(space, ()))
    blow = min(feet, _FULL) + min(wings, feet)
    wall = fsum(rate(state, u, capital, defending=True) for u in sight.mine(capital)) + 0.1
    share = blow / wall
    return share * share / (_EVEN + share * share)
