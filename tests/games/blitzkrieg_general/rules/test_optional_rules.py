"""9 Optional rules: each does what it says when it is switched on, and nothing when it is off."""

import pytest

from sandtable.core import Match, Resign
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.facts.politics import cooperate
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.actions import (
    Ally,
    BuildRail,
    Engage,
    Fly,
    Form,
    Halt,
    Initiate,
    Liberate,
    Load,
    March,
    Merge,
    Place,
    PlayCard,
    Railroad,
    React,
    Sail,
    Split,
    Station,
    Support,
    Withdraw,
)
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS
from sandtable.games.blitzkrieg_general.model.state import BUILDING, LAND_BATTLE, STATIONED, Battle, move_unit, remove
from sandtable.games.blitzkrieg_general.rules.battle_phase import Withdrawal
from sandtable.games.blitzkrieg_general.rules.control_phase import occupy
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.options_phase import ChooseAlliances
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.games.blitzkrieg_general.rules.reinforcements_phase import Reinforcements
from sandtable.games.blitzkrieg_general.rules.timetable import check_time_table
from sandtable.games.blitzkrieg_general.sequence import Segment, _initiative, _searches
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, A, Position, nation, space, unit


@pytest.mark.rule("bg-9.0-agree")
def test_no_optional_rule_counts_unless_it_was_agreed():
    chosen = GAME.check_options("1939-advanced", {})
    assert not any(chosen.values())
    rules = {option.rule for option in GAME.options.values()}
    numbers = {rule.removeprefix("bg-opt-9.").split("-")[0] for rule in rules if rule.startswith("bg-opt-")}
    assert numbers == {str(n) for n in range(1, 15)}


# ---- 9.1
def watched(**options: bool) -> tuple[Position, str, str]:
    """A British aircraft in England, a German convoy in the Skagerrak."""
    war = Position(**options)
    plane = war.add("be-air-2", "england")
    conv = war.add("germany-conv-1", "skagerrak")
    war.phase(Phase("land"), side="allies")
    return war, plane, conv


@pytest.mark.rule("bg-opt-9.1")
def test_an_aircraft_stationed_over_a_zone_searches_for_ships_that_sail_through():
    war, plane, conv = watched(aircraft_searches=True)
    war.do(Station(plane, "north_sea"), "be")
    assert not war.allows(Fly(plane, "scotland"), "be")  # nothing else in this phase
    war.phase(Phase("naval")).do(Form("skagerrak", (conv,)), "germany")
    war.dice(4, 4, 6, 6, 1, 6).do(Sail("north_sea"))
    if not war.events(ev.Searched):
        war.do(Sail("channel"))
    assert war.match.decisions() == ("be",)  # found on 8: it may attack
    war.do(Engage(True), "be").go()
    assert any(e.unit == "@be-air-2" for e in war.events(ev.Fired)) or war.flipped(conv)
    off, plane, conv = watched()
    assert not off.offers_any(Station, "be")


@pytest.mark.rule("bg-opt-9.1")
def test_ships_that_stop_under_a_stationed_aircraft_are_searched_for_when_all_have_moved():
    war, plane, conv = watched(aircraft_searches=True)
    war.do(Station(plane, "north_sea"), "be")
    war.dice(6, 6).phase(Phase("naval")).do(Form("skagerrak", (conv,)), "germany").do(Sail("north_sea"))
    if war.allows(Halt()):
        war.do(Halt())
    war.everybody_done()
    war.dice(6, 2).run()
    _searches(war.m, 0)
    war.settle().do(Engage(True), "be")
    assert space("north_sea") in war.state.sea_battles


@pytest.mark.rule("bg-opt-9.1")
def test_the_aircraft_comes_home_when_its_sides_next_movement_is_over():
    war, plane, _ = watched(aircraft_searches=True)
    war.do(Station(plane, "north_sea"), "be")
    end = 13
    war.state.second = True
    war.run(Segment(1, end))
    assert war.state.mission[unit(plane)] == space("north_sea")  # the segment in which it was posted
    war.state.turn += 1
    war.run(Segment(0, end))
    assert war.state.mission[unit(plane)] == space("north_sea")  # the enemy's
    war.run(Segment(1, end))
    assert war.match.decisions() == ("be",)
    war.do(Withdraw(plane, "scotland"), "be")
    assert war.state.mission[unit(plane)] == -1
    assert not war.state.flags[unit(plane)] & STATIONED
    assert war.where(plane) == "scotland"


