"""The basic tutorial: the whole third quarter of 1939, move by move, with the dice of the text."""

from __future__ import annotations

import pytest

from sandtable.core import ScriptedDice
from sandtable.games.blitzkrieg_general import actions as act
from sandtable.games.blitzkrieg_general.game import GAME
from tests.games.blitzkrieg_general.positions import Board, unit

WEST, EAST = "western_poland", "east_poland"


class Tutorial(Board):
    """The 1939 set-up at the start of the Axis segment."""

    def __init__(self) -> None:
        super().__init__("1939-basic", full=True)
        self.state.stack = [*GAME.begin("1939-basic", self.state.options).stack]
        self.script: list[int] = []
        self.dice = ScriptedDice(self.script)
        from sandtable.core import Match

        self.match = Match(GAME, self.state, self.dice, history=False)
        self.match.play._moved = True
        self.match.play.settle()

    def roll(self, *values: int) -> Tutorial:
        self.dice.values.extend(values)
        return self

    def sail(self, role: str, zone: str, ships: list[str], *path: str) -> Tutorial:
        ordered = tuple(sorted(ships, key=unit))
        self.do(role, act.Form(zone, ordered), *(act.Sail(to) for to in path), act.Halt())
        return self

    def ferry(
        self, role: str, zone: str, convoy: str, load: str, to: str, *path: str, before: tuple[str, ...] = ()
    ) -> None:
        self.do(role, act.Form(zone, (convoy,)), *(act.Sail(z) for z in before), act.Load(convoy, load))
        self.do(role, *(act.Sail(z) for z in path), act.Unload(load, to), act.Halt())

    def done(self, *roles: str) -> Tutorial:
        for role in roles:
            if role in self.match.decisions():
                self.do(role, act.Done())
        return self


def axis_moves(t: Tutorial) -> None:
    # naval movement
    t.sail(
        "germany",
        "skagerrak",
        [
            t.find("germany-tf-4!", "skagerrak"),
            t.find("germany-conv-1", "skagerrak"),
            t.find("germany-sub-2", "skagerrak"),
        ],
        "baltic_sea",
    )
    convoys = [t.find("japan-conv-1", "chinese_sea", n) for n in range(4)]
    t.ferry("japan", "chinese_sea", convoys[0], t.find("japan-inf-3", "southern_japan"), "sinkiang", "sea_formosa")
    t.ferry("japan", "chinese_sea", convoys[1], t.find("japan-air-2", "southern_japan"), "shanghai")
    t.sail("japan", "chinese_sea", [u for u in t.at("chinese_sea") if "-tf-" in u], "sea_formosa")
    t.done("germany", "italy", "japan")
    # land and air movement
    for home in ("prussia", "austria"):
        for ident in t.at(home):
            if "-air-" in ident:
                t.do("germany", act.Fly(ident, WEST))
            else:
                t.march("germany", ident, WEST)
    t.march("germany", t.find("germany-inf-3", "bavaria"), "western_germany")
    for kind in ("japan-inf-3", "japan-inf-2"):
        t.march("japan", t.find(kind, "shanghai"), "wuhan")
    flyer = next(u for u in t.at("shanghai") if "-air-" in u and not t.state.flags[unit(u)])
    t.do("japan", act.Fly(flyer, "wuhan"))
    for ident in t.at("manchuria"):
        t.march("japan", ident, "shanghai")
    for ident in [u for u in t.at("sea_formosa") if "-tf-" in u]:
        t.do("japan", act.Support(ident, "sinkiang"))
    t.done("germany", "italy", "japan")


def chinese_reserves(t: Tutorial) -> None:
    for n in (0, 0):
        t.do("china", act.Reserve(t.find("china-inf-3", "sian", n), "wuhan"))
    t.done("china", "be", "france", "ussr", "usa")


@pytest.fixture
def start() -> Tutorial:
    return Tutorial()


@pytest.mark.rule("bg-ex-basic-setup", "bg-time-3-39-poland", "bg-basic-5.0-axis-first")
def test_poland_is_played_by_the_empire_and_nobody_gets_reinforcements(start: Tutorial) -> None:
    assert start.flag("be") == 15
    assert start.state.phasing == 0
    assert start.step.name == "naval"  # reinforcements were skipped: nothing is due


@pytest.mark.rule("bg-ex-basic-double-range", "bg-ex-basic-convoy-landing", "bg-6.4.3b-unload", "bg-6.4.2-double")
def test_axis_movement(start: Tutorial) -> None:
    t = start
    axis_moves(t)
    assert "japan-inf-3!" not in t.kinds("sinkiang")
    assert t.kinds("sinkiang") == ["china-inf-2!", "japan-inf-3"]
    # two areas from Manchuria, both friendly; and the aircraft that came by ship stayed in Shanghai
    assert t.kinds("shanghai") == ["hiro", "japan-air-2", "japan-air-2", "japan-inf-2", "japan-inf-4"]
    assert sorted(t.kinds("baltic_sea")) == ["germany-conv-1", "germany-sub-2", "germany-tf-4!"]


