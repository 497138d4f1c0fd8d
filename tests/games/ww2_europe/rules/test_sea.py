"""Interception, evasion, Sea Control, convoys attacked, Strategic Warfare."""

from __future__ import annotations

import pytest

from sandtable.core import OutOfDice
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.convoys import convoy_of, crew
from sandtable.games.ww2_europe.facts.sea_control import leaving_cost, shut_port, voyages
from sandtable.games.ww2_europe.model.actions import Evade, Fight, GiveBattle, Lose, Patrol, Raid, Sail, Separate
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.events import Sought
from sandtable.games.ww2_europe.model.state import ORDER_MOVE, ORDER_PATROL, Task
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.interception import avoids_at, encounters, found_by, needed, path_of
from sandtable.games.ww2_europe.rules.interception_phase import Encounter, SeaStage
from sandtable.games.ww2_europe.rules.strategic import bomb, raid_number
from sandtable.games.ww2_europe.rules.strategic_phase import RaidFight, StrategicStage
from tests.games.ww2_europe.positions import Board, controllers, space

K = A.kinds


def sail(board: Board, unit: int, *path: str, patrol: bool = False) -> None:
    """Give a ship an order without going through the Movement phase."""
    state = board.state
    order = ORDER_PATROL if patrol else ORDER_MOVE
    way = tuple(space(s) for s in path)
    state.tasks = (*state.tasks, Task(A.side[state.power[unit]], order, way, len(state.tasks), 0))
    state.task = put(state.task, unit, len(state.tasks) - 1)
    state.home = put(state.home, unit, way[0])
    state.space = put(state.space, unit, way[-1])


ROUTE = ("gibraltar_port", "alboran_sea", "balearic_sea", "tyrrhenian", "ionian_sea", "libyan_sea", "egyptian_sea")


@pytest.mark.rule("w2e-interception-same-space", "w2e-interception-1-space", "w2e-interception-2-spaces",
                  "w2e-interception-3-spaces", "w2e-interception-4-spaces", "w2e-interception-5-spaces")  # fmt: skip
def test_the_interception_table():
    board = Board()
    wanted = {0: 6, 1: 5, 2: 4, 3: 3, 4: 2, 5: 1, 6: 0}
    for far, number in wanted.items():
        ship = board.put("great_britain", "destroyer", "gibraltar_port")
        sail(board, ship, *ROUTE[: far + 1], patrol=True)
        assert needed(board.m, [ship], space(ROUTE[far])) == number


@pytest.mark.rule("w2e-one-patrol", "w2e-pause-contact", "w2e-avoid")
def test_a_patrol_must_find_those_who_avoid():
    for die, found in ((4, True), (5, False)):
        board = Board(war="italy", dice=[die])
        hunter, prey = (
            board.put("great_britain", "destroyer", "gibraltar_port"),
            board.put("italy", "cruiser", "genoa_port"),
        )
        sail(board, prey, "genoa_port", "tyrrhenian", "naples_port")
        sail(board, hunter, "gibraltar_port", "alboran_sea", "tyrrhenian", patrol=True)
        assert encounters(board.m) == [space("tyrrhenian")]
        assert avoids_at(board.state, prey, space("tyrrhenian"))
        if found:
            with pytest.raises(OutOfDice):
                board.run(Encounter(space("tyrrhenian")))
        else:
            board.run(Encounter(space("tyrrhenian")))
            assert not isinstance(board.match.step, Battle)
            assert board.alive(prey)


@pytest.mark.rule("w2e-no-patrol")
def test_without_a_patrol_paths_cross_unnoticed():
    board = Board(war="italy")
    one, two = board.put("great_britain", "destroyer", "malta_port"), board.put("italy", "destroyer", "genoa_port")
    sail(board, one, "malta_port", "tyrrhenian")
    sail(board, two, "genoa_port", "tyrrhenian")
    assert encounters(board.m) == []


@pytest.mark.rule("w2e-auto-interception")
def test_a_patrol_of_its_own_space_needs_no_roll():
    board = Board(war="italy", dice=[6, 6])
    guard, prey = board.put("great_britain", "destroyer", "malta_port"), board.put("italy", "destroyer", "genoa_port")
    sail(board, guard, "malta_port", patrol=True)
    sail(board, prey, "genoa_port", "tyrrhenian", "malta_port")
    assert needed(board.m, [guard], space("malta_port")) == 6
    board.run(Encounter(space("malta_port")))
    assert isinstance(board.match.step, Battle)


