"""What the learned judgement looks at in World War II in Europe, besides what every game gives."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.judge import Judge

from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.state import M, W2State
from .evaluate import outlook

A = ATLAS
_SCALE = 150.0
"""The worth by hand that stands for one step of log odds."""


class EuropeJudge(Judge[W2State]):
    """The calendar, and how it stands with every capital."""

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        return {"turn": float(state.turn), "turns-left": float(len(turn_track(state.scenario)) - 1 - state.turn)}

    def worth(self, m: M, role: str) -> float:
        return outlook(m, A.side[A.power_index[role]]) / _SCALE


JUDGE = EuropeJudge()