# ---- 9.2
@pytest.mark.rule("bg-opt-9.2")
def test_the_holder_of_its_coup_card_lets_an_attacked_neutral_give_up_after_one_round():
    def norway(**options: bool) -> Position:
        war = Position(**options).join("norway", "be").hand("france", "coup_norway")
        war.state.attacked |= 1 << nation("norway")
        war.charge("germany-inf-4", "sweden", "norway")
        war.charge("germany-inf-3", "sweden", "norway")
        war.put("norway-inf-2", "norway")
        return war

    war = norway(coup_surrender=True)
    war.dice(6, 6, 6).fight().go_until("france")
    assert war.match.decisions() == ("france",)
    saved = war.state.saved[MAJORS.index("france")]
    war.do(PlayCard("coup_norway", "surrender"), "france").go()
    assert war.holder("norway") == "germany"
    assert war.standing("norway") == "conquered"
    assert war.state.saved[MAJORS.index("france")] == saved + 1
    assert "norway-inf-2" not in war.units_at("norway")
    assert war.pile("coup_norway") == "out"
    off = norway()
    off.dice(6, 6, 6, 1, 1, 6).fight().go()
    assert off.pile("coup_norway") == "france"
    assert off.state.saved[MAJORS.index("france")] == 0


# ---- 9.3
@pytest.mark.rule("bg-opt-9.3-assemble", "bg-opt-9.3-split")
def test_two_equal_reduced_units_make_a_full_one_and_the_other_way_round():
    war = Position(assembly=True)
    one, other = (war.add("germany-inf-4", "prussia", flipped=True) for _ in range(2))
    unlike = war.add("germany-inf-3", "prussia", flipped=True)
    far = war.add("germany-inf-4", "bavaria", flipped=True)
    war.run(Reinforcements())
    assert not war.allows(Merge(one, unlike), "germany")
    assert not war.allows(Merge(one, far), "germany")
    war.do(Merge(one, other), "germany")
    assert war.where(other) == "pool"
    assert not war.flipped(one)
    war.do(Split(one), "germany")
    assert war.units_at("prussia").count("germany-inf-4") == 2
    assert war.flipped(one)
    off = Position()
    off.put("germany-inf-4", "prussia", flipped=True, n=2).run(Reinforcements())
    assert off.parked


@pytest.mark.rule("bg-opt-9.3-orange")
def test_orange_units_wait_until_all_of_them_are_out():
    war = Position(assembly=True)
    one, other = (war.add("ussr-inf-2-orange", "moscow", flipped=True) for _ in range(2))
    war.run(Reinforcements())
    assert war.parked
    war.state.orange_done = True
    war.run(Reinforcements())
    assert war.allows(Merge(one, other), "ussr")


# ---- 9.4
@pytest.mark.rule("bg-opt-9.4")
def test_the_liberator_may_keep_the_production():
    war = Position("1941-advanced", alternative_reconquest=True).war("usa", "germany")
    war.run()
    occupy(war.m, space("normandy"), nation("usa"))
    war.settle()
    before = war.production("usa")
    war.do(Liberate(False), "usa")
    assert war.holder("normandy") == "usa"
    assert war.standing("france") == "conquered"
    assert war.production("usa") == before + A.left[space("normandy")]
    war.run()
    occupy(war.m, space("paris"), nation("usa"))
    war.settle().do(Liberate(True), "usa")
    assert war.standing("france") == "at war"
    assert war.holder("paris") == "france"


