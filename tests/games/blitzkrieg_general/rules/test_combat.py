"""6.5.1-6.5.3, 6.5.5, 6.5.7: rounds, segments, fire, hits."""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.facts.reach import air_range
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import (
    AT_AIR,
    AT_LAND,
    AT_SHIPS,
    AT_SUBS,
    LAND_BATTLE,
    OUT,
    SEA_BATTLE,
    Battle,
    embark,
    mark,
)
from sandtable.games.blitzkrieg_general.rules.chart import assignments, set_aims, steps_left, targets
from sandtable.games.blitzkrieg_general.rules.strength import effective, parts_of
from tests.games.blitzkrieg_general.positions import A, Board, battle, pending, space, unit


def war(scenario: str = "1939-advanced") -> Board:
    return Board(scenario).war("germany-be", "germany-france", "germany-ussr", "germany-usa")


def laid(b: Board, where: str, attackers: list[str], defenders: list[str], kind: int = LAND_BATTLE) -> Battle:
    """Units on the chart, placed as the rules force them."""
    fight = Battle(space(where), kind, tuple(map(unit, attackers)), tuple(map(unit, defenders)))
    return set_aims(b.state, fight)


def value(b: Board, fight: Battle, ident: str, aim: int | None = None) -> int:
    return effective(b.state, fight, unit(ident), fight.aim[unit(ident)] if aim is None else aim)


# ---- rounds -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.1-order", "bg-6.5.1-complete")
def test_the_phasing_side_chooses_the_order_and_finishes_one_battle_first() -> None:
    b = war()
    for area in ("paris", "normandy"):
        b.add("germany-inf-4", area, origin="bnl")
        b.add("france-inf-2", area)
    b.combat([6, 6, 6, 6])
    b.do("germany", act.Attack("normandy"))
    assert b.rule("germany", act.Attack("paris")) == "bg-6.5.8-ask"
    assert b.state.battle is not None
    assert b.state.battle.space == space("normandy")


@pytest.mark.rule("bg-6.5.1-one-die", "bg-6.5.1-armor-twice", "bg-6.5.1-hit")
def test_one_die_a_unit_two_for_armor_hit_at_or_below_the_strength() -> None:
    b = battle(
        war(), "kharkov", ["germany-arm-5", "germany-inf-3"], ["ussr-inf-4-redg", "ussr-inf-4-redg"], [5, 6, 3, 4, 5]
    )
    assert b.dice_left() == 0
    assert pending(b) == (1, 2)  # 5 and 6 at 5, 3 at 3; 4 and 5 at 4


@pytest.mark.rule("bg-6.5.1-no-fire")
def test_hqs_do_not_fire() -> None:
    b = battle(war(), "kharkov", ["germany-inf-3", "guderian"], ["konev", "ussr-inf-3-red"], [6, 6])
    assert b.dice_left() == 0


@pytest.mark.rule("bg-6.5.1-simultaneous")
def test_losses_count_only_after_both_have_fired() -> None:
    b = battle(war(), "kharkov", ["germany-arm-5", "germany-inf-4"], ["ussr-inf-2-orange!"], [1, 1])
    # one hit kills the defender, yet it answers with the die that follows
    assert pending(b) == (1, 1)
    assert b.dice_left() == 0


@pytest.mark.rule("bg-6.5.2-zero")
def test_a_unit_at_nothing_does_not_fire_but_takes_hits() -> None:
    b = war().weather(europe=True)
    battle(
        b,
        "lwow",
        [("germany-inf-2", "hungary"), ("germany-inf-4", "hungary")],
        ["ussr-inf-3-red", "ussr-inf-3-red"],
        [6, 1, 6],
    )
    assert b.dice_left() == 0
    assert pending(b) == (1, 0)
    b.hits(b.find("germany-inf-2", "lwow"))


# ---- segments -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.3-segments", "bg-6.5.3-weaker-air", "bg-6.5.3-stronger-air")
def test_the_weaker_air_force_goes_up_and_the_stronger_matches_it() -> None:
    b = war()
    mine = [b.add("germany-air-4", "baltic", mission="leningrad") for _ in range(3)]
    foot = b.add("germany-inf-4", "leningrad")
    foe, flyer = b.add("ussr-inf-3-red", "leningrad"), b.add("ussr-air-3-red", "leningrad")
    fight = laid(b, "leningrad", [*mine, foot], [foe, flyer])
    assert fight.aim[unit(flyer)] == AT_AIR
    assert sorted(fight.aim[unit(u)] for u in mine) == [AT_LAND, AT_LAND, AT_AIR]
    assert fight.aim[unit(foot)] == AT_LAND
    up = next(u for u in mine if fight.aim[unit(u)] == AT_AIR)
    assert unit(up) not in assignments(b.state, fight, 0)  # it must stay
    assert assignments(b.state, fight, 1) == {}


