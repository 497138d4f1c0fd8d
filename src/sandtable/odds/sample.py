"""Policies played with random dice: exact odds are checked against these samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any

from sandtable.core import Match, SealedDice
from sandtable.odds.walk import Policy


def played(match: Match[Any], policy: Policy, seed: str) -> Match[Any]:
    """A copy of the match, continued by the policy with its own dice."""
    twin = match.clone()
    twin.play.dice = SealedDice(seed)
    while True:
        asked = twin.decisions()
        action = policy(twin, asked[0]) if asked else None
        if action is None:
            return twin
        twin.apply(asked[0], action)


def sample(
    match: Match[Any], policy: Policy, name_of: Callable[[Match[Any]], Hashable], samples: int, seed: str
) -> dict[Hashable, int]:
    """How often each end occurred; `name_of` names an end."""
    counts: dict[Hashable, int] = {}
    for number in range(samples):
        name = name_of(played(match, policy, f"{seed}/{number}"))
        counts[name] = counts.get(name, 0) + 1
    return counts


def worst(exact: dict[Hashable, float], counts: dict[Hashable, int]) -> float:
    """The largest deviation of a count, in standard deviations; infinite where something impossible occurred."""
    samples, far = sum(counts.values()), 0.0
    for name in {*exact, *counts}:
        p, seen = exact.get(name, 0.0), counts.get(name, 0)
        spread = math.sqrt(samples * max(0.0, p * (1.0 - p)))  # rounding may bring a sure thing a little above 1
        if spread < 1e-9:
            far = max(far, math.inf if abs(seen - samples * p) > 1e-3 else 0.0)
        else:
            far = max(far, abs(seen - samples * p) / spread)
    return far
