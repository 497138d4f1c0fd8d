"""What the searching levels of every game have in common: a plan is searched for once a phase, and carried out."""

from __future__ import annotations

import time
from collections.abc import Hashable
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Offers, View

from .base import Budget
from .search import Found, Plan, Theatre, search


class Searcher:
    """Searches for a plan at its moment, and then answers by it. A game says when, on what, and how."""

    level: ClassVar[str] = "general"
    patience: ClassVar[float] = 1.0
    """How many times as long as other levels it may think."""
    tries: ClassVar[int | None] = None
    """How many rehearsals it makes at most; None: as many as the budget allows."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.seed = f"{self.level}/{seed}"
        self.found = Found(Plan())
        self._thought: Hashable = None

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        moment = self.moment(view)
        if moment is not None and moment != self._thought:
            self._thought = moment
            self.found = self.think(view, budget)
            self.follow(self.found.plan)
        return self.answer(view, offers, budget)

    def think(self, view: View[Any], budget: Budget) -> Found:
        """Search for the plan of this phase. Looking at the position takes a part of the time."""
        if self.tries is not None:
            budget = msgspec.structs.replace(budget, tries=min(self.tries, budget.tries or self.tries))
        began = time.monotonic()
        theatre = self.theatre(view)
        left = max(0.0, budget.seconds - (time.monotonic() - began))
        budget = msgspec.structs.replace(budget, seconds=left)
        return search(self.game, view, theatre, seed=self.search_seed(view), budget=budget)

    def search_seed(self, view: View[Any]) -> str:
        """What the imagined matches are drawn from."""
        return f"{self.seed}/{view.number}"

    # ---- by game
    def moment(self, view: View[Any]) -> Hashable | None:
        """The phase for which a plan is wanted; None where nothing is to be planned."""
        raise NotImplementedError

    def theatre(self, view: View[Any]) -> Theatre:
        raise NotImplementedError

    def follow(self, plan: Plan) -> None:
        """Carry out a plan from now on."""
        raise NotImplementedError

    def answer(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        raise NotImplementedError
