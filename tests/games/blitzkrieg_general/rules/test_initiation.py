"""3-5: the turn, the time table, reinforcements, initiative, weather, the limits of Japan and China."""

from __future__ import annotations

import pytest

from sandtable.core import Match
from sandtable.games.blitzkrieg_general.facts.arrivals import placements
from sandtable.games.blitzkrieg_general.facts.reach import why_no_exploitation
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import ALLIES, AXIS, MAJORS
from sandtable.games.blitzkrieg_general.rules.reinforcements_phase import Reinforcements
from sandtable.games.blitzkrieg_general.rules.victory import check_victory
from sandtable.games.blitzkrieg_general.sequence import _ADVANCED, _BASIC, _SEGMENT, Turn
from tests.games.blitzkrieg_general.positions import A, Board, nation, space, unit


def names(steps: tuple[object, ...]) -> list[str]:
    return [getattr(step, "__name__", "") for step in steps]


@pytest.mark.rule("bg-3.0-turn-quarter", "bg-quick-quarter-advance")
def test_four_quarters_make_a_year() -> None:
    assert A.turns[:6] == ("3/39", "4/39", "1/40", "2/40", "3/40", "4/40")
    b = Board("1939-basic", full=True)
    b.start(Turn(len(_BASIC)))
    assert A.turns[b.state.turn] == "4/39"


@pytest.mark.rule("bg-3.0-start-end", "bg-8.5-draw")
def test_the_game_ends_in_a_draw_after_the_last_quarter() -> None:
    assert (A.turns[0], A.turns[-1]) == ("3/39", "4/45")
    b = Board("1939-basic", full=True)
    b.state.turn = len(A.turns) - 1

    b.start(None)
    check_victory(b.m)
    assert b.state.outcome is not None
    assert (b.state.outcome.winners, b.state.outcome.reason) == ((), "bg-8.5-draw")


@pytest.mark.rule("bg-basic-5.0-sequence", "bg-2.3-basic-no-cards", "bg-5.0-strict-order")
def test_the_basic_sequence() -> None:
    assert names(_BASIC) == [
        "_time_table",
        "_reinforcements",
        "_first_segment",
        "_second_segment",
        "_conquest",
        "_income",
        "_production",
        "_victory",
    ]
    assert Board("1939-basic", full=True).state.deck == ()


@pytest.mark.rule("bg-5.0-sequence-init", "bg-5.0-sequence-end")
def test_the_advanced_sequence() -> None:
    assert names(_ADVANCED) == [
        "_time_table",
        "_reinforcements",
        "_initiative",
        "_weather",
        "_limits",
        "_first_segment",
        "_second_segment",
        "_conquest",
        "_us_entry",
        "_income",
        "_cards",
        "_research",
        "_production",
        "_victory",
    ]


@pytest.mark.rule("bg-5.0-sequence-action", "bg-6.4.4-land", "bg-6.0-phasing-terms")
def test_the_action_segment() -> None:
    assert names(_SEGMENT) == [
        "_begin",
        "_rail",
        "_rebase",
        "_naval",
        "_naval_reaction",
        "_searches",
        "_land",
        "_reaction",
        "_combat",
        "_exploit",
        "_exploit_searches",
        "_reaction",
        "_combat",
        "_end",
    ]
    b = Board(full=True)
    b.start(Turn(5))
    assert (b.step.name, b.state.phasing) == ("rail", AXIS)
    assert set(b.match.decisions()) == {"germany", "italy", "japan"}
    for phase in ("rail", "rebase", "naval", "land"):
        assert b.step.name == phase
        for role in b.match.decisions():
            b.do(role, act.Done())


# ---- 4.1 and the scenario card ------------------------------------------------------------------------------------
@pytest.mark.rule("bg-4.1-setup-simultaneous", "bg-4.1-markers", "bg-scn39-general", "bg-scn39-no-surprise")
def test_both_sides_stand_on_the_map_when_the_match_starts() -> None:
    m = Match.new(GAME, "1939-advanced", seed=3)
    assert A.turns[m.state.turn] == "3/39"
    assert m.state.initiative == AXIS == m.state.phasing
    assert m.state.bad == (0, 0)
    assert all(any(m.state.place[u] >= 0 for u in A.units_of_printed[n]) for n in range(8))
    assert m.state.effects == {}


@pytest.mark.rule("bg-4.1-initial-production", "bg-scn39-production", "bg-scn39-us-production", "bg-7.6.4-included")
def test_starting_production() -> None:
    wanted = {"germany": 17, "italy": 6, "japan": 17, "be": 13, "ussr": 11, "france": 11, "china": 8}
    for scenario, usa in (("1939-basic", 8), ("1939-advanced", 0)):
        b = Board(scenario, full=True)
        assert {r: b.flag(r) for r in MAJORS} == {**wanted, "usa": usa}


