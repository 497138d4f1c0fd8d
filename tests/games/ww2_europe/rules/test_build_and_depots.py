"""Where infantry is not raised, when a depot is given up, and repairs."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import Buy, Place, RemoveDepot, Repair, RepairShip
from sandtable.games.ww2_europe.model.atlas import DESERT, IMPASSABLE
from sandtable.games.ww2_europe.rules.build_phase import Building, SlideBoxes
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.turn_end_phase import Depots
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War, reason


@pytest.mark.rule("w2e-build-infantry", "w2e-terrain-impassable-build")
@pytest.mark.parametrize("terrain", [DESERT, IMPASSABLE])
def test_no_infantry_from_desert_or_impassable_mountains_without_a_factory(
    terrain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No Homeland on this board has such land, so two spaces are made to."""
    changed = list(A.terrain)
    plain, factory = A.index["scapa_flow"], A.index["belfast"]
    changed[plain] = changed[factory] = terrain
    monkeypatch.setattr(A, "terrain", tuple(changed))
    war = War("summer 1942")
    unit = war.box("great_britain", "infantry", 1)
    war.run(SlideBoxes(ALLIES))
    assert reason(war.refusal("great_britain", Place(unit, "scapa_flow"))) == "w2e-terrain-impassable-build"
    assert war.allows("great_britain", Place(unit, "belfast"))


@pytest.mark.rule("w2e-build-infantry")
def test_a_space_without_value_raises_one_infantry() -> None:
    war = War("summer 1942")
    first, second = war.box("great_britain", "infantry", 1), war.box("great_britain", "infantry", 1)
    war.run(SlideBoxes(ALLIES))
    war.do("great_britain", Place(first, "scapa_flow"))
    assert reason(war.refusal("great_britain", Place(second, "scapa_flow"))) == "w2e-build-infantry"
    war.do("great_britain", Place(second, "london"))
    assert war.parked


@pytest.mark.rule("w2e-build-others", "w2e-build-naval")
def test_tanks_and_ships_are_counted_apart() -> None:
    war = War("summer 1942")
    taranto = A.index["taranto"]  # worth three
    tanks = [war.box("italy", "tank", 1) for _ in range(4)]
    ships = [war.box("italy", "destroyer", 1) for _ in range(4)]
    war.run(SlideBoxes(AXIS))
    for tank in tanks[:3]:
        war.do("italy", Place(tank, "taranto"))
    assert reason(war.refusal("italy", Place(tanks[3], "taranto"))) == "w2e-build-others"
    assert reason(war.refusal("italy", Place(ships[0], "taranto"))) == "w2e-port-construction"  # not on land
    for ship in ships[:3]:
        war.do("italy", Place(ship, "taranto_port"))
    assert reason(war.refusal("italy", Place(ships[3], "taranto_port"))) == "w2e-build-naval"
    assert A.value[taranto] == 3
    assert isinstance(war.step, Building)


@pytest.mark.rule("w2e-stack-ground", "w2e-build-lost")
def test_a_full_space_takes_no_new_ground_unit() -> None:
    war = War("summer 1942")
    war.many("germany", "berlin", infantry=10)
    unit = war.box("germany", "tank", 1)
    war.run(SlideBoxes(AXIS))
    assert reason(war.refusal("germany", Place(unit, "berlin"))) == "w2e-stack-ground"
    assert war.allows("germany", Place(unit, "essen"))


@pytest.mark.rule("w2e-depot-placement")
@pytest.mark.parametrize(
    ("friendly", "stands"),
    [((), True), (("athens",), False), (("sofia", "istanbul"), True)],
)
def test_a_depot_goes_when_a_regular_source_is_reached(friendly: tuple[str, ...], stands: bool) -> None:
    """Salonika was taken from the sea; the flag of Athens feeds Greece, that of Sofia does not."""
    war = War("summer 1944", out=("italy",))
    war.own("great_britain", "salonika", *friendly)
    war.state.depot = put(war.state.depot, A.index["salonika"], 1)
    war.run(Depots())
    assert bool(war.state.depot[A.index["salonika"]]) is stands


@pytest.mark.rule("w2e-depot-placement", "w2e-flag-capture")
def test_a_captured_flag_is_no_regular_source() -> None:
    war = War("summer 1944", out=("italy",))
    war.own("great_britain", "salonika", "athens")
    war.state.depot = put(war.state.depot, A.index["salonika"], 1)
    war.state.lost_flag = put(war.state.lost_flag, A.index["athens"], 1)
    war.run(Depots())
    assert war.state.depot[A.index["salonika"]]
    war.run(Redeployment(ALLIES)).do("great_britain", RemoveDepot("salonika"))  # its owner may give it up
    assert not war.state.depot[A.index["salonika"]]


@pytest.mark.rule("w2e-unit-battleship-repair", "w2e-port-repair")
def test_ships_are_repaired_in_homeland_ports_with_a_sound_factory_only() -> None:
    war = War("summer 1942").fund(great_britain=50)
    places = {"glasgow_port": True, "scapa_flow_port": False, "malta_port": False}
    ships = {port: war.put("great_britain", "battleship", port) for port in places}
    for ship in ships.values():
        war.state.damage = put(war.state.damage, war.number(ship), 1)
    war.run(Purchases(ALLIES))
    assert {port: war.allows("great_britain", RepairShip(ship)) for port, ship in ships.items()} == places
    war.state.damaged = put(war.state.damaged, A.index["glasgow"], 1)
    war.run(Purchases(ALLIES))
    assert not war.allows("great_britain", RepairShip(ships["glasgow_port"]))


@pytest.mark.rule("w2e-strategic-repair", "w2e-buy")
def test_a_space_is_repaired_for_its_value_by_who_holds_it() -> None:
    war = War("summer 1942").fund(germany=14, italy=50)
    war.state.damaged = put(war.state.damaged, A.index["essen"], 1)
    war.state.damaged = put(war.state.damaged, A.index["hamburg"], 1)
    war.run(Purchases(AXIS))
    assert not war.allows("germany", Repair("essen"))  # worth fifteen
    assert not war.allows("italy", Repair("hamburg"))
    war.do("germany", Repair("hamburg"))
    assert war.money("germany") == 4
    assert reason(war.refusal("germany", Buy("infantry", False))) == "w2e-buy"
