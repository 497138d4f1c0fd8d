"""The general: searches among whole campaigns, wider wars included, and looks past the enemy's answer.

Rounds of halving: every plan is tried once, the better half again with other luck, together with children that mix
the traits of the best, until the tries are used up. The number of tries decides, so that the same seed finds the same
plan; the clock is only the ceiling.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable.core import Match, View
from sandtable.games.munich_war.facts import M
from sandtable.games.munich_war.state import MunichState
from sandtable.players.base import Budget, imagine

from .colonel import Colonel, variants
from .lore import Doctrine, prey_of
from .tryout import LUCKS, Tryout

_TRAITS = ("bold", "thrift", "push", "hold", "guard", "ground", "focus", "widen")
_FEWEST = 3
"""So many plans stay in the race to the end."""


class _Entry:
    """A plan and how it did so far."""

    __slots__ = ("count", "plan", "total")

    def __init__(self, plan: Doctrine) -> None:
        self.plan, self.total, self.count = plan, 0.0, 0

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else -1.0


class General(Colonel):
    """Looks past the enemy's reply, and does not leave neutrals in peace when they are worth a war."""

    name = "general"
    tries = 48
    """How many tries there are in all."""
    turns = 2

    def choose(self, view: View[Any], side: int, budget: Budget) -> Doctrine:
        late = self.alarm(budget)
        seed = self.rng.getrandbits(64)
        first: Match[MunichState] = imagine(self.game, view, Random(seed))
        entries = [_Entry(plan) for plan in self.plans(first.play, side)]
        usual = entries[0]
        seen = {entry.plan for entry in entries}
        left = self.tries if budget.tries is None else budget.tries
        wanted = 1
        while left > 0 and not late():
            for entry in entries:
                while entry.count < wanted and left > 0:
                    match: Match[MunichState] = imagine(self.game, view, Random(seed + entry.count))
                    luck = LUCKS[entry.count % len(LUCKS)]
                    value = Tryout(match, side, entry.plan, self.reply(), luck).run(self.turns, late)
                    if late():
                        return self.pick(entries, usual)
                    entry.total, entry.count, left = entry.total + value, entry.count + 1, left - 1
            if left <= 0:
                break
            entries.sort(key=lambda entry: -entry.mean)
            entries = entries[: max(_FEWEST, (len(entries) + 1) // 2)]
            for _ in range(len(entries) // 4):
                child = self.child([entry.plan for entry in entries[:_FEWEST]])
                if child not in seen:
                    seen.add(child)
                    entries.append(_Entry(child))
            wanted = min(2 * wanted, wanted + 2)
        return self.pick(entries, usual)

    def pick(self, entries: list[_Entry], usual: _Entry) -> Doctrine:
        """The best of those tried most: one lucky try proves nothing."""
        most = max(entry.count for entry in entries)
        if not most:
            return usual.plan
        sure = [entry for entry in entries if 2 * entry.count >= most]
        return max(sure, key=lambda entry: entry.mean).plan

    def child(self, parents: list[Doctrine]) -> Doctrine:
        """A plan that takes every trait from one of two good ones."""
        one, two = self.rng.sample(parents, 2)
        traits = {name: getattr(one if self.rng.random() < 0.5 else two, name) for name in _TRAITS}
        return msgspec.structs.replace(one, **traits)

    def plans(self, m: M, side: int) -> list[Doctrine]:
        found = variants(m, side, self.base)
        if prey_of(m, side):
            found += [msgspec.structs.replace(plan, widen=1.0) for plan in found]
        return found
