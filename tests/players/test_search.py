"""Searching for a plan: the number of rehearsals decides, the clock is the ceiling, the clearly better plan wins."""

import itertools
import time
from random import Random

import pytest

from sandtable.core import Match
from sandtable.players import Budget
from sandtable.players.search import USUAL, Alarm, EvenDice, PlacedDice, Plan, Scope, Theatre, play_until, search, vary
from tests.demo.game import GAME

BOLD = Plan(dials=(("bold", 1.0),))
SCOPE = Scope(
    ("north", "south"), ("home", "port"), ("home",), ("ships",), {"bold": (0.0, 1.0, 2.0)}, (BOLD, Plan(aim="south"))
)  # fmt: skip


class Told(Theatre):
    """Rehearsals that come to what they are told to, without playing."""

    def __init__(self, worth, scope=SCOPE, pause=0.0, replies=(USUAL,)):
        super().__init__(GAME, "blue", scope)
        self.worth, self.pause, self.replies, self.rehearsals = worth, pause, replies, []

    def rehearse(self, plan, reply, match, alarm):
        self.rehearsals.append((plan, reply))
        end = time.monotonic() + self.pause
        while time.monotonic() < end and not alarm():
            pass
        number = sum(one == plan for one, _ in self.rehearsals) - 1
        return self.worth(plan, reply, number)


def look(theatre, budget, seed="x"):
    match = Match.new(GAME, "war", seed=1)
    return search(GAME, match.view("blue"), theatre, seed=seed, budget=budget)


def by_orders(plan, reply, number):
    """The north in force, the port held and ships built is best; with luck."""
    luck = Random(f"{plan}/{number}").uniform(-0.03, 0.03)
    return (
        0.3 + 0.2 * (plan.aim == "north") + 0.15 * ("port" in plan.hold) + 0.1 * (plan.build == "ships") + luck
    )  # fmt: skip


def test_better_plans_are_found_by_editing_orders():
    found = look(Told(by_orders), Budget(60.0, tries=400)).plan
    assert found.aim == "north"
    assert "port" in found.hold
    assert found.build == "ships"


def test_the_number_of_tries_is_kept():
    theatre = Told(by_orders)
    assert look(theatre, Budget(60.0, tries=17)).rehearsals == len(theatre.rehearsals)
    assert 12 <= len(theatre.rehearsals) <= 17


def test_with_few_tries_few_plans_are_looked_at():
    theatre = Told(by_orders)
    look(theatre, Budget(60.0, tries=2))
    assert {plan for plan, _ in theatre.rehearsals} == {USUAL, BOLD}


def test_with_few_tries_no_plan_is_looked_at_twice_under_other_names():
    """Three of the first plans come to the same: the fourth and fifth are looked at in their place."""
    plans = tuple(Plan(dials=(("bold", value),)) for value in (0.1, 0.2, 0.3, 0.8, 0.9))

    class Alike(Told):
        def key(self, plan):
            return max(0.3, dict(plan.dials).get("bold", 0.3))

    theatre = Alike(by_orders, Scope(stock=plans))
    look(theatre, Budget(60.0, tries=9))
    assert {plan for plan, _ in theatre.rehearsals} == {USUAL, *plans[3:]}


def test_with_few_tries_a_plan_that_came_to_the_same_makes_room():
    """The first plans differ in their orders and come to the same as the usual way: the last is looked at instead."""
    plans = tuple(Plan(dials=(("bold", value),)) for value in (0.1, 0.2, 0.3, 0.4))
    theatre = Told(lambda plan, reply, number: 0.8 if plan == plans[-1] else 0.3, Scope(stock=plans))
    assert look(theatre, Budget(60.0, tries=12)).plan == plans[-1]


@pytest.mark.parametrize("tries", [12, 24, 48])
def test_a_part_of_the_tries_compares_the_best(tries):
    """However many variations there are: what looked best once is tried again before it is taken."""
    theatre = Told(by_orders)
    found = look(theatre, Budget(60.0, tries=tries))
    late = theatre.rehearsals[int(0.7 * tries) :]
    before = {plan for plan, _ in theatre.rehearsals[: int(0.7 * tries)]}
    assert len(late) >= tries // 5
    assert all(plan in before for plan, _ in late)
    assert next(one for one in found.outlines if one.plan == found.plan).rehearsals > 1


def test_where_nothing_can_be_ordered_the_search_ends():
    theatre = Told(by_orders, Scope())
    assert look(theatre, Budget(60.0)).plan == USUAL
    assert len(theatre.rehearsals) < 10


def test_the_same_seed_finds_the_same():
    assert look(Told(by_orders), Budget(60.0, tries=60)) == look(Told(by_orders), Budget(60.0, tries=60))


@pytest.mark.parametrize(
    ("usual", "other", "taken"),
    [
        ((0.5, 0.5, 0.5, 0.5), (0.7, 0.68, 0.72, 0.7), BOLD),
        ((0.5, 0.5, 0.5, 0.5), (0.51, 0.51, 0.51, 0.51), USUAL),  # too little
        ((0.5, 0.5, 0.5, 0.5), (0.9, 0.2, 0.9, 0.15), USUAL),  # nothing but luck
        ((0.6, 0.6, 0.6, 0.6), (0.5, 0.5, 0.5, 0.5), USUAL),
    ],
)
def test_the_usual_way_gives_way_to_a_clear_gain_only(usual, other, taken):
    theatre = Told(lambda plan, reply, number: (other if plan == BOLD else usual)[number % 4], Scope(stock=(BOLD,)))
    assert look(theatre, Budget(60.0, tries=12)).plan == taken


