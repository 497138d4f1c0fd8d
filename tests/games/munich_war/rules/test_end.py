"""Chapters 21 and 22: surrender and victory."""

from pathlib import Path
from typing import Any

import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.rules.events_phase import conquered_cities
from sandtable.games.munich_war.rules.mobilization import income
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.surrender import SurrenderPhase, must_check, surrender
from sandtable.games.munich_war.rules.victory import (
    check_automatic,
    city_points,
    decide,
    level_of,
    powers,
    score,
    stands,
    unit_points,
)
from sandtable.games.munich_war.sequence import end_turn
from tests.games.munich_war.positions import AL, AX, Position, at, country, unit


def checks(war: Position, name: str) -> bool:
    return must_check(war.m, country(name))


@pytest.mark.rule("mw-21.0-a")
def test_capital_and_all_centers_must_be_enemy_controlled():
    war = Position().own(AXIS, "2515", "2415")
    assert not checks(war, "Czechoslovakia")
    war.own(AXIS, "2716")
    assert checks(war, "Czechoslovakia")
    war.put("CZ-1", "2615")  # a zone over Prague: nobody controls it
    assert not checks(war, "Czechoslovakia")
    only_capital = Position().own(ALLIES, "3019")
    assert checks(only_capital, "Hungary")


@pytest.mark.rule("mw-21.0-b", "mw-surrender-italy-note")
def test_britain_and_the_soviets_never_check_and_italy_has_no_capital_to_lose():
    war = Position().own(AXIS, "1110").own(ALLIES, "1621")
    assert not checks(war, "Great Britain")
    assert not checks(war, "Italy")
    war.own(ALLIES, "1821")
    assert checks(war, "Italy")
    war.join("Soviet Union", ALLIES).own(AXIS, "3910", "4002", "4214", "4319")
    assert not checks(war, "Soviet Union")


RANGES = {
    "Germany": 1, "Finland": 2, "Hungary": 2, "Poland": 2, "France": 3, "Italy": 3, "Czechoslovakia": 4, "Belgium": 4,
    "Romania": 4, "Yugoslavia": 4, "Denmark": 5, "Estonia": 5, "Latvia": 5, "Lithuania": 5, "Netherlands": 5,
}  # fmt: skip


@pytest.mark.rule("mw-table-surrender")
def test_the_surrender_table():
    for name, most in RANGES.items():
        assert ATLAS.countries[country(name)].surrenders == tuple(range(1, most + 1))
    assert [face.name for face in ATLAS.countries if face.surrenders and face.name not in RANGES] == []


@pytest.mark.rule("mw-21.0-c", "mw-21.0-d")
def test_a_die_decides_and_a_survivor_checks_again():
    war = Position().own(ALLIES, "3019").dice(3).run(SurrenderPhase(AXIS))
    assert not war.state.fallen[country("Hungary")]
    assert checks(war, "Hungary")
    war.dice(2).run(SurrenderPhase(AXIS))
    assert war.state.fallen[country("Hungary")]
    assert not checks(war, "Hungary")
    rolled = war.state.rolled
    war.run(SurrenderPhase(AXIS))
    assert war.state.rolled == rolled


@pytest.mark.rule("mw-21.0-e")
def test_its_units_leave_map_displays_and_tracks():
    war = Position().put("PL-LOD", "3212").put("PL-A1", "available").put("PL-MOD", "reinforcement")
    war.put("PL-OG", "turn 4").put("PL-CAV", "eliminated", steps=0)
    surrender(war.m, country("Poland"))
    assert [war.where(name) for name in ("PL-LOD", "PL-A1", "PL-MOD", "PL-OG")] == ["surrendered"] * 4
    assert war.where("PL-CAV") == "eliminated"


@pytest.mark.rule("mw-21.0-f")
def test_no_more_points_or_reinforcements():
    from sandtable.games.munich_war.rules.mobilization import due, income

    war = Position(turn=4).put("PL-OG", "turn 4")
    surrender(war.m, country("Poland"))
    assert income(war.m, country("Poland")) == 0
    assert due(war.m, ALLIES) == []


