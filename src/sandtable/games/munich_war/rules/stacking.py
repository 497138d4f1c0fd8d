"""Stacking (chapter 9): which stacks break a limit, and whose loss helps."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.board import board, limit_broken_by
from ..facts.politics import side_of
from ..facts.stacking import ways_to_stay
from ..model.atlas import ATLAS, hex_name
from ..model.state import M, MunichState


def would_overstack(m: M, unit: int, at: int) -> Refusal | None:
    """Why a unit may not join a hex's stack."""
    limit = limit_broken_by(m.state, unit, at)
    return Refusal(*limit, hex=hex_name(at)) if limit else None


def overstacked(s: MunichState, side: int) -> list[int]:
    """Hexes of a side that break a limit, in the order of the countries and counters in them."""
    known = board(s)
    if not known.overfull:
        return []
    found = [at for at in known.overfull if side_of(s, known.stacks[at][0]) == side]
    return sorted(found, key=lambda at: min((ATLAS.units[unit].country, unit) for unit in known.stacks[at]))


def excess(s: MunichState, side: int) -> list[int]:
    """[mw-9.1-c] Units of the overstacked hexes that the owner may give up: an army or the corps with it, but no fort
    for too many corps."""
    found = []
    for at in overstacked(s, side):
        stack = board(s).stacks[at]
        ways = ways_to_stay(stack, at)
        found += [unit for unit in stack if not all(unit in kept for kept in ways)]
    return found
