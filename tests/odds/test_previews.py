"""Every action that a random match is offered can be asked for its odds, with all optional rules in play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Game, Match, Odds
from sandtable.games import find, games
from sandtable.games.hitlers_war.model.actions import Partisans
from sandtable.games.hitlers_war.rules.production_phase import Production
from tests.games.hitlers_war.positions import ALLIES, AXIS
from tests.games.hitlers_war.positions_naval import Second

DECISIONS = 1_000
CASES = [(name, scenario) for name in games() for scenario in find(name).scenarios]


def all_options(game: Game[Any], scenario: str) -> dict[str, Any]:
    return {
        name: option.choices[-1] if option.choices else True
        for name, option in game.options.items()
        if not option.scenarios or scenario in option.scenarios
    }


def check(odds: Odds) -> None:
    chances = [row.probability for row in odds.results]
    assert min(chances) >= 0
    assert sum(chances) == pytest.approx(1)
    assert -1e-9 <= odds.success <= 1 + 1e-9
    for side, mean in odds.expected_losses.items():
        assert mean >= -1e-9, side


@pytest.mark.parametrize(("name", "scenario"), CASES)
def test_odds_are_whole_and_change_nothing(name: str, scenario: str) -> None:
    game = find(name)
    match = Match.new(game, scenario, all_options(game, scenario), seed=3, history=False)
    rng = Random(3)
    while not match.over and match.number < DECISIONS:
        role = match.decisions()[0]
        offers = match.offers(role)
        before = match.digest() if match.number % 10 == 0 else None
        for _ in range(3):
            odds = match.preview(role, offers.sample(rng))
            if odds is not None:
                check(odds)
        if before is not None:
            assert match.digest() == before
        match.apply(role, offers.sample(rng))


@pytest.mark.rule("hw-partisan-2")
def test_partisans_have_the_chance_of_their_table() -> None:
    p = Second()
    p.begin(ALLIES, Production())
    p.hold(AXIS, "Q15")
    p.state.budget = 20
    action = next(a for a in p.match.offers(ALLIES) if isinstance(a, Partisans))
    odds = p.match.preview(ALLIES, action)
    assert odds is not None
    assert odds.success == pytest.approx(2 / 6)