@pytest.mark.rule("mw-21.0-g")
def test_its_territory_stays_in_play():
    from sandtable.games.munich_war.model.actions import Move

    war = Position().put("GE-01", "2914").put("CZ-1", "2915")
    surrender(war.m, country("Poland"))
    war.phase(Movement(AXIS))
    assert war.allows(Move("GE-01", "3015"))


# ---- victory (22)
@pytest.mark.rule("mw-22.0-a")
def test_automatic_victory_when_every_enemy_has_surrendered():
    war = Position("little-entente")
    for name in ("Czechoslovakia", "Romania"):
        surrender(war.m, country(name))
    check_automatic(war.m)
    assert war.match.outcome is None
    surrender(war.m, country("Yugoslavia"))
    check_automatic(war.m)
    outcome: Any = war.match.outcome
    assert (outcome.winners, outcome.reason) == (("axis",), "mw-22.0-a")


@pytest.mark.rule("mw-22.0-b")
def test_no_automatic_victory_over_britain():
    war = Position()
    for name in ("Czechoslovakia", "France", "Poland"):
        surrender(war.m, country(name))
    check_automatic(war.m)
    assert war.match.outcome is None


@pytest.mark.rule("mw-22.0-a")
def test_who_has_no_power_left_himself_does_not_win_automatically():
    war = Position("little-entente")
    for number in (*powers(war.m, ALLIES), *powers(war.m, AXIS)):
        surrender(war.m, number)
    check_automatic(war.m)
    nobody = war.match.outcome
    war.state.fallen = put(war.state.fallen, country("Germany"), 0)
    check_automatic(war.m)
    outcome = war.match.outcome
    assert nobody is None
    assert outcome is not None
    assert outcome.winners == ("axis",)


@pytest.mark.rule("mw-22.0-c", "mw-3.3-end")
def test_the_score_is_taken_after_the_last_turn():
    war = Position(turn=8).put("GE-01", "2515")
    end_turn(war.m)
    assert war.match.outcome is not None
    assert war.match.outcome.level == "marginal-allied"  # five points
    early = Position(turn=7)
    early.state.stack = (early.state.stack[0],)
    end_turn(early.m)
    assert early.match.outcome is None


@pytest.mark.rule("mw-22.0-c")
def test_the_last_to_occupy_scores_even_in_an_enemy_zone():
    war = Position().put("CZ-1", "2615").put("GE-01", "2515")
    assert not war.controls(AXIS, "2515")
    assert city_points(war.m, AXIS, at("2515")) == 5


@pytest.mark.rule("mw-22.0-d")
def test_nothing_for_what_was_friendly_at_the_start_and_terror_does_not_matter():
    war = Position().put("PL-LOD", "2515")
    assert city_points(war.m, ALLIES, at("2515")) == 0
    assert score(war.m, AXIS) == score(war.m, ALLIES) == 0
    war = Position().put("GE-01", "2515").terror("2515")
    assert city_points(war.m, AXIS, at("2515")) == 5


@pytest.mark.rule("mw-22.0-vp-cities")
def test_city_values():
    war = Position().join("Soviet Union", ALLIES).join("Belgium", ALLIES)
    worth = {"1214": 10, "4002": 10, "2515": 5, "3212": 5, "1110": 3, "1512": 3, "2716": 1, "3013": 1, "1412": 1}
    for place, points in {**worth, "4214": 1}.items():
        war.put("GE-16", place)
        assert city_points(war.m, AXIS, at(place)) == points, place
    for place, points in {"2511": 15, "3019": 5, "3823": 5, "1812": 1, "1821": 1}.items():
        war.put("PL-LOD", place)
        assert city_points(war.m, ALLIES, at(place)) == points, place


@pytest.mark.rule("mw-22.0-vp-cities", "mw-event-5")
def test_luxembourg_is_no_capital():
    """It has no forces, no points and no place in the surrender table: a walk into it wins nothing."""
    war = Position().join("Luxembourg", ALLIES).put("GE-16", "1614")
    assert city_points(war.m, AXIS, at("1614")) == 0
    assert conquered_cities(war.m) == 0


@pytest.mark.rule("mw-22.0-vp-reich", "mw-7.1-d", "mw-22.0-d")
def test_danzig_with_a_friendly_poland_brings_points_to_spend_and_none_to_win():
    war = Position("western-powers-guarantee")
    before = income(war.m, country("Germany"))
    war.put("GE-16", "3009")
    assert income(war.m, country("Germany")) == before + 1
    assert city_points(war.m, AXIS, at("3009")) == 0


