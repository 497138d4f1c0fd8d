"""Gauges: the conditions of victory as numbers, so that a screen can show how everybody is doing."""

from __future__ import annotations

import msgspec

from .data import Outcome, Role, RuleId


class Gauge(msgspec.Struct, frozen=True, kw_only=True):
    """One condition: how far it is, and where it is met. Its words are in the text files under `gauge.<id>`."""

    id: str
    roles: tuple[Role, ...]
    """Whose condition it is."""
    value: float
    goal: float
    rules: tuple[RuleId, ...]
    """The rules of victory that it shows."""
    most: bool = False
    """It is met at the goal or below."""
    percent: bool = False
    marks: tuple[float, ...] = ()
    """Further goals beyond the first: higher levels of victory."""
    places: tuple[str, ...] = ()
    """Spaces that count."""
    held: tuple[str, ...] = ()
    """Those of them that count for it now."""

    @property
    def is_met(self) -> bool:
        return self.value <= self.goal if self.most else self.value >= self.goal


class Standing(msgspec.Struct, frozen=True):
    """How a match stands."""

    gauges: tuple[Gauge, ...] = ()
    today: Outcome | None = None
    """What the outcome would be if the match ended now, by the rules of its end."""