@pytest.mark.rule("w2e-unit-sub-silent")
def test_submarines_are_found_at_minus_three_and_sought_once():
    board = Board()
    sub, ship = board.put("germany", "submarine", "north_sea"), board.put("germany", "destroyer", "north_sea")
    assert found_by(board.m, 1, 4, [sub, ship]) == [sub, ship]
    assert found_by(board.m, 2, 4, [sub, ship]) == [ship]
    from sandtable.games.ww2_europe.model.state import SOUGHT

    board.state.flags = put(board.state.flags, sub, board.state.flags[sub] | SOUGHT)
    assert found_by(board.m, 1, 6, [sub]) == []


@pytest.mark.rule("w2e-port-evade", "w2e-auto-evade")
def test_ships_in_their_port_evade_ships_if_they_want():
    for battle in (False, True):
        board = Board(war="italy", dice=[6, 6])
        hunter, prey = (
            board.put("great_britain", "destroyer", "malta_port"),
            board.put("italy", "destroyer", "genoa_port"),
        )
        sail(board, hunter, "malta_port", "tyrrhenian", "genoa_port", patrol=True)
        board.run(SeaStage())
        assert board.match.decisions() == ("italy",)
        board.do("italy", GiveBattle((board.name(prey),)) if battle else Evade())
        assert isinstance(board.match.step, Battle) == battle
        assert board.alive(prey)
    air = Board(war="italy", dice=[6])
    plane = air.put("great_britain", "fighter", "malta")
    air.put("italy", "destroyer", "genoa_port")
    sail(air, plane, "malta", "malta_port", "tyrrhenian", "genoa_port", patrol=True)
    air.run(SeaStage())  # no choice to evade a plane: the die is rolled at once, and misses
    assert air.state.rolled == 1


@pytest.mark.rule("w2e-port-evade", "w2e-unit-sub-avoid", "w2e-unit-transport-avoid")
def test_each_ship_in_port_fights_or_slips_away_and_some_may_never_fight():
    board = Board(war="italy", dice=[6, 6, 6])
    hunter, plane = (
        board.put("great_britain", "cruiser", "malta_port"),
        board.put("great_britain", "tac_bomber", "malta"),
    )
    prey = [board.put("italy", kind, "genoa_port") for kind in ("cruiser", "destroyer", "submarine", "transport")]
    sail(board, hunter, "malta_port", "tyrrhenian", "genoa_port", patrol=True)
    sail(board, plane, "malta", "malta_port", "tyrrhenian", "genoa_port", patrol=True)
    board.run(SeaStage())
    able = {name for action in board.offered(GiveBattle, "italy") for name in action.units}
    assert able == {board.name(prey[0]), board.name(prey[1])}
    board.do("italy", GiveBattle((board.name(prey[0]),)))
    battle = board.match.step
    assert isinstance(battle, Battle)
    assert (set(battle.att), battle.dfn) == ({hunter, plane}, (prey[0],))
    board.dice(1, 6, 6, 6)  # the cruiser is lost; then the plane looks for the others and does not find them
    while isinstance(board.match.step, Battle):
        role = board.asked
        board.do(role, Fight() if board.allows(role, Fight()) else next(iter(board.match.offers(role))))
    assert not board.alive(prey[0])
    assert all(board.alive(ship) for ship in prey[1:])
    assert [event.needed for event in board.happened(Sought)] == [3]


@pytest.mark.rule("w2e-auto-evade")
def test_where_no_ship_may_fight_nobody_is_asked():
    board = Board(war="italy")
    hunter, prey = board.put("great_britain", "cruiser", "malta_port"), board.put("italy", "submarine", "genoa_port")
    sail(board, hunter, "malta_port", "tyrrhenian", "genoa_port", patrol=True)
    board.run(SeaStage())
    assert board.parked
    assert board.alive(prey)


