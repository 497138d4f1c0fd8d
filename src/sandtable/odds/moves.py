"""Odds of any single move: every way its dice can fall, described as the log would.

For the many small rolls (a search, a raid on shipping, a coup, a rocket) for which a game has no preview. The game
itself carries the move out on a copy of the match, hidden things included. A player who may not see those has to ask
about an imagined match.
"""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Match, Odds, Result, Rolled
from sandtable.odds.walk import TooMany, outcomes

MOST = 40
"""Enough for two dice. What rolls more is a battle and has odds of its own."""


def move_odds(match: Match[Any], role: str, action: Action, language: str = "en") -> Odds | None:
    """The ways a move can end; None where it rolls no dice or too many to list. What counts as success nobody says."""
    try:
        ends = outcomes(match, lambda twin: twin.apply(role, action), most=MOST)
    except TooMany:
        return None
    if len(ends) == 1:
        return None
    texts = match.game.texts(language)
    found: dict[tuple[str, ...], float] = {}
    for chance, end in ends:
        seen = [e for e in end.play.events if not isinstance(e, Rolled) and (e.seen_by is None or role in e.seen_by)]
        said = tuple(texts.event(event) for event in seen)
        found[said] = found.get(said, 0.0) + chance
    always = set.intersection(*(set(said) for said in found))
    results = []
    for said, chance in sorted(found.items(), key=lambda row: -row[1]):
        own = [line for line in said if line not in always]
        results.append(Result(chance, " ".join(own) or "result.nothing", facts={}))
    return Odds("odds.move", results, 0.0, (), {}, "policy.move")
