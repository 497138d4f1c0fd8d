"""7.5 Research: numbers, the roll, the seven achievements, V-weapons and the atomic bomb."""

import pytest
from msgspec.structs import replace

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.facts.reach import air_range
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.actions import (
    Achieve,
    Announce,
    Bomb,
    BuyNumber,
    Done,
    DropAtom,
    FireV,
    React,
    TakeHit,
)
from sandtable.games.blitzkrieg_general.model.state import Battle
from sandtable.games.blitzkrieg_general.rules.bombing import is_intercepted
from sandtable.games.blitzkrieg_general.rules.combat_phase import Combats
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.production import collect_income
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.games.blitzkrieg_general.rules.research import check_collapse, open_advances
from sandtable.games.blitzkrieg_general.rules.research_phase import Research, ResearchRoll
from sandtable.games.blitzkrieg_general.rules.search import search_number
from sandtable.games.blitzkrieg_general.rules.strength import effective
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, A, Position, space, unit

GER = MAJORS.index("germany")
ALL_BUT_V = ("air_combat", "long_range", "better_subs", "sonar", "radar")


def sea_strength(war: Position, name: str, aim: str, zone: str, *foes: str) -> int:
    battle = Battle(space=space(zone), kind=1, attackers=(unit(name),), defenders=tuple(map(unit, foes)))
    return effective(war.state, battle, unit(name), ("land", "air", "ships", "subs").index(aim))


# ---- numbers and rolls
@pytest.mark.rule("bg-7.5-buy")
def test_one_number_a_quarter_for_two_points_up_to_five():
    war = Position().points(germany=6, be=1)
    war.state.numbers = put(war.state.numbers, GER, 3)
    war.run(Research())
    assert "be" not in war.match.decisions()
    war.do(BuyNumber(), "germany")
    assert war.state.numbers[GER] == 4
    assert war.state.points[GER] == 4
    assert not isinstance(war.step, Research) or war.step.rolling or "germany" not in war.match.decisions()
    full = Position().points(germany=6)
    full.state.numbers = put(full.state.numbers, GER, 5)
    full.run(Research())
    assert not full.allows(BuyNumber(), "germany")


@pytest.mark.rule("bg-7.5-announce")
def test_rolls_are_announced_when_everybody_has_bought_and_only_if_wanted():
    war = Position().points(germany=6, be=6)
    war.state.numbers = put(war.state.numbers, GER, 1)
    war.run(Research())
    assert not war.allows(Announce(), "germany")
    war.do(BuyNumber(), "germany")
    assert not war.allows(Announce(), "germany")
    war.do(Done(), "be")
    assert war.allows(Announce(), "germany")
    war.do(Done(), "germany")
    assert war.state.numbers[GER] == 2
    assert war.parked


@pytest.mark.rule("bg-7.5-roll", "bg-7.5-lose")
@pytest.mark.parametrize(("numbers", "die", "success"), [(4, 4, True), (4, 5, False), (1, 1, True), (5, 6, False)])
def test_the_die_must_not_be_above_the_numbers_and_they_are_gone_either_way(numbers: int, die: int, success: bool):
    war = Position()
    war.state.numbers = put(war.state.numbers, GER, numbers)
    war.dice(die).run(ResearchRoll("germany"))
    assert war.state.numbers[GER] == 0
    assert war.parked is not success
    if success:
        war.do(Achieve("radar"), "germany")
        assert war.state.advances[GER] == 1 << A.achievements.index("radar")


@pytest.mark.rule("bg-7.5-choose")
def test_each_advance_is_chosen_once():
    war = Position().knows("germany", "radar")
    war.state.numbers = put(war.state.numbers, GER, 5)
    war.dice(1).run(ResearchRoll("germany"))
    assert war.refused(Achieve("radar"), "germany").rule == "bg-7.5-choose"
    assert war.allows(Achieve("sonar"), "germany")
    war.do(Achieve("sonar"), "germany")
    assert war.parked


@pytest.mark.rule("bg-opt-9.14")
@pytest.mark.parametrize(("numbers", "die", "left"), [(4, 6, 2), (4, 5, 3), (1, 6, 0), (4, 4, 0)])
def test_with_option_9_14_a_failed_roll_costs_only_the_difference(numbers: int, die: int, left: int):
    war = Position(research_keeps_numbers=True)
    war.state.numbers = put(war.state.numbers, GER, numbers)
    war.dice(die).run(ResearchRoll("germany"))
    assert war.state.numbers[GER] == left


