"""The referee's chair: it sees every decision of played and saved matches, and finds a difference that is planted."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.core import Action, Difference, Event, Match, Offers, SandtableError, Unknown
from sandtable.core.columns import put
from sandtable.core.data import Resign
from sandtable.lab.referee import Case, played, saved
from sandtable.testing import random_play
from tests.demo import steps
from tests.demo.board import CAPITALS, ROLES
from tests.demo.game import GAME, ThreeCrowns
from tests.demo.state import DemoState, Recruit


class Bookkeeper:
    """A referee of gold: a province gives one a turn, and steps cost one each, at a capital in its owner's hands."""

    def __init__(self) -> None:
        self.watched: list[Action] = []
        self.looked = 0

    def watch(
        self, before: DemoState, role: str, action: Action, after: DemoState, events: Sequence[Event]
    ) -> Iterator[Difference]:
        self.watched.append(action)
        expected = list(before.gold)
        if isinstance(action, Recruit):
            expected[ROLES.index(role)] -= sum(count for _, count in action.amounts)
        if after.turn > before.turn:
            expected = [gold + after.owner.count(number) for number, gold in enumerate(expected)]
        if tuple(expected) != after.gold:
            yield Difference("everybody's gold", "demo-gold", str(after.gold), str(tuple(expected)))

    def look(self, state: DemoState, offers: Mapping[str, Offers]) -> Iterator[Difference]:
        self.looked += 1
        for role, given in offers.items():
            me = ROLES.index(role)
            if given[Recruit] and not (state.gold[me] and state.owner[CAPITALS[me]] == me):
                yield Difference(f"whether {role} may recruit", "demo-recruit", "yes", "no")


class Watched(ThreeCrowns):
    """The demonstration game with a referee."""

    def __init__(self) -> None:
        self.made = Bookkeeper()

    def referee(self) -> Bookkeeper:
        return self.made


def test_a_sound_engine_agrees_with_its_referee() -> None:
    game = Watched()
    case = played(game, "1/0")
    verdict = case.judge()
    assert verdict.difference is None
    assert case.match.over
    assert verdict.moves == len(game.made.watched) == game.made.looked - 1 > 20
    assert verdict.seats == dict.fromkeys(ROLES, "recruit")


def test_it_finds_a_difference_that_a_decision_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    take = steps.Moves.take

    def generous(self: Any, m: Any, role: str, action: Any) -> None:
        take(self, m, role, action)
        if isinstance(action, Recruit):
            m.state.gold = put(m.state.gold, ROLES.index(role), m.state.gold[ROLES.index(role)] + 1)

    monkeypatch.setattr(steps.Moves, "take", generous)
    case = played(Watched(), "1/0", scenario="war")
    verdict = case.judge()
    assert verdict.difference is not None
    assert verdict.difference.what == "everybody's gold"
    assert verdict.moves == len(case.match.log)
    assert isinstance(case.match.log[-1].action, Recruit)
    assert not case.match.over


def test_it_finds_a_difference_in_what_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "CAPITALS", CAPITALS[1:] + CAPITALS[:1])  # the engine looks at somebody else's capital
    verdicts = [played(Watched(), f"1/{number}").judge().difference for number in range(20)]
    assert "demo-recruit" in {found.rule for found in verdicts if found}


def test_setting_and_seats_are_drawn_from_the_seed() -> None:
    def drawn(number: int) -> tuple[Any, ...]:
        match = played(Watched(), f"7/{number}").match
        return (match.scenario, *sorted(match.options.items()))

    settings = [drawn(number) for number in range(40)]
    assert settings == [drawn(number) for number in range(40)]
    floods = ((("floods", on), ("gold", gold)) for on in (False, True) for gold in (0, 1, 3))
    assert set(settings) == {("skirmish", ("floods", False)), ("skirmish", ("floods", True))} | {
        ("war", *pairs) for pairs in floods
    }


def test_levels_must_exist() -> None:
    with pytest.raises(Unknown, match="no level 'wizard'"):
        played(Watched(), "1", ["wizard"])


def test_a_game_without_a_referee_says_so() -> None:
    with pytest.raises(SandtableError, match="three-crowns has no referee for version 1 of its rules"):
        played(GAME, "1").judge()


def test_a_saved_match_is_read_to_its_end(tmp_path: Path) -> None:
    match = Match.new(GAME, "war", seed="mine")
    random_play(match, Random(1), most=25)
    while not (undoing := [role for role in match.roles if match.can_undo(role)]):
        random_play(match, Random(match.number), most=1)
    made = match.number
    match.undo(undoing[0])
    match.apply("red", Resign())
    game = Watched()
    verdict = saved("mine", sandtable.save(match), game).judge()
    assert (verdict.moves, verdict.difference, verdict.seats) == (made + 2, None, {})
    assert len(game.made.watched) == made  # taking back and resigning are not the rules' business
    assert game.made.looked == made + 3


def test_a_saved_match_of_another_game_is_refused() -> None:
    match = Match.new(GAME, "war", seed="mine")
    other = type("Other", (Watched,), {"id": "four-crowns"})()
    with pytest.raises(Unknown, match="mine is a match of three-crowns, not of four-crowns"):
        saved("mine", sandtable.save(match), other)


def test_one_difference_is_enough() -> None:
    """What comes after the first is not asked for."""
    asked = []

    class Fussy(Bookkeeper):
        def look(self, state: DemoState, offers: Mapping[str, Offers]) -> Iterator[Difference]:
            for number in range(3):
                asked.append(number)
                yield Difference("something", "demo-turn", "a", "b")

    game = Watched()
    game.made = Fussy()
    case: Case = played(game, "1")
    assert case.judge().moves == 0
    assert asked == [0]
