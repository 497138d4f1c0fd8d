"""What the learned judgement looks at in Munich War 1938, besides what every game gives."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sandtable.core.judge import Judge

from ..model.atlas import SIDES
from ..model.state import M, MunichState
from .evaluate import hope
from .lore import turns_left


class MunichJudge(Judge[MunichState]):
    """The calendar, whose turn it is, and the points in danger."""

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        return {"turn": float(state.turn), "turns-left": float(turns_left(m)), "phasing": float(state.phasing)}

    def worth(self, m: M, role: str) -> float:
        side = SIDES.index(role)
        share = min(0.9999, max(0.0001, hope(m, side, max(0, m.state.phasing))))
        return math.log(share / (1 - share))


JUDGE = MunichJudge()
