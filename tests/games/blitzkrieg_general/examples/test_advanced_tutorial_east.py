"""The advanced tutorial, second quarter of 1941: the war in the East, battle by battle with the dice of the text.

Where the text contradicts the rules (docs/rulings say where), the test says so and asserts the rule.
"""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import AT_LAND, LAND_BATTLE, OUT, Battle, mark
from sandtable.games.blitzkrieg_general.rules.conquest import check_conquest
from sandtable.games.blitzkrieg_general.rules.politics import declare
from sandtable.games.blitzkrieg_general.rules.search_phase import Searches
from sandtable.games.blitzkrieg_general.rules.strength import effective
from sandtable.games.blitzkrieg_general.rules.supply import check_supply
from sandtable.games.blitzkrieg_general.sequence import Turn
from tests.games.blitzkrieg_general.positions import A, Board, battle, nation, pending, space, strengths, unit

MINORS = ("finland", "romania", "hungary", "bulgaria")


def east() -> Board:
    """Germany with its minors against the USSR; Air Combat as on the scenario card."""
    b = Board("1941-advanced").war("germany-ussr", "germany-be", "italy-be", "italy-ussr")
    for minor in MINORS:
        b.join(minor, "germany")
    b.state.turn = A.turn_of["2/41"]
    b.own("germany", "western_poland").own("ussr", "east_poland", "lwow", "baltic")
    return b.advance("germany", "air_combat").advance("be", "air_combat", "radar").advance("japan", "air_combat")


def settle(b: Board, *, bases: str = "", home: dict[str, str] | None = None) -> Board:
    """Place units as they stand, and let aircraft land."""
    while type(b.step).__name__ in ("Fight", "Landing"):
        if type(b.step).__name__ == "Landing":
            ident = A.unit_ids[b.step.units[0]]
            to = (home or {}).get(A.kind_of_unit[unit(ident)].id, bases)
            b.answer(act.Withdraw(ident, to))
        elif b.step.stage == "assign":
            b.answer(act.Ready())
        else:
            break
    return b


def ready(b: Board) -> Board:
    while type(b.step).__name__ == "Fight" and b.step.stage == "assign":
        b.answer(act.Ready())
    return b


# ---- before the battles -------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-ex-adv-peace", "bg-card-force-peace")
def test_the_peace_check() -> None:
    b = Board("1941-advanced", full=True)
    b.start(Turn(0), [5, 5, 1, 1, 1, 1, 1, 1])
    assert b.state.peace == nation("ussr")  # 10, and 1 for the year: 11 is not enough
    b = Board("1941-advanced", full=True)
    b.start(Turn(0), [6, 5, 1, 1, 1, 1, 1, 1])
    assert b.state.peace == -1


@pytest.mark.rule("bg-ex-adv-reinf")
def test_reinforcements_of_the_second_quarter() -> None:
    b = Board("1941-advanced", full=True)
    due = sorted(
        A.kind_of_unit[u].id for u in range(A.units) if b.state.place[u] == -3 and b.state.due[u] == b.state.turn
    )
    assert due == [
        "be-air-2",
        "be-inf-2-c",
        "be-inf-3",
        "be-tf-2",
        "china-inf-2",
        "germany-inf-3",
        "italy-conv-1",
        "italy-inf-2",
        "japan-air-3",
        "japan-inf-2",
        "usa-conv-1",
    ]
    b.start(Turn(1))
    b.do("germany", act.Place(next(u for u in _due(b, "germany")), "prussia"))
    ship = next(u for u in _due(b, "be") if "tf" in u)
    b.do("be", act.Place(ship, "skandinavian_sea"))
    assert b.where(ship) == "skandinavian_sea"


def _due(b: Board, country: str) -> list[str]:
    return [
        A.unit_ids[u]
        for u in range(A.units)
        if b.state.place[u] == -3 and b.state.due[u] == b.state.turn and b.state.nation[u] == nation(country)
    ]


@pytest.mark.rule("bg-ex-adv-initiative", "bg-card-initiative")
def test_italy_turns_the_initiative() -> None:
    b = Board("1941-advanced", full=True)
    b.start(Turn(2), [2, 4, 1, 2])
    assert b.state.initiative == 1
    b.do("italy", act.PlayCard("initiative", ""))
    assert b.state.initiative == 0
    assert b.state.deck[-1] == A.card_of["initiative"]


