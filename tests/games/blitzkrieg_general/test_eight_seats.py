"""Matches among eight computer seats, each with its own random player, end by the rules."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.blitzkrieg_general.game import GAME

ENDS = {
    "bg-8.5-economic", "bg-8.5-axis-total", "bg-8.5-allied-total", "bg-basic-8.5", "bg-8.5-draw", "bg-8.5-draw-both",
    "bg-8.5-world",
}  # fmt: skip
MOST = 40_000
"""Decisions after which a match would count as endless; the longest ones take some thousands."""


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
@pytest.mark.parametrize("seed", [1, 3])
def test_a_match_of_eight_seats_ends_by_the_rules(scenario: str, seed: int) -> None:
    match = Match.new(GAME, scenario, seed=seed, history=False)
    seats = {role: Random(f"{role}/{seed}") for role in GAME.roles}
    order, asked_once = Random(seed), set()
    made = 0
    while not match.over:
        asked = match.decisions()
        role = asked[int(order.random() * len(asked))]
        asked_once.add(role)
        match.apply(role, match.offers(role).sample(seats[role]))
        made += 1
        assert made < MOST
    assert match.outcome is not None
    assert match.outcome.reason in ENDS
    assert not match.faults()
    assert asked_once >= set(GAME.roles) - {"france"}  # conquered in 1941, unless somebody frees it
