"""The Movement phase on land and in the air, Blitzkrieg."""

from __future__ import annotations

import pytest

from sandtable.core import Refusal
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.fronts import on_fronts
from sandtable.games.ww2_europe.facts.landings import land_battles
from sandtable.games.ww2_europe.model.actions import (
    Done,
    Drop,
    Escort,
    Ferry,
    Fly,
    Launch,
    March,
    Patrol,
    Raid,
    Sail,
)
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.state import CUT_OFF, MOVED, RAIDING, RETREATED, SURPRISED
from sandtable.games.ww2_europe.rules.air import drop_planes, drop_refusal, drop_targets, flight_routes, pinned
from sandtable.games.ww2_europe.rules.blitz import blitz_refusal, target_refusal
from sandtable.games.ww2_europe.rules.blitz_phase import Blitz
from sandtable.games.ww2_europe.rules.combat_phase import LandStage
from sandtable.games.ww2_europe.rules.land import march_routes, points
from sandtable.games.ww2_europe.rules.landings import quiet_landings
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.movers import idle_refusal
from sandtable.games.ww2_europe.rules.sea import cargo_refusal, landing_refusal
from tests.games.ww2_europe.positions import EVERY_FRONT, Board, refusal_of, space

K = A.kinds


@pytest.mark.rule("w2e-movement-order", "w2e-initiative-fronts", "w2e-initiative-advantage")
def test_player_a_moves_where_he_has_initiative_before_the_other():
    board = Board()
    west, east = A.front_index["western"], A.front_index["eastern"]
    unit, other = board.put("germany", "infantry", "essen"), board.put("germany", "infantry", "breslau")
    board.run(Movement(0, fronts=(west,)))
    assert board.why("germany", March(board.name(unit), ("frankfurt",))) == ""
    assert board.rule("germany", March(board.name(other), ("leipzig",))) == "w2e-movement-order"
    ship = board.put("germany", "destroyer", "hamburg_port")
    assert on_fronts(board.m.state, ship, (A.front_index["baltic"],))
    assert on_fronts(board.m.state, ship, (A.front_index["atlantic"],))
    assert not on_fronts(board.m.state, ship, (east,))
    board.state.front_choice = {ship: A.front_index["baltic"]}
    assert not on_fronts(board.m.state, ship, (A.front_index["atlantic"],))


@pytest.mark.rule("w2e-movement-order")
def test_the_phase_has_three_parts_and_b_moves_everywhere():
    board = Board("fall-1939")
    board.initiative(0)
    board.initiative(1, "atlantic", "mediterranean")
    from sandtable.games.ww2_europe.sequence import Season

    board.put("germany", "infantry", "essen")
    board.run(Season())
    while not isinstance(board.match.step, Movement):
        board.do(board.match.decisions()[0], Done())
    parts = [s for s in board.state.stack if isinstance(s, Movement)]
    assert [(p.side, len(p.fronts)) for p in reversed(parts)] == [(0, 7), (1, 9), (0, 2)]


@pytest.mark.rule("w2e-sides-together")
def test_all_powers_of_a_side_act_together():
    board = Board(war="italy")
    board.put("germany", "infantry", "essen")
    board.put("italy", "infantry", "rome")
    board.move(0)
    assert set(board.match.decisions()) == {"germany", "italy"}
    board.do("italy", Done())
    assert board.match.decisions() == ("germany",)


@pytest.mark.rule("w2e-move-target", "w2e-movement-path")
def test_a_unit_goes_as_far_as_its_points():
    board = Board()
    tank, foot = board.put("germany", "tank", "hamburg"), board.put("germany", "infantry", "hamburg")
    board.move(0)
    assert board.why("germany", March(board.name(foot), ("essen", "frankfurt"))) == "w2e-movement-path"
    board.do("germany", March(board.name(tank), ("essen", "frankfurt")))
    assert board.where(tank) == "frankfurt"
    assert board.why("germany", March(board.name(tank), ("essen",))) == "has-moved"


