"""Benchmarks of the environments for learning: random choices, every observation made."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

from sandtable.core import Game
from sandtable.lab.bench import Bench, Figure, Peer, suite

STEPS = 500
"""How many steps are measured at a time."""


def random_steps(game: Game[Any], scenario: str, *, by_field: bool) -> Callable[[], int]:
    """A function that takes another so many steps, through as many matches as it needs."""
    import numpy as np

    from sandtable.env import Environment

    env, rng = Environment(game, scenario, by_field=by_field), Random(1)
    env.reset(seed=1)

    def walk() -> int:
        for _ in range(STEPS):
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
            else:
                env.step(int(rng.random() * np.count_nonzero(seen["action_mask"])))
        return STEPS

    return walk


@suite("environments")
def environment_figures(bench: Bench) -> Iterator[Figure]:
    if not find_spec("pettingzoo"):
        bench.say("PettingZoo is not installed: no figures of environments")
        return
    for game in bench.games:
        aim = game.benchmark().steps
        peers = (Peer("aimed at", aim),) if aim else ()
        for scenario in list(game.scenarios)[:1]:
            for by_field, what in ((False, "a candidate a step"), (True, "a field a step")):
                rate = bench.rate(random_steps(game, scenario, by_field=by_field))
                yield Figure(f"{game.id}: {scenario}", rate, "steps/s", peers, what)
