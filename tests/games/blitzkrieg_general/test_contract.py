"""The game keeps the contract of all games."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.testing import Check, contract, random_play


@pytest.mark.parametrize("check", contract(GAME, decisions=60), ids=str)
def test_the_game_keeps_the_contract(check: Check) -> None:
    check()


def test_a_random_match_ends_by_the_rules() -> None:
    match = Match.new(GAME, "1939-basic", seed="end", history=False)
    random_play(match, Random(7))
    assert match.outcome is not None
    assert match.outcome.reason.startswith("bg-")
    assert not match.faults()