@pytest.mark.rule("bg-ex-adv-weather")
def test_the_weather_of_the_quarter() -> None:
    b = Board("1941-advanced", full=True)
    b.start(Turn(3), [1, 2])
    assert b.state.bad == (0, 1)
    assert b.state.limit == 3


@pytest.mark.rule("bg-ex-adv-supply")
def test_sample_supply_lines() -> None:
    b = Board("1941-advanced", full=True)
    check_supply(b.state)
    for area in ("western_poland", "cyreneica", "matruh", "tripolitania"):
        assert not any(b.state.flags[u] & OUT for u in b.state.here[space(area)]), area


@pytest.mark.rule("bg-ex-adv-rail")
def test_axis_rail_moves() -> None:
    b = Board("1941-advanced", full=True)
    b.start(Turn(5), phasing=0)
    b.state.initiative = 0
    b.start(Turn(5))
    moves = (
        ("germany", "germany-inf-4", "paris", "romania"),
        ("italy", "italy-inf-3", "southern_italy", "northern_italy"),
        ("japan", "japan-inf-4", "manchuria", "peking"),
    )
    for role, kind, origin, to in moves:
        ident = b.find(kind, origin)
        b.do(role, act.Railroad(ident, to))
        assert b.where(ident) == to
    b.do("germany", act.Railroad(b.find("germany-inf-3", "western_poland"), "prussia"))
    assert b.step.name == "rebase"  # all points are spent: Germany's capacity is two


@pytest.mark.rule("bg-ex-adv-rebase")
def test_axis_rebasing() -> None:
    b = Board("1941-advanced", full=True)
    b.phase("rebase")
    for role, kind, origin, to in (
        ("germany", "germany-air-3", "western_germany", "western_poland"),
        ("germany", "germany-air-3", "austria", "romania"),
        ("japan", "japan-air-2", "southern_japan", "shanghai"),
        ("japan", "japan-air-2", "formosa", "shanghai"),
    ):
        ident = b.find(kind, origin)
        b.do(role, act.Rebase(ident, to))
        assert b.where(ident) == to


@pytest.mark.rule("bg-ex-adv-dow")
def test_the_attack_on_the_ussr() -> None:
    b = Board("1941-advanced", full=True)
    b.start(None)
    declare(b.m, nation("germany"), nation("ussr"))
    assert (b.flag("ussr"), b.flag("usa")) == (34, 13)
    assert b.flag("germany") == 23  # no Soviet delivery was in the scenario's figure


# ---- the battles --------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-ex-adv-karelia-1")
def test_karelia() -> None:
    b = east()
    battle(
        b,
        "karelia",
        ["finland-inf-3", "finland-inf-2", ("finland-air-2", "finland")],
        ["ussr-inf-2-orange", "ussr-inf-2-orange"],
        [5, 2, 4, 5, 3],
    )
    ready(b)
    assert b.dice_left() == 0  # 3, 2 and the aircraft at 1 in the forest; two Soviet shots
    assert pending(b) == (0, 1)
    b.hits(b.find("ussr-inf-2-orange", "karelia"))
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    while type(b.step).__name__ == "Withdrawal":
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], "leningrad"))
    ussr, germany = b.flag("ussr"), b.flag("germany")
    settle(b, bases="finland")
    assert b.kinds("leningrad") == ["ussr-inf-2-orange", "ussr-inf-2-orange!"]
    assert b.owner("karelia") == "germany"
    assert (ussr, germany) == (b.flag("ussr"), b.flag("germany"))


