"""7.1-7.3, 7.6, 8 and the time table: conquest, US entry, income, production, neutrals, war, victory."""

from __future__ import annotations

import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.core.data import Resign
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import ALLIES, AXIS, MAJORS
from sandtable.games.blitzkrieg_general.model.state import AT_WAR, CONQUERED, NEUTRAL, at_war, remove
from sandtable.games.blitzkrieg_general.rules.conquest import check_conquest, conquer
from sandtable.games.blitzkrieg_general.rules.control import take_control
from sandtable.games.blitzkrieg_general.rules.control_phase import occupy
from sandtable.games.blitzkrieg_general.rules.politics import declare, why_not_declare
from sandtable.games.blitzkrieg_general.rules.production import why_not_build
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from sandtable.games.blitzkrieg_general.rules.timetable import check_time_table
from sandtable.games.blitzkrieg_general.rules.us_entry_phase import UsEntry, us_entry
from sandtable.games.blitzkrieg_general.rules.victory import check_victory, has_won, points_of, points_to_win
from sandtable.games.blitzkrieg_general.sequence import Turn
from tests.games.blitzkrieg_general.positions import A, Board, space

N = A.nation_of


def start(scenario: str = "1939-advanced", **options: bool) -> Board:
    b = Board(scenario, full=True, **options)
    b.start(None, [1] * 20)
    check_time_table(b.m)
    return b


def overrun(b: Board, country: str, by: str) -> Board:
    b.own(by, *A.names(A.homes[N[country]]))
    check_conquest(b.m)
    return b


def declares(b: Board, who: str, on: str) -> Board:
    declare(b.m, N[who], N[on])
    return b


def may(b: Board, who: str, on: str) -> str:
    refused = why_not_declare(b.state, N[who], N[on])
    return "" if refused is None else refused.rule


# ---- 7.1 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-7.1-major", "bg-7.1-abbrev", "bg-7.1-forces")
def test_a_major_falls_with_its_last_flag_area() -> None:
    b = start()
    waiting = next(u for u in range(A.units) if b.state.place[u] == -3 and b.state.nation[u] == N["france"])
    homes = A.names(A.homes[N["france"]])
    b.own("germany", *homes[:-1])
    check_conquest(b.m)
    assert b.state.standing[N["france"]] == AT_WAR
    b.own("germany", homes[-1])
    assert b.owner("algeria") == "france"  # colonies do not count
    check_conquest(b.m)
    assert b.state.standing[N["france"]] == CONQUERED
    assert b.state.place[waiting] == -1
    assert not [u for u in range(A.units) if b.state.place[u] >= 0 and b.state.nation[u] == N["france"]]


@pytest.mark.rule("bg-7.1-colonies", "bg-time-french-colonies")
def test_colonies_become_neutral_unless_held_by_others() -> None:
    b = start()
    b.own("germany", "morocco")
    b.state.here = put(b.state.here, space("algeria"), ())
    overrun(b, "france", "germany")
    assert b.owner("morocco") == "germany"
    assert b.owner("syria") == "vichy_france"
    assert b.state.standing[N["vichy_france"]] == NEUTRAL


@pytest.mark.rule("bg-7.1-be")
def test_the_empire_falls_home_by_home() -> None:
    b = start()
    canadian, indian = b.add("be-inf-3-c", "england"), b.add("be-inf-3-i", "england")
    b.own("germany", "canada_east", "canada_west")
    check_conquest(b.m)
    assert b.where(canadian) == "pool"
    assert b.where(indian) == "england"
    assert b.state.standing[N["be"]] == AT_WAR
    refused = why_not_build(b.state, N["be"], A.kind_ids["be-inf-2-c"])
    assert refused is not None
    assert refused.rule == "bg-7.1-be"
    overrun(b, "be", "germany")
    assert b.state.standing[N["be"]] == CONQUERED