# ---- achievements
@pytest.mark.rule("bg-7.5-air-combat", "bg-7.5-air-combat-one", "bg-7.5-no-share")
def test_air_combat_adds_one_against_aircraft_and_task_forces_only():
    war = Position("1941-advanced").war("germany", "ussr").join("romania", "germany")
    german = war.raid("germany-air-3", "romania", "odessa")
    minor = war.raid("romania-air-1", "romania", "odessa")
    friend = war.raid("italy-air-2", "romania", "odessa")
    war.charge("germany-inf-4", "romania", "odessa")
    war.war("italy", "ussr").put("ussr-inf-2-orange", "odessa")
    war.raid("ussr-tf-2-red", "black_sea", "odessa")
    war.fight()
    assert war.strength(german, "air") == 4
    assert war.strength(german, "land") == 3
    assert war.strength(minor, "air") == 1
    assert war.strength(friend, "air") == 2  # an associate has no part in it
    # an own aircraft with a front of 1 is not improved either
    war.knows("ussr", "air_combat")
    soviet = war.raid("ussr-air-1-orange", "kiev", "odessa")
    tf = next(u for u in war.state.battle.defenders if A.type[u] == 5)
    battle = war.state.battle
    war.state.battle = replace(battle, defenders=(*battle.defenders, unit(soviet)))
    assert war.strength(soviet, "air") == 1
    assert war.strength(A.unit_ids[tf], "air") == 3
    # against ships at sea nothing changes
    ship = war.add("ussr-tf-3-red", "finnish_sea")
    plane = war.add("germany-air-4", "baltic")
    assert sea_strength(war, plane, "ships", "finnish_sea", ship) == 4


@pytest.mark.rule("bg-7.5-long-range")
def test_long_range_adds_one_to_the_range():
    war = Position().knows("germany", "long_range")
    mine = war.add("germany-air-3", "western_germany")
    other = war.add("italy-air-2", "northern_italy")
    assert air_range(war.state, unit(mine)) == 3
    assert air_range(war.state, unit(other)) == 2
    war.phase(Phase("land"))
    assert war.allows(Bomb(mine, "western_france"), "germany")
    war.state.advances = put(war.state.advances, GER, 0)
    war.phase(Phase("land"))
    assert not war.allows(Bomb(mine, "western_france"), "germany")


@pytest.mark.rule("bg-7.5-subs", "bg-6.4.3e-subs-mod")
def test_better_subs_fight_at_one_more_and_search_at_two_more():
    war = Position()
    sub = war.add("germany-sub-2", "central_atlantic")
    prey = war.add("be-conv-1", "central_atlantic")
    assert sea_strength(war, sub, "ships", "central_atlantic", prey) == 2
    assert search_number(war.state, [unit(sub)], [unit(prey)], space("central_atlantic")) == 6
    war.knows("germany", "better_subs")
    assert sea_strength(war, sub, "ships", "central_atlantic", prey) == 3
    assert search_number(war.state, [unit(sub)], [unit(prey)], space("central_atlantic")) == 8


@pytest.mark.rule("bg-7.5-sonar", "bg-6.4.3e-sonar-mod")
def test_sonar_adds_one_against_subs_and_two_to_the_search_for_them():
    war = Position()
    sub = war.add("germany-sub-2", "central_atlantic")
    tf = war.add("be-tf-4", "central_atlantic")
    plane = war.add("be-air-2", "england")
    zone = space("central_atlantic")
    assert sea_strength(war, tf, "subs", "central_atlantic", sub) == 1
    assert search_number(war.state, [unit(tf)], [unit(sub)], zone) == 5
    war.knows("be", "sonar")
    assert sea_strength(war, tf, "subs", "central_atlantic", sub) == 2
    assert search_number(war.state, [unit(tf)], [unit(sub)], zone) == 7
    assert search_number(war.state, [unit(plane)], [unit(sub)], zone) == 7
    assert search_number(war.state, [unit(tf)], [unit(war.add("germany-tf-3", "central_atlantic"))], zone) == 8