@pytest.mark.rule("bg-ex-adv-baltic", "bg-time-baltic")
def test_baltic() -> None:
    b = east()
    before = b.flag("germany"), b.flag("ussr")
    over = "western_poland"
    battle(
        b,
        "baltic",
        [
            ("germany-arm-5", over),
            ("germany-inf-4", over),
            ("germany-inf-4", over),
            ("germany-inf-3", over),
            ("germany-air-3", over),
        ],
        ["ussr-arm-2-orange", "ussr-inf-2-orange", "ussr-inf-2-orange"],
        [6, 4, 5, 4, 1, 5, 1, 2, 5, 6],
    )
    ready(b)
    assert pending(b) == (2, 2)
    b.hits(b.find("germany-inf-3", "baltic"), b.find("germany-inf-4", "baltic"))
    b.hits(b.find("ussr-inf-2-orange", "baltic", 0), b.find("ussr-inf-2-orange", "baltic", 1))
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    while type(b.step).__name__ == "Withdrawal":
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], "leningrad"))
    settle(b, bases="baltic")
    assert len(b.kinds("leningrad")) == 3
    assert (b.flag("germany"), b.flag("ussr")) == (before[0] + 1, before[1])
    assert "germany-air-3" in b.kinds("baltic")


@pytest.mark.rule("bg-ex-adv-finnish-sea", "bg-6.5.3-first-shot")
def test_finnish_sea() -> None:

    b = east()
    b.adds("finnish_sea", "germany-sub-2", "germany-tf-3", "germany-conv-1", "germany-conv-1", "ussr-conv-1-red")
    b.add("ussr-tf-3-red", "finnish_sea", flipped=True)
    b.start(Searches((space("finnish_sea"),)), [2, 2, 6, 6], phasing=0)
    b.do("germany", act.Engage(True))
    b.combat([2, 2, 1, 2])  # with two hits everything is sunk: the second convoy's 3 need not be rolled
    b.answer(act.Dive(False))
    ready(b)
    b.hits("ussr-conv-1-red-1")  # the submarine's hit counts at once
    assert pending(b)[0] == 1
    b.hits("germany-conv-1-1")
    assert b.kinds("finnish_sea") == ["germany-conv-1", "germany-conv-1!", "germany-sub-2", "germany-tf-3"]


def east_poland() -> Board:
    over = "western_poland"
    b = battle(
        east(),
        "east_poland",
        [
            ("germany-arm-4", over),
            ("germany-inf-3", over),
            ("germany-inf-3", over),
            ("germany-air-4", over),
            ("germany-air-3", over),
        ],
        ["ussr-arm-2-orange", "ussr-inf-2-orange", "ussr-inf-2-orange"],
        [6, 5, 1, 4, 6, 5, 1, 1, 4, 6, 6, 4, 4, 5, 2, 2, 1, 1, 5, 2],
    )
    return ready(b)


@pytest.mark.rule("bg-ex-adv-e-poland-1")
def test_east_poland_first_round() -> None:
    b = east_poland()
    assert pending(b) == (2, 1)
    assert strengths(b)["germany-arm-4"] == 3


@pytest.mark.rule("bg-ex-adv-e-poland-2")
def test_east_poland_second_round() -> None:
    b = east_poland()
    b.hits(*(b.find("germany-inf-3", "east_poland", n) for n in (0, 1)), b.find("ussr-inf-2-orange", "east_poland"))
    b.answer(act.Retreat("fight"), act.Retreat("fight"))
    ready(b)
    assert pending(b) == (2, 0)
    b.hits(*(b.find("germany-inf-3!", "east_poland", n) for n in (0, 1)))
    b.answer(act.Retreat("retreat"))
    settle(b, bases="western_poland")
    assert b.owner("east_poland") == "ussr"
    assert sorted(b.kinds("western_poland")) == ["germany-air-3", "germany-air-4", "germany-arm-4"]


def lwow() -> Board:
    over = "western_poland"
    b = battle(
        east(),
        "lwow",
        [
            ("germany-arm-5", over),
            ("germany-inf-3", over),
            ("hungary-inf-2", "hungary"),
            ("germany-air-4", over),
            ("hungary-air-1", "hungary"),
        ],
        ["ussr-arm-2-orange", "ussr-inf-2-orange", "ussr-inf-2-orange"],
        [6, 4, 3, 4, 6, 4, 4, 3, 2, 6, 3, 2, 2, 3, 1, 2, 5, 2],
    )
    return ready(b)


@pytest.mark.rule("bg-ex-adv-lwow-1", "bg-1.2-cumulative")
def test_lwow_first_round() -> None:
    b = lwow()
    assert strengths(b)["hungary-inf-2"] == 0  # a river and a mountain border
    assert pending(b) == (1, 2)


