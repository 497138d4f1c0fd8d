"""Chapters 1 and 2: scale, map, definitions, occupation and control, counters."""

import pytest

from sandtable.core import Match
from sandtable.core.bits import bits
from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.control import disputed, terror
from sandtable.games.munich_war.facts.politics import side_of
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import DefaultSetup, Move
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, NOBODY
from sandtable.games.munich_war.model.state import lay
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.control import settle_control
from sandtable.games.munich_war.rules.movement_phase import Movement
from tests.games.munich_war.positions import Position, at, attack, country, names, unit


@pytest.mark.rule("mw-1.1")
def test_a_turn_is_a_week_and_units_are_corps_and_armies():
    assert [name.split()[0] for name in ATLAS.turn_names] == ["October"] * 4 + ["November"] * 4
    mobile = [face for face in ATLAS.units if face.start == "map" and face.mobile and face.steps == 2]
    assert {face.size for face in mobile} == {"XXX", "XXXX"}


@pytest.mark.rule("mw-1.0")
def test_two_players_axis_with_germany_allies_with_czechoslovakia():
    assert GAME.roles == ("axis", "allies")
    for plan in ATLAS.plans.values():
        assert country("Germany") in plan.sides[AXIS]
        assert country("Czechoslovakia") in plan.sides[ALLIES]


@pytest.mark.rule("mw-2.1-a")
def test_a_unit_is_in_one_hex_and_moving_takes_it_out_of_the_old_one():
    war = Position().put("GE-01", "2511")
    lay(war.state, unit("GE-01"), at("2512"))
    assert board(war.m.state).stack(at("2511")) == ()
    assert board(war.m.state).stack(at("2512")) == (unit("GE-01"),)


@pytest.mark.rule("mw-2.1-errata-a")
def test_breslau_has_no_fortification_symbol():
    assert not ATLAS.fort_symbols >> at("2814") & 1


@pytest.mark.rule("mw-2.1-errata-b")
def test_gotland_is_sea():
    assert ATLAS.sea_hexes >> at("3005") & 1


@pytest.mark.rule("mw-2.1-note")
def test_konigsberg_is_german_and_the_mannerheim_line_finnish():
    assert ATLAS.country_of[at("3209")] == country("Germany")
    assert names(ATLAS.mannerheim) == {"4001"}
    assert ATLAS.country_of[at("4001")] == country("Finland")


@pytest.mark.rule("mw-2.2-a", "mw-2.2-b", "mw-5.0-b")
def test_who_starts_on_which_side():
    for scenario, number in ATLAS.rules["scenarios"].items():
        plan = ATLAS.plans[number]
        war = Position(scenario)
        assert war.side("Germany") == AXIS
        assert war.side("Czechoslovakia") == ALLIES
        assert 2 <= len(plan.sides[ALLIES]) - 1 <= 5
        for side in (AXIS, ALLIES):
            assert all(war.state.side[number] == side for number in plan.sides[side])
    war = Position().join("Belgium", ALLIES)
    assert war.side("Belgium") == ALLIES


@pytest.mark.rule("mw-2.2-c")
def test_friend_enemy_and_neutral():
    war = Position().put("GE-01", "2511").put("CZ-1", "2515").put("BE-A", "1512")
    assert side_of(war.m.state, unit("GE-01")) == AXIS
    assert side_of(war.m.state, unit("CZ-1")) == ALLIES
    assert side_of(war.m.state, unit("BE-A")) == NOBODY


@pytest.mark.rule("mw-2.2-d")
def test_the_phasing_player_is_the_one_whose_turn_it_is():
    war = Position().put("GE-01", "2511").put("PL-LOD", "3013").phase(Movement(ALLIES))
    assert war.state.phasing == ALLIES
    assert war.asked == "allies"


@pytest.mark.rule("mw-2.3-occupy")
def test_a_land_unit_occupies_an_air_unit_does_not():
    war = Position().put("GE-01", "2511").put("GE-L1", "2512")
    assert board(war.m.state).occupied[AXIS] >> at("2511") & 1
    assert not board(war.m.state).occupied[AXIS] >> at("2512") & 1


@pytest.mark.rule("mw-2.3-a")
def test_an_occupied_hex_without_enemy_zone_is_controlled():
    war = Position().put("GE-01", "3013")
    assert war.controls(AXIS, "3013")
    assert not war.controls(ALLIES, "3013")


@pytest.mark.rule("mw-2.3-b")
def test_home_hexes_are_controlled_until_lost():
    war = Position()
    assert war.controls(ALLIES, "3013")
    war.put("GE-01", "3013")
    lay(war.state, unit("GE-01"), at("2511"))
    assert not war.controls(ALLIES, "3013")


@pytest.mark.rule("mw-2.3-c")
def test_a_hex_stays_controlled_after_the_unit_left_until_an_enemy_comes_near():
    war = Position().put("GE-01", "3013")
    lay(war.state, unit("GE-01"), at("2511"))
    assert war.controls(AXIS, "3013")
    war.put("PL-LOD", "3112")
    assert not war.controls(AXIS, "3013")
    assert not war.controls(ALLIES, "3013")