@pytest.mark.rule("w2e-both-patrol", "w2e-interception-combine")
def test_two_patrols_fight_at_once_and_the_winner_may_go_on():
    board = Board(war="italy", dice=[2, 6, 5])
    british, italian = (
        board.put("great_britain", "destroyer", "malta_port"),
        board.put("italy", "destroyer", "genoa_port"),
    )
    freight = board.put("italy", "transport", "genoa_port")
    sail(board, italian, "genoa_port", "tyrrhenian", patrol=True)
    sail(board, freight, "genoa_port", "tyrrhenian")
    sail(board, british, "malta_port", "tyrrhenian", patrol=True)
    board.run(SeaStage())
    assert not board.alive(italian)
    assert board.match.decisions() == ("great_britain",)
    assert board.alive(freight)
    with pytest.raises(OutOfDice):
        board.do("great_britain", Separate())  # found on a 5, and the battle asks for more dice


@pytest.mark.rule("w2e-convoy-attack", "w2e-convoy-units-no-patrol")
def test_a_convoy_is_in_every_space_of_its_route():
    board = Board()
    number = board.convoy("great_britain", "canada_port", "grand_banks", "mid_north_atlantic", "glasgow_port")
    ship = crew(board.state, number)[0]
    assert path_of(board.state, ship) == tuple(
        space(s) for s in ("canada_port", "grand_banks", "mid_north_atlantic", "glasgow_port")
    )
    raider = board.put("germany", "cruiser", "hamburg_port")
    sail(board, raider, "hamburg_port", "north_sea", "mid_north_atlantic", patrol=True)
    assert encounters(board.m) == [space("mid_north_atlantic")]


# ---- Sea Control -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-unit-sub-sea-control", "w2e-unit-destroyer-sea-control", "w2e-unit-cruiser-sea-control",
                  "w2e-unit-battleship-sea-control", "w2e-unit-carrier-sea-control", "w2e-unit-tac-sea-control",
                  "w2e-port-sea-control-cost", "w2e-carrier-air-basing")  # fmt: skip
def test_each_sea_control_unit_adds_a_point():
    board = Board()
    total = 0
    for kind in ("submarine", "destroyer", "cruiser", "battleship", "carrier"):
        board.put("great_britain", kind, "scapa_flow_port")
        total += 1
        assert controllers(board.m, 1)[space("north_sea")][0] == total, kind
    board.put("great_britain", "tac_bomber", "london")
    assert controllers(board.m, 1)[space("north_sea")][0] == total + 1
    for kind in ("fighter", "bomber"):
        board.put("great_britain", kind, "london")
    board.put("great_britain", "transport", "scapa_flow_port")
    assert controllers(board.m, 1)[space("north_sea")][0] == total + 1
    carrier = next(u for u, k in enumerate(board.state.kind) if k == K.carrier and board.alive(u))
    board.aboard(carrier, "tac_bomber")
    assert controllers(board.m, 1)[space("north_sea")][0] == total + 2
    assert leaving_cost(board.m.state, K.destroyer, A.germany, space("north_sea")) == total + 2


@pytest.mark.rule("w2e-port-exit")
def test_leaving_a_friendly_port_costs_no_penalty():
    board = Board(war="italy")
    board.put("great_britain", "destroyer", "malta_port", 3)
    assert leaving_cost(board.m.state, K.destroyer, A.italy, space("tripoli_port")) == 0
    assert leaving_cost(board.m.state, K.destroyer, A.italy, space("tyrrhenian")) == 3


@pytest.mark.rule("w2e-port-sea-control", "w2e-redeploy-sea-control-block")
def test_a_port_with_enemy_sea_control_is_shut():
    board = Board(war="italy")
    board.owner("italy", "malta")
    assert not shut_port(board.m.state, space("malta_port"), 0)
    assert space("malta_port") in voyages(board.m.state, K.destroyer, A.italy, space("genoa_port"))
    board.put("great_britain", "destroyer", "malta_port")
    assert shut_port(board.m.state, space("malta_port"), 0)
    assert space("malta_port") not in voyages(board.m.state, K.destroyer, A.italy, space("genoa_port"))