@pytest.mark.rule("bg-ex-adv-lwow-2")
def test_lwow_second_round() -> None:
    b = lwow()
    b.hits(b.find("hungary-inf-2", "lwow"))
    b.hits(*(b.find("ussr-inf-2-orange", "lwow", n) for n in (0, 1)))
    b.answer(act.Retreat("fight"), act.Retreat("fight"))
    ready(b)
    assert pending(b) == (2, 3)
    b.hits(b.find("hungary-inf-2!", "lwow"), b.find("germany-inf-3", "lwow"))
    b.hits(*(b.find("ussr-inf-2-orange!", "lwow", n) for n in (0, 1)))  # the third can only fall on the armor
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    ways = {A.space_ids[s] for s in b.step._ways(b.state, b.step.units[0])}
    assert "romania" not in ways
    b.answer(act.Withdraw("ussr-arm-2-orange-1", "kiev"))
    settle(b, bases="lwow")
    assert b.where("ussr-arm-2-orange-1") == "kiev"
    assert b.owner("lwow") == "germany"


def odessa() -> Board:
    b = east()
    b.add("ussr-tf-2-red", "black_sea", mission="odessa")
    # a German and a Romanian aircraft against the Task Force; then the land segment
    battle(
        b,
        "odessa",
        ["germany-inf-4", "romania-inf-2", "romania-inf-2", ("germany-air-3", "romania"), ("romania-air-1", "romania")],
        ["ussr-inf-2-orange", "ussr-arm-2-orange"],
        [4, 2, 3, 4, 2, 1, 4, 4, 1, 4, 4, 2, 4, 2, 6, 1],
    )
    b.answer(act.Assign("romania-air-1-1", "air"))
    return ready(b)


@pytest.mark.rule("bg-ex-adv-odessa-tf", "bg-6.5.3-tf-airsea")
def test_the_task_force_of_the_black_sea() -> None:
    b = odessa()
    found = strengths(b)
    assert found["ussr-tf-2-red"] == 2
    assert found["germany-air-3"] == 4  # Air Combat
    assert found["romania-air-1"] == 1  # no part in its associate's research


@pytest.mark.rule("bg-ex-adv-odessa-1")
def test_odessa_first_round() -> None:
    b = odessa()
    hits = b.state.battle.hits if b.state.battle else []
    assert hits == (1, 1, 0, 0, 2, 1, 0, 0)


@pytest.mark.rule("bg-ex-adv-odessa-2")
def test_odessa_second_round() -> None:
    b = odessa()
    b.hits(b.find("romania-inf-2", "odessa"), "romania-air-1-1")
    two = b.find("ussr-inf-2-orange", "odessa")
    b.hits(two, two)
    b.answer(act.Retreat("fight"), act.Retreat("fight"))
    ready(b)
    # the German aircraft sinks the reduced Task Force, the ground troops finish the armor
    b.hits(b.find("romania-inf-2", "odessa"))
    settle(b, bases="western_poland")
    assert b.owner("odessa") == "germany"
    assert b.where("ussr-tf-2-red-1") == "pool"
    assert list(b.kinds("odessa")) == ["germany-inf-4", "romania-inf-2!", "romania-inf-2!"]


# ---- exploitation and after ---------------------------------------------------------------------------------------
@pytest.mark.rule("bg-ex-adv-white-russia", "bg-6.5.5-armor")
def test_white_russia() -> None:
    b = east().own("germany", "baltic", "lwow")
    battle(
        b, "white_russia", [("germany-arm-4", "baltic"), ("germany-air-4", "lwow")], ["ussr-air-1-orange"], [6, 5, 1, 2]
    )
    ready(b)
    settle(b, bases="white_russia")
    assert b.owner("white_russia") == "germany"
    assert b.where("ussr-air-1-orange-1") == "pool"
    assert b.where("germany-air-4-1") == "white_russia"