@pytest.mark.rule("mw-2.3-disputed-a")
def test_an_occupied_hex_in_an_enemy_zone_is_disputed():
    war = Position().put("PL-LOD", "3112").put("GE-01", "3013")
    assert disputed(war.m.state) >> at("3013") & 1
    assert not war.controls(AXIS, "3013")
    assert not war.controls(ALLIES, "3013")
    settle_control(war.m)
    assert not war.controls(AXIS, "3013")


@pytest.mark.rule("mw-2.3-disputed-b")
def test_an_empty_hex_in_zones_of_both_is_disputed():
    war = Position().put("GE-01", "2912").put("PL-LOD", "3112")
    assert disputed(war.m.state) >> at("3013") & 1
    assert not war.controls(ALLIES, "3013")


@pytest.mark.rule("mw-2.5.1-plus")
def test_the_plus_sign_is_on_panzers_and_not_on_infantry():
    assert ATLAS.units[unit("GE-16")].pursuit == (0, 1, 1)
    assert ATLAS.units[unit("GE-14")].pursuit == (0, 0, 0)


@pytest.mark.rule("mw-2.5.1-steps")
def test_two_step_units_have_a_reduced_side_one_step_units_none():
    corps, second = ATLAS.units[unit("GE-01")], ATLAS.units[unit("GE-SP")]
    assert (corps.steps, corps.attack[2], corps.attack[1]) == (2, 4, 2)
    assert (second.steps, second.attack[1]) == (1, 1)


@pytest.mark.rule("mw-2.5.1-opt", "mw-3.4.1-opt")
def test_optional_counters_stay_out_without_the_option():
    for on in (False, True):
        match = Match.new(GAME, "general-war", {"additional-armored-forces": on}, history=False)
        while any(step.rule == "mw-3.4.1-c" for step in [match.step]):
            match.apply(match.decisions()[0], DefaultSetup())
        assert (match.state.where[unit("GE-19")] >= 0) is on
        assert (match.state.where[unit("FR-DEG")] >= 0) is on


@pytest.mark.rule("mw-2.5.2-mech", "mw-2.5.2-nonmech", "mw-2.5.2-static")
def test_unit_types():
    kinds: dict[str, set[str]] = {"mech": set(), "foot": set(), "static": set()}
    for face in ATLAS.units:
        if face.land:
            kinds["mech" if face.mechanized else "static" if face.static else "foot"].add(face.type)
    assert kinds["mech"] == {"armor", "mech_infantry", "armored_cavalry", "motorized_aaa"}
    assert kinds["foot"] == {"infantry", "second_line", "alpine", "cavalry", "security", "marines"}
    assert kinds["static"] == {"aaa", "fortification"}
    assert all(face.move == 0 for face in ATLAS.units if face.static)


@pytest.mark.rule("mw-2.5.4")
def test_support_markers_are_not_land_units():
    support = {face.type for face in ATLAS.units if not face.land}
    assert support == {"airstrike", "airlift", "naval_bombardment", "naval_transport", "special_forces"}
    war = Position().put("GE-L1", "2511")
    assert board(war.m.state).stack(at("2511")) == ()


@pytest.mark.rule("mw-2.8", "mw-16.8.2-permanent")
def test_there_are_always_enough_markers_and_terror_stays():
    cities = ["2515", "2415", "2716", "3212", "3013", "1214", "1319"]
    war = Position().terror(*cities)
    assert terror(war.m.state).bit_count() == len(cities)
    war.put("CZ-1", "2515")
    settle_control(war.m)
    assert terror(war.m.state) >> at("2515") & 1


@pytest.mark.rule("mw-2.4-a", "mw-2.4-b", "mw-5.1-a", "mw-3.4-c")
def test_nobody_enters_or_attacks_a_neutral():
    war = Position().put("IT-1", "2421").put("YU-1", "2521").phase(Movement(AXIS))
    assert war.refused(Move("IT-1", "2522")).rule == "mw-3.4-c"
    war = Position().put("IT-1", "2421").put("YU-1", "2521").put("GE-02", "2513").put("CZ-1", "2514")
    war.phase(Combat(AXIS))
    assert war.refused(attack("2521", "IT-1")).rule == "mw-2.4-b"


@pytest.mark.rule("mw-3.1")
def test_a_player_moves_and_attacks_with_all_countries_of_his_side():
    war = Position().put("GE-01", "2511").put("HU-1", "3018").put("IT-1", "2021").put("PL-LOD", "3013")
    war.phase(Movement(AXIS))
    assert {action.unit for action in war.offered(Move)} == {"GE-01", "HU-1", "IT-1"}
    assert war.refused(Move("PL-LOD", "3014")).reason == "not-your-unit"


def test_a_ring_holds_the_hexes_of_one_distance():
    board = list(bits(ATLAS.board))
    for start in (board[0], board[-1], at("2511"), at("2515"), *board[::97]):
        for distance in (1, 2, 3, 7):
            far = sum(1 << place for place in board if ATLAS.distance(start, place) == distance)
            assert ATLAS.ring(start, distance) == far
