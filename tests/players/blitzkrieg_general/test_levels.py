"""Every level plays every scenario within the rules, and the same from the same seed."""

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.blitzkrieg_general.atlas import GERMANY, atlas
from sandtable.players import Budget, levels, make

GAME = find("blitzkrieg-general")
LEVELS = levels("blitzkrieg-general")
MOST = {"recruit": 350, "captain": 350, "colonel": 120, "general": 90}
AXIS = GAME.alliances["axis"]


def play(scenario, seats, seed, *, options=None, most=100_000):
    """Play on until the match is over or `most` decisions were made; an illegal action raises."""
    match = Match.new(GAME, scenario, options or {}, seed=seed)
    players = {role: make(level, GAME, f"{seed}/{role}") for role, level in seats.items()}
    while not match.over and match.number < most:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), Budget(60.0, tries=2)))
    return match


def seats(axis, allies):
    return {role: axis if role in AXIS else allies for role in GAME.roles}


@pytest.mark.parametrize("on", [False, True], ids=["plain", "all-options"])
@pytest.mark.parametrize("scenario", GAME.scenarios)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_every_scenario_by_the_rules(level, scenario, on):
    options = {
        name: on for name, option in GAME.options.items() if not option.scenarios or scenario in option.scenarios
    }
    match = play(scenario, seats(level, level), 11, options=options, most=MOST[level])
    assert match.over or match.number >= MOST[level]
    assert not match.faults()


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same(level):
    one, two = (play("1939-basic", seats(level, "recruit"), 5, most=120) for _ in range(2))
    assert one.log == two.log


def test_a_captain_beats_recruits_on_either_side():
    axis = play("1939-basic", seats("captain", "recruit"), "duel")
    assert axis.outcome is not None
    assert axis.outcome.winners == AXIS
    allies = play("1939-basic", seats("recruit", "captain"), "duel")
    assert allies.outcome is not None
    assert set(allies.outcome.winners) == set(GAME.alliances["allies"])


def test_germany_takes_poland_at_once():
    match = play("1939-basic", seats("captain", "captain"), 3, most=400)
    held = atlas().space_of["western_poland"]
    assert match.state.control[held] == GERMANY
