"""Control of hexes (chapter 2.3) and terror markers (16.8)."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import ALLIES, ATLAS, AXIS
from ..model.state import MunichState
from .board import board


def owned(s: MunichState, side: int) -> int:
    """The hexes that a side last took."""
    return int.from_bytes(s.owned[side], "little")


def last_held(s: MunichState, side: int) -> int:
    """The hexes that a side was the last to occupy or started with."""
    return int.from_bytes(s.last[side], "little")


@fact("where", "side", "owned")
def controlled(s: MunichState) -> tuple[int, int]:
    """[mw-2.3-a] [mw-2.3-b] [mw-2.3-c] By side, the hexes it controls: its own, no enemy in them, no enemy zone."""
    known = board(s)
    (axis_zone, allied_zone), (axis, allies) = known.zoc, known.occupied
    return owned(s, AXIS) & ~(allied_zone | allies), owned(s, ALLIES) & ~(axis_zone | axis)


@fact("where", "side", "owned", "terror")
def working(s: MunichState) -> tuple[int, int]:
    """By side, the hexes it controls without a terror marker: cities that work."""
    calm = ~terror(s)
    axis, allies = controlled(s)
    return axis & calm, allies & calm


def disputed(s: MunichState) -> int:
    """[mw-2.3-disputed-a] [mw-2.3-disputed-b] Hexes that nobody controls because both sides lay claim to them."""
    known = board(s)
    a, b = known.zoc
    held_a, held_b = known.occupied
    return (held_a & b) | (held_b & a) | (a & b)


def terror(s: MunichState) -> int:
    """Hexes with a terror marker."""
    return int.from_bytes(s.terror, "little")


def claims(s: MunichState, side: int, hexes: int) -> tuple[int, int]:
    """[mw-2.3-a] [mw-2.3-c] What a side that enters or passes these hexes gains: those in no enemy zone to take, the
    others only as their last occupier; 0 where it has them already."""
    hard = hexes & board(s).zoc[1 - side]
    free, last = hexes ^ hard, last_held(s, side)
    return free if free & ~(owned(s, side) & last) else 0, hard if hard & ~last else 0


@fact("where", "side", "owned", "last")
def occupiers_claims(s: MunichState) -> tuple[tuple[int, int], tuple[int, int]]:
    """By side, what it gains where its units stand; the two sides never stand in the same hex."""
    axis, allies = board(s).occupied
    return claims(s, AXIS, axis & ATLAS.land), claims(s, ALLIES, allies & ATLAS.land)
