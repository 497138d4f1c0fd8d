"""Benchmarks of the core: random play, offers, apply, clone, encode and replay of each game; a big state's clone."""

import copy
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random
from typing import Any

import sandtable
from sandtable.core import Game, Match, State
from sandtable.core import replay as files
from sandtable.core.codec import Codec
from sandtable.lab import bench_peers
from sandtable.lab.bench import Bench, Figure, Peer, suite
from sandtable.testing import random_play

UNITS = 1000
CLONE_PROMISE = 100.0
RANDOM_PROMISE = 0.5
"""The share of python-chess's speed in random play that each of our games promises to reach."""
OURS = sandtable.games()
SAMPLE = 400
"""How many decisions of a match are measured."""


# ---- one state of a thousand units, as columns and as objects --------------------------------------------------------


class ThousandUnits(State, kw_only=True):
    """Units as parallel columns."""

    space: tuple[int, ...]
    steps: tuple[int, ...]
    kind: tuple[int, ...]
    owner: tuple[int, ...]
    moved: tuple[int, ...]


@dataclass
class Unit:
    """The same unit as an object."""

    space: int
    steps: int
    kind: int
    owner: int
    moved: int


@suite("clone of 1,000 units")
def clone_of_thousand_units(bench: Bench) -> Iterator[Figure]:
    rng = Random(1)
    units = [Unit(*(rng.randrange(5000) for _ in range(5))) for _ in range(UNITS)]
    state = ThousandUnits(
        scenario="bench",
        space=tuple(unit.space for unit in units),
        steps=tuple(unit.steps for unit in units),
        kind=tuple(unit.kind for unit in units),
        owner=tuple(unit.owner for unit in units),
        moved=tuple(unit.moved for unit in units),
    )
    codec = Codec(ThousandUnits, (), (), ())
    theirs = bench.microseconds(lambda: copy.deepcopy(units))
    ours = bench.microseconds(lambda: codec.clone(state))
    yield Figure("clone", ours, "µs", (Peer("copy.deepcopy of objects", theirs, CLONE_PROMISE),))


# ---- each game -------------------------------------------------------------------------------------------------------


class Recorded:
    """A random match, and a clone of it before each decision."""

    def __init__(self, game: Game[Any], scenario: str) -> None:
        rng = Random(7)
        match = Match.new(game, scenario, seed=7)
        self.before: list[tuple[Match[Any], str, Any]] = []
        while not match.over and match.number < SAMPLE:
            role = rng.choice(match.decisions())
            action = match.offers(role).sample(rng)
            self.before.append((match.clone(), role, action))
            match.apply(role, action)
        self.match = match
        self.file = files.save(match)

    def clone_all(self) -> None:
        for match, _, _ in self.before:
            match.clone()

    def apply(self, bench: Bench) -> float:
        """Microseconds of one apply on a fresh clone, without the time of the clone."""

        def apply_all() -> None:
            for match, role, action in self.before:
                match.clone().apply(role, action)

        return (bench.microseconds(apply_all) - bench.microseconds(self.clone_all)) / len(self.before)

    def offers(self, bench: Bench) -> float:
        """Microseconds to ask who decides, make the offers and draw an action from them."""
        rng = Random(8)

        def ask_all() -> None:
            for match, role, _ in self.before:
                twin = match.clone()
                twin.decisions()
                twin.offers(role).sample(rng)

        return (bench.microseconds(ask_all) - bench.microseconds(self.clone_all)) / len(self.before)


def random_matches(game: Game[Any], scenario: str, *, history: bool) -> Callable[[], int]:
    """A function that plays another random match to its end and returns the number of decisions."""
    seeds = itertools.count(1)

    def play() -> int:
        seed = next(seeds)
        match = Match.new(game, scenario, seed=seed, history=history)
        return random_play(match, Random(seed))

    return play


def as_a_search_plays(bench: Bench, game: Game[Any]) -> Iterator[Figure]:
    """Random play without history of each scenario, measured in turn with python-chess."""
    for scenario in game.scenarios:
        ours = random_matches(game, scenario, history=False)
        if find_spec("chess"):
            chess, moves_only = bench_peers.chess_at_random(), bench_peers.chess_moves_only()
            search, theirs, bare = bench.by_turns(ours, chess, moves_only)
            promise = RANDOM_PROMISE if game.id in OURS else 0.0
            peers: tuple[Peer, ...] = (
                Peer("python-chess", theirs, promise),
                Peer("python-chess, never asked whether the game is over", bare),
            )
        else:
            search, peers = bench.rate(ours), ()
        yield Figure(f"random play of {scenario}", search, "moves/s", peers, note="without history, as a search plays")


def game_figures(bench: Bench, game: Game[Any], peers: bench_peers.Peers) -> Iterator[Figure]:
    scenario = next(iter(game.scenarios))
    recorded = Recorded(game, scenario)
    codec, state = game.codec, recorded.match.state
    packed = codec.pack(state)

    play = bench.rate(random_matches(game, scenario, history=True))
    yield Figure("random play", play, "moves/s", peers("random play"), note="with log, events and undo")
    yield from as_a_search_plays(bench, game)
    yield Figure("offers", recorded.offers(bench), "µs", peers("offers"), note="make them and draw one action")
    yield Figure("apply", recorded.apply(bench), "µs", peers("apply"), note="make the offers, check, carry out")
    yield Figure("clone of the match", bench.microseconds(recorded.match.clone), "µs", peers("clone"))
    promise = CLONE_PROMISE if game.id in OURS else 0.0
    deep = Peer("copy.deepcopy of it", bench.microseconds(lambda: copy.deepcopy(state)), promise)
    yield Figure("clone of the state", bench.microseconds(lambda: codec.clone(state)), "µs", (deep,))
    encode = bench.microseconds(lambda: codec.pack(state))
    yield Figure("encode", encode, "µs", peers("encode"), note=f"{len(packed):,} bytes")
    yield Figure("decode", bench.microseconds(lambda: codec.unpack(packed)), "µs", peers("decode"))

    def replay() -> int:
        return files.load(recorded.file, lambda name, rules: game).number

    yield Figure("replay", bench.rate(replay), "moves/s", peers("replay"), note="every digest checked")


@suite("games")
def all_games(bench: Bench) -> Iterator[Figure]:
    peers = bench_peers.measure(bench)
    for game in bench.games:
        bench.say(game.id)
        for figure in game_figures(bench, game, peers):
            yield Figure(f"{game.id}: {figure.name}", figure.value, figure.unit, figure.peers, figure.note)
