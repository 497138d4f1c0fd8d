"""6.4.5 reaction, 6.4.6 reserves, 10 pinning."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.facts.attacks import is_pinned
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import STATIONED, embark, mark
from sandtable.games.blitzkrieg_general.rules.reaction import naval_reserve_targets, react_targets, reserve_targets
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from tests.games.blitzkrieg_general.positions import A, Board, space, unit


def war() -> Board:
    return Board().war("germany-be", "germany-france")


def attacked(b: Board, area: str = "paris", *kinds: str) -> Board:
    """Germany attacks an area with these land units from BNL."""
    for kind in kinds or ("germany-inf-4",):
        b.add(kind, area, origin="bnl")
    return b


def react(b: Board) -> Board:
    for u, place in enumerate(b.state.place):
        if place >= 0:
            b.state.start = put(b.state.start, u, place)
    return b.start(Reaction(), phasing=0)


def helps(b: Board, ident: str) -> set[str]:
    return set(A.names(react_targets(b.state, unit(ident))))


def reserves(b: Board, ident: str) -> set[str]:
    return set(A.names(reserve_targets(b.state, unit(ident))))


@pytest.mark.rule("bg-6.4.5-air", "bg-6.4.5-overfly")
def test_aircraft_react_within_their_range() -> None:
    b = attacked(war())
    b.add("france-inf-2", "paris")
    near, far = b.add("be-air-2", "western_france"), b.add("be-air-3", "gibraltar")
    react(b)
    assert helps(b, near) == {"paris"}
    assert helps(b, far) == set()
    b.do("be", act.React(near, "paris"))
    assert b.state.mission[unit(near)] == space("paris")


@pytest.mark.rule("bg-6.4.5-tf", "bg-6.4.5-tf-land-only")
def test_task_forces_react_into_neighbouring_areas_only() -> None:
    b = attacked(war(), "normandy")
    b.add("france-inf-2", "normandy")
    tf, other = b.add("be-tf-4", "channel"), b.add("be-tf-3", "north_sea")
    b.add("germany-sub-2", "bay_of_biscay")
    b.add("france-tf-4", "bay_of_biscay")
    b.state.sea_battles = {**b.state.sea_battles, space("bay_of_biscay"): 3}
    react(b)
    assert helps(b, tf) == {"normandy"}
    assert helps(b, other) == set()


@pytest.mark.rule("bg-6.4.6-range", "bg-6.4.6-path", "bg-6.4.6-reserve")
def test_reserves_come_within_their_range_over_friendly_areas() -> None:
    b = attacked(war())
    b.add("france-inf-2", "paris")
    b.add("georges", "vichy")
    inf, arm = b.add("france-inf-3", "vichy"), b.add("france-arm-4", "vichy")
    b.add("gort", "normandy")
    third = b.add("be-inf-3", "normandy")
    far = b.add("france-inf-3", "maginot")
    react(b)
    assert reserves(b, inf) == reserves(b, arm) == reserves(b, third) == {"paris"}
    assert reserves(b, far) == set()  # no HQ is with it
    b = attacked(war(), "normandy")
    b.add("france-inf-2", "normandy")
    b.add("georges", "vichy")
    inf, arm = b.add("france-inf-3", "vichy"), b.add("france-arm-4", "vichy")
    react(b)
    assert reserves(b, inf) == set()
    assert reserves(b, arm) == {"normandy"}
    b.own("germany", "paris", "western_france")
    assert reserves(b, arm) == set()


@pytest.mark.rule("bg-6.4.6-reserve", "bg-6.4.6-hq-goes", "bg-2.1-hq-rating")
def test_an_hq_sends_as_many_as_its_rating_and_may_go_along() -> None:
    b = attacked(war())
    b.add("france-inf-2", "paris")
    hq = b.add("georges", "vichy")
    units = [b.add("france-inf-3", "vichy") for _ in range(3)]
    react(b)
    b.do("france", act.Reserve(units[0], "paris"), act.Reserve(units[1], "paris"))
    assert reserves(b, units[2]) == set()  # rated two
    b.do("france", act.Reserve(hq, "paris"))
    assert b.where(hq) == "paris"


@pytest.mark.rule("bg-6.4.6-air-only")
def test_an_air_attack_brings_no_reserves() -> None:
    b = war()
    b.add("germany-air-4", "bnl", mission="paris")
    b.add("france-inf-2", "paris")
    b.add("georges", "vichy")
    inf, flyer = b.add("france-inf-3", "vichy"), b.add("france-air-2", "vichy")
    react(b)
    assert reserves(b, inf) == set()
    assert helps(b, flyer) == {"paris"}


@pytest.mark.rule("bg-6.4.6-naval-hq-land", "bg-6.7-ships")
def test_a_naval_hq_ashore_works_like_any_other() -> None:
    b = Board().war("japan-usa")
    b.add("japan-inf-4", "usa_west")
    b.add("usa-inf-2", "usa_west")
    b.add("nimitz", "usa_east")
    inf = b.add("usa-inf-3", "usa_east")
    react(b)
    assert reserves(b, inf) == {"usa_west"}


@pytest.mark.rule("bg-6.4.6-naval-hq-sea")
def test_a_naval_hq_at_sea_sends_ships() -> None:

    b = Board().war("japan-usa")
    b.add("japan-tf-4", "sea_midway_islands")
    b.add("usa-conv-1", "sea_midway_islands")
    convoy, tf = b.add("usa-conv-1", "sea_hawaiian_islands"), b.add("usa-tf-4", "sea_hawaiian_islands")
    other = b.add("usa-tf-3", "american_west_coast")
    hq = b.add("nimitz", "hawaiian_islands")
    embark(b.state, unit(hq), unit(convoy))
    b.state.sea_battles = {**b.state.sea_battles, space("sea_midway_islands"): 3}
    react(b)
    assert naval_reserve_targets(b.state, unit(tf)) == [space("sea_midway_islands")]
    assert naval_reserve_targets(b.state, unit(other)) == []
    b.do("usa", act.Reserve(tf, "sea_midway_islands"))
    assert b.where(tf) == "sea_midway_islands"


# ---- pinning ------------------------------------------------------------------------------------------------------
def pinned_paris(*attackers: str) -> tuple[Board, list[str], str, str]:
    """Paris holds an HQ, three infantry and an aircraft and is attacked; Normandy is attacked too."""
    b = attacked(war(), "paris", *attackers)
    attacked(b, "normandy")
    b.add("france-inf-2", "normandy")
    hq = b.add("georges", "paris")
    units = [b.add("france-inf-3", "paris") for _ in range(3)]
    return b, units, b.add("france-air-2", "paris"), hq


@pytest.mark.rule("bg-10.1-pin", "bg-10.1-pin-reserves", "bg-10.1-pin-number")
def test_attacked_units_stay_but_the_surplus_may_go() -> None:
    b, units, _, _ = pinned_paris("germany-inf-4", "germany-inf-3", "germany-inf-3")
    react(b)
    b.do("france", act.Reserve(units[0], "normandy"))  # four land units against three
    assert reserves(b, units[1]) == set()
    b, units, _, _ = pinned_paris("germany-inf-4", "germany-inf-3", "germany-inf-3", "germany-inf-2")
    react(b)
    assert reserves(b, units[0]) == set()


@pytest.mark.rule("bg-10.1-pin-air", "bg-10.2-who")
def test_land_units_do_not_pin_aircraft_but_aircraft_pin_anything() -> None:
    b, _, flyer, _ = pinned_paris("germany-inf-4")
    react(b)
    assert helps(b, flyer) == {"normandy"}
    b, units, flyer, _ = pinned_paris("germany-inf-4")
    for _ in range(4):
        b.add("germany-air-2", "bnl", mission="paris")
    react(b)
    assert helps(b, flyer) == set()
    assert reserves(b, units[0]) == set()


@pytest.mark.rule("bg-10.2-who")
def test_hqs_pin_nobody_but_are_pinned() -> None:
    b, units, _, hq = pinned_paris("germany-inf-4", "guderian", "manstein", "rommel")
    react(b)
    assert reserves(b, units[0]) == {"normandy"}
    b, _, _, hq = pinned_paris("germany-inf-4", "germany-inf-4", "germany-inf-4", "germany-inf-4")
    react(b)
    assert is_pinned(b.state, unit(hq))


@pytest.mark.rule("bg-10.1-pin-tf")
def test_task_forces_attacked_at_sea_do_not_support_ashore() -> None:
    b = attacked(war(), "normandy")
    b.add("france-inf-2", "normandy")
    tf, second = b.add("be-tf-4", "channel"), b.add("be-tf-3", "channel")
    b.add("germany-sub-2", "channel")
    b.state.sea_battles = {**b.state.sea_battles, space("channel"): 3}
    react(b)
    assert helps(b, tf) == {"normandy"}  # two against one
    b.do("be", act.React(tf, "normandy"))
    assert helps(b, second) == set()


@pytest.mark.rule("bg-10.1-pin-naval-reserves")
def test_ships_beside_a_naval_hq_are_pinned_too() -> None:

    b = Board().war("japan-usa")
    b.add("japan-tf-4", "sea_midway_islands")
    b.add("usa-conv-1", "sea_midway_islands")
    b.adds("sea_hawaiian_islands", "japan-tf-4", "japan-tf-3", "japan-tf-3")
    convoy, tf = b.add("usa-conv-1", "sea_hawaiian_islands"), b.add("usa-tf-4", "sea_hawaiian_islands")
    hq = b.add("nimitz", "hawaiian_islands")
    embark(b.state, unit(hq), unit(convoy))
    b.state.sea_battles = {space("sea_midway_islands"): 3, space("sea_hawaiian_islands"): 3}
    react(b)
    assert naval_reserve_targets(b.state, unit(tf)) == []


# ---- what is left behind
def deserted() -> Board:
    """Germany has entered Paris; its defenders have gone to another battle."""
    return attacked(war()).own("france", "paris", "vichy", "western_france")


@pytest.mark.rule("bg-6.8-change", "bg-6.4.6-reserve")
def test_an_area_that_its_defenders_left_is_taken_without_a_shot() -> None:
    b = deserted().combat([])
    assert b.owner("paris") == "germany"
    assert b.match.state.battle is None


@pytest.mark.rule("bg-6.4.5-air", "bg-6.8-change")
def test_an_aircraft_that_flew_in_alone_meets_the_attackers_and_flies_home() -> None:
    b = deserted()
    plane = b.add("france-air-2", "vichy", mission="paris")
    b.combat([6, 6])
    assert [shooter for shooter, _ in b.fired()] == ["@germany-inf-4", "@france-air-2"]
    b.do("france", act.Withdraw(plane, "western_france"))
    assert (b.owner("paris"), b.where(plane), b.state.mission[unit(plane)]) == ("germany", "western_france", -1)


@pytest.mark.rule("bg-opt-9.1", "bg-6.8-change")
def test_the_base_of_a_watching_aircraft_is_no_garrison() -> None:
    b = deserted()
    plane = b.add("france-air-2", "paris", mission="channel")
    mark(b.state, unit(plane), STATIONED)
    b.combat([])
    assert b.owner("paris") == "germany"
    assert b.where(plane) in ("western_france", "vichy", "normandy", "england")
    assert b.state.mission[unit(plane)] == space("channel")  # it watches on, from another base