@pytest.mark.rule("w2e-ground-stop-enemy")
def test_enemy_ground_units_stop_and_hold_planes_do_not():
    board = Board()
    board.owner("great_britain", "liege", "brussels")
    tank = board.put("germany", "tank", "frankfurt")
    held = board.put("great_britain", "infantry", "liege")
    board.move(0)
    assert board.why("germany", March(board.name(tank), ("liege", "sedan"))) == "w2e-ground-stop-enemy"
    board.do("germany", March(board.name(tank), ("liege",)))
    board.do("germany", Done())
    board.move(1)
    assert board.why("great_britain", March(board.name(held), ("brussels",))) == "w2e-ground-stop-enemy"
    free = Board()
    free.owner("great_britain", "liege", "brussels")
    held = free.put("great_britain", "infantry", "liege")
    free.put("germany", "fighter", "liege")
    free.move(1)
    assert free.why("great_britain", March(free.name(held), ("brussels",))) == ""


@pytest.mark.rule("w2e-battle-trigger", "w2e-attacker-defender")
def test_units_that_share_a_space_must_fight_and_the_occupier_defends():
    board = Board()
    board.put("germany", "infantry", "warsaw")
    assert land_battles(board.m.state) == {}
    board.put("great_britain", "infantry", "warsaw")
    assert land_battles(board.m.state) == {space("warsaw"): 0}
    board.owner("germany", "warsaw")
    assert land_battles(board.m.state) == {space("warsaw"): 1}


@pytest.mark.rule("w2e-air-return-range", "w2e-air-general")
def test_planes_keep_half_their_points_for_the_way_home():
    board = Board()
    fighter = board.put("germany", "fighter", "essen")
    routes = flight_routes(board.m, fighter, True)
    assert ("liege",) not in routes  # neutral
    board.owner("great_britain", "liege", "brussels")
    routes = flight_routes(board.m, fighter, True)
    path = ("frankfurt", "liege")
    assert path in routes
    why = routes.why(("frankfurt", "liege", "brussels"))
    assert isinstance(why, Refusal)
    assert why.rule == "w2e-air-return-range"
    bomber = board.put("germany", "bomber", "essen")
    assert ("frankfurt", "liege", "brussels") in flight_routes(board.m, bomber, True)
    assert ("north_sea",) in flight_routes(board.m, board.put("germany", "fighter", "hamburg"), False)


@pytest.mark.rule(
    "w2e-air-strategic-option", "w2e-unit-bomber-strategic", "w2e-strategic-targets", "w2e-unit-fighter-escort"
)
def test_bombers_raid_factories_and_fighters_escort_them():
    board = Board()
    bomber, tac = board.put("great_britain", "bomber", "london"), board.put("great_britain", "tac_bomber", "london")
    fighter = board.put("great_britain", "fighter", "london")
    board.owner("germany", "brussels")
    board.move(1)
    paths = flight_routes(board.m, bomber, True)._ends()
    way = next(path for path in paths if path[-1] == "brussels")
    assert A.feature[space("brussels")]
    assert board.why("great_britain", Raid(board.name(tac), way, "brussels")) == "sandtable-not-available"
    assert board.why("great_britain", Escort(board.name(fighter), way)) == "sandtable-not-now"
    board.do("great_britain", Raid(board.name(bomber), way, "brussels"))
    escort_way = next(path for path in flight_routes(board.m, fighter, True)._ends() if path[-1] == "brussels")
    board.do("great_britain", Escort(board.name(fighter), escort_way))
    assert board.where(fighter) == board.where(bomber) == "brussels"


