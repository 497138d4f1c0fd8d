"""Hex geometry, and the two hex maps seen with it."""

from __future__ import annotations

import doctest
import json
from functools import cache
from importlib.resources import files
from math import dist, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board import Axial, distance, hexes, neighbours

places = st.tuples(st.integers(-30, 30), st.integers(-30, 30))
DISC = [(q, r) for q in range(-4, 5) for r in range(-4, 5)]


def on_paper(place: Axial) -> tuple[float, float]:
    """The centre of a hex; centres of neighbours are 1 apart."""
    q, r = place
    return q + r / 2, r * sqrt(3) / 2


def test_the_examples_are_true() -> None:
    assert doctest.testmod(hexes).failed == 0


def test_neighbours_are_the_hexes_whose_centres_are_1_apart() -> None:
    for here, around in zip(DISC, neighbours(DISC), strict=True):
        near = {there for there in DISC if abs(dist(on_paper(here), on_paper(there)) - 1) < 1e-9}
        assert {DISC[number] for number in around} == near


def test_distance_is_the_number_of_steps() -> None:
    around = neighbours(DISC)
    start = DISC.index((0, 0))
    steps, queue = {start: 0}, [start]
    for here in queue:
        for there in around[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    assert all(distance((0, 0), DISC[there]) == number for there, number in steps.items())


@given(places, places, places)
def test_distance_is_a_distance(a: Axial, b: Axial, c: Axial) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


# ---- the maps ------------------------------------------------------------------------------------------------------
@cache
def atlas(game: str) -> dict[str, Any]:
    return dict(json.loads(files(f"sandtable.games.{game}").joinpath("data", "atlas.json").read_text("utf-8")))


@cache
def axial(game: str) -> dict[str, Axial]:
    found = {}
    for name, facts in atlas(game)["hexes"].items():
        if game == "hitlers_war":
            row = ord(facts["row"]) - ord("A") + 1
            found[name] = (facts["number"] + row // 2, -row)
        else:
            found[name] = (facts["col"], facts["row"] - facts["col"] // 2)
    return found


@pytest.mark.parametrize("game", ["hitlers_war", "munich_war"])
def test_every_listed_hexside_lies_between_neighbours(game: str) -> None:
    places = axial(game)
    assert [s for s in atlas(game)["hexsides"] if distance(places[s["a"]], places[s["b"]]) != 1] == []


def test_every_rail_and_every_sea_border_joins_neighbours() -> None:
    munich, hitler = axial("munich_war"), axial("hitlers_war")
    assert all(distance(munich[a], munich[b]) == 1 for a, b in atlas("munich_war")["rail"])
    borders = [side for border in atlas("hitlers_war")["sea_borders"] for side in border["hexsides"]]
    borders += atlas("hitlers_war")["seas"]["soviet_lakes"]["hexsides"]
    assert all(distance(hitler[a], hitler[b]) == 1 for a, b in borders)
