"""6.4.1-6.4.3 B: ranges, double range, transport."""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.rules.flying import fly_targets
from sandtable.games.blitzkrieg_general.rules.movement import march_targets
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from tests.games.blitzkrieg_general.positions import A, Board, nation, space, unit


def war(scenario: str = "1939-advanced") -> Board:
    return Board(scenario).war("germany-be", "germany-france", "italy-be", "germany-ussr", "japan-china")


def reach(b: Board, ident: str) -> set[str]:
    return set(A.names(list(march_targets(b.state, unit(ident)))))


def flights(b: Board, ident: str) -> set[str]:
    return set(A.names(fly_targets(b.state, unit(ident))))


# ---- land ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.4.1-infantry", "bg-6.4.2-double-no-attack", "bg-6.4.1-max")
def test_infantry_moves_one_area_or_two_friendly_ones() -> None:
    b = war().own("germany", "bnl")
    inf = b.add("germany-inf-4", "western_germany")
    b.add("france-inf-3", "paris")
    b.phase()
    assert {"bnl", "bavaria", "prussia", "austria", "maginot"} <= reach(b, inf)
    assert "paris" not in reach(b, inf)  # two areas away and held by the enemy
    assert b.rule("germany", act.March(inf, "paris", "bnl")) == "bg-6.4.1-infantry"


@pytest.mark.rule("bg-6.4.1-armor", "bg-6.4.1-hq")
def test_armor_and_hqs_move_two_areas() -> None:
    b = war().own("germany", "bnl")
    arm, hq = b.add("germany-arm-5", "western_germany"), b.add("guderian", "western_germany")
    b.add("france-inf-3", "paris")
    b.phase()
    assert "paris" in reach(b, arm)
    assert "paris" in reach(b, hq)
    assert "western_france" not in reach(b, arm)
    assert b.rule("germany", act.March(arm, "western_france", "paris")) == "bg-6.4.1-armor"
    assert b.rule("germany", act.March(hq, "western_france", "paris")) == "bg-6.4.1-hq"


@pytest.mark.rule("bg-6.4.1-overrun-empty", "bg-6.8-change", "bg-6.8-flag")
def test_armor_passes_an_empty_enemy_area_and_takes_it() -> None:
    b = war().own("germany", "bnl")
    arm, inf = b.add("germany-arm-5", "bnl"), b.add("germany-inf-4", "bnl")
    b.add("france-inf-3", "western_france")
    b.phase()
    assert "western_france" not in reach(b, inf)
    b.march("germany", arm, "western_france", "paris")
    assert b.owner("paris") == "germany"
    assert b.owner("western_france") == "france"
    b.add("france-inf-2", "normandy")
    other = b.add("germany-arm-4", "bnl")
    b.phase()
    assert "normandy" not in b.ways(other, "western_france")  # an occupied area stops it


@pytest.mark.rule("bg-6.4.1-once", "bg-6.4-phasing-first")
def test_each_unit_moves_once() -> None:
    b = war()
    inf = b.add("germany-inf-4", "prussia")
    b.phase().march("germany", inf, "bavaria")
    assert b.rule("germany", act.March(inf, "prussia", "")) == "bg-6.4.1-once"


@pytest.mark.rule("bg-6.2-no-diagonal")
def test_no_movement_over_corners() -> None:
    assert space("kharkov") not in A.land_next[space("voronesh")]
    b = war()
    inf = b.add("ussr-inf-3-red", "voronesh")
    b.own("germany", "kursk", "rostov", "gomel").phase(phasing=1)
    assert "kharkov" not in reach(b, inf)


# ---- air ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.4.1-air", "bg-6.4.1-overfly")
def test_aircraft_fly_two_spaces_over_enemies_but_not_over_neutrals() -> None:
    b = war()
    flyer = b.add("germany-air-3", "western_germany")
    b.add("france-inf-3", "paris")
    b.add("france-inf-2", "western_france")
    b.phase()
    assert "paris" in flights(b, flyer)  # over the Maginot line
    assert "western_france" not in flights(b, flyer)
    b.own("bnl", "maginot")  # neutral ground all round
    assert "paris" not in flights(b, flyer)


