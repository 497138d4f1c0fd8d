"""Optional 9.12 Fog of war: of an enemy stack only the top unit may be looked at."""

from __future__ import annotations

from random import Random

from .state import STATIONED, BKState


def hide_stacks(state: BKState, me: int) -> None:
    """[bg-opt-9.12-fog] what lies under the top counter of an enemy stack shows no strength."""
    if not state.options.get("fog-of-war"):
        return
    side = state.side[me] if me >= 0 else -1
    for units in state.here:
        for unit in covered(state, units, side):
            state.flipped[unit] = 0
            state.flags[unit] &= STATIONED


def covered(state: BKState, units: tuple[int, ...], side: int) -> list[int]:
    """Units of others that are not on top of one of their stacks of at most ten. [bg-opt-9.12-stack]"""
    out: list[int] = []
    for other in (0, 1, -1):
        if other == side and side >= 0:
            continue
        stack = [u for u in units if state.side[state.nation[u]] == other]
        out.extend(u for place, u in enumerate(stack) if place % STACK != STACK - 1 and place != len(stack) - 1)
    return out


STACK = 10


def show_stacks(state: BKState, rng: Random) -> None:
    """Nothing is drawn here: a covered unit is taken to be whole."""
