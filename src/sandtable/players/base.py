"""What a computer player is: it sees its own view and its own offers, and answers with one of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, Protocol

import msgspec

from sandtable.core import Action, Game, Match, Offers, SealedDice, Unknown, View


class Budget(msgspec.Struct, frozen=True):
    """How long a player may think about one phase of decisions."""

    seconds: float = 5.0
    """The ceiling, by the clock."""
    tries: int | None = None
    """How many tries a searching player makes, so that the same seed plays the same; None: the player's own number."""


class Player(Protocol):
    """A computer player in one role. It is made with a seed and plays the same from the same seed."""

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action: ...


class Recruit:
    """Chooses at random: a kind of thing to do first, then how."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"recruit/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return offers.sample(self.rng)


Maker = Callable[[Game[Any], int | str], Player]
_LEVELS: dict[str, dict[str, Maker]] = {"recruit": {}, "captain": {}, "colonel": {}, "general": {}}
"""Level -> game id -> maker, weakest level first."""


_HOMES: dict[str, str] = {
    "hitlers-war": "sandtable.games.hitlers_war.players",
    "munich-war": "sandtable.games.munich_war.players",
    "ww2-europe": "sandtable.games.ww2_europe.players",
    "blitzkrieg-general": "sandtable.games.blitzkrieg_general.players",
}
"""Game id -> the module that registers its players; loaded when somebody first asks for them."""
_LOADED: set[str] = set()


def _load(game: str) -> None:
    if game in _HOMES and game not in _LOADED:
        _LOADED.add(game)
        import_module(_HOMES[game])


def register(level: str, game: str, maker: Maker) -> None:
    """Tell that a level plays a game in a way of its own."""
    _LEVELS.setdefault(level, {})[game] = maker


def levels(game: str) -> tuple[str, ...]:
    """The levels at which the computer plays a game, weakest first."""
    _load(game)
    return tuple(level for level, makers in _LEVELS.items() if level == "recruit" or game in makers)


def make(level: str, game: Game[Any], seed: int | str) -> Player:
    """A player of that level."""
    if level not in levels(game.id):
        raise Unknown(f"there is no level '{level}' for {game.id}; there is {', '.join(levels(game.id))}")
    maker = _LEVELS[level].get(game.id)
    return maker(game, seed) if maker else Recruit(game, seed)


def imagine(game: Game[Any], view: View[Any], rng: Random) -> Match[Any]:
    """A match that agrees with the view, its hidden rest and its dice made up: something to think with."""
    seed = f"{rng.getrandbits(128):032x}"
    state = game.determinize(view, rng)
    return Match(game, state, SealedDice(seed), seed=seed, number=view.number, history=False)
