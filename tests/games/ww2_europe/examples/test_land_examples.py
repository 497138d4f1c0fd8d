"""The rulebook's two examples of land movement: Liege and Tobruk."""

from __future__ import annotations

import pytest

from sandtable.games.ww2_europe.facts.landings import land_battles
from sandtable.games.ww2_europe.model.actions import Done, Fly, March
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from tests.games.ww2_europe.positions import Board, space


@pytest.mark.rule("w2e-ex-liege")
def test_liege():
    board = Board()
    board.owner("great_britain", "liege", "brussels")  # Belgium has been attacked; Surprise is left out of the example
    white, red = board.put("germany", "tank", "hamburg"), board.put("germany", "tank", "frankfurt")
    belgian, reserve = (
        board.put("great_britain", "infantry", "liege"),
        board.put("great_britain", "infantry", "brussels"),
    )
    tank, one, two = (board.put("france", kind, "sedan") for kind in ("tank", "infantry", "infantry"))
    board.move(0)
    assert board.why("germany", March(board.name(red), ("liege", "sedan"))) == "w2e-ground-stop-enemy"
    board.do("germany", March(board.name(red), ("liege",)))
    board.do("germany", March(board.name(white), ("frankfurt", "liege")))
    board.do("germany", Done())
    board.move(1)
    assert board.why("great_britain", March(board.name(belgian), ("brussels",))) == "w2e-ground-stop-enemy"
    board.do("great_britain", March(board.name(reserve), ("liege",)))
    for unit in (tank, one, two):
        board.do("france", March(board.name(unit), ("liege",)))
    assert land_battles(board.m.state) == {space("liege"): 0}
    sky = Board()
    sky.owner("great_britain", "liege", "brussels")
    belgian = sky.put("great_britain", "infantry", "liege")
    sky.put("germany", "fighter", "liege")
    sky.move(1)
    assert sky.why("great_britain", March(sky.name(belgian), ("brussels",))) == ""


@pytest.mark.rule("w2e-ex-tobruk")
def test_tobruk():
    board = Board(war="italy")
    board.owner("great_britain", "tobruk", "bir_el_gubi", "sidi_barrani", "halfaya")
    for place in ("sidi_barrani", "halfaya"):
        board.put("great_britain", "airbase", place)
    pinned, free = (
        board.put("great_britain", "fighter", "sidi_barrani"),
        board.put("great_britain", "fighter", "halfaya"),
    )
    tank = board.put("italy", "tank", "tobruk")
    board.put("italy", "infantry", "bir_el_gubi")
    board.put("italy", "fighter", "sidi_barrani")
    board.owner("great_britain", "tobruk", "bir_el_gubi")
    board.move(1)
    near = next(A.names[t] for t, _ in A.air_links[space("sidi_barrani")] if A.is_land[t])
    assert board.match.why_not("great_britain", Fly(board.name(pinned), (near,))) is not None
    board.do("great_britain", Fly(board.name(free), ("bir_el_gubi", "tobruk")))
    assert board.where(free) == "tobruk"
    assert board.where(tank) == "tobruk"
