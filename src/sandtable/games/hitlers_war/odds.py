"""Exact odds of this game's battles: every die is listed, nothing is simulated."""

from __future__ import annotations

from sandtable.core import Action, Odds

from .state import Playing


def preview(m: Playing, action: Action) -> Odds | None:
    """The distribution of what an action would start; None where no dice would fall."""
    return None
