"""What the laboratory draws: curves of production, territory and strength, and the places of battles."""

from __future__ import annotations

from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.state import remove
from tests.games.blitzkrieg_general.positions import A, Board, battle, unit


def test_the_curves_of_a_small_war() -> None:
    b = Board().war("germany-france")
    b.add("germany-arm-5", "western_germany")
    b.add("germany-inf-4", "western_germany", flipped=True)
    b.add("germany-air-3", "western_germany")
    lost = b.add("france-tf-4", "channel")
    b.add("usa-tf-4", "american_east_coast")  # a neutral's ships count for nobody
    found = GAME.measures(b.state)
    assert found["strength.axis"] == 5 + A.back[A.kind_ids["germany-inf-4"].units[0]]
    assert found["air.axis"] == 3
    assert found["ships.allies"] == 4
    assert found["industry.germany"] == b.flag("germany")
    assert found["production.axis"] == b.flag("germany") + b.flag("italy") + b.flag("japan")
    assert found["territory.axis"] == sum(1 for s in A.land if b.state.side[b.state.control[s]] == 0)
    assert all(isinstance(value, float) for value in found.values())
    remove(b.state, unit(lost))
    b.own("germany", "paris")
    after = GAME.measures(b.state)
    assert after["ships.allies"] == 0
    assert after["territory.axis"] == found["territory.axis"] + 1
    assert after["territory.allies"] == found["territory.allies"] - 1
    assert after["production.axis"] > found["production.axis"]


def test_where_a_battle_is_fought() -> None:
    b = battle(Board().war("germany-ussr"), "kharkov", ["germany-inf-4"], ["ussr-inf-3-red"], [6] * 9)
    places = [GAME.battle_place(event) for event in b.m.events]
    assert [place for place in places if place is not None] == ["kharkov"]
    assert GAME.battle_place(ev.Lost(unit="@germany-inf-4", space="@kharkov")) is None


def test_the_quarter_is_the_turn() -> None:
    assert GAME.turn(Board("1941-advanced", full=True).state) == "2/41"