@pytest.mark.rule("bg-7.5-radar", "bg-6.4.3e-radar-mod")
def test_radar_adds_two_to_every_search_but_the_one_for_subs():
    war = Position().knows("be", "radar")
    zone = space("central_atlantic")
    tf, conv = war.add("be-tf-4", "central_atlantic"), war.add("be-conv-1", "central_atlantic")
    plane = war.add("be-air-2", "england")
    prey, sub = war.add("germany-tf-3", "central_atlantic"), war.add("germany-sub-2", "central_atlantic")
    assert search_number(war.state, [unit(tf)], [unit(prey)], zone) == 10
    assert search_number(war.state, [unit(plane)], [unit(prey)], zone) == 10
    assert search_number(war.state, [unit(conv)], [unit(prey)], zone) == 8
    assert search_number(war.state, [unit(tf)], [unit(sub)], zone) == 5


# ---- V-weapons and the bomb
@pytest.mark.rule("bg-7.5-v-weapons")
def test_v_weapons_hit_an_area_two_spaces_away_on_three_or_less_once_a_turn():
    war = Position().knows("germany", "v_weapons").own("germany", "normandy").put("germany-inf-2", "normandy")
    war.dice(3).phase(Phase("land"))
    assert war.allows(FireV("england", False), "germany")  # the Channel, England
    assert not war.allows(FireV("canada_east", False), "germany")
    war.do(FireV("england", False), "germany")
    assert war.state.bombed == {space("england"): 1}
    assert not war.offers_any(FireV, "germany")
    collect_income(war.m)
    assert war.state.points[MAJORS.index("be")] == war.production("be") - 1
    home = Position().knows("germany", "v_weapons").put("germany-inf-2", "western_germany").phase(Phase("land"))
    assert home.allows(FireV("paris", False), "germany")  # Maginot, Paris
    assert not home.allows(FireV("western_france", False), "germany")  # one further
    miss = Position().knows("germany", "v_weapons").own("germany", "normandy").put("germany-inf-2", "normandy")
    miss.dice(4).phase(Phase("land")).do(FireV("england", False), "germany")
    assert miss.state.bombed == {}


@pytest.mark.rule("bg-7.5-v-weapons-immune")
def test_v_weapons_are_neither_intercepted_nor_hampered_by_weather():
    war = Position().knows("germany", "v_weapons").own("germany", "normandy").put("germany-inf-2", "normandy")
    war.put("be-air-3", "england").weather("bad").dice(3).phase(Phase("land"))
    war.do(FireV("england", False), "germany")
    assert war.state.bombed == {space("england"): 1}
    assert war.events(ev.Fired)[0].strength == 3
    assert war.state.battle is None


@pytest.mark.rule("bg-7.5-atom-prereq")
def test_the_bomb_needs_all_other_advances_but_v_weapons():
    war = Position().knows("usa", *ALL_BUT_V[:-1])
    assert "atomic_bomb" not in open_advances(war.state, MAJORS.index("usa"))
    war.knows("usa", ALL_BUT_V[-1])
    assert set(open_advances(war.state, MAJORS.index("usa"))) == {"atomic_bomb", "v_weapons"}
    war.state.numbers = put(war.state.numbers, MAJORS.index("usa"), 5)
    war.dice(1).run(ResearchRoll("usa")).do(Achieve("atomic_bomb"), "usa")
    early = Position()
    early.state.numbers = put(early.state.numbers, GER, 5)
    early.dice(1).run(ResearchRoll("germany"))
    assert early.refused(Achieve("atomic_bomb"), "germany").rule == "bg-7.5-atom-prereq"


def bomber(*, escorts: int = 0, interceptors: int = 0) -> tuple[Position, str]:
    """An American bomber in England within range of Western Germany."""
    war = Position("1941-advanced").war("usa", "germany").knows("usa", *ALL_BUT_V, "atomic_bomb")
    war.state.atom_ready = {**war.state.atom_ready, MAJORS.index("usa"): war.state.turn}
    carrier = war.add("usa-air-4", "england")
    for _ in range(escorts):
        war.add("usa-air-3", "england")
    war.put("germany-air-2", "bavaria", n=interceptors)
    war.phase(Phase("land"), side="allies")
    return war, carrier


