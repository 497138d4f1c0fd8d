"""The chance that one group of units destroys another: the same for the same groups in any state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import fsum

from sandtable.odds.dice import hits

Soldier = tuple[int, int, int, int]
"""Strength now, strength when reduced, dice, hits it can take."""
_NEVER = 1e-9


def win_chance(attackers: Sequence[Soldier], defenders: Sequence[Soldier]) -> float:
    """Return the exact chance that the attackers destroy the defenders and live, if nobody retreats."""
    if not defenders:
        return 1.0
    if not attackers:
        return 0.0
    return _win(tuple(sorted(attackers)), tuple(sorted(defenders)))


@lru_cache(maxsize=4096)
def _volleys(units: tuple[Soldier, ...]) -> tuple[tuple[float, ...], ...]:
    """The chances of so many hits when the side has lost 0, 1, 2, ... itself: each loss where it costs least."""
    rows = [list(u) for u in units]
    out = []
    for _ in range(sum(u[3] for u in units)):
        dice = tuple(row[0] for row in rows if row[3] for _ in range(row[2]))
        out.append(hits(dice, len(dice)))
        hit = min((r for r in rows if r[3]), key=lambda r: ((r[0] - (r[1] if r[3] == 2 else 0)) * r[2], r[0]))
        hit[3] -= 1
        hit[0] = hit[1]
    return tuple(out)


@lru_cache(maxsize=8192)
def _win(attackers: tuple[Soldier, ...], defenders: tuple[Soldier, ...]) -> float:
    shots, answers = _volleys(attackers), _volleys(defenders)
    d = len(answers)
    chances = [[0.0] * (d + 1) for _ in shots]  # what leaves no attacker is not followed
    chances[0][0] = 1.0
    for i, row in enumerate(chances):
        below = chances[i:]
        for j in range(d):
            if row[j] < _NEVER:
                continue
            taken, given = answers[j], _at_most(shots[i], d - j)
            nothing = taken[0] * given[0]
            if nothing >= 1.0:
                continue
            here = row[j] / (1 - nothing)
            columns = slice(j, j + len(given))
            for after, chance in zip(below, taken, strict=False):
                part = here * chance
                if part >= _NEVER:
                    after[columns] = [old + part * more for old, more in zip(after[columns], given, strict=True)]
            row[j] = 0.0
    return fsum(row[d] for row in chances)


def _at_most(chances: tuple[float, ...], most: int) -> tuple[float, ...]:
    """Hits beyond what the others can take are lost."""
    return chances if len(chances) <= most + 1 else (*chances[:most], fsum(chances[most:]))
