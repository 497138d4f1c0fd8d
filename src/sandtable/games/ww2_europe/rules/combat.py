"""Combat: which battles count for initiative."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.atlas import ATLAS
from ..model.state import M, W2State

A = ATLAS
MAJOR = 100
"""In `attacked`, a major power stands as MAJOR plus its number."""


def battle_counts(m: M, space: int, defenders: Sequence[int]) -> bool:
    """Whether a battle counts for initiative: not against a neutral caught by surprise.

    [w2e-initiative-excluded]
    """
    state = m.state
    land = A.land_at[space]
    if is_caught(state, land):
        return False
    return not any(MAJOR + state.power[u] in state.attacked for u in defenders)


def is_caught(s: W2State, land: int) -> bool:
    """Whether land is within the borders of a minor that was attacked this turn."""
    return any(land in A.minor_spaces[minor] for minor in s.attacked if minor < MAJOR)
