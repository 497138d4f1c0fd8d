"""Initiative: who moves first on each front next turn, and who is player A."""

from __future__ import annotations

from sandtable.core import Step
from sandtable.core.columns import put

from ..model.atlas import ATLAS, SIDES
from ..model.events import InitiativePassed
from ..model.state import M
from .initiative import held_alone

A = ATLAS
K = ATLAS.kinds


class Initiative(Step, frozen=True, tag="initiative"):
    """Markers change hands.  [w2e-initiative-count] [w2e-initiative-auto]"""

    rule = "w2e-initiative-count"

    def run(self, m: M) -> None:
        state = m.state
        for front in range(len(A.fronts)):
            axis, allies = state.wins[2 * front], state.wins[2 * front + 1]
            new = held_alone(m, front)
            if new < 0:
                new = 0 if axis > allies else 1 if allies > axis else state.initiative[front]
            if new != state.initiative[front]:
                state.initiative = put(state.initiative, front, new)
                m.emit(InitiativePassed(front=f"@{A.fronts[front]}", side=f"@{SIDES[new]}"))
        state.wins = (0,) * len(state.wins)
        m.pop()
