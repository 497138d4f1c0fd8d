"""A decision: the states around it, and what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Event, Rolled, RuleId

from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.events import Joined, PhaseBegan
from ..model.state import MunichState
from .position import Position


class Deed:
    """One decision: the states around it and what happened."""

    def __init__(self, before: MunichState, action: Any, after: MunichState, events: Sequence[Event]) -> None:
        self.before, self.action, self.after, self.events = before, action, after, events
        sides = list(before.side)
        for event in self.of(Joined):
            sides[ATLAS.country_number[event.country[1:]]] = SIDES.index(event.side[1:])
        self.old = Position(before, sides)
        self.new = Position(after)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]

    def die_before(self, event: Event) -> int:
        """The last die before an event."""
        place = next(number for number, other in enumerate(self.events) if other is event)
        return next(other.value for other in reversed(self.events[:place]) if isinstance(other, Rolled))

    def die_for(self, rule: RuleId) -> int:
        """The first die that was rolled for a rule."""
        return next(event.value for event in self.events if isinstance(event, Rolled) and event.why == rule)

    def begins(self, name: str) -> int:
        """The side whose phase of this name began; NOBODY where none did."""
        found = [event.side for event in self.of(PhaseBegan) if event.phase == f"@phase-{name}"]
        return SIDES.index(found[-1][1:]) if found else NOBODY
