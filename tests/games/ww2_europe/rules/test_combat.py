"""Combat Values, fire, casualties, retreats, landings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import Abort, Ferry, Fight, Lose, Patrol, PlaceDepot, Retreat
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.kinds import T_LAND, T_SHIP, T_SUB, T_TRANSPORT, T_UBOAT
from sandtable.games.ww2_europe.model.state import AMPHIBIOUS, CUT_OFF, DROPPED, MOVED, SURPRISED, table_changed
from sandtable.games.ww2_europe.rules.advanced_naval import WEATHER
from sandtable.games.ww2_europe.rules.aftermath import retreat_spaces
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.combat_phase import Combat, LandStage
from sandtable.games.ww2_europe.rules.fire import TANKS_FIRST, land_shots, legal_targets, sea_shots
from sandtable.games.ww2_europe.rules.landings import bombard_shots, defence_shots
from sandtable.games.ww2_europe.rules.strength import Volley, land_parts, sea_parts, total
from tests.games.ww2_europe.positions import Board, space

K = A.kinds
CALM = WEATHER[0]
PLAIN = next(A.names[s] for s in A.land if not A.terrain[s] and A.flag[s] == 0 and A.homeland[s] == A.germany)


def value(board: Board, unit: int, place: str, att: tuple[int, ...] = (), *, defending: bool = True,
          blitzed: bool = False, first: bool = False) -> int:  # fmt: skip
    printed = K.combat[board.state.kind[unit]]
    return total(land_parts(board.m, unit, Volley(space(place), att, defending, blitzed, first), printed))


def terrain(bit: int) -> str:
    return next(A.names[s] for s in A.land if A.terrain[s] == bit)


@pytest.mark.rule("w2e-unit-attr-combat", "w2e-battle-units")
def test_a_die_at_or_below_the_combat_value_hits():
    board = Board(dice=[3, 3])
    tank, foot = board.put("germany", "tank", PLAIN), board.put("great_britain", "infantry", PLAIN)
    board.fight(PLAIN, [tank], [foot])
    assert not board.alive(foot)  # 3 hits for the tank's 3; the infantry's answering 3 misses its 2
    assert board.alive(tank)


@pytest.mark.rule("w2e-stage3-fire")
def test_casualties_of_the_defender_still_fire():
    board = Board(dice=[1, 1])
    tank, foot = board.put("germany", "tank", PLAIN), board.put("great_britain", "infantry", PLAIN)
    board.fight(PLAIN, [tank], [foot])
    assert not board.alive(tank)
    assert not board.alive(foot)


@pytest.mark.rule("w2e-unit-infantry-entrench", "w2e-unit-mech-entrench",
                  "w2e-unit-airborne-entrench", "w2e-terrain-woodland",
                  "w2e-terrain-mountain", "w2e-terrain-impassable")  # fmt: skip
def test_terrain_helps_infantry_types_on_defence():
    board = Board()
    for bit, kinds in ((1, "infantry airborne mech"), (2, "infantry airborne mech"), (4, "infantry airborne")):
        place = terrain(bit)
        for kind in ("infantry", "airborne", "mech", "artillery"):
            unit = board.put("great_britain", kind, place)
            plus = 1 if kind in kinds.split() else 0
            assert value(board, unit, place) == K.combat[K.index[kind]] + plus, (kind, place)
            assert value(board, unit, place, defending=False) == K.combat[K.index[kind]]
    tank = board.put("great_britain", "tank", terrain(2))
    assert value(board, tank, terrain(2)) == value(board, tank, terrain(2), defending=False) == 2


@pytest.mark.rule(
    "w2e-terrain-river", "w2e-terrain-strait", "w2e-terrain-canal", "w2e-terrain-coast", "w2e-terrain-general"
)
def test_crossing_bonuses_need_all_attackers_to_cross_and_a_drop_does_not_matter():
    board = Board()
    for feature in (1, 2, 3):
        here, there = next(pair for pair, found in A.crossing.items() if found == feature)
        other = next((s for s, _, f in A.land_links[there] if f != feature), None)
        place = A.names[there]
        foot, mech = board.put("great_britain", "infantry", place), board.put("great_britain", "mech", place)
        wet = board.put("germany", "infantry", place)
        board.state.came = put(board.state.came, wet, here)
        base = value(board, foot, place)
        assert value(board, foot, place, (wet,)) == base + 1
        assert value(board, mech, place, (wet,)) == value(board, mech, place) + 1
        jumper = board.put("germany", "airborne", place, flags=DROPPED)
        assert value(board, foot, place, (wet, jumper)) == base + 1
        if other is not None:
            dry = board.put("germany", "infantry", place)
            board.state.came = put(board.state.came, dry, other)
            assert value(board, foot, place, (wet, dry)) == base
    lander = board.put("germany", "infantry", "tobruk", flags=AMPHIBIOUS)
    foot, mech = board.put("great_britain", "infantry", "tobruk"), board.put("great_britain", "mech", "tobruk")
    assert value(board, foot, "tobruk", (lander,)) == value(board, foot, "tobruk") + 1
    assert value(board, mech, "tobruk", (lander,)) == value(board, mech, "tobruk")


@pytest.mark.rule("w2e-fortress-bonus", "w2e-terrain-general")
def test_a_fortress_adds_two_to_all_other_bonuses():
    board = Board()
    place = terrain(1)
    foot = board.put("great_britain", "infantry", place)
    board.state.fortress = put(board.state.fortress, space(place), 1)
    assert value(board, foot, place) == 2 + 1 + 2


@pytest.mark.rule("w2e-cutoff-combat", "w2e-surprise-combat", "w2e-unit-airborne-elite")
def test_cut_off_and_surprised_units_fight_at_one_plus_terrain():
    board = Board()
    place = terrain(1)
    for flag in (CUT_OFF, SURPRISED):
        foot, tank = board.put("great_britain", "infantry", place), board.put("great_britain", "tank", place)
        jumper = board.put("great_britain", "airborne", place)
        for unit in (foot, tank, jumper):
            board.state.flags = put(board.state.flags, unit, flag)
        assert value(board, foot, place) == 2
        assert value(board, tank, place) == 1
        assert value(board, jumper, place) == 3
    jumper = board.put("great_britain", "airborne", place, flags=CUT_OFF)
    assert value(board, jumper, place, defending=False) == 2


@pytest.mark.rule("w2e-surprise-soft", "w2e-major-flag-surprise", "w2e-fortress-surprise", "w2e-depot-supply")
def test_in_a_flag_fortress_or_depot_surprise_only_forbids_moving():
    board = Board()
    flag = board.put("great_britain", "tank", "london", flags=SURPRISED)
    assert value(board, flag, "london") == 3
    unit = board.put("great_britain", "tank", PLAIN, flags=SURPRISED)
    assert value(board, unit, PLAIN) == 1
    board.state.fortress = put(board.state.fortress, space(PLAIN), 1)
    assert value(board, unit, PLAIN) == 3
    board.state.fortress = put(board.state.fortress, space(PLAIN), 0)
    board.state.depot = put(board.state.depot, space(PLAIN), 1)
    assert value(board, unit, PLAIN) == 3
    board.state.lost_flag = put(board.state.lost_flag, space("london"), 1)
    assert value(board, flag, "london") == 1


@pytest.mark.rule("w2e-blitz-purpose", "w2e-surprise-who")
def test_defenders_of_a_blitz_are_surprised():
    board = Board()
    tank = board.put("great_britain", "tank", PLAIN)
    assert value(board, tank, PLAIN, blitzed=True) == 1
    assert value(board, tank, PLAIN) == 3
    assert retreat_spaces(board.m, [tank], space(PLAIN), False, True, False) == []


@pytest.mark.rule("w2e-winter-cv")
def test_the_axis_fights_at_one_in_the_russian_winter():
    board = Board(war="ussr")
    tank, plane = board.put("germany", "tank", "minsk"), board.put("germany", "fighter", "minsk")
    foe = board.put("ussr", "fighter", "minsk")
    board.turn("winter 1941")
    assert value(board, tank, "minsk", defending=False) == 1
    shots = land_shots(board.m, Volley(space("minsk"), [tank, plane], False, first_round=True), [plane], [foe])
    assert shots[0].value == 1
    red = board.put("ussr", "tank", "minsk")
    assert value(board, red, "minsk") == 3
    board.turn("fall 1941")
    assert value(board, tank, "minsk", defending=False) == 3


def shots_of(board: Board, unit: int, targets: list[int]) -> list[int]:
    found = land_shots(board.m, Volley(space(PLAIN), [unit], False, first_round=True), [unit], targets)
    return [shot.value for shot in found]


@pytest.mark.rule("w2e-unit-fighter-superiority", "w2e-unit-tac-attack", "w2e-unit-artillery-barrage")
def test_what_planes_and_guns_roll():
    board = Board()
    fighter, tac = board.put("germany", "fighter", PLAIN), board.put("germany", "tac_bomber", PLAIN)
    gun = board.put("germany", "artillery", PLAIN)
    foot, plane = board.put("great_britain", "infantry", PLAIN), board.put("great_britain", "bomber", PLAIN)
    assert shots_of(board, fighter, [foot, plane]) == [4]
    assert shots_of(board, fighter, [foot]) == [2]
    assert shots_of(board, tac, [foot, plane]) == [4]
    assert shots_of(board, tac, [plane]) == [1]
    assert shots_of(board, gun, [foot]) == [2, 2]


@pytest.mark.rule("w2e-unit-fighter-superiority", "w2e-unit-tac-attack")
def test_on_two_or_less_the_roller_chooses_any_casualty():
    board = Board(dice=[2, 6])
    tac, escort = board.put("germany", "tac_bomber", PLAIN), board.put("germany", "infantry", PLAIN)
    foot, tank = board.put("great_britain", "infantry", PLAIN), board.put("great_britain", "tank", PLAIN)
    board.fight(PLAIN, [tac, escort], [foot, tank])
    assert board.match.decisions() == ("germany",)
    assert board.why("germany", Lose(board.name(tank))) == ""
    assert board.why("germany", Lose(board.name(foot))) == ""
    owner = Board(dice=[4, 6])
    tac, escort = owner.put("germany", "tac_bomber", PLAIN), owner.put("germany", "infantry", PLAIN)
    owner.fight(
        PLAIN, [tac, escort], [owner.put("great_britain", "infantry", PLAIN), owner.put("great_britain", "tank", PLAIN)]
    )
    assert owner.match.decisions() == ("great_britain",)
    sky = Board(dice=[2, 6])
    fighter, escort = sky.put("germany", "fighter", PLAIN), sky.put("germany", "infantry", PLAIN)
    tank, plane = sky.put("great_britain", "tank", PLAIN), sky.put("great_britain", "bomber", PLAIN)
    sky.fight(PLAIN, [fighter, escort], [tank, plane])
    assert sky.match.decisions() == ("germany",)
    assert sky.why("germany", Lose(sky.name(tank))) == ""


@pytest.mark.rule("w2e-unit-fighter-superiority")
def test_a_fighters_three_is_chosen_by_the_owner_and_falls_on_air():
    board = Board(dice=[3, 6, 6, 6])
    fighter, foot = board.put("germany", "fighter", PLAIN), board.put("germany", "infantry", PLAIN)
    tank = board.put("great_britain", "tank", PLAIN)
    one, two = board.put("great_britain", "fighter", PLAIN), board.put("great_britain", "bomber", PLAIN)
    board.fight(PLAIN, [fighter, foot], [tank, one, two])
    assert board.match.decisions() == ("great_britain",)
    assert board.why("great_britain", Lose(board.name(tank))) == "sandtable-not-available"
    assert board.why("great_britain", Lose(board.name(two))) == ""


@pytest.mark.rule("w2e-unit-artillery-antitank")
def test_artillery_hits_tanks_first():
    board = Board()
    foot, tank = board.put("great_britain", "infantry", PLAIN), board.put("great_britain", "tank", PLAIN)
    assert legal_targets(board.m, T_LAND | TANKS_FIRST, [foot, tank]) == [tank]
    assert legal_targets(board.m, T_LAND | TANKS_FIRST, [foot]) == [foot]
    assert legal_targets(board.m, T_LAND, [foot, tank]) == [foot, tank]


# ---- at sea --------------------------------------------------------------------------------------------------------
def sea_values(board: Board, unit: int, targets: list[int], place: str = "north_sea") -> tuple[int, int, int, int]:
    shot = sea_shots(board.m, space(place), [unit], targets, first_round=True, weather=CALM)[0]
    return shot.value, shot.mask & (T_SHIP | T_TRANSPORT), shot.sub, shot.uboat


@pytest.mark.rule("w2e-unit-sub-submerged", "w2e-unit-destroyer-asw", "w2e-unit-tac-asw", "w2e-unit-sub-surface")
def test_only_destroyers_and_tac_bombers_hit_submarines():
    board = Board()
    sub, plane = board.put("germany", "submarine", "north_sea"), board.put("germany", "fighter", "north_sea")
    for kind, number in (("destroyer", 2), ("tac_bomber", 4), ("cruiser", 0), ("battleship", 0), ("bomber", 0)):
        unit = board.put("great_britain", kind, "north_sea")
        assert sea_values(board, unit, [sub])[2] == number, kind
    shot = sea_shots(board.m, space("north_sea"), [sub], [plane], first_round=True, weather=CALM)[0]
    assert shot.mask == T_SHIP | T_TRANSPORT


@pytest.mark.rule("w2e-tech-sonar", "w2e-tech-uboats")
def test_sonar_and_improved_boats_shift_the_number():
    board = Board("fall-1939", "technology")
    ship = board.put("great_britain", "destroyer", "north_sea")
    boat = board.put("germany", "u_boat", "north_sea")
    assert sea_values(board, ship, [boat])[2:] == (2, 1)
    board.state.known = table_changed(board.state.known, A.britain, A.tech_index["sonar"], 2)
    assert sea_values(board, ship, [boat])[2:] == (3, 2)
    assert (K.combat[K.index["u_boat"]], K.strategic_hit[K.index["u_boat"]], K.cost[K.index["u_boat"]]) == (2, 4, 15)
    assert K.target[K.index["u_boat"]] == T_UBOAT
    assert K.target[K.submarine] == T_SUB


@pytest.mark.rule("w2e-unit-transport-avoid")
def test_transports_are_the_last_target():
    board = Board()
    ship, freight = board.put("italy", "destroyer", "tyrrhenian"), board.put("italy", "transport", "tyrrhenian")
    assert legal_targets(board.m, T_SHIP | T_TRANSPORT, [ship, freight]) == [ship]
    assert legal_targets(board.m, T_SHIP | T_TRANSPORT, [freight]) == [freight]


@pytest.mark.rule("w2e-port-combat-bonus")
def test_ships_fight_at_plus_one_in_their_port():
    board = Board(war="italy")
    for kind, number in (("destroyer", 3), ("transport", 1)):
        unit = board.put("great_britain", kind, "malta_port")
        parts = sea_parts(board.m, unit, space("malta_port"), False, K.combat[K.index[kind]], CALM)
        assert total(parts) == number
        assert total(sea_parts(board.m, unit, space("tyrrhenian"), False, K.combat[K.index[kind]], CALM)) == number - 1


@pytest.mark.rule("w2e-unit-battleship-armor", "w2e-unit-carrier-armor", "w2e-stage2-fire", "w2e-stage2-repeat")
def test_two_hits_sink_a_battleship():
    board = Board(dice=[2, 6, 2, 6])
    destroyer, big = (
        board.put("great_britain", "destroyer", "north_sea"),
        board.put("germany", "battleship", "north_sea"),
    )
    board.state.home = put(board.state.home, destroyer, space("london_port"))
    board.state.home = put(board.state.home, big, space("hamburg_port"))
    board.fight("north_sea", [destroyer], [big], attacker=1)
    assert board.state.damage[big] == 1
    assert board.match.decisions() == ("great_britain",)
    board.do("great_britain", Fight())
    board.do("germany", Fight())
    assert not board.alive(big)
    assert board.state.wins[2 * A.front_of[space("north_sea")][0] + 1] == 1
    assert K.hits[K.carrier] == 2


@pytest.mark.rule("w2e-retreat-order", "w2e-retreat-air-naval")
def test_attacker_decides_first_then_the_defender_and_ships_go_home():
    board = Board(dice=[6, 6])
    one, two = board.put("great_britain", "destroyer", "north_sea"), board.put("germany", "destroyer", "north_sea")
    board.state.home = put(board.state.home, one, space("london_port"))
    board.state.home = put(board.state.home, two, space("hamburg_port"))
    board.fight("north_sea", [one], [two], attacker=1)
    assert board.match.decisions() == ("great_britain",)
    board.do("great_britain", Fight())
    assert board.match.decisions() == ("germany",)
    board.do("germany", Retreat(""))
    assert board.where(two) == "hamburg_port"
    assert board.state.wins[2 * A.front_of[space("north_sea")][0] + 1] == 1


@pytest.mark.rule("w2e-retreat-started-there")
def test_a_unit_that_lives_there_retreats_elsewhere():
    board = Board(dice=[6, 6, 6], war="italy")
    plane, ship = board.put("italy", "fighter", "malta_port"), board.put("great_britain", "destroyer", "malta_port")
    board.state.home = put(board.state.home, plane, space("sicily"))
    board.fight("malta_port", [plane], [ship], attacker=0)
    while isinstance(board.match.step, Battle):
        role = board.match.decisions()[0]
        if role == "great_britain":
            board.do(role, Retreat(""))
        else:
            board.do(role, Fight())
    while board.match.step.__class__.__name__ == "Diverted":
        role = board.match.decisions()[0]
        board.do(role, next(iter(board.match.offers(role))))
    assert board.where(ship) != "malta_port"


@pytest.mark.rule("w2e-stage2-abort", "w2e-abort")
def test_planes_may_abort_before_a_sea_battle():
    board = Board(dice=[1, 6])
    plane, ship = (
        board.put("great_britain", "fighter", "north_sea"),
        board.put("great_britain", "destroyer", "north_sea"),
    )
    foe = board.put("germany", "destroyer", "north_sea")
    board.state.home = put(board.state.home, plane, space("london"))
    board.state.home = put(board.state.home, ship, space("london_port"))
    board.fight("north_sea", [plane, ship], [foe], attacker=1)
    assert board.match.decisions() == ("great_britain",)
    board.do("great_britain", Abort((board.name(plane),)))
    assert board.where(plane) == "london"
    assert not board.alive(foe)


@pytest.mark.rule("w2e-unit-carrier-extended")
def test_planes_caught_aboard_fire_from_the_second_round():
    board = Board(dice=[6, 6, 6, 1, 6, 6])
    foe = board.put("germany", "cruiser", "north_sea")
    ship = board.put("great_britain", "carrier", "north_sea")
    plane = board.aboard(ship, "fighter")
    board.state.home = put(board.state.home, ship, space("london_port"))
    board.state.home = put(board.state.home, foe, space("hamburg_port"))
    board.fight("north_sea", [foe], [ship], attacker=0)
    assert board.state.cargo_of[plane] == -1
    step = board.match.step
    assert isinstance(step, Battle)
    assert plane in step.dfn


@pytest.mark.rule("w2e-unit-sub-submerged")
def test_submarines_that_cannot_be_hit_slip_away():
    board = Board(dice=[])
    ship, sub = board.put("great_britain", "battleship", "north_sea"), board.put("germany", "submarine", "north_sea")
    board.state.home = put(board.state.home, sub, space("hamburg_port"))
    board.fight("north_sea", [ship], [sub], attacker=1)
    assert board.where(sub) == "hamburg_port"
    assert board.alive(ship)


# ---- retreats on land ------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-retreat-ground")
def test_attackers_go_back_where_one_of_them_came_from():
    board = Board()
    one, two = board.put("germany", "infantry", "krakow"), board.put("germany", "infantry", "krakow")
    board.state.came = put(board.state.came, one, space("breslau"))
    board.state.came = put(board.state.came, two, space("bratislava"))
    assert set(retreat_spaces(board.m, [one, two], space("krakow"), True, False, False)) == {"breslau", "bratislava"}
    board.put("germany", "infantry", "breslau", 9)
    assert retreat_spaces(board.m, [one, two], space("krakow"), True, False, False) == ["bratislava"]
    jumper = board.put("germany", "airborne", "krakow", flags=DROPPED)
    assert retreat_spaces(board.m, [jumper], space("krakow"), True, False, False) == []


@pytest.mark.rule("w2e-cutoff-retreat", "w2e-surprise-retreat", "w2e-amphibious")
def test_who_may_not_retreat():
    board = Board()
    free = board.put("great_britain", "infantry", "warsaw")
    assert retreat_spaces(board.m, [free], space("warsaw"), False, False, False)
    for flag in (CUT_OFF, SURPRISED, AMPHIBIOUS):
        stuck = board.put("great_britain", "infantry", "warsaw", flags=flag)
        plane = board.put("great_britain", "fighter", "warsaw")
        assert retreat_spaces(board.m, [stuck, plane], space("warsaw"), False, False, False) == []


@pytest.mark.rule("w2e-cutoff-air")
def test_planes_alone_stay_only_against_cut_off_units():
    board = Board(dice=[6, 6])
    plane, foot = board.put("germany", "fighter", PLAIN), board.put("great_britain", "infantry", PLAIN)
    board.owner("great_britain", PLAIN)
    board.state.home = put(board.state.home, plane, space("berlin"))
    board.fight(PLAIN, [plane], [foot])
    assert board.where(plane) == "berlin"
    other = Board(dice=[6, 6])
    plane, foot = other.put("germany", "fighter", PLAIN), other.put("great_britain", "infantry", PLAIN, flags=CUT_OFF)
    other.owner("great_britain", PLAIN)
    other.state.home = put(other.state.home, plane, space("berlin"))
    other.fight(PLAIN, [plane], [foot])
    assert isinstance(other.match.step, Battle)
    assert other.match.decisions() == ("germany",)


@pytest.mark.rule("w2e-stage2-fire", "w2e-unit-tac-attack", "w2e-unit-fighter-superiority")
def test_at_sea_only_planes_pick_what_they_hit():
    board = Board()
    ships = [board.put("great_britain", kind, "north_sea") for kind in ("destroyer", "submarine", "battleship")]
    tac, fighter = (board.put("great_britain", kind, "north_sea") for kind in ("tac_bomber", "fighter"))
    foes = [board.put("germany", kind, "north_sea") for kind in ("cruiser", "fighter")]
    shots = sea_shots(board.m, space("north_sea"), [*ships, tac, fighter], foes, first_round=True, weather=CALM)
    assert {shot.unit: shot.free for shot in shots} == {**dict.fromkeys(ships, 0), tac: 2, fighter: 2}


# ---- who takes a hit ------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-stage3-fire", "w2e-stage2-fire")
@pytest.mark.parametrize("flag", [CUT_OFF, SURPRISED, AMPHIBIOUS, MOVED])
def test_the_owner_chooses_between_two_units_of_a_kind_that_are_not_in_the_same_state(flag):
    board = Board(dice=[1])
    tank = board.put("germany", "tank", PLAIN)
    plain = board.put("great_britain", "infantry", PLAIN)
    other = board.put("great_britain", "infantry", PLAIN, flags=flag)
    board.fight(PLAIN, [tank], [plain, other])
    assert board.asked == "great_britain"
    assert {a.unit for a in board.offered(Lose, "great_britain")} == {board.name(plain), board.name(other)}


@pytest.mark.rule("w2e-stage3-fire")
def test_the_owner_chooses_between_planes_of_two_bases_and_attackers_of_two_ways():
    board = Board()
    tanks = [board.put("germany", "tank", PLAIN) for _ in range(2)]
    planes = [board.put("great_britain", "fighter", PLAIN) for _ in range(2)]
    fight = Battle(space(PLAIN), 0, False, tuple(tanks), tuple(planes), phase="hits-a", hits=(T_LAND,))
    assert len(fight.kinds_to_lose(board.m)) == 1  # nothing to choose
    board.state.came = put(board.state.came, tanks[0], A.land_links[space(PLAIN)][0][0])
    assert sorted(fight.kinds_to_lose(board.m).values()) == tanks
    fight = replace(fight, phase="hits-d")
    assert len(fight.kinds_to_lose(board.m)) == 1
    board.state.home = put(board.state.home, planes[0], space("london"))
    assert sorted(fight.kinds_to_lose(board.m).values()) == planes


# ---- landings --------------------------------------------------------------------------------------------------------
def landing(board: Board, *ships: str, guns: int = 0) -> tuple[int, int]:
    """An Italian infantry lands on Malta from the Tyrrhenian."""
    transport, foot = board.put("italy", "transport", "naples_port"), board.put("italy", "infantry", "naples")
    warships = [board.put("italy", kind, "naples_port") for kind in ships]
    board.put("great_britain", "infantry", "malta")
    board.put("great_britain", "artillery", "malta", guns)
    board.move(0)
    board.do("italy", Ferry(board.name(transport), board.name(foot), "naples_port", ("tyrrhenian",), "malta"))
    for ship in warships:
        board.do("italy", Patrol("naples_port", ("tyrrhenian",), (board.name(ship),)))
    return transport, foot


@pytest.mark.rule("w2e-stage3-bombard", "w2e-amphibious-bombard",
                  "w2e-unit-battleship-bombard", "w2e-unit-cruiser-bombard",
                  "w2e-stage3-battleships", "w2e-naval-general", "w2e-fortress-immune")  # fmt: skip
def test_one_ship_bombards_for_each_landing_unit():
    board = Board(war="italy")
    landing(board, "battleship", "destroyer", "cruiser")
    from sandtable.games.ww2_europe.rules.landings import landing_ships

    ships = landing_ships(board.m, space("malta"), 0)
    assert [s.value for s in bombard_shots(board.m, space("malta"), 0, ships)] == [2]
    assert (K.bombardment[K.battleship], K.bombardment[K.destroyer], K.bombardment[K.cruiser]) == (2, 1, 1)
    board.state.fortress = put(board.state.fortress, space("malta"), 1)
    assert bombard_shots(board.m, space("malta"), 0, ships) == []


@pytest.mark.rule("w2e-stage3-shore-defense", "w2e-unit-artillery-shore")
def test_shore_guns_roll_two_dice_each_at_ships_and_not_again_in_that_round():
    board = Board(war="italy", dice=[6, 2, 6])
    transport, foot = landing(board, guns=1)
    guns = [u for u, k in enumerate(board.state.kind) if k == K.artillery and board.alive(u)]
    assert [s.value for s in defence_shots(board.m, guns)] == [2, 2]
    board.state.stack = board.state.stack[:1]
    board.run(LandStage())
    # the only ship there is the transport: a 2 sinks it with its cargo, and the landing is over
    assert not board.alive(transport)
    assert not board.alive(foot)


@pytest.mark.rule("w2e-stage3-depot", "w2e-amphibious-depot", "w2e-depot-placement")
def test_after_an_all_amphibious_capture_a_depot_may_be_placed():
    board = Board(war="italy", dice=[1, 6])
    _, foot = landing(board)
    board.state.depots = put(board.state.depots, A.italy, 1)
    board.state.stack = board.state.stack[:1]
    board.run(LandStage())
    assert board.owned("malta") == "italy"
    assert board.where(foot) == "malta"
    assert board.match.decisions() == ("italy",)
    board.do("italy", PlaceDepot("italy"))
    assert board.state.depot[space("malta")] == 1
    assert board.state.depots[A.italy] == 0


@pytest.mark.rule("w2e-battle-order", "w2e-combat-after-move")
def test_the_initiative_player_orders_the_battles_and_stages_follow_each_other():
    board = Board()
    board.initiative(0)
    for place in ("warsaw", "krakow"):
        board.put("germany", "infantry", place)
        board.put("great_britain", "infantry", place)
    board.run(Combat())
    assert isinstance(board.match.step, LandStage)
    assert board.match.decisions() == ("germany",)
    stack = [type(s).__name__ for s in board.state.stack]
    assert stack == ["Parked", "ReturnHome", "LandStage"]
    fresh = Board()
    fresh.match.play.push(Combat())
    fresh.match.play.step.run(fresh.m)
    assert [type(s).__name__ for s in reversed(fresh.state.stack)][:4] == [
        "StrategicStage", "SeaStage", "LandStage", "ReturnHome",
    ]  # fmt: skip


@pytest.mark.rule("w2e-stage4")
def test_units_return_to_their_base_or_the_closest_one():
    from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome

    board = Board()
    plane, ship = board.put("germany", "fighter", "warsaw"), board.put("germany", "destroyer", "north_sea")
    board.state.home = put(board.state.home, plane, space("breslau"))
    board.state.home = put(board.state.home, ship, space("hamburg_port"))
    lost = board.put("germany", "fighter", "warsaw")
    board.state.home = put(board.state.home, lost, space("paris"))  # never German: its base is not available
    board.run(ReturnHome())
    assert board.where(plane) == "breslau"
    assert board.where(ship) == "hamburg_port"
    while board.match.step.__class__.__name__ == "Diverted":
        role = board.match.decisions()[0]
        board.do(role, next(iter(board.match.offers(role))))
    assert board.where(lost) in {A.names[s] for s in A.land if board.state.owner[s] == A.germany}
    drowned = board.put("germany", "destroyer", "red_sea")
    board.state.home = put(board.state.home, drowned, space("london_port"))
    board.run(ReturnHome())
    assert not board.alive(drowned)