@pytest.mark.rule("bg-6.4.1-air-landing")
def test_aircraft_land_in_friendly_areas_only() -> None:
    b = war()
    flyer = b.add("germany-air-3", "western_germany")
    b.phase()
    assert "maginot" not in flights(b, flyer)  # empty and French: nothing to attack, nowhere to land
    assert b.rule("germany", act.Fly(flyer, "denmark")) in ("bg-6.4.1-air-landing", "bg-6.4.1-air")


@pytest.mark.rule("bg-6.4.2-double")
def test_double_range_needs_friendly_air_all_the_way() -> None:
    b = war().own("germany", "western_poland", "east_poland")
    flyer = b.add("germany-air-3", "western_germany")
    b.phase()
    assert "east_poland" in flights(b, flyer)
    b.own("ussr", "western_poland")
    assert "east_poland" not in flights(b, flyer)


# ---- ships --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.4.1-ships", "bg-6.4.3f-double")
def test_ships_sail_three_zones_or_six() -> None:
    b = war()
    ship = b.add("be-conv-1", "skandinavian_sea")
    b.phase("naval", phasing=1).do("be", act.Form("skandinavian_sea", (ship,)))
    path = ["north_sea", "channel", "sea_of_britain", "sea_of_portugal", "west_african_sea", "cape_of_good_hope"]
    for zone in path:
        b.do("be", act.Sail(zone))
        assert bool(b.state.flags[unit(ship)] & 32) == (path.index(zone) >= 3)
    assert b.rule("be", act.Sail("east_african_sea")) == "bg-6.4.1-ships"


@pytest.mark.rule("bg-basic-6.1.2")
def test_in_the_basic_game_double_range_never_meets_an_enemy() -> None:
    b = Board("1939-basic").war("germany-be")
    ship = b.add("be-tf-4", "skandinavian_sea")
    b.add("germany-sub-2", "sea_of_portugal")
    b.phase("naval", phasing=1).do("be", act.Form("skandinavian_sea", (ship,)))
    b.do("be", act.Sail("north_sea"), act.Sail("channel"), act.Sail("sea_of_britain"))
    assert b.rule("be", act.Sail("sea_of_portugal")) == "bg-basic-6.1.2"


# ---- transport ----------------------------------------------------------------------------------------------------
def harbour(*convoys: bool) -> tuple[Board, list[str]]:
    """British convoys in the Channel; True is a reduced one."""
    b = war()
    ships = [b.add("be-conv-1", "channel", flipped=f) for f in convoys]
    return b, ships


def load(b: Board, convoy: str, *units: str) -> None:
    b.do("be", *(act.Load(convoy, u) for u in units))


@pytest.mark.rule("bg-6.4.3a-capacity", "bg-6.4.3b-free-loading")
def test_a_convoy_carries_one_unit_also_an_associates() -> None:
    b, (ship,) = harbour(False)
    one, two = b.add("france-inf-3", "normandy"), b.add("be-inf-3", "england")
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Load(ship, one))
    assert b.rule("be", act.Load(ship, two)) == "bg-6.4.3a-once"
    b.do(
        "be", act.Sail("sea_of_britain"), act.Sail("sea_of_portugal"), act.Sail("gibraltar_street")
    )  # loading was free
    assert b.where(one) == "gibraltar_street"


@pytest.mark.rule("bg-6.4.3a-backside")
def test_a_reduced_convoy_carries_a_reduced_unit_only() -> None:
    b, (ship,) = harbour(True)
    whole, hurt = b.add("be-inf-3", "england"), b.add("be-inf-2", "england", flipped=True)
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)))
    assert b.rule("be", act.Load(ship, whole)) == "bg-6.4.3a-backside"
    load(b, ship, hurt)
    assert b.where(hurt) == "channel"


@pytest.mark.rule("bg-6.4.3a-two-backs")
def test_a_full_convoy_carries_two_reduced_units() -> None:
    b, (ship,) = harbour(False)
    hurt = [b.add("be-inf-3", "england", flipped=True) for _ in range(3)]
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)))
    load(b, ship, hurt[0], hurt[1])
    assert b.rule("be", act.Load(ship, hurt[2])) == "bg-6.4.3a-once"
    assert b.state.cargo[unit(ship)] == (unit(hurt[0]), unit(hurt[1]))


