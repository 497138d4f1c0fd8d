"""What the searching levels of every game have in common: a plan is searched for once a phase, and carried out."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Offers, Role, View

from .base import Budget, Player
from .requests import Request, heard_by, requests_of
from .search import Found, Plan, Scope, Theatre, granted, search


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
        self.requests: tuple[Request, ...] = ()
        """What it asks of its allies now."""
        self.heard: tuple[Request, ...] = ()
        """What they ask of it now,"""
        self._weighed: tuple[Request, ...] = ()
        """and what they asked when it last searched."""
        self._thought: Hashable = None

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        moment = self.moment(view)
        if moment is not None and moment != self._thought:
            self._thought = moment
            self.found = self.think(view, budget)
            self.requests = requests_of(self.found, view.role or "", view.number)
            self._weighed = self.heard
            self.follow(self.found.plan)
        return self.answer(view, offers, budget)

    def think(self, view: View[Any], budget: Budget) -> Found:
        """Search for the plan of this phase. Looking at the position takes a part of the time."""
        if self.tries is not None:
            budget = msgspec.structs.replace(budget, tries=min(self.tries, budget.tries or self.tries))
        began = time.monotonic()
        theatre = self.theatre(view)
        theatre.scope = self._with_requests(theatre.scope)
        left = max(0.0, budget.seconds - (time.monotonic() - began))
        budget = msgspec.structs.replace(budget, seconds=left)
        return search(self.game, view, theatre, seed=self.search_seed(view), budget=budget)

    def _with_requests(self, scope: Scope) -> Scope:
        """A scope whose first plans do what allies have asked since the last search."""
        fresh = [one.place for one in self.heard if one not in self._weighed and one.place in scope.aims]
        return msgspec.structs.replace(scope, stock=(*map(granted, fresh), *scope.stock)) if fresh else scope

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


def listen(players: Mapping[Role, Player], role: Role, sides: Mapping[str, tuple[Role, ...]]) -> None:
    """Let a player hear what the others of its side ask of it."""
    player = players[role]
    if isinstance(player, Searcher):
        made = (one for other in players.values() if isinstance(other, Searcher) for one in other.requests)
        player.heard = heard_by(role, made, sides)
