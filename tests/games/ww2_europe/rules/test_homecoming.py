"""Where ships and planes go that have lost their base or must leave it."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import Divert, Fight, Retreat, Sail
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.state import IN_CONVOY
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from tests.games.ww2_europe.positions import EVERY_FRONT, Board
from tests.games.ww2_europe.war import ALLIES, War


@pytest.mark.rule("w2e-stage4")
def test_a_fleet_leaves_a_port_that_has_fallen_for_the_closest_one() -> None:
    war = War("summer 1942")
    ship = war.put("great_britain", "cruiser", "malta_port")
    war.own("italy", "malta", "tunis").own("great_britain", "crete")
    war.run(ReturnHome())
    away = {action.to for action in war.offered(Divert, "great_britain")}  # all two spaces away
    assert away == {"algiers_port", "crete_port", "marseilles_port", "oran_port"}
    war.do("great_britain", Divert("crete_port"))
    assert war.where(ship) == "crete_port"


@pytest.mark.rule("w2e-stage4", "w2e-port-two-spaces")
def test_a_ship_may_sail_from_a_port_that_has_fallen_and_pass_no_other_strange_port() -> None:
    war = War("summer 1942")
    ship = war.put("great_britain", "cruiser", "malta_port")
    war.own("italy", "malta", "tripoli").own("great_britain", "crete")
    war.run(Movement(ALLIES, fronts=EVERY_FRONT))
    out = ("gulf_of_sirte", "libyan_sea")
    assert war.allows("great_britain", Sail("malta_port", out, (ship,)))
    back = ("gulf_of_sirte", "malta_port")
    assert war.rule("great_britain", Sail("malta_port", back, (ship,))) == "w2e-port-two-spaces"
    through = ("tripoli_port", "gulf_of_gabes")
    assert war.rule("great_britain", Sail("malta_port", through, (ship,))) == "w2e-port-two-spaces"


@pytest.mark.rule("w2e-retreat-started-there")
def test_a_ship_that_retreats_from_its_own_base_may_go_to_any_in_range() -> None:
    board = Board(war="italy", dice=[6, 6])
    guard, raider = board.put("great_britain", "cruiser", "malta_port"), board.put("italy", "cruiser", "malta_port")
    board.owner("great_britain", "crete", "alexandria", "gibraltar")
    board.fight("malta_port", [raider], [guard])
    board.do("italy", Fight(), "great_britain", Retreat(""))
    to = {action.to for action in board.offered(Divert, "great_britain")}
    assert {"gibraltar_port", "crete_port", "alexandria_port"} <= to  # not the closest alone
    assert "malta_port" not in to


@pytest.mark.rule("w2e-retreat-started-there")
def test_a_plane_that_retreats_from_its_own_base_may_go_to_any_in_range() -> None:
    board = Board(war="ussr", dice=[6, 6])
    plane = board.put("ussr", "fighter", "kiev")
    tank = board.put("germany", "tank", "kiev")
    board.fight("kiev", [tank], [plane])
    board.do("ussr", Retreat(""))
    bases = {action.to for action in board.offered(Divert, "ussr")}
    assert len({len(way) for way in _ways("kiev", bases)}) > 1, bases


def settle(board: Board) -> None:
    """Every diverted unit takes the first base that is offered."""
    while not board.parked:
        board.do(board.asked, next(iter(board.match.offers(board.asked))))


# ---- carriers --------------------------------------------------------------------------------------------------------
def caught(dice: list[int], *, weather: int = 0) -> tuple[Board, int, int, int]:
    """A British carrier with a fighter aboard is caught by a German cruiser in the North Sea."""
    board = Board(dice=dice)
    foe, ship = board.put("germany", "cruiser", "north_sea"), board.put("great_britain", "carrier", "north_sea")
    plane = board.aboard(ship, "fighter")
    for unit, port in ((ship, "scapa_flow_port"), (foe, "hamburg_port"), (plane, "scapa_flow_port")):
        board.state.home = put(board.state.home, unit, A.index[port])
    board.fight("north_sea", [foe], [ship], weather=weather)
    return board, foe, ship, plane


@pytest.mark.rule("w2e-unit-carrier-armor", "w2e-unit-carrier-extended")
def test_planes_take_off_from_a_carrier_that_is_hit_and_land_elsewhere() -> None:
    board, _, ship, plane = caught([1, 6])
    assert board.state.damage[ship] == 1
    assert board.state.cargo_of[plane] == -1
    battle = board.match.step
    assert isinstance(battle, Battle)
    assert plane in battle.dfn  # it fires from the second round on
    board.do("germany", Retreat(""))
    board.run(ReturnHome())
    settle(board)
    assert board.where(ship) == "scapa_flow_port"
    assert board.state.cargo_of[plane] == -1
    assert A.is_land[board.state.space[plane]]


@pytest.mark.rule("w2e-unit-carrier-armor")
def test_planes_leave_a_damaged_carrier_at_the_latest_when_the_fleet_returns() -> None:
    board = Board()
    ship = board.put("great_britain", "carrier", "scapa_flow_port", damage=1)
    planes = [board.aboard(ship, kind) for kind in ("fighter", "tac_bomber")]
    board.run(ReturnHome())
    settle(board)
    assert all(A.is_land[board.state.space[plane]] and board.state.cargo_of[plane] == -1 for plane in planes)
    lost = Board()
    ship = lost.put("great_britain", "carrier", "red_sea", damage=1)
    plane = lost.aboard(ship, "fighter")
    lost.state.home = put(lost.state.home, ship, A.index["scapa_flow_port"])
    for space in A.land:
        lost.owner("germany", A.names[space])
    lost.run(ReturnHome())
    assert not lost.alive(plane)  # no base in range


@pytest.mark.rule("w2e-unit-carrier-armor")
def test_a_carrier_damaged_in_a_convoy_loses_its_planes_to_the_shore() -> None:
    board = Board()
    number = board.convoy("great_britain", "bristol_port", "western_approaches", "brest_port")
    ship = board.put("great_britain", "carrier", "bristol_port", damage=1)
    plane = board.aboard(ship, "fighter")
    board.state.convoy = put(board.state.convoy, ship, number)
    board.state.space = put(put(board.state.space, ship, IN_CONVOY), plane, IN_CONVOY)
    board.run(ReturnHome())
    settle(board)
    assert board.where(ship) == "convoy"
    assert A.is_land[board.state.space[plane]]


def _ways(start: str, goals: set[str]) -> list[tuple[str, ...]]:
    """Shortest ways over all borders, to see that bases at several distances are offered."""
    found: dict[int, tuple[str, ...]] = {A.index[start]: (start,)}
    queue = [A.index[start]]
    for here in queue:
        for there, _ in A.air_links[here]:
            if there not in found:
                found[there] = (*found[here], A.names[there])
                queue.append(there)
    return [found[A.index[goal]] for goal in goals]
