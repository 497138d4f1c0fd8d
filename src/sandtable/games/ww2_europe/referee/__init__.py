"""The referee of World War II in Europe: the rulebook a second time, to check the engine by.

`position` has what follows from a position: control, ways over land, sea and air, supply, income. `standing` checks
where everybody is, `offers` what is offered, `battle` the dice of ground battles, `deeds` what a decision did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sandtable.core import Action, Difference, Event, Offers, Role

from ..model.state import W2State
from .deeds import check_deed
from .offers import check_offers
from .position import Position
from .standing import check_position


class WarReferee:
    """Recomputes every position and every decision."""

    def watch(
        self, before: W2State, role: Role, action: Action, after: W2State, events: Sequence[Event]
    ) -> Iterator[Difference]:
        yield from check_deed(before, role, action, after, events)

    def look(self, state: W2State, offers: Mapping[Role, Offers]) -> Iterator[Difference]:
        position = Position(state)
        yield from check_position(position)
        for role, given in offers.items():
            yield from check_offers(position, role, given)
