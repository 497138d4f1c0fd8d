"""Making attacks, initial attacks, exploitation, assaults."""

import pytest

from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    Build,
    DefensiveAssault,
    Done,
    Exploit,
    Lose,
    March,
    Transfer,
)
from sandtable.games.hitlers_war.model.atlas import ADVANCE, ATLAS, losses_for
from sandtable.games.hitlers_war.model.events import Fired
from sandtable.games.hitlers_war.model.state import INVASION, LAND
from sandtable.games.hitlers_war.rules.advance import advance_strength, chance
from sandtable.games.hitlers_war.rules.assault import air_fire, ground_fire
from sandtable.games.hitlers_war.rules.assault_phase import DefensiveAssaults
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import defence
from sandtable.games.hitlers_war.rules.exploitation_phase import Exploitation
from sandtable.games.hitlers_war.rules.firepower import groups, note_winter
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position, at, no

CENTER, NORTH, SOUTH = "Army Group Center", "Army Group North", "Army Group South"


def battle(**axis: int) -> Position:
    """Army Group Center in O14 against P14."""
    p = Position()
    p.army(CENTER, "O14", **axis)
    return p


def combat(p: Position) -> Position:
    return p.begin(AXIS, CombatPhase())


@pytest.mark.rule("hw-attack-1")
def test_attacks_belong_to_the_own_combat_phase():
    p = battle(mechanized=5)
    p.begin(AXIS, Movement())
    assert p.refused(AXIS, Attack(CENTER, "P14")).reason == "sandtable-not-now"
    combat(p)
    assert p.allows(AXIS, Attack(CENTER, "P14"))
    assert p.refused(SOVIET, Attack("Western", "O14")).reason == "sandtable-not-asked"


@pytest.mark.rule("hw-attack-2")
def test_nobody_has_to_attack():
    p = combat(battle(mechanized=5)).do(AXIS, Done())
    assert p.parked


@pytest.mark.rule("hw-attack-3")
def test_one_assault_a_turn_and_many_advances():
    p = battle(mechanized=10)
    combat(p).dice(1, 1, 1, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Assault("O14", "P14", (CENTER,), 0))
    assert p.at_step == "Advances"
    p.do(AXIS, Advance(CENTER, 0), Exploit(CENTER, "P15"))
    assert p.where(CENTER) == "P15"
    p.do(AXIS, Exploit(CENTER, "P16"))
    assert p.where(CENTER) == "P16"
    assert len(p.happened(Fired)) == 1


@pytest.mark.rule("hw-attack-3")
def test_the_assault_may_come_late_in_the_advance():
    p = battle(mechanized=10)
    combat(p).dice(1, 3, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Done(), Advance(CENTER, 0), Exploit(CENTER, "P15"))
    assert p.at_step == "Assaults"
    p.do(AXIS, Assault("P14", "P15", (CENTER,), 0))
    assert p.where(CENTER) == "P15"


@pytest.mark.rule("hw-attack-4", "hw-advance-2", "hw-exploit-6")
def test_one_failure_ends_an_armys_attacks():
    p = battle(mechanized=3)
    combat(p).dice(6)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Done(), Advance(CENTER, 0))
    assert p.where(CENTER) == "O14"
    assert p.parked


@pytest.mark.rule("hw-exploit-6", "hw-attack-4")
def test_an_army_that_failed_in_exploitation_is_finished_assault_and_all():
    p = battle(mechanized=6)
    p.army(NORTH, "Q13", mechanized=10)
    combat(p).dice(1, 1, 6)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "Q14"), Done(), Done(), Advance(CENTER, 0), Advance(NORTH, 0))
    p.do(AXIS, Exploit(CENTER, "P15"), Done())
    assert p.where(CENTER) == "P14"
    assert p.rule(AXIS, Exploit(CENTER, "P15")) == "hw-attack-4"


@pytest.mark.rule("hw-attack-5")
def test_barbarossa_has_only_infantry_and_mechanized_points():
    p = Position(armies=True)
    kinds = {i % 5 for i, n in enumerate(p.state.strength) if n}
    assert kinds == {0, 1}
    p.begin(AXIS, Production())
    p.state.budget = 30

    assert p.rule(AXIS, Build("tac_air", "P10", "OKW", 1)) == "hw-build-1"