@pytest.mark.rule("bg-6.5.3-announce", "bg-6.5.3-switch")
def test_the_attacker_announces_first_and_may_switch_the_surplus() -> None:
    b = war()
    for _ in range(2):
        b.add("germany-air-4", "western_poland", mission="kharkov")
    b.add("germany-inf-4", "kharkov")
    b.adds("kharkov", "ussr-inf-3-red", "ussr-air-3-red")
    b.combat([6] * 12)
    assert b.match.decisions() == ("germany",)
    spare = next(u for u in ("germany-air-4-1", "germany-air-4-2") if b.rule("germany", act.Assign(u, "air")) == "")
    b.do("germany", act.Assign(spare, "air"), act.Assign(spare, "land"), act.Ready())
    assert b.state.battle is not None
    assert sum(a == AT_AIR for u, a in b.state.battle.aim.items() if A.nation_ids[b.state.nation[u]] == "germany") == 1


@pytest.mark.rule("bg-6.5.3-air-land", "bg-6.5.3-air-airsea", "bg-5.4-bad-air-sea")
def test_aircraft_are_changed_by_terrain_only_against_land() -> None:
    b = war().weather(europe=True)
    flyer, foe = b.add("germany-air-4", "baltic", mission="leningrad"), b.add("ussr-air-3-red", "leningrad")
    fight = laid(b, "leningrad", [flyer], [foe])
    assert value(b, fight, flyer, AT_LAND) == 2  # forest and weather
    assert value(b, fight, flyer, AT_AIR) == 3  # weather
    assert value(b, fight, foe, AT_AIR) == 2
    mark(b.state, unit(flyer), OUT)
    assert value(b, fight, flyer, AT_AIR) == 1


@pytest.mark.rule("bg-6.5.3-tf-halved", "bg-6.5.3-tf-airsea")
def test_a_task_force_is_halved_against_land_only() -> None:
    b = war()
    tf, foe = b.add("be-tf-3", "channel", mission="normandy"), b.add("germany-inf-3", "normandy")
    fight = laid(b, "normandy", [tf], [foe])
    assert value(b, fight, tf, AT_LAND) == 2
    assert value(b, fight, tf, AT_AIR) == 3


@pytest.mark.rule("bg-5.4-bad-land", "bg-6.5.3-mod-order")
def test_bad_weather_weakens_land_units_that_attack() -> None:
    b = war().weather(europe=True)
    mine, foe = b.add("germany-inf-4", "baltic", origin="western_poland"), b.add("ussr-inf-3-red", "baltic")
    fight = laid(b, "baltic", [mine], [foe])
    assert value(b, fight, mine) == 2  # river and weather
    assert value(b, fight, foe) == 3

    mark(b.state, unit(mine), OUT)
    assert [name for name, _, _ in parts_of(b.state, fight, unit(mine), AT_LAND)] == [
        "printed",
        "river",
        "bad-weather",
        "out-of-supply",
    ]


@pytest.mark.rule("bg-6.5.3-mandatory", "bg-6.5.3-land-strength")
def test_units_fight_at_their_modified_strength() -> None:
    b = battle(war(), "baltic", [("germany-inf-4", "western_poland")], ["ussr-inf-3-red"], [4, 6])
    assert pending(b) == (0, 0)  # a 4 misses: the river makes it a 3


# ---- anti-air -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.5-strength", "bg-6.5.3-aa-unmodified", "bg-6.5.3-aa-placement", "bg-6.5.5-exclusive")
def test_land_units_alone_against_aircraft_fire_anti_air() -> None:
    b = war().weather(europe=True)
    inf, flyer = b.add("ussr-inf-4-redg", "trans_caucasus"), b.add("germany-air-4", "romania", mission="trans_caucasus")
    fight = laid(b, "trans_caucasus", [flyer], [inf])
    assert fight.aim[unit(inf)] == AT_AIR
    assert value(b, fight, inf) == 1


