"""The gauges of every scenario agree with what the rules of victory decide."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Match
from sandtable.core.position import set_up
from sandtable.games import find, games
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS

WAYS: list[dict[str, Any]] = [{}, {"players": 2}, {"world-conquest": True}]
"""Options that change who wins."""
CASES = [
    (game, scenario, options)
    for game in games()
    for scenario in find(game).scenarios
    for options in WAYS
    if {*options} <= {*find(game).check_options(scenario, {})}
]
LONG = ("blitzkrieg-general", "ww2-europe")
"""Games whose matches take thousands of decisions: only their last turn is played."""
MOST = 6000


def _play_to_the_end(match: Match[Any], rng: Random, hurry: int) -> None:
    """Play at random; after so many decisions go on in the last turn of a long game."""
    for number in range(MOST):
        if match.over:
            return
        if number == hurry and match.game.id in LONG:
            match.state.turn = _last_turn(match)
            match.changed()
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
    pytest.fail(f"not over after {MOST} decisions")


def _last_turn(match: Match[Any]) -> int:
    """The last turn is the one after which the game itself ends: found by asking how many turns it names."""
    return {"blitzkrieg-general": 25, "ww2-europe": match.game.scenarios[match.scenario].turns - 1}[match.game.id]


@pytest.mark.parametrize(("game", "scenario", "options"), CASES)
def test_at_the_end_the_gauges_say_who_has_won_and_why(game: str, scenario: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        match = Match.new(find(game), scenario, options, seed=seed, history=False)
        _play_to_the_end(match, Random(seed), 60)
        standing = match.standing(match.roles[0])
        assert match.outcome is not None
        assert standing.today is not None
        assert (set(standing.today.winners), standing.today.level) == (
            set(match.outcome.winners), match.outcome.level
        )  # fmt: skip
        for winner in match.outcome.winners:
            rules = [rule for one in standing.gauges if one.is_met and winner in one.roles for rule in one.rules]
            assert match.outcome.reason in rules, f"{winner} won by {match.outcome.reason}; met: {rules}"


@pytest.mark.parametrize(("game", "scenario", "options"), CASES)
def test_every_role_has_a_gauge_with_words(game: str, scenario: str, options: dict[str, Any]) -> None:
    match = Match.new(find(game), scenario, options, seed=1)
    number = match.digest()
    for role in match.roles:
        standing = match.standing(role)
        assert any(role in gauge.roles for gauge in standing.gauges)
        table = match.table(role)
        for gauge in standing.gauges:
            assert {*gauge.held} <= {*gauge.places} or gauge.id == "lead-held"
            assert {*gauge.places} <= {*table.spaces}
            for language in ("en", "de"):
                assert f"gauge.{gauge.id}" in match.game.texts(language)
    assert match.digest() == number, "looking changes nothing"


WON: list[tuple[str, dict[str, Any], str, str]] = [
    ("hitlers-war", {"scenario": "barbarossa", "hold": {"axis": ["T15", "Q17", "M19"]}}, "axis", "cities"),
    ("hitlers-war", {"scenario": "barbarossa", "hold": {"soviet": ["P10"]}}, "soviet", "berlin-taken"),
    (
        "hitlers-war",
        {"scenario": "fall-of-germany", "hold": {"soviet": ["P10", "germany"]}},
        "soviet",
        "share-of-allies",
    ),
    ("ww2-europe", {"own": {"germany": ["paris", "london"]}}, "germany", "capitals"),
    ("ww2-europe", {"own": {"great_britain": ["berlin", "rome"]}}, "great_britain", "capitals"),
    ("blitzkrieg-general", {"own": {"germany": [ATLAS.space_ids[space] for space in ATLAS.land]}}, "germany", "points"),
    ("munich-war", {"scenario": "little-entente", "own": {"axis": ["2515"]}}, "allies", "lead-held"),
]


@pytest.mark.parametrize(("game", "position", "winner", "gauge"), WON)
def test_what_was_won_moves_the_gauge(game: str, position: dict[str, Any], winner: str, gauge: str) -> None:
    before = set_up(find(game), {"scenario": position.get("scenario", next(iter(find(game).scenarios)))}, "1")
    after = set_up(find(game), position, "1")
    old, new = (
        next(one for one in match.standing(winner).gauges if one.id == gauge and winner in one.roles)
        for match in (before, after)
    )
    assert new.value != old.value
    assert new.is_met
    today = after.standing(winner).today
    assert today is not None
    assert winner in today.winners
    assert today.reason in new.rules
