"""Sums over independent dice: the mathematics that battles of different games share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


@lru_cache(maxsize=20_000)
def hits(strengths: tuple[int, ...], most: int) -> tuple[float, ...]:
    """Chances of 0, 1, 2, ... `most` hits when a six-sided die is thrown at each strength and has to be not above it.

    What goes beyond `most` counts as `most`: there is nobody left to hit.
    """
    chances = [1.0]
    for strength in strengths:
        p = min(max(strength, 0), 6) / 6
        if p == 0.0:
            continue
        q = 1.0 - p
        after = [chance * q for chance in chances]
        if len(chances) <= most:
            after.append(0.0)
        last = len(after) - 1
        for number, chance in enumerate(chances):
            after[min(number + 1, last)] += chance * p
        chances = after
    return tuple(chances)


def mean(spread: Mapping[int, float]) -> float:
    """The expected number."""
    return sum(number * chance for number, chance in spread.items())


def gather(pairs: list[tuple[K, float]]) -> dict[K, float]:
    """Chances of equal things put together."""
    found: dict[K, float] = {}
    for key, chance in pairs:
        found[key] = found.get(key, 0.0) + chance
    return found
