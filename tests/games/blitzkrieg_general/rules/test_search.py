"""6.4.3 D-F: searching, passing through, double range."""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import DOUBLE, mark
from sandtable.games.blitzkrieg_general.rules.reaction import react_targets
from sandtable.games.blitzkrieg_general.rules.search import helpers, search_number
from sandtable.games.blitzkrieg_general.rules.search_phase import Searches
from sandtable.games.blitzkrieg_general.sequence import _end, _searches
from tests.games.blitzkrieg_general.positions import A, Board, space, unit


def war() -> Board:
    return Board().war("germany-be", "germany-france", "italy-be", "germany-usa")


def number(b: Board, seekers: list[str], targets: list[str], zone: str = "north_sea") -> int:
    return search_number(b.state, [unit(u) for u in seekers], [unit(u) for u in targets], space(zone))


def ids(b: Board, zone: str, *kinds: str) -> list[str]:
    return [b.add(k, zone) for k in kinds]


# ---- the table ----------------------------------------------------------------------------------------------------
@pytest.mark.rule(
    "bg-6.4.3e-col-tf", "bg-6.4.3e-col-convoy", "bg-6.4.3e-col-sub", "bg-6.4.3e-col-asw", "bg-6.4.3e-one-roll"
)
def test_columns_of_the_search_table() -> None:
    b = war()
    foe, sub = b.add("be-tf-4", "north_sea"), b.add("be-sub-2", "north_sea")
    tf, convoy, mine, flyer = ids(b, "north_sea", "germany-tf-4", "germany-conv-1", "germany-sub-2", "germany-tf-3")
    assert number(b, [tf], [foe]) == 8
    assert number(b, [convoy], [foe]) == 6
    assert number(b, [mine], [foe]) == 6
    assert number(b, [tf], [sub]) == number(b, [convoy], [sub]) == 5
    assert number(b, [convoy, mine, flyer], [foe]) == 8  # the best column counts
    b.weather(europe=True)
    assert [number(b, [u], [foe]) for u in (tf, convoy, mine)] == [6, 5, 5]
    assert number(b, [tf], [sub]) == 4


@pytest.mark.rule("bg-6.4.3e-sub-v-sub", "bg-6.5.3-sub-v-sub")
def test_submarines_do_not_find_submarines() -> None:
    b = war()
    assert number(b, ids(b, "north_sea", "germany-sub-2"), ids(b, "north_sea", "be-sub-2")) == 0


@pytest.mark.rule(
    "bg-6.4.3e-radar-mod", "bg-6.4.3e-sonar-mod", "bg-6.4.3e-subs-mod", "bg-7.5-radar", "bg-7.5-sonar", "bg-7.5-subs"
)
def test_research_helps_the_search() -> None:
    b = war().advance("be", "radar", "sonar", "better_subs")
    tf, convoy, mine = ids(b, "north_sea", "be-tf-4", "be-conv-1", "be-sub-2")
    foe, sub = ids(b, "north_sea", "germany-tf-4", "germany-sub-2")
    assert [number(b, [u], [foe]) for u in (tf, convoy, mine)] == [10, 8, 8]
    assert number(b, [tf], [sub]) == 7
    french = b.add("france-tf-4", "north_sea")
    assert number(b, [french], [foe]) == 8  # an associate has no part in it


# ---- cases 2 and 4 ------------------------------------------------------------------------------------------------
def meeting(dice: list[int], *, double: bool = False, mine: str = "germany-tf-4", theirs: str = "be-tf-4") -> Board:
    b = war()
    ship = b.add(mine, "north_sea")
    b.add(theirs, "north_sea")
    if double:
        mark(b.state, unit(ship), DOUBLE)
    return b.start(Searches((space("north_sea"),)), dice, phasing=0)


@pytest.mark.rule("bg-6.4.3d-case2", "bg-6.4.3d-both-succeed", "bg-6.4.3e-roll")
def test_both_find_each_other() -> None:
    b = meeting([4, 4, 2, 6])
    assert b.state.sea_battles == {space("north_sea"): 3}


