"""A computer player for River Line: storms where the odds are even or better, else marches towards the enemy."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players import Budget, imagine

from .game import March, River, Storm


class Steady:
    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game, self.rng = game, Random(f"steady/{seed}")

    def decide(self, view: View[River], offers: Offers, budget: Budget) -> Action:
        assert view.role is not None
        match = imagine(self.game, view, self.rng)
        storms = [action for action in offers if isinstance(action, Storm)]
        good = [action for action in storms if (odds := match.preview(view.role, action)) and odds.success >= 0.5]
        onward = ("Cedar", "Dogwood", "Elm") if view.role == "north" else ("Cedar", "Birch", "Alder")
        marches = [action for action in offers if isinstance(action, March) and action.to in onward]
        return self.rng.choice(good or marches or list(offers))
