"""Benchmarks of a general's search: how much of its time it uses, and how many rehearsals that is."""

import statistics
import time
from collections.abc import Iterator
from typing import Any
from unittest import mock

from sandtable.core import Game, Match, View
from sandtable.lab.bench import Bench, Figure, suite
from sandtable.players import Budget, levels, make, take_turn
from sandtable.players.search import Found
from sandtable.players.searcher import Searcher

BUDGET = Budget()
SEARCHES = 6
"""How many decisions of the match are searched, evenly spread over it."""


def moments(game: Game[Any], scenario: str, seed: str = "1") -> list[View[Any]]:
    """The views for which generals would search for a plan in a match between captains."""
    match = Match.new(game, scenario, seed=seed, history=False)
    captains = {role: make("captain", game, f"{seed}/{role}") for role in match.roles}
    found: dict[Any, View[Any]] = {}
    generals = {role: make("general", game, f"{seed}/{role}") for role in match.roles}
    while not match.over:
        role = match.decisions()[0]
        view, general = match.view(role), generals[role]
        moment = general.moment(view) if isinstance(general, Searcher) else None
        if moment is not None:
            found.setdefault((role, moment), view)
        take_turn(match, role, captains[role], BUDGET)
    return list(found.values())


def spread(views: list[View[Any]], number: int) -> list[View[Any]]:
    """So many of the views, from the first to the last."""
    if len(views) <= number:
        return views
    return [views[round(place * (len(views) - 1) / (number - 1))] for place in range(number)]


def searched(game: Game[Any], view: View[Any]) -> tuple[Found, float]:
    """What a general finds, and the share of its time that this takes. The clock is processor time."""
    player = make("general", game, "1")
    assert isinstance(player, Searcher)
    with mock.patch.object(time, "monotonic", time.process_time):
        started = time.process_time()
        found = player.think(view, BUDGET)
        return found, (time.process_time() - started) / BUDGET.seconds


@suite("a general's search")
def searches(bench: Bench) -> Iterator[Figure]:
    for game in bench.games:
        scenario = game.benchmark().captains
        if not scenario or "general" not in levels(game):
            continue
        bench.say(f"{game.id} {scenario}")
        found = [searched(game, view) for view in spread(moments(game, scenario), SEARCHES)]
        used = [100 * share for _, share in found]
        rehearsals = statistics.median(one.rehearsals for one, _ in found)
        note = f"{len(found)} searches, {min(used):.0f} to {max(used):.0f} %, {rehearsals:.0f} rehearsals"
        yield Figure(f"{game.id}: {scenario}", statistics.median(used), f"% of {BUDGET.seconds:g} s", note=note)
