"""Where there is not enough for all: convoy room, minor flags, places to build; and who decides then."""

import msgspec
import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.convoys import convoy_of
from sandtable.games.ww2_europe.facts.supply import fed
from sandtable.games.ww2_europe.model.actions import BuyPoint, Done, Ferry, Give, Place, Rail, Ration, SetAside, Starve
from sandtable.games.ww2_europe.model.state import CUT_OFF
from sandtable.games.ww2_europe.rules.build_phase import SlideBoxes
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.collect import gift_room, plan
from sandtable.games.ww2_europe.rules.collect_phase import CollectMoney, EmptyHolds, Income
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.redeployment import cargo_refusal
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.sea import full_refusal
from sandtable.games.ww2_europe.rules.supply_phase import SupplyCheck
from sandtable.games.ww2_europe.sequence import Season
from tests.games.ww2_europe.positions import controllers
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War, reason

K = A.kinds
ATLANTIC = ("usa_port", "western_atlantic", "mid_north_atlantic", "nw_approaches", "glasgow_port")
HALIFAX = ("canada_port", "grand_banks", "mid_north_atlantic", "nw_approaches", "glasgow_port")


# ---- Build -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-build-order", "w2e-build-lost")
def test_finished_units_are_placed_and_only_those_without_a_place_are_lost() -> None:
    war = War("summer 1942")
    for space in A.land:
        if A.homeland[space] == A.italy:
            war.state.damaged = put(war.state.damaged, space, 1)
    infantry, tank = war.box("italy", "infantry", 1), war.box("italy", "tank", 1)
    later = war.box("italy", "infantry", 2)
    war.run(SlideBoxes(AXIS))
    assert war.asked == "italy"
    assert not war.allows("italy", Done())  # there is a place for the infantry
    assert reason(war.refusal("italy", Place(infantry, "milan"))) == ""
    war.do("italy", Place(infantry, "milan"))
    assert war.parked
    assert war.where(infantry) == "milan"
    assert war.where(tank) == "dead"  # no sound factory anywhere
    assert war.where(later) == "box 1"


@pytest.mark.rule("w2e-build-order", "w2e-convoy-order", "w2e-redeploy-order", "w2e-buy")
def test_who_goes_first_in_each_phase() -> None:
    """Player A builds, buys and sends convoys first; player B redeploys first."""
    for first in (AXIS, ALLIES):
        war = War("summer 1942").initiative(first)
        war.state.first = first
        war.run()
        war.state.stack = (*war.state.stack, Season())
        Season().run(war.match.play)
        order = [
            (type(step).__name__, step.side)  # type: ignore[attr-defined]
            for step in reversed(war.state.stack)
            if type(step).__name__ in ("Redeployment", "ConvoyPhase", "SlideBoxes", "Purchases", "Movement")
        ]
        other = 1 - first
        assert order == [
            ("Movement", first), ("Movement", other), ("Movement", first),
            ("Redeployment", other), ("Redeployment", first),
            ("ConvoyPhase", first), ("ConvoyPhase", other),
            ("SlideBoxes", first), ("SlideBoxes", other),
            ("Purchases", first), ("Purchases", other),
        ]  # fmt: skip


# ---- convoys: gifts, money, supply -----------------------------------------------------------------------------------
@pytest.mark.rule("w2e-gift", "w2e-convoy-capacity")
def test_a_gift_uses_up_room_that_income_of_the_same_turn_then_lacks() -> None:
    war = War("summer 1942").fund(usa=50)
    war.convoy("great_britain", *HALIFAX, transports=1)
    war.convoy("usa", *ATLANTIC)
    alone = plan(war.m, A.britain)[0]
    assert gift_room(war.m, A.usa, A.britain) == 10
    war.run(Purchases(ALLIES)).do("usa", Give("great_britain", 10))
    assert gift_room(war.m, A.usa, A.britain) == 0
    assert plan(war.m, A.britain)[0] == alone  # Halifax has its own convoy
    war.state.convoys = put(war.state.convoys, 0, msgspec.structs.replace(war.state.convoys[0], dollars=7))
    assert plan(war.m, A.britain)[0] == alone - 7


