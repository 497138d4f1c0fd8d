"""Control of hexes (chapter 2.3) and terror markers (16.8)."""

from __future__ import annotations

from ..model.state import MunichState, unpack
from .board import board


def owned(s: MunichState, side: int) -> int:
    """The hexes that a side last took."""
    return unpack(s.owned[side])


def last_held(s: MunichState, side: int) -> int:
    """The hexes that a side was the last to occupy or started with."""
    return unpack(s.last[side])


def controlled(s: MunichState, side: int) -> int:
    """[mw-2.3-a] [mw-2.3-b] [mw-2.3-c] Hexes a side controls: its own, no enemy in them, no enemy zone on them."""
    known, enemy = board(s), 1 - side
    return owned(s, side) & ~(known.zoc[enemy] | known.occupied[enemy])


def disputed(s: MunichState) -> int:
    """[mw-2.3-disputed-a] [mw-2.3-disputed-b] Hexes that nobody controls because both sides lay claim to them."""
    known = board(s)
    a, b = known.zoc
    held_a, held_b = known.occupied
    return (held_a & b) | (held_b & a) | (a & b)


def terror(s: MunichState) -> int:
    """Hexes with a terror marker."""
    return unpack(s.terror)