@pytest.mark.rule("hw-attack-6")
def test_targets_are_adjacent_and_one_at_a_time():
    p = combat(battle(mechanized=5))
    assert p.rule(AXIS, Attack(CENTER, "P15")) == "hw-attack-6"
    p.do(AXIS, Attack(CENTER, "P14"))
    assert p.rule(AXIS, Attack(CENTER, "O15")) == "hw-attack-6"


@pytest.mark.rule("hw-attack-7")
def test_an_empty_hex_has_to_be_attacked_to_be_captured():
    p = battle(mechanized=5)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, March(CENTER, "P14")) == "hw-move-2"
    combat(p)
    assert p.allows(AXIS, Attack(CENTER, "P14"))


@pytest.mark.rule("hw-attack-8", "hw-exploit-1")
def test_exploitation_waits_for_all_initial_attacks_and_for_advances():
    p = battle(mechanized=10)
    p.army(NORTH, "Q13", mechanized=10)
    p.army(SOUTH, "N13", infantry=4)
    combat(p).dice(1)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "Q14"), Attack(SOUTH, "N14"), Done(), Done(), Advance(CENTER, 0))
    assert p.refused(AXIS, Exploit(CENTER, "P15")).reason == "sandtable-not-now"
    p.do(AXIS, Done())
    assert p.allows(AXIS, Exploit(CENTER, "P15"))
    assert p.rule(AXIS, Exploit(NORTH, "Q14")) == "hw-exploit-1"
    assert not p.allows(AXIS, Exploit(SOUTH, "N14"))


@pytest.mark.rule("hw-initial-1")
def test_armies_not_named_do_not_attack_later():
    p = battle(mechanized=10)
    p.army(NORTH, "Q13", mechanized=10)
    combat(p).dice(1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Done())
    assert p.rule(AXIS, Advance(NORTH, 0)) == "hw-initial-1"
    p.do(AXIS, Advance(CENTER, 0))
    assert p.rule(AXIS, Exploit(NORTH, "Q14")) == "hw-initial-1"


@pytest.mark.rule("hw-initial-2")
def test_several_armies_may_attack_one_hex():
    p = battle(mechanized=5)
    p.army(NORTH, "P13", mechanized=5)
    combat(p).do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P14"), Done())
    assert p.offered(Assault, AXIS) == [
        Assault("P13", "P14", (NORTH,), 0),
        Assault("O14", "P14", (CENTER,), 0),
    ]


@pytest.mark.rule("hw-initial-3", "hw-friendly-1")
def test_a_friendly_hex_is_a_legal_target_with_a_column_of_its_own():
    p = battle(infantry=3)
    combat(p).dice(3)
    p.do(AXIS, Attack(CENTER, "O13"), Done())
    assert p.at_step == "Advances"
    assert chance(p.state, no(CENTER), at("O13")).needed == 3
    p.do(AXIS, Advance(CENTER, 0))
    assert p.where(CENTER) == "O13"


@pytest.mark.rule("hw-initial-4")
def test_each_defending_army_may_fire_once_now_or_later():
    p = battle(mechanized=10)
    p.army("Western", "P14", infantry=4)
    p.army("Kiev", "P14", infantry=3)
    combat(p).dice(6, 6)
    p.do(AXIS, Attack(CENTER, "P14"), Done())
    assert p.asked == SOVIET
    p.do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    assert p.offered(DefensiveAssault, SOVIET) == [DefensiveAssault("P14", ("Kiev",), 0)]
    p.do(SOVIET, Done())
    assert (p.state.defended[no("Western")], p.state.defended[no("Kiev")]) == (1, 0)