@pytest.mark.rule("bg-6.4.3a-once")
def test_a_convoy_is_loaded_once_a_phase() -> None:
    b, (ship,) = harbour(False)
    one, two = b.add("be-inf-3", "england"), b.add("be-inf-2", "england")
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Load(ship, one), act.Unload(one, "normandy"))
    assert b.rule("be", act.Load(ship, two)) == "bg-6.4.3a-once"


@pytest.mark.rule("bg-6.4.3b-transfer")
def test_cargo_is_handed_over_beside_a_friendly_coast() -> None:
    b = war()
    one, two, three = (b.add("be-conv-1", zone) for zone in ("channel", "central_atlantic", "sea_of_portugal"))
    inf, other = b.add("be-inf-3", "england"), b.add("be-inf-2", "england")
    fourth = b.add("be-conv-1", "channel")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("channel", (one,)), act.Load(one, inf))
    b.do("be", act.Sail("sea_of_britain"), act.Sail("central_atlantic"), act.Halt())
    b.do("be", act.Form("central_atlantic", (two,)))
    assert b.rule("be", act.Load(two, inf)) == "bg-6.4.3b-transfer"  # the open ocean
    b.do("be", act.Halt(), act.Form("channel", (fourth,)), act.Load(fourth, other))
    b.do("be", act.Sail("sea_of_britain"), act.Sail("sea_of_portugal"), act.Halt())
    b.do("be", act.Form("sea_of_portugal", (three,)), act.Load(three, other), act.Sail("gibraltar_street"))
    assert b.where(other) == "gibraltar_street"  # handed over off Gibraltar


@pytest.mark.rule("bg-6.4.3b-unload")
def test_unloading_ends_the_move_of_the_cargo() -> None:
    b, (ship,) = harbour(False)
    arm = b.add("be-arm-4", "england")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("channel", (ship,)), act.Load(ship, arm), act.Unload(arm, "normandy"), act.Halt())
    b.do("be", act.Done())
    b.start(Phase("land"), phasing=1)
    assert b.rule("be", act.March(arm, "paris", "")) == "bg-6.4.1-once"


@pytest.mark.rule("bg-6.4.3b-exploit")
def test_unloaded_units_may_exploit() -> None:
    b, (ship,) = harbour(False)
    arm = b.add("be-arm-4", "england")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("channel", (ship,)), act.Load(ship, arm), act.Unload(arm, "normandy"), act.Halt())
    b.phase("exploit", phasing=1).march("be", arm, "paris")
    assert b.where(arm) == "paris"


# ---- neutrality ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-8.1-neutral-area")
def test_neutral_areas_are_closed() -> None:
    b = war()
    inf, flyer = b.add("germany-inf-4", "western_germany"), b.add("germany-air-3", "western_germany")
    b.phase()
    assert b.rule("germany", act.March(inf, "denmark", "western_germany")) == "bg-8.1-neutral-area"
    assert space("denmark") not in [space(s) for s in flights(b, flyer)]


@pytest.mark.rule("bg-8.2-neutral-units")
def test_a_neutral_major_stays_at_home() -> None:
    b = Board(full=True)
    inf = b.find("italy-inf-3", "northern_italy")
    b.phase()
    assert b.rule("italy", act.March(inf, "austria", "")) == "bg-8.2-neutral-units"
    b.march("italy", inf, "southern_italy")


@pytest.mark.rule("bg-8.8-bulgaria")
def test_bulgarians_stay_out_of_the_ussr() -> None:
    b = war().join("bulgaria", "germany").join("romania", "germany")
    b.own("romania", "romania").own("germany", "odessa")
    inf = b.add("bulgaria-inf-2", "romania")
    b.phase()
    assert b.rule("germany", act.March(inf, "odessa", "")) == "bg-8.8-bulgaria"


@pytest.mark.rule("bg-8.4-dow")
def test_who_attacks_an_area_must_fight_everybody_in_it() -> None:
    b = Board().war("germany-ussr", "germany-be", "japan-ussr")
    inf = b.add("japan-inf-4", "manchuria")
    b.adds("vladivostok", "ussr-inf-2-orange", "be-inf-3")
    b.phase()
    assert b.rule("japan", act.March(inf, "vladivostok", "manchuria")) == "bg-8.4-dow"
    assert not b.state.war[nation("japan")] >> nation("be") & 1
