"""How a battle will go: a quick estimate to compare many, and the exact chances of one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..odds.preview import hit_distribution

Soldier = tuple[int, int, int, int]
"""Strength now, strength when reduced, dice, hits it can take."""
_ROUNDS = 12
_NEVER = 1e-9


def _power(units: Sequence[Soldier]) -> float:
    return sum(now * dice for now, _, dice, _ in units) / 6


def estimate(attackers: Sequence[Soldier], defenders: Sequence[Soldier]) -> float:
    """Share of the attackers' hits left when the defenders are gone, or minus what the defenders have left."""
    a, d = sum(u[3] for u in attackers), sum(u[3] for u in defenders)
    if not d:
        return 1.0
    if not a:
        return -1.0
    return compare(_power(attackers), a, _power(defenders), d)


def compare(power_a: float, steps_a: int, power_d: float, steps_d: int) -> float:
    """The same from the hits both score in a round and can take."""
    a, d = float(steps_a), float(steps_d)
    for _ in range(_ROUNDS):
        a, d = a - power_d * max(0.0, d) / steps_d, d - power_a * max(0.0, a) / steps_a
        if a <= 0 or d <= 0:
            break
    return max(-1.0, a / steps_a if a > 0 and a / steps_a >= d / steps_d else -d / steps_d)


@lru_cache(maxsize=4096)
def _volleys(units: tuple[Soldier, ...]) -> tuple[list[float], ...]:
    """The chances of so many hits when the side has lost 0, 1, 2, ... itself: each loss where it costs least."""
    rows = [list(u) for u in units]
    out = []
    for _ in range(sum(u[3] for u in units)):
        out.append(hit_distribution([row[0] for row in rows if row[3] for _ in range(row[2])]))
        hit = min((r for r in rows if r[3]), key=lambda r: ((r[0] - (r[1] if r[3] == 2 else 0)) * r[2], r[0]))
        hit[3] -= 1
        hit[0] = hit[1]
    return tuple(out)


@lru_cache(maxsize=8192)
def _win(attackers: tuple[Soldier, ...], defenders: tuple[Soldier, ...]) -> float:
    shots, answers = _volleys(attackers), _volleys(defenders)
    a, d = len(shots), len(answers)
    chances = [[0.0] * (d + 1) for _ in range(a + 1)]
    chances[0][0] = 1.0
    for i, row in enumerate(chances[:a]):
        for j in range(d):
            if row[j] < _NEVER:
                continue
            taken, given = _at_most(answers[j], a - i), _at_most(shots[i], d - j)
            nothing = taken[0] * given[0]
            if nothing >= 1.0:
                continue
            here = row[j] / (1 - nothing)
            columns = slice(j, j + len(given))
            for after, chance in zip(chances[i:], taken, strict=False):
                part = here * chance
                after[columns] = [old + part * more for old, more in zip(after[columns], given, strict=True)]
            row[j] = 0.0
    return sum(row[d] for row in chances[:a])


def _at_most(hits: list[float], most: int) -> list[float]:
    """Hits beyond what the others can take are lost."""
    return hits if len(hits) <= most + 1 else [*hits[:most], sum(hits[most:])]


def win_chance(attackers: Sequence[Soldier], defenders: Sequence[Soldier]) -> float:
    """The exact chance that the attackers destroy the defenders and live, if nobody retreats."""
    if not defenders:
        return 1.0
    if not attackers:
        return 0.0
    return _win(tuple(sorted(attackers)), tuple(sorted(defenders)))