@pytest.mark.rule("bg-7.1-reconquest")
def test_one_home_area_frees_a_country() -> None:
    b = overrun(start(), "france", "germany")
    occupy(b.m, space("normandy"), N["be"])
    assert b.owner("normandy") == "france"
    assert b.state.standing[N["france"]] == AT_WAR
    assert at_war(b.state, N["france"], N["germany"])
    assert b.flag("france") == 1
    b.state.points = put(b.state.points, N["france"], 10)
    assert why_not_build(b.state, N["france"], A.kind_ids["france-inf-3"]) is None


# ---- 7.2 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-7.2-plus-one", "bg-7.2-actual", "bg-7.6.3-usa")
def test_the_usa_gains_one_a_turn_up_to_twenty() -> None:
    b = start()
    us_entry(b.m)
    assert b.flag("usa") == 1
    b.state.us_level = 20
    us_entry(b.m)
    assert b.flag("usa") == 20


@pytest.mark.rule("bg-7.2-level-20", "bg-time-4-41-adv", "bg-8.3-war-production")
def test_at_twenty_the_usa_may_declare_war() -> None:
    b = start()
    b.state.us_level = 19
    b.start(UsEntry())
    assert type(b.step).__name__ == "Idle"
    b.state.us_level = 20
    b.start(UsEntry())
    b.do("usa", act.Declare("germany"))
    assert b.flag("usa") == 36
    assert at_war(b.state, N["usa"], N["germany"])
    assert at_war(b.state, N["usa"], N["japan"])
    assert not at_war(b.state, N["usa"], N["italy"])  # still neutral


@pytest.mark.rule("bg-7.2-axis-attack", "bg-7.2-allied-attack")
def test_attacks_on_neutrals_move_the_us_flag_once_each() -> None:
    b = start()
    declares(b, "germany", "norway")
    assert b.state.us_level == 1
    declares(b, "be", "greece")
    assert b.state.us_level == 0
    declares(b, "germany", "denmark")
    declares(b, "ussr", "turkey")
    assert b.state.us_level == 0


@pytest.mark.rule("bg-7.2-japan-ussr", "bg-7.2-ussr-japan", "bg-7.2-allies-italy", "bg-7.2-events-plus")
def test_other_events_of_the_us_flag() -> None:
    for who, on, change in (("japan", "ussr", 1), ("ussr", "japan", -1), ("be", "italy", -1), ("germany", "ussr", 1)):
        b = start()
        b.state.us_level = 5
        declares(b, who, on)
        assert b.state.us_level == 5 + change, (who, on)


@pytest.mark.rule("bg-7.2-attacked")
def test_an_attack_brings_the_usa_in() -> None:
    b = declares(start(), "germany", "usa")
    assert b.state.standing[N["usa"]] == AT_WAR
    assert b.flag("usa") == 36


# ---- 7.3 and 7.6 --------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-7.3-income", "bg-7.0-simultaneous")
def test_everybody_collects_and_builds_at_the_same_time() -> None:
    b = Board("1939-basic", full=True)
    b.state.saved = put(b.state.saved, N["italy"], 2)
    b.start(Turn(5))
    assert list(b.state.points) == [b.flag(r) + (2 if r == "italy" else 0) for r in MAJORS]
    assert set(b.match.decisions()) == set(MAJORS)


@pytest.mark.rule("bg-7.6-potential", "bg-7.6.1-left-right", "bg-7.6-minor-production")
def test_production_is_the_sum_of_what_one_holds() -> None:
    b = start()
    assert b.flag("be") == 15  # 13 and the 2 of Poland
    take_control(b.m, space("england"), N["germany"])
    assert b.flag("be") == 9
    assert b.flag("germany") == 20


@pytest.mark.rule("bg-7.6-over-48")
def test_production_above_48_is_counted_in_full() -> None:
    b = Board().war("germany-usa")
    b.own("usa", *A.names(A.homes[N["germany"]]), *A.names(A.homes[N["ussr"]]))
    assert b.flag("usa") > 48
    table = b.start(None).match.table(None)
    track = next(t for t in table.tracks if t.id == "production")
    mark = next(m for m in track.marks if m.side == "usa")
    assert mark.at == 48
    assert mark.tooltip == str(b.flag("usa"))