# ---- Strategic Warfare -----------------------------------------------------------------------------------------------
def raid(board: Board, *fighters: int) -> tuple[int, int]:
    """A British bomber with an escort over Essen."""
    from sandtable.games.ww2_europe.model.state import MOVED, ORDER_HUNT, RAIDING

    bomber, escort = board.put("great_britain", "bomber", "essen"), board.put("great_britain", "fighter", "essen")
    state = board.state
    state.tasks = (*state.tasks, Task(1, ORDER_HUNT, (space("london"), space("essen")), 0, 0, space("essen")))
    state.task = put(state.task, bomber, 0)
    for unit in (bomber, escort):
        state.flags = put(state.flags, unit, RAIDING | MOVED)
        state.home = put(state.home, unit, space("london"))
    return bomber, escort


@pytest.mark.rule("w2e-stage1-fight")
def test_escorts_and_bombers_fight_the_fighters_first():
    board = Board(dice=[1, 4, 3, 4, 6])
    bomber, escort = raid(board)
    one, two = board.put("germany", "fighter", "essen"), board.put("germany", "fighter", "essen")
    board.run(StrategicStage())
    # bomber 1 and escort 4 hit both fighters, which answer with 3 (a hit) and 4 (a miss): the owner chooses
    assert board.match.decisions() == ("great_britain",)
    board.do("great_britain", Lose(board.name(escort)))
    assert not board.alive(one)
    assert not board.alive(two)
    assert not board.alive(escort)
    assert board.alive(bomber)
    assert board.state.damaged[space("essen")] == 0  # the bomber's 6 missed


@pytest.mark.rule("w2e-stage1-bomb", "w2e-strategic-damage", "w2e-unit-bomber-disruption", "w2e-rp-bombed")
def test_a_hit_damages_the_space_and_costs_money_and_a_point():
    board = Board(dice=[3])
    raid(board)
    state = board.state
    money, points = state.money[A.germany], state.rps[A.germany]
    board.run(StrategicStage())
    assert state.damaged[space("essen")] == 1
    assert state.money[A.germany] == money - A.value[space("essen")]
    assert state.rps[A.germany] == points - 1
    assert raid_number(board.m, board.put("great_britain", "bomber", "london"), False) == 3
    bomb(board.m, space("essen"), False, 1)
    assert state.rps[A.germany] == points - 1  # a second hit does nothing


@pytest.mark.rule("w2e-ussr-no-rp-loss")
def test_the_ussr_loses_no_points():
    board = Board(war="ussr")
    points = board.state.rps[A.ussr]
    bomb(board.m, space("moscow"), False, 1)
    assert board.state.rps[A.ussr] == points
    assert board.state.damaged[space("moscow")] == 1


@pytest.mark.rule("w2e-strategic-convoy", "w2e-stage1-defend", "w2e-unit-sub-strategic", "w2e-convoy-cancel")
def test_submarines_sink_transports_and_escorts_answer():
    board = Board(dice=[3, 4, 3])
    route = ("canada_port", "grand_banks", "mid_north_atlantic", "nw_approaches", "glasgow_port")
    number = board.convoy("great_britain", *route, transports=1, destroyers=1)
    one, two = board.put("germany", "submarine", "brest_port"), board.put("germany", "submarine", "brest_port")
    board.owner("germany", "brest")
    board.move(0)
    way = ("western_approaches", "nw_approaches")
    for unit in (one, two):
        paths = board.match.offers("germany")[Raid][0].fields[1].given([board.name(unit)])
        path = way if way in paths else next(iter(paths))
        board.do("germany", Raid(board.name(unit), path, f"convoy {number}"))
    board.state.stack = board.state.stack[:1]
    board.run(StrategicStage())
    state = board.state
    # 3 sinks the transport, 4 misses; the destroyer's 3 sinks one of two boats; the convoy is dissolved
    assert [board.alive(u) for u in (one, two)].count(True) == 1
    assert not any(board.alive(u) for u, k in enumerate(state.kind) if k == K.transport)
    assert board.match.step.__class__.__name__ == "EndConvoy"
    role = board.match.decisions()[0]
    board.do(role, next(iter(board.match.offers(role))))
    assert convoy_of(state, number) is None
    assert RaidFight.rule == "w2e-stage1-fight"


def test_patrols_and_moves_are_orders():
    board = Board(war="italy")
    ship = board.put("italy", "destroyer", "genoa_port")
    board.move(0)
    assert board.why("italy", Patrol("genoa_port", (), (board.name(ship),))) == ""
    assert board.why("italy", Sail("genoa_port", (), (board.name(ship),))) == "sandtable-not-available"
