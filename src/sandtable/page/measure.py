"""Measures play in whichever Python runs it: this machine's, or that of the page. Prints JSON.

measure.py rate GAME SECONDS        random decisions a second
measure.py general GAME SECONDS     seconds of the general's slowest decision, in play of about this long
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from random import Random
from typing import Any

from sandtable.core import Match, memory
from sandtable.games import registered
from sandtable.players import Budget, levels, make, patience


def rate(name: str, seconds: float) -> float:
    """Return random decisions a second."""
    game = registered(name)
    memory.settle()
    done, started = 0, time.perf_counter()
    for seed in itertools.count(1):
        match: Match[Any] = Match.new(game, next(iter(game.scenarios)), seed=seed, history=False)
        rng = Random(seed)
        while (role := match.asked) is not None:
            match.apply(role, match.offers(role).sample(rng))
            done += 1
            if (taken := time.perf_counter() - started) > seconds:
                return done / taken
    raise AssertionError("time does not end")


def slowest(name: str, seconds: float) -> float:
    """Return the seconds of the longest decision of the strongest computer player within the host's budget."""
    game = registered(name)
    match: Match[Any] = Match.new(game, game.benchmark().captains or next(iter(game.scenarios)), seed=1)
    level = [name for name in levels(game) if patience(name, game) <= 1][-1]
    players = {role: make(level, game, f"1/{role}") for role in match.roles}
    longest, end = 0.0, time.perf_counter() + seconds
    while (role := match.asked) is not None and time.perf_counter() < end:
        view, offers, started = match.view(role), match.offers(role), time.perf_counter()
        action = players[role].decide(view, offers, Budget())
        longest = max(longest, time.perf_counter() - started)
        match.apply(role, action)
    return longest


if __name__ == "__main__":
    what, game, length = sys.argv[1:]
    print(json.dumps({"rate": rate, "general": slowest}[what](game, float(length))), flush=True)
