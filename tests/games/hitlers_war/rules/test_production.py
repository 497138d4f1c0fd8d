"""Production, building, repair, and the special rules and victory of Barbarossa."""

import pytest

from sandtable.games.hitlers_war.model.actions import Build, Done, Place, PlaceDefault, Repair, Ruin
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.rules.budget import budget, production
from sandtable.games.hitlers_war.rules.control import healthy
from sandtable.games.hitlers_war.rules.production_phase import Production, ProductionPhase
from sandtable.games.hitlers_war.rules.set_up import VichyChoice
from sandtable.games.hitlers_war.rules.surrender import Fallen
from sandtable.games.hitlers_war.sequence import SeasonEnd
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position, at


def vichy() -> Position:
    p = Position()
    p.begin(AXIS, VichyChoice()).do(AXIS, PlaceDefault())
    return p


def building(side: str, points: int, scenario: str = "barbarossa") -> Position:
    p = Position(scenario).begin(side, Production())
    p.state.budget = points
    return p


@pytest.mark.rule("hw-prod-1", "hw-bar-production", "hw-map-production")
def test_the_budget_is_every_healthy_point_held():
    p = vichy()
    assert production(p.state, 0) == 34
    assert production(p.state, 1) == 16
    p.hold(AXIS, "Q17")
    assert production(p.state, 0) == 37
    p.devastate("Q17", 1)
    assert production(p.state, 0) == 36


def test_a_handicap_gives_one_side_more_in_the_first_season_only():
    plain, axis, soviet = (Position(armies=True, handicap=points).state for points in (0, 20, -10))
    assert [budget(s, 0) - budget(plain, 0) for s in (axis, soviet)] == [20, 0]
    assert [budget(s, 1) - budget(plain, 1) for s in (axis, soviet)] == [0, 10]
    axis.turn, plain.turn = axis.turn + 1, plain.turn + 1
    assert budget(axis, 0) == budget(plain, 0)


def test_a_match_without_a_handicap_does_not_know_of_it():
    """So every match saved before there was one has the same states."""
    assert "handicap" not in Position().state.options
    assert Position(handicap=10).state.options["handicap"] == 10


@pytest.mark.rule("hw-prod-2", "hw-build-2")
def test_one_budget_pays_for_everything_within_its_limits():
    p = building(AXIS, 15)
    p.devastate("N9", 1)
    p.do(AXIS, Build("mechanized", "P10", "OKW", 1), Build("infantry", "P10", "OKW", 3))
    assert p.state.budget == 4
    p.do(AXIS, Repair("N9", 1))
    assert p.rule(AXIS, Build("infantry", "P10", "OKW", 1)) == "hw-build-2"


@pytest.mark.rule("hw-prod-3")
def test_what_is_not_spent_is_lost():
    p = building(AXIS, 15).do(AXIS, Done())
    assert p.state.budget == 0


@pytest.mark.rule("hw-build-1", "hw-basic-cost-table", "hw-build-6")
def test_basic_prices():
    p = building(AXIS, 9)
    p.do(AXIS, Build("infantry", "P10", "OKW", 1))
    assert p.state.budget == 7
    p.do(AXIS, Build("mechanized", "P10", "OKW", 1))
    assert p.state.budget == 2
    assert p.rule(AXIS, Build("mechanized", "P10", "OKW", 1)) == "hw-build-2"
    costs = ATLAS.tables["unit_costs_basic"]
    assert (costs["amphibious"], costs["fort"], costs["repair_per_point"]) == (6, 5, 3)


@pytest.mark.rule("hw-build-3")
def test_axis_points_appear_in_producing_german_hexes():
    p = building(AXIS, 30)
    assert p.allows(AXIS, Build("infantry", "P10", "OKW", 1))
    assert p.rule(AXIS, Build("infantry", "P11", "OKW", 1)) == "hw-build-3"
    assert p.rule(AXIS, Build("infantry", "N7", "OKW", 1)) == "hw-build-3"
    p.devastate("P10", 3)
    assert not p.allows(AXIS, Build("infantry", "P10", "OKW", 1))
    p.army("Army Group B", "N9", infantry=1)
    p.match.changed()
    assert p.rule(AXIS, Build("infantry", "O10", "Army Group B", 1)) == "hw-build-3"
    assert p.allows(AXIS, Build("infantry", "N9", "Army Group B", 1))


@pytest.mark.rule("hw-build-4")
def test_soviet_points_appear_in_producing_soviet_hexes():
    p = building(SOVIET, 30)
    assert p.allows(SOVIET, Build("infantry", "Q17", "Moscow", 1))
    assert p.rule(SOVIET, Build("infantry", "P14", "Moscow", 1)) == "hw-build-4"
    p.hold(SOVIET, "P10")
    p.match.changed()
    assert p.rule(SOVIET, Build("infantry", "P10", "Moscow", 1)) == "hw-build-4"


@pytest.mark.rule("hw-repair-2", "hw-repair-3", "hw-repair-6", "hw-repair-5")
def test_repair_costs_three_is_free_to_stop_and_works_next_turn():
    p = building(AXIS, 8)
    p.hold(AXIS, "P14", "Q15", "Q16", "Q17")
    p.devastate("Q17", 3)
    p.do(AXIS, Repair("Q17", 2))
    assert p.state.budget == 2
    assert p.devastation("Q17") == 1
    assert p.rule(AXIS, Build("mechanized", "P10", "OKW", 1)) == "hw-build-2"
    before = production(p.state, 0)
    assert healthy(p.state, at("Q17")) == 2
    p.begin(AXIS, ProductionPhase())
    assert p.state.budget == before - 17


