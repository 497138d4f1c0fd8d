"""The rulebook's smaller examples at sea: interception numbers, carriers, transports, the Order of Battle."""

import pytest

from sandtable.games.ww2_europe.model.actions import Combine, Done, Ferry, Launch, Night, Patrol, Sail, Separate
from sandtable.games.ww2_europe.model.events import Sought
from sandtable.games.ww2_europe.model.state import ORDER_MOVE, ORDER_PATROL
from sandtable.games.ww2_europe.rules.advanced_naval_phase import Assemble, arrivals
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.interception import needed
from sandtable.games.ww2_europe.rules.interception_phase import SeaStage
from sandtable.games.ww2_europe.rules.landings import quiet_landings
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War

EVERY = tuple(range(len(A.fronts)))
SEA = A.index["tyrrhenian"]


def hunt(**options: bool) -> tuple[War, str, str, str]:
    """An Italian destroyer passes the Tyrrhenian; destroyers from Gibraltar and Oran look for it there."""
    war = War("summer 1941", neutral=("usa", "ussr"), options=options)
    war.initiative(AXIS)
    prey = war.put("italy", "destroyer", "genoa_port")
    red = war.put("great_britain", "destroyer", "gibraltar_port")
    white = war.put("great_britain", "destroyer", "oran_port")
    war.order(AXIS, ORDER_MOVE, ("genoa_port", "tyrrhenian", "gulf_of_gabes"), prey)
    war.order(ALLIES, ORDER_PATROL, ("gibraltar_port", "alboran_sea", "balearic_sea", "tyrrhenian"), red)
    war.order(ALLIES, ORDER_PATROL, ("oran_port", "balearic_sea", "tyrrhenian"), white)
    return war, prey, red, white


@pytest.mark.rule("w2e-ex-interception-gibraltar", "w2e-interception-combine")
def test_interception_numbers_of_gibraltar_and_oran() -> None:
    war, _prey, red, white = hunt()
    assert needed(war.m, [war.number(red)], SEA) == 3
    assert needed(war.m, [war.number(white)], SEA) == 4
    assert needed(war.m, [war.number(red), war.number(white)], SEA) == 3
    war.run(SeaStage())
    war.dice(4, 6, 6, 6)
    assert war.allows("great_britain", Separate())
    war.do("great_britain", Combine())
    assert [(e.needed, e.found) for e in war.events if isinstance(e, Sought)] == [(3, ())]


@pytest.mark.rule("w2e-ex-interception-gibraltar")
def test_separate_rolls_of_gibraltar_and_oran() -> None:
    war, prey, _red, white = hunt()
    war.run(SeaStage())
    war.dice(4, 4, 6, 6)
    war.do("great_britain", Separate())
    assert [(e.needed, e.found) for e in war.events if isinstance(e, Sought)] == [(3, ()), (4, (prey,))]
    assert isinstance(war.step, Battle)
    assert war.step.att == (war.number(white),)


@pytest.mark.rule("w2e-interception-1-space", "w2e-interception-2-spaces", "w2e-interception-3-spaces",
                  "w2e-interception-4-spaces", "w2e-interception-5-spaces", "w2e-adv-naval-interception")  # fmt: skip
@pytest.mark.parametrize("advanced", [False, True])
@pytest.mark.parametrize(("far", "number"), [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)])
def test_the_interception_table(far: int, number: int, advanced: bool) -> None:
    war = War("summer 1941", options={"advanced-naval": advanced})
    war.initiative(AXIS)
    path = ("scapa_flow_port", "faroes_gap", "iceland_basin", "irminger_sea", "grand_banks", "western_atlantic")
    seeker = war.put("great_britain", "destroyer", path[0])
    prey = war.put("germany", "destroyer", path[far])
    war.order(ALLIES, ORDER_PATROL, path[: far + 1], seeker)
    war.order(AXIS, ORDER_MOVE, ("brest_port", path[far]), prey)
    war.dice(number + 1)
    war.run(SeaStage())
    assert [(e.needed, e.found) for e in war.events if isinstance(e, Sought)] == [(number, ())]
    war.order(AXIS, ORDER_MOVE, ("brest_port", path[far]), prey)
    war.order(ALLIES, ORDER_PATROL, path[: far + 1], seeker)
    war.dice(number, 6, 6)
    war.run(SeaStage())
    assert [(e.needed, e.found) for e in war.events if isinstance(e, Sought)] == [(number, (prey,))]


