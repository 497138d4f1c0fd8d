"""The demonstration game with something to learn from: measures, and turns."""

from collections.abc import Mapping
from typing import ClassVar

from tests.demo.board import ROLES, UNITS_PER_ROLE
from tests.demo.game import ThreeCrowns
from tests.demo.state import DemoState


class Crowns(ThreeCrowns):
    """Counts steps, land and gold."""

    id: ClassVar[str] = "counted-crowns"

    def turn(self, state: DemoState) -> str:
        return str(state.turn)

    def measures(self, state: DemoState) -> Mapping[str, float]:
        found = {}
        for role, name in enumerate(ROLES):
            found[f"steps.{name}"] = float(sum(state.step[role * UNITS_PER_ROLE : (role + 1) * UNITS_PER_ROLE]))
            found[f"land.{name}"] = float(state.owner.count(role))
            found[f"gold.{name}"] = float(state.gold[role])
        return found


GAME = Crowns()
