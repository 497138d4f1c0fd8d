"""What if: matches played on by computer players from a position that a role may know.

A rehearsal begins in an imagined position that agrees with the role's view, with dice of its own, so it tells nothing
that the role does not know. Which one it is follows from the view and the rehearsal's number alone: the same question
has the same answer, whatever is hidden. It ends with the match, or after some turns: then it counts who would win if
the match ended there.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import msgspec

from sandtable.core import Game, Match, Refusal, View
from sandtable.games import registered
from sandtable.players import Budget, imagine, make, take_turn

LONGEST = 30.0
"""Seconds after which a rehearsal is given up: others wait for the same process."""
THINKING = 0.5
"""Seconds that a player of a rehearsal may think about a phase."""
TRIES = 4
"""Tries of a player that searches."""


class Rehearse(msgspec.Struct, frozen=True, tag_field="type", tag="rehearse"):
    """Some rehearsals to play: all that a role may know, what is tried first, and by whom it is played on."""

    game: str
    rules: int
    role: str
    number: int
    asked: tuple[str, ...]
    view: bytes
    tried: tuple[bytes, ...]
    """The actions of the role that come first."""
    level: str
    turns: int
    """After how many turns it ends; 0: with the match."""
    first: int
    count: int
    seconds: float
    """No further one is begun after that."""


class Rehearsed(msgspec.Struct):
    """What came of some rehearsals."""

    played: int = 0
    wins: dict[str, int] = {}
    """By alliance."""
    draws: int = 0
    stuck: int = 0
    """In how many it could not go on as wanted, since what is hidden was imagined otherwise."""
    slow: bool = False
    """One of them took too long and was given up."""


def rehearse(task: Rehearse) -> Rehearsed:
    """Play rehearsals from number `first` on."""
    game = registered(task.game, task.rules)
    seen: View[Any] = View(game.id, task.role, task.number, task.asked, game.codec.unpack(task.view))
    seed = f"{game.codec.digest(seen.state)}/{task.role}"
    found = Rehearsed(wins=dict.fromkeys(game.alliances, 0))
    end = time.monotonic() + task.seconds
    for number in range(task.first, task.first + task.count):
        match = imagine(game, seen, Random(f"{seed}/{number}"))
        found.played += 1
        try:
            for action in task.tried:
                match.apply(task.role, match.parse(action))
        except Refusal:
            found.stuck += 1
            continue
        if match.over or match.decisions():
            if not _play_on(match, task, f"{seed}/{number}"):
                found.slow = True
                break
            _count(found, game, _winners(match))
        else:  # everybody was imagined to have decided already
            found.stuck += 1
        if time.monotonic() > end:
            break
    return found


def _play_on(match: Match[Any], task: Rehearse, seed: str) -> bool:
    """Play a match on to where the rehearsal ends; False where that takes too long."""
    game, end = match.game, time.monotonic() + LONGEST
    players = {role: make(task.level, game, f"{seed}/{role}") for role in match.roles}
    turn, turns, budget = game.turn(match.state), 0, Budget(THINKING, TRIES)
    while not match.over:
        if time.monotonic() > end:
            return False
        role = match.decisions()[0]
        take_turn(match, role, players[role], budget)
        if game.turn(match.state) != turn:
            turn, turns = game.turn(match.state), turns + 1
            if turns == task.turns:
                break
    return True


def _winners(match: Match[Any]) -> tuple[str, ...]:
    """Who has won, or who would if the match ended now."""
    outcome = match.outcome or match.standing(None).today
    return () if outcome is None else tuple(outcome.winners)


def _count(found: Rehearsed, game: Game[Any], winners: tuple[str, ...]) -> None:
    sides = [side for side, roles in game.alliances.items() if any(role in winners for role in roles)]
    for side in sides:
        found.wins[side] += 1
    found.draws += not sides
