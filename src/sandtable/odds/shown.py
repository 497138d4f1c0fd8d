"""The odds that a player is shown before they commit to an action."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core import Action, Match, Odds, Result

MOST_ROWS = 16


def shown(match: Match[Any], role: str, action: Action) -> Odds | None:
    """What the game shows of an allowed action's odds, in few rows, cached for this position.

    It is computed from what the role may know and from nothing else.
    """

    def make() -> Odds | None:
        match.check(role, action)
        found = match.game.shown_odds(match, role, action)
        return None if found is None else in_short(_asked_by(match, role, found))

    return match.remember(("shown", role, action), make)


def _asked_by(match: Match[Any], role: str, odds: Odds) -> Odds:
    """The same odds, with whether the role wants what they call success."""
    whose = odds.whose.removeprefix("@")
    if not whose:
        return odds
    sides = match.game.sides(match.state)
    together = any(role in roles and whose in (name, *roles) for name, roles in sides.items())
    return msgspec.structs.replace(odds, mine=together or whose == role)


def in_short(odds: Odds) -> Odds:
    """The same odds with one row for each way it can end, where there are more than `MOST_ROWS` rows.

    Where all rows have the same name, their losses are what matters, and they stay.
    """
    if len(odds.results) <= MOST_ROWS or len({row.name for row in odds.results}) == 1:
        return odds
    chances: dict[str, float] = {}
    for row in odds.results:
        chances[row.name] = chances.get(row.name, 0.0) + row.probability
    rows = sorted(chances.items(), key=lambda row: -row[1])
    return msgspec.structs.replace(odds, results=[Result(chance, name) for name, chance in rows])
