"""Odds are worked out once for a position, and again when it has changed."""

from random import Random
from typing import Any

import pytest

from sandtable.core import Action, Match, Odds, Refusal, Result
from tests.demo.game import GAME


def test_a_preview_is_asked_of_the_game_once_for_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Action] = []

    def preview(m: Any, role: str, action: Action) -> Odds:
        asked.append(action)
        return Odds("odds.test", [Result(1.0, "result.test")], 1.0)

    monkeypatch.setattr(GAME, "preview", preview)
    match, rng = Match.new(GAME, "war", seed=1), Random(1)
    role = match.decisions()[0]
    action = match.offers(role).sample(rng)
    first = match.preview(role, action)
    assert match.preview(role, action) is first
    assert len(asked) == 1
    match.apply(role, action)
    role = match.decisions()[0]
    match.preview(role, match.offers(role).sample(rng))
    assert len(asked) == 2


def test_a_refused_action_is_refused_every_time() -> None:
    match, rng = Match.new(GAME, "war", seed=1), Random(1)
    while len(match.decisions()) == len(match.roles):  # everybody is asked at first
        match.apply(match.decisions()[0], match.offers(match.decisions()[0]).sample(rng))
    stranger = next(role for role in match.roles if role not in match.decisions())
    action = match.offers(match.decisions()[0]).sample(rng)
    for _ in range(2):
        with pytest.raises(Refusal):
            match.preview(stranger, action)


def test_what_is_remembered_lasts_until_the_position_changes() -> None:
    match, rng = Match.new(GAME, "war", seed=1), Random(1)
    made: list[None] = []
    for _ in range(2):
        match.remember("fact", lambda: made.append(None))  # None is remembered too
    assert len(made) == 1
    assert match.clone().remember("fact", list) == []
    role = match.decisions()[0]
    match.apply(role, match.offers(role).sample(rng))
    match.remember("fact", lambda: made.append(None))
    match.undo(role)
    match.remember("fact", lambda: made.append(None))
    assert len(made) == 3
