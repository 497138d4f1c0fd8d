"""Battles of any size fought out exactly: what one side can still have is a ladder of positions, a volley a matrix.

Dice fall one by one and each hit is taken at once, so a volley is the product of one small matrix per die; dice of one
kind are one matrix to a power. The two sides fire at the same time, so the next position of both is the product of two
independent rows. Every position leads only to poorer ones: one sweep from the richest to the poorest finds all ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.state import M
from ..rules.fire import Shot

Counts = tuple[int, ...]
Matrix = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Outcomes = tuple[tuple[int, float], ...]
"""The hits that a die can make with their chances."""
Dice = tuple[tuple[Outcomes, int], ...]
"""Dice of several kinds in the order in which they fall, and how many of each."""
Volley = Callable[[Sequence[int], Sequence[int], bool], list[Shot]]
"""(shooters, targets, opening round) -> their dice."""
TINY = 1e-16
_BLOCK = 48
MOST = 20_000
"""Positions of both sides together beyond which the answer does not come at once."""
MOST_OF_ALL = 120_000
"""Beyond which nobody waits for it: 30 units of five kinds take a second, 40 would take a minute and the memory."""


class TooLarge(Exception):
    """A battle with more positions than anybody waits for."""


def faces(shot: Shot) -> Outcomes:
    """What a die does: the hits it can make and their chances, 0 for a miss."""
    found: dict[int, float] = {}
    for die in range(1, 7):
        hit = shot.hit(die)
        found[hit] = found.get(hit, 0.0) + 1 / 6
    return tuple(sorted(found.items()))


def product(left: Matrix, rows: npt.NDArray[np.intp], right: Matrix) -> Matrix:
    """Some rows of a matrix times another, where no position leads to a richer one: all before the row is nothing.

    Rows are taken in blocks, and each block is multiplied with the poorer positions alone.
    """
    found = np.zeros((len(rows), right.shape[1]))
    for first in range(0, len(rows), _BLOCK):
        block, richest = rows[first : first + _BLOCK], rows[first]
        found[first : first + _BLOCK, richest:] = left[block, richest:] @ right[richest:, richest:]
    return found


class Ladder:
    """All positions that one side can come to, the richest first, and what a hit makes of each.

    Every hit that falls makes a position poorer by one, so going through them in the order in which they are found
    never meets a richer one again.
    """

    def __init__(self, m: M, types: Any, codes: Sequence[int], most: int) -> None:
        self.types = types
        self.places: dict[Counts, int] = {types.start: 0}
        self.counts: list[Counts] = [types.start]
        steps: dict[int, list[int]] = {code: [] for code in codes}
        for counts in self.counts:
            for code, row in steps.items():
                after = types.hit(m, counts, (code,))
                if after not in self.places:
                    self.places[after] = len(self.counts)
                    self.counts.append(after)
                    if len(self.counts) > most:
                        raise TooLarge
                row.append(self.places[after])
        self.steps = {code: np.array(row) for code, row in steps.items()}
        self.size = len(self.counts)
        self.every = np.arange(self.size)
        self._powers: dict[tuple[Outcomes, int], Matrix] = {}
        self._known: dict[Dice, Matrix] = {}

    def all_of(self, dice: Dice) -> Matrix:
        """What several kinds of dice do to every position, one kind after the other."""
        if len(dice) == 1:
            return self.die(*dice[0])
        found = self._known.get(dice)
        if found is None:
            found = self._known[dice] = product(self.die(*dice[0]), self.every, self.all_of(dice[1:]))
        return found

    def die(self, outcomes: Outcomes, number: int) -> Matrix:
        """What so many dice of one kind do to every position."""
        key = (outcomes, number)
        found = self._powers.get(key)
        if found is None:
            if number > 1:
                half = self.die(outcomes, number // 2)
                found = product(half, self.every, half)
                if number % 2:
                    found = product(found, self.every, self.die(outcomes, 1))
            else:
                found = np.zeros((self.size, self.size))
                for code, chance in outcomes:
                    np.add.at(found, (self.every, self.steps[code] if code else self.every), chance)
            self._powers[key] = found
        return found


class Fire:
    """The volleys of one side at the positions of the other."""

    def __init__(self, m: M, volley: Volley, shooters: Any, targets: Any) -> None:
        self.m, self.volley, self.shooters, self.targets = m, volley, shooters, targets
        self.ladder: Ladder | None = None
        self._dice: dict[tuple[int, int, bool], list[Shot]] = {}
        self._groups: dict[int, npt.NDArray[np.intp]] | None = None
        self._by_kind: dict[tuple[int, int, bool], dict[Outcomes, int]] = {}

    def mask(self, counts: Counts) -> int:
        """The classes of targets that a position still has: all that the dice ask about it."""
        found = 0
        for bits, count in zip(self.targets.masks, counts, strict=True):
            found |= bits if count else 0
        return found

    def dice(self, kind: int, counts: Counts, opening: bool) -> list[Shot]:
        """The dice of one unit of a type against a position."""
        key = (kind, self.mask(counts), opening)
        found = self._dice.get(key)
        if found is None:
            there = self.targets.listed(tuple(min(count, 1) for count in counts))
            found = self._dice[key] = self.volley([self.shooters.units[kind]], there, opening)
        return found

    def codes(self) -> list[int]:
        """Every hit that these dice can make in any round against anything that may be left."""
        found: set[int] = set()
        every = self.targets.start
        kinds = list(zip(self.targets.ever, self.targets.masks, strict=True))
        parts = [tuple(count if bits & 1 << bit else 0 for count, bits in kinds) for bit in range(8)]
        for counts in (every, self.targets.ever, *parts):
            if any(counts):
                for kind in range(len(self.shooters.units)):
                    for opening in (True, False):
                        for shot in self.dice(kind, counts, opening):
                            found.update(code for code, _ in faces(shot) if code)
        return sorted(found)

    def after(self, shooters: Counts, into: Matrix) -> None:
        """Fill a matrix with what a volley makes of every position of the targets."""
        assert self.ladder is not None
        for mask, rows in self.groups().items():
            targets = self.ladder.counts[rows[0]]
            dice = self.dice_of(shooters, targets, False, mask) if mask else ()  # nothing left to fire at
            into[rows] = self._volley(dice, rows)

    def opening(self, shooters: Counts) -> Matrix:
        """The chances of every position after the first volley at the full strength of the targets."""
        assert self.ladder is not None
        start = self.ladder.counts[0]
        after: Matrix = self._volley(self.dice_of(shooters, start, True, self.mask(start)), np.array([0]))[0]
        return after

    def groups(self) -> dict[int, npt.NDArray[np.intp]]:
        """The positions of the targets by the classes they still have, those together against which all dice are the
        same."""
        assert self.ladder is not None
        if self._groups is not None:
            return self._groups
        speaks: dict[Hashable, int] = {}
        found: dict[int, list[int]] = {}
        for place, counts in enumerate(self.ladder.counts):
            mask = self.mask(counts)
            if mask:
                kinds = range(len(self.shooters.units))
                dice = tuple(tuple(self.kinds(kind, counts, False, mask).items()) for kind in kinds)
                mask = speaks.setdefault(dice, mask)
            found.setdefault(mask, []).append(place)
        self._groups = {mask: np.array(places) for mask, places in found.items()}
        return self._groups

    def dice_of(self, shooters: Counts, counts: Counts, opening: bool, mask: int) -> Dice:
        """The dice of a volley in their order, dice that do the same counted together."""
        found: list[tuple[Outcomes, int]] = []
        for kind, number in enumerate(shooters):
            if number:
                for outcomes, dice in self.kinds(kind, counts, opening, mask).items():
                    if found and found[-1][0] == outcomes:
                        found[-1] = (outcomes, found[-1][1] + number * dice)
                    else:
                        found.append((outcomes, number * dice))
        return tuple(found)

    def _volley(self, dice: Dice, rows: npt.NDArray[np.intp]) -> Matrix:
        """What a volley makes of some positions: the first dice on these rows alone, the rest as known."""
        assert self.ladder is not None
        if not dice:
            return np.eye(self.ladder.size)[rows]
        first = self.ladder.die(*dice[0])
        return product(first, rows, self.ladder.all_of(dice[1:])) if len(dice) > 1 else first[rows]

    def kinds(self, kind: int, counts: Counts, opening: bool, mask: int) -> dict[Outcomes, int]:
        key = (kind, mask, opening)
        found = self._by_kind.get(key)
        if found is None:
            found = self._by_kind[key] = {}
            for shot in self.dice(kind, counts, opening):
                outcomes = faces(shot)
                if any(code for code, _ in outcomes):
                    found[outcomes] = found.get(outcomes, 0) + 1
        return found


def fight_out(
    m: M,
    att: Any,
    dfn: Any,
    attack: Volley,
    defend: Volley,
    beaten: tuple[Callable[[Counts], bool], ...],
    opening: bool,
    most: int = MOST,
    begins: Mapping[Counts, float] | None = None,
    dice: Sequence[Shot] = (),
) -> dict[tuple[Counts, Counts], float]:
    """The chance of every way a battle can end. Rounds without a hit are folded away.

    `beaten` says of a position of the attackers and of one of the defenders whether the battle is over with it; with
    more than `most` positions of both together TooLarge is raised. `begins` are the positions of the attackers with
    which it begins where these `dice` have fallen on them already.
    """
    fire, answer = Fire(m, attack, att, dfn), Fire(m, defend, dfn, att)
    fallen = {code for shot in dice for code, _ in faces(shot) if code}
    ours = Ladder(m, att, sorted(fallen.union(answer.codes())), most)
    theirs = Ladder(m, dfn, fire.codes(), most // ours.size)
    fire.ladder, answer.ladder = theirs, ours
    lost = np.array([beaten[0](counts) for counts in ours.counts])
    won = np.array([beaten[1](counts) for counts in theirs.counts])
    chances = np.zeros((ours.size, theirs.size))
    if begins is not None:
        for counts, chance in begins.items():
            chances[ours.places[counts], 0] += chance
    elif opening and not lost[0] and not won[0]:
        chances += np.outer(answer.opening(dfn.start), fire.opening(att.start))
    else:
        chances[0, 0] = 1.0
    if ours.size >= theirs.size:
        ends = _sweep(chances, fire, answer, lost, won)
    else:
        ends = _sweep(chances.T.copy(), answer, fire, won, lost).T
    return {
        (ours.counts[a], theirs.counts[d]): float(ends[a, d])
        for a, d in zip(*np.nonzero(ends > TINY), strict=True)
    }  # fmt: skip


def _sweep(chances: Matrix, fire: Fire, answer: Fire, lost: Flags, won: Flags) -> Matrix:
    """From the chances of all pairs of positions (ours, theirs) to the chances that the battle ends with each.

    Our positions come one after the other, the richest first. While we stay in one, they go from position to
    position: how often each of theirs comes up is one set of linear equations, and one product leads on from all of
    them to our poorer positions.
    """
    ours, theirs = answer.ladder, fire.ladder
    assert ours is not None
    assert theirs is not None
    hits_on_us = np.empty((ours.size, theirs.size, ours.size))
    """By our position, theirs that fires, and our position after it."""
    for place, counts in enumerate(theirs.counts):
        answer.after(counts, hits_on_us[:, place, :])
    after_them = np.empty((theirs.size, theirs.size))
    ends = np.zeros_like(chances)
    for here, counts in enumerate(ours.counts):
        if chances[here].max() <= TINY:
            continue
        after_us = hits_on_us[here]
        fire.after(counts, after_them)
        over = won | lost[here] | (after_us[:, here] * np.diagonal(after_them) > 1 - 1e-12)  # or nobody can hit anybody
        stays = np.where(over, 0.0, after_us[:, here])
        often = _how_often(chances[here], stays, after_them)
        ends[here] = np.where(over, often, 0.0)
        goes = after_us[:, here + 1 :] * np.where(over, 0.0, often)[:, None]
        for first in range(0, theirs.size, _BLOCK):  # from a position they only come to poorer ones
            block = slice(first, first + _BLOCK)
            chances[here + 1 :, first:] += goes[block].T @ after_them[block, first:]
    return ends


def _how_often(begins: Matrix, stays: Matrix, after: Matrix) -> Matrix:
    """How often each position comes up: where it begins, and from which richer one (or itself) it is come to."""
    found = begins.copy()
    for first in range(0, len(found), _BLOCK):
        block, rest = slice(first, first + _BLOCK), slice(first + _BLOCK, None)
        among = stays[block, None] * after[block, block]
        found[block] = np.linalg.solve((np.eye(len(among)) - among).T, found[block])
        found[rest] += (found[block] * stays[block]) @ after[block, rest]
    return found
