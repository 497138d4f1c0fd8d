"""6.5.8-6.5.10 retreats, 6.7 exploitation, 6.8 control."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import embark, has_enemy
from sandtable.games.blitzkrieg_general.rules.aftermath_phase import Landing
from sandtable.games.blitzkrieg_general.rules.faults import faults
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from sandtable.games.blitzkrieg_general.rules.reaction import react_targets
from sandtable.games.blitzkrieg_general.rules.retreat import land_retreats, sea_retreats
from sandtable.games.blitzkrieg_general.sequence import Segment
from tests.games.blitzkrieg_general.positions import A, Board, battle, nation, space, unit


def war(scenario: str = "1939-advanced") -> Board:
    return Board(scenario).war("germany-be", "germany-france", "italy-be", "italy-france", "germany-ussr")


def stalled(b: Board, where: str, attackers: list[str], defenders: list[str], **more: str) -> Board:
    """A battle whose first round hits nobody."""
    return battle(b, where, attackers, defenders, [6] * 20, **more)  # type: ignore[arg-type]


# ---- retreats -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.8-ask", "bg-6.5.8-continue")
def test_first_the_phasing_then_the_other_side_is_asked_until_one_goes() -> None:
    b = stalled(war().own("germany", "bnl"), "paris", ["germany-inf-4"], ["france-inf-3"])
    assert b.match.decisions() == ("germany",)
    b.do("germany", act.Retreat("fight"))
    assert b.match.decisions() == ("france",)
    b.do("france", act.Retreat("fight"))
    assert b.state.battle is not None
    assert b.state.battle.round == 2


@pytest.mark.rule("bg-6.5.8-all", "bg-6.5.8-land", "bg-6.5.8-split")
def test_all_land_units_retreat_each_where_its_owner_likes() -> None:
    b = stalled(war().own("germany", "bnl"), "paris", ["germany-inf-4"], ["france-inf-3", "france-inf-2"])
    b.do("germany", act.Retreat("fight"))
    assert b.rule("france", act.Retreat("france-inf-3-1")) == "bg-6.5.8-ask"  # nothing like half a retreat
    b.do("france", act.Retreat("retreat"))
    for to in ("vichy", "normandy"):
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], to))
    assert b.kinds("paris") == ["germany-inf-4"]
    assert b.owner("paris") == "germany"


@pytest.mark.rule("bg-6.5.8-air-tf")
def test_aircraft_may_leave_alone() -> None:
    b = war()
    b.add("germany-air-4", "bnl", mission="paris")
    b.own("germany", "bnl")
    stalled(b, "paris", ["germany-inf-4"], ["france-inf-3"])
    while type(b.step).__name__ == "Fight":
        b.answer(act.Ready())
    b.do("germany", act.Retreat("air"))
    assert b.state.battle is not None
    assert [A.type[u] for u in b.state.battle.attackers] == [0]


@pytest.mark.rule("bg-6.5.8-land-contested")
def test_areas_with_both_sides_are_the_last_resort() -> None:
    b = war().own("germany", *A.names(A.land_next[space("paris")]))
    ident = b.add("france-inf-3", "paris")
    b.start(None)
    assert land_retreats(b.state, unit(ident)) == []
    b.own("france", "vichy").adds("vichy", "france-inf-2", "germany-inf-3")
    assert land_retreats(b.state, unit(ident)) == [space("vichy")]
    b.own("france", "normandy")
    assert land_retreats(b.state, unit(ident)) == [space("normandy")]


@pytest.mark.rule("bg-6.5.8-none")
def test_without_a_way_out_the_fight_goes_on() -> None:
    b = war().own("germany", *A.names(A.land_next[space("paris")]))
    stalled(b, "paris", ["germany-inf-4"], ["france-inf-3"])
    b.do("germany", act.Retreat("fight"))
    # France is not even asked: there is nothing to choose, so the next round is fought
    assert b.state.battle is None or b.state.battle.round == 2


@pytest.mark.rule("bg-6.5.8-ships", "bg-6.5.8-ships-contested")
def test_ships_flee_from_task_forces() -> None:
    b = war()
    ship = b.add("germany-conv-1", "skagerrak")
    b.start(None)
    assert {A.space_ids[z] for z in sea_retreats(b.state, unit(ship))} == {"north_sea", "baltic_sea"}
    b.add("be-conv-1", "north_sea")
    assert space("north_sea") in sea_retreats(b.state, unit(ship))
    b.add("be-tf-4", "north_sea")
    assert sea_retreats(b.state, unit(ship)) == [space("baltic_sea")]
    b.adds("baltic_sea", "be-tf-3")
    assert sea_retreats(b.state, unit(ship)) == []
    b.adds("baltic_sea", "germany-sub-2")
    assert sea_retreats(b.state, unit(ship)) == [space("baltic_sea")]


@pytest.mark.rule("bg-basic-6.2.3-ships")
def test_in_the_basic_game_any_enemy_ship_bars_the_way() -> None:
    b = war("1939-basic")
    ship = b.add("germany-conv-1", "skagerrak")
    b.add("be-conv-1", "north_sea")
    b.start(None)
    assert sea_retreats(b.state, unit(ship)) == [space("baltic_sea")]


@pytest.mark.rule("bg-6.5.8-air", "bg-6.5.8-air-no-sea", "bg-6.4.1-air-return")
def test_aircraft_return_within_their_range_to_land_also_just_taken() -> None:
    b = war()
    b.add("germany-air-4", "western_germany", mission="paris")
    b.own("germany", "bnl")
    battle(b, "paris", ["germany-inf-4"], ["france-inf-2!"], [1, 6, 6])
    while type(b.step).__name__ == "Fight":
        b.answer(act.Ready())
    assert isinstance(b.step, Landing)
    ways = {A.space_ids[s] for s in b.step.ways(b.state, b.step.units[0])}
    assert {"paris", "bnl", "western_germany"} <= ways
    assert not any(A.is_sea[space(w)] for w in ways)
    assert b.rule("germany", act.Withdraw("germany-air-4-1", "channel")) == "bg-6.5.8-air-no-sea"
    b.do("germany", act.Withdraw("germany-air-4-1", "paris"))
    assert b.where("germany-air-4-1") == "paris"


@pytest.mark.rule("bg-6.5.9-both", "bg-6.8-no-air-control")
def test_with_only_aircraft_left_on_both_sides_the_phasing_side_goes() -> None:
    b = war().own("germany", "bnl")
    b.add("germany-air-4", "bnl", mission="paris")
    b.add("france-air-2", "paris")
    b.combat([6, 6])
    assert b.state.battle is None
    if type(b.step).__name__ == "Landing":
        b.answer(act.Withdraw("germany-air-4-1", "bnl"))
    assert b.owner("paris") == "france"
    assert b.where("france-air-2-1") == "paris"


@pytest.mark.rule("bg-6.5.10-end", "bg-6.8-immediate", "bg-6.8-production")
def test_the_winner_takes_the_area_and_its_production_at_once() -> None:
    b = war()
    france, germany = b.flag("france"), b.flag("germany")
    battle(b, "paris", ["germany-inf-4"], ["france-inf-2!"], [1, 6])
    assert b.owner("paris") == "germany"
    assert (b.flag("france"), b.flag("germany")) == (france - 3, germany + 1)


@pytest.mark.rule("bg-6.8-joint-capture")
def test_the_side_names_one_of_those_who_took_part() -> None:
    b = war()
    battle(b, "vichy", ["germany-inf-4", "italy-inf-3"], ["france-inf-2!"], [1, 6])
    assert b.match.decisions() == ("germany",)
    b.do("germany", act.Govern("italy"))
    assert b.owner("vichy") == "italy"


# ---- exploitation -------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.7-same-as-move", "bg-6.7-attack", "bg-6.7-armor-hq", "bg-6.7-reserves")
def test_exploitation_is_a_second_movement_with_new_combats_and_reserves() -> None:
    b = war().own("germany", "bnl")
    arm, inf = b.add("germany-arm-5", "bnl"), b.add("germany-inf-4", "bnl")
    b.add("france-inf-3", "paris")
    b.add("georges", "vichy")
    reserve = b.add("france-inf-2", "vichy")
    b.start(Segment(0, 9), [6] * 20)
    assert b.step.name == "exploit"
    assert b.rule("germany", act.March(inf, "paris", "bnl")) == "bg-6.7-infantry"
    b.march("germany", arm, "paris")
    for role in b.match.decisions():
        b.do(role, act.Done())
    b.do("france", act.Reserve(reserve, "paris"))
    assert b.where(reserve) == "paris"


@pytest.mark.rule("bg-6.7-support")
def test_aircraft_support_new_attacks_but_task_forces_do_not() -> None:
    b = war().own("germany", "bnl")
    arm, flyer = b.add("germany-arm-5", "bnl"), b.add("germany-air-4", "bnl")
    b.adds("paris", "france-inf-3")
    b.adds("normandy", "france-inf-2")
    tf = b.add("germany-tf-4", "channel")
    b.phase("exploit")
    assert b.rule("germany", act.Fly(flyer, "paris")) == "bg-6.7-support"  # nothing attacks there yet
    assert b.rule("germany", act.Bomb(flyer, "paris")) == "bg-6.7-support"
    b.march("germany", arm, "paris")
    assert b.rule("germany", act.Fly(flyer, "paris")) == ""
    assert b.rule("germany", act.Fly(flyer, "normandy")) == "bg-6.7-support"
    assert b.rule("germany", act.Support(tf, "normandy")) == "bg-6.7-support"

    mine = b.add("france-tf-4", "channel")
    assert react_targets(b.state, unit(mine)) == []


@pytest.mark.rule("bg-6.7-ships")
def test_ships_beside_a_naval_hq_sail_again_up_to_its_rating() -> None:

    b = Board().war("japan-usa")
    convoy = b.add("usa-conv-1", "sea_hawaiian_islands")
    ships = [b.add("usa-tf-3", "sea_hawaiian_islands") for _ in range(5)]
    hq = b.add("nimitz", "hawaiian_islands")
    other = b.add("usa-tf-4", "american_west_coast")
    embark(b.state, unit(hq), unit(convoy))
    b.phase("exploit", phasing=1)
    assert b.rule("usa", act.Form("american_west_coast", (other,))) == "bg-6.7-ships"
    assert b.rule("usa", act.Form("sea_hawaiian_islands", tuple(ships))) == "bg-6.4.1-ships"  # five, rated four
    b.do("usa", act.Form("sea_hawaiian_islands", tuple(ships[:4])), act.Sail("sea_midway_islands"), act.Halt())
    assert b.where(ships[0]) == "sea_midway_islands"
    assert b.rule("usa", act.Form("sea_hawaiian_islands", (ships[4],))) == "bg-6.7-ships"


# ---- control ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.8-initial")
def test_at_the_start_everybody_holds_his_own() -> None:
    b = Board(full=True)
    assert all(b.state.control[s] == A.owner[s] for s in A.land)


@pytest.mark.rule("bg-6.8-seazone")
def test_ships_control_seazones() -> None:
    b = war()
    assert not has_enemy(b.state, 0, space("north_sea"))
    b.add("be-conv-1", "north_sea")
    assert has_enemy(b.state, 0, space("north_sea"))
    assert not has_enemy(b.state, nation("be"), space("north_sea"))


@pytest.mark.rule("bg-6.8-no-mixing-land", "bg-basic-6.4-no-mixing")
def test_no_mixing_at_the_end_of_a_turn() -> None:

    for scenario, zone_is_a_fault in (("1939-basic", True), ("1939-advanced", False)):
        b = war(scenario)
        b.state.points = put(b.state.points, 0, 5)
        b.start(Production())
        b.adds("north_sea", "germany-tf-4", "be-tf-4")
        assert bool([f for f in faults(b.state) if "north_sea" in f]) == zone_is_a_fault
        b.adds("paris", "germany-inf-4", "france-inf-3")
        assert [f for f in faults(b.state) if "paris" in f]


@pytest.mark.rule("bg-6.8-neutral-ships")
def test_neutral_ships_disturb_nobody() -> None:
    b = war()
    b.add("usa-tf-3", "north_sea")
    ship = b.add("germany-tf-4", "skagerrak")
    b.phase("naval").do("germany", act.Form("skagerrak", (ship,)), act.Sail("north_sea"), act.Sail("channel"))
    assert b.state.rolled == 0
    assert b.where(ship) == "channel"
