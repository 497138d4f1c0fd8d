"""A referee: a second opinion on a game's rules, written from the rulebook and not from the engine.

A referee may read a game's atlas, tables and state, but shares no rule with the engine. It looks at every decision of
a match and says where its own answer differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from .data import Action, Event, Role, State
from .offers import Offers

S = TypeVar("S", bound=State)


class Difference(msgspec.Struct, frozen=True):
    """One thing that the engine and the referee see differently."""

    what: str
    """What was compared: 'supply of Army Group North'."""
    rule: str
    """The ledger id of the rule behind it."""
    engine: str
    referee: str


class Referee(Generic[S]):
    """Looks over the engine's shoulder. One object watches one match from its start."""

    def look(self, state: S, offers: Mapping[Role, Offers]) -> Iterable[Difference]:
        """Compare a position and what each asked role may do in it."""
        return ()

    def watch(self, before: S, role: Role, action: Action, after: S, events: Sequence[Event]) -> Iterable[Difference]:
        """Compare what an action did."""
        return ()
