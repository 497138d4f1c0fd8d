"""Glicko-2, as Mark Glickman's paper describes it (glicko.net/glicko/glicko2.pdf), without any addition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

TAU = 0.5
"""How much the volatility may change over time."""
SCALE = 173.7178
CLOSE = 1e-6


class Strength(NamedTuple):
    """How strong somebody is, how sure that is, and how steady."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def rated(before: Strength, results: Sequence[tuple[Strength, float]]) -> Strength:
    """Return the strength after a rating period: opponents, and 1, 0.5 or 0 against each of them."""
    mu, phi = (before.rating - 1500) / SCALE, before.deviation / SCALE
    if not results:
        wider = math.sqrt(phi**2 + before.volatility**2)
        return Strength(before.rating, min(350.0, wider * SCALE), before.volatility)
    others = [((other.rating - 1500) / SCALE, other.deviation / SCALE, score) for other, score in results]
    terms = [(_g(other_phi), _expected(mu, other_mu, other_phi), score) for other_mu, other_phi, score in others]
    variance = 1 / math.fsum(g * g * chance * (1 - chance) for g, chance, _ in terms)
    gain = math.fsum(g * (score - chance) for g, chance, score in terms)
    volatility = _volatility(before.volatility, phi, variance, variance * gain)
    wider = phi**2 + volatility**2
    after = 1 / math.sqrt(1 / wider + 1 / variance)
    return Strength(1500 + SCALE * (mu + after**2 * gain), SCALE * after, volatility)


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _expected(mu: float, other: float, phi: float) -> float:
    return 1 / (1 + math.exp(-_g(phi) * (mu - other)))


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5 of the paper: the root of f by the Illinois method."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        grown = math.exp(x)
        rest = phi**2 + variance + grown
        return grown * (delta**2 - rest) / (2 * rest**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