@pytest.mark.rule("w2e-surprise-move", "w2e-cutoff-move")
def test_surprised_and_cut_off_units_do_not_move():
    board = Board()
    caught = board.put("germany", "infantry", "essen", flags=SURPRISED)
    cut = board.put("germany", "infantry", "essen", flags=CUT_OFF)
    assert refusal_of(idle_refusal(board.m.state, caught, EVERY_FRONT)) == "w2e-surprise-move"
    assert refusal_of(idle_refusal(board.m.state, cut, EVERY_FRONT)) == "w2e-cutoff-move"
    board.initiative(0)
    tank = board.put("germany", "tank", "essen", flags=CUT_OFF)
    assert refusal_of(blitz_refusal(board.m.state, tank, EVERY_FRONT)) == "w2e-cutoff-move"
    drop = board.put("germany", "airborne", "munich", flags=CUT_OFF)
    assert refusal_of(drop_refusal(board.m, drop)) == "w2e-cutoff-move"


@pytest.mark.rule("w2e-ground-stop-enemy", "w2e-unit-airborne-drop")
def test_airborne_held_by_enemy_ground_units_does_not_drop_away():
    board = Board()
    unit = board.put("germany", "airborne", "essen")
    assert drop_refusal(board.m, unit) is None
    plane = board.put("great_britain", "fighter", "essen")
    assert drop_refusal(board.m, unit) is None
    board.put("great_britain", "infantry", "essen")
    assert refusal_of(drop_refusal(board.m, unit)) == "w2e-ground-stop-enemy"
    assert board.alive(plane)


@pytest.mark.rule("w2e-neutral-no-entry")
def test_neutral_land_and_ports_are_closed():
    board = Board()
    unit, ship = board.put("germany", "infantry", "essen"), board.put("germany", "destroyer", "hamburg_port")
    board.move(0)
    assert board.why("germany", March(board.name(unit), ("amsterdam",))) in ("w2e-neutral-no-entry", "not-adjacent")
    near = board.put("germany", "infantry", "frankfurt")
    assert march_routes(board.m, near).why(("liege",)) == Refusal("w2e-neutral-no-entry", space="@liege")
    assert board.rule("germany", Sail("hamburg_port", ("north_sea", "amsterdam_port"), (board.name(ship),))) == (
        "w2e-neutral-no-entry"
    )


@pytest.mark.rule("w2e-attacker-defender", "w2e-control-rights")
def test_planes_hold_their_base_until_it_is_won_in_battle():
    for dice, owner in (([6, 1], "great_britain"), ([1, 6], "germany")):
        board = Board(dice=dice)
        board.owner("great_britain", "krakow")
        foot, plane = board.put("germany", "infantry", "breslau"), board.put("great_britain", "fighter", "krakow")
        board.move(0)
        board.do("germany", March(board.name(foot), ("krakow",)))
        assert board.owned("krakow") == "great_britain"  # occupied: nothing is taken on entry
        board.state.stack = board.state.stack[:1]
        board.run(LandStage())
        assert board.owned("krakow") == owner
        assert board.alive(foot) == (owner == "germany") != board.alive(plane)


@pytest.mark.rule("w2e-ground-stop-enemy")
def test_planes_do_not_stop_a_tank_that_passes_their_base():
    board = Board()
    board.owner("great_britain", "krakow", "lvov")
    tank = board.put("germany", "tank", "breslau")
    board.put("great_britain", "fighter", "krakow")
    board.move(0)
    board.state.pact = False
    board.do("germany", March(board.name(tank), ("krakow", "lvov")))
    assert (board.owned("krakow"), board.owned("lvov")) == ("great_britain", "germany")


# ---- transports --------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-transport-procedure", "w2e-ex-transport", "w2e-cargo-status")
def test_an_infantry_loads_from_tunisia_and_unloads_at_naples():
    board = Board(war="italy")
    board.owner("italy", "tunis")
    ship, unit = board.put("italy", "transport", "naples_port"), board.put("italy", "infantry", "tunis")
    board.move(0)
    board.do("italy", Ferry(board.name(ship), board.name(unit), "tyrrhenian", (), "naples"))
    assert board.state.cargo_of[unit] == ship
    assert board.where(unit) == "tyrrhenian"
    assert board.state.home[ship] == space("naples_port")
    quiet_landings(board.m)
    assert board.where(unit) == "naples"
    assert board.state.flags[unit] & MOVED


