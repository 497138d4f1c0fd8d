"""The basic tutorial as one match: the third quarter of 1939 from the set-up to the arrivals of the fourth quarter.

One move after the other in a real match, with the dice of the text in the order of strength, so that what each battle
leaves behind is what the next one starts from. Where the text slips or speaks against the rules, the remark stands
beside the move and a test asserts the rule.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import CONQUERED
from tests.games.blitzkrieg_general.examples.replay import A, Replay

WEST, EAST = "western_poland", "east_poland"


@contextlib.contextmanager
def without_the_polish_order() -> Iterator[None]:
    """The text lets Poland retreat to explain retreats, and says itself that the scenario card forbids it."""
    poland = A.poland
    A.poland = -1
    try:
        yield
    finally:
        A.poland = poland


def ferry(
    r: Replay, role: str, zone: str, load: tuple[str, str], to: str, *path: str, first: tuple[str, ...] = ()
) -> str:
    """A convoy sails `first`, loads, sails on along `path` and unloads."""
    convoy = next(u for u in r.units(zone, f"{role}-conv-1") if not r.state.flags[A.unit_of[u]])
    r.do(role, act.Form(zone, (convoy,)), *(act.Sail(z) for z in first))
    cargo = r.units(load[1], load[0])[0]
    r.do(role, act.Load(convoy, cargo), *(act.Sail(z) for z in path), act.Unload(cargo, to), act.Halt())
    return cargo


def axis_moves(r: Replay) -> None:
    r.shown["begin"] = (r.flags(), getattr(r.match.step, "name", ""), r.match.decisions())
    r.sail("germany", "skagerrak", ("germany-tf-4/B", "germany-conv-1", "germany-sub-2"), "baltic_sea")
    ferry(r, "japan", "chinese_sea", ("japan-inf-3", "southern_japan"), "sinkiang", "sea_formosa")
    flown_in = ferry(r, "japan", "chinese_sea", ("japan-air-2", "southern_japan"), "shanghai")
    r.sail("japan", "chinese_sea", ("japan-tf-4", "japan-tf-2", "japan-tf-4/B"), "sea_formosa")
    r.finish("naval")
    r.shown["after the ships"] = (r.at("baltic_sea"), r.at("skagerrak"), r.at("sinkiang"), r.at("sea_formosa"))
    for home in ("prussia", "austria"):
        r.march("germany", home, WEST, *[kind for kind in r.at(home) if "-air-" not in kind])
        r.march("germany", home, WEST, *[kind for kind in r.at(home) if "-air-" in kind])
    r.march("germany", "bavaria", "western_germany", "germany-inf-3")
    r.shown["landed air"] = r.match.why_not("japan", act.Fly(flown_in, "wuhan"))
    r.march("japan", "shanghai", "wuhan", "japan-inf-3", "japan-inf-2", "japan-air-2")
    r.march("japan", "manchuria", "shanghai", "japan-inf-4", "japan-inf-2")
    for ship in [u for kind in ("japan-tf-4", "japan-tf-2", "japan-tf-4/B") for u in r.units("sea_formosa", kind)]:
        r.do("japan", act.Support(ship, "sinkiang"))
    r.finish("land")
    r.shown["shanghai"] = r.at("shanghai")
    r.shown["reacting"] = r.match.decisions()
    # Chiang goes along: the text has him in Wuhan when he commands the next reserves from there
    for kind in ("china-inf-3", "china-inf-3", "chiang"):
        r.do("china", act.Reserve(r.units("sian", kind)[0], "wuhan"))
    r.finish("Reaction")
    r.shown["reserves"] = (r.at("wuhan", "china"), r.at("sian"))


def axis_battles(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    r.attack(WEST, 5, 2, 6, 5, 4, 4, 2, 1, 4, 3, 3, 2, 4, 6, 5, 4, 4, 2, 1)
    note["w poland hits"] = (r.state.battle.hits[0], r.state.battle.hits[4])
    r.hits("germany-inf-3", "germany-inf-3")
    for _ in range(3):
        r.hits("poland-inf-2", "poland-inf-2/B")
    r.hits("poland-inf-2", "poland-inf-2", "poland-inf-3")
    note["w poland"] = (r.rolls(), r.at(WEST, "poland"), r.at(WEST, "germany"))
    r.retreat("fight")
    note["poland may not go"] = r.match.why_not(r.match.decisions()[0], act.Retreat("retreat"))
    with without_the_polish_order():
        r.match._offers = {}
        r.retreat("retreat").withdraw(EAST).land({"poland-air-2": EAST, "": "prussia"})
    note["w poland taken"] = (r.holder(WEST), r.at(EAST), r.flags())
    # the first die covers the reduced infantry: nobody else rolls, but it fires back; the last battle left follows
    r.attack("sinkiang", 3, 3, *(3, 6, 4, 3, 2, 2, 1))
    note["sinkiang"] = (r.rolls()[:2], r.holder("sinkiang"), r.at("sinkiang"), r.at("sea_formosa"))
    note["wuhan"] = r.rolls()[2:]
    r.hits("japan-inf-2", "japan-inf-2/B", "japan-inf-3").hits("china-inf-3")
    r.retreat("retreat").withdraw("shanghai").land("shanghai")
    note["wuhan held"] = (r.holder("wuhan"), r.at("wuhan"), r.at("shanghai"))


def axis_exploits(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    r.march("germany", WEST, "prussia", "guderian", "germany-inf-4").march("germany", WEST, "lwow", "germany-inf-3/B")
    r.march("germany", WEST, EAST, "germany-inf-3", "germany-inf-4", "germany-arm-5")
    note["guderian"] = r.match.why_not("germany", act.March(r.units(WEST, "germany-inf-4")[0], "prussia", ""))
    r.march("germany", "prussia", EAST, "germany-air-4", "germany-air-3").march(
        "germany", WEST, "prussia", "germany-arm-4"
    )
    r.march("japan", "shanghai", "sian", "japan-inf-4", "japan-inf-2", "japan-inf-3/B", "japan-air-2", "japan-air-2")
    r.march("japan", "shanghai", "peking", "hiro")
    r.finish("exploit")
    note["lwow"] = (r.holder("lwow"), r.at(WEST), r.at("prussia"))
    r.do("china", act.React(r.units("wuhan", "china-air-1")[0], "sian"))
    for kind in ("china-inf-3", "china-inf-3/B", "chiang"):
        r.do("china", act.Reserve(r.units("wuhan", kind)[0], "sian"))
    r.finish("Reaction")
    r.attack(EAST, 5, 4, 5, 3, 4, 2, 3, 2, 5, 2, *(4, 6, 5, 4, 1, 4, 3, 4, 5)).hits("germany-inf-3")
    r.hits("poland-inf-3/B", "poland-inf-2/B", "poland-inf-2/B")
    note["e poland"] = r.rolls()
    r.land("prussia")
    note["e poland taken"] = (r.holder(EAST), r.at(EAST), r.at("prussia"), r.flags())
    note["sian"] = r.rolls()[10:]
    r.hits("china-inf-2/B", "china-air-1")
    r.retreat("fight", "retreat").withdraw({"chiang": "pakoe", "": "wuhan"}).land("shanghai")
    note["sian taken"] = (r.holder("sian"), r.at("sian"), r.at("wuhan"), r.at("pakoe"), r.at("shanghai"))


def allied_moves(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    note["allies"] = (r.state.phasing, r.match.decisions())
    ferry(
        r, "be", "levantianian_sea", ("be-arm-4", "alexandria"), "vichy", "ionian_sea", "tyrrhenian_sea", "ligurian_sea"
    )
    r.sail("be", "skandinavian_sea", ("be-tf-3",), "north_sea", "skagerrak")
    r.sail("be", "north_sea", ("be-tf-4",), "skagerrak", halt=False)
    note["no further"] = r.match.why_not("be", act.Sail("baltic_sea"))
    r.do("be", act.Halt())
    ferry(r, "be", "skandinavian_sea", ("be-inf-3", "england"), "normandy", first=("north_sea", "channel"))
    ferry(r, "be", "north_sea", ("be-inf-2", "england"), "normandy", first=("channel",))
    r.finish("naval")
    r.march("ussr", "east_siberia", "stanovoj", "ussr-inf-4-redg", "ussr-inf-4-redg")
    r.march("ussr", "ural", "vladivostok", "ussr-air-1-orange").march("ussr", "moscow", "ural", "ussr-inf-3-red")
    r.march("china", "pakoe", "sian", "china-inf-2", "china-inf-2", "chiang")
    r.march("china", "wuhan", "sian", "china-inf-3", "china-inf-3/B", "china-inf-2/B")
    r.march("france", "maginot", "western_germany", *r.at("maginot"))
    r.march("france", "paris", "western_germany", "france-arm-4", "france-air-2", via="maginot")
    r.march("france", "vichy", "maginot", "france-inf-3").march("be", "england", "western_germany", "be-air-2")
    note["ships that fight"] = r.match.why_not("be", act.Support(r.units("skagerrak", "be-tf-4")[0], "western_germany"))
    r.finish("land")
    note["moved"] = {s: r.at(s) for s in ("vichy", "normandy", "stanovoj", "vladivostok", "ural", "maginot")}
    for kind in ("germany-arm-4", "germany-inf-4", "guderian"):
        r.do("germany", act.Reserve(r.units("prussia", kind)[0], "western_germany"))
    for kind in ("germany-air-4", "germany-air-3"):
        r.do("germany", act.React(r.units("prussia", kind)[0], "western_germany"))
    for kind in ("japan-inf-2", "japan-inf-4"):
        r.do("japan", act.Reserve(r.units("peking", kind)[0], "sian"))
    for ident in r.units("shanghai", "japan-air-2"):
        r.do("japan", act.React(ident, "sian"))
    r.finish("Reaction")


def allied_battles(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    r.attack("skagerrak", 3, 4, 3).retreat("fight", "retreat").withdraw("baltic_sea")
    note["skagerrak"] = (r.rolls(), r.at("skagerrak"), r.at("baltic_sea"))
    here = "western_germany"
    r.attack(here, 5, 4, 6, 4, 2, 3, 3, 2, 5, 4, 3, 3, 4, 2, 4)
    r.hits(*["france-inf-3-v"] * 3, "france-inf-2-v").hits("germany-inf-3", "germany-inf-2", "germany-inf-2/B")
    note["w germany 1"] = (r.rolls(), r.at(here, "france"), r.at(here, "germany"))
    r.seen.clear()
    r.dice(5, 4, 6, 4, 3, 3, 2, 2, 5, 4, 3, 3, 2, 4, *(3, 4, 3, 1, 4, 5, 4, 5, 4, 3, 2, 2)).retreat("fight", "fight")
    r.hits(*["france-inf-3-v/B"] * 3, "france-inf-2-v/B").hits("germany-inf-4", "germany-inf-3/B")
    r.retreat("retreat").withdraw("maginot").land({"france-air-2": "paris", "be-air-2": "paris", "": here})
    note["w germany 2"] = (r.rolls()[:14], r.at(here), r.at("maginot"), r.at("paris"))
    note["sian 2 rolls"] = r.rolls()[14:]
    r.hits("china-inf-2", "china-inf-2", "china-inf-3")
    r.hits("japan-inf-2", "japan-inf-2").retreat("retreat")
    ways = {"china-inf-2": ["chansa", "chunking", "chentu"]}
    while type(r.match.step).__name__ == "Withdrawal":
        role = r.match.decisions()[0]
        ident = next(a.unit for a in r.match.offers(role) if isinstance(a, act.Withdraw))
        kind = A.kind_of_unit[A.unit_of[ident]].id
        r.do(role, act.Withdraw(ident, ways[kind].pop(0) if ways.get(kind) else "chentu"))
    r.land("sian")
    note["sian 2"] = (r.holder("sian"), {s: r.at(s) for s in ("sian", "chansa", "chunking", "chentu")})
    r.march("ussr", "kiev", "kharkov", "ussr-arm-2-orange")
    inf = r.units("chentu", "china-inf-2/B")[0]
    note["no beaming"] = r.match.why_not("china", act.March(inf, "wuhan", ""))
    r.march("china", "chentu", "pakoe", "china-inf-2/B").finish("exploit")
    note["allied exploitation"] = (r.at("kharkov"), r.at("pakoe"))


def turn_end(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    note["conquest"] = (r.state.standing[A.poland], r.holder("baltic"), r.match.step)
    note["income"] = {A.nation_ids[n]: r.state.points[n] for n in range(8)}
    start = {u for u in range(A.units) if r.state.place[u] == -3}

    def fix(role: str, place: str, *kinds: str) -> None:
        for kind in kinds:
            r.do(role, act.Repair(r.units(place, kind)[0]))

    def build(role: str, *kinds: str) -> None:
        r.do(role, *(act.Build(kind) for kind in kinds))

    fix("germany", "western_germany", "germany-inf-4/B")
    build("germany", "germany-arm-5", "germany-air-2", "germany-inf-2")
    build("italy", "italy-air-2")
    fix("japan", "sian", "japan-inf-2/B", "japan-inf-2/B", "japan-inf-3/B")
    # the text builds one Inf 2 for four points: the sum and the arrivals prove two
    build("japan", "japan-tf-2", "japan-air-3", "japan-inf-2", "japan-inf-2")
    reduced = [u for u in A.units_of_printed[A.nation_of["china"]] if r.state.flipped[u] and r.state.place[u] >= 0]
    r.do("china", *(act.Repair(A.unit_ids[u]) for u in reduced))
    note["chinese repairs"] = (len(reduced), r.state.points[A.nation_of["china"]])
    build("china", "china-inf-2")
    build("usa", "china-air-2-us", "usa-conv-1")
    note["orange first"] = r.match.why_not("ussr", act.Build("ussr-inf-3-red"))
    build("ussr", "ussr-arm-2-orange", "ussr-arm-2-orange", "ussr-air-1-orange")
    build("france", "france-inf-2", "france-inf-2", "france-inf-3", "france-air-2")
    build("be", "be-inf-3", "be-air-3", "be-conv-1")
    note["unspent"] = {A.nation_ids[n]: r.state.points[n] for n in range(8)}
    new = [u for u in range(A.units) if r.state.place[u] == -3 and u not in start]
    note["arrivals"] = sorted((A.kind_of_unit[u].id, A.turns[r.state.due[u]]) for u in new)
    r.finish("Production")
    note["saved"] = {A.nation_ids[n]: r.state.saved[n] for n in range(8)}


def fourth_quarter(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    note["pact"] = ([r.holder(s) for s in (WEST, EAST, "lwow", "baltic")], r.at(WEST), r.at(EAST), r.at("lwow"))
    arm = A.kind_ids["france-arm-3-f"].units[0]
    # the text places the French Arm 3 now; the scenario card brings it a quarter later
    note["french armor"] = (r.match.why_not("france", act.Place(A.unit_ids[arm], "paris")), A.turns[r.state.due[arm]])
    r.place("china", "chentu", "china-inf-2").place("be", "england", "be-inf-3")
    r.place("france", "maginot", "france-inf-2", "france-inf-2").place("france", "paris", "georges", "france-inf-3")
    r.place("japan", "southern_japan", "japan-inf-2", "japan-inf-2").place(
        "germany", "western_germany", "germany-inf-2"
    )
    homes = ("chentu", "england", "maginot", "paris", "southern_japan", "western_germany")
    note["reinforced"] = {home: r.at(home) for home in homes}
    note["next"] = (A.turns[r.state.turn], r.state.phasing, getattr(r.match.step, "name", ""))


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The whole quarter, played once; what it has shown on the way."""
    replay = Replay("1939-basic")
    for part in (axis_moves, axis_battles, axis_exploits, allied_moves, allied_battles, turn_end, fourth_quarter):
        part(replay)
        assert not replay.match.faults()
    return replay.shown


