"""The exact chance of a plan: every fall of the dice, and the opponents at their best against it.

Where a puzzle names its `fights`, a battle is not walked through die by die: its chance is that of the game's own odds,
which fight it to the end by their stated policy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from sandtable.core import Action, Match, Odds
from sandtable.odds.walk import TooMany, outcomes, state_of

from .lesson_files import Lesson, Pattern
from .lessons import find, first

Chooser = Callable[[Match[Any], str], list[Action]]


def chance_of(lesson: Lesson, match: Match[Any], line: tuple[Pattern, ...]) -> float:
    """Return the chance in percent that a plan reaches the puzzle's aim, whatever the opponents do."""

    def choose(here: Match[Any], role: str) -> list[Action]:
        action = first(here, role, line)
        return [] if action is None else [action]

    return 100 * _value(lesson, match, choose, {})


def best_chance(lesson: Lesson, match: Match[Any], opening: tuple[Pattern, ...] = ()) -> float:
    """Return the chance in percent of the best play: every decision of the learner is searched too.

    The patterns of `opening` are played first, as long as they are allowed.
    """

    def choose(here: Match[Any], role: str) -> list[Action]:
        forced = first(here, role, opening)
        return [forced] if forced is not None else list(here.offers(role))

    return 100 * _value(lesson, match, choose, {})


def _value(lesson: Lesson, match: Match[Any], choose: Chooser, known: dict[Hashable, float]) -> float:
    """Return the chance that the aim is reached from here: the learner takes the best of what `choose` returns."""
    assert lesson.aim is not None
    key = state_of(match)
    if key in known:
        return known[key]
    is_over = match.over or (lesson.stop is not None and lesson.stop.reached(match, lesson.role))
    role = "" if match.over else match.decisions()[0]
    is_learner = role == lesson.role
    actions = [] if is_over else choose(match, role) if is_learner else list(match.offers(role))
    values = [_after(lesson, match, role, action, choose, known) for action in actions]
    best = max(values, default=None) if is_learner else min(values, default=None)
    known[key] = float(lesson.aim.reached(match, lesson.role)) if best is None else best
    return known[key]


def _after(
    lesson: Lesson, match: Match[Any], role: str, action: Action, choose: Chooser, known: dict[Hashable, float]
) -> float:
    """Return the chance that the aim is reached when this action is done."""
    if lesson.fights is not None and _rolls(match, role, action):
        won = _won(lesson, match, role, action)
        if won is not None:
            return won
    ends = outcomes(match, _applied(role, action))
    return sum(part * _value(lesson, after, choose, known) for part, after in ends)


def _rolls(match: Match[Any], role: str, action: Action) -> bool:
    """Whether dice fall with this action."""
    try:
        outcomes(match, _applied(role, action), most=1)
    except TooMany:
        return True
    return False


def _won(lesson: Lesson, match: Match[Any], role: str, action: Action) -> float | None:
    """Return the chance that the learner wins all fights that begin now; None where the dice are of something else."""
    named = [found for pattern in lesson.fights or () if (found := find(match, role, pattern)) is not None]
    chance = 1.0
    for fight in named or [action]:
        odds = match.game.whole_odds(match, role, fight, match.game.check_assumptions({}))
        if odds is None:
            return None
        chance *= odds.success if _is_for(match, lesson.role, odds) else 1.0 - odds.success
    return chance


def _is_for(match: Match[Any], role: str, odds: Odds) -> bool:
    """Whether the odds call it a success when this role's side wins."""
    whose = odds.whose.removeprefix("@")
    return any(role in roles and whose in (name, *roles) for name, roles in match.game.sides(match.state).items())


def _applied(role: str, action: Action) -> Callable[[Match[Any]], object]:
    return lambda twin: twin.apply(role, action)