# ---- 9.5
@pytest.mark.rule("bg-opt-9.5")
def test_a_task_force_carries_a_naval_hq_and_nothing_else():
    def fleet(**options: bool) -> tuple[Position, str, str]:
        war = Position(**options).war("usa", "japan")
        tf = war.add("usa-tf-5", "sea_hawaiian_islands")
        war.put("nimitz", "hawaiian_islands")
        inf = war.add("usa-inf-3", "hawaiian_islands")
        war.phase(Phase("naval"), side="allies").do(Form("sea_hawaiian_islands", (tf,)), "usa")
        return war, tf, inf

    war, tf, inf = fleet(naval_hq_on_tf=True)
    assert war.allows(Load(tf, "nimitz"))
    assert not war.allows(Load(tf, inf))
    war.do(Load(tf, "nimitz")).do(Sail("sea_midway_islands"))
    assert war.where("nimitz") == "sea_midway_islands"
    war, tf, inf = fleet()
    assert not war.allows(Load(tf, "nimitz"))


# ---- 9.6
@pytest.mark.rule("bg-opt-9.6")
def test_round_cape_magellan_with_the_whole_double_range():
    def ship(zone: str, **options: bool) -> tuple[Position, str]:
        war = Position(**options)
        name = war.add("be-tf-3", zone)
        war.phase(Phase("naval"), side="allies").do(Form(zone, (name,)), "be")
        return war, name

    for origin, to in (
        ("coral_sea", "south_atlantic"),
        ("south_atlantic", "coral_sea"),
        ("sea_of_panama", "south_atlantic"),
        ("south_atlantic", "sea_of_panama"),
    ):
        war, name = ship(origin, cape_magellan=True)
        war.do(Sail(to))
        assert war.where(name) == to
        assert not war.offers_any(Sail)  # all movement is used
        assert war.step.used == 2 * ATLAS.ship_range
        assert war.state.flags[unit(name)] & 32  # the limits of double range hold
        assert not ship(origin)[0].allows(Sail(to))
    war, name = ship("sea_east_new_guinea", cape_magellan=True)
    war.do(Sail("coral_sea"))
    assert not war.allows(Sail("south_atlantic"))  # the voyage must begin there


# ---- 9.7
@pytest.mark.rule("bg-opt-9.7")
def test_a_rail_point_costs_five_and_comes_after_two_quarters():
    war = Position(rail_increase=True).points(germany=9).run(Production())
    before = war.state.rail[0]
    war.do(BuildRail(), "germany")
    assert war.state.points[0] == 4
    assert not war.allows(BuildRail(), "germany")
    war.state.turn += 1
    check_time_table(war.m)
    assert war.state.rail[0] == before
    war.state.turn += 1
    check_time_table(war.m)
    assert war.state.rail[0] == before + 1
    assert not Position().points(germany=9).run(Production()).allows(BuildRail(), "germany")


# ---- 9.8
@pytest.mark.rule("bg-opt-9.8")
def test_a_home_area_that_is_cut_off_takes_one_unit_a_turn():
    def prussia(**options: bool) -> tuple[Position, list[str]]:
        war = Position(**options)
        units = []
        for _ in range(2):
            name = war.add("germany-inf-3", "prussia")
            move_unit(war.state, unit(name), BUILDING)
            war.state.due = put(war.state.due, unit(name), war.state.turn)
            units.append(name)
        # Western Germany alone is joined to no other German home area
        war.own("france", "bavaria", "prussia")
        return war.run(Reinforcements()), units

    war, units = prussia(isolated_areas=True)
    war.do(Place(units[0], "western_germany"), "germany")
    assert war.where(units[1]) == "austria" or not war.allows(Place(units[1], "western_germany"), "germany")
    off, units = prussia()
    off.do(Place(units[0], "western_germany"), "germany")
    assert off.allows(Place(units[1], "western_germany"), "germany")


@pytest.mark.rule("bg-opt-9.8")
def test_units_that_could_not_enter_otherwise_may_all_come_in():
    war = Position(isolated_areas=True)
    for _ in range(2):
        name = war.add("germany-inf-3", "prussia")
        move_unit(war.state, unit(name), BUILDING)
        war.state.due = put(war.state.due, unit(name), war.state.turn)
    war.own("france", "bavaria", "prussia", "austria").run(Reinforcements())
    assert war.units_at("western_germany") == ["germany-inf-3"] * 2


