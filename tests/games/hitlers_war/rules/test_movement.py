"""Movement and stacking."""

import pytest

from sandtable.games.hitlers_war.model.actions import Attack, Build, Detach, Done, Lose, March, Transfer
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.movement_phase import Movement, MovementPhase
from sandtable.games.hitlers_war.rules.production_phase import Production
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position


def axis_moves(p: Position) -> Position:
    return p.begin(AXIS, Movement())


@pytest.mark.rule("hw-move-1")
def test_a_player_may_move_nothing_or_everything():
    p = Position()
    p.army("OKW", "P10", infantry=3)
    axis_moves(p)
    assert {"march", "detach", "done"} <= p.verbs(AXIS)
    p.do(AXIS, March("OKW", "N7"), March("OKW", "L14"), Done())
    assert p.where("OKW") == "L14"


@pytest.mark.rule("hw-move-2")
def test_any_distance_through_friendly_hexes_but_never_into_others():
    p = Position()
    p.army("OKW", "P10", infantry=3)
    axis_moves(p)
    assert p.allows(AXIS, March("OKW", "L5")) is False
    assert p.rule(AXIS, March("OKW", "P14")) == "hw-move-2"
    assert p.allows(AXIS, March("OKW", "T13")) is False
    assert p.allows(AXIS, March("OKW", "H13"))


@pytest.mark.rule("hw-move-2")
def test_an_unfriendly_belt_cuts_the_way():
    p = Position()
    p.hold(SOVIET, "P13", "P12", "Q12", "R13")
    p.army("OKW", "P10", infantry=3)
    axis_moves(p)
    assert p.rule(AXIS, March("OKW", "Q13")) == "hw-move-3"


@pytest.mark.rule("hw-move-3")
def test_full_sea_sides_stop_movement_and_crossings_do_not():
    p = Position()
    p.army("OKW", "P10", infantry=3)
    axis_moves(p)
    assert p.rule(AXIS, March("OKW", "K9")) == "hw-move-3"
    assert p.allows(AXIS, March("OKW", "H10"))
    assert p.allows(AXIS, March("OKW", "S10"))


@pytest.mark.rule("hw-move-4")
def test_other_armies_on_the_way_do_not_matter():
    p = Position()
    p.army("OKW", "M19", infantry=3)
    p.hold(AXIS, "M19", "M18")
    p.army("Army Group South", "M18", infantry=10)
    axis_moves(p)
    assert p.allows(AXIS, March("OKW", "M18"))
    for side in ("M17", "N18"):
        p.hold(AXIS, side)
    p.hold(AXIS, "M16", "M15", "N14")
    assert p.match.why_not(AXIS, March("OKW", "P10")) is None


@pytest.mark.rule("hw-move-5")
def test_points_change_armies_but_not_their_type():
    p = Position()
    p.army("OKW", "P10", infantry=3, mechanized=1)
    p.army("Army Group West", "N9", infantry=1)
    axis_moves(p)
    p.do(AXIS, Transfer("OKW", (("infantry", 2), ("mechanized", 1)), "Army Group West"))
    assert p.strength("OKW") == {"infantry": 1}
    assert p.strength("Army Group West") == {"infantry": 3, "mechanized": 1}
    assert not p.allows(AXIS, Transfer("OKW", (("mechanized", 1),), "Army Group West"))
    assert not p.allows(AXIS, Transfer("OKW", (("infantry", 2),), "Army Group West"))
    assert p.rule(AXIS, Transfer("OKW", (("infantry", 1),), "OKW")) == "hw-move-5"
    assert p.rule(AXIS, Transfer("OKW", (("infantry", 1),), "Moscow")) == "hw-move-5"


@pytest.mark.rule("hw-move-6")
def test_armies_are_created_and_disappear():
    p = Position()
    p.army("OKW", "P10", infantry=3)
    axis_moves(p)
    p.do(AXIS, Detach("OKW", (("infantry", 3),), "N7", "Army Group B"))
    assert p.where("OKW") is None
    assert (p.where("Army Group B"), p.strength("Army Group B")) == ("N7", {"infantry": 3})
    assert p.rule(AXIS, Detach("Army Group B", (("infantry", 1),), "N7", "Moscow")) == "hw-move-6"


@pytest.mark.rule("hw-move-7")
def test_every_point_is_always_in_an_army_and_every_army_has_points():
    p = Position()
    p.army("OKW", "P10", infantry=2)
    p.army("Army Group West", "P10", infantry=1)
    axis_moves(p)
    p.do(AXIS, Transfer("OKW", (("infantry", 2),), "Army Group West"), Done())
    assert p.strength("Army Group West") == {"infantry": 3}
    assert p.where("OKW") is None
    assert p.match.faults() == []