@pytest.mark.rule("bg-6.4.3d-one-succeeds", "bg-6.4.3e-air-help")
def test_the_one_that_finds_decides_and_only_its_aircraft_help() -> None:
    b = meeting([4, 5, 4, 4])
    assert b.match.decisions() == ("be",)
    b.do("be", act.Engage(True))
    assert b.state.sea_battles == {space("north_sea"): 2}
    flyer, mine = b.add("germany-air-3", "western_germany"), b.add("be-air-3", "england")
    b.phase()
    b.state.sea_battles = {space("north_sea"): 2}
    assert b.rule("germany", act.Fly(flyer, "north_sea")) == "bg-6.4.3e-air-help"

    assert space("north_sea") in react_targets(b.state, unit(mine))
    b = meeting([4, 5, 4, 4]).do("be", act.Engage(False))
    assert b.state.sea_battles == {}


@pytest.mark.rule("bg-6.4.3d-no-auto", "bg-6.8-mixed-seazones")
def test_fleets_that_miss_each_other_share_the_zone() -> None:
    b = meeting([6, 6, 6, 6])
    assert b.state.sea_battles == {}
    assert len(b.at("north_sea")) == 2


@pytest.mark.rule("bg-6.4.3d-case4")
def test_fleets_that_begin_together_search_unless_one_has_left() -> None:
    b = war()
    mine, _ = b.add("germany-tf-4", "skagerrak"), b.add("be-tf-4", "skagerrak")

    b.phase("naval").do("germany", act.Done())
    b.start(None, [6, 6, 6, 6])
    _searches(b.m, 0)
    b.m.settle()
    assert b.state.rolled == 4  # both rolled
    b = war()
    mine, _ = b.add("germany-tf-4", "skagerrak"), b.add("be-tf-4", "skagerrak")
    b.phase("naval").do("germany", act.Form("skagerrak", (mine,)), act.Sail("baltic_sea"), act.Halt())
    _searches(b.m, 0)
    assert b.state.rolled == 0


# ---- case 1 and 3 -------------------------------------------------------------------------------------------------
def passing(dice: list[int], ships: tuple[str, ...] = ("be-tf-2", "be-conv-1")) -> tuple[Board, tuple[str, ...]]:
    """A British group that has entered the Central Atlantic, where a German submarine waits."""
    b = war()
    group = tuple(sorted((b.add(k, "fareous_gap") for k in ships), key=unit))
    b.add("germany-sub-2", "central_atlantic")
    b.phase("naval", phasing=1, dice=dice)
    b.do("be", act.Form("fareous_gap", group), act.Sail("central_atlantic"))
    return b, group


@pytest.mark.rule("bg-6.4.3d-case1", "bg-6.4.3d-may-search", "bg-6.4.3f-slip")
def test_an_undetected_group_sails_on() -> None:
    b, group = passing([3, 4])
    b.do("be", act.Sail("american_east_coast"))
    assert {b.where(u) for u in group} == {"american_east_coast"}
    assert b.state.rolled == 2  # only the submarine searched


@pytest.mark.rule("bg-6.4.3d-case1", "bg-6.4.3e-case1-help", "bg-6.4.3f-caught", "bg-6.5.3-first-shot")
def test_a_detected_group_fights_one_round_and_the_rest_sails_on() -> None:
    # found with 5; the group's own roll 12 brings no aircraft; sub hits with 2; the Task Force misses with 3
    b, group = passing([2, 3, 6, 6, 2, 3])
    b.do("be", act.Sail("american_east_coast"))
    b.do("germany", act.Engage(True))
    convoy = next(u for u in group if "conv" in u)
    b.hits(convoy)
    assert b.is_flipped(convoy)
    assert {b.where(u) for u in group} == {"american_east_coast"}
    b.do("be", act.Sail("central_atlantic"))  # third zone of the single range
    assert b.rule("be", act.Sail("south_atlantic")) == "bg-6.4.3f-caught"


@pytest.mark.rule("bg-6.4.3d-case3")
def test_leaving_a_zone_causes_no_search() -> None:
    b = war()
    ship = b.add("be-tf-4", "north_sea")
    b.add("germany-sub-2", "north_sea")
    b.phase("naval", phasing=1).do("be", act.Form("north_sea", (ship,)), act.Sail("channel"))
    assert b.state.rolled == 0


