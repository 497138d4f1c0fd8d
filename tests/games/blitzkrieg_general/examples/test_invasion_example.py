"""The invasion example of the tutorial booklet, move by move: American troops sail from England, land in Western France
and are thrown back."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core import Pass
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.sequence import Segment
from tests.games.blitzkrieg_general.examples.replay import A, Replay
from tests.games.blitzkrieg_general.positions import Board, nation, strengths

HERE, SEA = "western_france", "bay_of_biscay"
NAVAL_MOVEMENT = 3
"""The stage of an action segment at which ships move."""


def position() -> Board:
    """What the text names, in good weather; the troops are still in England, their convoys beside it."""
    b = Board("1941-advanced")
    b.war("germany-usa", "germany-be")
    b.own("germany", HERE, "paris", "maginot", "normandy", "vichy", "bnl")
    b.state.fortress = False
    b.adds("england", "usa-inf-3", "usa-inf-4", "usa-arm-5", "usa-air-3", "usa-air-3")
    b.adds("channel", "usa-conv-1", "usa-conv-1", "usa-conv-1", "usa-tf-3", "usa-tf-5")
    b.add("germany-inf-2", HERE)
    b.add("germany-inf-2", "paris")
    b.adds("maginot", "germany-air-2", "germany-air-2", "germany-air-3", "germany-air-3")
    hands = list(b.state.hands)
    hands[nation("germany")] = (A.card_of["fortress_europe"],)
    b.state.hands = tuple(hands)
    return b.start(Segment(1, NAVAL_MOVEMENT), phasing=1)


def movement(r: Replay) -> None:
    ships = [*r.units("channel", "usa-conv-1"), *r.units("channel", "usa-tf-3"), *r.units("channel", "usa-tf-5")]
    r.do("usa", act.Form("channel", tuple(sorted(ships, key=A.unit_of.__getitem__))))
    troops = [r.units("england", kind)[0] for kind in ("usa-inf-3", "usa-inf-4", "usa-arm-5")]
    for convoy, cargo in zip(ships, troops, strict=False):
        r.do("usa", act.Load(convoy, cargo))
    r.do("usa", act.Sail(SEA), *(act.Unload(cargo, HERE) for cargo in troops), act.Halt())
    r.finish("naval").go()
    r.shown["announced"] = dict(r.state.invasions)
    for ship in ("usa-tf-3", "usa-tf-5"):
        r.do("usa", act.Support(r.units(SEA, ship)[0], HERE))
    r.march("usa", "england", HERE, "usa-air-3", "usa-air-3").finish("land")


def reaction(r: Replay) -> None:
    r.shown["window"] = (type(r.match.step).__name__, r.match.decisions())
    r.go()
    r.do("germany", act.Reserve(r.units("paris", "germany-inf-2")[0], HERE))
    for kind in ("germany-air-3", "germany-air-3", "germany-air-2", "germany-air-2"):
        ident = next(u for u in r.units("maginot", kind) if r.state.mission[A.unit_of[u]] < 0)
        r.do("germany", act.React(ident, HERE))
    r.finish("Reaction")
    r.shown["reacted"] = (r.at(HERE), [ident for ident in r.at("maginot") if "-air-" in ident])


def landing(r: Replay, b: Board) -> None:
    note = r.shown
    # the coastal defence; air/sea segment and land segment of the USA, then of Germany with the two dice of the card
    r.dice(6, *(4, 5, 4, 3), *(2, 3, 5, 2), *(2, 4, 1, 2), *(1, 3, 2, 2))
    r.do("germany", act.PlayCard("fortress_europe", ""), Pass())
    note["card"] = A.card_of["fortress_europe"] in r.state.table
    infantry = r.units(HERE, "usa-inf-3")[0]
    note["convoys on the chart"] = [u for u in r.state.battle.attackers if A.is_ship[u] and "conv" in A.unit_ids[u]]
    r.do("usa", act.TakeHit(infantry))
    note["coast"] = (r.at(HERE, "usa"), r.at(SEA))
    note["halved"] = strengths(b)
    r.go()


def first_round(r: Replay) -> None:
    note = r.shown
    note["round 1"] = (r.rolls(), list(r.state.battle.hits))
    r.hits("usa-arm-5", "usa-inf-4", "usa-inf-3/B").hits("usa-air-3", "usa-air-3", "usa-tf-3")
    r.hits("germany-inf-2").hits("germany-air-3", "germany-air-3")
    note["after round 1"] = (r.at(HERE), r.at("england"), r.at(SEA), r.at("maginot"))
    note["no way back"] = r.match.why_not("usa", act.Retreat("retreat"))
    r.seen.clear()
    # the first two German dice cover both landed units: the others, the card's among them, need not be rolled
    r.dice(1, 3, 4, 1, 1)
    r.retreat("air", "fight")


def second_round(r: Replay) -> None:
    note = r.shown
    note["round 2"] = (r.rolls(), r.at(HERE, "usa"))
    r.hits("germany-inf-2")
    r.land({"usa-air-3": "england", "": "maginot"})
    note["end"] = (r.holder(HERE), r.at(HERE), r.at(SEA), r.at("england"), r.at("maginot"))


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The example, played once; what it has shown on the way."""
    b = position()
    r = Replay.of(b.match)
    movement(r)
    reaction(r)
    landing(r, b)
    first_round(r)
    second_round(r)
    return r.shown