@pytest.mark.rule("w2e-cutoff-move", "w2e-surprise-move", "w2e-movement-path", "w2e-unit-airborne-drop")
def test_a_refused_order_names_the_rule_that_forbids_it_first():
    board = Board(war="italy")
    plane, bomber = board.put("germany", "fighter", "essen", flags=MOVED), board.put("germany", "bomber", "essen")
    surprised = board.put("germany", "bomber", "essen", flags=SURPRISED)
    lost = board.put("germany", "infantry", "hamburg", flags=CUT_OFF)
    ship, other = board.put("germany", "transport", "hamburg_port"), board.put("germany", "infantry", "hamburg")
    jumper = board.put("germany", "airborne", "essen")
    board.owner("great_britain", "brussels")
    board.state.status = put(board.state.status, A.italy, 1)
    board.move(0)
    assert board.rule("germany", Fly(board.name(plane), ("frankfurt",))) == "w2e-movement-path"
    assert board.rule("germany", Raid(board.name(surprised), ("frankfurt",), "london")) == "w2e-surprise-move"
    near = ("leipzig", "london")
    assert board.rule("germany", Fly(board.name(bomber), near)) == "w2e-air-general"  # they do not touch
    load = Ferry(board.name(ship), board.name(lost), "hamburg_port", ("north_sea",), "london")
    assert board.rule("germany", load) == "w2e-cutoff-move"
    assert board.alive(other)
    for to, reason in (("berlin", "no-enemy-land"), ("amsterdam", "w2e-neutral-no-entry"), ("paris", "drop-range")):
        assert board.why("germany", Drop(board.name(jumper), to, "")) == reason


@pytest.mark.rule("w2e-unit-transport-cargo")
def test_what_a_transport_takes():
    board = Board(war="italy")
    for kind, taken in (
        ("infantry", True),
        ("tank", True),
        ("fighter", True),
        ("bomber", False),
        ("tac_bomber", False),
    ):
        unit = board.put("italy", kind, "sicily")
        assert (cargo_refusal(board.m, unit, 0) is None) == taken, kind
    ally = board.put("germany", "infantry", "sicily")
    assert cargo_refusal(board.m, ally, A.group[A.italy]) is None
    moved = board.put("italy", "infantry", "sicily", flags=MOVED)
    assert cargo_refusal(board.m, moved, 0) is None
    assert refusal_of(idle_refusal(board.state, moved, EVERY_FRONT)) == "w2e-movement-path"


@pytest.mark.rule("w2e-amphibious")
def test_landing_on_enemy_land_is_an_amphibious_attack_not_for_fighters():
    board = Board(war="italy")
    foot, plane = board.put("italy", "infantry", "sicily"), board.put("italy", "fighter", "sicily")
    assert landing_refusal(board.m, foot, space("malta_port"), space("malta")) is None
    refusal = landing_refusal(board.m, plane, space("malta_port"), space("malta"))
    assert refusal == Refusal("w2e-amphibious", "fighter-landing")


# ---- air drops ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-unit-airborne-drop")
def test_an_airborne_drops_two_spaces_from_a_base_with_room():
    board = Board()
    unit = board.put("germany", "airborne", "breslau")
    assert A.feature[space("breslau")] == 1
    targets = drop_targets(board.m, unit)
    assert space("krakow") in targets
    assert space("lvov") not in targets  # the pact
    assert drop_planes(board.m, unit) == [""]
    board.put("germany", "fighter", "breslau", 2)
    bomber = board.put("germany", "bomber", "breslau")
    assert drop_planes(board.m, unit) == [board.name(bomber)]
    board.move(0)
    board.do("germany", Drop(board.name(unit), "krakow", board.name(bomber)))
    assert board.where(unit) == board.where(bomber) == "krakow"
    stranded = board.put("italy", "airborne", "bir_el_gubi")
    assert drop_refusal(board.m, stranded) == Refusal("w2e-unit-airborne-drop", "drop-base", space="@bir_el_gubi")