# ---- 9.10
@pytest.mark.rule("bg-opt-9.10")
def test_the_majors_choose_their_alliances_before_the_game():
    state = GAME.begin("1939-advanced", GAME.check_options("1939-advanced", {"free-alliances": True}))
    assert isinstance(state.stack[-1], ChooseAlliances)
    war = Position()
    war.run(ChooseAlliances())
    for role in ("usa", "germany", "france"):
        war.do(Ally("axis"), role)
    for role in ("italy", "japan", "be", "ussr"):
        war.do(Ally("allies"), role)
    war.do(Ally("allies"), "china")
    assert {role for role in MAJORS if war.side(role) == "axis"} == {"usa", "germany", "france"}
    assert not war.at_war("germany", "france")
    assert war.at_war("germany", "be")
    assert not war.at_war("japan", "china")
    assert war.side("poland") == "allies"


@pytest.mark.rule("bg-opt-9.10")
def test_a_side_as_it_was_agreed_upon_resigns_together():
    match = Match.new(GAME, "1939-advanced", {"free-alliances": True}, seed=1)
    for role in MAJORS:
        match.apply(role, Ally("axis" if role in ("usa", "germany") else "allies"))
    match.apply("germany", Resign())
    assert match.decisions()
    match.apply("usa", Resign())
    assert match.outcome is not None
    assert set(match.outcome.winners) == set(MAJORS) - {"usa", "germany"}


@pytest.mark.rule("bg-opt-9.10")
def test_nobody_may_be_left_without_an_enemy():
    war = Position().run(ChooseAlliances())
    for role in MAJORS[:-1]:
        war.do(Ally("axis"), role)
    assert war.allows(Ally("allies"), "china")
    assert not war.allows(Ally("axis"), "china")


# ---- 9.11
@pytest.mark.rule("bg-opt-9.11-who")
def test_who_cooperates_with_whom():
    war = Position("1941-advanced").join("turkey", "be")
    pairs = {frozenset((a, b)) for a in MAJORS for b in MAJORS if a < b and cooperate(war.state, nation(a), nation(b))}
    assert pairs == {
        frozenset(p)
        for p in (("germany", "italy"), ("be", "usa"), ("be", "france"), ("usa", "france"), ("china", "usa"))
    }
    assert cooperate(war.state, nation("turkey"), nation("be"))
    assert cooperate(war.state, nation("turkey"), nation("usa"))  # the partner of its controller
    assert not cooperate(war.state, nation("turkey"), nation("ussr"))
    assert not cooperate(war.state, nation("turkey"), nation("china"))


@pytest.mark.rule("bg-opt-9.11-limits")
def test_strangers_neither_stack_nor_attack_together_nor_use_each_others_land_and_rails():
    def allies(**options: bool) -> Position:
        war = Position("1941-advanced", **options).war("germany", "ussr").war("be", "japan").war("usa", "japan")
        war.state.peace = -1
        return war

    war = allies(cooperation=True)
    british = war.add("be-inf-3", "iran")
    war.own("be", "iran").put("ussr-inf-3-red", "trans_caucasus")
    plane = war.add("be-air-2", "iran")
    war.phase(Phase("land"), side="allies")
    assert war.refused(March(british, "trans_caucasus", ""), "be").rule == "bg-opt-9.11-limits"
    assert not war.allows(Fly(plane, "trans_caucasus"), "be")
    # an enemy-held area of the other's country may be entered, but not if he attacks there
    war.own("germany", "trans_caucasus")

    for u in list(war.state.here[space("trans_caucasus")]):
        remove(war.state, u)
    war.put("germany-inf-2", "trans_caucasus").phase(Phase("land"), side="allies")
    assert war.allows(March(british, "trans_caucasus", "iran"), "be")
    assert war.allows(Fly(plane, "trans_caucasus"), "be")
    war.charge("ussr-inf-3-red", "caucasus", "trans_caucasus")
    war.phase(Phase("land"), side="allies")
    assert not war.allows(March(british, "trans_caucasus", "iran"), "be")
    assert not war.allows(Fly(plane, "trans_caucasus"), "be")
    free = allies()
    british = free.add("be-inf-3", "iran")
    free.own("be", "iran").phase(Phase("land"), side="allies")
    assert free.allows(March(british, "trans_caucasus", ""), "be")
    # rails
    for options, wanted in (({"cooperation": True}, False), ({}, True)):
        rail = allies(**options)
        tommy = rail.add("be-inf-3", "moscow")
        rail.state.rail_left = put(rail.state.rail_left, nation("ussr"), 1)
        rail.phase(Phase("rail"), side="allies")
        assert rail.allows(Railroad(tommy, "ural"), "ussr") is wanted


