"""Campaign Game II: prices by tech level, research."""

from fractions import Fraction

import pytest

from sandtable.core.data import Rolled
from sandtable.games.hitlers_war.model.actions import Build, Done, Fortify, Invest, Produce
from sandtable.games.hitlers_war.model.actions import Test as RollFor
from sandtable.games.hitlers_war.model.atlas import ALLIES as ALLIED
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Researched
from sandtable.games.hitlers_war.model.technology import ITEM, ITEMS, PRICES
from sandtable.games.hitlers_war.rules.entry import dated_entries
from sandtable.games.hitlers_war.rules.production import cost
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.research import LAST_STEP, result_of
from sandtable.games.hitlers_war.rules.research_phase import Research
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position
from tests.games.hitlers_war.positions_naval import Second

TABLE = {
    "infantry": "3 2 1", "mechanized": "6 4 3 2", "tac_air": "4 3 2 1", "paratroop": "6 5", "amphibious": "6 4 3 2",
    "fort": "5", "u_boat": "6 4 2 3/2 1", "capital_ship": "11 9 7 5", "carrier": "15 12 10 8", "asw": "8 5 3",
    "air_defense": "8 7 6 2 1 1/2 1/3", "bomber": "0 7 4 3", "escort": "0 7 6 5 2 1 1/2", "missile": "0 0 0 0 3 2",
    "atomic_bomb": "0 0 0 0 0 0 2",
}  # fmt: skip
LAND = ("infantry", "mechanized", "tac_air", "paratroop", "amphibious", "fort", "u_boat", "capital_ship")


def printed(item: str) -> list[Fraction]:
    return [Fraction(word) for word in TABLE[item].split()]


def research(p: Second, side: str, money: int = 9) -> Second:
    p.begin(side, Research())
    p.money(money)
    p.begin(side, Research())
    return p


def produce(p: Second, side: str, money: int) -> Second:
    p.begin(side, Production())
    p.money(money)
    return p


@pytest.mark.rule("hw-tech-table-land")
@pytest.mark.parametrize("item", LAND)
def test_prices_of_land_and_naval_items_by_level(item):
    assert [Fraction(sixths, 6) for sixths in PRICES[item]] == printed(item)


@pytest.mark.rule("hw-tech-table-strategic")
@pytest.mark.parametrize("item", [item for item in ITEMS if item not in LAND])
def test_prices_of_strategic_items_by_level(item):
    assert [Fraction(sixths, 6) for sixths in PRICES[item]] == printed(item)


