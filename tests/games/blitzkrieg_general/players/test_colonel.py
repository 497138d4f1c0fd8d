"""What a colonel knows and a captain does not: attacks together, wars of the quarter, islands by the advanced rules."""

import pytest

from sandtable.core import Choices, Match, Offers
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import (
    Build,
    Buy,
    Declare,
    Load,
    March,
    OfferCard,
    Railroad,
    ReturnCard,
    Unload,
)
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, AXIS, FRANCE, GERMANY, MAJORS, USSR
from sandtable.games.blitzkrieg_general.model.state import CONQUERED, embark
from sandtable.games.blitzkrieg_general.players.campaign import Campaign
from sandtable.games.blitzkrieg_general.players.doctrine import BLITZ, WALL, WARY, Doctrine
from sandtable.games.blitzkrieg_general.players.economy import build, buy
from sandtable.games.blitzkrieg_general.players.evaluate import evaluate
from sandtable.games.blitzkrieg_general.players.general import Quarter
from sandtable.games.blitzkrieg_general.players.goals import goals, guard
from sandtable.games.blitzkrieg_general.players.islands import Islands
from sandtable.games.blitzkrieg_general.players.planner import Outlook, Planner
from sandtable.games.blitzkrieg_general.players.politics import wars_to_come
from sandtable.games.blitzkrieg_general.players.scene import Scene
from sandtable.players import Budget, make
from sandtable.players.search import Plan, near
from tests.games.blitzkrieg_general.positions import Board


def border():
    """Six divisions in Western Poland, and two small stacks beyond the border that threaten them."""
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland").own("ussr", "baltic", "east_poland")
    b.adds("western_poland", *["germany-inf-4"] * 6)
    b.adds("baltic", "ussr-inf-2-orange", "ussr-inf-2-orange")
    b.adds("east_poland", "ussr-inf-2-orange", "ussr-inf-2-orange")
    return b.phase("land")


def on_offer(*kinds):
    """What may be built."""
    return Offers([Choices([Build(kind) for kind in kinds], rule="bg-5.0-strict-order")], "bg-5.0-strict-order")


def attacked(scene):
    hostile = {ATLAS.space_ids[s] for s in ATLAS.land if scene.hostile(s)}
    return {order.to for order in Campaign(scene).plan() if isinstance(order, March)} & hostile


def test_an_army_strikes_at_both_stacks_and_not_at_one_with_everybody():
    b = border()
    assert attacked(Outlook(b.state, "germany", WARY)) >= {"baltic", "east_poland"}


def test_a_stack_that_is_beaten_ties_nobody_down():
    b = border()
    campaign = Campaign(Outlook(b.state, "germany", WARY))
    space = ATLAS.space_of["western_poland"]
    before = campaign.danger(space)
    campaign.beaten[ATLAS.space_of["baltic"]] = campaign.scene.foe(ATLAS.space_of["baltic"])
    assert campaign.danger(space) == pytest.approx(before / 2)


def frontier():
    """One division in Hungary, three in Austria, and a bigger army in Yugoslavia that can march into both."""
    b = Board("1939-advanced").war("germany-ussr").own("germany", "hungary", "austria", "bavaria", "maginot", "paris")
    b.own("ussr", "yugoslavia", "western_germany", "prussia").adds("yugoslavia", *["ussr-inf-2-orange"] * 6)
    b.adds("hungary", "germany-inf-3")
    b.adds("austria", *["germany-inf-3"] * 3)
    return b.phase("land")


def test_behind_a_wall_the_last_division_leaves_no_threatened_area():
    state = frontier().state
    wall, wary = (Campaign(Outlook(state, "germany", way)) for way in (WALL, WARY))
    last, other = (
        next(u for u in wall.reach if state.place[u] == ATLAS.space_of[name]) for name in ("hungary", "austria")
    )
    assert (wall.is_last(last), wall.is_last(other), wary.is_last(last)) == (True, False, False)
    held = next(goal for goal in goals(wall.scene) if goal.space == ATLAS.space_of["austria"])
    assert (wall.follow(last, held), wary.follow(last, held)) == (False, True)


def test_aircraft_help_to_hold_a_wall():
    campaign = Campaign(Outlook(frontier().state, "germany", WALL))
    campaign.plan()
    bases = sorted(("paris", "austria", "bavaria"), key=lambda name: -campaign.base(ATLAS.space_of[name]))
    assert bases == ["bavaria", "austria", "paris"], "safe next door, then among the troops, then where they are no use"


def test_germany_stands_behind_a_wall_once_it_fights_the_soviets_by_the_advanced_rules():
    staff = Planner(GAME, "wall")
    found = {
        name: staff.way(Board(name, full=True).state, MAJORS.index("germany"))
        for name in ("1939-advanced", "1941-advanced")
    }
    assert found == {"1939-advanced": BLITZ, "1941-advanced": WALL}
    at_war = frontier().state
    at_war.french_fell = True
    assert staff.way(at_war, MAJORS.index("italy")) == WALL


