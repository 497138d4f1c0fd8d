"""8.4, 7.1 and cards: who fights whom when a country falls, is attacked again, or makes peace."""

from __future__ import annotations

import pytest

from sandtable.core import Pass
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.facts.arrivals import arrivals
from sandtable.games.blitzkrieg_general.facts.gates import is_gate_closed
from sandtable.games.blitzkrieg_general.facts.ground import is_friendly
from sandtable.games.blitzkrieg_general.facts.production import area_value
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import MAJORS
from sandtable.games.blitzkrieg_general.rules.conquest import check_conquest, conquer
from sandtable.games.blitzkrieg_general.rules.control import free_country
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.politics import declare
from sandtable.games.blitzkrieg_general.rules.production import sub_losses
from sandtable.games.blitzkrieg_general.rules.research_phase import Research
from sandtable.games.blitzkrieg_general.rules.timetable import check_time_table
from tests.games.blitzkrieg_general.positions import Board
from tests.games.blitzkrieg_general.positions_advanced import A, Position, nation, space, unit


def enemies(p: Position, who: str) -> set[str]:
    return {other for other in MAJORS if p.at_war(who, other)}


# ---- 7.1 and 7.6 --------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-card-vichy-no-production")
def test_an_attacked_vichy_does_not_produce() -> None:
    p = Position("1941-advanced")
    before = p.production("be")
    assert p.holder("algeria") == "vichy_france"
    declare(p.m, nation("italy"), nation("vichy_france"))
    assert p.state.master[nation("vichy_france")] == nation("be")
    assert p.production("be") == before
    assert area_value(p.state, space("algeria"), nation("vichy_france")) == 0
    assert area_value(p.state, space("vichy"), nation("italy")) > 0  # whoever takes it has something of it


@pytest.mark.rule("bg-time-2-40")
def test_italy_joins_a_war_also_when_germany_has_fallen() -> None:
    p = Position("1939-advanced", turn="2/40")
    conquer(p.m, nation("germany"))
    check_time_table(p.m)
    assert p.standing("italy") == "at war"
    assert enemies(p, "italy") == {"be", "france"}


@pytest.mark.rule("bg-time-2-40")
@pytest.mark.parametrize("attacked", [False, True])
def test_it_fights_the_ussr_if_that_still_fights_the_axis_minors(attacked: bool) -> None:
    p = Position("1939-advanced", turn="2/40")
    declare(p.m, nation("germany" if attacked else "japan"), nation("ussr"))
    conquer(p.m, nation("germany"))
    check_time_table(p.m)
    assert enemies(p, "italy") == ({"be", "france", "ussr"} if attacked else {"be", "france"})


@pytest.mark.rule("bg-7.1-passengers")
def test_a_british_unit_on_a_french_convoy_goes_ashore_when_france_falls() -> None:
    p = Position("1939-advanced")
    convoy = p.add("france-conv-1", "channel")
    guest, own = p.aboard("be-inf-3", convoy), p.aboard("france-inf-2", convoy)
    conquer(p.m, nation("france"))
    assert [p.where(name) for name in (convoy, own)] == ["pool", "pool"]
    assert p.where(guest) == "england"
    assert not p.state.cargo


@pytest.mark.rule("bg-card-lend-lease-be")
@pytest.mark.parametrize("fallen", ["be", "ussr"])
def test_lend_lease_ends_when_giver_or_receiver_falls(fallen: str) -> None:
    p = Position("1941-advanced").war("germany", "ussr").hand("be", "lend_lease_be_ussr")
    p.phase(Phase("land"), side="allies")
    p.do(act.PlayCard("lend_lease_be_ussr", ""), "be")
    be, ussr = nation("be"), nation("ussr")
    assert (p.state.bonus[be], p.state.bonus[ussr]) == (-3, 3)
    p.dice(*[1] * 20)  # who plays the minors of the fallen
    conquer(p.m, nation(fallen))
    assert (p.state.bonus[be], p.state.bonus[ussr]) == (0, 0)
    assert p.pile("lend_lease_be_ussr") == "out"


@pytest.mark.rule("bg-7.1-reconquest", "bg-8.4-axis-attacks-minor")
def test_a_freed_minor_fights_for_who_would_play_it_and_lets_its_liberator_stay() -> None:
    p = Position("1941-advanced").war("germany", "ussr")
    assert p.standing("usa") == "neutral"
    inf = p.add("ussr-inf-3-red", "finland")
    p.own("ussr", "finland").phase(Phase("land"), side="allies")
    p.do(act.March(inf, "norway", "finland"), "ussr")
    assert p.holder("norway") == "norway"
    assert p.state.master[nation("norway")] == nation("be")
    assert p.at_war("norway", "germany")
    assert is_friendly(p.state, nation("ussr"), space("norway"))


