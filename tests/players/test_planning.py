"""Searching for a plan: the number of rehearsals decides, the clock is the ceiling, the better plan wins."""

import itertools
import time
from random import Random

from sandtable.core import Match
from sandtable.players import Budget
from sandtable.players.planning import Alarm, EvenDice, play_until, search
from tests.demo.game import GAME


class Numbers:
    """Plans are numbers; the nearer to seven the better, with luck."""

    def __init__(self, start=(1, 2, 3, 4), pause=0.0):
        self.start, self.pause, self.rehearsals = start, pause, 0

    def first(self):
        return self.start

    def vary(self, parents, rng):
        return rng.choice(parents) + rng.choice((-1, 1))

    def key(self, plan):
        return plan

    def prior(self, plan):
        return 0.0

    def rehearse(self, plan, match, alarm):
        self.rehearsals += 1
        end = time.monotonic() + self.pause
        while time.monotonic() < end and not alarm():
            pass
        luck = Random(f"{plan}/{self.rehearsals}").uniform(-0.5, 0.5)
        return -abs(plan - 7) + luck


def look(turn, budget, seed="x"):
    match = Match.new(GAME, "war", seed=1)
    return search(GAME, match.view("blue"), turn, seed=seed, budget=budget, tries=30)


def test_better_plans_are_found_by_varying_good_ones():
    found = look(Numbers(), Budget(30.0, tries=300))
    assert found >= 5


def test_the_number_of_tries_is_kept():
    turn = Numbers()
    look(turn, Budget(30.0, tries=17))
    assert 10 <= turn.rehearsals <= 17
    turn = Numbers()
    look(turn, Budget(30.0))
    assert 20 <= turn.rehearsals <= 30


def test_nothing_new_ends_the_search():
    turn = Numbers(start=(7,))
    turn.vary = lambda parents, rng: None  # type: ignore[method-assign]
    assert look(turn, Budget(30.0, tries=1000)) == 7
    assert turn.rehearsals < 10


def test_the_same_seed_finds_the_same():
    assert look(Numbers(), Budget(30.0, tries=60)) == look(Numbers(), Budget(30.0, tries=60))


def test_the_clock_is_a_ceiling(monkeypatch):
    """The clock goes on by 2 ms each time somebody looks at it: a rehearsal of 50 ms is stopped in the middle."""
    now = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: 0.002 * next(now))
    turn = Numbers(pause=0.05)
    look(turn, Budget(0.3, tries=10_000))
    assert 4 <= turn.rehearsals <= 6
    assert 0.002 * next(now) <= 0.3


def test_without_time_the_first_plan_is_taken():
    assert look(Numbers(), Budget(0.0)) == 1


def test_even_dice_show_every_face_equally_often():
    dice = EvenDice("seed")
    shown = [dice.value(n, 6) for n in range(60)]
    assert all(shown.count(face) == 10 for face in range(1, 7))
    assert sorted(dice.value(n, 10) for n in range(10)) == list(range(1, 11))
    again = EvenDice("seed")
    assert shown == [again.value(n, 6) for n in range(60)]


def test_quick_play_stops_where_it_is_told():
    match = Match.new(GAME, "war", seed=4, history=False)
    rng = Random(3)
    play_until(match, lambda role: lambda view, offers: offers.sample(rng), lambda m: m.number >= 3, Alarm(60), 100)
    assert match.number == 3 or match.over
    late = Match.new(GAME, "war", seed=4, history=False)
    play_until(late, lambda role: lambda view, offers: offers.sample(rng), lambda m: False, Alarm(0.0), 100)
    assert late.number == 0
