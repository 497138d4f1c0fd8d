"""Every level plays every scenario within the rules, and the same from the same seed."""

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.players import Budget, levels, make

GAME = find("ww2-europe")
LEVELS = ("recruit", "captain")
QUICK = Budget(60.0, tries=2)


def play(scenario, seats, seed, *, options=None, most=100_000):
    """Play on until the match is over or `most` decisions were made; an illegal action raises."""
    match = Match.new(GAME, scenario, options or {}, seed=seed)
    players = {
        role: make(level, GAME, f"{seed}/{role}") for side, level in seats.items() for role in GAME.alliances[side]
    }
    while not match.over and match.number < most:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), QUICK))
    return match


def test_the_levels_are_there_weakest_first():
    assert levels("ww2-europe")[: len(LEVELS)] == LEVELS


@pytest.mark.parametrize("on", [False, True], ids=["plain", "all-options"])
@pytest.mark.parametrize("scenario", GAME.scenarios)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_every_scenario_by_the_rules(level, scenario, on):
    options = dict.fromkeys(GAME.options, on)
    match = play(scenario, {"axis": level, "allies": level}, 11, options=options, most=900)
    assert match.over or match.number == 900
    assert not match.faults()


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same(level):
    seats = {"axis": level, "allies": level}
    one, two = (play("fall-1939", seats, 5, most=300) for _ in range(2))
    assert one.log == two.log
