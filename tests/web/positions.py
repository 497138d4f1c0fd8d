"""Positions to open a page at: matches played at random by the library, brought to the server, and played on there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import sandtable

from .conftest import Server

MOST = 20_000


def play(game: str, scenario: str, reached: Callable[[Any], bool], seed: int = 1) -> Any:
    """A match that is not over and where `reached` is true for the first time; other dice where one war does not
    get there."""
    for attempt in range(seed, seed + 20):
        rng = Random(attempt)
        match = sandtable.new(game, scenario=scenario, seed=attempt)
        for _ in range(MOST):
            if match.over:
                break
            if match.number and reached(match):
                return match
            role = match.decisions()[0]
            match.apply(role, match.offers(role).sample(rng))
    raise AssertionError(f"{game} {scenario}: no such position in random play")


def asks(match: Any, verbs: set[str]) -> bool:
    """Somebody is asked for one of these."""
    return any(offer.verb in verbs for role in match.decisions() for offer in match.offers(role).offers)


def carry_on(server: Server, match: Any, seats: list[dict[str, Any]]) -> Any:
    """The match on the server, at the same position, with these seats."""
    brought = server.call("/api/matches/import", {"file": sandtable.save(match).decode()})
    secret = brought["seats"][0]["secret"] if brought["seats"] else None
    return server.call(f"/api/matches/{brought['match']}/branch", {"at": match.number, "seats": seats}, secret)
