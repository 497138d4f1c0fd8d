"""Computer players: the levels of a game, the random player, and imagined matches to think with."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Match, Offers, SealedDice, Unknown, View
from sandtable.core.game import Budget, Maker, Player

__all__ = ["Budget", "Maker", "Player", "Recruit", "imagine", "levels", "make", "register"]


class Recruit:
    """Chooses at random: first which kind of thing to do, then how."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"recruit/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return offers.sample(self.rng)


_LEVELS: dict[str, dict[str, Maker]] = {}
"""Level -> game id -> maker: what `register` added to the games' own players."""


def register(level: str, game: str, maker: Maker) -> None:
    """Add a level to a game, or replace one, in this process."""
    _LEVELS.setdefault(level, {})[game] = maker


def _makers(game: Game[Any]) -> dict[str, Maker]:
    added = {level: makers[game.id] for level, makers in _LEVELS.items() if game.id in makers}
    return {"recruit": Recruit, **game.players(), **added}


def levels(game: Game[Any]) -> tuple[str, ...]:
    """The levels at which the computer plays a game, weakest first; registered ones last."""
    return tuple(_makers(game))


def make(level: str, game: Game[Any], seed: int | str) -> Player:
    """A player of that level."""
    makers = _makers(game)
    if level not in makers:
        raise Unknown(f"there is no level '{level}' for {game.id}; there is {', '.join(makers)}")
    return makers[level](game, seed)


def imagine(game: Game[Any], view: View[Any], rng: Random) -> Match[Any]:
    """A match that agrees with the view, to think with. What is hidden and the dice to come are drawn at random."""
    seed = f"{rng.getrandbits(128):032x}"
    state = game.determinize(view, rng)
    return Match(game, state, SealedDice(seed), seed=seed, number=view.number, history=False)