@pytest.mark.rule("bg-ex-basic-reaction", "bg-6.4.6-reserve")
def test_only_china_can_react(start: Tutorial) -> None:
    t = start
    axis_moves(t)
    assert t.match.decisions() == ("china",)  # no western aircraft reaches Poland
    chinese_reserves(t)
    assert t.kinds("wuhan").count("china-inf-3") == 2


def axis_combat(t: Tutorial) -> None:
    """Western Poland, Sinkiang, Wuhan; Poland stays on the map for the illustration of the text."""
    t.roll(5, 2, 6, 5, 4, 4, 2, 1, 4, 3, 3, 2)  # Germany: two shots at 5, six at 4, four at 3
    t.roll(4, 6, 5, 4, 4, 2, 1)  # Poland: one at 3, six at 2
    t.do("germany", act.Attack(WEST))


@pytest.mark.rule("bg-ex-basic-w-poland", "bg-6.5.1-armor-twice", "bg-6.5.7-owner-choice", "bg-6.5.1-simultaneous")
def test_western_poland(start: Tutorial) -> None:
    t = start
    axis_moves(t)
    chinese_reserves(t)
    axis_combat(t)
    assert t.state.battle is not None
    assert t.state.battle.hits[0] == 2  # on Germany
    assert t.state.battle.hits[4] == 9  # on Poland
    german = [t.find("germany-inf-3", WEST, n) for n in range(2)]
    t.hits(*german)
    polish = [t.find("poland-inf-2", WEST, n) for n in range(5)]
    t.hits(*(u for u in polish[:3] for _ in range(2)), polish[3], polish[4], t.find("poland-inf-3", WEST))
    assert [k for k in t.kinds(WEST) if k.startswith("poland")] == [
        "poland-air-2",
        "poland-inf-2!",
        "poland-inf-2!",
        "poland-inf-3!",
    ]


@pytest.mark.rule("bg-ex-basic-w-poland-retreat", "bg-scn39-poland-no-retreat")
def test_the_polish_retreat_of_the_text_is_against_the_scenario_card(start: Tutorial) -> None:
    t = start
    axis_moves(t)
    chinese_reserves(t)
    axis_combat(t)
    t.hits(*(t.find("germany-inf-3", WEST, n) for n in range(2)))
    polish = [t.find("poland-inf-2", WEST, n) for n in range(5)]
    t.hits(*(u for u in polish[:3] for _ in range(2)), polish[3], polish[4], t.find("poland-inf-3", WEST))
    t.answer(act.Retreat("fight"))  # Germany goes on; the text lets Poland go, the scenario card does not
    assert t.who() == "germany" or t.rule("be", act.Retreat("retreat")) == "bg-scn39-poland-no-retreat"


@pytest.mark.rule("bg-ex-basic-sinkiang", "bg-basic-6.1.3b-tf", "bg-6.5.7-excess", "bg-6.5.3-tf-land")
def test_sinkiang(start: Tutorial) -> None:
    t = start
    axis_moves(t)
    chinese_reserves(t)
    t.roll(3)  # the strongest Task Force, at its printed 4, kills the reduced infantry: no more dice
    t.roll(3)  # China answers at 1
    t.do("germany", act.Attack("sinkiang"))
    assert t.owner("sinkiang") == "japan"
    assert t.dice_left() == 0
    assert t.kinds("sinkiang") == ["japan-inf-3"]
    assert len([u for u in t.at("sea_formosa") if "-tf-" in u]) == 3


@pytest.mark.rule("bg-ex-basic-wuhan", "bg-6.5.8-land", "bg-6.5.8-ask")
def test_wuhan(start: Tutorial) -> None:
    t = start
    axis_moves(t)
    chinese_reserves(t)
    t.roll(3, 6, 4, 3, 2, 2, 1)
    t.do("germany", act.Attack("wuhan"))
    japanese = t.find("japan-inf-2", "wuhan")
    t.hits(japanese, japanese, t.find("japan-inf-3", "wuhan"))
    t.hits(t.find("china-inf-3", "wuhan"))
    t.answer(act.Retreat("retreat"))
    if "japan-inf-3!" in t.kinds("wuhan"):
        t.answer(act.Withdraw(t.find("japan-inf-3!", "wuhan"), "shanghai"))
    assert [k for k in t.kinds("wuhan") if k.startswith("china")] == [
        "china-air-1",
        "china-inf-2!",
        "china-inf-3",
        "china-inf-3!",
    ]
    assert t.where(japanese) == "pool"
    assert "japan-inf-3!" in t.kinds("shanghai")
    assert t.owner("wuhan") == "china"
