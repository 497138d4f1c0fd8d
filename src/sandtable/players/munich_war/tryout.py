"""Trying a plan out: a match imagined from the view is played on by two staffs, and the end is judged.

The dice of a tryout do not fall by chance: all of a side's dice in its turn show the same number. Over the numbers
every battle then meets each of its results once, plans are compared on equal luck, and few tries say much.
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core import Match
from sandtable.games.munich_war.atlas import SIDES
from sandtable.games.munich_war.state import MunichState

from .evaluate import hope
from .lore import Doctrine
from .staff import Script, Staff

_LONGEST = 4000
Luck = tuple[int, int]
"""What the dice show in the own turns and in the enemy's."""
LUCKS: tuple[Luck, ...] = ((3, 4), (5, 3), (4, 3), (2, 4), (6, 3), (1, 4), (4, 2), (3, 5))
"""Middling luck first, then better and worse."""


class EvenDice:
    """Dice that always show the same, as far as they have the sides for it."""

    __slots__ = ("shown",)

    def __init__(self, shown: int) -> None:
        self.shown = shown

    def value(self, number: int, sides: int) -> int:
        return max(1, min(sides, self.shown))


def never() -> bool:
    return False


class Tryout:
    """One plan on one imagined match."""

    def __init__(
        self, match: Match[MunichState], side: int, plan: Doctrine, reply: Doctrine, luck: Luck,
        script: Script | None = None,
    ) -> None:  # fmt: skip
        """`script`: what the plan came to when it was first tried; filled then, followed later."""
        self.match, self.side = match, side
        self.staffs = {side: Staff(side, plan), 1 - side: Staff(1 - side, reply)}
        self.staffs[side].script, self.staffs[side].scripted = script, match.state.turn
        self.dice = {side: EvenDice(luck[0]), 1 - side: EvenDice(luck[1])}

    def run(self, turns: int, stop: Callable[[], bool] = never) -> float:
        """Play for so many player turns (what is left of this one counts) and judge; the match is used up."""
        match = self.match
        mark = self.turn()
        match.play.dice = self.dice[mark[1]]
        for _ in range(_LONGEST):
            if match.over or stop():
                break
            now = self.turn()
            if now != mark:
                turns -= 1
                if turns <= 0:
                    break
                mark = now
                match.play.dice = self.dice[mark[1]]
            role = match.decisions()[0]
            staff = self.staffs[SIDES.index(role)]
            match.apply(role, staff.answer(match.state, lambda: match.play, match.offers(role)))
        return hope(match.play, self.side, self.turn()[1])

    def turn(self) -> tuple[int, int]:
        """Whose turn of which game turn it is; before the first player's turn it is his."""
        state = self.match.state
        return state.turn, max(0, state.phasing)
