"""The Russian winter: where it is, and whom it hinders."""

from __future__ import annotations

from ..model.atlas import ATLAS, AXIS
from ..model.calendar import turn_name
from ..model.state import W2State

A = ATLAS
_WINTER = str(A.house["seasons"]["winter"])


def is_winter(s: W2State) -> bool:
    """Whether this is a winter turn."""
    return turn_name(s).startswith(_WINTER)


def in_russian_winter(s: W2State, side: int, space: int) -> bool:
    """Whether severe winter hinders a side's units in a space: the Axis on brown land.

    [w2e-winter-cv] [w2e-winter-move] [w2e-winter-cutoff]
    """
    return side == AXIS and space in A.brown and is_winter(s)
