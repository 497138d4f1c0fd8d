"""Plans in words: the main effort, what is held and given up, and the risk, in the reader's language."""

from __future__ import annotations

import msgspec

from sandtable.core import Texts

from .requests import Request
from .search import Outline

_NOTICED = 0.02
"""A fall of the outlook that is worth a word."""


class Told(msgspec.Struct, frozen=True):
    """A plan as a person reads it."""

    says: str
    """The orders."""
    risk: str
    """What may go wrong; '' where no answer of the enemy is worse than the others."""
    chance: float | None
    """The chance to win with it; None where the players of the game only know better from worse."""


def request_in_words(request: Request, texts: Texts) -> str:
    """Return what an ally is asked for, as the ally reads it."""
    return texts.say("plan.asked", role=f"@{request.by}", place=f"@{request.place}")


def tell(outline: Outline, texts: Texts) -> Told:
    """Return a plan in words."""
    plan = outline.plan
    said = []
    if plan.aim:
        said.append(texts.say("plan.aim" if plan.force >= 1 else "plan.spare", aim=f"@{plan.aim}"))
    if plan.hold:
        said.append(texts.say("plan.hold", places=[f"@{place}" for place in plan.hold]))
    if plan.leave:
        said.append(texts.say("plan.leave", places=[f"@{place}" for place in plan.leave]))
    if plan.build:
        said.append(texts.say("plan.build", build=texts.say(f"build.{plan.build}")))
    if outline.manner:
        said.append(texts.say(f"plan.{outline.manner}"))
    said += [texts.say("plan.ask", role=f"@{role}", place=f"@{place}") for role, place in plan.ask]
    fall = outline.value - outline.worst
    risk = ""
    if fall >= _NOTICED:
        answer = texts.say(f"plan.answer-{outline.answer or 'usual'}")
        risk = texts.say("plan.risk", answer=answer, points=round(100 * fall))
    return Told(" ".join(said) or texts.say("plan.usual"), risk, outline.chance)
