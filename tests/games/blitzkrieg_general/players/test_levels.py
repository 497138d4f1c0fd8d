"""Every level plays every scenario within the rules, and the same from the same seed."""

import time
from functools import cache
from math import fsum
from random import Random

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.blitzkrieg_general.facts.duels import win_chance
from sandtable.games.blitzkrieg_general.model.actions import Unload
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, GERMANY
from sandtable.games.blitzkrieg_general.model.atlas import AXIS as AXIS_SIDE
from sandtable.games.blitzkrieg_general.model.state import CONQUERED, remove
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.odds.dice import hits
from sandtable.players import Budget, levels, make

GAME = find("blitzkrieg-general")
LEVELS = levels(find("blitzkrieg-general"))
MOST = {"recruit": 300, "captain": 300, "colonel": 60, "general": 60, "marshal": 20}
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
        name: (option.choices[-1] if on else option.default) if option.choices else on
        for name, option in GAME.options.items()
        if not option.scenarios or scenario in option.scenarios
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
    held = ATLAS.space_of["western_poland"]
    assert match.state.control[held] == GERMANY


def test_germany_takes_poland_and_then_france_more_often_than_not_against_an_equal():
    """Five matches of colonels until France has fallen, the war in the east is old or Germany itself is gone."""
    poland, late = ATLAS.poland, ATLAS.fixed["ussr_joins"] + 2
    taken = 0
    for seed in range(1, 6):
        match = Match.new(GAME, "1939-basic", {}, seed=seed, history=False)
        players = {role: make("colonel", GAME, f"{seed}/{role}") for role in GAME.roles}
        first = -1
        while not match.over and not match.state.french_fell and match.state.turn < late:
            role = match.decisions()[0]
            match.apply(role, players[role].decide(match.view(role), match.offers(role), Budget()))
            if first < 0 and match.state.standing[poland] == CONQUERED:
                first = match.state.turn
        taken += match.state.french_fell and 0 <= first <= match.state.turn
    assert taken >= 3


def test_a_landing_in_force_goes_for_open_industry():
    """England is thinly held in 1939: without the fleet in the North Sea the colonel's Germany lands at once."""
    match = Match.new(GAME, "1939-basic", {}, seed=1, history=False)
    for ship in match.state.here[ATLAS.space_of["north_sea"]]:
        remove(match.state, ship)
    players = {role: make("colonel", GAME, f"1/{role}") for role in GAME.roles}
    landed = []
    while match.state.turn == 0 and match.state.phasing == AXIS_SIDE:
        role = match.decisions()[0]
        action = players[role].decide(match.view(role), match.offers(role), Budget())
        if role == "germany" and isinstance(action, Unload):
            landed.append(action)
        match.apply(role, action)
    assert [action.to for action in landed] == ["england", "england"]
    england, scotland = (ATLAS.space_of[name] for name in ("england", "scotland"))
    assert match.state.control[england] == match.state.control[scotland] == GERMANY


@pytest.mark.parametrize(("level", "least"), [("colonel", 0.0), ("general", 0.8)])
def test_thinking_stops_within_the_budget(level, least, monkeypatch):
    """By a clock that goes on a hundredth of a second each time it is looked at."""
    match = play("1939-basic", seats("captain", "captain"), 8, most=20)
    while not (isinstance(match.step, Phase) and match.step.name == "land" and match.decisions()[0] == "germany"):
        role = match.decisions()[0]
        match.apply(role, make("recruit", GAME, 1).decide(match.view(role), match.offers(role), Budget()))
    now = [0.0]

    def clock():
        now[0] += 0.01
        return now[0]

    monkeypatch.setattr(time, "monotonic", clock)
    action = make(level, GAME, 3).decide(match.view("germany"), match.offers("germany"), Budget(1.0))
    monkeypatch.undo()
    assert match.why_not("germany", action) is None
    assert least <= now[0] <= 1.1


def test_the_exact_chance_of_a_battle_is_that_of_many_played_out():
    """One soldier each at strength 3 of 6, one hit each: 1/3 wins, 1/3 loses, 1/3 both fall."""
    one = (3, 0, 1, 1)
    assert win_chance([one], [one]) == pytest.approx(1 / 3)
    assert win_chance([one], []) == 1.0
    assert win_chance([], [one]) == 0.0
    rng = Random(4)
    strong, weak = [(4, 2, 1, 2), (5, 3, 2, 2)], [(3, 2, 1, 2), (2, 1, 1, 2), (2, 1, 1, 2)]
    won = sum(fight_out(strong, weak, rng) for _ in range(4000)) / 4000
    assert win_chance(strong, weak) == pytest.approx(won, abs=0.03)


def test_the_chance_of_a_large_duel_is_that_of_plain_recursion():
    @cache
    def won(ours, theirs):
        """For units of one die and one hit."""
        if ours <= 0 or theirs <= 0:
            return float(ours > 0)
        given, taken = hits((2,) * ours, ours), hits((3,) * theirs, theirs)
        rounds = [(x, y) for x in range(len(given)) for y in range(len(taken)) if x or y]
        return fsum(given[x] * taken[y] * won(ours - y, theirs - x) for x, y in rounds) / (1 - given[0] * taken[0])

    for ours, theirs in ((2, 1), (5, 4), (20, 12), (26, 26)):
        chance = win_chance([(2, 0, 1, 1)] * ours, [(3, 0, 1, 1)] * theirs)
        assert chance == pytest.approx(won(ours, theirs), abs=1e-8)


def fight_out(attackers, defenders, rng):
    """Throw the dice of both sides until one is gone, each loss where it costs least."""
    sides = [[list(u) for u in attackers], [list(u) for u in defenders]]
    while all(any(u[3] for u in side) for side in sides):
        hits = [sum(rng.randint(1, 6) <= u[0] for u in side if u[3] for _ in range(u[2])) for side in sides]
        for side, taken in zip(sides, reversed(hits), strict=True):
            for _ in range(taken):
                alive = [u for u in side if u[3]]
                if not alive:
                    break
                hit = min(alive, key=lambda u: ((u[0] - (u[1] if u[3] == 2 else 0)) * u[2], u[0]))
                hit[3] -= 1
                hit[0] = hit[1]
    return any(u[3] for u in sides[0])
