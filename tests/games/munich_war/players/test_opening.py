"""Marshals choose their set-up: whether the cities of neutrals that fall easily are left open."""

import msgspec

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.munich_war.facts.distance import distances
from sandtable.games.munich_war.model.actions import DefaultSetup, Place
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.players.general import General, Marshal
from sandtable.games.munich_war.players.lineup import lineup
from sandtable.games.munich_war.players.marching import Marching
from sandtable.games.munich_war.players.scene import Scene
from sandtable.games.munich_war.players.turn import Opening, opening
from sandtable.players import Budget
from sandtable.players.search import Plan, Scope
from tests.games.munich_war.positions import Position, at, country

GAME = find("munich-war")
USUAL = General.usual
BUDGET = Budget(60.0, 8)


def first_country(role, scenario="little-entente"):
    match = Match.new(GAME, scenario, seed=4)
    while match.decisions() != (role,):
        match.apply(match.decisions()[0], DefaultSetup())
    return match


def test_only_the_owner_of_easy_neutrals_may_leave_them_open():
    assert opening(first_country("allies").play, ALLIES).stock == (
        Plan(leave=("2407", "3307", "3506", "3508", "3603")),
    )
    assert opening(first_country("axis").play, AXIS) == Scope()


def test_who_leaves_a_city_open_waits_beside_it_far_from_the_invader():
    match = first_country("allies")
    while match.step.country != country("Denmark"):
        match.apply("allies", DefaultSetup())

    def corps(stress):
        doctrine = msgspec.structs.replace(USUAL[ALLIES], stress=stress)
        (order,) = lineup(match.play, country("Denmark"), ALLIES, doctrine)
        return order

    assert corps(()) == DefaultSetup()
    order = corps(((at("2407"), 0.0),))
    assert isinstance(order, Place)
    assert not match.why_not("allies", order)
    assert distances(at("2407"))[at(order.to)] in (1, 2)
    germany = ATLAS.countries[country("Germany")].hexes
    assert not ATLAS.zone[at(order.to)] & germany


def test_a_plan_for_the_set_up_is_for_the_set_up_only():
    world = first_country("allies")
    (plan,) = opening(world.play, ALLIES).stock
    theatre = Opening(GAME, world, ALLIES, USUAL)
    staff = theatre.staff(ALLIES, plan)
    assert staff.doctrine == USUAL[ALLIES]
    assert dict(staff.first.stress)[at("2407")] == 0.0
    assert theatre.staff(AXIS, Plan()).first == USUAL[AXIS]
    assert theatre.key(plan) != theatre.key(Plan())


def test_marshals_search_before_the_first_turn_and_generals_do_not():
    match = first_country("allies")
    view, offers = match.view("allies"), match.offers("allies")
    marshal, general = Marshal(GAME, 1), General(GAME, 1)
    marshal.decide(view, offers, BUDGET)
    general.decide(view, offers, BUDGET)
    assert marshal.found.rehearsals == 8
    assert general.found.rehearsals == 0
    marshal.follow(Plan(leave=("2407",)))
    assert marshal.staff is not None
    assert marshal.staff.doctrine == USUAL[ALLIES]
    assert dict(marshal.staff.first.stress) == {at("2407"): 0.0}


def test_an_easy_neutral_with_an_open_city_is_entered_a_week_ahead():
    """Copenhagen is empty and two moves away: the border comes first."""
    war = Position("little-entente").put("GE-06", "2109").put("DK-I", "2206")
    march = Marching(Scene(war.m, AXIS, USUAL[AXIS]))
    march.claim()
    (order,) = march.orders.values()
    assert ATLAS.country_of[order[0]] == country("Denmark")
    march = Marching(Scene(war.put("DK-I", "2407").m, AXIS, USUAL[AXIS]))
    march.claim()
    assert not march.orders