@pytest.mark.rule("mw-22.0-vp-reich")
def test_reich_objectives_need_german_units():
    war = Position().put("GE-01", "2415")
    assert city_points(war.m, AXIS, at("2415")) == 2  # instead of one for the center
    war.put("GE-01", "2511").put("HU-1", "2415")
    assert city_points(war.m, AXIS, at("2415")) == 0
    war.put("GE-01", "3009").put("GE-02", "1615")
    assert city_points(war.m, AXIS, at("3009")) == city_points(war.m, AXIS, at("1615")) == 2
    assert len([place for place in range(ATLAS.hex_count) if ATLAS.reich_objectives >> place & 1]) == 5


@pytest.mark.rule("mw-22.0-vp-mannerheim")
def test_the_mannerheim_line_is_worth_two_to_the_soviets():
    war = Position().join("Soviet Union", ALLIES).join("Finland", AXIS).put("FR-1", "4001")
    assert score(war.m, ALLIES) == 0
    war.put("FR-1", "1214").put("SU-1", "4001")
    assert score(war.m, ALLIES) == 2
    assert stands(war.m, "mannerheim_power", at("4001"))


@pytest.mark.rule("mw-22.0-vp-units")
def test_lost_units():
    war = Position()
    for name, where, points in (("GE-L1", "eliminated", 2), ("GE-16", "eliminated", 1), ("GE-14", "surrendered", 1),
                                ("IT-PO", "eliminated", 1), ("GE-HG", "eliminated", 0), ("GE-01", "eliminated", 0),
                                ("GE-AB", "eliminated", 0)):  # fmt: skip
        before = unit_points(war.m, ALLIES)
        war.put(name, where, steps=0)
        assert unit_points(war.m, ALLIES) - before == points, name
    assert unit_points(war.m, AXIS) == 0


@pytest.mark.rule("mw-22.1-decisive-axis", "mw-22.1-major-axis", "mw-22.1-marginal-allied", "mw-22.1-decisive-allied")
def test_levels_of_victory():
    wanted = {-20: (ALLIES, "decisive-allied"), 0: (ALLIES, "decisive-allied"), 1: (ALLIES, "marginal-allied"),
              10: (ALLIES, "marginal-allied"), 11: (AXIS, "major-axis"), 30: (AXIS, "major-axis"),
              31: (AXIS, "decisive-axis"), 99: (AXIS, "decisive-axis")}  # fmt: skip
    for difference, (winner, level) in wanted.items():
        assert level_of(difference) == (winner, level, f"mw-22.1-{level}")


def test_an_eliminated_unit_is_marked_so():
    war = Position().put("GE-01", "2511")
    assert war.steps("GE-01") == 2
    assert unit("GE-01") == ATLAS.unit_number["GE-01"]


@pytest.mark.parametrize(("handicap", "winner"), [(0, AL), (3, AX), (-3, AL)])
def test_a_handicap_moves_the_line(handicap, winner):
    """Prague, Pilsen and Brno are eight points; eleven are wanted."""
    war = Position("little-entente", handicap=handicap)
    war.put("GE-16", "2515").put("GE-18", "2415").put("GE-01", "2716")
    decide(war.m)
    assert war.state.outcome.winners == (winner,)


def test_the_handicap_said_to_be_even_is_the_one_that_was_measured():
    """The last column of the table in docs/balance."""
    page = (Path(__file__).parents[4] / "docs" / "balance" / "munich-war.md").read_text(encoding="utf-8")
    rows = [
        line.strip("| ").split(" | ") for line in page.split("## Handicap")[1].splitlines() if line.startswith("| ")
    ]
    measured = {row[0]: int(row[-1]) for row in rows if row[0] in GAME.scenarios}
    assert set(measured) == set(GAME.scenarios) - {"by-die"}
    assert GAME.options["handicap"].even == measured


def test_without_a_handicap_a_state_is_what_it_always_was():
    plain, given = (Match.new(GAME, "little-entente", options, seed=1) for options in ({}, {"handicap": 3}))
    assert "handicap" not in plain.state.options
    assert given.state.options["handicap"] == 3
