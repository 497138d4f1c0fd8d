"""6.4.3 and 10.1: what a convoy may still load, who is searched for a second time, and cargo in a sea battle."""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import FOUGHT, embark, mark
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.naval_phase import Intercept
from sandtable.games.blitzkrieg_general.rules.reaction import react_targets
from sandtable.games.blitzkrieg_general.sequence import _searches
from tests.games.blitzkrieg_general.positions import Board, space, unit


def war(scenario: str = "1939-advanced") -> Board:
    return Board(scenario).war("germany-be", "germany-france")


# ---- convoys ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.4.3a-once")
def test_a_convoy_that_lands_last_turns_cargo_loads_nothing_more() -> None:
    b = war()
    ship, old, new = b.add("be-conv-1", "channel"), b.add("be-inf-3", "england"), b.add("be-inf-2", "england")
    embark(b.state, unit(old), unit(ship))
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Unload(old, "normandy"))
    assert b.rule("be", act.Load(ship, new)) == "bg-6.4.3a-once"


@pytest.mark.rule("bg-6.4.3a-once")
def test_nor_does_one_that_has_handed_its_cargo_over_or_has_sailed_with_it() -> None:
    b = war()
    one, two = b.add("be-conv-1", "channel"), b.add("be-conv-1", "channel")
    old, hurt, new = (
        b.add("be-inf-3", "england"),
        b.add("be-inf-3", "england", flipped=True),
        b.add("be-inf-2", "england"),
    )
    embark(b.state, unit(old), unit(one))
    b.phase("naval", phasing=1).do("be", act.Form("channel", (one, two)), act.Load(two, old))
    assert b.rule("be", act.Load(one, new)) == "bg-6.4.3a-once"
    b = war()
    ship, hurt = b.add("be-conv-1", "channel"), b.add("be-inf-3", "england", flipped=True)
    other = b.add("be-inf-3", "england", flipped=True)
    embark(b.state, unit(hurt), unit(ship))
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)))
    assert b.rule("be", act.Load(ship, other)) == ""  # it has not sailed: there is room for two
    b.do("be", act.Sail("sea_of_britain"))
    assert b.rule("be", act.Load(ship, other)) == "bg-6.4.3a-once"


@pytest.mark.rule("bg-6.7-ships", "bg-2.1-hq-rating")
def test_the_zones_that_a_naval_hq_sails_are_no_commands() -> None:
    b = Board().war("japan-usa")
    convoy, ships = (
        b.add("usa-conv-1", "sea_hawaiian_islands"),
        [b.add("usa-tf-3", "sea_hawaiian_islands") for _ in "abc"],
    )
    hq = b.add("nimitz", "hawaiian_islands")
    embark(b.state, unit(hq), unit(convoy))
    b.phase("exploit", phasing=1)
    b.do("usa", act.Form("sea_hawaiian_islands", (convoy,)), act.Sail("sea_midway_islands"))
    b.do("usa", act.Sail("sea_wake_islands"), act.Halt())
    assert b.state.spent[unit(hq)] == 1
    assert b.rule("usa", act.Form("sea_hawaiian_islands", tuple(ships))) == ""  # three commands of four are left


# ---- the basic game -----------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-basic-6.1.4-cargo")
def test_in_the_basic_game_nothing_is_unloaded_beside_enemy_ships() -> None:
    b = war("1939-basic")
    ship, inf = b.add("germany-conv-1", "skagerrak"), b.add("germany-inf-4", "western_germany")
    b.add("be-conv-1", "north_sea")
    b.phase("naval").do("germany", act.Form("skagerrak", (ship,)), act.Load(ship, inf), act.Sail("north_sea"))
    assert b.rule("germany", act.Unload(inf, "england")) == "bg-basic-6.1.4-cargo"
    assert b.rule("germany", act.Unload(inf, "western_germany")) == "bg-basic-6.1.4-cargo"
    b = war("1939-basic")
    ship, inf = b.add("germany-conv-1", "skagerrak"), b.add("germany-inf-4", "western_germany")
    b.phase("naval").do("germany", act.Form("skagerrak", (ship,)), act.Load(ship, inf), act.Sail("north_sea"))
    assert b.rule("germany", act.Unload(inf, "england")) == ""


# ---- one combat in a phase ----------------------------------------------------------------------------------------
def intercepted(*dice: int) -> tuple[Board, dict[str, str]]:
    """A British fleet is found off Scotland by a German Task Force; aircraft of both sides can help."""
    b = war().own("germany", "norway")
    units = {"tf": b.add("be-tf-4", "north_sea"), "foe": b.add("germany-tf-4", "skandinavian_sea")}
    units |= {"mine": b.add("be-air-3", "scotland"), "theirs": b.add("germany-air-3", "norway")}
    b.phase("naval", phasing=1, dice=dice)
    b.do("be", act.Form("north_sea", (units["tf"],)), act.Sail("skandinavian_sea"), act.Sail("barents_sea"))
    return b, units


@pytest.mark.rule("bg-10.1-pin")
def test_aircraft_that_helped_in_an_interception_do_not_fly_again() -> None:
    b, units = intercepted(1, 1, 1, 1, 6, 6, 6, 6)
    b.do("germany", act.Engage(True), act.Join((units["theirs"],))).do("be", act.Join((units["mine"],)))
    while type(b.step).__name__ not in ("Group", "Phase"):
        role = b.who()
        home = "scotland" if role == "be" else "norway"
        landing = type(b.step).__name__ == "Landing"
        b.do(role, act.Withdraw(units["mine" if role == "be" else "theirs"], home) if landing else act.Ready())
    assert b.where(units["tf"]) == "barents_sea"
    b.do("be", act.Halt(), act.Done())
    b.add("germany-inf-3", "england")
    assert react_targets(b.state, unit(units["theirs"])) == []
    b.start(Phase("land"), phasing=1)
    assert b.rule("be", act.Fly(units["mine"], "norway")) == "bg-10.1-pin"
    assert b.rule("be", act.Bomb(units["mine"], "norway")) == "bg-10.1-pin"


@pytest.mark.rule("bg-10.1-pin", "bg-6.4.3d-case1")
def test_a_fleet_that_has_fought_is_not_searched_for_again_and_does_not_search() -> None:
    b = war().own("germany", "norway")
    tf, foe = b.add("be-tf-4", "north_sea"), b.add("germany-tf-4", "skandinavian_sea")
    b.add("germany-tf-3", "barents_sea")
    b.phase("naval", phasing=1)
    mark(b.state, unit(tf), FOUGHT)
    b.do("be", act.Form("north_sea", (tf,)), act.Sail("skandinavian_sea"), act.Sail("barents_sea"))
    assert not isinstance(b.step, Intercept)
    assert b.where(tf) == "barents_sea"
    b.do("be", act.Halt(), act.Done())
    _searches(b.m, 1)
    b.m.settle()
    assert b.state.rolled == 0  # nobody fights twice, so nobody searches
    b = war().own("germany", "norway")
    tf, foe = b.add("be-tf-4", "north_sea"), b.add("germany-tf-4", "skandinavian_sea")
    b.phase("naval", phasing=1)
    mark(b.state, unit(foe), FOUGHT)
    b.do("be", act.Form("north_sea", (tf,)), act.Sail("skandinavian_sea"), act.Sail("barents_sea"))
    assert b.where(tf) == "barents_sea"
    assert space("barents_sea") not in b.state.sea_battles
