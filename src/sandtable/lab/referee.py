"""Matches under the eyes of the game's referee: played between computer players, or read from files.

After every decision the referee recomputes what the rules say. The first difference ends the match.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Difference, Game, Match, Referee, SandtableError, Unknown
from sandtable.core import replay as files
from sandtable.core.data import HOUSEKEEPING
from sandtable.games import find
from sandtable.players import levels, make
from sandtable.testing.fuzzing import THOUGHT, drawn_setting


class Verdict(msgspec.Struct):
    """What the referee says about one match."""

    source: str
    """The match file, or the seed of a match that was played."""
    scenario: str
    options: dict[str, Any]
    seats: dict[str, str]
    """Role -> level; empty for a match file."""
    moves: int
    """How many were watched. The difference, if there is one, is after the last of them; 0 is the start."""
    difference: Difference | None


class Case:
    """One match and the moves that carry it on, to be judged. `moves` plays on, one move at a time."""

    def __init__(self, source: str, match: Match[Any], moves: Iterator[object], seats: dict[str, str]) -> None:
        self.source, self.match, self.moves, self.seats = source, match, moves, seats

    def judge(self, most: int | None = None) -> Verdict:
        """Watch the match to its end or to the first difference, or for so many moves at most."""
        match = self.match
        found = next(self._differences(referee_of(match.game), most), None)
        return Verdict(self.source, match.scenario, dict(match.options), self.seats, match.number, found)

    def _differences(self, referee: Referee[Any], most: int | None) -> Iterator[Difference]:
        match = self.match
        yield from referee.look(match.state, {role: match.offers(role) for role in match.decisions()})
        before = match.game.codec.clone(match.state)
        for _ in itertools.islice(self.moves, most):
            last = match.log[-1]
            if type(last.action) not in HOUSEKEEPING:
                yield from referee.watch(before, last.role, last.action, match.state, match.play.events)
            yield from referee.look(match.state, {role: match.offers(role) for role in match.decisions()})
            before = match.game.codec.clone(match.state)


def referee_of(game: Game[Any]) -> Referee[Any]:
    """The game's referee. Raises `SandtableError` where there is none."""
    referee = game.referee()
    if referee is None:
        raise SandtableError(f"{game.id} has no referee for version {game.rules_version} of its rules")
    return referee


def played(game: Game[Any], seed: str, wanted: Sequence[str] = (), scenario: str | None = None) -> Case:
    """A match between computer players of the wanted levels. Setting and seats are drawn at random.

    Without levels: any of the game's but the weakest, who decides at random.
    """
    known = levels(game)
    for level in wanted:
        if level not in known:
            raise Unknown(f"there is no level '{level}' for {game.id}; there is {', '.join(known)}")
    rng = Random(f"referee/{seed}")
    scenario, options = drawn_setting(game, rng, scenario)
    match = Match.new(game, scenario, options, seed=seed)
    seats = {role: rng.choice(wanted or known[1:] or known) for role in match.roles}
    return Case(seed, match, _play(match, seats, rng), seats)


def _play(match: Match[Any], seats: dict[str, str], rng: Random) -> Iterator[object]:
    players = {role: make(level, match.game, f"{match.seed}/{role}") for role, level in seats.items()}
    while not match.over:
        role = rng.choice(match.decisions())
        yield match.apply(role, players[role].decide(match.view(role), match.offers(role), THOUGHT))


def saved(source: str, data: bytes, game: Game[Any]) -> Case:
    """The match of a file. One of older rules is judged by their own referee."""
    head, lines = files.read(data)
    if head.game != game.id:
        raise Unknown(f"{source} is a match of {head.game}, not of {game.id}")
    match = files.start(head, lambda name, rules: game if rules == game.rules_version else find(name, rules))
    return Case(source, match, files.steps(match, lines, rules=head.rules), {})
