"""What a game's history book would look for in a match: dates to compare with the real war, and absurd moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from .data import Action, Role, State

S = TypeVar("S", bound=State)


class Milestone(msgspec.Struct, frozen=True):
    """Something whose date is compared with history."""

    id: str
    says: str
    """In plain words: 'Paris has fallen'."""
    history: str = ""
    """When it happened: 'June 1940', or 'never'."""
    scenarios: tuple[str, ...] = ()
    """Scenarios in which it is asked; empty: all."""


Seen = str | tuple[Role, str]
"""An absurdity in plain words: 'capital left empty and entered: berlin'. The role that acted is to blame for it; where
that is another one, it is a pair: the role and the words."""
Watcher = Callable[[S, Role, Action, S], Iterable[Seen]]
"""Looks at one decision of a match: the state before it, role, action, and the state after it.

It may remember what it saw in this match. It must not change a state, nor keep the one after, with which the match
goes on.
"""


class Chronicle(Generic[S]):
    """Which milestones a position has reached, and which absurdities happen in a match.

    A game's own is in its players/chronicle.py. This one does for a game without.
    """

    milestones: Sequence[Milestone] = ()

    def reached(self, state: S) -> Iterable[str]:
        """The ids of the milestones that are true in a state.

        It is asked before the first decision and at the end of every turn; the first turn at whose end it is true
        counts.
        """
        return ()

    def watch(self) -> Watcher[S] | None:
        """A new watcher for one match; None: there is nothing to watch for."""
        return None


BLANK: Chronicle[Any] = Chronicle()