@pytest.mark.rule("bg-7.6-full-units", "bg-7.6.6-durations")
def test_new_units_are_whole_and_limited_by_the_counters() -> None:
    b = start("1939-basic")
    b.state.points = put(b.state.points, N["italy"], 99)
    b.start(Production())
    b.do("italy", act.Build("italy-arm-3"))
    made = A.kind_ids["italy-arm-3"].units[0]
    assert (b.state.flipped[made], A.turns[b.state.due[made]]) == (0, "2/40")
    assert b.rule("italy", act.Build("italy-arm-3")) == "bg-7.6-full-units"


@pytest.mark.rule("bg-7.6.3-ussr-italy", "bg-7.6.3-others", "bg-basic-7.3.4-usa")
def test_peace_production() -> None:
    b = start("1939-basic")
    assert (b.flag("ussr"), b.flag("italy"), b.flag("usa")) == (11, 6, 8)
    assert all(b.state.master[n] < 0 for n in (N["spain"], N["turkey"]))  # a neutral minor gives nobody anything


@pytest.mark.rule("bg-7.6.3-ussr-japan-loss")
def test_five_points_lost_to_japan_put_the_ussr_on_a_war_footing() -> None:
    b = declares(start(), "japan", "ussr")
    assert b.flag("ussr") == 11
    for area in ("vladivostok", "east_siberia", "jablonovy"):
        take_control(b.m, space(area), N["japan"])
    assert b.flag("ussr") == 11
    take_control(b.m, space("irkutsk"), N["japan"])
    assert b.flag("ussr") == 34 - 2 - 1 - 1 - 1
    take_control(b.m, space("irkutsk"), N["ussr"])
    assert b.flag("ussr") > 11  # until peace with Japan, whatever the balance


@pytest.mark.rule("bg-7.6.4-deliveries", "bg-7.6.4-cancel", "bg-time-ussr-germany")
def test_deliveries_and_their_end_by_war() -> None:
    assert {(A.nation_ids[g], A.nation_ids[r], p) for g, r, p in A.deliveries} == {
        ("ussr", "germany", 3),
        ("romania", "germany", 2),
        ("sweden", "germany", 1),
        ("usa", "japan", 3),
    }
    b = start()
    declares(b, "germany", "ussr")
    # 17 without the Soviet 3 and Romania's 2, with the minors' own 1 + 3 + 1 + 1
    assert b.flag("germany") == 17 - 3 - 2 + 6
    declares(b, "japan", "usa")
    assert b.flag("japan") == 14


@pytest.mark.rule("bg-time-romania", "bg-time-minors")
def test_romania_gives_three_once_it_has_joined() -> None:
    b = start()
    before = b.flag("germany")
    declares(b, "germany", "ussr")
    minors = [A.nation_ids[n] for n in A.axis_minors]
    assert all(b.state.master[N[m]] == N["germany"] for m in minors)
    take_control(b.m, space("romania"), N["ussr"])
    assert b.flag("germany") == before - 3 - 2 + 3


@pytest.mark.rule("bg-time-sweden", "bg-time-delivery-end")
def test_swedish_deliveries_end_when_it_falls_to_the_allies() -> None:
    b = start()
    before = b.flag("germany")
    take_control(b.m, space("sweden"), N["be"])
    assert b.flag("germany") == before - 1


@pytest.mark.rule("bg-time-baltic")
def test_only_germany_uses_the_baltic() -> None:
    b = start()
    before = b.flag("germany"), b.flag("ussr")
    take_control(b.m, space("baltic"), N["ussr"])
    assert (b.flag("germany"), b.flag("ussr")) == before
    b.state.standing = put(b.state.standing, N["italy"], AT_WAR)
    take_control(b.m, space("baltic"), N["italy"])
    assert b.flag("germany") == before[0] + 1


@pytest.mark.rule("bg-time-usa-japan")
def test_in_the_basic_game_american_deliveries_end_in_1941() -> None:
    b = Board("1939-basic", full=True)
    b.state.turn = A.turn_of["1/41"]
    b.start(None)
    check_time_table(b.m)
    assert b.flag("japan") == 17
    b.state.turn += 1
    check_time_table(b.m)
    assert b.flag("japan") == 14


