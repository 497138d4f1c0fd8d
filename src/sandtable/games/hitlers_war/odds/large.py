"""The largest chain of advances, for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable

from sandtable.core import Game, Match

from ..model.actions import Attack, Done, PlaceDefault
from ..model.state import War
from .whole import chain


def large_battle(game: Game[War]) -> tuple[str, Callable[[], object]]:
    """The slowest chain of Barbarossa's first turn, with its assault."""
    match = Match.new(game, "barbarossa", seed=1, history=False)
    while not match.offers(match.decisions()[0])[Attack]:
        role = match.decisions()[0]
        match.apply(role, PlaceDefault() if match.offers(role)[PlaceDefault] else Done())

    def seconds(action: Attack) -> float:
        started = time.process_time()
        chain(match.clone(), action, assault=True)
        return time.process_time() - started

    attacks = [action for action in match.offers(match.decisions()[0]) if isinstance(action, Attack)]
    slowest = max(attacks, key=seconds)
    return "longest chain of Barbarossa's first turn", lambda: chain(match.clone(), slowest, assault=True)
