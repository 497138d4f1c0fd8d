"""6.5.4 invasions, 6.5.6 strategic bombing, and submarines against production."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import labels
from sandtable.games.blitzkrieg_general.model.events import BattleBegan
from sandtable.games.blitzkrieg_general.model.state import (
    AT_LAND,
    BOMBER,
    BOMBING,
    DOUBLE,
    LAND_BATTLE,
    Battle,
    embark,
    mark,
    send,
)
from sandtable.games.blitzkrieg_general.rules.bombing import bomb
from sandtable.games.blitzkrieg_general.rules.cargo import why_not_unload
from sandtable.games.blitzkrieg_general.rules.chart import assignments, set_aims, why_not_assign
from sandtable.games.blitzkrieg_general.rules.combat_phase import Combats
from sandtable.games.blitzkrieg_general.rules.economy import refresh_production
from sandtable.games.blitzkrieg_general.rules.production import collect_income, sub_losses
from sandtable.games.blitzkrieg_general.rules.reaction import reserve_targets
from sandtable.games.blitzkrieg_general.rules.retreat import why_not_retreat
from sandtable.games.blitzkrieg_general.rules.search import naval_reactions
from sandtable.games.blitzkrieg_general.rules.search_phase import NavalReaction
from sandtable.games.blitzkrieg_general.rules.strength import effective
from tests.games.blitzkrieg_general.positions import A, Board, nation, space, unit


def war() -> Board:
    return (
        Board().war("germany-be", "germany-france", "germany-usa").own("germany", "normandy", "western_france", "paris")
    )


def fleet(b: Board, *cargo: str, zone: str = "channel", home: str = "england") -> tuple[list[str], list[str]]:
    """Convoys in a zone, with the units they are to land waiting ashore."""
    return [b.add("be-conv-1", zone) for _ in cargo], [b.add(kind, home) for kind in cargo]


def announce(b: Board, ships: list[str], units: list[str], area: str = "normandy", dice: tuple[int, ...] = ()) -> Board:
    b.phase("naval", phasing=1, dice=dice)
    for ship, ident in zip(ships, units, strict=True):
        b.do("be", act.Form("channel", (ship,)), act.Load(ship, ident), act.Unload(ident, area), act.Halt())
    return b


# ---- who may land where -------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.4-def", "bg-6.5.4-naval-reaction-time")
def test_a_landing_in_an_enemy_area_is_announced_and_waits() -> None:
    b = war()
    ships, units = fleet(b, "be-inf-3")
    announce(b, ships, units)
    assert b.state.invasions == {space("normandy"): (space("channel"),)}
    assert b.where(units[0]) == "channel"  # still aboard: the enemy's navy reacts first


@pytest.mark.rule("bg-6.5.4-who")
def test_aircraft_do_not_invade() -> None:
    b = war()
    (ship,), (flyer,) = fleet(b, "be-air-3")
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Load(ship, flyer))
    assert b.rule("be", act.Unload(flyer, "normandy")) == "bg-6.5.4-who"


@pytest.mark.rule("bg-6.5.4-origin", "bg-1.1-invade-direct")
def test_invaders_come_from_land_at_most_three_zones_away() -> None:
    b = war()
    (ship,), (inf,) = fleet(b, "be-inf-3")
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Load(ship, inf))
    assert why_not_unload(b.state, unit(inf), space("normandy")) is None
    b.state.spent = put(b.state.spent, unit(inf), 4)
    refused = why_not_unload(b.state, unit(inf), space("normandy"))
    assert refused is not None
    assert refused.rule == "bg-6.5.4-origin"


@pytest.mark.rule("bg-6.5.4-no-sea-stay")
def test_units_that_were_at_sea_land_only_in_friendly_areas() -> None:
    b = war()
    (ship,), (inf,) = fleet(b, "be-inf-3")
    embark(b.state, unit(inf), unit(ship))
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)))
    assert b.rule("be", act.Unload(inf, "normandy")) == "bg-6.5.4-no-sea-stay"
    b.do("be", act.Unload(inf, "england"))


@pytest.mark.rule("bg-6.5.4-no-double")
def test_ships_at_double_range_take_no_part() -> None:
    b = war()
    (ship,), (inf,) = fleet(b, "be-inf-3")
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Load(ship, inf))
    mark(b.state, unit(ship), DOUBLE)
    b.match._offers = {}
    assert b.rule("be", act.Unload(inf, "normandy")) == "bg-6.4.3f-no-landing"


@pytest.mark.rule("bg-1.2-forbidden-coast")
def test_forbidden_coasts_cannot_be_invaded() -> None:
    b = war().own("germany", "bnl")
    (ship,), (inf,) = fleet(b, "be-inf-3", zone="north_sea")
    b.phase("naval", phasing=1).do("be", act.Form("north_sea", (ship,)), act.Load(ship, inf))
    assert b.rule("be", act.Unload(inf, "bnl")) == "bg-1.2-forbidden-coast"
    assert b.rule("be", act.Unload(inf, "western_germany")) == "bg-1.2-forbidden-coast"
    b = war().own("germany", "bnl")
    (ship,), (inf,) = fleet(b, "be-inf-3")
    b.phase("naval", phasing=1).do("be", act.Form("channel", (ship,)), act.Load(ship, inf))
    assert b.rule("be", act.Unload(inf, "bnl")) == ""  # from the Channel BNL is open
    assert all(
        pair in A.forbidden_coast for z in A.coast[space("scotland")] for pair in [z * A.count + space("scotland")]
    )


# ---- the landing --------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.4-halved")
def test_invaders_fight_at_half_strength_rounded_down() -> None:
    b = war()
    units = [b.add(k, "normandy") for k in ("be-inf-3", "be-arm-4")]
    walker, foe = b.add("france-inf-3", "normandy", origin="paris"), b.add("germany-inf-3", "normandy")
    invaders = tuple(map(unit, units))
    fight = Battle(space("normandy"), LAND_BATTLE, (*invaders, unit(walker)), (unit(foe),), invaders=invaders)
    assert [effective(b.state, fight, u, AT_LAND) for u in fight.attackers] == [1, 2, 3]


def landed(
    die: int, *cargo: str, more: tuple[int, ...] = (), defenders: tuple[str, ...] = ()
) -> tuple[Board, list[str], list[str]]:
    b = war()
    ships, units = fleet(b, *cargo)
    b.adds("normandy", *defenders)
    announce(b, ships, units)
    b.do("be", act.Done())
    b.start(Combats(), [die, *more], phasing=1)
    return b, ships, units


@pytest.mark.rule("bg-6.5.4-coastal-defence")
def test_every_coast_defends_itself_with_one_die() -> None:
    for die in (2, 4):
        b, ships, units = landed(die, "be-inf-3")
        assert b.is_flipped(units[0])
        assert not b.is_flipped(ships[0])
        assert b.owner("normandy") == "france"  # empty but for the coast: liberated
    b, _, units = landed(3, "be-inf-3")
    assert not b.is_flipped(units[0])


@pytest.mark.rule("bg-6.5.4-coastal-six", "bg-10.2-landing-convoys")
def test_a_six_hits_the_convoy_too_and_convoys_do_not_fight_ashore() -> None:
    b, ships, units = landed(6, "be-inf-3", "be-inf-2", more=(6, 6, 6, 6), defenders=("germany-inf-3",))
    b.hits(units[0])
    assert b.is_flipped(units[0])
    assert b.is_flipped(ships[0])
    assert not b.is_flipped(ships[1])
    assert b.state.battle is not None
    assert not [u for u in b.state.battle.attackers if A.is_ship[u]]


@pytest.mark.rule("bg-6.5.4-no-reembark")
def test_invaders_do_not_go_back_aboard() -> None:
    b, _, _ = landed(1, "be-inf-3", more=(6, 6, 6, 6, 6, 6), defenders=("germany-inf-3",))

    assert b.state.battle is not None
    refused = why_not_retreat(b.state, 0)
    assert refused is not None
    assert refused.rule == "bg-6.5.4-no-reembark"


# ---- reactions ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.4-land-reaction", "bg-6.5.4-land-reaction-empty", "bg-6.5.4-usual-reaction")
def test_neighbours_come_without_an_hq_also_into_an_empty_area() -> None:
    b = war()
    ships, units = fleet(b, "be-inf-3")
    near = [b.add("germany-inf-2", "paris") for _ in range(3)]
    far = b.add("germany-inf-3", "maginot")
    b.own("germany", "maginot")
    hq, reserve = b.add("guderian", "bnl"), b.add("germany-arm-5", "bnl")
    b.own("germany", "bnl")
    announce(b, ships, units)
    for ident in (*near, reserve, hq):
        assert reserve_targets(b.state, unit(ident)) == [space("normandy")]
    assert reserve_targets(b.state, unit(far)) == []


def reactors(b: Board, *units: str) -> list[bool]:
    return [bool(naval_reactions(b.state, unit(u))) for u in units]


@pytest.mark.rule("bg-6.5.4-naval-reaction", "bg-6.5.4-naval-range-count", "bg-6.5.4-naval-no-search")
def test_ships_within_three_zones_attack_the_invasion_fleet_without_a_search() -> None:
    b = war().own("germany", "norway", "denmark")
    ships, units = fleet(b, "be-inf-3")
    near, far = b.add("germany-tf-4", "skagerrak"), b.add("germany-tf-3", "finnish_sea")
    announce(b, ships, units)
    assert reactors(b, near, far) == [True, False]  # two zones, four zones
    b.start(NavalReaction(), phasing=1)
    b.do("germany", act.NavalReact(near, "channel"))
    assert b.where(near) == "channel"
    assert b.state.sea_battles == {space("channel"): 3}
    assert b.state.rolled == 0


@pytest.mark.rule("bg-6.5.4-neutral-minor")
def test_against_a_fresh_neutral_only_ships_on_the_spot_react() -> None:
    b = war().join("norway", "germany").own("norway", "norway")
    ships, units = fleet(b, "be-inf-3", zone="north_sea")
    away, there = b.add("germany-tf-4", "skagerrak"), b.add("germany-sub-2", "north_sea")
    b.state.attacked |= 1 << nation("norway")
    b.state.war_since = put(b.state.war_since, nation("norway"), b.state.turn)
    b.phase("naval", phasing=1)
    b.do(
        "be",
        act.Form("north_sea", (ships[0],)),
        act.Load(ships[0], units[0]),
        act.Unload(units[0], "norway"),
        act.Halt(),
    )
    assert reactors(b, away, there) == [False, True]
    b.state.war_since = put(b.state.war_since, nation("norway"), b.state.turn - 1)
    assert reactors(b, away, there) == [True, True]


@pytest.mark.rule("bg-6.5.4-retreat")
def test_a_fleet_that_retreats_from_its_sea_battle_lands_nobody() -> None:
    b = war()
    ships, units = fleet(b, "be-inf-3", "be-inf-2")
    b.add("germany-tf-4", "channel")
    announce(b, ships, units)
    b.do("be", act.Done())
    b.state.sea_battles = {space("channel"): 3}
    b.start(Combats(), [6] * 6, phasing=1).do("be", act.Retreat("retreat"))
    b.do("be", act.Withdraw(ships[0], "sea_of_britain"), act.Withdraw(ships[1], "bay_of_biscay"))
    assert not b.state.invasions
    assert [b.where(u) for u in units] == ["sea_of_britain", "bay_of_biscay"]
    assert b.owner("normandy") == "germany"


@pytest.mark.rule("bg-6.4.1-air-return", "bg-6.5.4-retreat")
def test_aircraft_that_came_for_a_landing_that_is_called_off_fly_home() -> None:
    b = war()
    ships, units = fleet(b, "be-inf-3")
    b.add("germany-tf-4", "channel")
    one, other = b.add("germany-air-3", "paris"), b.add("germany-air-2", "paris")
    support = b.add("germany-tf-3", "bay_of_biscay")
    announce(b, ships, units)
    b.do("be", act.Done())
    for flyer in (one, other, support):
        send(b.state, unit(flyer), space("normandy"))
    b.state.sea_battles = {space("channel"): 3}
    b.start(Combats(), [6] * 6, phasing=1).do("be", act.Retreat("retreat"))
    b.do("be", act.Withdraw(ships[0], "sea_of_britain"))
    b.do("germany", act.Withdraw(one, "normandy"), act.Withdraw(other, "paris"))
    assert [b.where(u) for u in (one, other, support)] == ["normandy", "paris", "bay_of_biscay"]
    assert not b.state.abroad
    assert type(b.step).__name__ == "Idle"


@pytest.mark.rule("bg-6.5.4-fleets", "bg-6.5.4-retreat")
def test_an_area_is_invaded_by_two_fleets_and_the_one_that_stays_lands() -> None:
    b = war()
    (one, two), (first, second) = fleet(b, "be-inf-3", "be-inf-2", zone="sea_of_britain")
    foe = b.add("germany-tf-4", "bay_of_biscay")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("sea_of_britain", (one,)), act.Load(one, first), act.Sail("bay_of_biscay"))
    b.do("be", act.Unload(first, "western_france"), act.Halt())
    b.do("be", act.Form("sea_of_britain", (two,)), act.Load(two, second), act.Unload(second, "western_france"))
    b.do("be", act.Halt(), act.Done())
    assert b.state.invasions == {space("western_france"): (space("bay_of_biscay"), space("sea_of_britain"))}
    assert naval_reactions(b.state, unit(foe)) == [space("bay_of_biscay"), space("sea_of_britain")]
    b.state.sea_battles = {space("bay_of_biscay"): 3}
    b.start(Combats(), [6, 6, 1], phasing=1)  # the landing waits for the sea battle
    b.do("be", act.Retreat("retreat"), act.Withdraw(one, "channel"))
    assert [b.where(u) for u in (first, second)] == ["channel", "western_france"]


@pytest.mark.rule("bg-10.1-pin-invasion", "bg-10.1-pin-number")
def test_pinned_convoys_do_not_unload() -> None:
    b = war()
    ships, units = fleet(b, "be-inf-3", "be-inf-2")
    foe = b.add("germany-tf-4", "north_sea")
    announce(b, ships, units)
    b.start(NavalReaction(), phasing=1).do("germany", act.NavalReact(foe, "channel"))
    # two convoys, one enemy: the owner calls one landing off
    b.do("be", act.Withdraw(units[0], "channel"))
    assert b.state.mission[unit(units[0])] == -1
    assert b.state.mission[unit(units[1])] == space("normandy")
    assert type(b.step).__name__ == "Idle"


# ---- strategic bombing --------------------------------------------------------------------------------------------
def raid(dice: list[int], bombers: int = 1, interceptors: tuple[str, ...] = (), area: str = "england") -> Board:
    b = Board().war("germany-be").own("germany", "bnl")
    for _ in range(bombers):
        ident = b.add("germany-air-3", "bnl", mission=area)
        mark(b.state, unit(ident), BOMBER)
    for kind in interceptors:
        b.add(kind, "scotland", mission=area)
    return b.start(Combats(), dice, phasing=0)


@pytest.mark.rule("bg-6.5.6-hit", "bg-6.5.6-once", "bg-7.3-income")
def test_each_bombing_hit_costs_a_point_this_quarter() -> None:
    b = raid([3, 4, 2], bombers=3)
    while type(b.step).__name__ == "Landing":
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], "bnl"))
    assert b.state.bombed == {space("england"): 2}
    assert b.dice_left() == 0
    collect_income(b.m)
    assert b.state.points[nation("be")] == b.flag("be") - 2


@pytest.mark.rule("bg-6.5.6-cap")
def test_no_more_is_destroyed_than_the_area_gives() -> None:

    b = Board().war("germany-be")
    b.start(None)
    assert bomb(b.m, space("scotland"), 3) == 1
    assert bomb(b.m, space("scotland"), 3) == 0


@pytest.mark.rule("bg-6.5.6-intercept")
def test_as_many_bombers_fight_as_interceptors_come() -> None:
    b = raid([6, 1, 6], bombers=2, interceptors=("be-air-2",))
    # one fights the interceptor, one bombs; the choice is the attacker's
    while type(b.step).__name__ != "Idle":
        if type(b.step).__name__ == "Landing":
            b.answer(
                act.Withdraw(
                    A.unit_ids[b.step.units[0]], "bnl" if "germany" in A.unit_ids[b.step.units[0]] else "scotland"
                )
            )
        else:
            b.answer(act.Ready())
    assert b.state.bombed == {space("england"): 1}


@pytest.mark.rule("bg-6.5.6-tf")
def test_task_forces_escort_and_intercept_but_do_not_bomb() -> None:

    b = Board().war("germany-be")
    tf, flyer = b.add("germany-tf-4", "north_sea", mission="england"), b.add("germany-air-3", "bnl", mission="england")
    fight = set_aims(b.state, Battle(space("england"), BOMBING, (unit(tf), unit(flyer))))
    assert fight.aim == {unit(tf): 1, unit(flyer): 0}
    refused = why_not_assign(b.state, fight, unit(tf), AT_LAND, 0)
    assert refused is not None
    assert refused.rule == "bg-6.5.6-tf"
    b = Board().war("germany-be").own("germany", "bnl")
    tf, flyer = b.add("germany-tf-4", "north_sea"), b.add("germany-air-3", "bnl")
    b.phase()
    assert b.rule("germany", act.Bomb(tf, "england")) == "bg-6.5.6-tf"
    b.do("germany", act.Bomb(flyer, "england"))
    assert b.rule("germany", act.Bomb(tf, "england")) == ""  # as an escort


# ---- bombing where troops fight -----------------------------------------------------------------------------------
def two_combats() -> tuple[Board, dict[str, str]]:
    """Germany bombs Paris and marches in; two French aircraft are there."""
    b = Board().war("germany-france").own("germany", "bnl")
    units = {"bomber": b.add("germany-air-4", "bnl"), "inf": b.add("germany-inf-4", "bnl")}
    units |= {"foe": b.add("france-inf-3", "paris")}
    units |= {"near": b.add("france-air-2", "paris"), "far": b.add("france-air-2", "normandy")}
    return b, units


@pytest.mark.rule("bg-6.5.6-two-combats", "bg-6.5.1-complete")
@pytest.mark.parametrize("march_first", [False, True])
def test_bombing_and_marching_into_one_area_are_two_combats(march_first: bool) -> None:
    b, unit_of = two_combats()
    b.phase()
    moves = [act.Bomb(unit_of["bomber"], "paris"), act.March(unit_of["inf"], "paris", "bnl")]
    b.do("germany", *(reversed(moves) if march_first else moves))
    send(b.state, unit(unit_of["far"]), space("paris"))
    # the raid comes first; France says who meets the bomber
    b.combat([1, 6, 6, 6, 6, 6, 6, 6])
    assert type(b.step).__name__ == "Bombardment"
    b.do("france", act.Join((unit_of["far"],)))
    raid = next(event for event in b.m.events if isinstance(event, BattleBegan))
    assert raid.attackers == labels([unit(unit_of["bomber"])])
    assert raid.defenders == labels([unit(unit_of["far"])])
    while b.state.battle is None or b.state.battle.kind == BOMBING:
        if type(b.step).__name__ == "Landing":
            home = "bnl" if b.step.units[0] == unit(unit_of["bomber"]) else "normandy"
            b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], home))
        else:
            b.answer(act.Ready())
    # then the land combat, without those who fought in the raid
    assert b.state.battle.kind == LAND_BATTLE
    assert b.state.battle.attackers == (unit(unit_of["inf"]),)
    assert set(b.state.battle.defenders) == {unit(unit_of["foe"]), unit(unit_of["near"])}


@pytest.mark.rule("bg-6.5.6-two-combats")
def test_who_meets_the_bombers_at_home_stays_there_until_the_land_combat_is_over() -> None:
    b, unit_of = two_combats()
    b.phase().do("germany", act.Bomb(unit_of["bomber"], "paris"), act.March(unit_of["inf"], "paris", "bnl"))
    b.combat([6] * 12).do("france", act.Join((unit_of["near"],)))
    while b.state.battle is None or b.state.battle.kind == BOMBING:
        b.answer(act.Withdraw(unit_of["bomber"], "bnl") if type(b.step).__name__ == "Landing" else act.Ready())
    assert b.where(unit_of["near"]) == "paris"
    assert unit(unit_of["near"]) not in b.state.battle.defenders


@pytest.mark.rule("bg-6.5.6-two-combats")
def test_bombers_do_not_bomb_what_has_fallen_meanwhile() -> None:
    b = Board().war("germany-france").own("germany", "bnl")
    bomber, inf = b.add("germany-air-4", "bnl"), b.add("germany-inf-4", "bnl")
    b.phase().do("germany", act.Bomb(bomber, "paris"), act.March(inf, "paris", "bnl"))
    assert b.owner("paris") == "germany"
    b.combat([]).do("germany", act.Withdraw(bomber, "paris"))
    assert not b.state.bombed
    assert b.where(bomber) == "paris"


@pytest.mark.rule("bg-6.5.6-separate")
def test_the_stronger_air_force_assigns_its_surplus() -> None:
    b = raid([], bombers=0)

    mine = [b.add("germany-air-3", "bnl", mission="england") for _ in range(2)]
    foot, foe, flyer = b.add("germany-inf-3", "england"), b.add("be-inf-3", "england"), b.add("be-air-2", "england")
    fight = Battle(space("england"), LAND_BATTLE, tuple(map(unit, (*mine, foot))), (unit(foe), unit(flyer)))
    fight = set_aims(b.state, fight)
    assert len(assignments(b.state, fight, 0)) == 1


# ---- submarines against production --------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.3-sub-raid", "bg-6.5.3-sub-raid-phase", "bg-6.5.3-sub-raid-cap")
def test_submarines_cost_production_beside_british_homes_and_colonies() -> None:
    b = Board().war("germany-be", "germany-france")
    be, france = nation("be"), nation("france")
    b.adds("sea_of_britain", "germany-sub-2", "germany-sub-2")
    assert sub_losses(b.state, be) == 2
    assert sub_losses(b.state, france) == 0  # Western France is home, not a colony
    b.adds("gibraltar_street", "germany-sub-2")
    assert sub_losses(b.state, france) == 1
    b.adds("gibraltar_street", "germany-sub-2", "germany-sub-2")
    assert sub_losses(b.state, france) == 1  # no more than Algeria gives
    b.start(None)
    collect_income(b.m)
    assert b.state.points[be] == b.flag("be") - 2


@pytest.mark.rule("bg-6.5.3-sub-raid-neutral")
def test_submarines_stop_deliveries_that_come_by_sea() -> None:
    b = Board().war("japan-china", "japan-be")
    b.state.deliveries = (False, False, False, True)

    refresh_production(b.state)
    b.adds("american_west_coast", "be-sub-2", "be-sub-2")
    assert sub_losses(b.state, nation("japan")) == 2