def volley(strength: int, *dice: int) -> list[tuple[int, int]]:
    return [(strength, die) for die in dice]


def fired(*volleys: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [roll for some in volleys for roll in some]


def hits(*rolls: list[tuple[int, int]]) -> int:
    return sum(die <= strength for some in rolls for strength, die in some)


@pytest.mark.rule("bg-ex-basic-setup", "bg-time-3-39-poland", "bg-basic-5.0-axis-first")
def test_the_quarter_begins(told: dict[str, Any]) -> None:
    flags, phase, asked = told["begin"]
    assert flags["be"] == 15  # 13 and the 2 of Poland, which it plays
    assert phase == "naval"  # nobody has reinforcements
    assert asked == ("germany", "italy", "japan")


@pytest.mark.rule("bg-ex-basic-double-range", "bg-ex-basic-convoy-landing")
def test_the_axis_moves(told: dict[str, Any]) -> None:
    baltic, skagerrak, sinkiang, formosa = told["after the ships"]
    assert baltic == ["germany-conv-1", "germany-sub-2", "germany-tf-4/B"]
    assert skagerrak == ["germany-conv-1"]
    assert sinkiang == ["china-inf-2/B", "japan-inf-3"]
    assert formosa == ["japan-conv-1", "japan-tf-2", "japan-tf-4", "japan-tf-4/B"]
    assert told["landed air"].rule == "bg-6.4.1-once"
    assert told["shanghai"] == ["hiro", "japan-air-2", "japan-air-2", "japan-inf-2", "japan-inf-4"]


@pytest.mark.rule("bg-ex-basic-reaction")
def test_china_reacts(told: dict[str, Any]) -> None:
    assert told["reacting"] == ("china",)  # no western aircraft reaches Poland
    wuhan, sian = told["reserves"]
    assert wuhan.count("china-inf-3") == 2
    assert sian == ["china-inf-2/B"]


@pytest.mark.rule("bg-ex-basic-w-poland")
def test_western_poland(told: dict[str, Any]) -> None:
    germany = [volley(5, 5, 2), volley(4, 6, 5, 4, 4, 2, 1), volley(3, 4, 3, 3, 2)]
    poland = [volley(3, 4), volley(2, 6, 5, 4, 4, 2, 1)]
    rolls, polish, german = told["w poland"]
    assert rolls == fired(*germany, *poland)
    assert [hits(some) for some in germany] == [2, 4, 3]
    assert [hits(some) for some in poland] == [0, 2]
    assert told["w poland hits"] == (2, 9)
    assert polish == ["poland-air-2", "poland-inf-2/B", "poland-inf-2/B", "poland-inf-3/B"]
    assert german.count("germany-inf-3/B") == 2


@pytest.mark.rule("bg-ex-basic-w-poland-retreat", "bg-scn39-poland-no-retreat")
def test_poland_leaves_western_poland_only_in_the_text(told: dict[str, Any]) -> None:
    assert told["poland may not go"].rule == "bg-scn39-poland-no-retreat"
    holder, east, flags = told["w poland taken"]
    assert holder == "germany"
    assert east == ["poland-air-2", "poland-inf-2/B", "poland-inf-2/B", "poland-inf-3/B"]
    assert (flags["be"], flags["germany"]) == (13, 18)


@pytest.mark.rule("bg-ex-basic-sinkiang", "bg-6.5.3-tf-land")
def test_sinkiang(told: dict[str, Any]) -> None:
    rolls, holder, units, ships = told["sinkiang"]
    assert rolls == volley(4, 3) + volley(1, 3)
    assert (holder, units) == ("japan", ["japan-inf-3"])
    assert len([ship for ship in ships if "-tf-" in ship]) == 3


@pytest.mark.rule("bg-ex-basic-wuhan")
def test_wuhan(told: dict[str, Any]) -> None:
    japan, china = [volley(3, 3), volley(2, 6, 4)], [volley(3, 3, 2), volley(1, 2, 1)]
    assert told["wuhan"] == fired(*japan, *china)
    assert (hits(*japan), hits(*china)) == (1, 3)
    holder, wuhan, shanghai = told["wuhan held"]
    assert holder == "china"
    assert wuhan == ["chiang", "china-air-1", "china-inf-2/B", "china-inf-3", "china-inf-3/B"]
    assert shanghai == ["hiro", "japan-air-2", "japan-air-2", "japan-inf-2", "japan-inf-3/B", "japan-inf-4"]


@pytest.mark.rule("bg-ex-basic-exploit-ger", "bg-2.1-hq-rating")
def test_the_axis_exploits(told: dict[str, Any]) -> None:
    assert told["guderian"].rule == "bg-6.7-infantry"  # his four commands are given
    holder, west, prussia = told["lwow"]
    assert holder == "germany"
    assert west == ["germany-inf-3/B", "germany-inf-4"]
    assert prussia == ["germany-air-3", "germany-air-4", "germany-arm-4", "germany-inf-4", "guderian"]


@pytest.mark.rule("bg-ex-basic-e-poland", "bg-6.5.9-forced", "bg-6.5.9-no-base")
def test_east_poland(told: dict[str, Any]) -> None:
    germany = [volley(5, 5, 4), volley(4, 5, 3), volley(3, 4, 2)]
    poland = [volley(2, 3, 2), volley(1, 5, 2)]
    assert told["e poland"] == fired(*germany, *poland)
    assert ([hits(some) for some in germany], hits(*poland)) == ([2, 1, 1], 1)
    holder, units, prussia, flags = told["e poland taken"]
    assert holder == "germany"
    assert units == ["germany-arm-5", "germany-inf-3/B", "germany-inf-4"]  # no Polish aircraft: it found no base
    assert {"germany-air-3", "germany-air-4"} <= set(prussia)
    assert (flags["be"], flags["germany"]) == (13, 18)


@pytest.mark.rule("bg-ex-basic-sian-1", "bg-6.5.1-no-fire")
def test_sian_falls(told: dict[str, Any]) -> None:
    japan, china = [volley(4, 4), volley(2, 6, 5, 4, 1)], [volley(3, 4), volley(2, 3), volley(1, 4, 5)]
    assert told["sian"] == fired(*japan, *china)  # the HQ has no die
    assert ([hits(some) for some in japan], hits(*china)) == ([1, 1], 0)
    holder, sian, wuhan, pakoe, shanghai = told["sian taken"]
    assert (holder, sian) == ("japan", ["japan-inf-2", "japan-inf-3/B", "japan-inf-4"])
    assert wuhan == ["china-inf-2/B", "china-inf-3", "china-inf-3/B"]
    assert pakoe == ["chiang", "china-inf-2", "china-inf-2"]
    assert shanghai == ["japan-air-2", "japan-air-2"]


@pytest.mark.rule("bg-ex-basic-allied-moves", "bg-ex-basic-skagerrak-stop", "bg-ex-basic-tf-used")
def test_the_allies_move(told: dict[str, Any]) -> None:
    assert told["allies"][0] == 1
    assert told["no further"].rule == "bg-basic-6.1.4-auto-battle"
    assert told["ships that fight"].rule == "bg-10.1-pin"
    assert told["moved"] == {
        "vichy": ["be-arm-4"],
        "normandy": ["be-inf-2", "be-inf-3", "france-inf-2-v"],
        "stanovoj": ["ussr-inf-4-redg", "ussr-inf-4-redg"],
        "vladivostok": ["ussr-air-1-orange", "ussr-inf-2-orange"],
        "ural": ["ussr-inf-3-red"],
        "maginot": ["france-inf-3"],
    }


@pytest.mark.rule("bg-ex-basic-skagerrak")
def test_skagerrak(told: dict[str, Any]) -> None:
    rolls, skagerrak, baltic = told["skagerrak"]
    assert rolls == volley(4, 3) + volley(3, 4) + volley(1, 3)
    assert skagerrak == ["be-tf-3", "be-tf-4"]
    assert baltic == ["germany-conv-1", "germany-conv-1/B", "germany-sub-2", "germany-tf-4/B"]


@pytest.mark.rule("bg-ex-basic-w-germany-1")
def test_western_germany_first_round(told: dict[str, Any]) -> None:
    allies = [volley(4, 5, 4), volley(3, 6, 4, 2), volley(2, 3, 3, 2)]
    germany = [volley(4, 5, 4, 3, 3), volley(3, 4, 2), volley(2, 4)]
    rolls, french, german = told["w germany 1"]
    assert rolls == fired(*allies, *germany)
    assert ([hits(some) for some in allies], [hits(some) for some in germany]) == ([1, 1, 1], [3, 1, 0])
    assert french == ["france-arm-4", "france-inf-2-v/B", *["france-inf-3-v/B"] * 3]
    assert german == ["germany-arm-4", "germany-inf-3/B", "germany-inf-4", "guderian"]


@pytest.mark.rule("bg-ex-basic-w-germany-2", "bg-6.4.1-air-return")
def test_western_germany_second_round(told: dict[str, Any]) -> None:
    allies = [volley(4, 5, 4), volley(2, 6, 4, 3, 3, 2), volley(1, 2)]
    germany = [volley(4, 5, 4, 3, 3), volley(3, 2), volley(2, 4)]
    rolls, german, maginot, paris = told["w germany 2"]
    assert rolls == fired(*allies, *germany)
    assert ([hits(some) for some in allies], [hits(some) for some in germany]) == ([1, 1, 0], [3, 1, 0])
    assert german == ["germany-air-3", "germany-air-4", "germany-arm-4", "germany-inf-4/B", "guderian"]
    assert maginot == ["france-arm-4", "france-inf-3"]
    assert paris == ["be-air-2", "france-air-2", "france-inf-3"]


@pytest.mark.rule("bg-ex-basic-sian-2", "bg-6.5.8-split")
def test_sian_holds(told: dict[str, Any]) -> None:
    china = [volley(3, 3), volley(2, 4, 3, 1), volley(1, 4)]
    japan = [volley(4, 5, 4), volley(2, 5, 4, 3, 2, 2)]
    assert told["sian 2 rolls"] == fired(*china, *japan)
    assert ([hits(some) for some in china], [hits(some) for some in japan]) == ([1, 1, 0], [1, 2])
    holder, places = told["sian 2"]
    assert holder == "japan"
    assert places["sian"] == [
        "japan-air-2", "japan-air-2", "japan-inf-2/B", "japan-inf-2/B", "japan-inf-3/B", "japan-inf-4", "japan-inf-4",
    ]  # fmt: skip
    assert places["chansa"] == places["chunking"] == ["china-inf-2/B"]
    assert places["chentu"] == ["chiang", "china-inf-2/B", "china-inf-3/B", "china-inf-3/B"]


@pytest.mark.rule("bg-ex-basic-exploit-allied")
def test_the_allies_exploit(told: dict[str, Any]) -> None:
    assert told["no beaming"].rule == "bg-6.4.1-infantry"
    assert told["allied exploitation"] == (["ussr-arm-2-orange"], ["china-inf-2/B"])


@pytest.mark.rule("bg-ex-basic-conquest")
def test_poland_is_conquered(told: dict[str, Any]) -> None:
    standing, baltic, _ = told["conquest"]
    assert standing == CONQUERED
    assert baltic == "baltic_states"


@pytest.mark.rule(
    "bg-ex-basic-prod-ger", "bg-ex-basic-prod-ita", "bg-ex-basic-prod-jap", "bg-ex-basic-prod-chi",
    "bg-ex-basic-prod-usa", "bg-ex-basic-prod-ussr", "bg-ex-basic-prod-fra-be",
)  # fmt: skip
def test_income_and_production(told: dict[str, Any]) -> None:
    assert told["income"] == {
        "germany": 18, "italy": 6, "japan": 17, "be": 13, "usa": 8, "ussr": 11, "france": 11, "china": 8,
    }  # fmt: skip
    assert told["chinese repairs"] == (6, 2)  # six points for six reduced infantry; two are left for a new one
    assert told["orange first"].rule == "bg-scn39-ussr-orange"
    rest = {"italy": 2, "ussr": 1}
    assert told["unspent"] == told["saved"] == {name: rest.get(name, 0) for name in told["income"]}
    arrivals: dict[str, list[str]] = {}
    for kind, turn in told["arrivals"]:
        arrivals.setdefault(turn, []).append(kind)
    assert arrivals == {
        "4/39": ["be-inf-3", "china-inf-2", "france-inf-2", "france-inf-2", "france-inf-3", "germany-inf-2",
                 "japan-inf-2", "japan-inf-2"],
        "1/40": ["be-air-3", "china-air-2-us", "france-air-2", "germany-air-2", "italy-air-2", "japan-air-3",
                 "ussr-air-1-orange"],
        "2/40": ["be-conv-1", "germany-arm-5", "usa-conv-1", "ussr-arm-2-orange", "ussr-arm-2-orange"],
        "3/40": ["japan-tf-2"],
    }  # fmt: skip


@pytest.mark.rule("bg-ex-basic-pact")
def test_the_pact_is_carried_out(told: dict[str, Any]) -> None:
    holders, west, east, lwow = told["pact"]
    assert holders == ["germany", "ussr", "ussr", "ussr"]  # the last is Baltic
    assert west == ["germany-arm-5", *["germany-inf-3/B"] * 3, "germany-inf-4", "germany-inf-4"]
    assert east == lwow == []


@pytest.mark.rule("bg-ex-basic-reinf", "bg-scn39-france-reinf")
def test_reinforcements_of_the_fourth_quarter(told: dict[str, Any]) -> None:
    refused, due = told["french armor"]
    assert refused is not None
    assert due == "1/40"
    homes = told["reinforced"]
    assert homes["chentu"] == ["chiang", "china-inf-2", "china-inf-3", "china-inf-3"]
    assert homes["england"] == ["be-inf-3"]
    assert homes["maginot"] == ["france-arm-4", "france-inf-2", "france-inf-2", "france-inf-3"]
    assert homes["paris"] == ["be-air-2", "france-air-2", "france-inf-3", "france-inf-3", "georges"]
    assert homes["southern_japan"] == ["japan-inf-2", "japan-inf-2"]
    assert "germany-inf-2" in homes["western_germany"]
    assert told["next"] == ("4/39", 0, "naval")
