"""Distributions of sums over independent dice."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


@lru_cache(maxsize=20_000)
def hits(strengths: tuple[int, ...], most: int) -> tuple[float, ...]:
    """The chances of 0, 1, 2, ... `most` hits: one six-sided die for each strength hits when it is not above it.

    More than `most` hits count as `most`, since nobody is left to hit.
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
    """The expected value."""
    return sum(number * chance for number, chance in spread.items())


def gather(pairs: list[tuple[K, float]]) -> dict[K, float]:
    """The pairs as a distribution: the chances of equal keys are added up."""
    found: dict[K, float] = {}
    for key, chance in pairs:
        found[key] = found.get(key, 0.0) + chance
    return found
