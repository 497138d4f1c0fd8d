"""Exact chances of fire, breach and advance, as plain floats from the printed tables, remembered."""

from __future__ import annotations

from functools import lru_cache
from math import fsum

from ..model.atlas import ADVANCE, STACK, losses_for

Spread = tuple[float, ...]
"""Place n holds the chance of n."""
_FACES = range(1, 7)


@lru_cache(maxsize=512)
def fire(strength: int, added: int = 0) -> Spread:
    """Losses of one fire with at most ten points."""
    out = [0.0] * 5
    if strength <= 0:
        out[0] = 1.0
        return tuple(out)
    for face in _FACES:
        out[losses_for(min(strength, STACK), face + added)] += 1 / 6
    return tuple(out)


@lru_cache(maxsize=512)
def mean_loss(strength: int, added: int = 0) -> float:
    return fsum(number * chance for number, chance in enumerate(fire(strength, added)))


@lru_cache(maxsize=20000)
def left_after(held: int, fires: tuple[tuple[int, int], ...], absorbs: int = 0) -> Spread:
    """What is left of so many points after several fires (strength, added to the die); a fort absorbs some losses."""
    hits = [1.0]
    for strength, added in fires:
        one = fire(strength, added)
        new = [0.0] * (len(hits) + len(one) - 1)
        for a, p in enumerate(hits):
            if p:
                for b, q in enumerate(one):
                    new[a + b] += p * q
        hits = new
    out = [0.0] * (held + 1)
    for number, p in enumerate(hits):
        out[max(0, held - max(0, number - absorbs))] += p
    return tuple(out)


@lru_cache(maxsize=4096)
def advance(strength: int, held: int, added: int = 0) -> float:
    """The chance that an advance with so much strength enters a hex held by so many points."""
    needed = ADVANCE[max(0, min(strength, STACK))][min(held, STACK)]
    return sum(die + added <= needed for die in _FACES) / 6 if needed > 0 else 0.0


@lru_cache(maxsize=20000)
def breach(
    strength: int, held: int, fires: tuple[tuple[int, int], ...], added: int = 0, absorbs: int = 0, fixed: int = 0
) -> float:
    """The chance to enter after the assaults; `fixed` points cannot be shot away (forts that absorb)."""
    return fsum(
        p * advance(strength, left + fixed, added) for left, p in enumerate(left_after(held, fires, absorbs)) if p
    )
