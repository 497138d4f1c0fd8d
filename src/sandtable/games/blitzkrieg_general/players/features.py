"""What the learned judgement looks at in Blitzkrieg General, besides what every game gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core import Game
from sandtable.core.judge import Judge

from ..model.atlas import ATLAS, MAJORS, SIDES
from ..model.state import BKState, M
from .evaluate import evaluate

_SCALE = 60.0
"""The worth by hand that stands for one step of log odds."""


class BlitzkriegJudge(Judge[BKState]):
    """The calendar, and how much is left of every major country."""

    def parties(self, game: Game[Any], state: BKState) -> Mapping[str, tuple[str, ...]]:
        """The sides as they are now: free alliances may have changed them."""
        found = {name: tuple(MAJORS[n] for n in range(8) if state.side[n] == side) for side, name in enumerate(SIDES)}
        return {name: roles for name, roles in found.items() if roles}

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        return {"turn": float(state.turn), "turns-left": float(len(ATLAS.turns) - 1 - state.turn)}

    def worth(self, m: M, role: str) -> float:
        return evaluate(m.state, m.state.side[MAJORS.index(role)]) / _SCALE


JUDGE = BlitzkriegJudge()
