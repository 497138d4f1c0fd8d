"""What a referee is: a second implementation of a game's rules, written from the rulebook and not from the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from .data import Action, Event, Role, RuleId, State
from .offers import Offers

S = TypeVar("S", bound=State, contravariant=True)


class Difference(msgspec.Struct, frozen=True):
    """A question to which engine and referee have different answers. One of the two is wrong."""

    what: str
    """What was asked, with the names of things: 'where the 3rd Army of Poland may march from F12'."""
    rule: RuleId
    engine: str
    referee: str


class Referee(Protocol[S]):
    """Recomputes what the rules say about a match, decision by decision.

    It answers from what it is given alone and changes nothing, so that taking back needs no care. It knows a step of
    the stack by its tag (`step.__struct_config__.tag`) and its fields.
    """

    def watch(self, before: S, role: Role, action: Action, after: S, events: Sequence[Event]) -> Iterable[Difference]:
        """Check what a decision did. It is not called for undo, standing orders, resigning and draws."""
        ...

    def look(self, state: S, offers: Mapping[Role, Offers]) -> Iterable[Difference]:
        """Check a position, and what each role that is asked now is offered."""
        ...
