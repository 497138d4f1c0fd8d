"""Positions of the demonstration game."""

from __future__ import annotations

from typing import Any, Self

from sandtable import testing
from sandtable.core.columns import put

from .board import INDEX, ROLES, SPACES
from .game import GAME
from .state import NOWHERE, DemoState
from .steps import UNIT


class Position(testing.Position[DemoState]):
    """The map without units; everybody owns a capital."""

    game = GAME

    def start(self, scenario: str, options: dict[str, Any]) -> DemoState:
        state = super().start(scenario, options)
        state.space, state.step = (NOWHERE,) * len(state.space), (0,) * len(state.step)
        return state

    def put(self, unit: str, at: str, steps: int = 2) -> Self:
        state = self.state
        state.space = put(state.space, UNIT[unit], INDEX[at])
        state.step = put(state.step, UNIT[unit], steps)
        return self

    def own(self, role: str, *places: str) -> Self:
        for place in places:
            self.state.owner = put(self.state.owner, INDEX[place], ROLES.index(role))
        return self

    def where(self, unit: str) -> str | None:
        at = self.state.space[UNIT[unit]]
        return None if at == NOWHERE else SPACES[at]
