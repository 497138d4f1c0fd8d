"""Benchmarks of whole matches: random ones of every scenario, and matches between captains compared with chess."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from sandtable.core import Game, Match
from sandtable.lab import bench_peers
from sandtable.lab.bench import Bench, Figure, Peer, suite
from sandtable.lab.simulate import jobs, play
from sandtable.players import levels
from sandtable.testing import random_play


def random_seconds(bench: Bench, game: Game[Any], scenario: str) -> tuple[float, int]:
    """Processor seconds and decisions of a random match, the mean of as many as fit into the time."""
    matches, decisions, seed, started = 0, 0, 0, time.process_time()
    while matches == 0 or time.process_time() - started < bench.seconds:
        seed += 1
        match = Match.new(game, scenario, seed=seed, history=False)
        decisions += random_play(match, Random(seed))
        matches += 1
    return (time.process_time() - started) / matches, decisions // matches


@suite("whole random matches")
def random_matches(bench: Bench) -> Iterator[Figure]:
    for game in bench.games:
        for scenario in game.scenarios:
            bench.say(f"{game.id} {scenario}")
            seconds, decisions = random_seconds(bench, game, scenario)
            yield Figure(
                f"{game.id}: {scenario}", 1 / seconds, "matches/s", note=f"to its end, {decisions:,} decisions"
            )


@suite("captain against captain")
def captains(bench: Bench) -> Iterator[Figure]:
    chess = bench_peers.chess_game(bench)
    for game in bench.games:
        plan = game.benchmark()
        scenario, most = plan.captains, plan.chess_games
        if not scenario or "captain" not in levels(game):
            bench.say(f"{game.id} has no captain: no figure of it")
            continue
        bench.say(f"{game.id} {scenario}")
        seats = dict.fromkeys(game.roles_in(scenario), "captain")
        spent = []
        for job in jobs(game.id, scenario, {}, seats, 3, 1, 5.0):
            started = time.process_time()
            play(job)
            spent.append((time.process_time() - started) * 1000)
        ours = sorted(spent)[1]
        peers = () if chess is None else (Peer("python-chess, one random game", chess, 1 / most),)
        times = "" if chess is None else f"{ours / chess:,.0f} random games of chess, at most {most:,}"
        yield Figure(f"{game.id}: {scenario}", ours, "ms", peers, note=times)
