"""Plays matches and prints the digests they reach, one JSON line for each match.

It is run twice: by this machine's Python, and by the page's Python under Node. Every line must be the same.

    plays.py random GAME DECISIONS      random play of all scenarios in turn
    plays.py captain GAME               a match between captains, to its end
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import sandtable.page.desk  # noqa: F401 - everything that the page imports must be in its archives
from sandtable.core import Match
from sandtable.games import registered
from sandtable.players import Budget, make

EVERY = 50
"""Decisions between two digests."""


def at_random(name: str, decisions: int) -> Iterator[dict[str, Any]]:
    """Play `decisions` random decisions, in as many matches as they fill."""
    game = registered(name)
    left = decisions
    for seed, scenario in enumerate(itertools.cycle(game.scenarios), 1):
        match: Match[Any] = Match.new(game, scenario, seed=seed)
        rng, digests = Random(seed), []
        while left and (role := match.asked) is not None:
            match.apply(role, match.offers(role).sample(rng))
            left -= 1
            if match.number % EVERY == 0:
                digests.append(match.digest())
        yield {"game": name, "scenario": scenario, "decisions": match.number, "digests": [*digests, match.digest()]}
        if not left:
            return


def between_captains(name: str) -> Iterator[dict[str, Any]]:
    """Play a match between captains, who decide from what their roles may know."""
    game = registered(name)
    scenario = game.benchmark().captains or next(iter(game.scenarios))
    match: Match[Any] = Match.new(game, scenario, seed=11)
    players = {role: make("captain", game, f"11/{role}") for role in match.roles}
    digests = []
    while (role := match.asked) is not None:
        action = players[role].decide(match.view(role), match.offers(role), Budget(1e9))
        match.apply(role, action)
        if match.number % EVERY == 0:
            digests.append(match.digest())
    yield {"game": name, "scenario": scenario, "decisions": match.number, "digests": [*digests, match.digest()]}


def main(words: list[str]) -> None:
    how, name, *rest = words
    for line in at_random(name, int(rest[0])) if how == "random" else between_captains(name):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
