"""Advances, retreats, mountains, off-map boxes."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import Advance, Assault, Attack, Done, Retreat
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.attacks import targets
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import capacity
from sandtable.games.hitlers_war.rules.firepower import note_winter, winter_modifier
from sandtable.games.hitlers_war.rules.retreat import retreats, why_no_retreat
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position, at

CENTER, NORTH = "Army Group Center", "Army Group North"


def attack(p: Position, *armies: tuple[str, str]) -> Position:
    p.begin(AXIS, CombatPhase())
    for army, target in armies:
        p.do(AXIS, Attack(army, target))
    p.do(AXIS, Done())
    while p.at_step in ("DefensiveAssaults", "Assaults"):
        p.do(p.asked, Done())
    return p


@pytest.mark.rule("hw-advance-1")
def test_armies_advance_alone():
    p = Position()
    a, b = p.army(CENTER, "O14", mechanized=4), p.army(NORTH, "O14", mechanized=5)
    p.army("Western", "P14", infantry=3)
    assert [chance(p.state, x, at("P14")).strength for x in (a, b)] == [4, 5]
    assert [chance(p.state, x, at("P14")).needed for x in (a, b)] == [1, 2]


@pytest.mark.rule("hw-advance-2", "hw-advance-3")
def test_only_mechanized_points_count_against_everything_in_the_hex():
    p = Position()
    army = p.army(CENTER, "O14", infantry=6, mechanized=5)
    p.army("Western", "P14", infantry=2, mechanized=1)
    p.army("Kiev", "P14", infantry=1)
    what = chance(p.state, army, at("P14"))
    assert (what.strength, what.against, what.needed) == (5, 4, 1)
    attack(p, (CENTER, "P14")).dice(1).do(AXIS, Advance(CENTER, 0))
    assert p.where(CENTER) == "P14"
    p = Position()
    p.army(CENTER, "O14", infantry=6, mechanized=5)
    p.army("Western", "P14", infantry=4)
    attack(p, (CENTER, "P14")).dice(2).do(AXIS, Advance(CENTER, 0))
    assert p.where(CENTER) == "O14"


@pytest.mark.rule("hw-advance-4", "hw-retreat-1")
def test_displaced_armies_retreat_where_their_owner_likes():
    p = Position()
    p.army(CENTER, "O14", mechanized=10)
    p.army("Western", "P14", infantry=2)
    p.army("Kiev", "Q15", infantry=10)
    attack(p, (CENTER, "P14")).dice(1).do(AXIS, Advance(CENTER, 0))
    assert p.asked == SOVIET
    assert {choice.to for choice in p.offered(Retreat, SOVIET)} == {"Q14", "Q15", "P15", "O15"}
    assert p.rule(SOVIET, Retreat("Western", "O14")) == "hw-retreat-1"
    assert p.rule(SOVIET, Retreat("Western", "Q16")) == "hw-retreat-1"
    p.do(SOVIET, Retreat("Western", "Q15"))
    assert p.where("Western") == "Q15"


@pytest.mark.rule("hw-retreat-1")
def test_no_retreat_over_crossings_or_sea():
    p = Position()
    p.hold(AXIS, "H11", "I11", "I12", "H10")
    p.hold(SOVIET, "J10")
    army = p.army(CENTER, "H10", infantry=1)
    assert retreats(p.state, army, at("H10")) == []
    assert {p.state.owner[x] for x in (at("H11"),)} == {0}


@pytest.mark.rule("hw-retreat-2")
def test_an_army_with_nowhere_to_go_is_eliminated():
    p = Position()
    p.hold(AXIS, "Q14", "Q15", "P15", "O15")
    p.army(CENTER, "O14", mechanized=10)
    p.army("Western", "P14", infantry=2)
    attack(p, (CENTER, "P14")).dice(1).do(AXIS, Advance(CENTER, 0))
    assert p.where("Western") is None
    assert p.strength("Western") == {}


@pytest.mark.rule("hw-advance-8")
def test_infantry_alone_advances_only_into_bare_or_friendly_hexes():
    p = Position()
    army = p.army(CENTER, "O14", infantry=5)
    attack(p, (CENTER, "P14"))
    assert p.rule(AXIS, Advance(CENTER, 0)) == "hw-advance-8"
    p.state.bare = having(p.state.bare, at("P14"), 1)
    assert chance(p.state, army, at("P14")).needed == 2
    assert chance(p.state, army, at("O13")).needed == 3
    p.begin(AXIS, CombatPhase())


@pytest.mark.rule("hw-advance-9")
def test_nothing_advances_against_ten_points_or_more():
    p = Position()
    p.army(CENTER, "O14", mechanized=10)
    p.army("Western", "P14", infantry=10)
    p.army("Kiev", "P14", infantry=4)
    attack(p, (CENTER, "P14"))
    assert p.rule(AXIS, Advance(CENTER, 0)) == "hw-advance-9"


@pytest.mark.rule("hw-advance-10")
def test_each_hex_already_advanced_adds_one():
    p = Position()
    army = p.army(CENTER, "O14", mechanized=8)
    p.army("Western", "P14", infantry=3)
    for hexes, ways in ((0, 5), (1, 4), (2, 3)):
        p.state.advanced = put(p.state.advanced, army, hexes)
        what = chance(p.state, army, at("P14"))
        assert sum(what.succeeds(die) for die in range(1, 7)) == ways


@pytest.mark.rule("hw-mountain-3", "hw-terrain-mountain")
def test_mountains_add_two():
    p = Position()
    p.hold(SOVIET, "N13")
    army = p.army(CENTER, "N12", mechanized=8)
    assert [(part.name, part.value) for part in chance(p.state, army, at("N13")).modifiers] == [("mountain", 2)]
    p.state.advanced = put(p.state.advanced, army, 1)
    assert chance(p.state, army, at("N13")).added == 3


@pytest.mark.rule("hw-friendly-2")
def test_advancing_into_a_friendly_hex_harms_nothing():
    p = Position()
    p.army(CENTER, "P11", mechanized=5)
    p.army(NORTH, "P10", infantry=3)
    p.begin(AXIS, CombatPhase()).dice(1)
    p.do(AXIS, Attack(CENTER, "P10"), Done())
    assert p.at_step == "Advances"
    assert p.refused(AXIS, Assault("P11", "P10", (CENTER,), 0)).reason == "sandtable-not-now"
    p.do(AXIS, Advance(CENTER, 0))
    assert p.where(NORTH) == "P10"
    assert p.devastation("P10") == 0


@pytest.mark.rule("hw-friendly-2")
def test_no_assault_on_friends_beside_a_real_one():
    p = Position()
    p.army(CENTER, "O14", mechanized=5)
    p.army(NORTH, "P11", mechanized=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P10"), Done())
    assert p.rule(AXIS, Assault("P11", "P10", (NORTH,), 0)) == "hw-friendly-2"


@pytest.mark.rule("hw-offmap-1")
def test_siberia_attacks_and_is_attacked_along_its_whole_border():
    p = Position().turn("Summer 1942")
    p.hold(AXIS, "P22")
    army = p.army(CENTER, "P22", mechanized=10)
    assert at("siberia") in targets(p.state, army)
    east = p.army("Siberia", "siberia", mechanized=10)
    assert at("P22") in targets(p.state, east)


@pytest.mark.rule("hw-offmap-2")
def test_one_advance_takes_the_whole_box_and_devastates_it():
    p = Position().turn("Summer 1942")
    p.hold(AXIS, "P22", "P21")
    p.army(CENTER, "P22", mechanized=10)
    attack(p, (CENTER, "siberia")).dice(1).do(AXIS, Advance(CENTER, 0))
    assert p.owner("siberia") == "axis"
    assert p.devastation("siberia") == capacity(p.state, at("siberia")) == 8


@pytest.mark.rule("hw-offmap-3")
def test_armies_retreat_from_siberia_but_from_no_other_box():
    p = Position("fall-of-germany")
    east = p.army("Siberia", "siberia", infantry=1)
    assert retreats(p.state, east, at("siberia"))
    west = p.army("U.S. Army", "canada", infantry=1)
    refusal = why_no_retreat(p.state, west, at("canada"), at("us"), -1)
    assert refusal is not None
    assert retreats(p.state, west, at("canada")) == []


@pytest.mark.rule("hw-winter-2")
def test_the_first_winter_is_the_one_that_finds_axis_armies_in_russia():
    p = Position().turn("Winter 1942")
    p.hold(AXIS, "P14")
    p.army(CENTER, "P14", infantry=1)
    note_winter(p.state)
    assert winter_modifier(p.state, at("P14")) == 4
    p.turn("Winter 1943")
    assert winter_modifier(p.state, at("P14")) == 2
