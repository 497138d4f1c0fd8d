"""A race of plans: all are tried with the same luck, the better half more often than the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sandtable.core import Match

from ..model.state import MunichState
from .tryout import Draft, EvenDice

CLEAR = 0.02
"""The least average gain in hope for which another plan than the usual is taken."""
_SURE = 0.5
"""How many standard errors the gain must amount to: less may be nothing but luck."""
_LEG = 2
"""Rounds after which the worse half drops out."""
_FEW = 3
"""So many plans may stay to the end."""


class Race:
    """Drafts with what they came to. The first is the usual plan: it stays in the race to the end."""

    def __init__(self, drafts: Sequence[Draft], late: Callable[[], bool]) -> None:
        self.drafts, self.late = list(drafts), late
        self.values: list[list[float]] = [[] for _ in drafts]
        """What each came to, round by round; those in the race have a value for every round."""
        self.left = list(range(len(drafts)))
        """Places of those that are still in the race."""

    def go(self, dice: EvenDice, rounds: int, turns: int) -> None:
        """So many rounds of tries, each with other luck and as many player turns long; a round that the clock cuts
        off does not count."""
        for number in range(rounds):
            dice.round = number
            found = {}
            for place in self.left:
                found[place] = self.drafts[place].run(dice, turns, self.late)
                if self.late():
                    return
            for place, value in found.items():
                self.values[place].append(value)
            if number % _LEG == _LEG - 1:
                self.keep(max(_FEW, len(self.left) // 2))

    def keep(self, number: int) -> None:
        """Only the best stay, and the usual plan."""
        ranked = sorted(self.left, key=lambda place: (-math.fsum(self.values[place]), place))
        self.left = sorted({0, *ranked[:number]})

    def move(self, world: Match[MunichState]) -> None:
        """Go on in another imagined match."""
        self.drafts = [draft.copied(world) for draft in self.drafts]

    def best(self, clear: float = CLEAR) -> int:
        """The place of the best; the usual plan gives way to a clear gain only."""
        best = max(self.left, key=lambda place: (math.fsum(self.values[place]), -place))
        gains = [mine - usual for mine, usual in zip(self.values[best], self.values[0], strict=True)]
        if not gains:
            return 0
        mean = math.fsum(gains) / len(gains)
        spread = math.fsum((gain - mean) ** 2 for gain in gains) / max(1, len(gains) - 1)
        return best if mean > clear and mean > _SURE * math.sqrt(spread / len(gains)) else 0