def test_the_answer_that_hurts_most_counts_as_much_as_all():
    """Bold is better on the average, but the enemy has an answer to it; the south is sound against both."""
    worth = {BOLD: (0.9, 0.1), Plan(aim="south"): (0.55, 0.55), USUAL: (0.4, 0.4)}
    answer = Plan(aim="home")

    def told(plan, reply, number):
        return worth.get(plan, (0.3, 0.3))[reply == answer]

    theatre = Told(told, Scope(stock=(BOLD, Plan(aim="south"))), replies=(USUAL, answer))
    found = look(theatre, Budget(60.0, tries=40))
    assert found.plan == Plan(aim="south")
    bold = next(one for one in found.outlines if one.plan == BOLD)
    assert bold.risk == answer
    assert bold.worst == pytest.approx(0.1)
    assert found.outlines[0].plan == found.plan


def test_gains_are_counted_in_the_same_imagined_match():
    """A plan that was rehearsed in easy matches only is not the better for it."""
    theatre = Told(lambda plan, reply, number: 0.8 if number == 0 else 0.4)
    assert look(theatre, Budget(60.0, tries=60)).plan == USUAL


def test_the_clock_is_a_ceiling(monkeypatch):
    """The clock goes on by 2 ms each time somebody looks at it: a rehearsal of 50 ms is stopped in the middle."""
    now = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: 0.002 * next(now))
    theatre = Told(by_orders, pause=0.05)
    look(theatre, Budget(0.3, tries=10_000))
    assert 4 <= len(theatre.rehearsals) <= 6
    assert 0.002 * next(now) <= 0.3


def test_without_time_the_usual_way_is_taken():
    assert look(Told(by_orders), Budget(0.0)).plan == USUAL


def test_variations_stay_within_what_can_be_ordered():
    rng = Random(3)
    seen = set()
    for _ in range(300):
        plan = vary(SCOPE, (USUAL, BOLD, Plan(aim="north", force=2.0, hold=("home",))), rng)
        assert plan.aim in ("", *SCOPE.aims)
        assert {*plan.hold, *plan.leave} <= set(SCOPE.own)
        assert not set(plan.hold) & set(plan.leave)
        assert "home" not in plan.leave
        assert all(value in SCOPE.dials[name] for name, value in plan.dials)
        seen.add(plan)
    assert len(seen) > 30


def test_even_dice_show_every_face_equally_often():
    dice = EvenDice("seed")
    shown = [dice.value(n, 6) for n in range(60)]
    assert all(shown.count(face) == 10 for face in range(1, 7))
    assert sorted(dice.value(n, 10) for n in range(10)) == list(range(1, 11))
    again = EvenDice("seed")
    assert shown == [again.value(n, 6) for n in range(60)]


def test_the_same_deed_has_the_same_dice_whatever_was_done_before_it():
    one, two = PlacedDice("seed"), PlacedDice("seed")
    two.about("a battle in the south")
    assert len({two.value(n, 6) for n in range(6)}) > 1
    for dice in (one, two):
        dice.about("a battle in the north")
    assert [one.value(n, 6) for n in range(20)] == [two.value(n + 6, 6) for n in range(20)]


def test_a_deed_that_is_done_again_has_other_dice():
    dice, shown = PlacedDice("seed"), []
    for _ in range(2):
        dice.about("a battle in the north")
        shown.append([dice.value(n, 6) for n in range(20)])
    assert shown[0] != shown[1]


def test_the_dice_of_a_deed_are_even_but_begin_anywhere():
    dice, first = PlacedDice("seed"), []
    for place in range(60):
        dice.about(place)
        shown = [dice.value(n, 6) for n in range(36)]
        assert all(5 <= shown.count(face) <= 7 for face in range(1, 7))
        first.append(sorted(shown[:6]))
    assert 0 < first.count([1, 2, 3, 4, 5, 6]) < 30
    assert len({tuple(faces) for faces in first}) > 10


def test_a_rehearsal_says_what_its_dice_are_for():
    """What is done and where counts, and when, and who does it, but not which troops do it."""
    match = Match.new(GAME, "war", seed=4, history=False)
    told = []

    class Heard(PlacedDice):
        def about(self, deed):
            told.append(deed)

    match.play.dice = Heard("seed")
    told.clear()
    rng = Random(3)
    play_until(match, lambda role: lambda view, offers: offers.sample(rng), lambda m: m.number >= 3, Alarm(60), 100)
    assert len(told) == match.number
    assert all(found[:2] == (GAME.turn(match.state), found[1]) and found[1] in match.roles for found in told)
    assert all(isinstance(word, (int, str)) for found in told for word in found)


def test_quick_play_stops_where_it_is_told():
    match = Match.new(GAME, "war", seed=4, history=False)
    rng = Random(3)
    play_until(match, lambda role: lambda view, offers: offers.sample(rng), lambda m: m.number >= 3, Alarm(60), 100)
    assert match.number == 3 or match.over
    late = Match.new(GAME, "war", seed=4, history=False)
    play_until(late, lambda role: lambda view, offers: offers.sample(rng), lambda m: False, Alarm(0.0), 100)
    assert late.number == 0


def test_without_a_number_of_tries_the_time_is_used(monkeypatch):
    now = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: 0.001 * next(now))
    look(Told(by_orders, pause=0.01), Budget(5.0))
    assert 4.5 <= 0.001 * next(now) <= 5.0


def test_a_decision_that_does_not_matter_takes_no_time():
    theatre = Told(lambda plan, reply, number: 0.5, Scope(stock=(BOLD, Plan(aim="south"))))
    assert look(theatre, Budget(60.0)).plan == USUAL
    assert len(theatre.rehearsals) <= 40
