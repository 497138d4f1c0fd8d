"""Refusals cite the first rule that forbids something."""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.facts.reach import rail_reach, railways
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.reaction import why_not_reserve
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.games.blitzkrieg_general.rules.reinforcements import splits
from sandtable.games.blitzkrieg_general.rules.stacking import why_not_stop
from tests.games.blitzkrieg_general.positions import Board, nation, space, unit


@pytest.mark.rule("bg-8.1-neutral-area")
def test_a_neutral_minor_of_the_own_side_is_a_neutral_area() -> None:
    b = Board(full=True)
    inf = b.add("germany-inf-4", "austria")
    b.phase()
    refused = b.refused("germany", act.March(inf, "hungary", "austria"))
    assert (refused.rule, refused.reason) == ("bg-8.1-neutral-area", "still-neutral")


@pytest.mark.rule("bg-6.4.1-overrun-empty")
def test_armor_blocked_by_units_is_told_so() -> None:
    b = Board().war("germany-france").own("germany", "bnl")
    arm = b.add("germany-arm-5", "bnl")
    b.add("france-inf-3", "paris")
    b.add("france-inf-3", "normandy")
    b.phase()
    refused = b.refused("germany", act.March(arm, "western_france", "paris"))
    assert (refused.rule, refused.reason) == ("bg-6.4.1-overrun-empty", "way-blocked")
    assert b.rule("germany", act.March(arm, "indochine", "paris")) == "bg-6.4.1-armor"


@pytest.mark.rule("bg-6.4.6-reserve", "bg-6.4.6-range", "bg-6.4.6-path", "bg-10.1-pin-reserves")
def test_reserves_are_told_why_they_stay() -> None:
    b = Board().war("germany-france").own("germany", "bnl", "western_germany")
    b.add("germany-inf-4", "paris", origin="bnl")
    b.adds("paris", "france-inf-3")
    lone, far = b.add("france-inf-3", "normandy"), b.add("france-inf-3", "western_france")
    hq, led = b.add("georges", "vichy"), b.add("france-inf-2", "vichy")
    stuck = b.find("france-inf-3", "paris")
    b.start(Reaction(), phasing=0)
    assert b.rule("france", act.Reserve(lone, "paris")) == "bg-6.4.6-reserve"
    assert b.rule("france", act.Reserve(far, "paris")) == "bg-6.4.6-reserve"
    assert b.rule("france", act.Reserve(stuck, "paris")) == "bg-10.1-pin-reserves"
    assert b.rule("france", act.Reserve(led, "paris")) == b.rule("france", act.Reserve(hq, "paris")) == ""
    assert b.rule("france", act.Reserve(led, "normandy")) == "bg-6.4.6-reserve"  # not attacked
    b.do("france", act.Reserve(led, "paris"))
    assert b.rule("france", act.Reserve(led, "paris")) == "bg-10.1-pin"


@pytest.mark.rule("bg-6.4.6-range", "bg-6.4.6-path")
def test_and_how_far_they_may_come() -> None:
    b = Board().war("germany-france").own("germany", "bnl", "paris", "maginot")
    b.add("germany-inf-4", "normandy", origin="bnl")
    b.adds("normandy", "france-inf-3")
    b.add("georges", "vichy")
    inf, arm = b.add("france-inf-3", "vichy"), b.add("france-arm-4", "vichy")
    b.start(Reaction(), phasing=0)
    assert "bg-6.4.6-range" in str(why_not_reserve(b.state, unit(inf), space("normandy")))
    assert b.rule("france", act.Reserve(arm, "normandy")) == ""
    b.add("germany-inf-2", "western_france")
    assert "bg-6.4.6-path" in str(why_not_reserve(b.state, unit(arm), space("normandy")))


@pytest.mark.rule("bg-opt-9.3-split", "bg-1.1-stack-limit")
def test_a_split_needs_room_for_one_more_of_the_own_side() -> None:
    b = Board(assembly=True).war("japan-usa").own("japan", "midway_islands")
    mine = b.add("japan-inf-3", "midway_islands")
    b.add("usa-inf-3", "midway_islands")  # of the other side: it has room of its own
    assert splits(b.state, nation("japan")) == [mine]
    b.add("japan-inf-2", "midway_islands")
    assert not splits(b.state, nation("japan"))