@pytest.mark.rule("hw-cost-1", "hw-cost-1-example")
@pytest.mark.parametrize(("level", "each"), [(0, 6), (1, 4), (2, 3), (3, 2)])
def test_a_mechanized_point_costs_what_its_tech_level_says(level, each):
    p = Second()
    p.at_level(AXIS, "mechanized", level)
    produce(p, AXIS, 12)
    p.do(AXIS, Build("mechanized", "P10", "OKW", 12 // each))
    assert p.state.budget == 0
    assert p.rule(AXIS, Build("infantry", "P10", "OKW", 1)) == "hw-build-2"


@pytest.mark.rule("hw-cost-1")
def test_the_basic_chart_holds_in_the_first_campaign_only():
    first, second = Position("campaign-1"), Second()
    assert cost(first.state, 0, "mechanized", 1) == ATLAS.tables["unit_costs_basic"]["mechanized"] == 5
    assert cost(second.state, 0, "mechanized", 1) == 4
    assert cost(second.state, 1, "mechanized", 1) == 6


@pytest.mark.rule("hw-cost-1")
def test_prices_below_one_are_paid_in_whole_points():
    p = Second()
    p.at_level(AXIS, "air_defense", 6)
    produce(p, AXIS, 2)
    p.do(AXIS, Produce("air_defense", 4))
    assert (p.box(AXIS, "air_defense"), p.state.budget) == (4, 0)


@pytest.mark.rule("hw-cost-2")
def test_no_research_beyond_the_last_printed_price():
    p = Second()
    p.at_level(SOVIET, "infantry", 2).on_step(SOVIET, "infantry", 0)
    research(p, SOVIET)
    assert p.rule(SOVIET, Invest("infantry", 1)) == "hw-cost-2"
    assert p.rule(SOVIET, Invest("fort", 1)) == "hw-cost-2"
    assert p.allows(SOVIET, Invest("mechanized", 1))


@pytest.mark.rule("hw-cost-3")
def test_prohibited_items_cannot_be_built_before_their_level():
    p = Second()
    produce(p, AXIS, 30)
    assert p.rule(AXIS, Produce("bomber", 1)) == "hw-cost-3"
    p.at_level(AXIS, "bomber", 1).boxed(AXIS, "bomber", 1)
    for level in range(7):
        p.at_level(AXIS, "atomic_bomb", level)
        produce(p, AXIS, 30)
        assert ("arm" in p.verbs(AXIS)) == (level == 6)
    assert p.allows(AXIS, Produce("bomber", 1))


@pytest.mark.rule("hw-cost-4", "hw-research-start-costs")
def test_every_side_starts_with_the_prices_of_its_own_record_card():
    p = Second()
    axis = {"infantry": 2, "mechanized": 4, "air_defense": 8, "missile": 0, "bomber": 0, "escort": 0}
    soviet = {"infantry": 3, "mechanized": 6, "tac_air": 4, "paratroop": 6, "capital_ship": 11, "carrier": 15,
              "air_defense": 8, "missile": 0, "atomic_bomb": 0}  # fmt: skip
    assert {item: p.price(AXIS, item) for item in axis} == axis
    assert {item: p.price(SOVIET, item) for item in soviet} == soviet
    assert p.price(ALLIES, "infantry") == 3
    assert (p.level(AXIS, "missile"), p.level(SOVIET, "missile")) == (1, 0)


@pytest.mark.rule("hw-research-startpos")
def test_all_markers_begin_at_the_start():
    p = Second()
    assert list(p.state.track) == [0] * (3 * len(ITEMS))


@pytest.mark.rule("hw-research-1")
def test_one_or_two_points_move_one_items_marker_as_many_spaces():
    p = research(Second(), AXIS, money=4)
    p.do(AXIS, Invest("amphibious", 1), Invest("missile", 2))
    assert (p.step_of(AXIS, "amphibious"), p.step_of(AXIS, "missile"), p.state.budget) == (1, 2, 1)
    assert p.rule(AXIS, Invest("missile", 1)) == "hw-research-1"
    p.do(AXIS, Invest("bomber", 1))
    assert p.rule(AXIS, Invest("bomber", 1)) == "hw-research-1"
    assert p.rule(AXIS, Invest("asw", 1)) == "hw-research-1"


@pytest.mark.rule("hw-research-1")
def test_research_is_paid_from_what_production_left():
    p = Second()
    p.begin(AXIS, Production(), Research())
    p.money(10).do(AXIS, Build("infantry", "P10", "OKW", 4), Done())
    assert p.at_step == "Research"
    assert p.state.budget == 2
    p.do(AXIS, Invest("bomber", 2), Done())
    assert p.state.budget == 0


@pytest.mark.rule("hw-research-2")
def test_one_die_per_item_and_the_letter_stands_under_the_marker():
    p = Second()
    p.on_step(AXIS, "bomber", 2).on_step(AXIS, "missile", 1)
    research(p, AXIS, money=0).dice(2, 1)
    p.do(AXIS, RollFor("bomber"))
    assert p.rule(AXIS, RollFor("bomber")) == "hw-research-2"
    assert p.rule(AXIS, RollFor("infantry")) == "hw-research-2"
    p.do(AXIS, RollFor("missile"))
    assert [event.result for event in p.happened(Researched)] == ["A", "A"]
    assert p.parked


@pytest.mark.rule("hw-research-2")
def test_no_more_money_once_the_dice_roll():
    p = Second()
    p.on_step(AXIS, "bomber", 1).on_step(AXIS, "missile", 1)
    research(p, AXIS).dice(1)
    assert p.allows(AXIS, Invest("missile", 1))
    p.do(AXIS, RollFor("bomber"))
    assert p.rule(AXIS, Invest("missile", 1)) == "hw-research-2"


@pytest.mark.rule("hw-research-track")
def test_the_research_track():
    rows = {step: "".join(result_of(step, die) for die in range(1, 7)) for step in range(1, LAST_STEP + 1)}
    assert rows == {1: "ABCCCC", 2: "AABCCC", 3: "AAABCC", 4: "AAAABC", 5: "AAAAAB"}


@pytest.mark.rule("hw-research-a")
def test_an_a_lowers_the_price_to_the_next_level():
    p = Second()
    p.on_step(SOVIET, "amphibious", 2)
    research(p, SOVIET, money=0).dice(1).do(SOVIET, RollFor("amphibious"))
    assert (p.level(SOVIET, "amphibious"), p.price(SOVIET, "amphibious")) == (1, 4)
    assert p.step_of(SOVIET, "amphibious") == 0


@pytest.mark.rule("hw-research-b")
def test_a_b_takes_one_point_off_and_leaves_the_level():
    p = Second()
    p.on_step(AXIS, "capital_ship", 3)
    research(p, AXIS, money=0).dice(4).do(AXIS, RollFor("capital_ship"))
    assert (p.level(AXIS, "capital_ship"), p.price(AXIS, "capital_ship")) == (0, 10)
    assert p.step_of(AXIS, "capital_ship") == 0


@pytest.mark.rule("hw-research-b-fraction")
def test_a_b_one_point_from_the_next_level_takes_a_half_and_then_nothing():
    p = Second()
    p.on_step(SOVIET, "tac_air", 1).costs(AXIS, "tac_air", 4)
    research(p, SOVIET, money=0).dice(2).do(SOVIET, RollFor("tac_air"))
    assert p.price(SOVIET, "tac_air") == Fraction(7, 2)
    p.on_step(SOVIET, "tac_air", 1)
    research(p, SOVIET, money=0).dice(2).do(SOVIET, RollFor("tac_air"))
    assert (p.price(SOVIET, "tac_air"), p.level(SOVIET, "tac_air")) == (Fraction(7, 2), 0)
    assert p.step_of(SOVIET, "tac_air") == 0
    p.on_step(SOVIET, "tac_air", 1)
    research(p, SOVIET, money=0).dice(1).do(SOVIET, RollFor("tac_air"))
    assert p.price(SOVIET, "tac_air") == 3


@pytest.mark.rule("hw-research-c")
def test_a_c_changes_no_price_and_rolls_for_the_marker():
    p = Second()
    p.on_step(AXIS, "bomber", 3)
    research(p, AXIS, money=0).dice(6, 2).do(AXIS, RollFor("bomber"))
    assert (p.level(AXIS, "bomber"), p.step_of(AXIS, "bomber")) == (0, 2)
    assert [event.why for event in p.happened(Rolled)] == ["hw-research-2", "hw-efficiency-table"]


@pytest.mark.rule("hw-efficiency-table")
@pytest.mark.parametrize(("die", "left"), [(1, 4), (2, 3), (3, 2), (4, 2), (5, 1), (6, 0)])
def test_the_efficiency_table(die, left):
    p = Second()
    p.on_step(AXIS, "bomber", 4)
    research(p, AXIS, money=0).dice(6, die).do(AXIS, RollFor("bomber"))
    assert p.step_of(AXIS, "bomber") == left


@pytest.mark.rule("hw-efficiency-table")
def test_no_marker_falls_behind_the_start():
    p = Second()
    p.on_step(AXIS, "bomber", 1)
    research(p, AXIS, money=0).dice(6, 5).do(AXIS, RollFor("bomber"))
    assert p.step_of(AXIS, "bomber") == 0


@pytest.mark.rule("hw-research-delay")
def test_a_marker_may_wait_and_go_on_later():
    p = research(Second(), AXIS)
    p.do(AXIS, Invest("bomber", 2), Done())
    assert p.step_of(AXIS, "bomber") == 2
    research(p, AXIS).do(AXIS, Invest("bomber", 2), Done())
    assert p.step_of(AXIS, "bomber") == 4
    assert p.happened(Rolled) == []


@pytest.mark.rule("hw-research-max")
def test_the_fifth_step_is_the_last():
    p = Second()
    p.on_step(AXIS, "bomber", 4)
    research(p, AXIS)
    assert not p.allows(AXIS, Invest("bomber", 2))
    p.do(AXIS, Invest("bomber", 1))
    assert p.rule(AXIS, Invest("bomber", 1)) == "hw-research-max"
    research(p, AXIS)
    assert p.rule(AXIS, Invest("bomber", 1)) == "hw-research-max"


@pytest.mark.rule("hw-research-special-1")
def test_the_soviets_spend_one_point_per_item_until_they_and_the_axis_fight():
    p = research(Second(), SOVIET)
    assert not p.allows(SOVIET, Invest("infantry", 2))
    p.do(SOVIET, Invest("infantry", 1), Invest("bomber", 1))
    assert p.rule(SOVIET, Invest("infantry", 1)) == "hw-research-special-1"
    assert p.rule(SOVIET, Invest("bomber", 1)) == "hw-research-special-1"
    p = Second()
    p.state.at_war = True
    assert research(p, SOVIET).allows(SOVIET, Invest("infantry", 2))


@pytest.mark.rule("hw-research-special-2", "hw-research-special-2-example")
def test_who_has_the_cheapest_infantry_spends_one_point_on_it():
    p = research(Second(), AXIS)
    assert [p.price(side, "infantry") for side in (AXIS, SOVIET, ALLIES)] == [2, 3, 3]
    assert not p.allows(AXIS, Invest("infantry", 2))
    p.do(AXIS, Invest("infantry", 1))
    assert p.rule(AXIS, Invest("infantry", 1)) == "hw-research-special-2"
    p = Second()
    p.at_level(ALLIES, "infantry", 1)
    assert research(p, AXIS).allows(AXIS, Invest("infantry", 2))


@pytest.mark.rule("hw-research-special-3", "hw-research-special-3-example")
def test_a_b_counts_as_an_a_where_another_side_pays_less():
    p = Second()
    p.on_step(SOVIET, "mechanized", 1).costs(AXIS, "mechanized", 5)
    research(p, SOVIET, money=0).dice(2).do(SOVIET, RollFor("mechanized"))
    assert (p.level(SOVIET, "mechanized"), p.price(SOVIET, "mechanized")) == (1, 4)
    p = Second()
    p.on_step(SOVIET, "mechanized", 1).costs(AXIS, "mechanized", 6)
    research(p, SOVIET, money=0).dice(2).do(SOVIET, RollFor("mechanized"))
    assert (p.level(SOVIET, "mechanized"), p.price(SOVIET, "mechanized")) == (0, 5)


@pytest.mark.rule("hw-research-special-4")
def test_prohibited_items_feel_neither_the_limit_nor_the_help():
    p = Second()
    p.at_level(ALLIES, "bomber", 2).on_step(AXIS, "bomber", 1)
    research(p, AXIS).dice(2)
    assert p.allows(AXIS, Invest("escort", 2))
    p.do(AXIS, RollFor("bomber"))
    assert (p.level(AXIS, "bomber"), p.price(AXIS, "bomber"), p.step_of(AXIS, "bomber")) == (0, 0, 0)
    p.at_level(AXIS, "escort", 1).at_level(SOVIET, "escort", 0).at_level(ALLIES, "escort", 0)
    research(p, AXIS)
    assert not p.allows(AXIS, Invest("escort", 2))


@pytest.mark.rule("hw-research-us")
def test_the_united_states_brings_science_unless_the_allies_are_ahead():
    p = Second().turn("Spring 1942")
    p.state.side = ALLIED
    dated_entries(p.m)
    assert (p.level(ALLIES, "atomic_bomb"), p.level(ALLIES, "capital_ship")) == (2, 1)
    assert p.price(ALLIES, "capital_ship") == 9
    ahead = Second()
    ahead.turn("Spring 1942")
    ahead.at_level(ALLIES, "atomic_bomb", 4).at_level(ALLIES, "capital_ship", 2)
    ahead.state.side = ALLIED
    dated_entries(ahead.m)
    assert (ahead.level(ALLIES, "atomic_bomb"), ahead.level(ALLIES, "capital_ship")) == (4, 2)


@pytest.mark.rule("hw-fleet-5")
def test_carriers_are_neither_built_nor_researched_without_their_option():
    p = produce(Second(), ALLIES, 30)
    assert p.rule(ALLIES, Produce("carrier", 1)) == "hw-fleet-5"
    assert p.allows(ALLIES, Produce("capital_ship", 1))
    assert research(p, ALLIES).rule(ALLIES, Invest("carrier", 1)) == "hw-fleet-5"


def test_forts_keep_their_price():
    p = produce(Second(), AXIS, 10)
    p.do(AXIS, Fortify("P10", 2))
    assert p.state.budget == 0
    assert ITEM["fort"] == 5
