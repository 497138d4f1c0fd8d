"""Trying a plan out: a match imagined from the view is played on by two staffs, and the end is judged.

Plans are compared on equal luck: the dice of a round of tries are fixed beforehand, so that over six rounds every
die shows each of its faces once and few tries say much. Up to its first battle a plan is carried out only once; later
tries go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from sandtable.core import Action, Match

from ..model.atlas import SIDES
from ..model.state import MunichState
from ..rules.combat_phase import Combat
from .evaluate import hope
from .fighting import Memo
from .lore import Doctrine
from .staff import Dream, Script, Staff

_LONGEST = 4000
_FACES = 6


class EvenDice:
    """Dice fixed for many rounds: in six rounds in a row each die shows all its faces, in an order of its own."""

    __slots__ = ("_first", "_orders", "_seed", "round")

    def __init__(self, seed: int, first: int) -> None:
        """`first`: the number of the first die that is still to fall."""
        self._seed, self._first = seed, first
        self._orders: list[list[int]] = []
        self.round = 0

    def value(self, number: int, sides: int) -> int:
        place = number - self._first
        while place >= len(self._orders):
            order = list(range(_FACES))
            Random(f"{self._seed}/{len(self._orders)}").shuffle(order)
            self._orders.append(order)
        face = self._orders[place][self.round % _FACES]
        return 1 + face * sides // _FACES


def never() -> bool:
    return False


class Draft:
    """A plan for a turn in one imagined match, with what thinking about it has come to so far."""

    def __init__(
        self, world: Match[MunichState], side: int, plan: Doctrine, reply: Doctrine, lineup: Sequence[Action] = ()
    ) -> None:
        """`lineup`: the set-up that goes before the plan."""
        self.side, self.plan, self.reply, self.lineup = side, plan, reply, lineup
        self.start = world
        """Where tries begin: at first the position as it is, later that before the first battle."""
        self.turn = turn_of(world)
        self.script: Script = {}
        self.memo: Memo = {}

    def copied(self, world: Match[MunichState]) -> Draft:
        """The same plan, with the orders it came to, in another imagined match."""
        other = Draft(world, self.side, self.plan, self.reply, self.lineup)
        other.script = self.script
        return other

    def staffs(self) -> Mapping[int, Staff]:
        mine = Staff(self.side, self.plan)
        mine.script, mine.scripted = self.script, self.turn[0]
        mine.memo, mine.remembered = self.memo, self.turn[0]
        mine.lineup = list(self.lineup)
        return {self.side: mine, 1 - self.side: Staff(1 - self.side, self.reply)}

    def run(self, dice: EvenDice, turns: int, stop: Callable[[], bool] = never) -> float:
        """Play for so many player turns (what is left of this one counts) and judge."""
        match = self.start.clone()
        match.play.dice = dice
        state, staffs, mark, rolled = match.state, self.staffs(), self.turn, match.state.rolled
        for _ in range(_LONGEST):
            if match.over or stop():
                break
            now = turn_of(match)
            if now != mark:
                turns -= 1
                if turns <= 0:
                    break
                mark = now
            if state.rolled == rolled and mark == self.turn and isinstance(state.stack[-1], Combat):
                if not isinstance(self.start.state.stack[-1], Combat):
                    self.start = match.clone()
                rolled = -1
            role = match.decisions()[0]
            staff = staffs[SIDES.index(role)]
            # all plans begin in the same position: what one finds out about it serves the others, too
            seen = self.start if match.number == self.start.number else match
            match.apply(role, staff.answer(state, position(seen), match.offers(role)))
        return hope(match.play, self.side, turn_of(match)[1])


def position(match: Match[MunichState]) -> Dream:
    """The match itself is what there is to think about."""
    return lambda: match.play


def turn_of(match: Match[MunichState]) -> tuple[int, int]:
    """Whose turn of which game turn it is; before the first player turn it is the Axis's."""
    return match.state.turn, max(0, match.state.phasing)