@pytest.mark.rule("bg-7.6.5-sub", "bg-7.6.5-repair-ready")
def test_a_submarine_is_repaired_for_one_point_and_whole_at_once() -> None:
    b = start()
    sub = b.find("italy-sub-2!", "adria")
    b.state.points = put(b.state.points, N["italy"], 1)
    b.start(Production())
    b.do("italy", act.Repair(sub))
    assert not b.is_flipped(sub)
    assert b.state.points[N["italy"]] == 0


@pytest.mark.rule("bg-7.6.6-hq")
def test_hqs_are_only_rebuilt() -> None:
    b = start("1939-basic")
    b.state.points = put(b.state.points, 0, 9)
    b.start(Production())
    assert b.rule("germany", act.Build("rommel")) == "bg-7.6.6-hq"

    remove(b.state, A.unit_of["guderian"])
    b.start(Production())
    b.do("germany", act.Build("guderian"))
    assert (b.state.points[0], A.turns[b.state.due[A.unit_of["guderian"]]]) == (8, "3/40")


# ---- 8.3, 8.4 -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-8.4-axis-attacks-minor", "bg-time-neutral-attacked", "bg-8.4-dow")
def test_a_minor_attacked_by_the_axis_is_played_by_the_empire() -> None:
    b = declares(start(), "germany", "norway")
    assert b.state.master[N["norway"]] == N["be"]
    assert b.kinds("norway") == ["norway-inf-2"]
    assert b.flag("be") == 16
    assert at_war(b.state, N["norway"], N["germany"])


@pytest.mark.rule("bg-8.4-allies-attack-minor", "bg-8.4-ussr-attacks-minor")
def test_a_minor_attacked_by_the_allies_is_played_by_italy_or_germany() -> None:
    b = declares(start(), "be", "greece")
    assert b.state.master[N["greece"]] == N["germany"]  # Italy is neutral
    b = start()
    b.state.turn = A.turn_of["2/40"]
    check_time_table(b.m)
    declares(b, "ussr", "turkey")
    assert b.state.master[N["turkey"]] == N["italy"]


@pytest.mark.rule("bg-8.4-controller-gone")
def test_a_random_major_stands_in_for_a_conquered_one() -> None:
    b = start()
    conquer(b.m, N["be"])
    b.start(None, [2])
    declares(b, "germany", "norway")
    assert A.nation_ids[b.state.master[N["norway"]]] == "china"  # France, China: the second
    assert b.state.rolled >= 1


@pytest.mark.rule("bg-8.4-usa")
def test_the_neutral_usa_declares_nothing() -> None:
    b = start()
    assert may(b, "usa", "germany") == may(b, "usa", "spain") == "bg-8.4-usa"


@pytest.mark.rule("bg-8.4-ussr", "bg-time-2-41-adv")
def test_the_ussr_needs_its_card_against_the_european_axis() -> None:
    b = start()
    for target in ("germany", "finland", "romania", "hungary", "bulgaria"):
        assert may(b, "ussr", target) == "bg-8.4-ussr"
    b.state.ussr_may_declare = True
    assert may(b, "ussr", "germany") == ""
    b.state.turn = A.turn_of["2/41"]
    check_time_table(b.m)
    assert not at_war(b.state, N["ussr"], N["germany"])


@pytest.mark.rule("bg-basic-8.4-ussr", "bg-time-2-41-pact")
def test_in_the_basic_game_the_pact_holds_the_ussr_but_not_germany() -> None:
    b = start("1939-basic")
    assert may(b, "ussr", "germany") == "bg-basic-8.4-ussr"
    assert may(b, "germany", "ussr") == ""