@pytest.mark.rule("bg-7.1-reconquest", "bg-8.2-ussr-japan")
def test_a_liberator_that_may_not_be_in_its_masters_areas_plays_it() -> None:
    p = Position("1941-advanced").war("germany", "ussr").war("be", "japan")
    assert p.state.peace >= 0
    inf = p.add("ussr-inf-3-red", "finland")
    p.own("ussr", "finland").phase(Phase("land"), side="allies")
    p.do(act.March(inf, "norway", "finland"), "ussr")
    assert p.state.master[nation("norway")] == nation("ussr")
    assert not p.at_war("norway", "japan")
    # a country that fights on has its area back only from those it shares a war with
    p = Position("1941-advanced").war("germany", "ussr").war("be", "japan").join("greece", "be")
    p.own("germany", "greece").own("ussr", "bulgaria")
    inf = p.add("ussr-inf-3-red", "bulgaria")
    p.phase(Phase("land"), side="allies").do(act.March(inf, "greece", "bulgaria"), "ussr")
    assert p.holder("greece") == "ussr"


@pytest.mark.rule("bg-8.2-ussr-japan")
def test_new_enemies_of_one_partner_of_the_peace_leave_the_others_areas() -> None:
    p = Position("1941-advanced").war("germany", "ussr")
    flyer, own = p.add("be-air-3", "leningrad"), p.add("ussr-inf-3-red", "leningrad")
    p.add("japan-inf-3", "formosa")
    p.phase(Phase("land")).do(act.Declare("usa"), "japan")
    assert p.at_war("be", "japan")
    assert p.where(flyer) != "leningrad"
    assert p.where(own) == "leningrad"


@pytest.mark.rule("bg-8.2-return-neutral")
def test_units_go_home_when_the_enemy_they_had_in_common_has_fallen() -> None:
    p = Position("1939-advanced").war("germany", "ussr")
    guest, own = p.add("be-air-3", "leningrad"), p.add("ussr-inf-3-red", "leningrad")
    for area in A.homes[nation("germany")]:
        p.own("ussr", A.space_ids[area])
    p.dice(*[1] * 20)
    check_conquest(p.m)
    assert p.standing("germany") == "conquered"
    assert not p.state.war[nation("be")] & p.state.war[nation("ussr")]
    assert p.where(guest) != "leningrad"
    assert p.where(own) == "leningrad"


# ---- 6.5.3 submarines ---------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.3-sub-raid")
def test_a_conquest_is_no_colony_for_submarines() -> None:
    b = Board().war("germany-be").own("germany", "norway")
    b.adds("skandinavian_sea", "be-sub-2")
    assert area_value(b.state, space("norway"), nation("germany")) > 0
    assert sub_losses(b.state, nation("germany")) == 0
    b = Board().war("italy-be")
    b.adds("levantianian_sea", "be-sub-2")
    assert sub_losses(b.state, nation("italy")) == area_value(b.state, space("cyreneica"), nation("italy"))


# ---- declarations -------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-8.4-fighting-minor")
def test_a_second_declaration_does_not_bring_a_minors_dead_back() -> None:
    p = Position("1939-advanced")
    declare(p.m, nation("germany"), nation("norway"))
    assert p.state.master[nation("norway")] == nation("be")
    for one in list(p.state.here[space("norway")]):
        p.state.here = put(p.state.here, space("norway"), ())
        p.state.place = put(p.state.place, one, -1)
    level = p.state.us_level
    declare(p.m, nation("japan"), nation("norway"))
    assert p.at_war("japan", "norway")
    assert p.units_at("norway") == []
    assert p.state.us_level == level


@pytest.mark.rule("bg-8.4-fighting-minor")
def test_a_minor_won_by_coup_keeps_its_master_when_attacked() -> None:
    p = Position("1939-advanced").war("italy", "be").join("spain", "germany")
    declare(p.m, nation("ussr"), nation("spain"))
    assert p.at_war("ussr", "spain")
    assert p.state.master[nation("spain")] == nation("germany")


@pytest.mark.rule("bg-8.4-axis-free")
def test_the_axis_declares_war_on_the_great_neutrals_from_anywhere() -> None:
    b = Board("1939-advanced", full=True)
    b.phase("naval")
    assert b.rule("germany", act.Declare("usa")) == b.rule("japan", act.Declare("usa")) == ""
    assert b.rule("germany", act.Declare("arabia")) == "bg-8.4-dow"  # others must be in touch
    assert b.rule("italy", act.Declare("usa")) == "bg-time-2-40"


