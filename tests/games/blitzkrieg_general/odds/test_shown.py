"""What the browser shows of a battle before somebody attacks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Match, Odds, Refusal
from sandtable.core.columns import put
from sandtable.games import find
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, MAJORS
from sandtable.games.blitzkrieg_general.odds import shown as module
from sandtable.games.blitzkrieg_general.odds.policy import Stand
from sandtable.games.blitzkrieg_general.odds.preview import coup_odds
from sandtable.games.blitzkrieg_general.odds.whole import TooLong, whole_battle
from sandtable.games.blitzkrieg_general.rules.research_phase import Research
from sandtable.lab.proof import differences, every_fall
from sandtable.odds.shown import MOST_ROWS, in_short, shown
from sandtable.odds.words import in_words
from tests.games.blitzkrieg_general.odds.test_battles import lay, war
from tests.games.blitzkrieg_general.positions import Board, unit

WHERE = "kharkov"
ATTACK = act.Attack(WHERE)


def battle(attackers: int, defenders: int, **options: Any) -> tuple[Match[Any], str]:
    match = lay(
        war(**options),
        WHERE,
        [("germany-inf-3", "kiev")] * attackers,
        ["ussr-inf-3-red", *["ussr-inf-2-orange"] * defenders],
    )
    return match, match.decisions()[0]


def told(match: Match[Any], role: str) -> Odds:
    found = shown(match, role, ATTACK)
    assert found is not None
    return found


def test_the_whole_battle_is_shown() -> None:
    match, role = battle(2, 1)
    odds = told(match, role)
    exact = whole_battle(match, ATTACK, Stand())
    assert exact is not None
    assert odds.title == "odds.whole-battle"
    assert odds.success == pytest.approx(exact.success)
    assert sum(row.probability for row in odds.results) == pytest.approx(1)
    assert odds.expected_losses == pytest.approx(exact.expected_losses)
    assert shown(match, role, ATTACK) is odds  # worked out once


def test_many_rows_are_put_together_by_how_it_ends() -> None:
    match, role = battle(5, 4)
    exact = whole_battle(match, ATTACK, Stand())
    assert exact is not None
    assert len(exact.results) > MOST_ROWS
    odds = told(match, role)
    names = [row.name for row in odds.results]
    assert len(names) == len(set(names))
    for row in odds.results:
        parts = sum(one.probability for one in exact.results if one.name == row.name)
        assert row.probability == pytest.approx(parts)
    assert in_short(odds) is odds


def test_a_battle_that_takes_too_long_is_shown_round_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    match, role = battle(2, 1)
    with pytest.raises(TooLong):
        whole_battle(match, ATTACK, Stand(), most=1)
    monkeypatch.setattr(module, "MOST_AT_ONCE", 1)
    card = told(match, role)
    assert (card.title, card.policy, card.aim) == ("round", "policy.one-round", "aim.round")
    assert sum(row.probability for row in card.results) == pytest.approx(1)
    trial = match.game.trial(match, role, ATTACK, card)
    assert trial is not None
    assert not list(differences(card, every_fall(trial, most=100_000)))


def test_what_may_not_be_done_is_refused() -> None:
    match, role = battle(2, 1)
    with pytest.raises(Refusal):
        shown(match, role, act.Attack("berlin"))


@pytest.mark.parametrize("seed", range(4))
def test_hidden_counters_change_nothing(seed: int) -> None:
    """In the fog two matches that look alike to the attacker give him the same odds."""
    match, role = battle(3, 3, fog_of_war=True)
    hurt = unit("ussr-inf-2-orange-1")
    odds = told(match, role)
    assert odds.policy.startswith("policy.guessed?")
    assert told(match.scramble(role, Random(seed)), role) == odds
    match.state.flipped = put(match.state.flipped, hurt, 1)
    assert told(match.clone(), role) == odds


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_is_told_in_words(language: str) -> None:
    texts = find("blitzkrieg-general").texts(language)
    for options in ({}, {"fog_of_war": True}):
        match, role = battle(3, 3, **options)
        words = in_words(told(match, role), texts)
        assert not [w for w in (words.title, words.policy, *(r.name for r in words.results)) if w.startswith("policy.")]
        assert not [r.name for r in words.results if r.name.startswith("result.")]


@pytest.mark.parametrize(("numbers", "chance"), [(1, 1 / 6), (4, 4 / 6), (6, 1.0)])
def test_a_research_roll_succeeds_by_its_numbers(numbers: int, chance: float) -> None:
    board = Board("1939-advanced")
    board.state.numbers = put(board.state.numbers, MAJORS.index("germany"), numbers)
    board.start(Research(rolling=True))
    odds = shown(board.match, "germany", act.Announce())
    assert odds is not None
    assert odds.success == pytest.approx(chance)
    assert (odds.whose, odds.mine, odds.aim) == ("@germany", True, "aim.advance")


def test_a_coup_succeeds_by_its_ranges() -> None:
    number = next(n for n, card in enumerate(ATLAS.cards) if card.coup is not None)
    row = ATLAS.cards[number].coup
    assert row is not None
    odds = coup_odds(number, "germany")
    ways = sum(row.success[0] <= one + two <= row.success[1] for one in range(1, 7) for two in range(1, 7))
    assert odds.success == pytest.approx(ways / 36)
    assert sum(result.probability for result in odds.results) == pytest.approx(1)