@pytest.mark.rule("hw-initial-5", "hw-initial-7")
def test_defence_then_assaults_then_advances_in_the_attackers_order():
    p = battle(mechanized=5)
    p.army(NORTH, "Q13", mechanized=5)
    p.army("Western", "P14", infantry=2)
    combat(p).dice(6, 6, 6, 6)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "Q14"), Done())
    assert p.at_step == "DefensiveAssaults"
    p.do(SOVIET, Done())
    assert p.at_step == "Assaults"
    p.do(AXIS, Assault("Q13", "Q14", (NORTH,), 0), Assault("O14", "P14", (CENTER,), 0))
    assert p.at_step == "Advances"
    p.do(AXIS, Advance(CENTER, 0), Advance(NORTH, 0))
    assert p.parked


@pytest.mark.rule("hw-initial-6")
def test_an_army_that_assaulted_may_advance_into_the_same_hex():
    p = battle(mechanized=10)
    combat(p).dice(6, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Assault("O14", "P14", (CENTER,), 0))
    p.do(AXIS, Advance(CENTER, 0))
    assert p.where(CENTER) == "P14"


@pytest.mark.rule("hw-exploit-2")
def test_one_cannot_come_back_to_an_earlier_army():
    p = battle(mechanized=10)
    p.army(NORTH, "Q13", mechanized=10)
    combat(p).dice(1, 1, 1, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "Q14"), Done(), Done(), Advance(CENTER, 0), Advance(NORTH, 0))
    p.do(AXIS, Exploit(CENTER, "P15"), Done(), Exploit(NORTH, "Q15"), Done())
    assert p.where(NORTH) == "Q15"
    assert not p.allows(AXIS, Exploit(CENTER, "P16"))


@pytest.mark.rule("hw-exploit-3", "hw-exploit-5")
def test_the_defender_cuts_in_before_assault_and_advance():
    p = battle(mechanized=10)
    p.army("Moscow", "P15", infantry=3)
    combat(p).dice(1, 6, 6, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Done(), Advance(CENTER, 0), Exploit(CENTER, "P15"))
    assert (p.asked, p.at_step) == (SOVIET, "DefensiveAssaults")
    p.do(SOVIET, DefensiveAssault("P15", ("Moscow",), 0))
    assert (p.asked, p.at_step) == (AXIS, "Assaults")
    p.do(AXIS, Assault("P14", "P15", (CENTER,), 0))
    assert p.where(CENTER) == "P15" or p.at_step in ("Losses", "Retreats")


@pytest.mark.rule("hw-exploit-4")
def test_every_exploitation_attack_ends_in_an_attempt_to_advance():
    p = battle(mechanized=10)
    combat(p).dice(1, 6, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Done(), Advance(CENTER, 0), Exploit(CENTER, "P15"), Done())
    assert p.where(CENTER) == "P15"


@pytest.mark.rule("hw-assault-1", "hw-assault-3")
def test_assaults_of_both_kinds_use_the_same_table():
    p = battle(infantry=4, mechanized=2)
    p.army("Western", "P14", infantry=5, mechanized=1)
    combat(p).dice(4, 4)
    p.do(AXIS, Attack(CENTER, "P14"), Done()).do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    p.do(AXIS, Lose(CENTER, "infantry"), Assault("O14", "P14", (CENTER,), 0))
    first, second = p.happened(Fired)
    assert (first.strength, first.losses) == (6, 1)
    assert (second.strength, second.losses) == (5, 1)


@pytest.mark.rule("hw-assault-2")
def test_armies_of_one_hex_fire_together():
    p = battle(infantry=3)
    p.army(NORTH, "O14", infantry=4)
    p.army("Western", "P14", infantry=5)
    combat(p).dice(3)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P14"), Done()).do(SOVIET, Done())
    p.do(AXIS, Assault("O14", "P14", (NORTH, CENTER), 0))
    assert [e.strength for e in p.happened(Fired)] == [7]


@pytest.mark.rule("hw-assault-4")
def test_firing_strength_stops_at_ten():
    p = battle(infantry=9)
    p.army(NORTH, "O14", infantry=9)
    p.army("Western", "P14", infantry=5)
    combat(p).dice(6)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P14"), Done()).do(SOVIET, Done())
    p.do(AXIS, Assault("O14", "P14", (NORTH, CENTER), 0))
    assert [e.strength for e in p.happened(Fired)] == [10]