# ---- carriers ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-unit-carrier-extended", "w2e-ex-carrier-launch", "w2e-ex-carrier-follow")
def test_carrier_planes_spend_points_only_from_their_launch():
    board = Board()
    ship = board.put("great_britain", "carrier", "gibraltar_port")
    plane = board.aboard(ship, "fighter")
    board.move(1)
    path = ("portuguese_coast", "western_approaches", "bay_of_biscay", "western_approaches", "portuguese_coast")
    board.do("great_britain", Sail("gibraltar_port", path, (board.name(ship),)))
    assert board.state.cargo_of[plane] == ship
    assert board.where(plane) == "portuguese_coast"
    follow = ("portuguese_coast", "western_approaches", "bay_of_biscay", "western_approaches", "portuguese_coast")
    assert board.why("great_britain", Launch(board.name(plane), follow)) == ""
    assert board.why("great_britain", Launch(board.name(plane), ("bay_of_biscay",))) == ""
    assert board.why("great_britain", Launch(board.name(plane), ("north_sea",))) == "launch-space"
    board.do("great_britain", Launch(board.name(plane), ("bay_of_biscay", "western_approaches")))
    assert board.state.cargo_of[plane] == -1
    assert board.state.tasks[board.state.task[plane]].path[0] == space("bay_of_biscay")


@pytest.mark.rule("w2e-unit-carrier-wing")
def test_a_carrier_has_room_for_two_planes_at_no_stack_points():
    from sandtable.games.ww2_europe.facts.whereabouts import planes_at
    from sandtable.games.ww2_europe.rules.homecoming import deck_room
    from sandtable.games.ww2_europe.rules.units import remove

    board = Board()
    ship = board.put("great_britain", "carrier", "gibraltar_port")
    assert deck_room(board.m, ship) == 2
    first, second = board.aboard(ship, "fighter"), board.aboard(ship, "tac_bomber")
    assert deck_room(board.m, ship) == 0
    assert planes_at(board.m.state, space("gibraltar_port"), 1) == []
    remove(board.m.state, ship)
    assert not board.alive(first)
    assert not board.alive(second)


# ---- Blitzkrieg --------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-blitz", "w2e-blitz-eligible", "w2e-unit-tank-blitz", "w2e-unit-mech-blitz")
def test_who_may_blitz():
    board = Board()
    east = (A.front_index["eastern"],)
    for kind, able in (("tank", True), ("mech", True), ("infantry", False), ("artillery", False), ("tac_bomber", True)):
        unit = board.put("germany", kind, "breslau")
        assert (blitz_refusal(board.m.state, unit, east) is None) == able, kind
    tank = board.put("germany", "tank", "breslau")
    assert refusal_of(blitz_refusal(board.m.state, tank, (A.front_index["western"],))) == "w2e-blitz"
    board.state.flags = put(board.state.flags, tank, MOVED)
    assert refusal_of(blitz_refusal(board.m.state, tank, east)) == "w2e-blitz-eligible"
    board.state.flags = put(board.state.flags, tank, RETREATED)
    assert refusal_of(blitz_refusal(board.m.state, tank, east)) == "w2e-blitz-eligible"