@pytest.mark.rule("bg-6.5.3-tf-land", "bg-6.4-phasing-first", "bg-6.5.6-cap", "bg-6.4.1-air")
def test_ships_and_bombers_are_told_what_they_cannot_attack() -> None:
    b = Board().war("germany-be").own("germany", "bnl", "norway")
    tf, flyer = b.add("germany-tf-4", "north_sea"), b.add("germany-air-3", "bnl")
    b.phase()
    assert b.refused("germany", act.Support(tf, "england")).reason == "nothing-to-support"
    b.add("be-inf-3", "england")
    b.match._offers = {}
    assert b.rule("germany", act.Support(tf, "england")) == ""
    assert b.refused("germany", act.Support(tf, "scotland")).reason == "nothing-to-attack"
    assert b.refused("germany", act.Support(tf, "gibraltar")).reason == "not-adjacent"
    assert b.rule("germany", act.Bomb(flyer, "england")) == ""
    assert b.rule("germany", act.Bomb(flyer, "norway")) == "bg-6.4-phasing-first"
    assert b.rule("germany", act.Bomb(flyer, "gibraltar")) == "bg-6.5.6-cap"
    assert b.rule("germany", act.Bomb(flyer, "alexandria")) in ("bg-6.4.1-air", "bg-6.5.6-cap")


@pytest.mark.rule("bg-6.4.3f-enemy-adv", "bg-6.5.8-air-tf", "bg-6.5.8-ships", "bg-6.5.8-land")
def test_who_retreats_is_told_what_is_closed() -> None:
    b = Board().war("germany-be")
    tf = b.add("germany-tf-4", "north_sea")
    b.add("be-tf-4", "north_sea")
    b.state.sea_battles = {space("north_sea"): 3}
    b.combat([6, 6])
    assert b.rule("germany", act.Retreat("break-off")) == "bg-6.4.3f-enemy-adv"
    assert b.rule("germany", act.Retreat("air")) == "bg-6.5.8-air-tf"
    b.do("germany", act.Retreat("retreat"))
    assert b.rule("germany", act.Withdraw(tf, "channel")) == ""
    assert b.rule("germany", act.Withdraw(tf, "aegean_sea")) == "bg-6.5.8-ships"


@pytest.mark.rule("bg-6.4.5-air", "bg-6.4.5-tf")
def test_aircraft_and_task_forces_far_from_every_attack_are_told_so() -> None:
    b = Board().war("germany-france")
    b.add("germany-inf-4", "paris", origin="bnl")
    b.add("france-inf-3", "paris")
    near, far, tf = b.add("france-air-2", "normandy"), b.add("france-air-2", "algeria"), b.add("france-tf-4", "adria")
    b.start(Reaction(), phasing=0)
    assert b.rule("france", act.React(near, "paris")) == ""
    assert b.refused("france", act.React(far, "paris")).reason == "nothing-in-reach"
    assert b.rule("france", act.React(tf, "paris")) == "bg-6.4.5-tf"


@pytest.mark.rule("bg-6.2-rail-no-enemy", "bg-1.2-desert", "bg-opt-9.11-limits")
def test_trains_do_not_go_where_there_is_no_room() -> None:
    b = Board().war("be-italy").own("be", "cyreneica")
    b.state.rail_left = (9,) * 8
    train = b.add("be-inf-3", "alexandria")
    b.adds("matruh", "be-inf-2", "be-inf-2", "be-inf-2")
    b.own("be", "matruh").start(Phase("rail"), phasing=1)
    lines = railways(b.state, nation("be"))
    assert lines is not None
    found = why_not_stop(b.state, unit(train), space("matruh"))
    assert found is not None
    assert found.rule == "bg-1.2-desert"
    assert space("matruh") not in rail_reach(b.state, unit(train))
    for together, option in ((True, False), (False, True)):
        b = Board(cooperation=option).war("japan-usa", "germany-usa").own("japan", "bavaria")
        inf = b.add("germany-inf-3", "austria")
        assert (space("bavaria") in rail_reach(b.state, unit(inf))) == together
