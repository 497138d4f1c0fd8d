"""The invasion example of the tutorial booklet: American troops land in Western France."""

from __future__ import annotations

import pytest

from sandtable.core import Pass
from sandtable.games.blitzkrieg_general import actions as act
from sandtable.games.blitzkrieg_general.battles import Combats
from sandtable.games.blitzkrieg_general.reaction import Reaction
from sandtable.games.blitzkrieg_general.state import changed
from tests.games.blitzkrieg_general.positions import A, Board, nation, pending, space, strengths, unit

HERE = "western_france"
DICE = [6, 4, 5, 4, 3, 2, 3, 5, 2, 2, 4, 1, 2, 2, 2, 1, 3]


class Invasion(Board):
    def __init__(self) -> None:
        super().__init__("1941-advanced")
        self.war("germany-usa", "germany-be")
        self.own("germany", HERE, "paris", "maginot", "normandy", "vichy", "bnl")
        self.state.fortress = False
        self.ships = [self.add("usa-conv-1", "bay_of_biscay") for _ in range(3)]
        self.troops = [self.add(k, "england") for k in ("usa-inf-3", "usa-inf-4", "usa-arm-5")]
        self.task_forces = [self.add(k, "bay_of_biscay") for k in ("usa-tf-3", "usa-tf-5")]
        self.flyers = [self.add("usa-air-3", "england") for _ in range(2)]
        self.add("germany-inf-2", HERE)
        self.neighbour = self.add("germany-inf-2", "paris")
        self.luftwaffe = [
            self.add(k, "maginot") for k in ("germany-air-2", "germany-air-2", "germany-air-3", "germany-air-3")
        ]
        self.state.table = {**self.state.table, A.card_of["fortress_europe"]: nation("germany")}

    def announce(self) -> Invasion:
        from sandtable.games.blitzkrieg_general.state import embark, send

        for ship, ident in zip(self.ships, self.troops, strict=True):
            embark(self.state, unit(ident), unit(ship))
            send(self.state, unit(ident), space(HERE))
        self.state.invasions = {**self.state.invasions, space(HERE): space("bay_of_biscay")}
        for ident in (*self.task_forces, *self.flyers):
            send(self.state, unit(ident), space(HERE))
        return self

    def react(self) -> Invasion:
        for u, place in enumerate(self.state.place):
            if place >= 0:
                self.state.start = changed(self.state.start, u, place)
        self.start(Reaction(), phasing=1)
        self.do("germany", act.Reserve(self.neighbour, HERE))
        self.do("germany", *(act.React(u, HERE) for u in self.luftwaffe))
        if type(self.step).__name__ == "Reaction":
            self.do("germany", act.Done())
        return self

    def fight(self, dice: list[int]) -> Invasion:
        self.start(Combats(), dice, phasing=1)
        while type(self.step).__name__ == "Window":
            self.answer(Pass())
        return self

    def round_one(self) -> Invasion:
        """The coastal defence and the first round, in our order: American fire, then German."""
        self.announce().react().fight([6, 4, 5, 4, 3, 2, 3, 5, 2, 2, 4, 1, 2, 1, 3, 2, 2, *MORE])
        self.hits(self.troops[0])
        while type(self.step).__name__ == "Fight" and self.step.stage == "assign":
            self.answer(act.Ready())
        return self


MORE = [1, 3, 4, 1, 1, 4, 3, 6, 5, 2, 4] + [6] * 10


@pytest.mark.rule("bg-ex-inv-forces", "bg-6.5.4-land-reaction")
def test_the_neighbour_comes_without_an_hq() -> None:
    b = Invasion().announce().react()
    assert b.where(b.neighbour) == HERE
    assert all(b.state.mission[unit(u)] == space(HERE) for u in b.luftwaffe)


@pytest.mark.rule("bg-ex-inv-coastal", "bg-6.5.4-coastal-six")
def test_the_coastal_defence() -> None:
    b = Invasion().announce().react().fight([6, *[6] * 30])
    b.hits(b.troops[0])
    assert b.is_flipped(b.troops[0])
    assert b.is_flipped(b.ships[0])


@pytest.mark.rule("bg-ex-inv-halving", "bg-6.5.4-halved")
def test_the_units_on_the_chart() -> None:
    b = Invasion().announce().react().fight([6, *[6] * 30])
    b.hits(b.troops[0])
    found = strengths(b)
    assert (found["usa-inf-4"], found["usa-arm-5"], found["usa-inf-3"]) == (2, 2, 1)
    assert (found["usa-tf-5"], found["usa-tf-3"], found["usa-air-3"]) == (5, 3, 3)
    assert found["germany-inf-2"] == 2
    assert b.state.battle is not None
    assert not [u for u in b.state.battle.attackers if A.unit_ids[u] in b.ships]


@pytest.mark.rule("bg-ex-inv-round-1-air", "bg-ex-inv-round-1-land", "bg-card-fortress-europe")
def test_the_first_round() -> None:
    b = Invasion().round_one()
    assert b.state.battle is not None
    assert b.state.battle.hits == [3, 3, 0, 0, 1, 2, 0, 0]
    assert pending(b) == (6, 3)


@pytest.mark.rule("bg-ex-inv-retreat", "bg-6.5.4-no-reembark", "bg-6.5.8-air-tf")
def test_ships_and_aircraft_leave_but_the_landed_troops_cannot() -> None:
    b = after_first_round()
    assert b.rule("usa", act.Retreat("retreat")) == "bg-6.5.4-no-reembark"
    b.do("usa", act.Retreat("air"))
    assert b.state.battle is None or not [u for u in b.state.battle.attackers if not A.is_land[u]]


def after_first_round() -> Invasion:
    b = Invasion().round_one()
    b.hits(b.troops[2], b.troops[1], b.troops[0])  # armor and infantry flipped, the flipped one eliminated
    b.hits(*b.flyers, b.task_forces[0])
    b.hits(b.find("germany-inf-2", HERE))
    b.hits(b.luftwaffe[2], b.luftwaffe[3])
    return b


@pytest.mark.rule("bg-ex-inv-round-2", "bg-6.5.7-air-switch")
def test_the_second_round_ends_the_invasion() -> None:
    b = after_first_round()
    b.do("usa", act.Retreat("air"))
    if type(b.step).__name__ == "AskRetreat":
        b.answer(act.Retreat("fight"))
    while type(b.step).__name__ == "Fight" and b.step.stage == "assign":
        b.answer(act.Ready())
    if type(b.step).__name__ == "Fight":
        b.hits(b.find("germany-inf-2", HERE))
    while type(b.step).__name__ == "Landing":
        ident = A.unit_ids[b.step.units[0]]
        b.answer(act.Withdraw(ident, "england" if "usa" in ident else "maginot"))
    assert b.owner(HERE) == "germany"
    assert [b.where(u) for u in b.troops] == ["pool"] * 3
    assert b.kinds(HERE).count("germany-inf-2!") == 2