@pytest.mark.rule("bg-6.5.5-armor", "bg-6.5.1-armor-twice")
def test_armor_fires_twice_also_as_anti_air() -> None:
    b = war()
    b.add("germany-air-4", "western_poland", mission="kharkov")
    b.add("ussr-arm-4-red", "kharkov")
    b.combat([6, 2, 2])
    assert b.dice_left() == 0


@pytest.mark.rule("bg-6.5.3-aa-excess")
def test_only_the_excess_of_a_side_without_aircraft_serves_as_anti_air() -> None:
    b = war()
    b.add("germany-inf-4", "kharkov")
    b.add("germany-air-4", "western_poland", mission="kharkov")
    units = b.adds("kharkov", "ussr-inf-3-red", "ussr-inf-3-red", "ussr-inf-3-red")
    b.combat([6] * 8)
    assert b.match.decisions() == ("ussr",)
    b.do("ussr", act.Assign(units[0], "air"), act.Assign(units[1], "air"))
    assert b.rule("ussr", act.Assign(units[2], "air")) == "bg-6.5.3-aa-excess"
    assert b.rule("ussr", act.Assign(units[0], "nowhere")) == "bg-6.5.3-announce"


@pytest.mark.rule("bg-6.5.5-cargo", "bg-6.5.7-cargo-immune")
def test_cargo_takes_no_part_in_a_sea_battle() -> None:
    b = war()
    convoy, inf = b.add("be-conv-1", "north_sea"), b.add("be-inf-3", "england")
    embark(b.state, unit(inf), unit(convoy))
    b.add("germany-tf-4", "north_sea")
    b.state.sea_battles = {**b.state.sea_battles, space("north_sea"): 3}
    b.combat([6, 6])
    assert b.state.battle is not None
    assert unit(inf) not in (*b.state.battle.attackers, *b.state.battle.defenders)


# ---- hits ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.7-two-hits", "bg-6.5.7-owner-choice")
def test_the_first_hit_flips_the_second_kills_where_the_owner_likes() -> None:
    b = battle(
        war(), "kharkov", ["germany-arm-5", "germany-inf-4"], ["ussr-inf-3-red", "ussr-inf-3-red"], [1, 1, 6, 6, 6]
    )
    one, two = (b.find("ussr-inf-3-red", "kharkov", n) for n in (0, 1))
    b.hits(one)
    assert b.is_flipped(one)
    b.hits(one)
    assert b.where(one) == "pool"
    assert not b.is_flipped(two)


@pytest.mark.rule("bg-6.5.7-blank-back", "bg-6.5.7-hq-one-hit")
def test_blank_backs_and_hqs_die_at_once() -> None:

    b = war()
    assert steps_left(b.state, unit(b.add("ussr-air-1-orange", "kiev"))) == 1
    assert steps_left(b.state, unit(b.add("konev", "kiev"))) == 1
    assert steps_left(b.state, unit(b.add("ussr-inf-3-red", "kiev"))) == 2
    assert steps_left(b.state, unit(b.add("ussr-conv-1-red", "black_sea"))) == 2


@pytest.mark.rule("bg-6.5.7-excess")
def test_excess_hits_have_no_effect() -> None:
    b = battle(war(), "kharkov", ["germany-arm-5", "germany-arm-5"], ["ussr-inf-2-orange!"], [1, 6])
    assert b.owner("kharkov") == "germany"
    assert b.dice_left() == 0  # nothing left to hit: no further dice


@pytest.mark.rule("bg-6.5.7-by-segment", "bg-ex-adv-lwow-air-loss")
def test_land_hits_fall_on_land_units() -> None:
    b = war()
    b.adds("kharkov", "germany-inf-4", "germany-inf-4")
    flyer = b.add("germany-air-3", "western_poland", mission="kharkov")
    b.adds("kharkov", "ussr-inf-4-redg", "ussr-inf-4-redg")
    b.combat([6, 6, 6, 1, 6])
    while b.match.decisions() and type(b.step).__name__ == "Fight" and b.step.stage == "assign":
        b.answer(act.Ready())
    assert b.rule("germany", act.TakeHit(flyer)) == "bg-6.5.7-by-segment"