@pytest.mark.rule("hw-assault-5")
def test_an_army_fires_with_everything_once():
    p = battle(infantry=4, mechanized=3)
    p.army("Western", "P14", infantry=5)
    combat(p).dice(6)
    p.do(AXIS, Attack(CENTER, "P14"), Done()).do(SOVIET, Done()).do(AXIS, Assault("O14", "P14", (CENTER,), 0))
    assert [e.strength for e in p.happened(Fired)] == [7]
    assert p.state.assaulted[no(CENTER)] == 1


@pytest.mark.rule("hw-assault-6", "hw-assault-7")
def test_defensive_losses_fall_on_any_attacker_of_that_hex_by_its_owners_choice():
    p = battle(infantry=2, mechanized=2)
    p.army(NORTH, "P13", mechanized=2)
    p.army(SOUTH, "N13", infantry=2)
    p.army("Western", "P14", infantry=6)
    combat(p).dice(4)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P14"), Attack(SOUTH, "N14"), Done())
    p.do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    assert set(p.offered(Lose, AXIS)) == {
        Lose(CENTER, "infantry"),
        Lose(CENTER, "mechanized"),
        Lose(NORTH, "mechanized"),
    }
    p.do(AXIS, Lose(NORTH, "mechanized"))
    assert p.strength(NORTH) == {"mechanized": 1}


@pytest.mark.rule("hw-assault-6")
def test_assault_losses_come_from_the_target_hex_only():
    p = battle(infantry=8)
    p.army("Western", "P14", infantry=2, mechanized=2)
    p.army("Kiev", "P15", infantry=2)
    combat(p).dice(5)
    p.do(AXIS, Attack(CENTER, "P14"), Done()).do(SOVIET, Done()).do(AXIS, Assault("O14", "P14", (CENTER,), 0))
    assert {choice.unit for choice in p.offered(Lose, SOVIET)} == {"Western"}


@pytest.mark.rule("hw-assault-8")
def test_an_army_without_strength_leaves_the_map_at_once():
    p = battle(infantry=8)
    p.army("Western", "P14", infantry=1)
    combat(p).dice(1)
    p.do(AXIS, Attack(CENTER, "P14"), Done()).do(SOVIET, Done()).do(AXIS, Assault("O14", "P14", (CENTER,), 0))
    assert p.where("Western") is None


@pytest.mark.rule("hw-assault-9", "hw-assault-11")
def test_an_assault_removes_a_garrison_and_no_more():
    p = battle(infantry=8)
    combat(p).dice(1)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Assault("O14", "P14", (CENTER,), 0))
    assert defence(p.state, at("P14")) == 0
    assert p.at_step == "Advances"


@pytest.mark.rule("hw-advance-11")
def test_points_do_not_change_armies_in_combat():
    p = battle(infantry=3)
    p.army(NORTH, "O14", infantry=2)
    combat(p)
    assert p.refused(AXIS, Transfer(CENTER, (("infantry", 1),), NORTH)).reason == "sandtable-not-now"


@pytest.mark.rule("hw-mountain-1", "hw-terrain-mountain")
def test_mechanized_points_do_not_assault_mountains():
    p = Position()
    p.hold(SOVIET, "N13")
    p.army(CENTER, "N12", infantry=3, mechanized=5)
    p.army("Kiev", "N13", infantry=4)
    combat(p).dice(6)
    p.do(AXIS, Attack(CENTER, "N13"), Done()).do(SOVIET, Done()).do(AXIS, Assault("N12", "N13", (CENTER,), 0))
    assert [e.strength for e in p.happened(Fired)] == [3]


@pytest.mark.rule("hw-mountain-2")
def test_mechanized_points_in_mountains_fire_in_defence():
    p = Position()
    p.hold(SOVIET, "N13")
    p.army(CENTER, "N12", infantry=3, mechanized=5)
    p.army("Kiev", "N13", infantry=2, mechanized=3)
    combat(p).dice(6)
    p.do(AXIS, Attack(CENTER, "N13"), Done()).do(SOVIET, DefensiveAssault("N13", ("Kiev",), 0))
    assert [e.strength for e in p.happened(Fired)] == [5]


