"""The contract holds for the demonstration game and catches games that break it."""

from collections.abc import Mapping
from typing import Any

import pytest

from sandtable.core import Option, Refusal
from sandtable.core.text import Texts
from sandtable.testing import Check, check_game, contract
from sandtable.testing.contracts import (
    check_columns,
    check_ledger,
    check_options,
    check_shown,
    check_texts,
    option_sets,
)
from tests.demo.game import GAME, ThreeCrowns
from tests.demo.state import DemoState


@pytest.mark.parametrize("check", contract(GAME), ids=str)
def test_the_demonstration_game_keeps_the_contract(check: Check) -> None:
    check()


def test_the_whole_contract_can_be_checked_at_once() -> None:
    check_game(GAME, decisions=20)


def broken(**changes: Any) -> Any:
    return type("Broken", (ThreeCrowns,), changes)()


def test_options_are_those_of_the_scenario() -> None:
    assert option_sets(GAME, "skirmish") == {"defaults": {}, "all options": {"floods": True}}
    assert option_sets(GAME, "war")["all options"] == {"floods": True, "gold": 3}


def test_a_list_in_the_state_is_named() -> None:
    class Listed(DemoState, kw_only=True):
        losses: list[int]

    with pytest.raises(AssertionError, match="Listed that can be changed in place: losses"):
        check_columns(broken(state_type=Listed))


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        (Option("bid", 0, (0, 3), scenarios=("nowhere",)), "names scenarios that do not exist: nowhere"),
        (Option("bid", 0, (0, 3), even={"nowhere": 3}), "names scenarios that do not exist: nowhere"),
        (Option("bid", 0, (0, 3), even={next(iter(GAME.scenarios)): 6}), "has no such choice as evens"),
        (Option("bid", 0, (0, 3), even={next(iter(GAME.scenarios)): 0}), "by its usual choice"),
    ],
)
def test_an_option_that_names_what_is_not_there_is_named(option: Option, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_options(broken(options={"bid": option}))


def without(key: str, language: str) -> Any:
    read = Texts.read

    def fewer(path: Any) -> Mapping[str, str]:
        found = read(path)
        if path.stem == language or language == "*":
            found.pop(key, None)
        return found

    return staticmethod(fewer)


def test_a_missing_translation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Texts, "read", without("verb.walk", "de"))
    with pytest.raises(AssertionError, match=r"only in one of the languages: \['verb.walk'\]"):
        check_texts(broken())


def test_a_missing_verb_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Texts, "read", without("verb.walk", "*"))
    with pytest.raises(AssertionError, match=r"no words for \['verb.walk'\]"):
        check_texts(broken())


def test_a_missing_reason_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the demonstration game refuses with 'demo-dug-in'."""
    assert Refusal("demo-plan", "demo-dug-in").reason == "demo-dug-in"
    monkeypatch.setattr(Texts, "read", without("refusal.demo-dug-in", "*"))
    with pytest.raises(AssertionError, match=r"no words for \['refusal.demo-dug-in'\]"):
        check_texts(broken())


def test_a_rule_that_is_not_in_the_ledger_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.testing.contracts.ledger_ids", lambda game: frozenset({"demo-move", "demo-plan"}))
    with pytest.raises(AssertionError, match=r"not in the ledger: .*'demo-battle'"):
        check_ledger(GAME)


def test_a_prompt_without_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Texts, "read", without("prompt.moves", "*"))
    with pytest.raises(AssertionError, match=r"a key instead of words: prompt\.moves"):
        check_shown(broken(), "war", {}, 40)


def test_measures_that_come_and_go_are_noticed() -> None:
    game = broken(measures=lambda self, state: {"gold": 1.0} if state.turn == 1 else {})
    with pytest.raises(AssertionError, match="other measures than before"):
        check_shown(game, "war", {}, 60)
