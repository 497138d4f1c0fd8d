"""Battles of any size fought out exactly: what one side can still have is a ladder of positions, a volley a matrix.

Dice fall one by one and each hit is taken at once, so a volley is the product of one small matrix per die; dice of one
kind are one matrix to a power. The two sides fire at the same time, so the next position of both is the product of two
independent rows. Every position leads only to poorer ones: one sweep from the richest to the poorest finds all ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .fire import Shot
from .state import M

Counts = tuple[int, ...]
Matrix = npt.NDArray[np.float64]
Volley = Callable[[Sequence[int], Sequence[int], bool], list[Shot]]
"""(shooters, targets, opening round) -> their dice."""
TINY = 1e-16
MOST = 20_000
"""Positions of both sides together beyond which nobody waits for the answer."""


class TooLarge(Exception):
    """A battle with more positions than anybody waits for."""


def faces(shot: Shot) -> tuple[tuple[int, float], ...]:
    """What a die does: the hits it can make and their chances, 0 for a miss."""
    found: dict[int, float] = {}
    for die in range(1, 7):
        hit = shot.hit(die)
        found[hit] = found.get(hit, 0.0) + 1 / 6
    return tuple(sorted(found.items()))


class Ladder:
    """All positions that one side can come to, and what a hit makes of each."""

    def __init__(self, m: M, types: Any, codes: Sequence[int], others: int = 1) -> None:
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
                    if len(self.counts) * others > MOST:
                        raise TooLarge
                row.append(self.places[after])
        self.steps = {code: np.array(row) for code, row in steps.items()}
        self.size = len(self.counts)
        self._powers: dict[tuple[tuple[tuple[int, float], ...], int], Matrix] = {}

    def die(self, outcomes: tuple[tuple[int, float], ...], number: int) -> Matrix:
        """What so many dice of one kind do to every position."""
        key = (outcomes, number)
        found = self._powers.get(key)
        if found is None:
            if number > 1:
                half = self.die(outcomes, number // 2)
                found = half @ half
                if number % 2:
                    found = found @ self.die(outcomes, 1)
            else:
                found = np.zeros((self.size, self.size))
                here = np.arange(self.size)
                for code, chance in outcomes:
                    np.add.at(found, (here, self.steps[code] if code else here), chance)
            self._powers[key] = found
        return found


class Fire:
    """The volleys of one side at the positions of the other."""

    def __init__(self, m: M, volley: Volley, shooters: Any, targets: Any) -> None:
        self.m, self.volley, self.shooters, self.targets = m, volley, shooters, targets
        self.ladder: Ladder | None = None
        self._dice: dict[tuple[int, int, bool], list[Shot]] = {}
        self._rows: dict[tuple[Counts, int, bool], Matrix] = {}

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

    def row(self, shooters: Counts, place: int, opening: bool) -> Matrix:
        """The chances of every position after a volley."""
        assert self.ladder is not None
        counts = self.ladder.counts[place]
        mask = self.mask(counts)
        key = (shooters, mask, opening)
        known = self._rows.get(key)
        if known is None:
            known = np.eye(self.ladder.size)
            for kind, number in enumerate(shooters):
                if number:
                    for outcomes, dice in self._kinds(kind, counts, opening).items():
                        known = known @ self.ladder.die(outcomes, number * dice)
            self._rows[key] = known
        row: Matrix = known[place]
        return row

    def _kinds(self, kind: int, counts: Counts, opening: bool) -> dict[tuple[tuple[int, float], ...], int]:
        found: dict[tuple[tuple[int, float], ...], int] = {}
        for shot in self.dice(kind, counts, opening):
            outcomes = faces(shot)
            if any(code for code, _ in outcomes):
                found[outcomes] = found.get(outcomes, 0) + 1
        return found


def fight_out(
    m: M, att: Any, dfn: Any, attack: Volley, defend: Volley, decided: Callable[[Counts, Counts], bool], opening: bool
) -> dict[tuple[Counts, Counts], float]:
    """The chance of every way a battle can end. Rounds without a hit are folded away."""
    fire, answer = Fire(m, attack, att, dfn), Fire(m, defend, dfn, att)
    ours = Ladder(m, att, answer.codes())
    theirs = Ladder(m, dfn, fire.codes(), ours.size)
    fire.ladder, answer.ladder = theirs, ours
    chances = np.zeros((ours.size, theirs.size))
    ends: dict[tuple[Counts, Counts], float] = {}
    if opening and not decided(att.start, dfn.start):
        chances += np.outer(answer.row(dfn.start, 0, True), fire.row(att.start, 0, True))
    else:
        chances[0, 0] = 1.0
    rank_a = [att.rank(counts) for counts in ours.counts]
    rank_d = [dfn.rank(counts) for counts in theirs.counts]
    pairs = ((a, d) for a in range(ours.size) for d in range(theirs.size))
    order = sorted(pairs, key=lambda pair: -rank_a[pair[0]] - rank_d[pair[1]])
    for a, d in order:
        chance = float(chances[a, d])
        if chance <= TINY:
            continue
        counts = ours.counts[a], theirs.counts[d]
        if decided(*counts):
            ends[counts] = ends.get(counts, 0.0) + chance
            continue
        after_a, after_d = answer.row(counts[1], a, False), fire.row(counts[0], d, False)
        still = float(after_a[a] * after_d[d])
        if still > 1 - 1e-12:
            ends[counts] = ends.get(counts, 0.0) + chance  # nobody can hit anybody
            continue
        one, two = np.nonzero(after_a)[0], np.nonzero(after_d)[0]
        chances[np.ix_(one, two)] += np.outer(after_a[one], after_d[two]) * (chance / (1 - still))
        chances[a, d] = 0.0
    return ends