@pytest.mark.rule("hw-crossing-1")
def test_barbarossa_attacks_over_crossings_but_not_over_the_sea():
    p = Position()
    p.hold(SOVIET, "H10", "K9")
    p.army(CENTER, "H11", mechanized=3)
    p.army(NORTH, "L9", mechanized=3)
    combat(p)
    assert p.allows(AXIS, Attack(CENTER, "H10"))
    assert p.rule(AXIS, Attack(NORTH, "K9")) == "hw-terrain-sea"


@pytest.mark.rule("hw-bar-special-1")
def test_hexes_of_nobody_stay_closed_in_barbarossa():
    p = Position()
    p.army(CENTER, "L7", mechanized=3)
    combat(p)
    assert p.rule(AXIS, Attack(CENTER, "K7")) == "hw-bar-special-1"


@pytest.mark.rule("hw-winter-1", "hw-winter-2")
@pytest.mark.parametrize(
    ("turn", "added"), [("Winter 1941", 4), ("Winter 1942", 2), ("Winter 1943", 1), ("Summer 1942", 0)]
)
def test_the_russian_winter_slows_axis_dice(turn: str, added: int):
    p = battle(infantry=3)
    p.hold(AXIS, "P14")
    p.state.first_winter = 7
    army = p.army(CENTER, "P14", mechanized=5)
    p.turn(turn)
    assert chance(p.state, army, at("P15")).added == added
    west = p.army(NORTH, "O14", mechanized=5)
    assert chance(p.state, west, at("P14")).added == 0


@pytest.mark.rule("hw-winter-1")
def test_winter_counts_in_defence_too_and_not_for_soviets():
    p = Position().turn("Winter 1941")
    p.hold(AXIS, "P14")
    p.army(CENTER, "P14", infantry=10)
    p.army("Western", "P15", infantry=10)
    p.begin(SOVIET, CombatPhase()).dice(1, 1)
    p.do(SOVIET, Attack("Western", "P14"), Done()).do(AXIS, DefensiveAssault("P14", (CENTER,), 0))
    p.do(SOVIET, Assault("P15", "P14", ("Western",), 0))
    fired = p.happened(Fired)
    assert [(e.die, e.modified) for e in fired] == [(1, 5), (1, 1)]


