"""Odds that reach further than the next dice, for the games that have them; worked out once for a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Action, Match, Odds
from sandtable.odds.moves import move_odds
from sandtable.odds.policy import Stand

MOST_WORK = 20_000
"""Rounds of a battle of Blitzkrieg General beyond which nobody waits for it: they take two to four seconds."""


def whole(
    match: Match[Any],
    role: str,
    action: Action,
    stand: Stand | None = None,
    *,
    along: Sequence[str] = (),
    assault: bool = False,
) -> Odds | None:
    """The whole battle or chain that an allowed action starts; the preview where the game has nothing longer; the dice
    of the move itself where it has no preview either.

    `stand` is for battles of several rounds; `along` and `assault` are for chains of advances.
    """
    stand = stand or Stand()
    key = ("whole", role, action, stand, tuple(along), assault)
    cache = match.play.cache
    if key not in cache:
        refusal = match.why_not(role, action)
        if refusal is not None:
            raise refusal
        found = _whole(match, role, action, stand, along, assault)
        cache[key] = found or match.preview(role, action) or move_odds(match, role, action)
    known: Odds | None = cache[key]
    return known


def _whole(
    match: Match[Any], role: str, action: Action, stand: Stand, along: Sequence[str], assault: bool
) -> Odds | None:
    if match.game.id == "hitlers-war":
        from sandtable.games.hitlers_war.odds.whole import chain

        return chain(match, action, along, assault=assault)
    if match.game.id == "blitzkrieg-general":
        from sandtable.games.blitzkrieg_general.odds.whole import TooLong, whole_battle

        try:
            return whole_battle(match, action, stand, role=role, most=MOST_WORK)
        except TooLong:
            return None
    if match.game.id == "ww2-europe":
        from sandtable.games.ww2_europe.odds.whole import battle_ahead

        return battle_ahead(match, role, action)
    return None
