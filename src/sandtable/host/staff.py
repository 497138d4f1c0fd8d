"""The staff: plans for a role's decision, found by the computer players' own search.

Every level is asked in turn, the best first, and plays on in an imagined match that agrees with what the role may know,
until a die would fall or somebody else is asked. So a plan knows neither hidden things nor dice to come.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Match, Odds, Texts
from sandtable.odds.shown import shown
from sandtable.players import levels, patience

from . import messages as m
from .computers import Question, Thinker
from .errors import NotAllowed
from .labels import words_of
from .matches import Live
from .records import SeatRow

PLANS = 3
STEPS = 4
SECONDS = 2.0


def why_not(live: Live, seat: SeatRow) -> str:
    """Return why a seat may not ask the staff; '' where it may."""
    if live.row.outcome is not None:
        return "the match is over"
    if any(other.place != seat.place and other.kind == "person" for other in live.seats):
        return "the staff gives no advice in a match between people"
    return ""


async def plans(live: Live, seat: SeatRow, role: str, thinker: Thinker, language: str) -> list[m.StaffPlan]:
    """Return up to three different plans for the role's decision."""
    refused = why_not(live, seat)
    if refused:
        raise NotAllowed(refused)
    found: dict[tuple[Action, ...], m.StaffPlan] = {}
    for level in [name for name in reversed(levels(live.game)) if name != "recruit" and quick(name, live)][:PLANS]:
        steps, odds = await _play(live, role, level, thinker)
        if steps and steps not in found:
            found[steps] = _face(live.match, level, steps, odds, live.game.texts(language))
    return list(found.values())


def quick(level: str, live: Live) -> bool:
    """Whether a level answers in the usual time: one that only thinks longer has no other ideas."""
    return patience(level, live.game) <= 1


async def _play(live: Live, role: str, level: str, thinker: Thinker) -> tuple[tuple[Action, ...], Odds | None]:
    """Return what a player of that level would do next, and the first odds on the way."""
    row = live.row
    match = live.match.determinize(role, Random(f"{row.seed_hash}/{live.match.number}/staff"))
    steps: list[Action] = []
    odds: Odds | None = None
    while len(steps) < STEPS and not match.over and role in match.decisions():
        view = match.view(role)
        question = Question(
            f"{row.id}/staff/{live.match.number}", row.game, row.rules, role, level, row.seed_hash, view.number,
            tuple(view.asked), live.game.codec.pack(view.state), SECONDS,
        )  # fmt: skip
        action = match.parse((await thinker.think(question)).action)
        odds = odds or shown(match, role, action)
        steps.append(action)
        rolled = match.state.rolled
        match.apply(role, action)
        if match.state.rolled != rolled:
            break
    return tuple(steps), odds


def _face(match: Match[Any], level: str, steps: tuple[Action, ...], odds: Odds | None, texts: Texts) -> m.StaffPlan:
    wants = [words_of(match.game.codec.builtins(step), texts) for step in steps]
    return m.StaffPlan(level, wants, None if odds is None else odds.success)
