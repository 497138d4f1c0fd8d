"""Taking control of hexes (chapter 2.3)."""

from __future__ import annotations

from ..facts.board import board
from ..facts.control import last_held, owned
from ..facts.politics import side_of
from ..model.atlas import ALLIES, ATLAS, AXIS
from ..model.state import M, credit, give


def occupy(m: M, side: int, hexes: int) -> None:
    """[mw-2.3-a] [mw-2.3-c] A side's units have entered or passed these hexes: it is the last occupier, and takes
    those that lie in no enemy zone."""
    state = m.state
    disputed = hexes & board(state).zoc[1 - side]
    free, last = hexes ^ disputed, last_held(state, side)
    if free & ~(owned(state, side) & last):
        give(state, side, free)
    if disputed & ~last:
        credit(state, side, disputed)


def hold(m: M, unit: int, at: int) -> None:
    """A unit stands in a hex."""
    if ATLAS.land >> at & 1:
        occupy(m, side_of(m.state, unit), 1 << at)


def settle_control(m: M) -> None:
    """At the end of a phase hexes that are occupied and free of enemy zones belong to their occupier."""
    for side in (AXIS, ALLIES):
        occupy(m, side, board(m.state).occupied[side] & ATLAS.land)