@pytest.mark.rule("bg-4.1-losses-marker")
def test_hits_are_noted_until_both_sides_have_fired() -> None:
    b = Board().war("germany-france")
    b.adds("paris", "germany-inf-4", origin="bnl")
    b.adds("paris", "germany-inf-3", origin="bnl")
    b.adds("paris", "france-inf-3", "france-inf-2")
    b.combat([1, 1, 6, 6])
    assert b.state.battle is not None
    assert b.state.battle.hits[4:] == (2, 0, 0, 0)


@pytest.mark.rule("bg-4.1-deck", "bg-7.4-no-reshuffle")
def test_all_cards_are_shuffled_once() -> None:
    one, other = (Match.new(GAME, "1939-advanced", seed=s).state.deck for s in (1, 2))
    assert sorted(one) == sorted(other) == list(range(55))
    assert one != other


# ---- 5.1 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-5.1-time-table", "bg-time-2-40", "bg-7.2-events-plus")
def test_italy_joins_in_the_second_quarter_of_1940() -> None:
    b = Board(full=True)
    b.state.turn = A.turn_of["2/40"]
    b.start(Turn(0))
    assert b.state.war[nation("italy")] == b.state.war[nation("germany")]
    assert b.state.us_level == 1


# ---- 5.2 ----------------------------------------------------------------------------------------------------------
def where(b: Board, ident: str) -> set[str]:
    return set(A.names(placements(b.state, unit(ident))))


@pytest.mark.rule("bg-5.2-home-area", "bg-5.2-major-placement", "bg-5.2-no-abbrev-areas")
def test_majors_place_in_home_areas_with_production() -> None:
    b = Board(full=True)
    inf = b.chart("japan-inf-3", 0)
    b.start(Reinforcements())
    assert where(b, inf) == {"southern_japan", "northern_japan"}
    assert b.rule("japan", act.Place(inf, "manchuria")) == "bg-5.2-no-abbrev-areas"
    red = b.chart("ussr-inf-3-red", 0)
    assert "moscow" in where(b, red)
    assert "smolensk" not in where(b, red)  # no production there
    b.own("germany", "moscow")
    assert "moscow" not in where(b, red)


@pytest.mark.rule("bg-5.2-minor-placement")
def test_minors_place_anywhere_at_home() -> None:
    b = Board(full=True).join("turkey", "germany")
    inf = b.chart("turkey-inf-2", 0)
    b.start(Reinforcements())
    assert where(b, inf) == {"western_turkey", "eastern_turkey"}


@pytest.mark.rule("bg-5.2-ships", "bg-5.2-ships-contested")
def test_ships_appear_beside_home_away_from_the_enemy() -> None:
    b = Board().war("germany-be")
    ship = b.chart("germany-conv-1", 0)
    b.start(Reinforcements())
    coasts = {A.space_ids[z] for s in A.homes[0] for z in A.coast[s]}
    assert where(b, ship) == coasts
    b.add("be-tf-4", "skagerrak")
    assert where(b, ship) == coasts - {"skagerrak"}
    for zone in coasts - {"skagerrak"}:
        b.add("be-tf-3", zone)
    assert where(b, ship) == coasts


@pytest.mark.rule("bg-5.2-british-placement")
def test_british_letters_go_to_their_homes() -> None:
    b = Board(full=True)
    uk, canada, india = b.chart("be-inf-3", 0), b.chart("be-inf-2-c", 0), b.chart("be-inf-3-i", 0)
    b.start(Reinforcements())
    assert where(b, uk) == {"england", "scotland"}
    assert where(b, canada) == {"canada_east", "canada_west"}
    assert where(b, india) == {"calcutta", "delhi", "bombay"}
    assert b.rule("be", act.Place(uk, "bombay")) == "bg-5.2-british-placement"


@pytest.mark.rule("bg-basic-5.2-british")
def test_in_the_basic_game_the_empire_places_anywhere_at_home() -> None:
    b = Board("1939-basic", full=True)
    uk = b.chart("be-inf-3", 0)
    b.start(Reinforcements())
    assert {"england", "bombay", "canada_east", "south_africa", "sydney"} <= where(b, uk)


@pytest.mark.rule("bg-quick-skip-reinforcement")
def test_nothing_arrives_in_the_first_turn_of_1939() -> None:
    b = Board(full=True)
    assert not [u for u in range(A.units) if b.state.place[u] == -3 and b.state.due[u] <= 0]


# ---- 5.3 ----------------------------------------------------------------------------------------------------------
def roll_initiative(before: int, axis: int, allies: int) -> int:
    b = Board(full=True)
    b.state.turn, b.state.initiative = 1, before
    b.start(Turn(2), [axis, allies, 1, 1])
    return b.state.initiative


@pytest.mark.rule("bg-5.3-roll")
def test_the_higher_die_has_the_initiative() -> None:
    assert roll_initiative(ALLIES, 5, 3) == AXIS
    assert roll_initiative(AXIS, 2, 3) == ALLIES


@pytest.mark.rule("bg-5.3-tie")
def test_a_tie_goes_to_the_side_that_lacked_it() -> None:
    assert roll_initiative(AXIS, 4, 4) == ALLIES
    assert roll_initiative(ALLIES, 4, 4) == AXIS