@pytest.mark.rule("bg-6.4.3f-caught-late")
def test_beyond_single_range_detection_ends_the_move() -> None:
    b = war()
    ship = b.add("be-conv-1", "north_sea")
    b.add("germany-sub-2", "west_african_sea")
    b.phase("naval", phasing=1, dice=[2, 3, 6, 6, 6, 6])
    b.do("be", act.Form("north_sea", (ship,)))
    b.do("be", *(act.Sail(z) for z in ("channel", "sea_of_britain", "sea_of_portugal", "west_african_sea")))
    b.do("be", act.Sail("cape_of_good_hope"))
    b.do("germany", act.Engage(True))
    while type(b.step).__name__ != "Phase":
        b.answer(act.Retreat("fight") if b.rule(b.who(), act.Retreat("retreat")) else act.Retreat("retreat"))
        if type(b.step).__name__ == "Withdrawal":
            b.answer(act.Withdraw(ship, "sea_of_portugal"))
    assert b.where(ship) != "cape_of_good_hope"


# ---- double range -------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-6.4.3f-no-search", "bg-6.4.3f-enemy-adv")
def test_ships_at_double_range_do_not_search_but_are_searched() -> None:
    b = meeting([4, 4], double=True)
    assert b.match.decisions() == ("be",)
    b.do("be", act.Engage(True))
    assert b.state.sea_battles == {space("north_sea"): 2}
    assert b.state.rolled == 2


@pytest.mark.rule("bg-6.4.3f-contagion", "bg-6.4.3f-duration")
def test_the_restrictions_cover_all_friends_in_the_zone_until_the_segment_ends() -> None:

    b = war()
    slow, fast = b.add("be-tf-4", "channel"), b.add("be-tf-3", "channel")
    mark(b.state, unit(fast), DOUBLE)
    b.add("germany-inf-2", "normandy")
    b.own("germany", "normandy")
    b.phase(phasing=1)
    mark(b.state, unit(fast), DOUBLE)
    assert b.rule("be", act.Support(slow, "normandy")) == "bg-6.4.3f-contagion"
    _end(b.m, 1)
    assert not b.state.flags[unit(fast)] & DOUBLE


@pytest.mark.rule("bg-6.4.3f-no-landing")
def test_no_landing_in_enemy_areas_after_double_range() -> None:
    b = war().own("germany", "normandy")
    ship, other = b.add("be-conv-1", "channel"), b.add("be-tf-3", "channel")
    inf = b.add("be-inf-3", "england")
    mark(b.state, unit(other), DOUBLE)
    b.phase("naval", phasing=1)
    mark(b.state, unit(other), DOUBLE)
    b.do("be", act.Form("channel", (ship,)), act.Load(ship, inf))
    assert b.rule("be", act.Unload(inf, "normandy")) == "bg-6.4.3f-no-landing"


@pytest.mark.rule("bg-6.4.3f-retreat", "bg-6.4.3f-enemy-adv")
def test_ships_beyond_single_range_may_retreat_and_their_enemies_break_off() -> None:
    b = war()
    ship = b.add("germany-tf-4", "north_sea")
    b.add("be-tf-4", "north_sea")
    mark(b.state, unit(ship), DOUBLE)
    b.state.sea_battles = {**b.state.sea_battles, space("north_sea"): 2}
    b.combat([6, 6])
    assert b.rule("germany", act.Retreat("retreat")) == ""
    b.do("germany", act.Retreat("fight"))
    b.do("be", act.Retreat("break-off"))
    assert len(b.at("north_sea")) == 2
    assert b.state.battle is None


@pytest.mark.rule("bg-6.4.3e-air-help")
def test_aircraft_in_range_can_help() -> None:
    b = war()
    b.add("germany-tf-4", "north_sea")
    b.add("be-tf-4", "north_sea")
    near, far = b.add("be-air-3", "england"), b.add("be-air-2", "gibraltar")
    b.start(None, phasing=0)
    found = [A.unit_ids[u] for u in helpers(b.state, 1, space("north_sea"))]
    assert near in found
    assert far not in found