@pytest.mark.rule("w2e-ex-interception-carrier", "w2e-adv-naval-air-distance", "w2e-interception-air-distance")
@pytest.mark.parametrize("advanced", [False, True])
def test_the_carrier_rolls_but_its_fighter_launched_on_the_spot_does_not(advanced: bool) -> None:
    war = War("summer 1941", neutral=("usa", "ussr"), options={"advanced-naval": advanced})
    war.initiative(ALLIES)
    prey = war.put("italy", "destroyer", "genoa_port")
    carrier = war.put("great_britain", "carrier", "gibraltar_port")
    fighter = war.put("great_britain", "fighter", "gibraltar_port", aboard=carrier)
    war.run(Movement(ALLIES, fronts=EVERY))
    war.do("great_britain", Patrol("gibraltar_port", ("alboran_sea", "balearic_sea", "tyrrhenian"), (carrier,)))
    war.do("great_britain", Launch(fighter, ("tyrrhenian",)))
    war.order(AXIS, ORDER_MOVE, ("genoa_port", "tyrrhenian"), prey)
    assert needed(war.m, [war.number(carrier)], SEA) == 3
    assert needed(war.m, [war.number(fighter)], SEA) == 6  # automatic


@pytest.mark.rule("w2e-ex-evade-malta")
def test_the_fighter_on_its_way_to_malta_is_not_stopped_by_a_destroyer() -> None:
    war = War("summer 1941", neutral=("usa", "ussr"))
    war.initiative(AXIS)
    ship = war.put("italy", "destroyer", "taranto_port")
    fighter = war.put("italy", "fighter", "sicily")
    hunter = war.put("great_britain", "destroyer", "alexandria_port")
    war.run(Movement(AXIS, fronts=EVERY), Movement(ALLIES, fronts=EVERY), SeaStage())
    war.do("italy", Patrol("taranto_port", ("ionian_sea", "malta_port"), (ship,)))
    war.do("italy", Patrol("sicily", ("ionian_sea", "malta_port"), (fighter,)))
    for power in war.match.decisions():
        war.do(power, Done())
    war.do("great_britain", Patrol("alexandria_port", ("egyptian_sea", "libyan_sea", "ionian_sea"), (hunter,)))
    war.dice(3, 6, 6)
    for power in war.match.decisions():
        war.do(power, Done())
    assert [(e.space, e.found) for e in war.events if isinstance(e, Sought)] == [("@ionian_sea", (ship,))]
    assert isinstance(war.step, Battle)
    assert war.step.dfn == (war.number(ship),)
    assert war.where(fighter) == "malta_port"


@pytest.mark.rule("w2e-ex-adv-order-destroyers", "w2e-adv-naval-order")
def test_the_oran_destroyer_opens_the_battle() -> None:
    war, prey, red, white = hunt(**{"advanced-naval": True})
    war.dice(3, 4)
    war.run(SeaStage())
    step = war.step
    assert isinstance(step, Assemble)
    assert dict(arrivals(war.m, step.battle)) == {war.number(white): 1, war.number(red): 2, war.number(prey): 1}
    war.dice(1, 6, 6)
    war.do("germany", Night(False))
    assert war.dice_left() == 0  # round 1: white and the Italian only


