"""Benchmarks of exact odds: the battles of random matches, and a large battle of each game."""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sandtable.core import Action, Game, Match, Odds
from sandtable.lab.bench import Bench, Figure, Peer, suite
from sandtable.odds.dice import hits
from sandtable.odds.whole import whole

DECISIONS = 1500
MOST = 60
TYPICAL = (Peer("promised", 5.0, 1.0),)
LARGEST = (Peer("promised, about", 100.0, 0.75),)
AGAIN = (Peer("promised", 10.0, 1.0),)
Question = tuple[Match[Any], str, Action]


def questions(game: Game[Any], scenario: str) -> list[Question]:
    """Actions of a random match that have odds, each with its position."""
    found: list[Question] = []
    match, rng = Match.new(game, scenario, seed=7, history=False), Random(7)
    while not match.over and match.number < DECISIONS and len(found) < MOST:
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        if game.preview(match.play, role, action) is not None:
            found.append((match.clone(), role, action))
        match.apply(role, action)
    return found


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of one call with empty caches."""
    hits.cache_clear()
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def _next_dice(question: Question) -> Callable[[], Odds | None]:
    match, role, action = question
    twin = match.clone()
    return lambda: twin.game.preview(twin.play, role, action)


def _whole(question: Question) -> Callable[[], Odds | None]:
    match, role, action = question
    twin = match.clone()
    return lambda: whole(twin, role, action)


def game_figures(bench: Bench, game: Game[Any]) -> Iterator[Figure]:
    asked = [question for scenario in list(game.scenarios)[:2] for question in questions(game, scenario)]
    if not asked:
        return
    for name, ask in (("the next dice", _next_dice), ("the whole battle or chain", _whole)):
        taken = sorted(milliseconds(ask(question)) for question in asked)
        note = f"median of {len(taken)} actions of random matches"
        yield Figure(f"{game.id}: {name}, typical", taken[len(taken) // 2], "ms", TYPICAL, note)
        yield Figure(f"{game.id}: {name}, largest", taken[-1], "ms", LARGEST, "of the same actions")
    match, role, action = asked[0]
    match.preview(role, action)
    repeated = bench.microseconds(lambda: match.preview(role, action))
    yield Figure(f"{game.id}: asked again", repeated, "µs", AGAIN, "from the cache")


@suite("odds")
def all_odds(bench: Bench) -> Iterator[Figure]:
    for game in bench.games:
        bench.say(game.id)
        yield from game_figures(bench, game)
        large_battle = game.benchmark().large_battle
        if large_battle is not None:
            name, ask = large_battle(game)
            yield Figure(f"{game.id}: {name}", min(milliseconds(ask) for _ in range(3)), "ms", LARGEST, "made for this")
