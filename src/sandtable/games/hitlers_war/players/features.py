"""What the learned judgement looks at in Hitler's War, besides what every game gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core import Game
from sandtable.core.judge import Judge

from ..model.atlas import SIDES
from ..model.state import M, War
from ..rules.victory import last_turn, two_players
from .evaluate import evaluate

_SCALE = 40.0
"""The worth by hand that stands for one step of log odds."""


class WarJudge(Judge[War]):
    """Three players win each for themselves."""

    def parties(self, game: Game[Any], state: War) -> Mapping[str, tuple[str, ...]]:
        roles = tuple(SIDES[side] for side in state.setting.order)
        if two_players(state) or len(roles) < len(SIDES):
            return {roles[0]: roles[:1], SIDES[-1]: roles[1:]}
        return {role: (role,) for role in roles}

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        return {"turn": float(state.turn), "turns-left": float(last_turn(state) - state.turn)}

    def worth(self, m: M, role: str) -> float:
        return evaluate(m.state, SIDES.index(role)) / _SCALE


JUDGE = WarJudge()
