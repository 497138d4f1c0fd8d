"""6.1 and 6.6 supply, 6.2 rail, 6.3 rebasing, and the gates of 6.4.3 C."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.facts.gates import is_gate_closed
from sandtable.games.blitzkrieg_general.facts.supply import is_source, supplied_spaces
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import (
    AT_AIR,
    AT_LAND,
    LAND_BATTLE,
    NEUTRAL,
    OUT,
    Battle,
    embark,
    mark,
)
from sandtable.games.blitzkrieg_general.rules.production import why_not_repair
from sandtable.games.blitzkrieg_general.rules.strength import effective
from sandtable.games.blitzkrieg_general.rules.supply import check_supply
from sandtable.games.blitzkrieg_general.sequence import Segment
from tests.games.blitzkrieg_general.positions import A, Board, nation, space, unit


def war() -> Board:
    return Board().war("germany-be", "germany-france", "italy-be", "italy-france", "germany-ussr", "italy-ussr")


def is_out(b: Board, ident: str) -> bool:
    check_supply(b.state)
    return bool(b.state.flags[unit(ident)] & OUT)


# ---- sources and lines --------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.1-source", "bg-quick-flag-source")
def test_sources_are_producing_home_areas_of_the_side() -> None:
    b = war().own("germany", "western_poland", "paris")
    sources = {A.space_ids[s] for s in A.land if is_source(b.state, 0, s)}
    assert {"prussia", "northern_italy"} <= sources
    assert not sources & {"western_poland", "paris", "tripolitania", "smolensk"}


@pytest.mark.rule("bg-6.1-land-line", "bg-6.1-out")
def test_a_chain_of_friendly_areas() -> None:
    b = war().own("germany", "western_poland", "east_poland")
    inf = b.add("germany-inf-3", "east_poland")
    assert not is_out(b, inf)
    b.own("ussr", "western_poland", "lwow", "baltic")
    assert is_out(b, inf)
    b.add("germany-inf-2", "western_poland")  # an area that holds friendly units will do
    assert not is_out(b, inf)


@pytest.mark.rule("bg-6.1-sea-line", "bg-6.1-sea-block", "bg-6.1-sea-unblock")
def test_sea_lines_are_cut_by_task_forces_only() -> None:
    b = war()
    inf = b.add("italy-inf-2", "tripolitania")
    assert not is_out(b, inf)
    b.adds("ionian_sea", "be-conv-1", "be-sub-2")
    assert not is_out(b, inf)
    b.add("be-tf-4", "ionian_sea")
    assert is_out(b, inf)
    b.add("italy-sub-2", "ionian_sea")
    assert is_out(b, inf)
    b.add("italy-conv-1", "ionian_sea")
    assert not is_out(b, inf)


@pytest.mark.rule("bg-6.1-forbidden-link")
def test_no_supply_through_a_closed_gate() -> None:
    b = war()
    closed = is_gate_closed(b.state, nation("italy"), space("levantianian_sea"), space("red_sea"))
    assert closed
    # the Axis holds only the Mediterranean: nothing beyond Suez and Gibraltar is reached from there
    b.own("be", "western_germany")
    b.state.standing = put(b.state.standing, 0, 2)
    reached = supplied_spaces(b.state, nation("italy"))
    assert reached >> space("levantianian_sea") & 1
    assert not reached >> space("red_sea") & 1
    assert not reached >> space("sea_of_portugal") & 1


@pytest.mark.rule("bg-6.1-home-always")
def test_a_unit_in_its_own_producing_home_area_is_always_supplied() -> None:
    b = war().own("germany", "northern_italy")
    b.adds("ionian_sea", "be-tf-4")
    for area in A.homes[nation("italy")]:
        b.own("be", A.space_ids[area])
    b.own("italy", "southern_italy").own("be", *A.names(A.homes[0]))
    inf, colony = b.add("italy-inf-2", "southern_italy"), b.add("italy-inf-3", "cyreneica")
    for zone in ("tyrrhenian_sea", "adria", "ligurian_sea", "levantianian_sea", "aegean_sea"):
        b.add("be-tf-3" if zone != "aegean_sea" else "be-tf-2", zone)
    assert not is_out(b, inf)
    assert is_out(b, colony)


@pytest.mark.rule("bg-6.1-ships-exempt")
def test_ships_are_never_out_of_supply_but_their_cargo_can_be() -> None:

    b = war()
    convoy, inf = b.add("italy-conv-1", "adria"), b.add("italy-inf-3", "northern_italy")
    embark(b.state, unit(inf), unit(convoy))
    b.add("be-tf-3", "adria")
    assert not is_out(b, convoy)
    assert not is_out(b, inf)  # its own convoy keeps the zone open
    b.own("be", *A.names(A.homes[0]), *A.names(A.homes[1]))
    assert is_out(b, inf)
    assert not is_out(b, convoy)


@pytest.mark.rule("bg-6.1-times", "bg-6.6-second-check")
def test_supply_is_fixed_at_the_two_checks() -> None:
    b = war().own("germany", "western_poland", "east_poland", "lwow")
    inf = b.add("germany-arm-5", "east_poland")
    foe = b.add("ussr-inf-2-orange", "white_russia")
    b.start(Segment(0))
    b.own("ussr", "western_poland", "lwow", "baltic")
    assert not b.state.flags[unit(inf)] & OUT  # it was supplied when the segment began
    while b.step.name != "exploit":
        for role in b.match.decisions():
            b.do(role, act.Done())
    assert b.step.name == "exploit"
    assert b.state.flags[unit(inf)] & OUT
    assert b.rule("germany", act.March(inf, "pripiet", "east_poland")) == "bg-6.1-effect-exploit"
    assert b.where(foe) == "white_russia"


# ---- what it costs ------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.1-effect-combat", "bg-6.5.2-zero")
def test_out_of_supply_units_fight_at_two_less() -> None:
    b = war()
    inf, foe = b.add("germany-inf-3", "kharkov"), b.add("ussr-inf-3-red", "kharkov")
    mark(b.state, unit(inf), OUT)
    fight = Battle(space("kharkov"), LAND_BATTLE, (unit(inf),), (unit(foe),))
    assert effective(b.state, fight, unit(inf), AT_LAND) == 1
    b.state.flipped = put(b.state.flipped, unit(inf), 1)
    assert effective(b.state, fight, unit(inf), AT_LAND) == 0


@pytest.mark.rule("bg-6.1-effect-aa")
def test_out_of_supply_units_have_no_anti_air() -> None:
    b = war()
    inf, foe = b.add("germany-inf-3", "kharkov"), b.add("ussr-air-3-red", "kharkov")
    fight = Battle(space("kharkov"), LAND_BATTLE, (unit(inf),), (unit(foe),))
    assert effective(b.state, fight, unit(inf), AT_AIR) == 1
    mark(b.state, unit(inf), OUT)
    assert effective(b.state, fight, unit(inf), AT_AIR) == 0


@pytest.mark.rule("bg-6.1-effect-exploit")
def test_out_of_supply_units_do_not_exploit() -> None:
    b = war()
    arm = b.add("germany-arm-5", "prussia")
    b.phase("exploit")
    mark(b.state, unit(arm), OUT)
    assert b.rule("germany", act.March(arm, "bavaria", "")) == "bg-6.1-effect-exploit"


@pytest.mark.rule("bg-6.1-effect-repair")
def test_out_of_supply_units_are_not_repaired() -> None:
    b = war()
    inf = b.add("germany-inf-3", "kharkov", flipped=True)
    b.state.points = put(b.state.points, 0, 5)
    b.start(None)
    assert why_not_repair(b.state, 0, unit(inf)) is None
    mark(b.state, unit(inf), OUT)
    refused = why_not_repair(b.state, 0, unit(inf))
    assert refused is not None
    assert refused.rule == "bg-6.1-effect-repair"


@pytest.mark.rule("bg-8.3-supply-source")
def test_a_country_that_joins_becomes_a_source() -> None:
    b = Board().war("germany-be")
    assert not is_source(b.state, nation("be"), space("usa_east"))
    b.war("germany-usa")
    assert is_source(b.state, nation("be"), space("usa_east"))


# ---- 6.2 ----------------------------------------------------------------------------------------------------------
def rails(b: Board, phasing: int = 0) -> Board:
    b.state.rail_left = (2,) * 8
    return b.phase("rail", phasing=phasing)


@pytest.mark.rule("bg-6.2-rail-extra", "bg-6.2-rail-range")
def test_rail_has_no_distance_and_comes_before_movement() -> None:
    b = war().own("germany", "bnl", "western_poland")
    inf = b.add("germany-inf-4", "bnl")
    rails(b).do("germany", act.Railroad(inf, "western_poland"))
    b.phase("land").march("germany", inf, "prussia")
    assert b.where(inf) == "prussia"


@pytest.mark.rule("bg-6.2-rail-capacity")
def test_each_point_moves_one_unit() -> None:
    b = war()
    units = b.adds("prussia", "germany-inf-4", "germany-inf-3", "germany-air-3")
    b.state.rail = (2,) * 8
    rails(b).do("germany", act.Railroad(units[0], "bavaria"), act.Railroad(units[2], "bavaria"))
    assert "germany" not in b.match.decisions()
    assert b.where(units[1]) == "prussia"


@pytest.mark.rule("bg-6.2-rail-allied-units")
def test_a_rail_point_may_carry_an_associate() -> None:
    b = war()
    inf = b.add("italy-inf-3", "southern_italy")
    rails(b).do("germany", act.Railroad(inf, "prussia"))
    assert b.where(inf) == "prussia"


@pytest.mark.rule("bg-6.2-rail-no-enemy")
def test_rail_never_enters_enemy_areas() -> None:
    b = war()
    inf = b.add("germany-inf-4", "prussia")
    rails(b)
    for area in ("western_poland", "maginot"):
        assert b.rule("germany", act.Railroad(inf, area)) == "bg-6.2-rail-no-enemy"


@pytest.mark.rule("bg-6.2-rail-japan")
def test_japanese_railways_are_in_japan_and_china() -> None:
    b = Board().war("japan-china", "japan-be")
    home, mainland = b.add("japan-inf-3", "southern_japan"), b.add("japan-inf-4", "manchuria")
    island = b.add("japan-inf-2", "formosa")
    b.own("japan", "sian", "malaya", "siam")
    far = b.add("japan-inf-2", "malaya")
    rails(b)
    assert b.rule("japan", act.Railroad(home, "northern_japan")) == ""
    assert b.rule("japan", act.Railroad(mainland, "sian")) == ""
    assert b.rule("japan", act.Railroad(island, "manchuria")) == "bg-6.2-rail-japan"
    assert b.rule("japan", act.Railroad(far, "siam")) == "bg-6.2-rail-japan"


@pytest.mark.rule("bg-6.2-rail-be")
def test_british_railways_are_not_in_south_africa() -> None:
    b = war()
    uk, africa, india = (
        b.add("be-inf-3", "england"),
        b.add("be-inf-3-sa", "south_africa"),
        b.add("be-inf-3-i", "bombay"),
    )
    rails(b, 1)
    assert b.rule("be", act.Railroad(uk, "scotland")) == ""
    assert b.rule("be", act.Railroad(india, "burma")) == ""
    assert b.rule("be", act.Railroad(africa, "rhodesia")) == "bg-6.2-rail-be"


# ---- 6.3 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.3-rebase", "bg-6.3-rebase-once")
def test_an_aircraft_is_rebased_once_and_may_still_fly_a_mission() -> None:
    b = war().own("germany", "western_poland")
    flyer = b.add("germany-air-3", "western_germany")
    b.add("ussr-inf-2-orange", "east_poland")
    b.own("ussr", "east_poland")
    b.phase("rebase").do("germany", act.Rebase(flyer, "western_poland"))
    assert b.rule("germany", act.Rebase(flyer, "prussia")) == "bg-6.3-rebase-once"
    b.phase("land").do("germany", act.Fly(flyer, "east_poland"))
    assert b.state.mission[unit(flyer)] == space("east_poland")


@pytest.mark.rule("bg-6.3-rebase-path")
def test_rebasing_crosses_seas_but_no_enemy_or_neutral_land() -> None:
    b = war()
    flyer = b.add("italy-air-2", "southern_italy")
    b.phase("rebase")
    assert b.rule("italy", act.Rebase(flyer, "tripolitania")) == ""
    german = b.add("germany-air-3", "austria")
    b.own("germany", "lwow").phase("rebase")
    # Hungary and Poland are neutral here, so there is no way over them
    assert b.rule("germany", act.Rebase(german, "lwow")) == "bg-6.3-rebase-path"


# ---- gates --------------------------------------------------------------------------------------------------------
GATES = {
    "panama": ("central_atlantic", "sea_of_panama"),
    "suez": ("red_sea", "levantianian_sea"),
    "gibraltar": ("sea_of_portugal", "gibraltar_street"),
    "malaya": ("southern_chinese_sea", "west_indian_ocean"),
    "skagerrak": ("north_sea", "skagerrak"),
    "turkey": ("black_sea", "aegean_sea"),
}


def closed(b: Board, gate: str, who: str, sub: bool = False) -> bool:
    here, there = (space(z) for z in GATES[gate])
    return is_gate_closed(b.state, nation(who), here, there, sub)


@pytest.mark.rule("bg-6.4.3c-panama")
def test_panama_is_closed_to_the_axis_once_the_usa_is_at_war() -> None:
    b = war()
    assert not closed(b, "panama", "germany")
    b.war("germany-usa")
    assert closed(b, "panama", "germany")
    assert not closed(b, "panama", "be")


@pytest.mark.rule("bg-6.4.3c-suez")
def test_one_of_two_areas_closes_suez() -> None:
    b = war()
    assert closed(b, "suez", "italy")
    b.own("italy", "alexandria")
    assert closed(b, "suez", "italy")
    assert closed(b, "suez", "be")
    b.own("italy", "near_east")
    assert not closed(b, "suez", "italy")


@pytest.mark.rule("bg-6.4.3c-gibraltar", "bg-6.4.3c-general")
def test_gibraltar() -> None:
    b = war()
    assert closed(b, "gibraltar", "italy")
    assert not closed(b, "gibraltar", "be")
    b.own("germany", "gibraltar")
    assert closed(b, "gibraltar", "be")
    b.state.standing = put(b.state.standing, nation("usa"), NEUTRAL)
    assert not closed(b, "gibraltar", "usa")  # neutrals pass
    ship = b.add("italy-tf-3", "gibraltar_street")
    b.own("be", "gibraltar").phase("naval").do("italy", act.Form("gibraltar_street", (ship,)))
    assert b.rule("italy", act.Sail("sea_of_portugal")) == "bg-6.4.3c-gibraltar"


@pytest.mark.rule("bg-6.4.3c-malaya")
def test_malaya() -> None:
    b = Board().war("japan-be")
    assert closed(b, "malaya", "japan")
    b.own("japan", "malaya")
    assert not closed(b, "malaya", "japan")
    assert closed(b, "malaya", "be")


@pytest.mark.rule("bg-6.4.3c-skagerrak")
def test_both_shores_close_the_skagerrak() -> None:
    b = war()
    assert not closed(b, "skagerrak", "be")
    b.own("germany", "norway")
    assert not closed(b, "skagerrak", "be")
    b.own("germany", "denmark")
    assert closed(b, "skagerrak", "be")


@pytest.mark.rule("bg-6.4.3c-turkey")
def test_neutral_turkey_closes_the_straits_to_all_who_fight() -> None:
    b = war()
    assert closed(b, "turkey", "germany")
    assert closed(b, "turkey", "ussr")
    b.join("turkey", "germany")
    assert not closed(b, "turkey", "germany")
    assert closed(b, "turkey", "ussr")


@pytest.mark.rule("bg-6.4.3c-subs")
def test_submarines_are_stopped_by_canals_only() -> None:
    b = war().war("germany-usa")
    assert closed(b, "panama", "germany", sub=True)
    assert closed(b, "suez", "italy", sub=True)
    assert not closed(b, "gibraltar", "germany", sub=True)
    assert not closed(b, "turkey", "germany", sub=True)
