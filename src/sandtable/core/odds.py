"""The odds of a battle, in one form for all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec


class Modifier(msgspec.Struct, frozen=True):
    """One named part of a sum: the preview, the log and a refusal can all show it."""

    name: str
    value: int
    rule: str


class Result(msgspec.Struct, frozen=True):
    """One way it may end, and its probability."""

    probability: float
    name: str
    """A key of the game's text files: 'capture', 'repulse', 'retreat'."""
    losses: Mapping[str, int] = {}
    """By side or role: what it costs in this case."""
    facts: Mapping[str, int] = {}


class Odds(msgspec.Struct, frozen=True):
    """The exact distribution of what a battle may bring."""

    title: str
    results: Sequence[Result]
    success: float
    """The chance of what the attacker wants (capture, hit, find): always the sum of some of the results."""
    modifiers: Sequence[Modifier] = ()
    expected_losses: Mapping[str, float] = {}
    policy: str = ""
    """What was assumed about later choices (order of losses, when to retreat)."""