@pytest.mark.rule("bg-6.5.7-aa-not-loss")
def test_anti_air_units_take_no_air_sea_hits() -> None:

    b = war()
    mine = [b.add("germany-air-4", "western_poland", mission="kharkov")]
    foes = [b.add("ussr-air-2-red", "kharkov"), b.add("ussr-inf-3-red", "kharkov")]
    fight = laid(b, "kharkov", mine, foes)
    assert fight.aim[unit(foes[1])] == AT_AIR
    assert targets(b.state, fight, 1, AT_AIR) == [unit(foes[0])]


@pytest.mark.rule("bg-6.5.7-air-switch", "bg-6.5.7-mid-switch")
def test_when_the_enemy_has_no_aircraft_left_flyers_turn_on_the_ground() -> None:
    b = war()
    for kind in ("germany-air-4", "germany-air-3"):
        b.add(kind, "western_poland", mission="kharkov")
    b.add("germany-inf-2", "kharkov")
    b.adds("kharkov", "ussr-inf-3-red", "ussr-air-1-orange")
    # the first aircraft shoots the only Soviet one down, the second turns to the land segment in the same round
    b.combat([1, 1, 6, 6, 6])
    while type(b.step).__name__ == "Fight" and b.step.stage == "assign":
        mine = [u for u in ("germany-air-3-1",) if b.rule("germany", act.Assign(u, "air")) == ""]
        b.answer(*(act.Assign(u, "air") for u in mine), act.Ready())
    assert b.kinds("kharkov").count("ussr-inf-3-red!") == 1


@pytest.mark.rule("bg-6.5.7-cargo")
def test_cargo_suffers_with_its_convoy() -> None:
    b = war()
    convoy, inf = b.add("be-conv-1", "north_sea"), b.add("be-inf-3", "england")
    embark(b.state, unit(inf), unit(convoy))
    b.add("germany-tf-4", "north_sea")
    b.state.sea_battles = {**b.state.sea_battles, space("north_sea"): 3}
    b.combat([1, 6])
    assert b.is_flipped(convoy)
    assert b.is_flipped(inf)


# ---- at sea -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.5.3-asw", "bg-6.5.3-conv-back", "bg-6.5.3-asw-air", "bg-7.5-sonar")
def test_anti_submarine_strength() -> None:
    b = war()
    tf, hurt = b.add("be-tf-4", "north_sea"), b.add("be-tf-3", "north_sea", flipped=True)
    convoy, wreck = b.add("be-conv-1", "north_sea"), b.add("be-conv-1", "north_sea", flipped=True)
    flyer, sub = b.add("be-air-3", "england", mission="north_sea"), b.add("germany-sub-2", "north_sea")
    fight = laid(b, "north_sea", [tf, hurt, convoy, wreck, flyer], [sub], SEA_BATTLE)
    assert [value(b, fight, u) for u in (tf, hurt, convoy, wreck, flyer)] == [1, 1, 1, 0, 1]
    b.advance("be", "sonar")
    assert [value(b, fight, u) for u in (tf, hurt, convoy)] == [2, 2, 2]
    assert value(b, fight, sub, AT_AIR) == 0  # it cannot answer aircraft


@pytest.mark.rule("bg-6.5.3-sub-split")
def test_against_a_mixed_fleet_the_target_is_declared() -> None:
    b = war()
    tf = b.add("be-tf-4", "north_sea")
    foes = b.adds("north_sea", "germany-tf-3", "germany-sub-2")
    fight = laid(b, "north_sea", [tf], foes, SEA_BATTLE)
    assert assignments(b.state, fight, 0) == {unit(tf): [AT_SUBS]}
    assert value(b, fight, tf, AT_SHIPS) == 4
    assert value(b, fight, tf, AT_SUBS) == 1


@pytest.mark.rule("bg-6.5.3-first-shot")
def test_submarines_fire_first() -> None:
    b = war()
    b.add("germany-sub-2", "north_sea")
    b.add("be-conv-1", "north_sea")
    b.state.sea_battles = {**b.state.sea_battles, space("north_sea"): 3}
    b.combat([1])  # the convoy is reduced at once and has nothing left to fire with
    assert b.dice_left() == 0
    assert b.kinds("north_sea") == ["be-conv-1!", "germany-sub-2"]


