"""The referee of Munich War 1938: the rulebook a second time, to check the engine by.

`position` has what follows from a position, `flight` where aircraft go, `battle` the fights. `standing` checks where
everybody stands, `offers` and `movement` what is offered, `deeds` what a decision did, `score` what the turn brings.
`asking` reads the engine's answers, `deed` is a decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sandtable.core import Action, Difference, Event, Offers, Role

from ..model.state import MunichState
from .deeds import check_deed
from .offers import check_offers
from .position import Position
from .standing import check_position


class MunichReferee:
    """Recomputes every position and every decision."""

    def watch(
        self, before: MunichState, role: Role, action: Action, after: MunichState, events: Sequence[Event]
    ) -> Iterator[Difference]:
        yield from check_deed(before, action, after, events)

    def look(self, state: MunichState, offers: Mapping[Role, Offers]) -> Iterator[Difference]:
        position = Position(state)
        yield from check_position(position)
        for given in offers.values():
            yield from check_offers(position, given)
