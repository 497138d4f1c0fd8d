"""Matches watched by a game's referee: every decision is recomputed by code that shares no rule with the engine."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, SandtableError, Unknown
from sandtable.core import replay as files
from sandtable.core.referee import Difference, Referee
from sandtable.players import Budget, levels, make


class Disagreement(SandtableError):
    """The first difference of a match, with the match up to there."""

    def __init__(self, difference: Difference, match: Match[Any]) -> None:
        super().__init__(
            f"{difference.what} [{difference.rule}]: the engine says {difference.engine}, "
            f"the referee {difference.referee}"
        )
        self.difference = difference
        self.match = match

    def replay(self) -> bytes:
        """The match file up to the difference."""
        return files.save(self.match)


class Watched(msgspec.Struct):
    """A match without a difference."""

    scenario: str
    options: Mapping[str, Any]
    seats: Mapping[str, str]
    seed: str
    decisions: int
    over: bool


def referee_of(game: Game[Any]) -> Referee[Any]:
    """The referee of a game; a clear error where it has none."""
    found = game.referee()
    if found is None:
        raise Unknown(f"{game.id} has no referee")
    return found


def drawn_options(game: Game[Any], scenario: str, rng: Random) -> dict[str, Any]:
    """Each option of a scenario drawn at random."""
    fitting = [option for option in game.options.values() if not option.scenarios or scenario in option.scenarios]
    return {option.id: rng.choice(option.choices or (False, True)) for option in fitting}


def play(
    game: Game[Any], number: int, seed: int, *, scenario: str | None = None, level: str | None = None, tries: int = 1
) -> Watched:
    """Play one match between computer players under the referee's eyes.

    Scenario, options and the level of each seat are drawn at random unless they are given. The same number and seed
    give the same match. Raises `Disagreement` at the first difference.
    """
    rng = Random(f"referee/{seed}/{number}")
    scenario = scenario or list(game.scenarios)[number % len(game.scenarios)]
    options = drawn_options(game, scenario, rng)
    match = Match.new(game, scenario, options, seed=f"{seed}/{number}")
    seats = {role: level or rng.choice(levels(game)) for role in match.roles}
    players = {role: make(seats[role], game, f"{seed}/{number}/{role}") for role in match.roles}
    budget = Budget(seconds=3600.0, tries=tries)

    def moves() -> Iterator[tuple[str, Action]]:
        while (role := match.asked) is not None:
            yield role, players[role].decide(match.view(role), match.offers(role), budget)

    watch(match, moves(), referee_of(game))
    return Watched(scenario, options, seats, match.seed, match.number, match.over)


def read(data: bytes, find_game: Callable[[str, int], Game[Any]]) -> Watched:
    """Watch a match file. Raises `Disagreement` at the first difference."""
    head, lines = files.read(data)
    match = files.start(head, find_game)
    watch(match, ((line.role, match.parse(bytes(line.action))) for line in lines), referee_of(match.game))
    return Watched(match.scenario, match.options, {}, match.seed, match.number, match.over)


def watch(match: Match[Any], moves: Iterator[tuple[str, Action]], referee: Referee[Any]) -> None:
    """Carry out the moves and let the referee compare every position and every move."""
    _raise_first(referee.look(match.state, _offers(match)), match)
    for role, action in moves:
        before = copy.copy(match.state)
        events = match.apply(role, action)
        _raise_first(referee.watch(before, role, action, match.state, events), match)
        if not match.over:
            _raise_first(referee.look(match.state, _offers(match)), match)


def _offers(match: Match[Any]) -> dict[str, Any]:
    return {role: match.offers(role) for role in match.decisions()}


def _raise_first(differences: Sequence[Difference] | Any, match: Match[Any]) -> None:
    for difference in differences:
        raise Disagreement(difference, match)