def test_trains_know_of_the_war_that_will_be_declared():
    match = Match.new(GAME, "1941-advanced", {}, seed="east", history=False)
    players = {role: make("colonel", GAME, f"east/{role}") for role in GAME.roles}
    declared = False
    while match.state.turn == 7 and not match.state.second:
        role = match.decisions()[0]
        if role == "germany" and not declared:
            scene = Outlook(match.state, "germany")
            assert wars_to_come(scene) == [USSR]
            assert scene.threat(ATLAS.space_of["western_poland"]) > 0
            assert Scene(match.state, "germany").threat(ATLAS.space_of["western_poland"]) == 0
        action = players[role].decide(match.view(role), match.offers(role), Budget(60.0, tries=2))
        if isinstance(action, Railroad) and role == "germany":
            assert "-arm-5-" not in action.unit, "the best armour stays at the border"
        declared |= isinstance(action, Declare) and action.country == "ussr"
        match.apply(role, action)
    assert declared


def test_a_plan_of_peace_or_war_changes_whom_is_declared_on():
    b = Board("1939-basic", full=True)
    b.state.turn = ATLAS.fixed["ussr_joins"]
    assert wars_to_come(Outlook(b.state, "germany")) == [USSR]
    assert wars_to_come(Outlook(b.state, "germany", Doctrine(peace=1.0))) == []
    b.state.turn = 3
    assert wars_to_come(Outlook(b.state, "germany")) == []
    assert wars_to_come(Outlook(b.state, "germany", Doctrine(peace=-1.0))) == [USSR]


def test_open_islands_are_taken_by_troops_that_load_and_land_in_one_phase():
    b = Board("1939-advanced").war("japan-usa", "japan-be").own("japan", "formosa").own("usa", "philippines")
    convoy, unit = b.add("japan-conv-1", "sea_formosa"), b.add("japan-inf-2", "formosa")
    b.phase("naval")
    orders = Islands(Outlook(b.state, "japan")).plan()
    assert [type(order) for order in orders if isinstance(order, (Load, Unload))] == [Load, Unload]
    assert {order.unit for order in orders if isinstance(order, (Load, Unload))} == {unit}
    embark(b.state, ATLAS.unit_of[unit], ATLAS.unit_of[convoy])
    assert Islands(Outlook(b.state, "japan")).plan() == [], "who was at sea before may not land among enemies"


def test_after_its_height_the_axis_holds_what_it_has():
    b = Board("1939-basic").war("germany-ussr")
    b.state.french_fell, b.state.turn = True, ATLAS.fixed["usa_joins"] + 3
    assert Planner(GAME, "height").way(b.state, GERMANY) == WARY
    b.state.turn += 1
    assert Planner(GAME, "height").way(b.state, GERMANY) == WALL
    b.state.production = (80, *b.state.production[1:])
    assert Planner(GAME, "height").way(b.state, GERMANY) == WARY, "it may still win"


def test_two_land_together_where_one_would_fail():
    b = Board("1939-basic").war("japan-usa", "japan-be").own("japan", *(ATLAS.space_ids[s] for s in ATLAS.land))
    b.own("usa", "philippines").add("usa-inf-2", "philippines")
    b.add("japan-conv-1", "sea_formosa")
    one = b.add("japan-inf-2", "formosa")
    b.phase("naval")

    def landing():
        orders = Islands(Outlook(b.state, "japan")).plan()
        return {order.unit for order in orders if isinstance(order, Unload) and order.to == "philippines"}

    assert not landing()
    b.add("japan-conv-1", "sea_formosa")
    other = b.add("japan-inf-2", "formosa")
    assert landing() == {one, other}


@pytest.mark.parametrize(
    ("scenario", "built"),
    [("1939-basic", Build("germany-inf-2")), ("1939-advanced", Build("germany-arm-5"))],
)
def test_by_the_basic_rules_infantry_is_built_before_tanks(scenario, built):
    b = Board(scenario).war("germany-be")
    b.adds("prussia", "germany-arm-4", "germany-air-3", "germany-air-3", *["germany-inf-3"] * 6)
    assert build(Outlook(b.state, "germany"), on_offer("germany-inf-2", "germany-arm-5", "germany-air-4")) == built


def test_by_the_basic_rules_tanks_are_built_when_the_infantry_is_out():
    b = Board("1939-basic").war("germany-be")
    b.adds("prussia", "germany-arm-4", "germany-arm-4")
    assert build(Outlook(b.state, "germany"), on_offer("germany-arm-5", "germany-air-4")) == Build("germany-arm-5")


