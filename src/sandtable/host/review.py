"""The review of a finished match: who won and why, when it was decided, and how strength and production went."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sandtable.core import Match, Outcome

from . import messages as m
from .lobby import rules_of
from .matches import Live, start
from .records import MoveRow
from .sight import outcome_text, turn_name

AT_A_TIME = 50
"""Moves that are played again before others may have their turn."""


async def review(live: Live, moves: Sequence[MoveRow], language: str) -> m.ReviewFace:
    """Play a finished match again and return what is worth telling of it."""
    game, outcome = live.game, live.match.outcome
    assert outcome is not None
    match = start(game, live.row)
    turns: list[m.TurnReview] = []
    for place, move in enumerate(moves):
        if place % AT_A_TIME == 0:
            await asyncio.sleep(0)
        turn = game.turn(match.state)
        match.apply(move.role, match.parse(move.action))
        if match.over or game.turn(match.state) != turn:
            turns.append(_turn(match, turn_name(game, turn, language)))
    rule = next((rule for rule in rules_of(game.id, language) if rule.id == outcome.reason), None)
    return m.ReviewFace(
        outcome=outcome_text(game, outcome, language),
        winners=list(outcome.winners),
        rule=outcome.reason,
        why="" if rule is None else rule.says,
        decided=_decided(turns, outcome),
        turns=turns,
        labels=_labels(match, turns, language),
    )


def _turn(match: Match[Any], name: str) -> m.TurnReview:
    today = match.standing(None).today
    return m.TurnReview(name, dict(match.game.measures(match.state)), list(today.winners) if today else [])


def _decided(turns: Sequence[m.TurnReview], outcome: Outcome) -> str:
    """Return the turn after which the winners of the match were always ahead; '' where nobody won or ever led."""
    decided = ""
    for turn in reversed(turns):
        if set(turn.leaders) != set(outcome.winners) or not outcome.winners:
            break
        decided = turn.turn
    return decided


def _labels(match: Match[Any], turns: Sequence[m.TurnReview], language: str) -> dict[str, str]:
    """Return what the measures are called, by the part of their name before the side."""
    texts = match.game.texts(language)
    families = dict.fromkeys(name.partition(".")[0] for turn in turns for name in turn.measures)
    return {family: texts.say(f"measure.{family}") for family in families}
