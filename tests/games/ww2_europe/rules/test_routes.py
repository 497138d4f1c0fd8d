"""Declared paths: every one is listed, once, in the order of a walk, also where most ways lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from sandtable.core import Refusal
from sandtable.games.ww2_europe.model.atlas import ATLAS
from sandtable.games.ww2_europe.rules.routes import Routes

SPACES, START, BUDGET = 12, 0, 5


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("ends", [0, 1, 3, SPACES])
def test_every_path_is_listed_once_in_the_order_of_a_walk(seed: int, ends: int) -> None:
    rng = Random(seed)
    links = [[(rng.randrange(SPACES), rng.choice((1, 2))) for _ in range(3)] for _ in range(SPACES)]
    links = [list(dict(row).items()) for row in links]  # one way from a space to another
    goals = set(rng.sample(range(SPACES), ends))
    refusal = Refusal("we-move-1")

    def walk(here: int, left: int, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for there, cost in links[here]:
            if cost <= left:
                longer = (*path, ATLAS.names[there])
                if there in goals:
                    yield longer
                yield from walk(there, left - cost, longer)

    routes = Routes(
        START,
        BUDGET,
        lambda here, spent: links[here],
        lambda space: None if space in goals else refusal,
        lambda here, there, spent: refusal,
    )
    expected = list(walk(START, BUDGET, ()))
    assert list(routes) == expected
    assert len(routes) == len(expected)
    assert routes.lead_anywhere() == bool(expected)
    assert all(path in routes for path in expected)