@pytest.mark.rule("bg-ex-inv-forces", "bg-6.5.4-land-reaction")
def test_the_neighbour_comes_without_an_hq(told: dict[str, Any]) -> None:
    assert told["announced"] == {A.space_of[HERE]: (A.space_of[SEA],)}
    assert told["window"] == ("Window", ("germany",))  # it holds a card to play
    here, flyers = told["reacted"]
    assert here.count("germany-inf-2") == 2
    assert flyers == ["germany-air-2", "germany-air-2", "germany-air-3", "germany-air-3"]  # their base
    assert told["card"]


@pytest.mark.rule("bg-ex-inv-coastal", "bg-6.5.4-coastal-six")
def test_the_coastal_defence(told: dict[str, Any]) -> None:
    troops, fleet = told["coast"]
    assert troops == ["usa-arm-5", "usa-inf-3/B", "usa-inf-4"]
    assert fleet == ["usa-conv-1", "usa-conv-1", "usa-conv-1/B", "usa-tf-3", "usa-tf-5"]


@pytest.mark.rule("bg-ex-inv-halving", "bg-6.5.4-halved")
def test_the_units_on_the_chart(told: dict[str, Any]) -> None:
    assert told["halved"] == {
        "usa-inf-4": 2, "usa-arm-5": 2, "usa-inf-3": 1, "usa-tf-5": 5, "usa-tf-3": 3, "usa-air-3": 3,
        "germany-inf-2": 2, "germany-air-3": 3, "germany-air-2": 2,
    }  # fmt: skip
    assert told["convoys on the chart"] == []


@pytest.mark.rule("bg-ex-inv-round-1-air", "bg-ex-inv-round-1-land", "bg-card-fortress-europe")
def test_the_first_round(told: dict[str, Any]) -> None:
    rolls, hits = told["round 1"]
    usa = [(5, 4), (3, 5), (3, 4), (3, 3), (2, 2), (2, 3), (2, 5), (1, 2)]
    germany = [(3, 2), (3, 4), (2, 1), (2, 2), (2, 1), (2, 3)]
    assert rolls == [*usa, *germany, (3, 2), (3, 2)]  # the last two are the card's
    assert hits == [3, 3, 0, 0, 1, 2, 0, 0]  # on the USA three on land and three in the air, on Germany one and two
    here, england, fleet, maginot = told["after round 1"]
    assert here == ["germany-inf-2", "germany-inf-2/B", "usa-arm-5/B", "usa-inf-4/B"]
    assert england == ["usa-air-3/B", "usa-air-3/B"]
    assert "usa-tf-3/B" in fleet
    assert maginot == ["germany-air-2", "germany-air-2", "germany-air-3/B", "germany-air-3/B"]


@pytest.mark.rule("bg-ex-inv-retreat", "bg-6.5.4-no-reembark", "bg-6.5.8-air-tf")
def test_ships_and_aircraft_leave_but_the_landed_troops_cannot(told: dict[str, Any]) -> None:
    assert told["no way back"].rule == "bg-6.5.4-no-reembark"
    _, _, fleet, england, _ = told["end"]
    assert fleet == ["usa-conv-1", "usa-conv-1", "usa-conv-1/B", "usa-tf-3/B", "usa-tf-5"]
    assert england == ["usa-air-3/B", "usa-air-3/B"]


@pytest.mark.rule("bg-ex-inv-round-2", "bg-6.5.7-air-switch", "bg-6.5.7-excess")
def test_the_second_round_ends_the_invasion(told: dict[str, Any]) -> None:
    rolls, landed = told["round 2"]
    assert rolls == [(1, 1), (1, 3), (1, 4), (2, 1), (2, 1)]  # the armor twice; German flyers at 2 in the land segment
    assert landed == []
    holder, here, _, _, maginot = told["end"]
    assert (holder, here) == ("germany", ["germany-inf-2/B", "germany-inf-2/B"])
    assert len(maginot) == 4