@pytest.mark.rule(
    "w2e-blitz-purpose", "w2e-fortress-immune", "w2e-depot-supply", "w2e-terrain-woodland", "w2e-terrain-mountain"
)
def test_what_may_be_blitzed():
    board = Board()
    plain = next(s for s in A.land if not A.terrain[s])
    board.state.owner = put(board.state.owner, plain, A.britain)
    assert target_refusal(board.m.state, 0, plain) is None
    board.state.owner = put(board.state.owner, plain, A.germany)
    assert refusal_of(target_refusal(board.m.state, 0, plain)) == "w2e-blitz-purpose"
    board.state.owner = put(board.state.owner, plain, A.britain)
    board.state.fortress = put(board.state.fortress, plain, 1)
    assert refusal_of(target_refusal(board.m.state, 0, plain)) == "w2e-fortress-immune"
    board.state.fortress = put(board.state.fortress, plain, 0)
    board.state.depot = put(board.state.depot, plain, 1)
    assert refusal_of(target_refusal(board.m.state, 0, plain)) == "w2e-depot-supply"
    for bit, rule in ((1, "w2e-terrain-woodland"), (2, "w2e-terrain-mountain")):
        place = next(s for s in A.land if A.terrain[s] & bit)
        board.state.owner = put(board.state.owner, place, A.britain)
        assert refusal_of(target_refusal(board.m.state, 0, place)) == rule


@pytest.mark.rule("w2e-blitz-path", "w2e-blitz")
def test_a_blitz_takes_an_empty_space_and_only_on_own_fronts():
    board = Board()
    board.initiative(0)
    board.owner("great_britain", "krakow")
    tank = board.put("germany", "tank", "breslau")
    board.run(Blitz(0))
    assert board.why("germany", March(board.name(tank), ("leipzig",))) == "w2e-blitz-purpose"
    far = March(board.name(tank), ("leipzig", "breslau", "krakow"))
    assert board.why("germany", far) == "w2e-movement-path"
    board.do("germany", March(board.name(tank), ("krakow",)))
    assert board.owned("krakow") == "germany"
    other = Board()
    other.initiative(1)
    other.put("germany", "tank", "breslau")
    other.run(Blitz(0))
    assert not isinstance(other.match.step, Blitz)


@pytest.mark.rule("w2e-unit-airborne-blitz", "w2e-unit-tac-blitz")
def test_airborne_drop_and_tac_bombers_fly_in_a_blitz():
    board = Board()
    board.initiative(0)
    board.owner("great_britain", "krakow")
    tank, unit = board.put("germany", "tank", "breslau"), board.put("germany", "airborne", "breslau")
    tac = board.put("germany", "tac_bomber", "leipzig")
    board.run(Blitz(0))
    assert board.why("germany", Fly(board.name(tac), ("breslau", "krakow"))) == "sandtable-not-now"
    board.do("germany", Drop(board.name(unit), "krakow", ""))
    assert board.where(unit) == "krakow"
    board.do("germany", Fly(board.name(tac), ("breslau", "krakow")))
    assert board.where(tac) == "krakow"
    assert board.alive(tank)


@pytest.mark.rule("w2e-unit-tac-blitz")
def test_tac_bombers_follow_the_last_tank_of_a_blitz():
    board = Board(war="italy")
    board.initiative(0)
    board.owner("great_britain", "krakow")
    board.put("great_britain", "infantry", "krakow")
    tank, tac = board.put("germany", "tank", "breslau"), board.put("germany", "tac_bomber", "leipzig")
    far, friend = board.put("germany", "tac_bomber", "essen"), board.put("italy", "tac_bomber", "munich")
    board.run(Blitz(0))
    assert board.match.decisions() == ("germany",)  # no tank of theirs, nothing for the Italians to follow
    board.do("germany", March(board.name(tank), ("krakow",)))
    assert board.match.decisions() == ("germany", "italy")
    assert board.why("germany", Fly(board.name(far), ("leipzig", "breslau", "krakow"))) == "sandtable-not-available"
    board.do(
        "germany", Fly(board.name(tac), ("breslau", "krakow")), "italy", Fly(board.name(friend), ("prague", "krakow"))
    )
    assert board.where(tac) == board.where(friend) == "krakow"
    assert not isinstance(board.match.step, Blitz)  # nobody is left who could follow