@pytest.mark.rule("w2e-ex-adv-order-taskforces")
def test_task_forces_two_spaces_farther_enter_in_round_three() -> None:
    war = War("summer 1941", neutral=("usa", "ussr"), options={"advanced-naval": True})
    war.initiative(AXIS)
    german = war.put("germany", "battleship", "brest_port")
    one = war.put("great_britain", "destroyer", "scapa_flow_port")
    two = war.put("great_britain", "destroyer", "glasgow_port")
    three = war.put("great_britain", "destroyer", "gibraltar_port")
    x = "outer_approaches"
    war.order(AXIS, ORDER_PATROL, ("brest_port", "western_approaches", x), german)
    war.order(ALLIES, ORDER_PATROL, ("scapa_flow_port", "faroes_gap", "iceland_basin", "mid_north_atlantic", x), one)
    war.order(ALLIES, ORDER_PATROL, ("glasgow_port", "nw_approaches", x), two)
    war.order(ALLIES, ORDER_PATROL, ("gibraltar_port", "moroccan_sea", "madeira_sea", "azores_sea", x), three)
    war.run(SeaStage())
    step = war.step
    assert isinstance(step, Assemble)
    rounds = dict(arrivals(war.m, step.battle))
    assert [rounds[war.number(u)] for u in (two, one, three)] == [1, 3, 3]


@pytest.mark.rule("w2e-ex-carrier-launch", "w2e-unit-carrier-extended")
def test_a_fighter_launched_five_spaces_out_flies_and_returns_to_its_carrier() -> None:
    war = War("summer 1942")
    war.initiative(ALLIES)
    carrier = war.put("great_britain", "carrier", "gibraltar_port")
    fighter = war.put("great_britain", "fighter", "gibraltar_port", aboard=carrier)
    war.run(Movement(ALLIES, fronts=EVERY))
    path = ("alboran_sea", "balearic_sea", "tyrrhenian", "gulf_of_gabes", "gulf_of_sirte")
    war.do("great_britain", Sail("gibraltar_port", path, (carrier,)))
    assert war.where(fighter) == "gulf_of_sirte"  # cargo goes with its ship
    # from the fifth space two out and two back, even though the ship has come five
    assert war.allows("great_britain", Launch(fighter, ("gulf_of_sirte", "libyan_sea", "tobruk_port")))
    assert not war.allows("great_britain", Launch(fighter, ("aegean_s",)))  # the ship was never there
    war.do("great_britain", Launch(fighter, ("gulf_of_sirte", "libyan_sea", "tobruk_port")))
    assert war.state.cargo_of[war.number(fighter)] == -1
    war.run(ReturnHome())
    assert war.where(carrier) == war.where(fighter) == "gibraltar_port"
    assert war.state.cargo_of[war.number(fighter)] == war.number(carrier)


@pytest.mark.rule("w2e-ex-carrier-follow")
def test_a_fighter_launched_after_one_space_flies_the_carriers_other_four() -> None:
    war = War("summer 1942")
    war.initiative(ALLIES)
    carrier = war.put("great_britain", "carrier", "gibraltar_port")
    fighter = war.put("great_britain", "fighter", "gibraltar_port", aboard=carrier)
    war.run(Movement(ALLIES, fronts=EVERY))
    path = ("alboran_sea", "balearic_sea", "tyrrhenian", "gulf_of_gabes", "gulf_of_sirte")
    war.do("great_britain", Sail("gibraltar_port", path, (carrier,)))
    assert war.allows("great_britain", Launch(fighter, path))  # launched in the first space, lands in the fifth
    assert not war.allows("great_britain", Launch(fighter, ("gibraltar_port", *path)))  # five spaces are too many


@pytest.mark.rule("w2e-ex-transport", "w2e-transport-procedure")
def test_infantry_from_tunisia_to_naples() -> None:
    war = War("summer 1942")
    war.initiative(AXIS)
    war.own("italy", "tunis")
    ship = war.put("italy", "transport", "naples_port")
    infantry = war.put("italy", "infantry", "tunis")
    war.run(Movement(AXIS, fronts=EVERY))
    war.do("italy", Ferry(ship, infantry, "tyrrhenian", (), "naples"))
    assert war.state.cargo_of[war.number(infantry)] == war.number(ship)
    quiet_landings(war.m)
    war.run(ReturnHome())
    assert war.where(infantry) == "naples"
    assert war.where(ship) == "naples_port"