@pytest.mark.rule("hw-move-8")
def test_points_that_moved_may_attack():
    p = Position()
    p.army("OKW", "N7", mechanized=3)
    p.begin(AXIS, Movement(), Announce()).do(AXIS, March("OKW", "O14"), Done())
    assert p.allows(AXIS, Attack("OKW", "P14"))


@pytest.mark.rule("hw-move-9")
def test_colours_of_army_counters_do_not_matter():
    p = Position()
    p.army("Italian Army", "L9", infantry=2)
    p.army("Rumanian Army", "L14", infantry=2)
    axis_moves(p)
    p.do(AXIS, Transfer("Italian Army", (("infantry", 2),), "Rumanian Army"), March("Rumanian Army", "P10"))
    assert p.strength("Rumanian Army") == {"infantry": 4}


@pytest.mark.rule("hw-stack-1", "hw-stack-4")
def test_points_above_ten_are_removed_by_choice_when_movement_ends():
    p = Position()
    p.army("OKW", "P10", infantry=6, mechanized=5)
    axis_moves(p).do(AXIS, Done())
    assert p.at_step == "Overstacked"
    p.do(AXIS, Lose("OKW", "infantry"))
    assert p.parked
    assert p.strength("OKW") == {"infantry": 5, "mechanized": 5}


@pytest.mark.rule("hw-stack-1")
def test_army_counters_do_not_count_and_ten_points_are_allowed():
    p = Position()
    p.army("OKW", "P10", infantry=5)
    p.army("Army Group B", "P10", mechanized=5)
    axis_moves(p).do(AXIS, Done())
    assert p.parked


@pytest.mark.rule("hw-stack-2")
def test_no_single_army_keeps_more_than_ten_points_in_a_hex():
    p = Position()
    p.army("OKW", "P10", mechanized=12)
    axis_moves(p).do(AXIS, Done(), Lose("OKW", "mechanized"), Lose("OKW", "mechanized"))
    assert p.strength("OKW") == {"mechanized": 10}
    assert p.parked


@pytest.mark.rule("hw-stack-3", "hw-offmap-1")
def test_siberia_holds_any_number():
    p = Position().turn("Summer 1942")
    p.army("Siberia", "siberia", infantry=30)
    p.begin(SOVIET, Movement()).do(SOVIET, Done())
    assert p.parked


@pytest.mark.rule("hw-stack-6", "hw-build-5")
def test_new_points_need_room():
    p = Position()
    p.army("OKW", "P10", infantry=9)
    p.state.budget = 20
    p.begin(AXIS, Production())
    p.state.budget = 20
    assert p.allows(AXIS, Build("infantry", "P10", "OKW", 1))
    p.do(AXIS, Build("infantry", "P10", "OKW", 1))
    assert p.rule(AXIS, Build("infantry", "P10", "OKW", 1)) == "hw-build-5"


@pytest.mark.rule("hw-bar-special-3")
def test_siberian_points_stay_in_the_first_turn_and_go_in_the_second():
    p = Position().turn("Summer 1941")
    p.army("Siberia", "siberia", infantry=2, mechanized=3)
    p.begin(SOVIET, Movement())
    assert p.rule(SOVIET, March("Siberia", "Q17")) == "hw-bar-special-3"
    p.turn("Winter 1941").begin(SOVIET, Movement())
    assert p.allows(SOVIET, March("Siberia", "Q17"))


@pytest.mark.rule("hw-unsupplied-3")
def test_an_army_without_supply_neither_moves_nor_attacks():
    p = Position()
    p.hold(AXIS, "Q17")
    p.devastate("Q17", 3)
    p.army("Army Group Center", "Q17", mechanized=5)
    p.begin(AXIS, MovementPhase(), Announce())
    assert p.rule(AXIS, March("Army Group Center", "P10")) == "hw-unsupplied-3"
    p.do(AXIS, Done())
    assert p.rule(AXIS, Attack("Army Group Center", "Q16")) == "hw-unsupplied-3"


@pytest.mark.parametrize("number", [1.0, True])
@pytest.mark.rule("hw-move-5", "hw-move-6")
def test_points_are_whole_numbers(number):
    pos = Position()
    pos.army("Army Group North", "Q13", infantry=3)
    pos.army("Fourth Army", "P13", infantry=1)
    pos.begin(AXIS, Movement())
    for action in (
        Transfer("Army Group North", (("infantry", number),), "Fourth Army"),
        Detach("Army Group North", (("infantry", number),), "Q13", "OKW"),
    ):
        assert pos.refused(action).reason == "sandtable-malformed"