@pytest.mark.rule("w2e-gift")
def test_last_turns_freight_is_no_hindrance() -> None:
    war = War("summer 1942").fund(usa=50)
    war.convoy("usa", *ATLANTIC)
    war.state.convoys = tuple(msgspec.structs.replace(c, dollars=10) for c in war.state.convoys)
    assert gift_room(war.m, A.usa, A.britain) == 0
    war.run(EmptyHolds(), Purchases(ALLIES))
    war.do("usa", Give("great_britain", 10))
    assert war.money("great_britain") == 10
    war.run(CollectMoney())
    convoy = convoy_of(war.state, 0)
    assert convoy is not None
    assert convoy.dollars == 10  # collecting does not unload it


@pytest.mark.rule("w2e-gift")
def test_no_power_receives_more_than_twenty_in_a_turn() -> None:
    war = War("summer 1942").fund(usa=50, great_britain=50)
    war.convoy("usa", *ATLANTIC, transports=5)
    war.convoy("great_britain", "bristol_port", "western_approaches", "brest_port", transports=5)
    war.run(Purchases(ALLIES))
    war.do("usa", Give("france", 15))
    assert {a.dollars for a in war.offered(Give, "great_britain") if a.to == "france"} == set(range(1, 6))
    war.do("great_britain", Give("france", 5))
    assert war.money("france") == 20
    assert not war.allows("great_britain", Give("france", 1))
    assert war.allows("usa", Give("great_britain", 5))  # the USA has five left to give
    assert not war.allows("usa", Give("great_britain", 6))


@pytest.mark.rule("w2e-convoy-capacity")
def test_money_and_supply_compete_even_where_supply_falls_short_already() -> None:
    war = War("summer 1942", out=("france",))
    war.own("germany", "paris", "sedan", "strasbourg", "cherbourg", "brest", "bordeaux", "bearn", "vichy", "toulouse")
    war.own("great_britain", "marseilles")
    war.state.lost_flag = put(war.state.lost_flag, A.index["paris"], 1)
    war.many("great_britain", "marseilles", infantry=10)
    war.own("great_britain", "corsica")
    war.many("great_britain", "corsica", infantry=2)
    war.convoy("great_britain", "bristol_port", "western_approaches", "portuguese_coast", "gibraltar_port",
               "alboran_sea", "balearic_sea", "gulf_of_lion", "marseilles_port")  # fmt: skip
    assert fed(war.m.state, 1).missing == 2  # Corsica
    war.run(Income(A.britain))
    assert war.asked == "great_britain"  # six dollars would push out six points of supply
    war.do("great_britain", Ration("convoy 0", 0))
    assert war.parked


@pytest.mark.rule("w2e-minor-flag-supply", "w2e-cutoff-move")
def test_the_owner_says_who_goes_hungry_at_a_minor_flag() -> None:
    war = War("summer 1940", neutral=("ussr", "usa", "italy"))
    war.own("great_britain", "oslo", "bergen", "narvik")
    war.state.patron = put(war.state.patron, A.minor_index["norway"], A.britain)
    units = war.many("great_britain", "bergen", infantry=9) + war.many("great_britain", "oslo", artillery=1)
    war.run(SupplyCheck())
    assert {a.unit for a in war.offered(Starve, "great_britain")} == set(units)
    war.do("great_britain", Starve(units[3]))
    assert war.parked
    assert [u for u in units if war.flags(u) & CUT_OFF] == [units[3]]


@pytest.mark.rule("w2e-minor-flag-supply")
def test_a_minor_flag_and_a_convoy_feed_together() -> None:
    war = War("summer 1940", neutral=("ussr", "usa", "italy"))
    war.own("great_britain", "oslo", "bergen", "narvik")
    war.state.patron = put(war.state.patron, A.minor_index["norway"], A.britain)
    war.many("great_britain", "bergen", infantry=9)
    war.many("great_britain", "oslo", infantry=9)
    war.many("great_britain", "narvik", infantry=2)
    war.convoy("great_britain", "scapa_flow_port", "north_sea", "bergen_port")
    war.run(SupplyCheck())
    assert war.parked
    assert not any(flags & CUT_OFF for flags in war.state.flags)  # ten from Oslo, ten over the sea
    war.put("great_britain", "infantry", "narvik")
    war.run(SupplyCheck())
    assert war.asked == "great_britain"