@pytest.mark.rule("bg-ex-adv-leningrad-1", "bg-ex-adv-leningrad-2")
def test_leningrad_by_the_rules() -> None:
    """The dice of the text do not fit its strengths: a Finnish Air 2 fights at 1 in the forest, one armor attacked."""
    b = east().own("germany", "baltic")
    foes = [unit(u) for u in b.adds("leningrad", "ussr-inf-3-red", "ussr-inf-2-orange", "ussr-inf-2-orange")]
    mine = {
        kind: unit(
            b.add(
                kind,
                "leningrad" if "air" not in kind else base,
                origin=origin,
                mission="" if "air" not in kind else "leningrad",
            )
        )
        for kind, base, origin in (
            ("germany-arm-5", "baltic", "baltic"),
            ("germany-inf-4", "baltic", "baltic"),
            ("germany-air-3", "baltic", ""),
            ("germany-air-4", "western_poland", ""),
            ("finland-air-2", "finland", ""),
        )
    }
    fight = Battle(space("leningrad"), LAND_BATTLE, tuple(mine.values()), tuple(foes))
    found = {kind: effective(b.state, fight, u, AT_LAND) for kind, u in mine.items()}
    assert found == {"germany-arm-5": 3, "germany-inf-4": 3, "germany-air-3": 2, "germany-air-4": 3, "finland-air-2": 1}
    assert [effective(b.state, fight, u, AT_LAND) for u in foes] == [3, 2, 2]


@pytest.mark.rule("bg-ex-adv-supply-2")
def test_the_finns_in_karelia_are_cut_off() -> None:
    b = east().own("germany", "karelia").own("ussr", "finland")
    ident = b.add("finland-inf-3", "karelia")
    check_supply(b.state)
    assert b.state.flags[unit(ident)] & OUT


@pytest.mark.rule("bg-ex-adv-karelia-2", "bg-6.1-effect-combat")
def test_karelia_again() -> None:
    b = east().own("germany", "karelia").own("ussr", "finland")
    before = b.flag("germany"), b.flag("ussr")
    for kind in ("finland-inf-3", "finland-inf-2"):
        mark(b.state, unit(b.add(kind, "karelia")), OUT)
    b.add("konev", "karelia")
    battle(
        b,
        "karelia",
        ["ussr-inf-4-redg", "ussr-inf-4-redg", "ussr-inf-3-red", "ussr-arm-3-orange", ("ussr-air-3-red", "leningrad")],
        [],
        [3, 4, 4, 5, 2, 2, 2],
        phasing=1,
    )
    ready(b)
    settle(b, bases="leningrad")
    assert b.dice_left() == 0  # two at 4, one at 3, three at 2; one Finnish shot at 1
    assert b.owner("karelia") == "ussr"
    assert (b.flag("germany"), b.flag("ussr")) == (before[0] - 1, before[1] + 1)


@pytest.mark.rule("bg-ex-adv-finland-conquest", "bg-7.1-minor")
def test_finland_is_conquered() -> None:
    b = east().own("ussr", "finland")
    b.start(None)
    check_conquest(b.m)
    assert b.state.standing[nation("finland")] == 2


@pytest.mark.rule("bg-ex-adv-finland", "bg-6.5.5-strength")
def test_finland() -> None:
    """By the rules no Air 4 is in the Baltic and the Task Force fights at 4; the Soviet fire is as in the text."""
    b = east().own("germany", "baltic")
    b.add("germany-tf-3", "finnish_sea", mission="finland")
    b.adds("baltic", "germany-air-3", "germany-air-3", mission="finland")
    b.add("finland-air-2", "finland")
    battle(
        b,
        "finland",
        [
            "ussr-inf-3-red",
            "ussr-inf-2-orange",
            "ussr-inf-2-orange!",
            "ussr-inf-2-orange!",
            "ussr-arm-2-orange",
            ("ussr-air-3-red", "leningrad"),
            *(("ussr-air-1-orange", "leningrad") for _ in range(5)),
        ],
        [],
        [5, 1, 1, 3, 3, 3, 3, 4, 4, 4, 5, 5, 3, 5, 4, 6],
        phasing=1,
    )
    ready(b)
    assert pending(b) == (2, 2)
    found = strengths(b)
    assert (found["germany-tf-3"], found["germany-air-3"], found["finland-air-2"]) == (4, 4, 2)
    b.hits(*(u for u in ("ussr-air-1-orange-1", "ussr-air-1-orange-2")))
    b.hits("finland-air-2-1", "finland-air-2-1")
    settle(b, bases="leningrad", home={"germany-air-3": "baltic"})
    assert b.owner("finland") == "ussr"  # no land units: the Axis must go
    assert b.where("germany-tf-3-1") == "finnish_sea"
