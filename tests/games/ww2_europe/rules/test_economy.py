"""Build, Buy, Collect Money."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.convoys import convoy_of
from sandtable.games.ww2_europe.model.actions import (
    Buy,
    BuyDepot,
    BuyFortress,
    BuyPoint,
    Give,
    Place,
    Repair,
    RepairShip,
    SetAside,
)
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.state import BOX
from sandtable.games.ww2_europe.model.units import add_unit
from sandtable.games.ww2_europe.rules.build import FINISHED, place_refusal
from sandtable.games.ww2_europe.rules.build_phase import SlideBoxes
from sandtable.games.ww2_europe.rules.buy import buy_refusal, fortress_refusal
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.collect import gift_room, plan
from sandtable.games.ww2_europe.rules.collect_phase import CollectMoney
from sandtable.games.ww2_europe.rules.turn_end import pacific_money
from tests.games.ww2_europe.positions import Board, refusal_of, space

K = A.kinds


def finished(board: Board, power: str, kind: str) -> int:
    return add_unit(board.state, K.index[kind], A.power_index[power], FINISHED)


@pytest.mark.rule("w2e-unit-attr-build-time", "w2e-build-order")
def test_boxes_move_down_and_box_one_is_placed():
    board = Board()
    one = add_unit(board.state, K.infantry, A.germany, BOX - 1)
    four = add_unit(board.state, K.battleship, A.germany, BOX - 4)
    board.run(SlideBoxes(0))
    assert board.state.space[four] == BOX - 3
    assert board.match.decisions() == ("germany",)
    board.do("germany", Place(board.name(one), "berlin"))
    assert board.where(one) == "berlin"


@pytest.mark.rule("w2e-build-control", "w2e-factory-build")
def test_units_appear_only_in_homeland_held_since_the_turn_began():
    board = Board()
    unit = finished(board, "germany", "tank")
    assert place_refusal(board.m, unit, space("berlin"), ()) is None
    assert refusal_of(place_refusal(board.m, unit, space("bratislava"), ())) == "w2e-factory-build"
    board.state.start_owner = put(board.state.start_owner, space("berlin"), A.britain)
    assert refusal_of(place_refusal(board.m, unit, space("berlin"), ())) == "w2e-build-control"


@pytest.mark.rule("w2e-build-infantry", "w2e-unit-infantry-recruit", "w2e-terrain-impassable-build")
def test_infantry_is_raised_up_to_the_value_and_one_where_there_is_none():
    board = Board()
    unit = finished(board, "germany", "infantry")
    essen = space("essen")
    assert place_refusal(board.m, unit, essen, ((essen, 0),) * (A.value[essen] - 1)) is None
    assert refusal_of(place_refusal(board.m, unit, essen, ((essen, 0),) * A.value[essen])) == "w2e-build-infantry"
    board.state.damaged = put(board.state.damaged, essen, 1)
    assert place_refusal(board.m, unit, essen, ()) is None
    assert refusal_of(place_refusal(board.m, unit, essen, ((essen, 0),))) == "w2e-build-infantry"


@pytest.mark.rule("w2e-build-others", "w2e-build-naval", "w2e-port-construction", "w2e-strategic-repair")
def test_other_units_need_a_sound_factory_and_ships_a_port_with_one():
    board = Board()
    tank, ship = finished(board, "germany", "tank"), finished(board, "germany", "destroyer")
    hamburg, port = space("hamburg"), space("hamburg_port")
    assert place_refusal(board.m, tank, hamburg, ()) is None
    assert refusal_of(place_refusal(board.m, tank, hamburg, ((hamburg, 1),) * A.value[hamburg])) == "w2e-build-others"
    assert place_refusal(board.m, ship, port, ()) is None
    assert refusal_of(place_refusal(board.m, ship, port, ((port, 2),) * A.value[hamburg])) == "w2e-build-naval"
    board.state.damaged = put(board.state.damaged, hamburg, 1)
    assert refusal_of(place_refusal(board.m, tank, hamburg, ())) == "w2e-build-others"
    assert refusal_of(place_refusal(board.m, ship, port, ())) == "w2e-port-construction"


@pytest.mark.rule("w2e-build-lost")
def test_what_cannot_be_placed_is_lost():
    board = Board()
    for place in [s for s in A.land if A.homeland[s] == A.germany]:
        board.state.damaged = put(board.state.damaged, place, 1)
    unit = add_unit(board.state, K.tank, A.germany, BOX - 1)
    board.run(SlideBoxes(0))
    assert not board.alive(unit)


@pytest.mark.rule("w2e-buy", "w2e-buy-timing", "w2e-unit-attr-build-time")
def test_bought_units_go_into_the_box_of_their_build_time():
    board = Board()
    board.state.money = put(board.state.money, A.germany, 50)
    board.run(Purchases(0))
    board.do("germany", Buy("battleship", False))
    units = [u for u, s in enumerate(board.state.space) if s == BOX - 4]
    assert [board.state.kind[u] for u in units] == [K.battleship]
    assert board.state.money[A.germany] == 20
    assert board.why("germany", Buy("carrier", False)) == "too-dear"


@pytest.mark.rule("w2e-unit-airborne-elite", "w2e-unit-airbase-rules")
def test_only_one_airborne_and_so_many_airbases():
    board = Board()
    board.put("germany", "airborne", "munich")
    assert refusal_of(buy_refusal(board.m, A.germany, K.airborne, False)) == "w2e-unit-airborne-elite"
    board.put("germany", "airbase", "munich", A.limits[A.germany]["airbase"])
    assert refusal_of(buy_refusal(board.m, A.germany, K.airbase, False)) == "w2e-unit-airbase-rules"


@pytest.mark.rule("w2e-fortress-rules")
def test_fortresses_stand_on_their_sites_only_and_are_counted():
    board = Board()
    board.state.fortresses_built = put(board.state.fortresses_built, A.germany, 0)
    assert fortress_refusal(board.m, A.germany, space("hamburg")) is None
    assert refusal_of(fortress_refusal(board.m, A.germany, space("berlin"))) == "w2e-fortress-rules"
    board.run(Purchases(0))
    board.do("germany", BuyFortress("hamburg"))
    assert board.state.fortress[space("hamburg")] == 1
    board.state.fortresses_built = put(board.state.fortresses_built, A.germany, A.limits[A.germany]["fortress"])
    assert refusal_of(fortress_refusal(board.m, A.germany, space("breslau"))) == "w2e-fortress-rules"


@pytest.mark.rule("w2e-rp-limits", "w2e-depot-placement")
def test_points_cost_five_up_to_ten_and_depots_are_kept_in_hand():
    board = Board()
    board.state.rps = put(board.state.rps, A.britain, 9)
    board.state.money = put(board.state.money, A.britain, 100)
    board.run(Purchases(1))
    board.do("great_britain", BuyPoint())
    assert (board.state.rps[A.britain], board.state.money[A.britain]) == (10, 95)
    assert board.why("great_britain", BuyPoint()) == "point-limit"
    for _ in range(A.limits[A.britain]["supply_depot"]):
        board.do("great_britain", BuyDepot())
    assert board.state.depots[A.britain] == A.limits[A.britain]["supply_depot"]
    assert board.why("great_britain", BuyDepot()) == "depot-limit"
    board.state.money = put(board.state.money, A.britain, 4)
    board.state.rps = put(board.state.rps, A.britain, 3)
    board.state.depots = put(board.state.depots, A.britain, 0)
    board.run(Purchases(1))
    assert board.why("great_britain", BuyPoint()) == board.why("great_britain", BuyDepot()) == "too-dear"


@pytest.mark.rule("w2e-strategic-repair")
def test_repair_costs_the_value_and_helps_at_once():
    board = Board()
    board.state.damaged = put(board.state.damaged, space("essen"), 1)
    board.state.money = put(board.state.money, A.germany, 15)
    total = plan(board.m, A.germany)[0]
    board.run(Purchases(0))
    assert board.why("germany", Repair("berlin")) == "not-damaged"
    assert board.why("germany", Repair("london")) == "not-yours"
    board.do("germany", Repair("essen"))
    assert board.state.damaged[space("essen")] == 0
    assert board.state.money[A.germany] == 15 - A.value[space("essen")]
    assert plan(board.m, A.germany)[0] == total + A.value[space("essen")]


@pytest.mark.rule("w2e-unit-battleship-repair", "w2e-port-repair", "w2e-unit-carrier-armor")
def test_ship_repairs_are_committed_before_buying_and_cost_two_dice():
    board = Board(dice=[3, 4])
    ship = board.put("germany", "battleship", "hamburg_port", damage=1)
    away = board.put("germany", "battleship", "konigsberg_port", damage=1)
    board.state.money = put(board.state.money, A.germany, 40)
    board.run(Purchases(0))
    board.do("germany", RepairShip(board.name(ship)))
    assert board.state.damage[ship] == 0
    assert board.state.money[A.germany] == 33
    board.do("germany", Buy("infantry", False))
    assert board.why("germany", RepairShip(board.name(away))) == "repair-first"
    poor = Board(dice=[6, 6])
    hurt = poor.put("germany", "carrier", "hamburg_port", damage=1)
    poor.state.money = put(poor.state.money, A.germany, 5)
    poor.run(Purchases(0))
    poor.do("germany", RepairShip(poor.name(hurt)))
    assert (poor.state.money[A.germany], poor.state.damage[hurt]) == (0, 1)
    poor.state.damaged = put(poor.state.damaged, space("hamburg"), 1)
    poor.match.changed()
    assert poor.why("germany", RepairShip(poor.name(hurt))) == "w2e-port-repair"


@pytest.mark.rule("w2e-unit-battleship-repair")
@pytest.mark.parametrize(("money", "answer"), [(0, "too-dear"), (1, "too-dear"), (2, "")])
def test_a_repair_that_even_the_lowest_roll_makes_too_dear_cannot_be_declared(money, answer):
    board = Board(dice=[1, 1])
    ship = board.put("germany", "battleship", "hamburg_port", damage=1)
    board.state.money = put(board.state.money, A.germany, money)
    board.run(Purchases(0))
    assert board.why("germany", RepairShip(board.name(ship))) == answer


@pytest.mark.rule("w2e-gift")
def test_gifts_go_over_land_or_with_convoy_room_twenty_at_most():
    board = Board(war="italy")
    board.state.money = put(board.state.money, A.germany, 100)
    assert gift_room(board.m, A.germany, A.italy) == 20
    board.run(Purchases(0))
    board.do("germany", Give("italy", 15))
    assert board.state.money[A.italy] >= 15
    assert gift_room(board.m, A.germany, A.italy) == 5
    sea = Board(war="usa")
    sea.state.money = put(sea.state.money, A.usa, 100)
    assert gift_room(sea.m, A.usa, A.britain) == 0
    number = sea.convoy("usa", "usa_port", "western_atlantic", "mid_north_atlantic", "nw_approaches", "glasgow_port")
    assert gift_room(sea.m, A.usa, A.britain) == 10
    sea.run(Purchases(1))
    sea.do("usa", Give("great_britain", 10))
    convoy = convoy_of(sea.state, number)
    assert convoy is not None
    assert convoy.dollars == 10
    assert gift_room(sea.m, A.usa, A.britain) == 0


@pytest.mark.rule("w2e-collect", "w2e-factory-value", "w2e-nrz", "w2e-factory-path", "w2e-control-rights")
def test_each_space_that_can_be_traced_home_pays():
    board = Board()
    parts = [s for s in A.land if board.state.owner[s] == A.germany]
    total = sum(A.value[s] for s in parts)
    assert plan(board.m, A.germany)[0] == total == 100
    board.owner("germany", "oslo")
    assert A.value[space("oslo")] > 0
    assert plan(board.m, A.germany)[0] == total  # no way over land from Oslo to a Homeland factory
    board.owner("germany", "krakow")
    total += A.value[space("krakow")]
    assert A.feature[space("krakow")] == 2  # a resource zone pays like a factory
    assert plan(board.m, A.germany)[0] == total
    board.state.damaged = put(board.state.damaged, space("essen"), 1)
    total -= A.value[space("essen")]
    assert plan(board.m, A.germany)[0] == total
    board.put("great_britain", "infantry", "hamburg")
    assert plan(board.m, A.germany)[0] == total - A.value[space("hamburg")]


@pytest.mark.rule("w2e-convoy-purpose", "w2e-collect", "w2e-port-shipping")
def test_money_over_water_needs_a_convoy():
    board = Board()
    total = plan(board.m, A.britain)[0]
    number = board.convoy(
        "great_britain", "canada_port", "grand_banks", "mid_north_atlantic", "nw_approaches", "glasgow_port"
    )
    richer, loads = plan(board.m, A.britain)
    assert richer == total + min(10, A.value[space("canada")])
    assert loads == {number: min(10, A.value[space("canada")])}


@pytest.mark.rule("w2e-neutral-income")
def test_a_power_in_the_war_before_its_date_gets_half():
    board = Board(war="ussr")
    board.state.status = put(board.state.status, A.germany, 1)
    full = plan(board.m, A.ussr)[0]
    before = board.state.money[A.ussr]
    board.turn("summer 1941")
    board.run(CollectMoney())
    assert board.state.money[A.ussr] == before + full // 2
    board.turn("spring 1942")
    again = board.state.money[A.ussr]
    board.run(CollectMoney())
    assert board.state.money[A.ussr] == again + full


@pytest.mark.rule("w2e-usa-pacific")
def test_the_usa_sets_aside_four_hundred_a_year():
    board = Board(war="usa")
    board.state.money = put(board.state.money, A.usa, 150)
    board.run(Purchases(1))
    board.do("usa", SetAside(100))
    assert (board.state.pot, board.state.money[A.usa]) == (100, 50)
    board.state.pot, board.state.pot_turns = 380, 3
    board.state.money = put(board.state.money, A.usa, 500)
    board.turn("winter 1942")
    pacific_money(board.m)
    assert board.state.money[A.usa] == 480
    assert (board.state.pot, board.state.debt) == (0, 0)
    board.state.pot, board.state.pot_turns = 200, 3
    board.state.money = put(board.state.money, A.usa, 50)
    pacific_money(board.m)
    assert (board.state.money[A.usa], board.state.debt) == (0, 300)
    board.state.money = put(board.state.money, A.usa, 100)
    assert refusal_of(buy_refusal(board.m, A.usa, K.infantry, False)) == "w2e-usa-pacific"
