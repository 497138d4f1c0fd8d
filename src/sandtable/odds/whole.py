"""Odds that reach further than the next dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core import Action, Match, Odds
from sandtable.odds.moves import move_odds


def whole(match: Match[Any], role: str, action: Action, assumed: Mapping[str, Any] | None = None) -> Odds | None:
    """The odds of the whole battle that an allowed action starts, cached for this position.

    Where the game has no odds of whole battles, this is the preview. Where it has no preview either, it is every way
    in which the dice of the move can fall; None where there are no dice or too many. `assumed` changes some of the
    game's assumptions about later choices.
    """
    game, chosen = match.game, match.game.check_assumptions(assumed or {})

    def make() -> Odds | None:
        match.check(role, action)
        found = game.whole_odds(match, role, action, chosen)
        return found or match.preview(role, action) or move_odds(match, role, action)

    return match.remember(("whole", role, action, tuple(chosen.items())), make)
