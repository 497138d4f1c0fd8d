"""The rulebook's examples of convoys, redeployment, Movement Penalties and supply."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.sea_control import leaving_cost, stretch_cost
from sandtable.games.ww2_europe.model.actions import Ration, Rebase, StartConvoy, Starve, Steam
from sandtable.games.ww2_europe.model.state import CUT_OFF, ORDER_PATROL
from sandtable.games.ww2_europe.rules.collect import plan
from sandtable.games.ww2_europe.rules.collect_phase import Income
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase
from sandtable.games.ww2_europe.rules.interception import encounters
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.supply_phase import SupplyCheck
from tests.games.ww2_europe.war import ALLIES, AXIS, A, K, War


@pytest.mark.rule("w2e-ex-convoy-vigo", "w2e-convoy-start", "w2e-convoy-purpose")
def test_four_dollars_from_spain_come_by_vigo_and_bristol() -> None:
    war = War("summer 1942")
    war.own("great_britain", "vigo", "salamanca")  # two dollars each
    at_home = plan(war.m, A.britain)[0]
    ship = war.put("great_britain", "transport", "bristol_port")
    war.run(ConvoyPhase(ALLIES))
    war.do("great_britain", StartConvoy(ship, "bristol_port", "vigo_port", ""))
    convoy = war.state.convoys[0]
    assert [A.names[s] for s in convoy.route] == ["bristol_port", "western_approaches", "vigo_port"]
    assert war.where(ship) == "convoy"
    assert war.used("great_britain") == 0
    assert plan(war.m, A.britain) == (at_home + 4, {convoy.number: 4})
    hunter = war.put("germany", "destroyer", "brest_port")
    for space in ("bristol_port", "western_approaches", "vigo_port"):  # the transport is in all three spaces
        war.state.tasks = ()
        war.order(AXIS, ORDER_PATROL, (space,), hunter)
        assert A.index[space] in encounters(war.m)


@pytest.mark.rule("w2e-ex-convoy-mixed", "w2e-convoy-capacity")
@pytest.mark.parametrize("dollars", [3, 6])
def test_one_transport_brings_all_money_and_feeds_four_or_feeds_seven_and_brings_three(dollars: int) -> None:
    war = War("summer 1944", out=("france",))
    war.own("germany", "paris", "sedan", "strasbourg", "cherbourg", "brest", "bordeaux", "bearn", "vichy", "toulouse")
    war.own("great_britain", "marseilles")  # worth six dollars, with Germans all around it
    units = war.many("great_britain", "marseilles", infantry=7)
    war.state.lost_flag = put(war.state.lost_flag, A.index["paris"], 1)
    war.convoy("great_britain", "bristol_port", "western_approaches", "portuguese_coast", "gibraltar_port",
               "alboran_sea", "balearic_sea", "gulf_of_lion", "marseilles_port")  # fmt: skip
    at_home = sum(A.value[A.index[s]] for s in ("london", "manchester", "bristol", "glasgow", "belfast"))
    war.run(Income(A.britain), SupplyCheck())
    assert war.asked == "great_britain"
    assert {a.dollars for a in war.offered(Ration, "great_britain")} == set(range(7))
    war.do("great_britain", Ration("convoy 0", dollars))
    assert war.money("great_britain") == at_home + dollars
    starving = 0
    while not war.parked:
        war.do("great_britain", Starve(units[starving]))
        starving += 1
    hungry = [u for u in units if war.flags(u) & CUT_OFF]
    assert len(units) - len(hungry) == {6: 4, 3: 7}[dollars]


@pytest.mark.rule("w2e-ex-redeploy-fighter", "w2e-redeploy-air")
def test_a_fighter_hops_from_munich_to_kiev_for_three_points() -> None:
    war = War("summer 1942")
    war.own("germany", "warsaw", "lvov", "kiev").points(germany=3)
    fighter = war.put("germany", "fighter", "munich")
    war.run(Redeployment(AXIS))
    assert not war.allows("germany", Rebase(fighter, "kiev"))
    for leg, base in enumerate(("prague", "warsaw", "kiev")):
        assert war.used("germany") == leg
        war.do("germany", Rebase(fighter, base))
    assert war.where(fighter) == "kiev"
    assert war.used("germany") == 3
    assert not war.allows("germany", Rebase(fighter, "warsaw"))  # no points left


@pytest.mark.rule("w2e-ex-redeploy-fighter")
def test_a_fighter_lands_only_where_planes_can_be_based() -> None:
    war = War("summer 1942")
    war.own("germany", "warsaw", "krakow", "lvov", "kiev").points(germany=3)
    fighter = war.put("germany", "fighter", "prague")
    war.run(Redeployment(AXIS))
    assert not war.allows("germany", Rebase(fighter, "krakow"))  # a resource zone, next door
    assert war.allows("germany", Rebase(fighter, "warsaw"))


@pytest.mark.rule("w2e-ex-redeploy-battleships", "w2e-redeploy-naval", "w2e-border-blue")
def test_two_battleships_from_the_usa_to_malta_for_four_points() -> None:
    war = War("summer 1942").points(usa=10)
    war.own("usa", "oran")
    ships = war.many("usa", "usa_port", battleship=2)
    war.run(Redeployment(ALLIES))
    for ship in ships:
        assert not war.allows("usa", Steam(ship, "malta_port"))  # twelve points in one voyage
        war.do("usa", Steam(ship, "gibraltar_port"))
    assert war.used("usa") == 2
    for ship in ships:
        war.do("usa", Steam(ship, "malta_port"))
    assert war.used("usa") == 4
    assert [war.where(ship) for ship in ships] == ["malta_port"] * 2


@pytest.mark.rule("w2e-ex-redeploy-battleships")
def test_gibraltar_is_eight_points_from_the_usa() -> None:
    war = War("summer 1942")
    path = ("usa_port", "western_atlantic", "azores_sea", "portuguese_coast", "gibraltar_port")
    assert stretch_cost(war.m.state, A.usa, tuple(A.index[s] for s in path), K.battleship) == 8


def hamburg(kind: str) -> tuple[War, str]:
    war = War("summer 1941", neutral=("usa", "ussr"), out=("france",))
    war.own("germany", "brest", "brussels", "liege", "cherbourg", "sedan", "paris").points(germany=2)
    ship = war.put("germany", kind, "hamburg_port")
    war.many("great_britain", "london", tac_bomber=3)
    war.many("great_britain", "scapa_flow_port", destroyer=3, battleship=1)
    war.many("great_britain", "manchester", fighter=1)
    war.run(Redeployment(AXIS))
    return war, ship


@pytest.mark.rule("w2e-ex-penalty-hamburg", "w2e-penalty-general")
def test_the_destroyer_from_hamburg_to_brest_needs_two_points() -> None:
    war, ship = hamburg("destroyer")
    north_sea = A.index["north_sea"]
    assert leaving_cost(war.m.state, K.destroyer, A.germany, A.index["hamburg_port"]) == 0
    assert 1 + leaving_cost(war.m.state, K.destroyer, A.germany, north_sea) == 8
    assert not war.allows("germany", Steam(ship, "brest_port"))
    war.do("germany", Steam(ship, "brussels_port"))
    war.do("germany", Steam(ship, "brest_port"))
    assert war.used("germany") == 2
    assert war.where(ship) == "brest_port"


@pytest.mark.rule("w2e-ex-penalty-sub", "w2e-penalty-subs")
def test_the_battleship_does_not_slow_the_submarine() -> None:
    war, _ship = hamburg("submarine")
    north_sea = A.index["north_sea"]
    # three tac bombers and three destroyers hunt submarines, the battleship does not
    assert leaving_cost(war.m.state, K.submarine, A.germany, north_sea) == 6
    assert leaving_cost(war.m.state, K.destroyer, A.germany, north_sea) == 7


@pytest.mark.rule("w2e-ex-penalty-convoy", "w2e-penalty-convoy")
def test_the_convoy_from_bristol_to_alexandria_costs_five_eight_and_four() -> None:
    war = War("summer 1941", neutral=("usa", "ussr"), out=("france",))
    war.own("germany", "brest")
    war.many("germany", "brest_port", destroyer=2)
    war.many("italy", "genoa_port", destroyer=1)
    war.many("italy", "taranto_port", battleship=2)
    war.many("italy", "sicily", tac_bomber=1)
    legs = (
        ("bristol_port", "western_approaches", "portuguese_coast", "gibraltar_port"),
        ("gibraltar_port", "alboran_sea", "balearic_sea", "tyrrhenian", "malta_port"),
        ("malta_port", "gulf_of_sirte", "libyan_sea", "egyptian_sea", "alexandria_port"),
    )
    costs = [stretch_cost(war.m.state, A.britain, tuple(A.index[s] for s in leg)) for leg in legs]
    assert costs == [5, 8, 4]


def warsaw() -> tuple[War, str]:
    """The German tank in Warsaw, surrounded; Hungary is a German minor ally, Switzerland neutral."""
    war = War("summer 1944", neutral=(), out=("france",))
    war.own("germany", "warsaw", "krakow", "budapest", "lvov", "cluj", "zagreb")
    war.own("italy", "trieste")
    war.own("ussr", "breslau", "konigsberg", "danzig", "prague", "bratislava", "vienna", "brest_litovsk")
    war.own("usa", "munich", "milan", "genoa")
    war.own("great_britain", "belgrade", "split", "bucharest", "ploesti", "bessarabia")
    war.state.patron = put(war.state.patron, A.minor_index["hungary"], A.germany)
    war.state.lost_flag = put(war.state.lost_flag, A.index["warsaw"], 1)
    war.state.depot = put(war.state.depot, A.index["krakow"], 1)
    war.state.fortress = put(war.state.fortress, A.index["lvov"], 1)
    return war, war.put("germany", "tank", "warsaw")


@pytest.mark.rule("w2e-ex-cutoff-warsaw", "w2e-supply-none", "w2e-supply-sources")
def test_the_tank_in_warsaw_is_cut_off() -> None:
    war, tank = warsaw()
    war.run(SupplyCheck())
    assert war.flags(tank) & CUT_OFF


@pytest.mark.rule("w2e-ex-cutoff-warsaw", "w2e-depot-supply", "w2e-fortress-supply", "w2e-minor-flag-supply")
@pytest.mark.parametrize("place", ["krakow", "lvov", "budapest"])
def test_in_the_same_space_depot_fortress_and_minor_flag_would_feed_it(place: str) -> None:
    war, _ = warsaw()
    tank = war.put("germany", "tank", place)
    war.run(SupplyCheck())
    assert not war.flags(tank) & CUT_OFF


@pytest.mark.rule("w2e-ex-cutoff-warsaw", "w2e-supply-captured")
def test_a_captured_flag_feeds_nobody() -> None:
    war, tank = warsaw()
    war.state.lost_flag = put(war.state.lost_flag, A.index["warsaw"], 0)
    war.run(SupplyCheck())
    assert not war.flags(tank) & CUT_OFF  # were it not captured


@pytest.mark.rule("w2e-ex-cutoff-warsaw", "w2e-supply-trace")
@pytest.mark.parametrize("gap", ["vienna", "breslau"])
def test_an_open_way_to_berlin_would_feed_it(gap: str) -> None:
    war, tank = warsaw()
    war.own("germany", gap)
    if gap == "vienna":
        war.own("germany", "munich", "leipzig")
    war.run(SupplyCheck())
    assert not war.flags(tank) & CUT_OFF


@pytest.mark.rule("w2e-ex-cutoff-warsaw")
def test_a_convoy_to_trieste_would_feed_it() -> None:
    war, tank = warsaw()
    war.convoy("italy", "taranto_port", "ionian_sea", "adriatic_s", "adriatic_n", "trieste_port")
    war.run(SupplyCheck())
    assert not war.flags(tank) & CUT_OFF
