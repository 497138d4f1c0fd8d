"""Terrain: where tanks and mech cannot stop."""

from __future__ import annotations

from sandtable.core import Refusal

from ..model.atlas import ATLAS, DESERT, IMPASSABLE

A = ATLAS
K = ATLAS.kinds
HEAVY = tuple(base in (K.tank, K.mech) for base in K.base)
"""Kinds of unit that need open country."""


def can_stand(kind: int, space: int) -> bool:
    """Whether terrain lets a kind of ground unit stop in a space.  [w2e-terrain-desert] [w2e-terrain-impassable]"""
    return not (HEAVY[kind] and A.terrain[space] & (IMPASSABLE | DESERT))


def terrain_refusal(kind: int, space: int) -> Refusal | None:
    """Why terrain keeps a kind of ground unit out of a space."""
    if can_stand(kind, space):
        return None
    rule = "w2e-terrain-desert" if A.terrain[space] & DESERT else "w2e-terrain-impassable"
    return Refusal(rule, space=A.told[space])