@pytest.mark.rule("bg-8.4-axis-free")
def test_a_japan_that_was_forced_to_peace_may_open_a_new_war() -> None:
    p = Position("1939-advanced").peace("japan", "china").war("japan", "ussr").hand("japan", "force_peace")
    p.add("japan-inf-2", "manchuria")
    p.phase(Phase("land")).do(act.PlayCard("force_peace", ""), "japan")
    assert p.standing("japan") == "neutral"
    assert p.allows(act.Declare("usa"), "japan")
    assert p.refused(act.Declare("ussr"), "japan").rule == "bg-card-force-peace"


@pytest.mark.rule("bg-6.4.3c-turkey")
def test_the_bosporus_is_closed_to_a_ussr_that_fights_turkey_alone() -> None:
    p = Position("1939-advanced")
    ussr, black, aegean = nation("ussr"), space("black_sea"), space("aegean_sea")
    assert not is_gate_closed(p.state, ussr, black, aegean)
    declare(p.m, ussr, nation("turkey"))
    assert p.standing("ussr") == "neutral"
    assert is_gate_closed(p.state, ussr, black, aegean)
    assert not is_gate_closed(p.state, ussr, black, aegean, sub=True)
    p = Position("1939-advanced")
    declare(p.m, ussr, nation("finland"))
    assert not is_gate_closed(p.state, ussr, black, aegean)  # Turkey and the USSR are neutral


# ---- cards --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-7.4-at-once", "bg-card-force-peace")
def test_what_is_under_way_against_a_former_enemy_is_called_off() -> None:
    p = Position("1939-advanced").war("japan", "ussr").hand("japan", "force_peace")
    flyer, raider = p.add("japan-air-2", "manchuria"), p.add("japan-air-2", "manchuria")
    p.add("ussr-inf-2-orange", "vladivostok")
    p.phase(Phase("land"))
    p.do(act.Fly(flyer, "vladivostok"), "japan").do(act.Bomb(raider, "vladivostok"), "japan")
    p.do(act.PlayCard("force_peace", ""), "japan")
    assert not p.state.abroad
    assert p.where(flyer) == p.where(raider) == "manchuria"


@pytest.mark.rule("bg-7.4-at-once", "bg-card-force-peace")
def test_so_are_landings_and_fleets_but_not_what_goes_against_others() -> None:
    p = Position("1939-advanced").war("japan", "ussr").hand("japan", "force_peace")
    convoy, other = p.add("japan-conv-1", "sea_of_japan"), p.add("japan-air-2", "shanghai")
    inf = p.add("japan-inf-3", "korea")
    p.add("china-inf-2", "sian")
    p.add("ussr-conv-1-red", "sea_of_japan")
    p.phase(Phase("naval"))
    for action in (
        act.Form("sea_of_japan", (convoy,)),
        act.Load(convoy, inf),
        act.Unload(inf, "vladivostok"),
        act.Halt(),
    ):
        p.do(action, "japan")
    p.state.sea_battles = {space("sea_of_japan"): 3}
    p.run(Phase("land")).do(act.Fly(other, "sian"), "japan").do(act.PlayCard("force_peace", ""), "japan")
    assert not p.state.invasions
    assert not p.state.sea_battles
    assert p.state.abroad == {unit(other): space("sian")}


@pytest.mark.rule("bg-card-sabotage")
def test_nobody_is_asked_about_sabotage_against_a_neutral() -> None:
    for who, asked in (("usa", False), ("be", True)):
        p = Position("1939-advanced").hand("italy", "sabotage_on_research").dice(6)
        p.state.numbers = put(p.state.numbers, nation(who), 1)
        p.run(Research(True)).do(act.Announce(), who)
        assert ("italy" in p.match.decisions() and p.allows(Pass(), "italy")) == asked


@pytest.mark.rule("bg-7.1-reconquest")
def test_a_freed_country_makes_up_with_those_who_fought_for_its_remains() -> None:
    p = Position("1941-advanced")
    norway, be = nation("norway"), nation("be")
    assert p.standing("norway") == "conquered"
    declare(p.m, be, norway)  # what is left of it abroad
    assert p.at_war("be", "norway")
    free_country(p.m, norway, be)
    assert not p.at_war("be", "norway")
    assert p.at_war("norway", "germany")


@pytest.mark.rule("bg-5.2-british-placement")
def test_british_units_arrive_at_home_also_beside_free_french_ones() -> None:
    b = Board().war("germany-be")
    free = next(k.id for k in A.kinds_of[nation("france")] if k.tag == "F" and k.type == A.kind_ids["be-inf-3"].type)
    french, british = b.chart(free, 0), b.chart("be-inf-3", 0)
    b.state.nation = put(b.state.nation, unit(french), nation("be"))
    due = arrivals(b.state)[nation("be")]
    assert space("delhi") in due[unit(french)]
    assert due[unit(british)] == [space("england"), space("scotland")]