@pytest.mark.rule("hw-stack-5", "hw-advance-12")
def test_an_overstacked_hex_must_be_relieved_while_it_can_be():
    p = Position()
    p.army(CENTER, "O14", mechanized=8)
    p.army(NORTH, "P13", mechanized=8)
    combat(p).dice(1, 1, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P14"), Done(), Done(), Advance(CENTER, 0), Advance(NORTH, 0))
    assert p.rule(AXIS, Done()) == "hw-advance-12"
    p.do(AXIS, Exploit(CENTER, "P15"), Done())
    assert p.allows(AXIS, Done())


@pytest.mark.rule("hw-stack-5", "hw-advance-12")
def test_overstacking_that_cannot_be_helped_stands_without_loss():
    p = Position()
    p.army(CENTER, "O14", mechanized=8)
    p.army(NORTH, "P13", mechanized=8)
    combat(p).dice(1, 1)
    p.do(AXIS, Attack(CENTER, "P14"), Attack(NORTH, "P14"), Done(), Done(), Advance(CENTER, 0), Advance(NORTH, 0))
    p.state.advanced = put(put(p.state.advanced, no(CENTER), 9), no(NORTH), 9)
    p.begin(AXIS, Exploitation()).do(AXIS, Done())
    assert (p.strength(CENTER), p.strength(NORTH)) == ({"mechanized": 8}, {"mechanized": 8})


@pytest.mark.rule("hw-capability-table")
def test_each_kind_does_only_what_the_chart_lets_it():
    p = Position("campaign-2")
    army = p.army("OKW", "P10", infantry=1, mechanized=2, tac_air=4, paratroop=3)
    wet = p.army("Army Group A", "P9", infantry=2, mechanized=1, amphibious=4)
    p.fort("P10", 2)
    assert ground_fire(p.state, army, at("P11")) == 6
    assert air_fire(p.state, army, at("P11")) == 4
    assert advance_strength(p.state, army, 0, LAND) == 2
    assert advance_strength(p.state, army, 3, LAND) == 8
    assert defence(p.state, at("P10")) == 1 + 2 + 3 + 2
    assert ground_fire(p.state, wet, at("P11")) == 3
    assert defence(p.state, at("P9")) == 7
    p.state.mode = put(p.state.mode, wet, INVASION)
    assert ground_fire(p.state, wet, at("P8")) == 4
    assert advance_strength(p.state, wet, 0, INVASION) == 7


@pytest.mark.rule("hw-firepower-table", "hw-firepower-note-die")
def test_the_firepower_table():
    rows = ["1112223344", "0111222334", "0011122233", "0001112233", "0000111222", "0000011122", "0000001111"]
    assert [[losses_for(n, die) for n in range(1, 11)] for die in range(1, 8)] == [list(map(int, row)) for row in rows]
    assert losses_for(8, 0) == losses_for(8, 1) == 3
    assert losses_for(8, 11) == losses_for(8, 7) == 1


@pytest.mark.rule("hw-firepower-note-loss")
def test_the_table_tells_points_lost_and_the_owner_picks_them():
    p = battle(infantry=6)
    p.army("Western", "P14", infantry=2, mechanized=2)
    combat(p).dice(1)
    p.do(AXIS, Attack(CENTER, "P14"), Done()).do(SOVIET, Done()).do(AXIS, Assault("O14", "P14", (CENTER,), 0))
    p.do(SOVIET, Lose("Western", "infantry"), Lose("Western", "mechanized"))
    assert p.strength("Western") == {"infantry": 1, "mechanized": 1}
    assert p.at_step == "Advances"


@pytest.mark.rule("hw-firepower-note-excess", "hw-firepower-split", "hw-firepower-split-example")
def test_more_than_ten_points_fire_in_groups_at_sea_and_in_the_air():
    assert groups(25, capped=False) == [10, 10, 5]
    assert groups(25, capped=True) == [10]


@pytest.mark.rule("hw-advance-table", "hw-advance-9")
def test_the_advance_table():
    rows = {
        0: [3, 2], 1: [4, 3, 1], 2: [5, 4, 2, 1], 3: [6, 5, 3, 2], 4: [7, 6, 4, 3, 1], 5: [8, 7, 5, 4, 2, 1],
        6: [9, 8, 6, 5, 3, 2, 1], 7: [9, 8, 7, 6, 4, 3, 2, 1], 8: [9, 8, 8, 7, 5, 4, 3, 2, 1],
        9: [9, 8, 8, 8, 6, 5, 4, 3, 2, 1], 10: [9, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1],
    }  # fmt: skip
    for mech, row in rows.items():
        padded = row + [0] * (12 - len(row))
        assert [ADVANCE[mech][11], *ADVANCE[mech][:11]] == padded


def test_defensive_assaults_need_attackers():
    p = Position().begin(AXIS, DefensiveAssaults(invasion=False))
    assert p.parked


@pytest.mark.rule("hw-winter-2")
def test_the_first_russian_winter_is_noted_once():
    p = Position().turn("Summer 1941").hold(AXIS, "P14")
    p.army(CENTER, "P14", infantry=1)
    note_winter(p.state)
    assert p.state.first_winter == 0
    for season in ("Winter 1941", "Summer 1942", "Winter 1942"):
        note_winter(p.turn(season).state)
        assert p.state.first_winter == ATLAS.turn_number["Winter 1941"]


@pytest.mark.rule("hw-winter-2")
def test_a_winter_without_an_axis_army_in_the_soviet_union_is_none():
    p = Position().turn("Winter 1941")
    p.army(CENTER, "O14", infantry=1)
    note_winter(p.state)
    assert p.state.first_winter == 0


@pytest.mark.rule("hw-attack-3")
def test_aswan_can_be_assaulted_like_any_other_hex():
    p = Position("campaign-1").hold(AXIS, "B16")
    p.army("OKW", "B16", infantry=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("OKW", "A16"), Done())
    assert p.at_step == "Assaults"
    assert p.allows(AXIS, Assault("B16", "A16", ("OKW",), 0))
