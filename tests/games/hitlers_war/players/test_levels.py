"""Every level of Hitler's War answers every question legally, the same from the same seed, and in its time."""

import itertools
import time

import pytest

from sandtable.core import Action, Match, View
from sandtable.games import find
from sandtable.games.hitlers_war.model.atlas import ALLIES, ATLAS
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.players import Budget, levels, make

GAME = find("hitlers-war")
SHORT = Budget(5.0, tries=2)
LEVELS = ("recruit", "captain", "colonel", "general", "marshal")
LAND = {"leaders": True, "unaligned_forces": True, "italian_army": True}
SEA = {"naval_action": True, "ship_builds": True, "carriers": True, "partisans_against_armies": True}
TABLES = [
    ("barbarossa", {}),
    ("barbarossa", {"leaders": True}),
    ("fall-of-germany", {}),
    ("fall-of-germany", {"players": 2, "leaders": True}),
    ("campaign-1", {}),
    ("campaign-1", {"players": 2, **LAND}),
    ("campaign-2", {"players": 2}),
    ("campaign-2", {**LAND, **SEA}),
]


def play(scenario, options, seats, seed, *, most=5000, budget=SHORT, watch=None):
    match = Match.new(GAME, scenario, options, seed=seed, history=False)
    players = {role: make(level, GAME, f"{seed}/{role}") for role, level in seats.items()}
    made: list[Action] = []
    while not match.over and len(made) < most:
        role = match.decisions()[0]
        action = players[role].decide(match.view(role), match.offers(role), budget)
        made.append(action)
        match.apply(role, action)  # raises where the action is not allowed
        if watch:
            watch(match)
    return match, made


def all_seats(scenario, level):
    return dict.fromkeys(GAME.roles_in(scenario), level)


def test_the_levels_are_there_weakest_first():
    assert levels(find("hitlers-war")) == LEVELS


@pytest.mark.parametrize(("scenario", "options"), TABLES)
@pytest.mark.parametrize("level", ["recruit", "captain"])
def test_quick_levels_play_every_table_to_its_end(level, scenario, options):
    match, _ = play(scenario, options, all_seats(scenario, level), "end")
    assert match.over
    assert not match.faults()


@pytest.mark.parametrize(("scenario", "options"), TABLES)
@pytest.mark.parametrize("level", ["colonel", "general"])
def test_thinking_levels_answer_legally_at_every_table(level, scenario, options):
    _, made = play(scenario, options, all_seats(scenario, level), "some", most=90, budget=Budget(5.0, tries=1))
    assert len(made) == 90


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same(level):
    most = 60 if level in ("general", "marshal") else 160
    one = play("barbarossa", {}, all_seats("barbarossa", level), "same", most=most)[1]
    two = play("barbarossa", {}, all_seats("barbarossa", level), "same", most=most)[1]
    assert one == two


def test_recruits_differ_by_seed():
    match = Match.new(GAME, "barbarossa", seed=1)
    tries = {repr(make("recruit", GAME, n).decide(match.view("axis"), match.offers("axis"), Budget())) for n in (1, 1)}
    assert len(tries) == 1
    one = play("barbarossa", {}, all_seats("barbarossa", "recruit"), "one", most=40)[1]
    two = play("barbarossa", {}, all_seats("barbarossa", "recruit"), "two", most=40)[1]
    assert one != two


@pytest.mark.parametrize("level", ["captain", "colonel", "general"])
def test_a_new_player_for_every_decision_carries_the_same_plan_on(level):
    """The server asks a new player each time: he must march and attack by the plan his predecessor had."""
    budget = Budget(9.0, tries=1)
    kept = play("barbarossa", {}, all_seats("barbarossa", level), "new", most=40, budget=budget)[1]
    match = Match.new(GAME, "barbarossa", {}, seed="new", history=False)
    compared = 0
    for number, expected in enumerate(kept):
        role = match.decisions()[0]
        action = make(level, GAME, f"anything/{number}").decide(match.view(role), match.offers(role), budget)
        assert action == expected
        compared += isinstance(match.step, (Movement, Announce))
        match.apply(role, action)
        if compared and not isinstance(match.step, (Movement, Announce)):
            break
    assert compared > 5


@pytest.mark.parametrize("level", LEVELS)
def test_players_leave_the_view_as_it_is_and_know_nothing_else(level):
    """The same view gives the same answer, whatever dice are still to fall in the match it comes from."""
    answers = []
    for seed in ("dice one", "dice two"):
        match = Match.new(GAME, "campaign-1", seed=seed)
        view = match.view("axis")
        before = GAME.codec.digest(view.state)
        answers.append(make(level, GAME, 7).decide(view, match.offers("axis"), Budget(5.0, tries=2)))
        assert GAME.codec.digest(view.state) == before
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("level", "seconds"), [("colonel", 0.05), ("general", 0.05), ("general", 0.4)])
def test_thinking_levels_keep_to_the_clock(level, seconds, monkeypatch):
    """The clock stops the search. It goes on by half a millisecond each time somebody looks at it."""
    now = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: 0.0005 * next(now))
    match = Match.new(GAME, "campaign-1", seed=5)
    view, offers = match.view("axis"), match.offers("axis")
    player = make(level, GAME, 1)
    player.decide(view, offers, Budget(seconds, tries=100_000))
    assert 0.0005 * next(now) <= seconds * 1.1


def test_captains_beat_recruits():
    won = 0
    for seed in range(3):
        for mine in ("axis", "soviet"):
            seats = {role: "captain" if role == mine else "recruit" for role in ("axis", "soviet")}
            match, _ = play("barbarossa", {}, seats, f"duel {seed}")
            won += mine in match.outcome.winners
    assert won >= 5


def test_poland_falls_then_france():
    fallen: dict[str, int] = {}

    def watch(match):
        for name in ("poland", "france"):
            if match.state.surrendered[ATLAS.country_index[name]]:
                fallen.setdefault(name, match.state.turn)

    play("campaign-1", {}, all_seats("campaign-1", "captain"), 1, most=700, watch=watch)
    assert fallen["poland"] <= fallen["france"] <= ATLAS.turn_number["Winter 1941"]


def test_the_allies_land_in_france():
    france = ATLAS.countries[ATLAS.country_index["france"]].spaces
    landed: list[int] = []

    def watch(match):
        if not landed and any(match.state.owner[space] == ALLIES for space in france):
            landed.append(match.state.turn)

    play("fall-of-germany", {}, all_seats("fall-of-germany", "captain"), 0, watch=watch)
    assert landed


def test_views_of_any_role_are_enough():
    """A player gets a View and Offers and nothing of the match."""
    match = Match.new(GAME, "barbarossa", seed=3)
    bare = View(GAME.id, "axis", match.number, ("axis",), GAME.codec.unpack(GAME.codec.pack(match.view("axis").state)))
    offers = match.offers("axis")
    for level in LEVELS:
        assert offers.refuse(make(level, GAME, 3).decide(bare, offers, Budget(1.0, tries=1))) is None
