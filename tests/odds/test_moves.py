"""The dice of any single move, and walks through them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.core import Match, Rolled
from sandtable.odds.moves import move_odds
from sandtable.odds.walk import TooMany, outcomes, walk
from sandtable.odds.whole import whole
from sandtable.odds.words import in_words
from tests.demo.game import GAME


def moves_with_dice(match: Match[Any], wanted: int) -> list[tuple[Match[Any], str, Any]]:
    """Moves of a random match that rolled, with the position before them."""
    found: list[tuple[Match[Any], str, Any]] = []
    rng = Random(match.seed)
    while not match.over and len(found) < wanted and match.number < 1200:
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        before = match.clone()
        if any(isinstance(event, Rolled) for event in match.apply(role, action)):
            found.append((before, role, action))
    return found


@pytest.mark.parametrize("game", ["hitlers-war", "munich-war", "ww2-europe", "tests.demo.game:GAME"])
def test_every_move_that_rolls_has_exact_odds_or_too_many_dice(game: str) -> None:
    found, seed, told = sandtable.find(game), 0, 0
    moves: list[tuple[Match[Any], str, Any]] = []
    while len(moves) < 40:  # some random matches are peaceful
        seed += 1
        match = Match.new(found, next(iter(found.scenarios)), seed=seed, history=False)
        moves += moves_with_dice(match, 40 - len(moves))
    for before, role, action in moves:
        digest = before.digest()
        odds = move_odds(before, role, action)
        assert before.digest() == digest
        if odds is None:
            continue
        told += 1
        assert sum(result.probability for result in odds.results) == pytest.approx(1)
        assert not odds.aim
        assert whole(before, role, action) is not None
        said = in_words(odds, before.game.texts("de"))
        assert said.title != odds.title
    assert told


def test_a_move_without_dice_has_none() -> None:
    match = Match.new(GAME, "war", seed=1, history=False)
    rng = Random(1)
    while True:
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        if len(outcomes(match, lambda twin, r=role, a=action: twin.apply(r, a), most=100)) == 1:  # type: ignore[misc]
            assert move_odds(match, role, action) is None
            return
        match.apply(role, action)


def test_outcomes_are_every_face_once() -> None:
    match = Match.new(GAME, "war", seed=1, history=False)

    def two_dice(twin: Match[Any]) -> None:
        twin.play.roll(6, why="demo-battle")
        twin.play.roll(4, why="demo-battle")

    found = outcomes(match, two_dice)
    assert len(found) == 24
    assert sum(chance for chance, _ in found) == pytest.approx(1)
    assert len({tuple(event.value for event in end.play.events if isinstance(event, Rolled)) for _, end in found}) == 24
    with pytest.raises(TooMany):
        outcomes(match, two_dice, most=20)


def test_a_walk_puts_equal_positions_together() -> None:
    match = Match.new(GAME, "war", seed=1, history=False)
    ends = walk(match, lambda now, role: None)
    assert len(ends) == 1
    assert ends[0][0] == 1.0
