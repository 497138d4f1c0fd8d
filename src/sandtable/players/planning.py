"""Search for a plan: plans are tried on imagined matches, the promising ones more often and in variations.

Shared by the players of every game. A game says what its plans are, how they vary, and how one is rehearsed: played
through the player's own phase and the answer to it, then evaluated. This module spends a budget of rehearsals on them.
The budget is a number of rehearsals, so that the same seed finds the same plan; the clock is only a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from math import fsum
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from sandtable.core import Action, Game, Match, Offers, View

from .base import Budget, imagine

P = TypeVar("P")
_SPARE = 0.05
"""The share of the time that is reserved for finishing a rehearsal."""
_LEADERS, _STAY = 3, 8
"""How many plans are varied, and how many are kept."""
_OFTEN = 6
"""A plan is rehearsed no more often than this."""
_FRUITLESS = 5
"""The search ends after so many rounds without a new plan."""


class Alarm:
    """Returns whether the time is up when it is called. Rehearsals call it now and then, and stop."""

    __slots__ = ("end", "rang")

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds * (1 - _SPARE)
        self.rang = False

    def __call__(self) -> bool:
        if not self.rang:
            self.rang = time.monotonic() >= self.end
        return self.rang


class EvenDice:
    """Dice for rehearsals: six rolls of a six-sided die bring every face once, in random order, and so on.

    A rehearsal without much luck says more about a plan.
    """

    __slots__ = ("_bags", "_rng")

    def __init__(self, seed: str) -> None:
        self._rng = Random(seed)
        self._bags: dict[int, list[int]] = {}

    def value(self, number: int, sides: int) -> int:
        bag = self._bags.get(sides)
        if not bag:
            bag = self._bags[sides] = list(range(1, sides + 1))
            self._rng.shuffle(bag)
        return bag.pop()


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


def play_until(
    match: Match[Any],
    deciders: Callable[[str], Callable[[View[Any], Offers], Action]],
    stop: Callable[[Match[Any]], bool],
    alarm: Alarm,
    most: int,
) -> None:
    """Continue an imagined match with fast players until it is over, `stop` says so, or `most` or the time is reached.

    The fast players see the match's own state and must not change it.
    """
    game = match.game.id
    for _ in range(most):
        if match.over or stop(match) or alarm():
            return
        role = match.decisions()[0]
        seen = View(game, role, match.number, (role,), match.state)
        match.apply(role, deciders(role)(seen, match.offers(role)))
