"""Optional rule: leaders."""

import pytest

from sandtable.core.columns import put
from sandtable.core.data import Rolled
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Assign,
    Attack,
    DefensiveAssault,
    Done,
    Lose,
    March,
    MoveLeader,
    Transfer,
)
from sandtable.games.hitlers_war.model.events import Advanced, Fired, LeaderLost, LeaderShown
from sandtable.games.hitlers_war.model.state import FACE_DOWN, SHOWN
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.leaders import LeaderDraw, allowance, unseen
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import ProductionPhase
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position, no

CENTER = "Army Group Center"


def front() -> Position:
    """Army Group Center before Minsk."""
    p = Position(leaders=True)
    p.army(CENTER, "O14", infantry=4, mechanized=6)
    p.army("Western", "P14", infantry=4)
    return p


def led(p: Position, name: str, what: int = 2) -> Position:
    p.state.leader = put(p.state.leader, no(name), what)
    return p


@pytest.mark.rule("hw-leader-1")
def test_a_leader_takes_one_off_every_attack_die_of_his_army():
    p = led(front(), CENTER)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack(CENTER, "P14"), Done())
    p.dice(6, 5, 5).do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    p.do(AXIS, Assault("O14", "P14", (CENTER,), 0))
    assert [(event.die, event.modified) for event in p.happened(Fired)] == [(6, 6), (5, 4)]
    p.do(AXIS, Advance(CENTER, 0))
    assert p.happened(Advanced)[0].modified == 4


@pytest.mark.rule("hw-leader-1")
def test_he_helps_every_army_that_fires_with_his_and_not_the_defence():
    p = led(front(), "Western")
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack(CENTER, "P14"), Done())
    p.dice(3).do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    assert [event.modified for event in p.happened(Fired)] == [3]


@pytest.mark.rule("hw-leader-2")
@pytest.mark.parametrize(("side", "leaders"), [(0, 2), (1, 1), (2, 2)])
def test_the_pools_hold_ten_markers_with_two_leaders_or_one(side, leaders):
    assert unseen(Position("campaign-2", leaders=True).state, side) == (leaders, 10)


@pytest.mark.rule("hw-leader-3")
def test_one_marker_for_every_ten_points_without_tac_air_and_one_for_an_army():
    p = Position("campaign-2", leaders=True)
    p.army("OKW", "P10", infantry=9, tac_air=15)
    assert allowance(p.state, 0) == 0
    p.army("Army Group West", "N9", infantry=10, paratroop=1)
    assert allowance(p.state, 0) == 2
    p.begin(AXIS, LeaderDraw()).do(AXIS, Assign("OKW"))
    assert p.rule(AXIS, Assign("OKW")) == "hw-leader-3"
    led(p, "OKW", 2)
    led(p, "Army Group West", 2)
    p.begin(AXIS, Movement())
    assert "move-leader" not in p.verbs(AXIS)


@pytest.mark.rule("hw-leader-4")
def test_markers_are_assigned_face_down_after_production_up_to_the_allowance():
    p = Position("campaign-2", leaders=True)
    p.army("OKW", "P10", infantry=10)
    p.army("Army Group West", "N9", infantry=10)
    p.army("Army Group B", "N9", tac_air=10)
    p.begin(AXIS, ProductionPhase()).do(AXIS, Done())
    assert p.at_step == "LeaderDraw"
    p.do(AXIS, Assign("Army Group B"), Assign("OKW"))
    assert p.parked
    assert [p.state.leader[no(name)] for name in ("OKW", "Army Group West", "Army Group B")] == [1, 0, 1]
    assert p.happened(Rolled) == []


@pytest.mark.rule("hw-leader-4")
def test_markers_above_the_allowance_go_back():
    p = Position("campaign-2", leaders=True)
    p.army("OKW", "P10", infantry=10)
    p.army("Army Group West", "N9", infantry=5)
    led(p, "OKW", 2)
    led(p, "Army Group West", 1)
    p.begin(AXIS, LeaderDraw())
    assert p.parked
    assert [p.state.leader[no(name)] for name in ("OKW", "Army Group West")] == [2, 0]