@pytest.mark.rule("bg-5.3-double-turn")
def test_the_side_that_went_second_may_go_twice() -> None:
    b = Board(full=True)
    b.state.turn, b.state.initiative = 1, AXIS
    b.start(Turn(2), [1, 6, 1, 1])
    assert b.state.phasing == ALLIES  # second last turn, first now


# ---- 5.4 ----------------------------------------------------------------------------------------------------------
def roll_weather(turn: str, die: int) -> tuple[int, ...]:
    b = Board(full=True)
    b.state.turn = A.turn_of[turn]
    b.start(Turn(3), [die, 1])
    return b.state.bad


@pytest.mark.rule("bg-5.4-roll", "bg-5.4-per-map")
def test_one_die_two_maps() -> None:
    assert roll_weather("2/41", 1) == (0, 1)
    assert roll_weather("3/40", 5) == (0, 0)
    assert roll_weather("1/40", 5) == (1, 1)


@pytest.mark.rule("bg-5.4-bad-exploit")
def test_bad_weather_stops_exploitation() -> None:
    b = Board().war("germany-france").weather(europe=True)
    arm = b.add("germany-arm-5", "prussia")
    b.phase("exploit")
    assert b.rule("germany", act.March(arm, "bavaria", "")) == "bg-5.4-bad-exploit"


@pytest.mark.rule("bg-5.4-good")
def test_good_weather_changes_nothing() -> None:
    b = Board().war("germany-france")
    arm = b.add("germany-arm-5", "prussia")
    b.phase("exploit")
    assert b.rule("germany", act.March(arm, "bavaria", "")) == ""


@pytest.mark.rule("bg-5.4-map-switch")
def test_nobody_changes_maps_while_the_weather_differs() -> None:

    b = Board().war("germany-ussr").weather(pacific=True)
    b.state.bad = (0, 1)
    b.start(None)
    assert why_no_exploitation(b.state.bad, space("ural"), space("n_siberia")) is not None
    b.state.bad = (0, 0)
    assert why_no_exploitation(b.state.bad, space("ural"), space("n_siberia")) is None
    # ships, too: both zones may be calm enough only when both maps are
    b.state.bad = (1, 0)
    arm = b.add("ussr-arm-3-orange", "n_siberia")
    b.phase("exploit", phasing=1)
    assert b.rule("ussr", act.March(arm, "ural", "")) in ("bg-5.4-map-switch", "bg-5.4-bad-exploit")


# ---- 5.5 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-5.5-limit", "bg-ex-adv-limits")
def test_the_limit_is_the_die_but_at_least_three() -> None:
    for die, limit in ((2, 3), (5, 5)):
        b = Board(full=True)
        b.start(Turn(4), [die])
        assert b.state.limit == limit


@pytest.mark.rule("bg-5.5-limit", "bg-5.5-exempt")
def test_the_fourth_japanese_unit_stays_out() -> None:
    b = Board().war("japan-china")
    b.state.limit = 3
    units = b.adds("peking", "japan-inf-4", "japan-inf-4", "japan-inf-3", "japan-inf-2", "hiro", "japan-air-3")
    b.add("china-inf-2", "sian")
    b.phase()
    for ident in units[:3]:
        b.march("japan", ident, "sian")
    assert b.rule("japan", act.March(units[3], "sian", "peking")) == "bg-5.5-limit"
    b.march("japan", units[4], "sian")  # an HQ is free
    b.do("japan", act.Fly(units[5], "sian"))


@pytest.mark.rule("bg-8.7-one-area", "bg-8.7-empty")
def test_japan_attacks_one_chinese_area_a_turn() -> None:
    b = Board().war("japan-china")
    b.state.limit = 3
    one, two, three = b.add("japan-inf-4", "peking"), b.add("japan-inf-3", "shanghai"), b.add("japan-inf-2", "peking")
    b.add("china-inf-2", "sian")
    b.add("china-inf-3", "wuhan")
    b.phase()
    b.march("japan", one, "sian")
    assert b.rule("japan", act.March(two, "wuhan", "shanghai")) == "bg-8.7-one-area"
    b.march("japan", three, "pakoe")  # nobody there: no attack
    assert b.owner("pakoe") == "japan"


@pytest.mark.rule("bg-8.7-national-war", "bg-card-national-war-china")
def test_national_war_ends_both_limits() -> None:
    b = Board().war("japan-china")
    b.state.limit = 3
    b.state.table = {**b.state.table, A.card_of["national_war_china"]: nation("japan")}
    units = b.adds("peking", "japan-inf-4", "japan-inf-4", "japan-inf-3", "japan-inf-2")
    other = b.add("japan-inf-3", "shanghai")
    b.add("china-inf-2", "sian")
    b.add("china-inf-3", "wuhan")
    b.phase()
    for ident in units:
        b.march("japan", ident, "sian")
    b.march("japan", other, "wuhan")
