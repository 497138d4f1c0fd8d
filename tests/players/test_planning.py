"""The older search, which games pinned at older rules still think with."""

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games import pins
from sandtable.players import Budget, levels, make
from sandtable.players.planning import search
from tests.demo.game import GAME

PINS = sorted(path.stem.rpartition("_")[::2] for path in pins._HERE.glob("*.zip"))


class Numbers:
    """Plans are numbers; the nearer to seven the better, with luck."""

    def __init__(self):
        self.rehearsals = 0

    def first(self):
        return 1, 2, 3, 4

    def vary(self, parents, rng):
        return rng.choice(parents) + rng.choice((-1, 1))

    def key(self, plan):
        return plan

    def prior(self, plan):
        return 0.0

    def rehearse(self, plan, match, alarm):
        self.rehearsals += 1
        return -abs(plan - 7) + Random(f"{plan}/{self.rehearsals}").uniform(-0.5, 0.5)


def look(turn, budget):
    match = Match.new(GAME, "war", seed=1)
    return search(GAME, match.view("blue"), turn, seed="x", budget=budget, tries=30)


def test_better_plans_are_found_by_varying_good_ones():
    assert look(Numbers(), Budget(30.0, tries=300)) >= 5


def test_the_number_of_tries_is_kept():
    turn = Numbers()
    look(turn, Budget(30.0, tries=17))
    assert 10 <= turn.rehearsals <= 17


@pytest.mark.parametrize(("name", "rules"), PINS)
def test_players_of_a_pinned_game_still_play(name, rules):
    game = pins.pinned(name, int(rules))
    assert game is not None
    for level in levels(game):
        match = Match.new(game, next(iter(game.scenarios)), seed=1, history=False)
        players = {role: make(level, game, f"1/{role}") for role in match.roles}
        for _ in range(3):
            role = match.decisions()[0]
            action = players[role].decide(match.view(role), match.offers(role), Budget(60.0, tries=1))
            match.apply(role, action)
        assert match.number == 3
