"""How a battle will go: a rough estimate, to compare many."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.duels import Soldier, win_chance

_ROUNDS = 12
_WON, _LOST = 0.8, -0.75
"""Estimates from which a battle counts as won, as lost."""


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


def likely(attackers: Sequence[Soldier], defenders: Sequence[Soldier], least: float = _LOST) -> float:
    """The chance that the attackers win, worked out only where an estimate leaves a doubt: below `least` there is
    none."""
    left = estimate(attackers, defenders)
    return win_chance(attackers, defenders) if least <= left < _WON else float(left >= _WON)


def compare(power_a: float, steps_a: int, power_d: float, steps_d: int) -> float:
    """The same from the hits both score in a round and can take."""
    a, d = float(steps_a), float(steps_d)
    for _ in range(_ROUNDS):
        a, d = a - power_d * max(0.0, d) / steps_d, d - power_a * max(0.0, a) / steps_a
        if a <= 0 or d <= 0:
            break
    return max(-1.0, a / steps_a if a > 0 and a / steps_a >= d / steps_d else -d / steps_d)
