"""Stacking (chapter 9): which stacks break a limit, and whose loss helps."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal

from ..facts.board import board, limit_broken_by
from ..facts.politics import side_of
from ..facts.stacking import units_too_many
from ..model.atlas import ATLAS, hex_name
from ..model.state import M, MunichState


def would_overstack(m: M, unit: int, at: int) -> Refusal | None:
    """Why a unit may not join a hex's stack."""
    limit = limit_broken_by(m.state, unit, at)
    return Refusal(*limit, hex=hex_name(at)) if limit else None


def overstacked(s: MunichState, side: int) -> list[int]:
    """Hexes of a side that break a limit, in the order of the countries and counters in them."""
    known = board(s)
    found = [at for at in known.overfull if side_of(s, known.stacks[at][0]) == side]
    return sorted(found, key=lambda at: min((ATLAS.units[unit].country, unit) for unit in known.stacks[at]))


def excess(s: MunichState, side: int) -> list[int]:
    """Units of the overstacked hexes whose loss helps."""
    stacks = board(s).stacks
    return [unit for at in overstacked(s, side) for unit in stacks[at] if helps(stacks[at], unit, at)]


def helps(stack: Sequence[int], unit: int, at: int) -> bool:
    """Whether taking a unit away brings a stack nearer to the limits: a fort does not pay for too many corps."""
    rest = [other for other in stack if other != unit]
    return units_too_many(rest, at) < units_too_many(stack, at)
