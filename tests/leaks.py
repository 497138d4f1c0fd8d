"""Pairs of positions that differ only in what a role may not know: python -m tests.leaks GAME PAIRS [SEED]

At every decision of random matches, of all scenarios and sets of options, all that each role can get to see is compared
with what it would see if the secrets were others: view, table, offers and their fields, odds, refusals of foreign and
impossible actions, who is waited for. An action that tells its role more must close undo.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

from sandtable.core import Game, Match
from sandtable.games import find
from sandtable.testing import FuzzFailure
from sandtable.testing.contracts import option_sets
from sandtable.testing.promises import check_pair, check_told

LONGEST = 400


def compare(game: Game[Any], pairs: int, seed: int = 0) -> int:
    """Compare so many pairs; returns how many actions were tried for what they tell. Raises FuzzFailure at a leak."""
    plays = [(scenario, options) for scenario in game.scenarios for options in option_sets(game, scenario).values()]
    compared = actions = rounds = 0
    while compared < pairs:
        for scenario, options in plays:
            match, rng = Match.new(game, scenario, options, seed=f"{seed}/{rounds}"), Random(f"{seed}/{rounds}")
            rounds += 1
            length = rng.randrange(50, LONGEST)
            while not match.over and match.number < length and compared < pairs:
                role = rng.choice(match.decisions())
                if not game.public(match.state):
                    for other in match.roles:
                        check_pair(match, other, rng)
                        compared += 1
                action = match.offers(role).sample(rng)
                check = check_told(match, role, action, rng)
                match.apply(role, action)
                if not match.over:
                    check()
                    actions += 1
    return actions


def main(name: str, pairs: int, seed: int = 0) -> None:
    start = time.monotonic()
    try:
        actions = compare(find(name), pairs, seed)
    except FuzzFailure as failure:
        sys.exit(f"LEAK in {name}, seed {seed}: {failure}")
    print(f"{name}: {pairs:,} pairs and {actions:,} actions in {time.monotonic() - start:.0f} s, no leak")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
