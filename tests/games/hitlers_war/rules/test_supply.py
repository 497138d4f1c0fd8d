"""Supply and isolation."""

import pytest

from sandtable.games.hitlers_war.model.actions import Attack, DefensiveAssault, Done
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.supply import Isolation, find_stuck, unsupplied
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position, at, no


def pocket() -> Position:
    """Soviet P14 and P15 inside an Axis ring."""
    p = Position()
    p.hold(AXIS, "Q14", "Q15", "Q16", "P16", "O16", "O15", "O14", "P13")
    return p


@pytest.mark.rule("hw-supply-1")
def test_supply_is_an_unbroken_chain_to_a_healthy_point():
    p = pocket()
    assert {at("P14"), at("P15")} <= set(unsupplied(p.state, 1))
    p.hold(SOVIET, "P16")
    assert not {at("P14"), at("P15")} & set(unsupplied(p.state, 1))


@pytest.mark.rule("hw-supply-1")
def test_a_devastated_point_feeds_nobody():
    p = Position()
    p.hold(AXIS, "Q17")
    assert at("Q17") not in unsupplied(p.state, 0)
    p.devastate("Q17", 3)
    assert at("Q17") in unsupplied(p.state, 0)


@pytest.mark.rule("hw-supply-2")
def test_a_hex_with_a_healthy_point_is_always_supplied():
    p = Position()
    p.hold(AXIS, "M15", "M16", "M17", "N14", "N16", "O15", "O16", "M14", "N17")
    assert at("N15") not in unsupplied(p.state, 1)


@pytest.mark.rule("hw-supply-3")
def test_supply_crosses_straits_but_not_the_sea():
    p = Position()
    assert at("H10") not in unsupplied(p.state, 0)
    p.hold(SOVIET, "K9")
    assert at("K9") in unsupplied(p.state, 1)


@pytest.mark.rule("hw-unsupplied-1", "hw-unsupplied-2", "hw-control-2")
def test_isolated_hexes_defect_at_the_end_of_their_own_sides_combat_phase():
    p = pocket()
    p.army("White Russian", "P14", infantry=4)
    p.begin(AXIS, Isolation())
    assert p.owner("P14") == "soviet"
    p.begin(SOVIET, CombatPhase()).do(SOVIET, Done())
    assert p.owner("P14") == p.owner("P15") == "axis"
    assert p.where("White Russian") is None


@pytest.mark.rule("hw-unsupplied-3")
def test_an_unsupplied_army_still_fires_in_defence():
    p = pocket()
    p.army("White Russian", "P14", infantry=4)
    p.army("Fourth Army", "P13", infantry=5)
    find_stuck(p.state, 1)
    assert p.state.stuck[no("White Russian")] == 1
    p.begin(AXIS, CombatPhase()).dice(6)
    p.do(AXIS, Attack("Fourth Army", "P14"), Done())
    assert p.allows(SOVIET, DefensiveAssault("P14", ("White Russian",), 0))


@pytest.mark.rule("hw-unsupplied-1")
def test_far_axis_shores_that_nobody_can_reach_are_not_tested_in_barbarossa():
    p = Position()
    p.begin(AXIS, Isolation())
    assert p.owner("K9") == p.owner("G8") == "axis"
