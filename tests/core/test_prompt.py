"""The first hour at a Python prompt: what is printed can be read, and a mistake gets a sentence."""

from __future__ import annotations

import traceback
from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.core import Malformed, Match, Refusal, Unknown
from sandtable.players import Budget, Mistake, Recruit, base, take_turn
from tests.demo.game import GAME as DEMO
from tests.demo.game import ThreeCrowns


@pytest.fixture
def match() -> Match[Any]:
    return Match.new(DEMO, "war", seed=1)


def the_last_line(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)).strip().splitlines()[-1]


def test_an_action_may_be_typed_as_a_dict(match: Match[Any]) -> None:
    match.apply("red", {"do": "plan", "posture": "march"})
    assert match.number == 1
    assert match.why_not("blue", {"do": "plan", "posture": "march"}) is None
    assert match.preview("blue", {"do": "plan", "posture": "march"}) is None


@pytest.mark.parametrize("wrong", [{"do": "x"}, {"do": "plan"}, None, 7, "plan", {}])
def test_what_is_no_action_gets_a_sentence_and_changes_nothing(match: Match[Any], wrong: Any) -> None:
    before = match.digest()
    with pytest.raises(Malformed, match="what red may do now: plan"):
        match.apply("red", wrong)
    assert match.digest() == before
    assert match.number == 0


@pytest.mark.parametrize("ask", [Match.offers, Match.table, Match.view, Match.show])
def test_a_role_that_does_not_exist_gets_a_sentence(match: Match[Any], ask: Any) -> None:
    with pytest.raises(Unknown, match="has no role 'bogus'; it has red, blue, green"):
        ask(match, "bogus")


def test_the_traceback_of_a_refusal_ends_in_its_sentence(match: Match[Any]) -> None:
    match.apply("red", {"do": "resign"})
    for _ in range(2):  # a refusal may be the same object twice: it is told once
        with pytest.raises(Refusal) as caught:
            match.apply("red", {"do": "resign"})
        assert the_last_line(caught.value) == match.explain(caught.value)
        assert "".join(traceback.format_exception(caught.value)).count(match.explain(caught.value)) == 1


def test_everything_at_the_prompt_is_one_short_line() -> None:
    for name in sandtable.games():
        match = sandtable.new(name, seed=3)
        rng = Random(3)
        for _ in range(30):
            role = match.asked
            assert role is not None
            offers = match.offers(role)
            action = offers.sample(rng)
            for thing, most in ((match, 200), (offers, 1000), (action, 400), (match.table(role), 400)):
                shown = repr(thing)
                assert len(shown) <= most, shown
                assert "\n" not in shown
                assert " object at 0x" not in shown
            assert repr(match.view(role)).startswith(f"<View {name} after {match.number} moves as {role} may know it")
            match.apply(role, action)


def test_a_match_says_how_it_ended(match: Match[Any]) -> None:
    assert repr(match) == "<Match three-crowns war, 0 moves, red, blue, green asked>"
    for role in match.roles:
        match.apply(role, {"do": "draw"})
    assert repr(match) == "<Match three-crowns war, 3 moves, over: a draw (draw)>"
    assert repr(match.offers("red")) == "<Offers: the match is over: nobody is asked>"


def test_show_prints_what_a_role_sees(capsys: pytest.CaptureFixture[str]) -> None:
    match = sandtable.new("hitlers-war", scenario="barbarossa", seed=7)
    match.show("axis")
    shown = capsys.readouterr().out
    assert shown.startswith("Summer 1941 / Set-up / Axis: choose three French production points")
    assert "Q13      axis     Army Group North 5-5" in shown
    assert "Record card: Soviets" in shown
    assert match.measures()["production.axis"] == 37


# ---- a bot's own mistakes -----------------------------------------------------------------------------------------


class Answers:
    """A player that answers what it was told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide(self, view: Any, offers: Any, budget: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", [None, "plan", ThreeCrowns])
def test_a_bot_that_answers_no_action_is_told_what_to_return(match: Match[Any], answer: Any) -> None:
    with pytest.raises(Mistake) as caught:
        take_turn(match, "red", Answers(answer), Budget())
    assert "Answers, asked as red after 0 moves, answered" in the_last_line(caught.value)
    assert the_last_line(caught.value).endswith("for example offers.sample(rng)")


def test_a_bot_that_answers_a_forbidden_action_is_told_why(match: Match[Any]) -> None:
    forbidden = match.parse({"do": "pass"})
    with pytest.raises(Mistake, match="not allowed") as caught:
        take_turn(match, "red", Answers(forbidden), Budget())
    assert the_last_line(caught.value).endswith("for example offers.sample(rng)")
    assert match.number == 0


def test_a_bot_that_raises_keeps_its_traceback_and_gets_a_last_line(match: Match[Any]) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        take_turn(match, "red", Answers(ZeroDivisionError("division by zero")), Budget())
    assert the_last_line(caught.value).startswith("Answers, asked as red after 0 moves, raised this in three-crowns")


class NoDecision:
    """Lacks what a player is for."""

    def __init__(self, game: Any, seed: Any) -> None:
        pass


def test_a_class_that_makes_no_player_gets_a_last_line() -> None:
    with pytest.raises(TypeError) as caught:
        base.find(f"{__name__}:Answers", DEMO)(DEMO, 1)
    assert the_last_line(caught.value).endswith("it is made with the game and a seed: Answers(game, seed)")
    with pytest.raises(Mistake, match=r"NoDecision makes no player: it has no decide\(view, offers, budget\)"):
        base.find(f"{__name__}:NoDecision", DEMO)(DEMO, 1)


def test_a_bot_that_plays_well_plays(match: Match[Any]) -> None:
    while (role := match.asked) is not None:
        take_turn(match, role, Recruit(DEMO, 1), Budget())
    assert match.over
