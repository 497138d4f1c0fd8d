"""Blitz targets: the enemy land that can be attacked in the Blitzkrieg phase."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, IMPASSABLE, MOUNTAIN, WOODLAND
from ..model.state import W2State
from .control import control_side, land_of_side
from .winter import in_russian_winter

A = ATLAS
_ROUGH = tuple(
    "w2e-terrain-woodland" if terrain & WOODLAND
    else "w2e-terrain-mountain" if terrain & (MOUNTAIN | IMPASSABLE)
    else "" for terrain in A.terrain
)  # fmt: skip
"""Per space the rule of its terrain that keeps blitzes out, '' where none does."""


def target_bar(s: W2State, side: int, space: int) -> str:
    """Return the rule that forbids a side to attack a space in this phase; '' where it may.

    [w2e-blitz-purpose] [w2e-fortress-immune] [w2e-depot-supply] [w2e-terrain-woodland] [w2e-terrain-mountain]
    """
    if control_side(s, space) != 1 - side:
        return "w2e-blitz-purpose"
    if s.fortress[space]:
        return "w2e-fortress-immune"
    if s.depot[space]:
        return "w2e-depot-supply"
    if _ROUGH[space]:
        return _ROUGH[space]
    return "w2e-winter-move" if in_russian_winter(s, side, space) else ""


@fact("owner", "status", "fortress", "depot", "turn", "scenario")
def blitz_targets(s: W2State, side: int) -> frozenset[int]:
    """Return the land that a side may attack in this phase."""
    return frozenset(space for space in land_of_side(s, 1 - side) if not target_bar(s, side, space))