@pytest.mark.rule("hw-repair-4")
def test_repair_needs_supply():
    p = building(AXIS, 8)
    p.hold(AXIS, "Q17")
    p.devastate("Q17", 3)
    assert p.rule(AXIS, Repair("Q17", 1)) == "hw-repair-4"
    p.devastate("Q17", 2)
    p.match.changed()
    assert p.allows(AXIS, Repair("Q17", 1))


@pytest.mark.rule("hw-bar-devastation")
def test_three_french_points_of_axis_choice_are_lost_for_good():
    p = Position().begin(AXIS, VichyChoice())
    assert p.rule(AXIS, Ruin("P10")) == "hw-bar-devastation"
    p.do(AXIS, Ruin("N7"), Ruin("N7"), Ruin("O8"))
    assert p.parked
    assert healthy(p.state, at("N7")) == 0
    p.begin(AXIS, Production())
    p.state.budget = 30
    assert not p.allows(AXIS, Repair("N7", 1))
    assert p.devastation("L11") == p.devastation("L12") == p.devastation("H13") == 1
    assert p.allows(AXIS, Repair("L11", 1))


@pytest.mark.rule("hw-bar-turns", "hw-map-turns", "hw-bar-victory-2")
def test_barbarossa_ends_with_winter_1943_and_the_soviets_have_held():
    p = Position().turn("Summer 1941")
    names = []
    while not p.match.over:
        names.append(ATLAS.turns[p.state.turn])
        p.begin(AXIS, SeasonEnd())
    assert names == ["Summer 1941", "Winter 1941", "Spring 1942", "Summer 1942", "Winter 1942", "Spring 1943",
                     "Summer 1943", "Winter 1943"]  # fmt: skip
    assert p.match.outcome is not None
    assert (p.match.outcome.winners, p.match.outcome.reason) == (("soviet",), "hw-bar-victory-2")


@pytest.mark.rule("hw-bar-victory-1")
def test_the_axis_wins_with_all_three_capitals_at_once():
    p = Position()
    p.hold(AXIS, "T15", "Q17")
    p.begin(AXIS, Fallen(at("Q17"), 0, 1))
    assert not p.match.over
    p.hold(AXIS, "M19")
    p.begin(AXIS, Fallen(at("M19"), 0, 1))
    assert p.match.outcome is not None
    assert (p.match.outcome.winners, p.match.outcome.reason) == (("axis",), "hw-bar-victory-1")


@pytest.mark.rule("hw-bar-victory-3")
def test_the_soviets_win_with_berlin():
    p = Position()
    p.hold(SOVIET, "P10")
    p.begin(SOVIET, Fallen(at("P10"), 1, 0))
    assert p.match.outcome is not None
    assert p.match.outcome.winners == ("soviet",)


@pytest.mark.rule("hw-bar-special-2")
def test_seventeen_points_go_elsewhere_each_turn():
    p = vichy()
    assert budget(p.state, 0) == 17
    p.devastate("P10", 3)
    assert budget(p.state, 0) == 14


@pytest.mark.rule("hw-bar-special-4", "hw-bar-special-6")
def test_siberian_industry_starts_in_winter_1941():
    p = Position().turn("Summer 1941")
    assert production(p.state, 1) == 16
    p.turn("Winter 1941")
    assert production(p.state, 1) == 24
    assert p.state.italy == 1
    assert production(p.state, 0) == production(p.turn("Spring 1942").state, 0)


@pytest.mark.rule("hw-bar-special-5")
def test_siberia_grows_in_spring_1943_while_it_is_soviet():
    p = Position().turn("Winter 1942")
    assert production(p.state, 1) == 24
    p.turn("Spring 1943")
    assert production(p.state, 1) == 28
    p.hold(AXIS, "siberia")
    assert production(p.state, 1) == 16


@pytest.mark.rule("hw-map-colors")
def test_colours_tell_the_allegiance_at_the_start():
    p = Position("campaign-1")
    by_colour: dict[str, set[str]] = {}
    for country in ATLAS.countries:
        by_colour.setdefault(country.colour, set()).update(p.owner(ATLAS.names[x]) for x in country.spaces)
    assert by_colour == {
        "light_blue": {"axis"}, "brown": {"allies"}, "light_green": {"allies"}, "yellow": {"nobody"}, "red": {"soviet"},
        "dark_green": {"nobody"}, "dark_blue": {"nobody"}, "orange": {"nobody"}, "gray": {"closed"},
    }  # fmt: skip


def test_place_is_a_set_up_action_only():
    p = building(AXIS, 5)
    assert p.refused(AXIS, Place((("infantry", 1),), "P10", "OKW")).reason == "sandtable-not-now"


@pytest.mark.rule("hw-record-1", "hw-build-3")
def test_new_points_need_an_army_counter():
    p = building(AXIS, 10)
    for number, name in enumerate(ATLAS.army_names[:12]):
        p.army(name, "P11" if number else "P10", infantry=1)
    assert p.allows(AXIS, Build("infantry", "P10", "OKW", 1))
    assert p.rule(AXIS, Build("infantry", "O10", "OKW", 1)) == "hw-record-1"


@pytest.mark.rule("hw-build-5", "hw-stack-6")
def test_no_more_points_at_once_than_there_is_room():
    p = building(AXIS, 30)
    p.army("OKW", "P10", infantry=8)
    assert p.allows(AXIS, Build("infantry", "P10", "OKW", 2))
    assert not p.allows(AXIS, Build("infantry", "P10", "OKW", 3))
