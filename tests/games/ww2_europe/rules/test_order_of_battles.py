"""Which battle comes first: the initiative of each front, player A's fronts before player B's."""

import pytest

from sandtable.games.ww2_europe.model.actions import ChooseBattle
from sandtable.games.ww2_europe.model.state import ORDER_MOVE, ORDER_PATROL
from sandtable.games.ww2_europe.rules.combat_phase import LandStage
from sandtable.games.ww2_europe.rules.interception import encounters
from sandtable.games.ww2_europe.rules.interception_phase import SeaStage
from tests.games.ww2_europe.war import ALLIES, AXIS, War


@pytest.mark.rule("w2e-battle-order")
def test_land_battles_on_player_as_fronts_come_first_and_he_orders_them() -> None:
    war = War("summer 1942").initiative(AXIS).initiative(ALLIES, "western", "african")
    for place, own in (("sedan", "france"), ("paris", "france"), ("kiev", "ussr"), ("minsk", "ussr"), ("cairo", "usa")):
        war.own(own, place)
        war.put(own, "infantry", place)
        war.put("germany", "infantry", place)
    war.run(LandStage())
    assert war.asked == "germany"
    assert {a.space for a in war.offered(ChooseBattle, "germany")} == {"kiev", "minsk"}
    war.dice(1, 6, 1, 6).do("germany", ChooseBattle("minsk"))
    assert war.owner("minsk") == war.owner("kiev") == "germany"  # Kiev was the only one left there and followed
    assert war.asked == "great_britain"
    assert {a.space for a in war.offered(ChooseBattle, "great_britain")} == {"sedan", "paris", "cairo"}


@pytest.mark.rule("w2e-battle-order", "w2e-ex-multi-tie")
def test_sea_encounters_of_different_fronts_are_ordered_the_same_way() -> None:
    war = War("summer 1942").initiative(AXIS).initiative(ALLIES, "mediterranean")
    for base, sea, home in (
        ("glasgow_port", "nw_approaches", "brest_port"), ("glasgow_port", "iceland_basin", "brest_port"),
        ("malta_port", "ionian_sea", "taranto_port"),
    ):  # fmt: skip
        hunter, prey = war.put("great_britain", "destroyer", base), war.put("germany", "destroyer", home)
        war.order(ALLIES, ORDER_PATROL, (sea,), hunter)
        war.order(AXIS, ORDER_MOVE, (home, sea), prey)
    assert len(encounters(war.m)) == 3
    war.run(SeaStage())
    assert war.asked == "germany"  # the Atlantic is on player A's side of the map
    assert {a.space for a in war.offered(ChooseBattle, "germany")} == {"nw_approaches", "iceland_basin"}
