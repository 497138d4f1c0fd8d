"""Odds for readers: whole battles as far as anybody waits for them, with what lies hidden drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Match, Odds, Result
from sandtable.core.game import Assumed
from sandtable.odds.shown import in_short

from ..model.state import BKState
from .policy import Stand, stand_of
from .preview import single_roll
from .whole import TooLong, whole_battle

MOST_WORK = 20_000
"""Rounds of a battle beyond which nobody waits for it: they take two to four seconds."""
MOST_AT_ONCE = 1_200
"""Rounds of a battle on land that fit into a tenth of a second, for all guesses together."""
GUESSES = 6
"""So often hidden counters are dealt at random, where there are any."""


def whole_odds(match: Match[BKState], role: str, action: Action, assumed: Mapping[str, Assumed]) -> Odds | None:
    """The whole battle; None where the action starts none or it is too long."""
    try:
        return whole_battle(match, action, stand_of(assumed), role=role, most=MOST_WORK)
    except TooLong:
        return None


def shown_odds(match: Match[BKState], role: str, action: Action) -> Odds | None:
    """The whole battle where it can be computed at once, else the next round; in the fog, the mean of some guesses."""
    known = guesses(match, role)
    return _mean([_of(guess, role, action, MOST_AT_ONCE // len(known)) for guess in known])


def guesses(match: Match[BKState], role: str) -> list[Match[BKState]]:
    """The match as the role may know it, with what is hidden drawn at random; several where much is.

    Everybody knows the number and the role, so the draw reveals nothing.
    """
    rng = Random(f"{match.number} {role}")
    return [match.determinize(role, rng) for _ in range(GUESSES if match.options.get("fog-of-war") else 1)]


def _of(match: Match[BKState], role: str, action: Action, most: int) -> Odds | None:
    try:
        found = whole_battle(match, action, Stand(), role=role, most=most)
    except TooLong:
        found = whole_battle(match, action, Stand(), role=role, one_round=True)
    return in_short(found) if found is not None else single_roll(match.state, role, action)


def _mean(guesses: Sequence[Odds | None]) -> Odds | None:
    """Several guesses as one: every row with its mean chance."""
    told = [odds for odds in guesses if odds is not None]
    if len(told) <= 1:
        return told[0] if told else None
    if not told[0].policy.startswith("policy.stand") and all(odds == told[0] for odds in told):
        return told[0]  # a roll that depends on nothing hidden
    share = 1.0 / len(told)
    rows: dict[Any, Result] = {}
    losses: dict[str, float] = {}
    for odds in told:
        for row in odds.results:
            key = (row.name, *sorted(row.losses.items()), *sorted(row.facts.items()))
            before = rows[key].probability if key in rows else 0.0
            rows[key] = msgspec.structs.replace(row, probability=before + share * row.probability)
        for side, steps in odds.expected_losses.items():
            losses[side] = losses.get(side, 0.0) + share * steps
    results = sorted(rows.values(), key=lambda row: -row.probability)
    success = share * sum(odds.success for odds in told)
    policy = told[0].policy.replace("policy.stand", "policy.guessed")
    return msgspec.structs.replace(told[0], results=results, success=success, expected_losses=losses, policy=policy)
