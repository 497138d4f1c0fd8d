"""Position pairs that differ only in what a role may not know: nothing that reaches the role may differ. A long run.

python -m tests.host.leaks munich-war 50000 [SEED]

Every other match is played by captains, the rest at random, in settings drawn at random. `test_leaks.py` is short.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from random import Random
from typing import Any

from sandtable.core import Game, Match
from sandtable.games import find
from sandtable.players import Player, make
from sandtable.testing.fuzzing import THOUGHT, drawn_setting
from sandtable.testing.promises import FuzzFailure, apply_offered, check_pair, check_told

from .test_leaks import sent_to

LOOKS = 0.15
"""How often a position is looked at."""
BYTES, UNDO = 0.3, 0.05
"""How often the bytes sent and the undo after a move are compared too: they cost most."""


def look(match: Match[Any], rng: Random) -> int:
    """Compare the position with others, for each role; returns the number of pairs."""
    pairs = 0
    for role in match.roles:
        other = match.scramble(role, rng)
        if other.digest() == match.digest():
            continue
        pairs += 1
        check_pair(match, role, rng)
        if rng.random() < BYTES and sent_to(other, role) != sent_to(match.clone(), role):  # neither has a history
            raise FuzzFailure(f"what {role} is sent depends on what it may not know", match)
    return pairs


def step(match: Match[Any], players: Mapping[str, Player], rng: Random) -> int:
    """Make one decision; returns 1 where the undo after it was looked at."""
    role = rng.choice(match.decisions())
    offers, strays = match.offers(role), not players or rng.random() < 0.05
    action = offers.sample(rng) if strays else players[role].decide(match.view(role), offers, THOUGHT)
    check = check_told(match, role, action, rng) if rng.random() < UNDO else None
    apply_offered(match, role, action)
    if check is None or match.over:
        return 0
    check()
    return 1


def run(game: Game[Any], pairs: int, seed: int) -> dict[str, int]:
    """Look at so many pairs; the first that differs is a FuzzFailure."""
    done = {"matches": 0, "decisions": 0, "undone": 0, "pairs": 0}
    while done["pairs"] < pairs:
        rng = Random(f"{seed}/{done['matches']}")
        scenario, options = drawn_setting(game, rng)
        match = Match.new(game, scenario, options, seed=rng.randrange(2**32))
        players = {role: make("captain", game, role) for role in match.roles} if done["matches"] % 2 else {}
        done["matches"] += 1
        while not match.over and done["pairs"] < pairs and not game.public(match.state):
            done["undone"] += step(match, players, rng)
            done["decisions"] += 1
            if rng.random() < LOOKS and not match.over:
                done["pairs"] += look(match, rng)
    return done


if __name__ == "__main__":
    name, number, *given = sys.argv[1:]
    print(name, run(find(name), int(number), int(given[0]) if given else 1))