def occupied_france():
    """Germany has conquered France, and the British are at sea."""
    b = Board("1939-basic").war("germany-be").own("germany", *(ATLAS.space_ids[s] for s in ATLAS.homes[FRANCE]))
    b.state.standing = put(b.state.standing, FRANCE, CONQUERED)
    b.add("be-conv-1", "channel")
    return b


def test_a_reserve_stays_behind_the_coasts_of_a_conquered_country():
    b = occupied_france()
    paris = ATLAS.space_of["paris"]
    assert guard(Outlook(b.state, "germany", WARY), paris) == 1.0
    assert guard(Scene(b.state, "germany", WARY), paris) == 0.0, "a captain does not look ahead"
    assert guard(Outlook(b.state, "germany", WARY), ATLAS.space_of["maginot"]) == 0.0


def test_the_last_division_stays_where_it_stands_a_chance():
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland").own("ussr", "east_poland")
    last = ATLAS.unit_of[b.add("germany-inf-2", "western_poland")]
    b.add("ussr-inf-2-orange", "east_poland")
    b.phase("land")
    assert not Campaign(Outlook(b.state, "germany", BLITZ)).may_leave(last, -1)
    assert Campaign(Outlook(b.state, "germany", BLITZ)).may_leave(last, ATLAS.space_of["east_poland"])
    b.adds("east_poland", *["ussr-arm-5-red"] * 2)
    assert Campaign(Outlook(b.state, "germany", BLITZ)).may_leave(last, -1), "it would only die"


def test_an_area_that_has_enough_draws_no_more():
    b = Board("1939-basic").war("germany-be")
    b.phase("land")
    capital = ATLAS.space_of["western_germany"]

    def pull(scene):
        goal = next(g for g in goals(scene) if g.space == capital)
        goal.assigned = 3 * goal.demand
        return goal.pull(capital) / goal.weight

    assert pull(Outlook(b.state, "germany", WARY)) == pytest.approx(pull(Scene(b.state, "germany", WARY)) / 3)


def test_a_general_compares_war_and_peace_and_the_sea():
    """Plans that march the same way but differ in these are not taken for one."""
    match = Match.new(GAME, "1941-advanced", {}, seed="plans", history=False)
    for role in ("germany", "japan"):
        theatre = Quarter(GAME, match.view(role))
        plans = [Plan(), Plan(dials=(("peace", 1.0),)), Plan(dials=(("peace", -1.0),)), Plan(dials=(("islands", 0.0),))]
        assert len({theatre.key(plan) for plan in plans}) == len(plans)
        assert theatre.scope.stock


def test_a_generals_judgement_sees_the_points_that_win():
    b = Board("1939-basic", full=True).phase("land")
    theatre = Quarter(GAME, b.match.view("germany"))
    before, usual = theatre.by_hand(b.match), evaluate(b.state, AXIS)
    assert before == 0.5
    b.own("germany", "sumatra", "java", "philippines")
    plain = near(evaluate(b.state, AXIS), usual, 80.0)
    assert theatre.by_hand(b.match) > plain > before


def test_the_soviets_save_for_the_card_that_opens_the_war_in_the_east():
    b = Board("1939-advanced", full=True)
    b.state.turn = next(turn for turn in range(len(ATLAS.turns)) if ATLAS.year[turn] == 1941)
    cost = ATLAS.card_cost[ATLAS.card_of["ussr_may_declare_war"]]
    offers = Offers([Choices([Build("ussr-inf-2-orange")], rule="test")], "test")
    price = ATLAS.kind_ids["ussr-inf-2-orange"].cost
    for points, built in ((cost + price - 1, None), (cost + price, Build("ussr-inf-2-orange"))):
        b.state.points = put(b.state.points, USSR, points)
        assert build(Outlook(b.state, "ussr"), offers) == built
    assert build(Scene(b.state, "ussr"), offers) is not None, "captains do not"


def test_whoever_draws_that_card_passes_it_to_the_soviets_who_buy_it():
    b = Board("1939-advanced", full=True)
    b.state.turn = next(turn for turn in range(len(ATLAS.turns)) if ATLAS.year[turn] == 1941)
    card = ATLAS.card_of["ussr_may_declare_war"]
    b.state.drawn = put(b.state.drawn, MAJORS.index("be"), card)
    drawn = Offers([Choices([action], rule="test") for action in (OfferCard("ussr"), ReturnCard())], "test")
    assert buy(Outlook(b.state, "be"), drawn) == OfferCard("ussr")
    assert buy(Scene(b.state, "be"), drawn) == ReturnCard()
    b.state.points = put(b.state.points, USSR, ATLAS.card_cost[card])
    paid = Buy("ussr_may_declare_war")
    offered = Offers([Choices([action], rule="test") for action in (paid, ReturnCard())], "test")
    assert buy(Outlook(b.state, "ussr"), offered) == paid
    assert buy(Scene(b.state, "ussr"), offered) == ReturnCard()
