"""Units on the board: they are moved, put on it and taken off it, with all that they carry."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.columns import put, put_all

from ..facts.whereabouts import cargo
from ..model.atlas import ATLAS
from ..model.state import DEAD, W2State
from ..model.units import empty_slot

K = ATLAS.kinds
CARRIES = tuple(K.base[kind] == K.transport or wing > 0 for kind, wing in enumerate(K.air_wing))
"""Kinds of ships that may have something aboard."""


def loaded(s: W2State, unit: int) -> tuple[int, ...]:
    """Return a unit and whatever it carries."""
    return (unit, *cargo(s, unit)) if CARRIES[s.kind[unit]] else (unit,)


def place(s: W2State, unit: int, space: int) -> None:
    """Put a unit and whatever it carries into a space."""
    s.space = put_all(s.space, loaded(s, unit), space)


def place_all(s: W2State, units: Iterable[int], space: int) -> None:
    """Put several units and whatever they carry into a space."""
    s.space = put_all(s.space, [each for unit in units for each in loaded(s, unit)], space)


def settle(s: W2State, unit: int, space: int) -> None:
    """Put a unit into a space that is its home from now on."""
    place(s, unit, space)
    s.home = put(s.home, unit, space)


def remove(s: W2State, unit: int) -> None:
    """Take a unit off the board with all that it carries."""
    if CARRIES[s.kind[unit]]:
        for load in cargo(s, unit):
            remove(s, load)
    s.space = put_all(s.space, (unit,), DEAD)
    empty_slot(s, unit)