# ---- winter ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-winter-move")
def test_the_russian_winter_slows_the_axis():
    board = Board(war="ussr")
    board.owner("germany", "minsk")
    tank, unit = board.put("germany", "tank", "minsk"), board.put("germany", "airborne", "minsk")
    board.state.lost_flag = put(board.state.lost_flag, space("minsk"), 0)
    assert points(board.m.state, tank) == 2
    board.turn("winter 1941")
    assert points(board.m.state, tank) == 1
    assert refusal_of(blitz_refusal(board.m.state, tank, EVERY_FRONT)) == "w2e-winter-move"
    if A.feature[space("minsk")] == 1:
        assert refusal_of(drop_refusal(board.m, unit)) == "w2e-winter-move"
    russian = board.put("ussr", "tank", "smolensk")
    assert points(board.m.state, russian) == 2


@pytest.mark.rule("w2e-sea-choice", "w2e-patrol-one-space", "w2e-moving-avoid",
                  "w2e-task-force", "w2e-unit-transport-avoid",
                  "w2e-unit-sub-avoid", "w2e-convoy-units-no-patrol")  # fmt: skip
def test_orders_at_sea():
    from sandtable.games.ww2_europe.rules.interception import avoids_at, patrols_at

    board = Board()
    destroyer, cruiser = (
        board.put("germany", "destroyer", "hamburg_port"),
        board.put("germany", "cruiser", "hamburg_port"),
    )
    sub, transport = (
        board.put("germany", "submarine", "hamburg_port"),
        board.put("germany", "transport", "hamburg_port"),
    )
    number = board.convoy("germany", "stettin_port", "southern_baltic", "konigsberg_port")
    board.move(0)
    for unit in (sub, transport):
        assert (
            board.why("germany", Patrol("hamburg_port", ("north_sea",), (board.name(unit),)))
            == "sandtable-not-available"
        )
        assert board.why("germany", Sail("hamburg_port", ("north_sea",), (board.name(unit),))) == ""
    board.do("germany", Patrol("hamburg_port", ("north_sea", "english_channel"), (board.name(destroyer),)))
    board.do("germany", Patrol("hamburg_port", ("north_sea", "english_channel"), (board.name(cruiser),)))
    board.do("germany", Sail("hamburg_port", ("north_sea", "english_channel"), (board.name(transport),)))
    state = board.state
    assert state.task[destroyer] == state.task[cruiser] != state.task[transport]
    assert patrols_at(state, destroyer, space("english_channel"))
    assert not patrols_at(state, destroyer, space("north_sea"))
    assert avoids_at(state, destroyer, space("north_sea"))
    assert avoids_at(state, transport, space("english_channel"))
    ship = next(u for u, c in enumerate(state.convoy) if c == number)
    assert refusal_of(idle_refusal(board.m.state, ship, EVERY_FRONT)) == "w2e-convoy-units-no-patrol"


@pytest.mark.rule("w2e-ex-tobruk")
def test_planes_over_an_enemy_base_pin_planes_and_raids_do_not():
    board = Board()
    own = board.put("germany", "fighter", "essen")
    assert pinned(board.m.state, own) is None
    board.put("great_britain", "bomber", "essen", flags=RAIDING)
    assert pinned(board.m.state, own) is None
    board.put("great_britain", "fighter", "essen")
    assert pinned(board.m.state, own) is not None


def test_a_path_can_be_built_click_by_click():
    board = Board()
    tank = board.put("germany", "tank", "hamburg")
    routes = march_routes(board.m, tank)
    told = routes.describe()
    assert told["type"] == "walk"
    assert "essen" in told["next"]
    assert not told["may_stop"]
    onward = routes.describe_next(("essen",))
    assert onward["may_stop"]
    assert "frankfurt" in onward["next"]
    assert routes.describe_next(("essen", "frankfurt"))["next"] == []
    assert routes.describe_next(("london",)) == {"type": "walk", "next": [], "may_stop": False}
    assert any(path[-1] == "frankfurt" for path in told["paths"])
