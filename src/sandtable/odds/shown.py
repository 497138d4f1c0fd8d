"""What a person is shown before he commits himself: the battle to its end where that can be worked out at once."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Match, Odds, Result
from sandtable.odds.policy import Stand

MOST_WORK = 1_200
"""Rounds of a battle on land that fit into a tenth of a second, for all guesses together."""
MOST_ROWS = 16
GUESSES = 6
"""So often hidden counters are dealt at random, where there are any."""


def shown(match: Match[Any], role: str, action: Action) -> Odds | None:
    """The whole battle that an allowed action starts, where the game has such battles and this one is not too long;
    else what the game tells of the next dice. It is worked out from what the role knows and from nothing else."""
    if match.game.id == "ww2-europe":
        return _in_europe(match, role, action)
    if match.game.id != "blitzkrieg-general":
        told = match.preview(role, action)
        return None if told is None else in_short(told)
    key, cache = ("shown", role, action), match.play.cache
    if key not in cache:
        refusal = match.why_not(role, action)
        if refusal is not None:
            raise refusal
        guesses = GUESSES if match.options.get("fog-of-war") else 1
        most = MOST_WORK // guesses
        cache[key] = _mean([_of(known, role, action, most) for known in _known(match, role, guesses)])
    found: Odds | None = cache[key]
    return found


def _in_europe(match: Match[Any], role: str, action: Action) -> Odds | None:
    """A search is told with the battle that it may lead to; all lies open there."""
    from sandtable.games.ww2_europe.model.actions import Combine, Separate
    from sandtable.games.ww2_europe.odds.preview import in_short as by_name
    from sandtable.games.ww2_europe.odds.rounds import MOST
    from sandtable.games.ww2_europe.odds.whole import battle_ahead

    key, cache = ("shown", role, action), match.play.cache
    if key not in cache:
        told = match.preview(role, action)
        if told is None or isinstance(action, (Combine, Separate)):
            told = by_name(battle_ahead(match, role, action, MOST)) or told
        cache[key] = None if told is None else in_short(told)
    found: Odds | None = cache[key]
    return found


def _known(match: Match[Any], role: str, guesses: int) -> list[Match[Any]]:
    """The match as the role may think it is. The number and the role are known to all, so the draw tells nothing."""
    rng = Random(f"{match.number} {role}")
    return [match.determinize(role, rng) for _ in range(guesses)]


def _of(match: Match[Any], role: str, action: Action, most: int) -> Odds | None:
    from sandtable.games.blitzkrieg_general.odds.whole import TooLong, whole_battle

    try:
        found = whole_battle(match, action, Stand(), role=role, most=most)
    except TooLong:
        found = None
    return in_short(found) if found is not None else match.game.preview(match.play, role, action)


def in_short(odds: Odds) -> Odds:
    """The same with one row for every way it can end, where there are too many with their losses; where it has only
    one name for all of them, the losses are what is told."""
    if len(odds.results) <= MOST_ROWS or len({row.name for row in odds.results}) == 1:
        return odds
    chances: dict[str, float] = {}
    for row in odds.results:
        chances[row.name] = chances.get(row.name, 0.0) + row.probability
    rows = sorted(chances.items(), key=lambda row: -row[1])
    return msgspec.structs.replace(odds, results=[Result(chance, name) for name, chance in rows])


def _mean(guesses: Sequence[Odds | None]) -> Odds | None:
    """Several guesses as one: every row with its mean chance."""
    told = [odds for odds in guesses if odds is not None]
    if len(told) <= 1:
        return told[0] if told else None
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
    mean = Odds(
        told[0].title, results, share * sum(odds.success for odds in told), told[0].modifiers, losses, told[0].policy
    )
    return msgspec.structs.replace(in_short(mean), policy="policy.guessed")
