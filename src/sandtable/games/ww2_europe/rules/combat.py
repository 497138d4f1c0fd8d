"""What the stages of combat share."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.atlas import ATLAS
from ..model.state import M

A = ATLAS
MAJOR = 100
"""In `attacked`, a major power stands as MAJOR plus its number."""


def battle_counts(m: M, space: int, defenders: Sequence[int]) -> bool:
    """Whether a battle counts for initiative: not against a neutral caught by surprise.

    [w2e-initiative-excluded]
    """
    state = m.state
    land = A.land_at[space]
    if any(land in A.minor_spaces[minor] for minor in state.attacked if minor < MAJOR):
        return False
    return not any(MAJOR + state.power[u] in state.attacked for u in defenders)
