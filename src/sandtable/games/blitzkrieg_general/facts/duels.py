"""The chance that one group of units destroys another: the same for the same groups in any state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sandtable.odds.dice import hits

Soldier = tuple[int, int, int, int]
"""Strength now, strength when reduced, dice, hits it can take."""
_ONE = 1 << 52
"""Certainty, as a whole number."""
_SLOT = 120
"""The bits of a slot: it holds the product of two chances, and some more."""
_FULL = (1 << _SLOT) - 1
_NEVER = 1e-9 * _ONE


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
    """Follow every course of the battle, from the first volley to the last.

    What the attackers have lost is a row, what the defenders have lost a slot in it. A row is one whole number, so that
    a volley is added to all slots of a row at once.
    """
    shots, answers = _volleys(attackers), _volleys(defenders)
    rows = [_ONE * _ONE, *[0] * (len(shots) - 1)]  # what leaves no attacker is not followed
    for lost, shot in enumerate(shots):
        given = _packed(shot)
        for slot, taken in enumerate(answers):
            here = (rows[lost] >> slot * _SLOT & _FULL) / _ONE
            nothing = taken[0] * shot[0]
            if here < _NEVER or nothing >= 1.0:
                continue
            here /= 1 - nothing
            volley = given << slot * _SLOT
            for row, chance in enumerate(taken[: len(shots) - lost], lost):
                rows[row] += int(here * chance) * volley
    won = 0
    for chances in rows:
        left = chances >> len(answers) * _SLOT
        while left:  # hits beyond what the defenders can take are lost
            won += left & _FULL
            left >>= _SLOT
    return won / _ONE**2


def _packed(chances: tuple[float, ...]) -> int:
    """Chances as one whole number with a slot for each."""
    out = 0
    for chance in reversed(chances):
        out = out << _SLOT | int(chance * _ONE)
    return out
