"""Computer players of a host: they live on between decisions, and a failing one does not stop a match."""

from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import Match
from sandtable.host import computers
from sandtable.host.computers import Question, think
from sandtable.players import base
from sandtable.players.search import USUAL, Found, Outline, Plan
from sandtable.players.searcher import Searcher
from tests.demo.game import GAME


def question(match: Match[Any], level: str, name: str = "m1") -> Question:
    role = match.decisions()[0]
    view = match.view(role)
    packed = GAME.codec.pack(view.state)
    return Question(
        name, GAME.id, GAME.rules_version, role, level, "seed", match.number, tuple(view.asked), packed, 1.0
    )


@pytest.fixture(autouse=True)
def the_demo_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", "three-crowns=tests.demo.game:GAME")
    monkeypatch.setattr(base, "_LEVELS", {level: dict(makers) for level, makers in base._LEVELS.items()})
    computers._players.clear()


def test_a_player_lives_on_from_one_decision_to_the_next() -> None:
    made: list[int] = []

    class Counts(base.Recruit):
        asked = 0

        def __init__(self, *words: Any) -> None:
            super().__init__(*words)
            made.append(1)

        def decide(self, *words: Any) -> Any:
            self.asked += 1
            return super().decide(*words)

    base.register("captain", GAME.id, Counts)
    match: Match[Any] = Match.new(GAME, "war", seed=3)
    first = question(match, "captain")
    match.apply(first.role, match.parse(think(first).action))
    again = msgspec.structs.replace(question(match, "captain"), role=first.role)
    if first.role in match.decisions():
        think(again)
    think(first)
    assert made == [1]
    think(question(match, "captain", "m2"))
    assert made == [1, 1]  # another match, another player


@pytest.mark.parametrize("fails", ["raises", "wants what is not allowed"])
def test_a_player_that_fails_does_not_stop_the_match(fails: str) -> None:
    class Broken(base.Recruit):
        def decide(self, view: Any, offers: Any, budget: Any) -> Any:
            if fails == "raises":
                raise RuntimeError("lost the map")
            return match.parse(b'{"do": "end-moves"}')

    base.register("captain", GAME.id, Broken)
    match: Match[Any] = Match.new(GAME, "war", seed=3)
    asked = question(match, "captain")
    answer = think(asked)
    assert answer.fault
    assert match.why_not(asked.role, match.parse(answer.action)) is None
    assert not computers._players  # it is made anew next time


def test_a_patient_level_thinks_longer() -> None:
    given: list[float] = []

    class Slow(base.Recruit):
        patience = 4.0

        def decide(self, view: Any, offers: Any, budget: base.Budget) -> Any:
            given.append(budget.seconds)
            return super().decide(view, offers, budget)

    base.register("captain", GAME.id, Slow)
    match: Match[Any] = Match.new(GAME, "war", seed=3)
    think(question(match, "captain"))
    think(question(match, "recruit"))
    assert given == [4.0]
    assert [base.patience(level, GAME) for level in ("recruit", "captain")] == [1.0, 4.0]


def test_a_searching_player_tells_its_plans() -> None:
    class Finds(Searcher):
        def moment(self, view: Any) -> int:
            return int(view.number)

        def think(self, view: Any, budget: base.Budget) -> Found:
            return Found(USUAL, (Outline(USUAL, 0.6, 0.5, USUAL, 3, chance=0.6),), 3)

        def follow(self, plan: Plan) -> None:
            assert plan == USUAL

        def answer(self, view: Any, offers: Any, budget: base.Budget) -> Any:
            return offers.sample(Random(1))

    base.register("captain", GAME.id, Finds)
    match: Match[Any] = Match.new(GAME, "war", seed=3)
    thought = think(question(match, "captain"))
    assert not thought.fault
    assert [plan.value for plan in thought.plans] == [0.6]
    assert msgspec.json.decode(msgspec.json.encode(thought), type=computers.Thought) == thought
    assert think(question(match, "recruit")).plans == ()
