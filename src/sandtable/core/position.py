"""Prepared positions: a scenario, changed as a lesson or a puzzle needs it, standing at the steps it is about.

A position is a table of a TOML file. Four words mean the same in every game; the others are the game's
(`Game.arrange`).

    scenario = "barbarossa"
    options = {}
    steps = [{step = "combat"}, {step = "season-end"}]        # what comes next, the first one first
    moves = [{role = "axis", do = "place-default"}]           # made before the position is shown
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from .data import State
from .dice import SealedDice
from .errors import Unknown
from .game import Game
from .match import Match

S = TypeVar("S", bound=State)
_FOLDERS = ("training", "lessons", "puzzles")
_PREPARED = SealedDice("prepared")
"""Falls in the moves that lead to a position, the same each time."""


def read(game: Game[S], name: str) -> Mapping[str, Any]:
    """Return the position of a file in the game's folder: 'training/...', 'lessons/...' or 'puzzles/...'."""
    files = {
        f"{path.parent.name}/{path.stem}": path for folder in _FOLDERS for path in (game.home / folder).glob("*.toml")
    }
    if name not in files:
        raise Unknown(f"{game.id} has no position '{name}'; it has {', '.join(sorted(files))}")
    found: Mapping[str, Any] = tomllib.loads(files[name].read_text(encoding="utf-8"))["position"]
    return found


def set_up(game: Game[S], position: Mapping[str, Any], seed: str, *, history: bool = True) -> Match[S]:
    """Return a match that begins in this position, with the dice of the seed from its first die on."""
    words = dict(position)
    scenario: str = words.pop("scenario", next(iter(game.scenarios)))
    options: Mapping[str, Any] = words.pop("options", {})
    steps: Sequence[Any] = words.pop("steps", ())
    moves: Sequence[Mapping[str, Any]] = words.pop("moves", ())
    state = game.open(scenario, options)
    match: Match[S] = Match(game, state, _PREPARED, history=False)
    game.arrange(match.play, words)
    if steps:
        state.stack = ()
        match.play.push(*(game.codec.step(step) for step in steps))
    match.play._moved = True
    match.play.settle()
    match.changed()
    for move in moves:
        action = match.parse({key: value for key, value in move.items() if key != "role"})
        role = move.get("role") or match.asked
        if role is None:
            raise Unknown(f"the position is over before its move {action}")
        match.apply(role, action)
    state = match.state
    state.rolled = 0
    return Match(game, state, SealedDice(seed), seed=seed, history=history)
