"""Asking an ally: a rehearsal grants it, only allies hear it, and who hears it tries it once."""

from random import Random

import msgspec
import pytest

from sandtable.core import Match
from sandtable.players import Budget, searcher
from sandtable.players.requests import Request, heard_by
from sandtable.players.search import USUAL, Alarm, Found, Outline, Plan, Scope, Theatre, granted, vary
from sandtable.players.searcher import Searcher
from sandtable.players.words import request_in_words, tell
from tests.demo.game import GAME

SIDES = {"crowns": ("red", "blue"), "woods": ("green",)}
BOLD = Plan(dials=(("bold", 1.0),))


class Alliance(Theatre):
    """Red and blue against green, everybody led by chance."""

    def __init__(self):
        super().__init__(GAME, "red", Scope(("north", "south"), stock=(BOLD,)))
        self.led = {}

    def lead(self, role, plan):
        self.led[role] = plan
        rng = Random(role)
        return lambda view, offers: offers.sample(rng)

    def is_enemy(self, role):
        return role == "green"

    def ending(self):
        return lambda match: False

    def by_hand(self, match):
        return 0.5


def test_an_ally_does_in_a_rehearsal_what_it_is_asked_for():
    plan = Plan(aim="south", ask=(("blue", "north"), ("green", "home")))
    theatre = Alliance()
    theatre.rehearse(plan, BOLD, Match.new(GAME, "war", seed=1), Alarm(60.0))
    assert theatre.led == {"red": plan, "blue": Plan(aim="north", force=2.0), "green": BOLD}, "no enemy is asked"
    theatre.rehearse(Plan(), BOLD, Match.new(GAME, "war", seed=1), Alarm(60.0))
    assert theatre.led["blue"] == USUAL


def test_variations_ask_allies_for_what_they_can_do_and_for_nothing_again():
    scope, rng, asked = Scope(allies={"blue": ("north",), "pink": ("south", "home")}), Random(5), set()
    parent = USUAL
    for _ in range(60):
        parent = vary(scope, (parent,), rng)
        assert all(place in scope.allies[role] for role, place in parent.ask)
        assert len(dict(parent.ask)) == len(parent.ask)
        asked.add(parent.ask)
    assert {(), (("blue", "north"),), (("blue", "north"), ("pink", "home"))} <= asked


def test_where_no_ally_can_be_asked_plans_vary_as_ever():
    scope = Scope(("north",), dials={"bold": (0.0, 1.0)})
    plans = [vary(scope, (USUAL, BOLD), Random(seed)) for seed in range(40)]
    assert all(plan.ask == () for plan in plans)


def test_only_the_ally_that_is_asked_hears_it():
    made = (Request("red", "blue", "north", 3), Request("green", "blue", "home", 3), Request("red", "green", "port", 3))
    assert heard_by("blue", made, SIDES) == made[:1]
    assert heard_by("red", made, SIDES) == ()
    assert heard_by("green", made, SIDES) == ()


class Hears(Searcher):
    """Searches once a move, and tells what it began with."""

    def moment(self, view):
        return view.number

    def theatre(self, view):
        return Alliance()

    def follow(self, plan):
        self.followed = plan

    def answer(self, view, offers, budget):
        return offers.sample(Random(1))


@pytest.fixture
def began(monkeypatch):
    """The first plans of every search."""
    found = []

    def search(game, view, theatre, **words):
        found.append(theatre.scope.stock)
        return Found(Plan(ask=(("blue", "home"),)))

    monkeypatch.setattr(searcher, "search", search)
    return found


def test_the_next_search_begins_with_what_allies_ask_for(began):
    match, player = Match.new(GAME, "war", seed=1), Hears(GAME, 1)

    def turn(*heard):
        player.heard = heard
        role = match.decisions()[0]
        match.apply(role, player.decide(match.view(role), match.offers(role), Budget(tries=4)))

    asked = Request("blue", "red", "south", 0)
    turn()
    turn(asked)
    turn(asked)  # it still stands
    turn(msgspec.structs.replace(asked, number=3))  # asked anew
    turn(Request("blue", "red", "nowhere", 4))
    assert began == [(BOLD,), (granted("south"), BOLD), (BOLD,), (granted("south"), BOLD), (BOLD,)]


def test_what_a_plan_asks_for_is_a_request(began):
    match, player = Match.new(GAME, "war", seed=1), Hears(GAME, 1)
    assert not player.requests
    role = match.decisions()[0]
    player.decide(match.view(role), match.offers(role), Budget(tries=4))
    assert player.requests == (Request(role, "blue", "home", 0),)


@pytest.mark.parametrize(("language", "says", "asked"), [
    ("en", "Asks blue to strike at north.", "red asks you to strike at north."),
    ("de", "Bitte an blue: Stoß auf north.", "Bitte von red: Stoß auf north."),
])  # fmt: skip
def test_a_request_in_words(language, says, asked):
    texts = GAME.texts(language)
    told = tell(Outline(Plan(ask=(("blue", "north"),)), 0.5, 0.5, USUAL, 1), texts).says
    heard = request_in_words(Request("red", "blue", "north", 1), texts)
    for role in ("red", "blue"):
        name = texts.say("plan.aim", aim=f"@{role}").split(": ")[1].rstrip(".")
        says, asked = says.replace(role, name), asked.replace(role, name)
    assert (told, heard) == (says, asked)


def test_plans_written_before_there_were_requests_can_be_read():
    old = b'{"aim":"north","force":2.0}'
    assert msgspec.json.decode(old, type=Plan) == Plan("north", 2.0, (), (), "", ())
    assert msgspec.json.encode(Plan("north", 2.0)) == old
