"""Every level plays every scenario within the rules, the same from the same seed, and within its budget."""

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.ww2_europe.model.atlas import ATLAS
from sandtable.games.ww2_europe.players import captain as captain_module
from sandtable.games.ww2_europe.players import sight
from sandtable.games.ww2_europe.players.general import General
from sandtable.games.ww2_europe.players.headquarters import PRUDENT
from sandtable.players import Budget, levels, make

GAME = find("ww2-europe")
LEVELS = ("recruit", "captain", "colonel", "general", "marshal")
QUICK = Budget(60.0, tries=1)
MOST = {"recruit": 500, "captain": 400, "colonel": 110, "general": 60, "marshal": 30}
"""How many decisions of a match are looked at: enough for a season or two of moves, battles and purchases."""


def play(scenario, seats, seed, *, options=None, most=100_000, budget=QUICK):
    """Play on until the match is over or `most` decisions were made; an illegal action raises."""
    match = Match.new(GAME, scenario, options or {}, seed=seed)
    players = {
        role: make(level, GAME, f"{seed}/{role}") for side, level in seats.items() for role in GAME.alliances[side]
    }
    while not match.over and match.number < most:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), budget))
    return match


def test_all_levels_are_there_weakest_first():
    assert tuple(level for level in levels(find("ww2-europe")) if level in LEVELS) == LEVELS


@pytest.mark.parametrize("on", [False, True], ids=["plain", "all-options"])
@pytest.mark.parametrize("scenario", GAME.scenarios)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_every_scenario_by_the_rules(level, scenario, on):
    options = dict.fromkeys((name for name, option in GAME.options.items() if not option.choices), on)
    most = MOST[level]
    match = play(scenario, {"axis": level, "allies": level}, 11, options=options, most=most)
    assert match.over or match.number == most
    assert not match.faults()


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same(level):
    seats = {"axis": level, "allies": level}
    one, two = (play("fall-1939", seats, 5, most=MOST[level] // 2) for _ in range(2))
    assert one.log == two.log


def test_the_captain_hardly_ever_needs_the_fallback(monkeypatch):
    """The fallback is for what nobody foresaw, one decision in fifty at most."""
    calls = []
    real = sight.fallback

    def counted(offers):
        calls.append([offer.act.__name__ for offer in offers.offers])
        return real(offers)

    monkeypatch.setattr(captain_module, "fallback", counted)
    match = play("fall-1939", {"axis": "captain", "allies": "captain"}, 3, most=600)
    assert len(calls) * 50 <= match.number


def test_germany_takes_its_share_of_poland_at_once_and_the_soviets_theirs():
    match = Match.new(GAME, "fall-1939", {}, seed="partition")
    players = {role: make("captain", GAME, role) for role in GAME.roles}
    turn = GAME.turn(match.state)
    while GAME.turn(match.state) == turn:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), QUICK))
    assert all(match.state.owner[space] == ATLAS.germany for space in ATLAS.pact_german)
    assert all(match.state.owner[space] == ATLAS.ussr for space in ATLAS.pact_soviet)


def test_germany_takes_poland_and_then_france_more_often_than_not_against_an_equal():
    """Five matches of colonels until Paris has fallen or the fourth year of the war begins."""
    paris, taken = ATLAS.index["paris"], 0
    for seed in range(1, 6):
        match = Match.new(GAME, "fall-1939", {}, seed=seed, history=False)
        players = {role: make("colonel", GAME, f"{seed}/{role}") for role in GAME.roles}
        poland = False
        while not match.over and "1943" not in GAME.turn(match.state) and match.state.owner[paris] != ATLAS.germany:
            role = match.decisions()[0]
            match.apply(role, players[role].decide(match.view(role), match.offers(role), QUICK))
            poland = poland or all(match.state.owner[space] == ATLAS.germany for space in ATLAS.pact_german)
        taken += poland and match.state.owner[paris] == ATLAS.germany
    assert taken >= 3


def test_thinking_stops_when_the_time_is_up():
    """With no time at all the general still answers, by the first doctrine it knows."""
    match = play("spring-1941", {"axis": "captain", "allies": "captain"}, 8, most=3)
    while type(match.step).__name__ != "Movement":
        role = match.decisions()[0]
        match.apply(role, make("captain", GAME, 1).decide(match.view(role), match.offers(role), QUICK))
    role = match.decisions()[0]
    player = make("general", GAME, 3)
    assert isinstance(player, General)
    action = player.decide(match.view(role), match.offers(role), Budget(0.0))
    assert match.why_not(role, action) is None
    assert player.staff is not None
    assert player.staff.ordered == PRUDENT
