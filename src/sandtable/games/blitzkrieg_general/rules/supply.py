"""6.1 and 6.6: the supply checks."""

from __future__ import annotations

from ..facts.supply import unsupplied
from ..model.state import OUT, BKState, mark_all, unmark_all


def check_supply(state: BKState) -> None:
    """Set every unit's status, for both sides, until the next check. [bg-6.1-times] [bg-6.6-second-check]"""
    unmark_all(state, OUT)
    mark_all(state, unsupplied(state), OUT)
