"""Odds of a game that says nothing about them, and how rows are put together for the screen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Match, Odds, Refusal, Result, Unknown
from sandtable.core.game import Assumption
from sandtable.odds.shown import MOST_ROWS, in_short, shown
from sandtable.odds.whole import whole
from tests.demo.game import GAME


def first_action() -> tuple[Match[Any], str, Any]:
    match: Match[Any] = Match.new(GAME, "war", seed=1)
    role = match.decisions()[0]
    return match, role, match.offers(role).sample(Random(1))


def test_a_game_without_odds_shows_none() -> None:
    match, role, action = first_action()
    assert shown(match, role, action) is None
    assert whole(match, role, action) is None


def test_what_the_game_answers_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    match, role, action = first_action()
    dice = Odds("odds.test", [Result(1.0, "result.test")], 1.0)
    monkeypatch.setattr(GAME, "preview", lambda m, role, action: dice)
    assert shown(match, role, action) is dice
    assert whole(match, role, action) is dice
    monkeypatch.setattr(GAME, "preview", lambda m, role, action: None)
    assert shown(match, role, action) is dice
    assert whole(match, role, action) is dice
    assert shown(match.clone(), role, action) is None


def test_assumptions_are_checked_and_reach_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    match, role, action = first_action()
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr(GAME, "whole_odds", lambda match, role, action, assumed: seen.append(assumed))
    declared = (Assumption("brave", False, "?"), Assumption("share", 0.5, "?"), Assumption("by", (), "?"))
    monkeypatch.setattr(type(GAME), "assumptions", {one.id: one for one in declared})
    whole(match, role, action)
    whole(match, role, action)  # remembered
    whole(match, role, action, {"brave": True, "share": 2, "by": ("north",)})
    assert seen == [
        {"brave": False, "share": 0.5, "by": ()},
        {"brave": True, "share": 2.0, "by": ("north",)},
    ]
    for bad in ({"luck": 1}, {"brave": 1}, {"share": -1}, {"share": True}, {"share": "much"}, {"by": "north"}):
        with pytest.raises(Unknown, match=next(iter(bad))):
            whole(match, role, action, bad)


def test_what_is_not_allowed_is_refused() -> None:
    match, role, _ = first_action()
    for ask in (shown, whole):
        with pytest.raises(Refusal):
            ask(match, role, match.parse(b'{"do": "end-moves"}'))


def test_many_rows_become_one_for_each_end() -> None:
    rows = [Result(0.5 / 20, name, {"red": number}) for name in ("won", "lost") for number in range(20)]
    assert len(rows) > MOST_ROWS
    short = in_short(Odds("odds.test", rows, 0.5))
    assert {row.name: row.probability for row in short.results} == pytest.approx({"won": 0.5, "lost": 0.5})
    alike = Odds("odds.test", [Result(1 / 20, "hits", {"red": number}) for number in range(20)], 0.5)
    assert in_short(alike) is alike
    assert in_short(short) is short
