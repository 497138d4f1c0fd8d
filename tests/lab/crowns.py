"""The demonstration game with something to learn from: measures, turns, and a chronicle."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from sandtable.core import Chronicle, Milestone
from sandtable.core.chronicle import Seen, Watcher
from tests.demo.board import CAPITALS, ROLES, UNITS_PER_ROLE
from tests.demo.game import ThreeCrowns
from tests.demo.state import DemoState


class Annals(Chronicle[DemoState]):
    """The capital of red, and what a moment of peace would be."""

    milestones = (
        Milestone("begun", "the war has begun", "turn 1"),
        Milestone("red-falls", "the capital of red has fallen", "turn 3"),
        Milestone("peace", "nobody has a unit", "never"),
        Milestone("elsewhere", "asked in skirmishes only", scenarios=("skirmish",)),
    )

    def reached(self, state: DemoState) -> Iterator[str]:
        yield "begun"
        yield "elsewhere"
        if state.owner[CAPITALS[0]] != 0:
            yield "red-falls"
        if not any(state.step):
            yield "peace"

    def watch(self) -> Watcher[DemoState]:
        lost: set[int] = set()

        def look(before: DemoState, role: str, action: Any, after: DemoState) -> Iterator[Seen]:
            if before.turn == after.turn and before.gold != after.gold:
                yield "money spent"
            for owner, capital in enumerate(CAPITALS):
                if before.owner[capital] == owner != after.owner[capital] and owner not in lost:
                    lost.add(owner)
                    yield ROLES[owner], f"capital lost: {ROLES[owner]}"

        return look


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

    def chronicle(self) -> Chronicle[DemoState]:
        return Annals()


GAME = Crowns()
