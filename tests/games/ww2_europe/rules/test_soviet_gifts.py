"""The Soviets keep to themselves: only gifts to them cross the line."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import Give, March, Rail, Steam
from sandtable.games.ww2_europe.model.state import CUT_OFF
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.collect import gift_room, plan
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.supply_phase import SupplyCheck
from tests.games.ww2_europe.war import ALLIES, A, War, reason

ARCTIC = ("scapa_flow_port", "faroes_gap", "norwegian_n", "barents_sea", "murmansk_port")
EVERY = tuple(range(len(A.fronts)))


@pytest.mark.rule("w2e-gift", "w2e-ussr-separate")
def test_money_reaches_the_soviets_by_murmansk_and_none_comes_back() -> None:
    war = War("summer 1942").fund(great_britain=50, ussr=50)
    assert gift_room(war.m, A.britain, A.ussr) == 0
    war.convoy("great_britain", *ARCTIC)
    assert gift_room(war.m, A.britain, A.ussr) == 10  # one transport
    assert gift_room(war.m, A.ussr, A.britain) == 0
    war.run(Purchases(ALLIES))
    assert not war.allows("ussr", Give("great_britain", 1))
    war.do("great_britain", Give("ussr", 10))
    assert (war.money("great_britain"), war.money("ussr")) == (40, 60)
    war.own("germany", "murmansk")
    assert gift_room(war.m, A.britain, A.ussr) == 0


@pytest.mark.rule("w2e-gift")
def test_persia_is_a_way_over_land_once_it_is_joined_to_a_homeland_factory() -> None:
    war = War("summer 1942").fund(great_britain=50)
    war.own("great_britain", "tehran", "abadan")
    assert gift_room(war.m, A.britain, A.ussr) == 0  # no factory of Britain's Homeland in reach
    war.convoy("great_britain", "bristol_port", "western_approaches", "portuguese_coast", "gibraltar_port")
    assert gift_room(war.m, A.britain, A.ussr) == 0


@pytest.mark.rule("w2e-ussr-separate")
def test_units_keep_out_of_each_others_land_and_ports() -> None:
    war = War("summer 1942").points(great_britain=5, ussr=5).initiative(ALLIES)
    war.own("great_britain", "tehran")
    british, soviet = war.put("great_britain", "infantry", "tehran"), war.put("ussr", "infantry", "baku")
    ship = war.put("great_britain", "destroyer", "scapa_flow_port")
    war.run(Movement(ALLIES, fronts=EVERY))
    assert reason(war.refusal("great_britain", March(british, ("baku",)))) == "w2e-ussr-separate"
    assert reason(war.refusal("ussr", March(soviet, ("tehran",)))) == "w2e-ussr-separate"
    war.run(Redeployment(ALLIES))
    assert not war.allows("great_britain", Rail(british, "baku"))
    assert not war.allows("ussr", Rail(soviet, "tehran"))
    assert not war.allows("great_britain", Steam(ship, "murmansk_port"))
    assert war.allows("great_britain", Steam(ship, "glasgow_port"))


@pytest.mark.rule("w2e-ussr-separate")
def test_neither_supply_nor_income_crosses() -> None:
    war = War("summer 1942")
    war.own("great_britain", "tehran").own("ussr", "baku")
    unit = war.put("great_britain", "infantry", "tehran")
    war.state.lost_flag = put(war.state.lost_flag, A.index["tehran"], 1)
    war.run(SupplyCheck())
    assert war.flags(unit) & CUT_OFF  # Moscow feeds no British
    before = plan(war.m, A.ussr)[0]
    war.own("ussr", "mosul")  # Soviet land behind British land
    assert plan(war.m, A.ussr)[0] == before
    war.own("ussr", "tehran")
    assert plan(war.m, A.ussr)[0] == before + A.value[A.index["mosul"]] + A.value[A.index["tehran"]]