@pytest.mark.rule("hw-leader-5")
def test_a_marker_lies_face_down_until_its_army_attacks():
    p = led(front(), CENTER, 1)
    led(p, "Western", 1)
    p.begin(AXIS, CombatPhase()).dice(1).do(AXIS, Attack(CENTER, "P14"))
    assert p.state.leader[no(CENTER)] == 1
    p.do(AXIS, Done())
    assert p.state.leader[no(CENTER)] == 2
    assert p.state.leader[no("Western")] == 1
    assert [(event.army, event.leader) for event in p.happened(LeaderShown)] == [(CENTER, True)]


@pytest.mark.rule("hw-leader-6")
@pytest.mark.parametrize(("die", "leader", "modified"), [(1, 2, 3), (2, 2, 3), (3, 0, 4), (10, 0, 4)])
def test_a_leader_counts_from_that_attack_on_and_a_blank_goes_back(die, leader, modified):
    p = led(front(), CENTER, 1)
    p.begin(AXIS, CombatPhase()).dice(die, 4).do(AXIS, Attack(CENTER, "P14"), Done())
    p.do(SOVIET, Done())
    assert p.state.leader[no(CENTER)] == leader
    p.do(AXIS, Assault("O14", "P14", (CENTER,), 0))
    assert [event.modified for event in p.happened(Fired)] == [modified]


@pytest.mark.rule("hw-leader-7")
def test_shown_leaders_move_like_points_weigh_nothing_and_are_lost_alone():
    p = led(front(), CENTER)
    p.army("OKW", "P10", infantry=10)
    p.army("Army Group South", "K9", infantry=2)
    p.army("Army Group B", "P10", infantry=1)
    led(p, "Army Group B", 1)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, MoveLeader("Army Group B", "OKW")) == "hw-leader-7"
    assert p.rule(AXIS, MoveLeader(CENTER, "Army Group South")) == "hw-move-3"
    assert p.rule(AXIS, MoveLeader(CENTER, "Moscow")) == "hw-leader-7"
    p.do(AXIS, MoveLeader(CENTER, "OKW"), Transfer("Army Group B", (("infantry", 1),), CENTER), Done())
    assert [p.state.leader[no(name)] for name in (CENTER, "OKW", "Army Group B")] == [0, 2, 0]
    assert p.strength("OKW") == {"infantry": 10}
    p.begin(AXIS, Movement())
    p.do(AXIS, Transfer("OKW", (("infantry", 10),), CENTER))
    assert sum(p.state.leader) == 0


@pytest.mark.rule("hw-leader-8")
@pytest.mark.parametrize(("die", "left"), [(5, 2), (6, 0)])
def test_a_six_takes_the_leader_of_an_army_that_lost_points(die, left):
    p = led(front(), CENTER)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack(CENTER, "P14"), Done())
    p.dice(1, die).do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    p.do(AXIS, Lose(CENTER, "infantry"), Lose(CENTER, "infantry"))
    assert p.state.leader[no(CENTER)] == left
    assert len(p.happened(LeaderLost)) == (left == 0)
    assert unseen(p.state, 0) == ((1, 9) if left else (2, 10))


@pytest.mark.rule("hw-leader-8")
def test_without_losses_there_is_no_roll():
    p = led(front(), CENTER)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack(CENTER, "P14"), Done())
    p.dice(6).do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    assert [event.why for event in p.happened(Rolled)] == ["hw-assault-3"]


@pytest.mark.rule("hw-leader-8")
def test_a_leader_may_go_down_with_transported_points():
    p = Position("campaign-2", leaders=True)
    p.state.america = p.state.turn
    p.hold("allies", "us")
    p.state.at_sea = put(p.state.at_sea, 3, 6)
    p.army("U.S. Army", "us", infantry=3)
    led(p, "U.S. Army")
    p.begin("allies", Movement()).dice(4, 6)
    p.do("allies", March("U.S. Army", "P6"), Done())
    assert p.strength("U.S. Army") == {"infantry": 2}
    assert p.state.leader[no("U.S. Army")] == 0


@pytest.mark.rule("hw-leader-3")
def test_of_markers_above_the_allowance_the_face_down_one_goes_first():
    p = Position(leaders=True)
    p.army("Army Group North", "Q13", infantry=5)
    p.army("Army Group South", "N13", infantry=5)
    led(led(p, "Army Group North", FACE_DOWN), "Army Group South", SHOWN)
    p.begin(AXIS, LeaderDraw())
    assert (p.state.leader[no("Army Group North")], p.state.leader[no("Army Group South")]) == (0, SHOWN)