# ---- the USSR and the Axis' railways ---------------------------------------------------------------------------------
@pytest.mark.rule("w2e-ussr-redeploy", "w2e-winter-redeploy")
@pytest.mark.parametrize(("turn", "most"), [("summer 1942", 10), ("winter 1942", 5)])
def test_the_axis_moves_so_many_ground_units_inside_the_ussr(turn: str, most: int) -> None:
    war = War(turn).points(germany=10, italy=10)
    war.own("germany", "warsaw", "brest_litovsk", "minsk", "kiev", "lvov")
    germans = war.many("germany", "minsk", infantry=9)
    italians = war.many("italy", "warsaw", infantry=3)
    base = war.put("germany", "airbase", "minsk")
    war.state.rail_in_ussr = most - 2
    war.run(Redeployment(AXIS))
    war.do("germany", Rail(germans[0], "kiev"))
    war.do("italy", Rail(italians[0], "minsk"))  # coming in counts, and for both powers together
    rule = "w2e-winter-redeploy" if "winter" in turn else "w2e-ussr-redeploy"
    assert reason(war.refusal("germany", Rail(germans[1], "kiev"))) == rule
    assert reason(war.refusal("italy", Rail(italians[1], "minsk"))) == rule
    assert war.allows("italy", Rail(italians[1], "lvov"))  # not Soviet homeland
    assert war.allows("germany", Rail(base, "kiev"))  # an airbase is no ground unit
    assert war.used("germany") == 1


# ---- the Pacific -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-usa-pacific")
def test_a_debt_is_paid_before_anything_is_bought() -> None:
    war = War("spring 1943").fund(usa=100)
    war.state.debt = 60
    war.run(Purchases(ALLIES))
    assert not war.allows("usa", BuyPoint())
    war.do("usa", SetAside(70))
    assert (war.state.debt, war.state.pot, war.money("usa")) == (0, 10, 30)
    assert war.allows("usa", BuyPoint())


@pytest.mark.rule("w2e-unit-transport-cargo")
def test_a_transport_has_one_load() -> None:
    war = War("spring 1942")
    war.own("great_britain", "london")
    ship = war.put("great_britain", "transport", "london_port")
    waiting = war.put("great_britain", "infantry", "london")
    assert full_refusal(war.m, war.number(ship)) is None
    war.put("great_britain", "infantry", "london_port", aboard=ship)
    refusal = full_refusal(war.m, war.number(ship))
    assert refusal is not None
    assert refusal.rule == "w2e-unit-transport-cargo"
    war.initiative(ALLIES).run(Movement(ALLIES, fronts=tuple(range(len(A.fronts)))))
    (offer,) = war.match.offers("great_britain")[Ferry]
    assert not any(isinstance(action, Ferry) and action.transport == ship for action in offer)
    assert ship not in offer.fields[0].given(())
    assert waiting


@pytest.mark.rule("w2e-transport-procedure")
def test_cargo_that_was_not_landed_goes_ashore_in_the_port_if_there_is_room() -> None:
    for crowd, ashore in ((0, True), (int(A.limit["ground"]), False)):
        war = War("spring 1942")
        place = next(A.names[s] for s in A.land if A.port_of_land[s] >= 0 and not A.blue[s] and not A.terrain[s])
        war.own("great_britain", place)
        ship = war.put("great_britain", "transport", f"{place}_port")
        load = war.put("great_britain", "infantry", f"{place}_port", aboard=ship)
        for _ in range(crowd // K.stack[K.infantry]):
            war.put("great_britain", "infantry", place)
        war.run(ReturnHome())
        assert (war.state.space[war.number(load)] == A.index[place]) is ashore
        assert (war.state.cargo_of[war.number(load)] < 0) is ashore


@pytest.mark.rule("w2e-redeploy-ground")
def test_a_load_by_sea_takes_a_point_for_the_voyage_and_one_for_the_load() -> None:
    war = War("spring 1942").own("great_britain", "london")
    ship = war.number(war.put("great_britain", "transport", "london_port"))
    own = war.number(war.put("great_britain", "infantry", "london"))
    ally = war.number(war.put("france", "infantry", "london"))
    for mine, theirs, takes_own, takes_ally in ((2, 0, True, False), (1, 1, False, True), (1, 0, False, False)):
        war.points(great_britain=mine, france=theirs).run(Redeployment(ALLIES))
        assert (cargo_refusal(war.m, ship, own) is None) is takes_own, (mine, theirs)
        assert (cargo_refusal(war.m, ship, ally) is None) is takes_ally, (mine, theirs)


@pytest.mark.rule("w2e-penalty-general")
def test_ships_of_a_neutral_power_control_no_sea() -> None:
    for neutral, powers in ((("usa",), 0), ((), 1)):
        war = War("spring 1942", neutral=neutral)
        war.put("usa", "destroyer", "usa_port")
        war.run(Redeployment(ALLIES))
        assert len(set(controllers(war.m, ALLIES).values())) == powers
