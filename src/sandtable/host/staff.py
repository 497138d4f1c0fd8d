"""The staff: plans for a role's decision, found by the computer players' own search.

Every level is asked in turn, the best first, and plays on in an imagined match that agrees with what the role may know,
until a die would fall or somebody else is asked. So a plan knows neither hidden things nor dice to come.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Match, Odds, Texts
from sandtable.core.scene import Scene
from sandtable.odds.shown import shown
from sandtable.players import levels, patience
from sandtable.players.search import USUAL, Outline
from sandtable.players.words import tell

from . import messages as m
from .computers import Question, Thinker
from .errors import NotAllowed
from .labels import words_of
from .log import is_seen
from .matches import Live
from .purpose import purpose
from .records import SeatRow

PLANS = 3
STEPS = 12
"""So far a plan is played."""
SHOWN = 4
"""So many of its steps are shown."""
SECONDS = 2.0


def why_not(live: Live, seat: SeatRow) -> str:
    """Return why a seat may not ask the staff; '' where it may."""
    if live.row.outcome is not None:
        return "the match is over"
    if not live.row.staff and any(other.place != seat.place and other.kind == "person" for other in live.seats):
        return "the staff gives no advice in a match between people who did not agree to it at the start"
    return ""


async def plans(live: Live, seat: SeatRow, role: str, thinker: Thinker, language: str) -> list[m.StaffPlan]:
    """Return up to three different plans for the role's decision."""
    refused = why_not(live, seat)
    if refused:
        raise NotAllowed(refused)
    found: dict[tuple[Action, ...], m.StaffPlan] = {}
    for level in [name for name in reversed(levels(live.game)) if name != "recruit" and _is_quick(name, live)][:PLANS]:
        plan = await _play(live, role, level, thinker)
        if plan.steps and plan.steps not in found:
            found[plan.steps] = _face(live.match, role, level, plan, live.game.texts(language))
    return list(found.values())


def _is_quick(level: str, live: Live) -> bool:
    """Whether a level answers in the usual time: nobody waits for advice as long as for an opponent."""
    return patience(level, live.game) <= 1


class _Plan(msgspec.Struct, frozen=True):
    """What a player would do next, how it would look, the first odds on the way, and the orders it follows."""

    steps: tuple[Action, ...]
    scenes: tuple[Scene, ...]
    odds: Odds | None
    orders: Outline | None


async def _play(live: Live, role: str, level: str, thinker: Thinker) -> _Plan:
    """Let a player of that level play on in an imagined match."""
    row = live.row
    match = live.match.determinize(role, Random(f"{row.seed_hash}/{live.match.number}/staff"))
    steps: list[Action] = []
    scenes: list[Scene] = []
    odds: Odds | None = None
    orders: Outline | None = None
    while len(steps) < STEPS and not match.over and role in match.decisions():
        view = match.view(role)
        question = Question(
            f"{row.id}/staff/{live.match.number}", row.game, row.rules, role, level, row.seed_hash, view.number,
            tuple(view.asked), live.game.codec.pack(view.state), SECONDS,
        )  # fmt: skip
        thought = await thinker.think(question)
        action = match.parse(thought.action)
        orders = orders or next(iter(thought.plans), None)
        odds = odds or shown(match, role, action)
        steps.append(action)
        rolled = match.state.rolled
        events = match.apply(role, action)
        if match.state.rolled != rolled:  # what comes of the dice is not part of the plan
            events = [event for event in events if match.game.scene(event).kind == "fight"]
        scenes += [match.game.scene(event) for event in events if is_seen(event, (role,))]
        if match.state.rolled != rolled:
            break
    return _Plan(tuple(steps), tuple(scenes), odds, orders)


def _face(match: Match[Any], role: str, level: str, plan: _Plan, texts: Texts) -> m.StaffPlan:
    game = match.game
    wants = [words_of(game.codec.builtins(step), texts) for step in plan.steps[:SHOWN]]
    found = purpose(match, role, role, plan.scenes, match.table(role, texts.language), texts)
    says = found.deeds or f"{wants[0].words[0]}: {', '.join(wants[0].words[1:])}.".replace(": .", ".")
    chance = None if plan.odds is None else plan.odds.success
    said = [says, *(_orders(plan.orders, texts) if plan.orders else ())]
    return m.StaffPlan(level, " ".join(filter(None, said)), wants, list(found.arrows), chance)


def _orders(orders: Outline, texts: Texts) -> list[str]:
    """Return the orders by front that a searching player follows, their risk, and the chance to win."""
    told = tell(orders, texts)
    chance = "" if told.chance is None else texts.say("plan.chance", percent=round(100 * told.chance))
    return ["" if orders.plan == USUAL else told.says, told.risk, chance]