@pytest.mark.rule("bg-6.5.3-sub-v-sub")
def test_when_only_submarines_are_left_the_battle_is_over_and_both_stay() -> None:
    b = war()
    b.adds("north_sea", "germany-sub-2", "be-sub-2")
    b.add("be-conv-1", "north_sea", flipped=True)
    b.state.sea_battles = {**b.state.sea_battles, space("north_sea"): 3}
    b.combat([1]).answer(act.Dive(False))
    assert b.dice_left() == 0
    assert b.kinds("north_sea") == ["be-sub-2", "germany-sub-2"]  # the convoy went down
    b.answer(act.Retreat("fight"), act.Retreat("fight"))
    assert b.state.battle is None
    assert b.kinds("north_sea") == ["be-sub-2", "germany-sub-2"]


@pytest.mark.rule("bg-6.5.3-conv-sub-sea", "bg-7.5-subs")
def test_convoys_and_submarines_fight_at_their_printed_strength_less_weather() -> None:
    b = war()
    sub, convoy = b.add("germany-sub-2", "north_sea"), b.add("be-conv-1", "north_sea")
    fight = laid(b, "north_sea", [sub], [convoy], SEA_BATTLE)
    assert value(b, fight, sub) == 2
    b.weather(europe=True)
    assert value(b, fight, sub) == 1
    assert value(b, fight, convoy, AT_SHIPS) == 0
    b.advance("germany", "better_subs")
    assert value(b, fight, sub) == 2


@pytest.mark.rule("bg-6.5.3-conv-air-alone")
def test_under_air_attack_convoys_have_anti_air_only() -> None:
    b = war()
    flyer, convoy = b.add("germany-air-4", "western_germany", mission="north_sea"), b.add("be-conv-1", "north_sea")
    tf = b.add("be-tf-3", "north_sea")
    fight = laid(b, "north_sea", [flyer], [convoy, tf], SEA_BATTLE)
    assert fight.aim[unit(convoy)] == AT_AIR
    assert value(b, fight, convoy) == 1
    assert value(b, fight, tf) == 3


@pytest.mark.rule("bg-6.5.3-conv-sub-land", "bg-6.5.3-land-v-ships")
def test_convoys_and_submarines_stay_out_of_land_combat() -> None:
    b = war()
    ships = b.adds("channel", "be-conv-1", "be-sub-2")
    b.add("germany-inf-3", "normandy")
    b.own("germany", "normandy").phase(phasing=1)
    for ship in ships:
        assert b.rule("be", act.Support(ship, "normandy")) == "bg-6.5.3-tf-land"
    b.add("be-inf-3", "normandy")
    b.combat([6, 6], phasing=1)
    assert b.state.battle is not None
    assert not [u for u in (*b.state.battle.attackers, *b.state.battle.defenders) if A.is_ship[u]]


# ---- research -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-7.5-air-combat", "bg-7.5-air-combat-one", "bg-7.5-no-share")
def test_air_combat_counts_in_the_air_only() -> None:
    b = war().advance("germany", "air_combat").join("romania", "germany")
    flyer, ally = b.add("germany-air-3", "romania", mission="kiev"), b.add("romania-air-1", "romania", mission="kiev")
    foe = b.add("ussr-air-3-red", "kiev")
    fight = laid(b, "kiev", [flyer, ally], [foe])
    assert value(b, fight, flyer, AT_AIR) == 4
    assert value(b, fight, flyer, AT_LAND) == 3
    assert value(b, fight, ally, AT_AIR) == 1
    b.advance("ussr", "air_combat")
    weak = b.add("ussr-air-1-orange", "kiev")
    fight = laid(b, "kiev", [flyer], [foe, weak])
    assert value(b, fight, weak, AT_AIR) == 1


@pytest.mark.rule("bg-7.5-long-range")
def test_long_range_adds_one_space() -> None:

    b = war()
    flyer = unit(b.add("germany-air-3", "prussia"))
    assert air_range(b.state, flyer) == 2
    b.advance("germany", "long_range")
    assert air_range(b.state, flyer) == 3


@pytest.mark.rule("bg-basic-1.2", "bg-basic-battlechart", "bg-basic-6.1.3b-tf")
def test_in_the_basic_game_every_unit_fights_at_its_printed_strength() -> None:
    b = war("1939-basic").weather(europe=True)
    units = [b.add("germany-arm-5", "maginot", origin="western_germany"), b.add("france-inf-3", "maginot")]
    tf = b.add("france-tf-4", "ligurian_sea", mission="maginot")
    fight = Battle(space("maginot"), LAND_BATTLE, (unit(units[0]),), (unit(units[1]), unit(tf)))
    fight = set_aims(b.state, fight)
    assert [value(b, fight, u) for u in (*units, tf)] == [5, 3, 4]
