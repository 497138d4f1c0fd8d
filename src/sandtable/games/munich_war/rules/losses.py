"""Reductions, eliminations and withdrawals (chapters 7.3, 7.4, 11.17)."""

from __future__ import annotations

from ..model.atlas import ATLAS
from ..model.events import Eliminated, Reduced
from ..model.state import ALL_FLAGS, ELIMINATED, OUT, M, disembark, lay, set_steps, unmark


def reduce(m: M, unit: int, why: str) -> bool:
    """[mw-11.17-a] [mw-11.17-b] [mw-11.17-c] One step less; the last one eliminates. Returns whether it survives."""
    if m.state.steps[unit] > 1:
        set_steps(m.state, unit, m.state.steps[unit] - 1)
        m.state.clock += 1
        m.emit(Reduced(unit=ATLAS.units[unit].id))
        return True
    eliminate(m, unit, why)
    return False


def eliminate(m: M, unit: int, why: str) -> None:
    """[mw-7.3-g] [mw-11.17-c] [mw-16.4-c] Out of the game, into the Eliminated Units Display."""
    set_steps(m.state, unit, 0)
    unmark(m.state, unit, ALL_FLAGS)
    disembark(m.state, unit)
    lay(m.state, unit, ELIMINATED)
    m.emit(Eliminated(unit=ATLAS.units[unit].id, why=f"@why-{why}"))


def withdraw(m: M, unit: int) -> None:
    """[mw-7.4] [mw-7.2.1-late] Out of play, not eliminated."""
    unmark(m.state, unit, ALL_FLAGS)
    disembark(m.state, unit)
    lay(m.state, unit, OUT)
