"""The search that came before `search.py`. Games pinned at older rules still think with it (`sandtable.games.pins`).

A game says what its plans are, how they vary, and how one is rehearsed: played through the player's own phase and the
answer to it, then evaluated. This module spends a budget of rehearsals on them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from sandtable.core import Game, Match, View

from .base import Budget, imagine
from .search import Alarm, EvenDice, play_until

__all__ = ["Alarm", "EvenDice", "Turn", "play_until", "search"]

P = TypeVar("P")
_LEADERS, _STAY = 3, 8
"""How many plans are varied, and how many are kept."""
_OFTEN = 6
"""A plan is rehearsed no more often than this."""
_FRUITLESS = 5
"""The search ends after so many rounds without a new plan."""


class Turn(Protocol[P]):
    """A turn to plan."""

    def first(self) -> Sequence[P]:
        """The plans to start with, the fallback first."""

    def vary(self, parents: Sequence[P], rng: Random) -> P | None:
        """A new plan made from good ones; None where nothing can be varied."""

    def key(self, plan: P) -> Hashable:
        """A key that is equal for plans that are played the same way."""

    def prior(self, plan: P) -> float:
        """An estimate of the plan's value before any rehearsal, on the same scale up to a constant."""

    def rehearse(self, plan: P, match: Match[Any], alarm: Alarm) -> float:
        """Play the plan on an imagined match and return its value; larger is better."""


class _Entry(Generic[P]):
    __slots__ = ("count", "plan", "prior", "total")

    def __init__(self, plan: P, prior: float) -> None:
        self.plan = plan
        self.prior = prior
        self.total = 0.0
        self.count = 0


class _Search(Generic[P]):
    """The plans found so far, and the budget that is left."""

    def __init__(
        self, game: Game[Any], view: View[Any], turn: Turn[P], seed: str, budget: Budget, tries: int, faith: float
    ) -> None:
        self.game, self.view, self.turn, self.seed, self.faith = game, view, turn, seed, faith
        self.alarm = Alarm(budget.seconds)
        self.left = budget.tries if budget.tries is not None else tries
        self.entries: list[_Entry[P]] = []
        self._seen: set[Hashable] = set()

    def add(self, plan: P) -> _Entry[P] | None:
        """The entry of a new plan; None where an equal one was added before."""
        key = self.turn.key(plan)
        if key in self._seen:
            return None
        self._seen.add(key)
        self.entries.append(_Entry(plan, self.turn.prior(plan)))
        return self.entries[-1]

    def rehearse(self, entry: _Entry[P]) -> None:
        """Rehearse a plan once more, if the budget and the time allow it."""
        if self.left <= 0 or self.alarm():
            return
        match = imagine(self.game, self.view, Random(f"match/{self.seed}/{entry.count}"))
        match.play.dice = EvenDice(f"dice/{self.seed}/{entry.count}")
        value = self.turn.rehearse(entry.plan, match, self.alarm)
        if self.alarm.rang:
            return
        self.left -= 1
        entry.total += value
        entry.count += 1

    def leaders(self) -> list[_Entry[P]]:
        """The best plans, by the mean of the rehearsals and the prior, which counts as `faith` rehearsals."""
        tested = [entry for entry in self.entries if entry.count]
        shift = fsum(entry.total / entry.count - entry.prior for entry in tested) / max(1, len(tested))
        faith = self.faith
        self.entries.sort(key=lambda e: -(e.total + faith * (e.prior + shift)) / (e.count + faith))
        return self.entries[:_LEADERS]


def search(
    game: Game[Any],
    view: View[Any],
    turn: Turn[P],
    *,
    seed: str,
    budget: Budget,
    tries: int,
    faith: float = 1.0,
    brood: int = 4,
) -> P:
    """The best plan that so many rehearsals find.

    Every first plan is rehearsed once. In each round the best few are rehearsed again and varied, and the variations
    are rehearsed once; only the better plans stay. The last rehearsals go to the leaders. The n-th rehearsal of every
    plan uses the same imagined match. The prior of a plan counts as `faith` rehearsals.
    """
    found = _Search(game, view, turn, seed, budget, tries, faith)
    rng = Random(f"plan/{seed}")
    for plan in turn.first():
        if found.entries and found.alarm():
            break
        found.add(plan)
    for entry in found.entries:
        found.rehearse(entry)
    fruitless = 0
    while found.left > _LEADERS and fruitless < _FRUITLESS and not found.alarm():
        leaders = found.leaders()
        del found.entries[_STAY:]
        for entry in leaders:
            if entry.count < _OFTEN:
                found.rehearse(entry)
        fruitless += 1
        for _ in range(brood):
            child = turn.vary([entry.plan for entry in leaders], rng)
            added = found.add(child) if child is not None else None
            if added is not None:
                fruitless = 0
                found.rehearse(added)
    for entry in found.leaders():
        found.rehearse(entry)
    return found.leaders()[0].plan