@pytest.mark.rule("bg-opt-9.11-limits")
def test_strangers_do_not_help_each_other_in_reaction():
    for options, wanted in (({"cooperation": True}, False), ({}, True)):
        war = Position("1941-advanced", **options).war("germany", "ussr")
        war.state.peace = -1
        plane = war.add("be-air-2", "iran")
        war.own("be", "iran").put("ussr-inf-3-red", "trans_caucasus")
        war.charge("germany-inf-4", "caucasus", "trans_caucasus")
        war.own("germany", "caucasus").phase(Reaction())
        assert war.allows(React(plane, "trans_caucasus"), "be") is wanted
    # nor does a Task Force support a stranger's attack
    for options, wanted in (({"cooperation": True}, False), ({}, True)):
        war = Position("1941-advanced", **options).war("germany", "ussr").join("turkey", "germany")
        tf = war.add("be-tf-4", "black_sea")
        war.charge("ussr-inf-3-red", "caucasus", "trans_caucasus")
        war.own("germany", "trans_caucasus").put("germany-inf-2", "trans_caucasus")
        war.phase(Phase("land"), side="allies")
        assert war.allows(Support(tf, "trans_caucasus"), "be") is wanted


@pytest.mark.rule("bg-opt-9.11-limits")
def test_a_strangers_aircraft_over_the_target_keeps_land_units_out():
    for options, wanted in (({"cooperation": True}, False), ({}, True)):
        war = Position("1941-advanced", **options).war("germany", "ussr")
        war.state.peace = -1
        british = war.add("be-inf-3", "iran")
        war.own("be", "iran").own("germany", "trans_caucasus").put("germany-inf-2", "trans_caucasus")
        war.raid("ussr-air-3-red", "caucasus", "trans_caucasus")
        war.phase(Phase("land"), side="allies")
        assert war.allows(March(british, "trans_caucasus", "iran"), "be") is wanted


@pytest.mark.rule("bg-opt-9.11-retreat")
def test_a_unit_that_must_flee_to_strangers_goes_on_until_it_is_among_partners():
    war = Position("1941-advanced", cooperation=True).war("germany", "ussr")
    war.state.peace = -1
    tommy = war.add("be-inf-3", "trans_caucasus")
    war.own("germany", "trans_caucasus", "eastern_turkey").own("ussr", "iran").join("turkey", "germany")
    war.own("be", "bombay")
    war.charge("germany-inf-4", "eastern_turkey", "trans_caucasus")
    war.own("germany", "caucasus")
    war.state.phasing = 0
    war.state.battle = Battle(
        space=space("trans_caucasus"),
        kind=LAND_BATTLE,
        attackers=tuple(u for u in war.state.here[space("trans_caucasus")] if u != unit(tommy)),
        defenders=(unit(tommy),),
    )
    war.run(Withdrawal(1, (unit(tommy),)))
    assert war.where(tommy) == "bombay"  # through Soviet Iran


# ---- 9.13
@pytest.mark.rule("bg-opt-9.13")
def test_the_winner_of_the_initiative_chooses_who_acts_first():
    war = Position(turn="4/39", alternate_initiative=True).dice(5, 2)
    war.run()
    _initiative(war.m)
    war.settle()
    assert war.match.decisions() == ("germany",)
    war.do(Initiate("allies"), "germany")
    assert war.state.initiative == 1
    off = Position(turn="4/39").dice(5, 2).run()
    _initiative(off.m)
    assert off.state.initiative == 0
    assert off.parked
