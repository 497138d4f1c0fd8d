"""Every level plays every scenario within the rules, the same from the same seed, and within its budget."""

import time

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.munich_war.players import staff as staff_module
from sandtable.games.munich_war.players.colonel import Colonel
from sandtable.games.munich_war.players.general import General
from sandtable.players import Budget, levels, make

GAME = find("munich-war")
LEVELS = ("recruit", "captain", "colonel", "general", "marshal")
QUICK = Budget(60.0, tries=2)


def play(scenario, seats, seed, *, options=None, most=100_000, budget=QUICK):
    """Play on until the match is over or `most` decisions were made; an illegal action raises."""
    match = Match.new(GAME, scenario, options or {}, seed=seed)
    players = {role: make(level, GAME, f"{seed}/{role}") for role, level in seats.items()}
    while not match.over and match.number < most:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), budget))
    return match


def test_all_levels_are_there_weakest_first():
    assert tuple(level for level in levels(find("munich-war")) if level in LEVELS) == LEVELS


@pytest.mark.parametrize("on", [False, True], ids=["plain", "all-options"])
@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_captain_and_recruit_play_every_scenario_by_the_rules(scenario, on):
    """The short scenario and the one with both aggressors to the end, the long ones for some turns."""
    options = {name: on for name, option in GAME.options.items() if not option.choices}
    whole = scenario in ("little-entente", "intermarium")
    seats = {"axis": "captain", "allies": "recruit"}
    match = play(scenario, seats, 11, options=options, most=100_000 if whole else 180)
    assert match.over or not whole
    assert not match.faults()


@pytest.mark.parametrize("on", [False, True], ids=["plain", "all-options"])
@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_colonel_and_general_play_every_scenario_by_the_rules(scenario, on):
    options = {name: on for name, option in GAME.options.items() if not option.choices}
    match = play(scenario, {"axis": "general", "allies": "colonel"}, 12, options=options, most=60)
    assert not match.over
    assert not match.faults()


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same(level):
    seats = {"axis": level, "allies": "captain"}
    one, two = (play("little-entente", seats, 5, most=60, budget=Budget(60.0, tries=6)) for _ in range(2))
    assert one.log == two.log


def test_no_answer_of_the_staff_is_ever_refused(monkeypatch):
    """The fallback is for what nobody foresaw; in ordinary matches nothing comes to that."""

    def alarm(offers):
        raise AssertionError([type(offer.act).__name__ for offer in offers.offers])

    monkeypatch.setattr(staff_module, "fallback", alarm)
    for seed in range(2):
        assert play("little-entente", {"axis": "captain", "allies": "captain"}, seed).over


def test_a_captain_beats_a_recruit_on_either_side():
    won = 0
    for seed in range(2):
        for mine, other in (("axis", "allies"), ("allies", "axis")):
            match = play("little-entente", {mine: "captain", other: "recruit"}, f"duel/{seed}")
            won += match.outcome.winners == (mine,)
    assert won >= 3


@pytest.mark.parametrize("maker", [Colonel, General])
def test_thinking_stops_within_the_budget(maker, monkeypatch):
    """By a clock that goes on a hundredth of a second each time it is looked at."""
    match = play("little-entente", {"axis": "captain", "allies": "captain"}, 8, most=13)
    while type(match.step).__name__ != "AirLaunch":
        role = match.decisions()[0]
        match.apply(role, make("captain", GAME, 1).decide(match.view(role), match.offers(role), QUICK))
    role = match.decisions()[0]
    now = [0.0]

    def clock():
        now[0] += 0.002
        return now[0]

    player = maker(GAME, 3)
    monkeypatch.setattr(time, "monotonic", clock)
    action = player.decide(match.view(role), match.offers(role), Budget(1.0))
    monkeypatch.undo()
    assert match.why_not(role, action) is None
    assert 0.8 < now[0] <= 1.1
