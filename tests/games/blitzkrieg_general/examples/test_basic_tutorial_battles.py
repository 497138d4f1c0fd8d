"""Single positions of the basic tutorial: exploitation, the Allied segment and the turn end, with the dice of the
text."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.rules.conquest import check_conquest
from sandtable.games.blitzkrieg_general.rules.control_phase import occupy
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from sandtable.games.blitzkrieg_general.rules.reinforcements_phase import Reinforcements
from sandtable.games.blitzkrieg_general.rules.timetable import check_time_table
from tests.games.blitzkrieg_general.positions import A, Board, battle, nation, pending

EAST = "east_poland"


def basic() -> Board:
    return Board("1939-basic").war("germany-france", "germany-be", "germany-poland", "japan-china").join("poland", "be")


@pytest.mark.rule(
    "bg-ex-basic-exploit-ger", "bg-6.7-infantry", "bg-6.7-armor-hq", "bg-6.7-hq-optional", "bg-2.1-hq-rating"
)
def test_guderian_exploits() -> None:
    b = basic().own("germany", "western_poland")
    hq = b.add("guderian", "western_poland")
    four = b.adds("western_poland", "germany-inf-4", "germany-inf-4", "germany-inf-3", "germany-inf-3")
    fifth = b.add("germany-inf-2", "western_poland")
    arm = b.add("germany-arm-5", "western_poland")
    b.adds(EAST, "poland-inf-2")
    b.phase("exploit")
    b.march("germany", hq, "prussia").march("germany", four[0], "prussia").march("germany", four[2], "lwow")
    b.march("germany", four[1], EAST).march("germany", four[3], EAST).march("germany", arm, EAST)
    assert b.rule("germany", act.March(fifth, "prussia", "")) == "bg-6.7-infantry"  # the rating is four
    assert b.owner("lwow") == "germany"
    assert b.where(hq) == "prussia"


@pytest.mark.rule("bg-ex-basic-e-poland", "bg-6.5.9-forced", "bg-6.5.9-no-base")
def test_east_poland() -> None:
    b = basic().own("germany", "western_poland", "lwow")
    b.state.exploiting = True
    battle(
        b,
        EAST,
        ["germany-arm-5", "germany-inf-4", "germany-inf-3", ("germany-air-4", "prussia"), ("germany-air-3", "prussia")],
        ["poland-inf-3!", "poland-inf-2!", "poland-inf-2!", "poland-air-2"],
        [5, 4, 5, 3, 4, 2, 3, 2, 5, 2],
    )
    assert pending(b) == (1, 4)
    b.hits(b.find("germany-inf-3", EAST))
    polish = [b.find("poland-inf-3!", EAST), b.find("poland-inf-2!", EAST, 0), b.find("poland-inf-2!", EAST, 1)]
    b.hits(*polish)  # the fourth hit can only fall on the aircraft
    # only an aircraft is left, it must go and has no base: eliminated
    while type(b.step).__name__ == "Landing":
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], "prussia"))
    assert b.owner(EAST) == "germany"
    assert [k for k in b.kinds(EAST) if "poland" in k] == []
    assert b.kinds("prussia") == ["germany-air-3", "germany-air-4"]


@pytest.mark.rule("bg-ex-basic-sian-1", "bg-6.5.1-no-fire")
def test_sian_first_battle() -> None:
    b = basic()
    battle(
        b,
        "sian",
        ["japan-inf-4", "japan-inf-2", "japan-inf-2!", ("japan-air-2", "shanghai"), ("japan-air-2", "shanghai")],
        ["china-inf-3", "china-inf-3!", "china-inf-2!", "china-air-1", "chiang"],
        [4, 6, 5, 4, 1, 4, 3, 4, 5],
    )
    assert pending(b) == (0, 2)  # the HQ does not fire
    b.hits(b.find("china-inf-2!", "sian"), b.find("china-air-1", "sian"))
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    ways = {"chiang": "pakoe", "china-inf-3": "wuhan"}
    while type(b.step).__name__ == "Withdrawal":
        ident = A.unit_ids[b.step.units[0]]
        b.answer(act.Withdraw(ident, ways[A.kind_of_unit[A.unit_of[ident]].id]))
    while type(b.step).__name__ == "Landing":
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], "shanghai"))
    assert b.owner("sian") == "japan"
    assert b.kinds("wuhan") == ["china-inf-3", "china-inf-3!"]
    assert b.kinds("pakoe") == ["chiang"]


@pytest.mark.rule("bg-ex-basic-allied-moves", "bg-6.8-neutral-ships", "bg-6.4.1-max")
def test_allied_moves() -> None:
    b = Board("1939-basic", full=True)
    b.phase("naval", phasing=1)
    convoy = b.find("be-conv-1", "levantianian_sea")
    arm = b.find("be-arm-4", "alexandria")
    # past neutral Italian ships: nobody is disturbed
    b.do("be", act.Form("levantianian_sea", (convoy,)), act.Load(convoy, arm))
    b.do("be", *(act.Sail(z) for z in ("ionian_sea", "tyrrhenian_sea", "ligurian_sea")))
    b.do("be", act.Unload(arm, "vichy"), act.Halt())
    assert b.where(arm) == "vichy"
    for zone in ("north_sea", "skandinavian_sea"):
        ship = b.find("be-conv-1", zone)
        b.do("be", act.Form(zone, (ship,)))
        if zone == "skandinavian_sea":
            b.do("be", act.Sail("north_sea"))
        b.do("be", act.Sail("channel"))
        load = b.find("be-inf-3" if zone == "north_sea" else "be-inf-2", "england")
        b.do("be", act.Load(ship, load), act.Unload(load, "normandy"), act.Halt())
    assert b.kinds("normandy") == ["be-inf-2", "be-inf-3", "france-inf-2-v"]
    for role in ("be", "usa", "ussr", "france"):
        if role in b.match.decisions():
            b.do(role, act.Done())
    b.phase("land", phasing=1)
    flyer = b.find("ussr-air-1-orange", "ural")
    b.do("ussr", act.Fly(flyer, "vladivostok"))  # double range: no enemy airspace on the way
    assert b.where(flyer) == "vladivostok"


@pytest.mark.rule("bg-ex-basic-skagerrak-stop", "bg-basic-6.1.4-auto-battle")
def test_ships_that_meet_enemies_must_stop() -> None:
    b = basic()
    ships = tuple(b.adds("north_sea", "be-tf-4", "be-tf-3"))
    b.add("germany-conv-1", "skagerrak")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("north_sea", ships), act.Sail("skagerrak"))
    assert b.rule("be", act.Sail("baltic_sea")) == "bg-basic-6.1.4-auto-battle"


@pytest.mark.rule("bg-ex-basic-skagerrak", "bg-basic-6.2.3-ships")
def test_skagerrak() -> None:
    b = basic()
    battle(b, "skagerrak", ["be-tf-4", "be-tf-3"], ["germany-conv-1"], [3, 4, 3], phasing=1)
    convoy = b.find("germany-conv-1!", "skagerrak")
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    if type(b.step).__name__ == "Withdrawal":
        b.answer(act.Withdraw(convoy, "baltic_sea"))
    assert b.where(convoy) == "baltic_sea"


@pytest.mark.rule("bg-ex-basic-tf-used")
def test_ships_that_fight_at_sea_do_not_support_ashore() -> None:
    b = basic()
    tf = b.add("be-tf-4", "skagerrak")
    b.add("germany-conv-1", "skagerrak")
    b.add("germany-inf-2", "western_germany")
    b.phase("land", phasing=1)
    b.state.sea_battles = {**b.state.sea_battles, A.space_of["skagerrak"]: 3}
    assert b.rule("be", act.Support(tf, "western_germany")) == "bg-10.1-pin"
    b.state.sea_battles = {}
    b.match._offers = {}
    assert b.rule("be", act.Support(tf, "western_germany")) == ""


def western_germany() -> Board:
    b = basic()
    return battle(
        b,
        "western_germany",
        [
            "france-arm-4",
            "france-inf-3",
            "france-inf-3",
            "france-inf-3",
            "france-inf-2",
            ("france-air-2", "paris"),
            ("be-air-2", "england"),
        ],
        [
            "germany-inf-3",
            "germany-inf-2",
            "germany-arm-4",
            "germany-inf-4",
            "guderian",
            "germany-air-4",
            "germany-air-3",
        ],
        [5, 4, 6, 4, 2, 3, 3, 2, 5, 4, 3, 3, 4, 2, 4, 5, 4, 6, 4, 3, 3, 2, 2, 5, 4, 3, 3, 2, 4],
        phasing=1,
    )


def first_round(b: Board) -> None:
    here = "western_germany"
    french = [b.find("france-inf-3", here, n) for n in range(3)]
    b.hits(*french, b.find("france-inf-2", here))
    two = b.find("germany-inf-2", here)
    b.hits(b.find("germany-inf-3", here), two, two)
    b.answer(act.Retreat("fight"), act.Retreat("fight"))


@pytest.mark.rule("bg-ex-basic-w-germany-1")
def test_western_germany_first_round() -> None:
    b = western_germany()
    assert pending(b) == (4, 3)
    first_round(b)
    assert pending(b) == (4, 2)


@pytest.mark.rule("bg-ex-basic-w-germany-2", "bg-6.4.1-air-return")
def test_western_germany_second_round() -> None:
    b = western_germany()
    first_round(b)
    here = "western_germany"
    b.hits(*(b.find("france-inf-3!", here, n) for n in range(3)), b.find("france-inf-2!", here))
    b.hits(b.find("germany-inf-4", here), b.find("germany-inf-3!", here))
    b.answer(act.Retreat("retreat"))
    arm = "france-arm-4-1"
    if type(b.step).__name__ == "Withdrawal":
        b.answer(act.Withdraw(arm, "maginot"))
    while type(b.step).__name__ == "Landing":
        ident = A.unit_ids[b.step.units[0]]
        b.answer(act.Withdraw(ident, "paris" if "germany" not in ident else here))
    assert b.where(arm) == "maginot"
    assert b.kinds("paris") == ["be-air-2", "france-air-2"]
    assert b.kinds(here) == ["germany-air-3", "germany-air-4", "germany-arm-4", "germany-inf-4!", "guderian"]


@pytest.mark.rule("bg-ex-basic-sian-2", "bg-6.5.8-split")
def test_sian_second_battle() -> None:
    b = basic().own("japan", "sian")
    battle(
        b,
        "sian",
        ["china-inf-3", "china-inf-2", "china-inf-2", "china-inf-3!", "china-inf-2!"],
        ["japan-inf-4", "japan-inf-4", "japan-inf-2", "japan-inf-2", "japan-inf-3!", "japan-air-2", "japan-air-2"],
        [3, 4, 3, 1, 4, 5, 4, 5, 4, 3, 2, 2],
        phasing=1,
    )
    assert pending(b) == (3, 2)
    b.hits(b.find("china-inf-2", "sian", 0), b.find("china-inf-2", "sian", 1), b.find("china-inf-3", "sian"))
    b.hits(b.find("japan-inf-2", "sian", 0), b.find("japan-inf-2", "sian", 1))
    b.answer(act.Retreat("retreat"))
    for to in ("chentu", "chansa", "chunking", "chentu", "chentu"):
        assert type(b.step).__name__ == "Withdrawal", b.step
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], to))
    assert len(b.kinds("chentu")) == 3
    assert len(b.kinds("chansa")) == len(b.kinds("chunking")) == 1
    assert b.kinds("sian").count("japan-inf-2!") == 2
    assert b.kinds("sian").count("japan-air-2") == 2  # their base: they stay


@pytest.mark.rule("bg-ex-basic-exploit-allied", "bg-6.2-adjacent")
def test_an_infantry_commanded_by_chiang_goes_two_areas_but_not_three() -> None:
    b = basic().own("japan", "sian")
    b.add("chiang", "chentu")
    inf = b.add("china-inf-2", "chentu", flipped=True)
    b.phase("exploit", phasing=1)
    assert b.rule("china", act.March(inf, "wuhan", "")) == "bg-6.4.1-infantry"
    b.march("china", inf, "pakoe")
    assert b.where(inf) == "pakoe"


@pytest.mark.rule("bg-ex-basic-conquest", "bg-7.1-minor")
def test_poland_without_areas_is_conquered() -> None:
    b = basic().own("germany", "western_poland", "east_poland")
    b.start(None)
    check_conquest(b.m)
    assert b.state.standing[nation("poland")] == 1
    b.own("germany", "lwow")
    check_conquest(b.m)
    assert b.state.standing[nation("poland")] == 2
    assert b.owner("baltic") == "baltic_states"  # not Polish


def build(
    role: str, points: int, *kinds: str, repair: tuple[tuple[str, str], ...] = ()
) -> tuple[Board, dict[str, str], int]:
    b = Board("1939-basic", full=True)
    b.state.points = put(b.state.points, A.nation_of[role], points)
    waiting = {u for u in range(A.units) if b.state.place[u] == -3}
    fixed = [b.add(spec, at, flipped=True) for spec, at in repair]
    b.start(Production())
    for ident in fixed:
        b.do(role, act.Repair(ident))
    for kind in kinds:
        b.do(role, act.Build(kind))
    new = {
        A.kind_of_unit[u].id: A.turns[b.state.due[u]]
        for u in range(A.units)
        if b.state.place[u] == -3 and u not in waiting
    }
    return b, new, b.state.points[A.nation_of[role]]


@pytest.mark.rule(
    "bg-ex-basic-prod-ger", "bg-7.6.6-durations", "bg-7.6-cost-inf", "bg-7.6-cost-double", "bg-7.6.5-repair"
)
def test_german_production() -> None:
    _, new, left = build(
        "germany", 18, "germany-arm-5", "germany-air-2", "germany-inf-2", repair=(("germany-inf-4", "western_germany"),)
    )
    assert left == 0
    assert new == {"germany-inf-2": "4/39", "germany-air-2": "1/40", "germany-arm-5": "2/40"}


@pytest.mark.rule("bg-ex-basic-prod-ita", "bg-7.6-save", "bg-7.6.3-may-build")
def test_neutral_italy_builds_and_saves() -> None:
    b, new, left = build("italy", 6, "italy-air-2")
    assert new == {"italy-air-2": "1/40"}
    assert left == 2
    for role in list(b.match.decisions()):
        b.do(role, act.Done())
    assert b.state.saved[A.nation_of["italy"]] == 2


@pytest.mark.rule("bg-ex-basic-prod-jap")
def test_japanese_production() -> None:
    repair = (("japan-inf-2", "shanghai"), ("japan-inf-2", "shanghai"), ("japan-inf-3", "shanghai"))
    _, new, left = build("japan", 17, "japan-tf-2", "japan-air-3", "japan-inf-2", "japan-inf-2", repair=repair)
    assert left == 0
    assert new == {"japan-inf-2": "4/39", "japan-air-3": "1/40", "japan-tf-2": "3/40"}


@pytest.mark.rule("bg-ex-basic-prod-chi")
def test_chinese_production() -> None:
    b = Board("1939-basic", full=True)
    b.adds("chentu", "china-inf-3", "china-inf-3", flipped=True)
    b.state.points = put(b.state.points, A.nation_of["china"], 8)
    b.start(Production())
    hurt = [A.unit_ids[u] for u in A.units_of_printed[A.nation_of["china"]] if b.state.flipped[u]]
    assert len(hurt) == 6
    b.do("china", *(act.Repair(u) for u in hurt), act.Build("china-inf-2"))
    assert b.state.points[A.nation_of["china"]] == 0


@pytest.mark.rule("bg-ex-basic-prod-usa", "bg-scn39-china-us-air", "bg-7.6-cost-fixed")
def test_american_production() -> None:
    b, new, left = build("usa", 8, "china-air-2-us", "usa-conv-1")
    assert left == 0
    assert set(new) == {"china-air-2-us", "usa-conv-1"}
    b.state.points = put(b.state.points, A.nation_of["china"], 8)
    b.start(Production())
    assert b.rule("china", act.Build("china-air-2-us")) == "bg-scn39-china-us-air"


@pytest.mark.rule("bg-ex-basic-prod-ussr", "bg-scn39-ussr-orange")
def test_soviet_production_begins_with_orange_units() -> None:
    b, _, left = build("ussr", 11, "ussr-arm-2-orange", "ussr-arm-2-orange", "ussr-air-1-orange")
    assert left == 1
    b.state.points = put(b.state.points, A.nation_of["ussr"], 11)
    b.start(Production())
    assert b.rule("ussr", act.Build("ussr-inf-3-red")) == "bg-scn39-ussr-orange"


@pytest.mark.rule("bg-ex-basic-prod-fra-be")
def test_french_and_british_production() -> None:
    assert build("france", 11, "france-inf-2", "france-inf-2", "france-inf-3", "france-air-2")[2] == 0
    assert build("be", 13, "be-inf-3", "be-air-3", "be-conv-1")[2] == 0


@pytest.mark.rule("bg-ex-basic-pact", "bg-time-poland-conquered")
def test_the_pact_is_carried_out_in_the_next_turn() -> None:
    b = basic().own("germany", "western_poland", "east_poland", "lwow")
    units = [b.add("germany-inf-3", "east_poland"), b.add("germany-inf-2", "lwow")]
    b.start(None)
    check_conquest(b.m)
    b.state.turn += 1
    check_time_table(b.m)
    assert [b.where(u) for u in units] == ["western_poland"] * 2
    assert [b.owner(s) for s in ("east_poland", "lwow", "baltic", "western_poland")] == ["ussr"] * 3 + ["germany"]


@pytest.mark.rule("bg-ex-basic-reinf", "bg-scn39-france-reinf")
def test_reinforcements_of_the_fourth_quarter() -> None:
    b = Board("1939-basic", full=True)
    b.state.turn = A.turn_of["4/39"]
    new = b.chart("china-inf-2", b.state.turn)
    b.start(Reinforcements())
    b.do("france", act.Place("georges", "paris"))
    b.do("china", act.Place(new, "chentu"))
    assert b.where("georges") == "paris"
    assert b.where(new) == "chentu"
    # the scenario card brings the French armor a quarter later than the text
    assert all(A.turns[b.state.due[u]] == "1/40" for u in A.kind_ids["france-arm-3-f"].units if b.state.place[u] == -3)


@pytest.mark.rule("bg-ex-quick-w-poland", "bg-7.6.2-conquer", "bg-7.6.2-reconquer")
def test_western_poland_changes_hands() -> None:

    b = Board("1939-basic", full=True)
    b.start(None)
    check_time_table(b.m)
    germany, be = b.flag("germany"), b.flag("be")
    occupy(b.m, A.space_of["western_poland"], A.nation_of["germany"])
    assert (b.flag("germany"), b.flag("be")) == (germany + 1, be - 2)
    occupy(b.m, A.space_of["western_poland"], A.nation_of["be"])
    assert b.owner("western_poland") == "poland"
    assert (b.flag("germany"), b.flag("be")) == (germany, be)


@pytest.mark.rule("bg-ex-quick-costs", "bg-scn-production-chart")
def test_costs_of_the_quickstart_card() -> None:
    kinds = A.kind_ids
    assert kinds["germany-inf-3"].cost == 3
    assert kinds["germany-arm-4"].cost == 8
    assert kinds["germany-inf-2"].repair_cost == 1
    assert (kinds["be-conv-1"].cost, kinds["be-sub-2"].cost, kinds["guderian"].cost) == (4, 3, 1)
    quarters = {
        k: kinds[k].build_quarters
        for k in ("be-inf-3", "be-air-2", "be-arm-4", "be-conv-1", "be-sub-2", "be-tf-4", "monty")
    }
    assert list(quarters.values()) == [1, 2, 3, 3, 3, 4, 4]
