"""Matches to learn from: computer players of several levels, over all scenarios and options, from random openings.

One position of each turn is kept, whole and packed, so that other features can be tried without playing again. What is
played follows from the game, the seed and the match's number alone.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Game, Match, State, Unknown
from sandtable.games import find
from sandtable.players import Budget, Player, levels, make, stretched, take_turn

TOP = "colonel"
"""The highest level that plays where none is named."""
_OPENINGS = (0, 0, 1, 1, 2)
"""How many turns a side opens at random."""
_SECONDS = 60.0
"""A limit that no decision reaches, so that the clock decides nothing."""


class Bout(msgspec.Struct, frozen=True):
    """A match to play."""

    game: str
    version: int
    """The version of the rules."""
    scenario: str
    options: dict[str, Any]
    seats: dict[str, str]
    """Role -> level."""
    openings: dict[str, int]
    """Role -> turns at the start that the weakest level plays for it."""
    seed: str
    number: int
    """Its place in the run."""
    tries: int | None = None


class Told(msgspec.Struct):
    """What was played: one position of each turn, and who won."""

    winners: list[str]
    positions: list[str]


def bouts(name: str, matches: int, seed: int, *, top: str = "", tries: int | None = None) -> list[Bout]:
    """The matches of a run. Raises `Unknown` for a level that does not exist."""
    game = find(name)
    known = levels(game)
    if top and top not in known:
        raise Unknown(f"there is no level '{top}' for {game.id}; there is {', '.join(known)}")
    top = top or (TOP if TOP in known else known[-1])
    play = known[: known.index(top) + 1]
    return [_draw(name, game, play, f"{seed}/{number}", number, tries) for number in range(matches)]


def _draw(name: str, game: Game[Any], play: Sequence[str], seed: str, number: int, tries: int | None) -> Bout:
    rng = Random(f"bout/{game.id}/{seed}")
    scenario = rng.choice(list(game.scenarios))
    options = game.check_options(scenario, {})
    if rng.random() < 0.5:
        options |= {option: rng.choice(game.options[option].choices or (False, True)) for option in options}
    roles = game.roles_in(scenario)
    sides = [[role for role in side if role in roles] for side in game.alliances.values()]
    if rng.random() < 0.5:  # every role for itself
        sides = [[role] for role in roles]
    often = (*play, *play[1:-1], *play[1:-1])  # the highest level takes longest
    seats, openings = dict[str, str](), dict[str, int]()
    for side in sides:
        level, turns = rng.choice(often), rng.choice(_OPENINGS)
        seats |= dict.fromkeys(side, level)
        openings |= dict.fromkeys(side, turns)
    return Bout(name, game.rules_version, scenario, dict(options), seats, openings, seed, number, tries)


def play(bout: Bout) -> Told:
    """Play a match to its end."""
    game = find(bout.game)
    match = Match.new(game, bout.scenario, bout.options, seed=bout.seed, history=False)
    weakest, budget, rng = levels(game)[0], Budget(_SECONDS, bout.tries), Random(f"positions/{bout.seed}")
    players: dict[str, Player] = {
        role: make(weakest if bout.openings[role] else level, game, f"{bout.seed}/{role}/0")
        for role, level in bout.seats.items()
    }
    kept: list[str] = []
    turn, turns, seen, chosen = game.turn(match.state), 0, 0, game.codec.clone(match.state)
    while not match.over:
        role = match.decisions()[0]
        take_turn(match, role, players[role], stretched(budget, players[role]))
        if match.over or game.turn(match.state) != turn:
            kept.append(pack(game, chosen))
            turn, turns, seen = game.turn(match.state), turns + 1, 0
            for other, opening in bout.openings.items():
                if opening == turns:
                    players[other] = make(bout.seats[other], game, f"{bout.seed}/{other}/{turns}")
        seen += 1
        if rng.random() * seen < 1:  # any decision of the turn, all equally likely
            chosen = game.codec.clone(match.state)
    assert match.outcome is not None
    return Told(list(match.outcome.winners), kept)


def pack(game: Game[Any], state: State) -> str:
    return base64.b85encode(zlib.compress(game.codec.pack(state))).decode()


def unpack(game: Game[Any], text: str) -> Any:
    return game.codec.unpack(zlib.decompress(base64.b85decode(text)))
