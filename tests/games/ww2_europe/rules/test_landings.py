"""Landings: room on the beach, reinforcements under attack, depots, and who may attack together."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import Done, Drop, Ferry, March, PlaceDepot
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.state import AMPHIBIOUS, SURPRISED
from sandtable.games.ww2_europe.rules.aftermath_phase import DepotChoice
from sandtable.games.ww2_europe.rules.combat_phase import LandStage
from tests.games.ww2_europe.positions import Board, space


def ferry(board: Board, power: str, port: str, waters: tuple[str, ...], to: str) -> tuple[int, int]:
    """An infantry of a port is brought to a coast; the transport and the infantry."""
    land = A.names[A.land_of_port[A.index[port]]]
    ship, unit = board.put(power, "transport", port), board.put(power, "infantry", land)
    board.move(A.side[A.power_index[power]])
    board.do(power, Ferry(board.name(ship), board.name(unit), port, waters, to))
    board.state.stack = board.state.stack[:1]
    return ship, unit


@pytest.mark.rule("w2e-stack-ground")
def test_who_marches_leaves_room_for_those_about_to_land():
    board = Board(war="italy")
    board.owner("great_britain", "konigsberg")
    board.put("great_britain", "infantry", "konigsberg")
    board.put("germany", "infantry", "konigsberg", 9)
    tank = board.put("germany", "tank", "danzig")
    board.owner("germany", "danzig")
    ferry(board, "germany", "stettin_port", ("southern_baltic",), "konigsberg")
    board.move(0)
    assert board.rule("germany", March(board.name(tank), ("konigsberg",))) == "w2e-stack-ground"
    jumper = board.put("germany", "airborne", "stettin")
    board.move(0)
    assert not board.allows("germany", Drop(board.name(jumper), "konigsberg", ""))


@pytest.mark.rule("w2e-stack-ground")
def test_who_only_passes_does_not_take_the_room_of_a_landing():
    board = Board()
    board.owner("germany", "danzig")
    board.put("germany", "infantry", "danzig", 9)
    tank = board.put("germany", "tank", "stettin")
    ferry(board, "germany", "stettin_port", ("southern_baltic",), "danzig")
    board.move(0)
    assert board.rule("germany", March(board.name(tank), ("danzig",))) == "w2e-stack-ground"
    assert board.allows("germany", March(board.name(tank), ("danzig", "konigsberg")))


@pytest.mark.rule("w2e-transport-procedure", "w2e-battle-units", "w2e-amphibious")
def test_reinforcements_by_sea_fight_in_the_battle_for_their_own_land():
    board = Board(war="italy", dice=[6, 6, 1])
    board.put("great_britain", "infantry", "malta")
    _, fresh = ferry(board, "great_britain", "alexandria_port", ("egyptian_sea", "libyan_sea", "ionian_sea"), "malta")
    foe = board.put("italy", "infantry", "malta")
    board.run(LandStage())  # both infantry answer the Italian's die, and the second hits
    assert not board.alive(foe)
    assert not board.dice_left()
    assert board.where(fresh) == "malta"
    assert board.state.flags[fresh] & AMPHIBIOUS  # the land is enemy occupied: it may not retreat


@pytest.mark.rule("w2e-amphibious-depot", "w2e-depot-placement")
def test_an_unopposed_landing_may_place_a_depot():
    board = Board(war="italy")
    _, unit = ferry(board, "italy", "naples_port", ("tyrrhenian",), "malta")
    board.state.depots = put(board.state.depots, A.italy, 1)
    board.run(LandStage())
    assert board.owned("malta") == "italy"
    assert board.where(unit) == "malta"
    assert isinstance(board.match.step, DepotChoice)
    board.do("italy", PlaceDepot("italy"))
    assert board.state.depot[space("malta")] == 1
    assert board.parked


@pytest.mark.rule("w2e-depot-placement")
def test_a_quiet_landing_on_own_land_places_no_depot():
    board = Board(war="italy")
    board.owner("italy", "malta")
    _, unit = ferry(board, "italy", "naples_port", ("tyrrhenian",), "malta")
    board.state.depots = put(board.state.depots, A.italy, 1)
    board.run(LandStage())
    assert board.where(unit) == "malta"
    assert not board.state.flags[unit] & AMPHIBIOUS
    assert board.parked


@pytest.mark.rule("w2e-ussr-separate")
def test_soviets_and_western_allies_attack_no_space_together():
    board = Board(war="ussr usa")
    board.owner("great_britain", "warsaw")
    board.owner("ussr", "lvov", "brest_litovsk")
    board.owner("germany", "krakow")
    board.put("germany", "infantry", "krakow")
    west, east = board.put("great_britain", "infantry", "warsaw"), board.put("ussr", "infantry", "lvov")
    board.move(1)
    assert board.allows("ussr", March(board.name(east), ("krakow",)))
    board.do("great_britain", March(board.name(west), ("krakow",)))
    assert board.rule("ussr", March(board.name(east), ("krakow",))) == "w2e-ussr-separate"
    assert board.why("ussr", March(board.name(east), ("krakow",))) == "shared-attack"


@pytest.mark.rule("w2e-ussr-separate")
def test_nor_does_one_of_them_join_a_landing_of_the_other():
    board = Board(war="ussr")
    board.owner("germany", "athens", "salonika")
    board.owner("ussr", "sofia")
    board.put("germany", "infantry", "salonika")
    east = board.put("ussr", "infantry", "sofia")
    board.owner("great_britain", "crete")
    ferry(board, "great_britain", "crete_port", ("aegean_s", "aegean_n"), "salonika")
    board.move(1)
    assert board.why("ussr", March(board.name(east), ("salonika",))) == "shared-attack"
    planes = Board(war="ussr")
    planes.owner("germany", "salonika")
    planes.owner("ussr", "sofia")
    planes.owner("great_britain", "crete")
    planes.put("germany", "fighter", "salonika")
    east = planes.put("ussr", "infantry", "sofia")
    ferry(planes, "great_britain", "crete_port", ("aegean_s", "aegean_n"), "salonika")
    planes.move(1)
    assert planes.why("ussr", March(planes.name(east), ("salonika",))) == "shared-attack"  # planes fight too
    empty = Board(war="ussr")
    empty.owner("germany", "salonika")
    empty.owner("ussr", "sofia")
    empty.owner("great_britain", "crete")
    east = empty.put("ussr", "infantry", "sofia")
    _, west = ferry(empty, "great_britain", "crete_port", ("aegean_s", "aegean_n"), "salonika")
    empty.move(1)
    empty.do("ussr", March(empty.name(east), ("salonika",)))
    empty.do("ussr", Done(), "great_britain", Done(), "france", Done())
    empty.run(LandStage())
    assert empty.owned("salonika") == "ussr"  # who comes first has it, and the others stay aboard
    assert empty.where(west) == "aegean_n"


@pytest.mark.rule("w2e-surprise-who")
def test_who_lands_to_help_an_attacked_country_is_surprised():
    board = Board(war="italy")
    board.owner("great_britain", "crete")
    board.state.patron = put(board.state.patron, A.minor_index["greece"], A.britain)
    board.state.attacked = (A.minor_index["greece"],)
    _, unit = ferry(board, "great_britain", "alexandria_port", ("egyptian_sea", "libyan_sea"), "crete")
    board.run(LandStage())
    assert board.where(unit) == "crete"
    assert board.state.flags[unit] & SURPRISED