@pytest.mark.rule("bg-8.4-ussr-others")
def test_the_ussr_may_attack_japan_and_minors_without_war_production() -> None:
    b = start()
    assert may(b, "ussr", "japan") == may(b, "ussr", "turkey") == ""
    declares(b, "ussr", "turkey")
    assert b.flag("ussr") == 11
    take_control(b.m, space("western_turkey"), N["ussr"])
    assert b.flag("ussr") == 12


@pytest.mark.rule("bg-8.4-be-france", "bg-time-west-japan")
def test_the_west_does_not_attack_japan_first() -> None:
    b = start()
    assert may(b, "be", "japan") == may(b, "france", "japan") == "bg-8.4-be-france"
    declares(b, "japan", "usa")
    assert at_war(b.state, N["be"], N["japan"])


@pytest.mark.rule("bg-8.4-japan-west", "bg-time-japan-west")
def test_japanese_war_on_the_west_is_war_with_the_usa() -> None:
    for target in ("be", "france", "bnl"):
        b = declares(start(), "japan", target)
        assert at_war(b.state, N["japan"], N["usa"]), target
        assert at_war(b.state, N["japan"], N["be"])


@pytest.mark.rule("bg-8.4-axis-free")
def test_axis_majors_declare_on_the_ussr_and_the_usa_any_time() -> None:
    b = start()
    for who in ("germany", "japan"):
        assert may(b, who, "ussr") == may(b, who, "usa") == ""


@pytest.mark.rule("bg-8.3-war-production")
def test_war_production_counts_at_once() -> None:
    b = declares(start(), "germany", "ussr")
    assert b.flag("ussr") == 34


# ---- the time table -----------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-time-2-41", "bg-time-2-41-minors", "bg-time-4-41")
def test_the_basic_dates_of_1941() -> None:
    b = Board("1939-basic", full=True)
    b.state.turn = A.turn_of["2/40"]
    b.start(None)
    check_time_table(b.m)
    b.state.turn = A.turn_of["2/41"]
    check_time_table(b.m)
    assert b.flag("ussr") == 34
    assert at_war(b.state, N["ussr"], N["italy"])
    assert not at_war(b.state, N["ussr"], N["japan"])
    assert all(b.state.standing[n] == AT_WAR for n in A.axis_minors)
    b.state.turn = A.turn_of["4/41"]
    check_time_table(b.m)
    assert b.flag("usa") == 36
    assert at_war(b.state, N["usa"], N["japan"])
    assert at_war(b.state, N["be"], N["japan"])
    assert at_war(b.state, N["france"], N["japan"])


@pytest.mark.rule("bg-time-bnl-conquered")
def test_bnl_colonies_are_held_in_trust() -> None:
    b = declares(start(), "germany", "bnl")
    overrun(b, "bnl", "germany")
    assert b.owner("java") == "usa_trust"
    before = b.flag("usa"), b.flag("be")
    declares(b, "japan", "usa_trust")
    assert at_war(b.state, N["japan"], N["usa"])
    assert before[0] == b.state.us_level


@pytest.mark.rule("bg-time-france-be-pacific", "bg-time-be-pacific-alt")
def test_british_production_in_the_pacific_is_activated_once() -> None:
    b = start()
    before = b.flag("be")
    overrun(b, "france", "germany")
    assert b.flag("be") == before + 7
    b = start()
    declares(b, "germany", "usa")
    assert b.flag("be") == before + 7


@pytest.mark.rule("bg-time-indochine")
def test_in_the_basic_game_japan_may_take_indochine_after_the_fall_of_france() -> None:
    b = start("1939-basic")
    b.phase()
    assert b.rule("japan", act.Raise("indochine")) == "bg-6.4-phasing-first"
    overrun(b, "france", "germany")
    b.phase()
    b.do("japan", act.Raise("indochine"))
    assert b.owner("indochine") == "japan"
    assert not at_war(b.state, N["japan"], N["usa"])


@pytest.mark.rule("bg-time-indochine-adv")
def test_in_the_advanced_game_only_the_card_gives_indochine() -> None:
    b = overrun(start(), "france", "germany")
    b.phase()
    assert b.rule("japan", act.Raise("indochine")) == "bg-6.4-phasing-first"


