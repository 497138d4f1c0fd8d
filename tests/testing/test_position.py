"""Positions: set up, run to a step, play, look."""

import pytest

from sandtable.core import OutOfDice, Pass, Refusal
from tests.demo.position import Position
from tests.demo.state import EndMoves, Lose, Lost, Regroup, Walk
from tests.demo.steps import Battle, Losses, Moves


def test_a_position_starts_parked_and_asks_everybody_to_pass():
    p = Position("skirmish")
    assert p.parked
    assert p.match.decisions() == ("red", "blue", "green")
    assert p.verbs() == {"pass"}
    assert p.match.scenario == "skirmish"


def test_a_battle_with_scripted_dice():
    p = Position().put("red-1", "Crossing").put("red-2", "Crossing").put("blue-1", "Crossing", steps=1)
    p.dice(6, 1).run(Battle(6, 0, 1, stage="dice"))
    assert (p.asked, type(p.step), p.dice_left()) == ("blue", Losses, 0)
    p.do(Lose(("blue-1",)))
    assert p.parked
    assert p.where("blue-1") is None
    assert [event.unit for event in p.happened(Lost)] == ["blue-1"]


def test_too_few_dice_are_noticed():
    with pytest.raises(OutOfDice):
        Position().put("red-1", "Crossing").put("blue-1", "Crossing").dice(6).run(Battle(6, 0, 1, stage="dice"))


def test_a_role_among_the_actions_acts_from_there_on():
    p = Position().put("red-1", "Reddale").put("blue-1", "Bluemoor").run(Moves("red"), Moves("blue"))
    p.do("red", Walk("red-1", ("Fordham",)), EndMoves(), "blue", Walk("blue-1", ("High Gate",)))
    assert (p.where("red-1"), p.where("blue-1"), p.asked) == ("Fordham", "High Gate", "blue")


def test_refusals_name_their_rule():
    p = Position().put("red-1", "Reddale").own("red", "Fordham").run(Moves("red"))
    assert p.allows(Walk("red-1", ("Fordham",)), Regroup(("red-1",), "Fordham"))
    assert p.rule(Walk("red-1", ("Fordham",))) == ""
    assert p.rule(Regroup(("red-1",), "Bluemoor")) == "demo-regroup"
    assert p.refused(Walk("red-1", ("Bluemoor",))) == Refusal("demo-adjacent", here="Reddale", there="Bluemoor")
    assert p.rule("blue", EndMoves()) == "demo-move"
    with pytest.raises(AssertionError, match="is allowed"):
        p.refused(EndMoves())


def test_changing_the_state_changes_what_is_offered():
    p = Position().put("red-1", "Reddale").run(Moves("red"))
    assert {action.path[-1] for action in p.offered(Walk)} >= {"Fordham"}
    assert p.offers_any(Walk)
    p.columns(posture=("dig in",) * 3)
    assert not p.offers_any(Walk)
    assert p.rule(Walk("red-1", ("Fordham",))) == "demo-plan"
    with pytest.raises(AttributeError, match="no column mood"):
        p.columns(mood=1)


def test_steps_are_run_one_after_the_other():
    p = Position().put("red-1", "Reddale").put("blue-1", "Bluemoor").run(Moves("red"), Moves("blue"))
    p.do(EndMoves(), EndMoves())
    assert p.parked
    assert p.allows("green", Pass())
    assert not p.happened(Lost)
