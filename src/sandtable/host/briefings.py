"""Briefings: what a side is told when a match opens, and how everybody is doing.

The words are data, `games/<game>/briefings/<scenario>.toml`; the gauges are the game's (`Game.standing`).
"""

from __future__ import annotations

import functools
import tomllib
from typing import Any

import msgspec

from sandtable.core import Game, Match
from sandtable.core.gauges import Gauge

from . import messages as m
from .lesson_files import Both
from .sight import outcome_text


class Mistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that beginners get wrong."""

    say: Both
    rule: str = ""


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one side is told."""

    roles: tuple[str, ...]
    who: Both
    goal: Both
    have: Both
    history: Both
    wrong: tuple[Mistake, ...]
    when: dict[str, Any] = {}
    """Options with which it is told; the first side that fits is taken."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    side: tuple[Side, ...]


@functools.cache
def sides_of(game: Game[Any], scenario: str) -> tuple[Side, ...]:
    """Return what the sides of a scenario are told; nothing where the game has no briefing of it."""
    path = game.home / "briefings" / f"{scenario}.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File).side if path.exists() else ()


def side_for(match: Match[Any], role: str | None) -> Side | None:
    """Return what a role is told in this match."""
    return next(
        (
            side
            for side in sides_of(match.game, match.scenario)
            if role in side.roles and all(match.options.get(name) == value for name, value in side.when.items())
        ),
        None,
    )


def briefing(match: Match[Any], role: str | None, language: str) -> m.BriefingFace:
    """Return the briefing of a role with the gauges as they are now, as far as the role may know."""
    game, texts, side = match.game, match.game.texts(language), side_for(match, role)
    standing = match.standing(role)
    name = f"scenario.{match.scenario}.name"
    return m.BriefingFace(
        role=role,
        scenario=texts.say(name if name in texts else f"scenario.{match.scenario}"),
        who=side.who.of(language) if side else "",
        goal=side.goal.of(language) if side else "",
        have=side.have.of(language) if side else "",
        history=side.history.of(language) if side else "",
        wrong=[m.Warned(one.say.of(language), one.rule) for one in side.wrong] if side else [],
        gauges=[_face(gauge, texts.say(f"gauge.{gauge.id}")) for gauge in standing.gauges],
        today=outcome_text(game, standing.today, language),
    )


def _face(gauge: Gauge, label: str) -> m.GaugeFace:
    return m.GaugeFace(
        id=gauge.id, label=label, roles=gauge.roles, value=gauge.value, goal=gauge.goal, most=gauge.most,
        percent=gauge.percent, met=gauge.is_met, marks=gauge.marks, places=gauge.places, held=gauge.held,
        rules=gauge.rules,
    )  # fmt: skip