@pytest.mark.rule("bg-7.5-atom-effect", "bg-7.5-atom-carrier", "bg-7.5-atom-home-only")
def test_the_bomb_flown_by_an_aircraft_wipes_out_an_areas_production_for_the_turn():
    war, carrier = bomber(escorts=1)
    assert war.allows(DropAtom(carrier, "western_germany"), "usa")
    tf = war.add("usa-tf-5", "north_sea")
    war.phase(Phase("land"), side="allies")
    assert not war.allows(DropAtom(tf, "western_germany"), "usa")
    war.do(DropAtom(carrier, "western_germany"), "usa")
    assert not war.offers_any(DropAtom, "usa")  # one a turn
    war.do(Bomb("usa-air-3-1", "western_germany"), "usa")  # an escort
    war.dice(6).run(Combats()).go()
    assert war.state.bombed == {space("western_germany"): 5}
    assert war.state.atom_hits[GER] == 1
    # a hit abroad gives no collapse point
    far, carrier = bomber()
    far.do(DropAtom(carrier, "normandy") if far.allows(DropAtom(carrier, "normandy"), "usa")
           else DropAtom(carrier, "paris"), "usa")  # fmt: skip
    far.run(Combats()).go()
    assert far.state.bombed
    assert not any(far.state.atom_hits)


@pytest.mark.rule("bg-7.5-atom-intercept")
@pytest.mark.parametrize(
    ("hits", "control", "falls"), [(0, None, True), (1, 5, True), (1, 6, False), (4, 3, True), (5, None, False)]
)
def test_the_carrier_is_stopped_by_five_hits_or_by_one_and_a_six(hits: int, control: int | None, falls: bool):

    war = Position().dice(*([control] if control is not None else []))
    assert is_intercepted(war.m, hits) is not falls
    assert war.dice_left() == 0


@pytest.mark.rule("bg-7.5-atom-intercept")
def test_interceptors_fight_the_whole_group_and_the_bomb_may_be_lost():

    war, carrier = bomber(escorts=1, interceptors=1)
    war.do(DropAtom(carrier, "western_germany"), "usa").do(Bomb("usa-air-3-1", "western_germany"), "usa")
    war.run(Reaction()).do(React("germany-air-2-1", "western_germany"), "germany").everybody_done()
    # the escort shoots (miss), the interceptor hits; the escort takes the hit; control die 6
    war.dice(6, 1, 6, 6).run(Combats()).go()
    while not war.parked and war.asked == "usa":
        if not war.allows(TakeHit("usa-air-3-1"), "usa"):
            break
        war.do(TakeHit("usa-air-3-1"), "usa").go()
    assert war.flipped("usa-air-3-1")
    assert war.state.atom_hits[GER] == 0


@pytest.mark.rule("bg-7.5-atom-collapse")
@pytest.mark.parametrize(("hits", "die", "falls"), [(1, 1, True), (1, 2, False), (3, 3, True), (3, 4, False)])
def test_the_turn_after_a_hit_the_victim_rolls_against_all_its_hits(hits: int, die: int, falls: bool):
    war = Position("1941-advanced").war("usa", "germany").put("germany-inf-4", "prussia")
    war.state.atom_hits = put(war.state.atom_hits, GER, hits)
    war.state.atom_new = 1 << GER
    war.dice(die, *[1] * 8)
    check_collapse(war.m)
    assert (war.standing("germany") == "conquered") is falls
    assert (war.units_at("prussia") == []) is falls
    # without a new hit nobody rolls
    quiet = Position("1941-advanced")
    quiet.state.atom_hits = put(quiet.state.atom_hits, GER, 6)
    check_collapse(quiet.m)
    assert quiet.standing("germany") == "at war"


@pytest.mark.rule("bg-7.5-atom-v")
def test_v_weapons_carry_the_bomb_past_every_interceptor():
    war = Position().knows("germany", *ALL_BUT_V, "v_weapons", "atomic_bomb").own("germany", "normandy")
    war.put("germany-inf-2", "normandy").put("be-air-3", "england", n=2)
    war.state.atom_ready = {**war.state.atom_ready, GER: war.state.turn}
    war.phase(Phase("land")).do(FireV("england", True), "germany")
    assert war.state.bombed == {space("england"): 6}
    assert war.state.atom_hits[MAJORS.index("be")] == 1
    assert war.state.battle is None