# ---- 8.5 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-8.5-islands-start")
def test_islands_without_production() -> None:
    b = start()
    islands = A.point_islands
    axis = [A.space_ids[s] for s in islands if b.state.side[b.state.control[s]] == AXIS]
    assert sorted(axis) == ["caroline_islands", "mariana_islands", "marshall_islands"]
    assert len(islands) == 15
    assert points_of(b.state, ALLIES) == sum(b.flag(r) for r in ("be", "usa", "ussr", "france", "china")) + 12


@pytest.mark.rule("bg-8.5-economic")
def test_economic_victory() -> None:
    b = start()
    assert has_won(b.m, AXIS) == has_won(b.m, ALLIES) == ""
    b.state.production = put(b.state.production, 0, 81 - 3 - b.flag("italy") - b.flag("japan"))
    assert has_won(b.m, AXIS) == "bg-8.5-economic"
    b.state.production = put(b.state.production, 0, b.state.production[0] - 1)
    assert has_won(b.m, AXIS) == ""
    b.state.production = put(
        b.state.production, N["usa"], 131 - 12 - sum(b.flag(r) for r in ("be", "ussr", "france", "china"))
    )
    assert has_won(b.m, ALLIES) == "bg-8.5-economic"


def test_a_handicap_changes_the_points_that_the_axis_needs() -> None:
    for handicap, points in ((0, 81), (8, 73), (-4, 85)):
        b = Board("1939-basic", full=True, handicap=handicap)
        missing = points - points_of(b.state, AXIS)
        b.state.production = put(b.state.production, 0, b.flag("germany") + missing - 1)
        assert not has_won(b.match.play, AXIS)
        b.state.production = put(b.state.production, 0, b.flag("germany") + 1)
        assert has_won(b.match.play, AXIS) == "bg-8.5-economic"
        assert points_to_win(b.state, ALLIES) == 131


def fall(b: Board, *countries: str) -> Board:
    for country in countries:
        b.state.standing = put(b.state.standing, N[country], CONQUERED)
    return b


@pytest.mark.rule("bg-8.5-axis-total", "bg-8.5-allied-total")
def test_total_victory() -> None:
    assert has_won(fall(start(), "france", "china").m, AXIS) == ""
    assert has_won(fall(start(), "france", "china", "ussr").m, AXIS) == "bg-8.5-axis-total"
    assert has_won(fall(start(), "italy").m, ALLIES) == ""
    assert has_won(fall(start(), "italy", "japan").m, ALLIES) == "bg-8.5-allied-total"


@pytest.mark.rule("bg-basic-8.5")
def test_total_victory_in_the_basic_game() -> None:
    assert has_won(fall(start("1939-basic"), "france", "china", "ussr").m, AXIS) == "bg-basic-8.5"
    assert has_won(fall(start("1939-basic"), "italy", "germany").m, ALLIES) == "bg-basic-8.5"


@pytest.mark.rule("bg-8.5-draw-both")
def test_both_at_once_is_a_draw() -> None:
    b = fall(start(), "france", "china", "ussr", "italy", "japan")
    check_victory(b.m)
    assert b.state.outcome is not None
    assert (b.state.outcome.winners, b.state.outcome.reason) == ((), "bg-8.5-draw-both")


@pytest.mark.rule("bg-8.5-world", "bg-9.0-agree")
def test_world_conquest_must_be_agreed_on() -> None:
    b = fall(start(world_conquest=True), "france", "china", "ussr")
    assert has_won(b.m, AXIS) == ""
    assert has_won(fall(b, "be", "usa").m, AXIS) == "bg-8.5-world"
    assert all(not option.default for option in GAME.options.values())


@pytest.mark.rule("bg-8.5-surrender")
def test_a_side_may_give_up() -> None:
    match = Match.new(GAME, "1939-basic", seed=1)
    for role in ("germany", "italy", "japan"):
        assert not match.over
        match.apply(role, Resign())
    assert match.outcome is not None
    assert set(match.outcome.winners) == {"be", "usa", "ussr", "france", "china"}
