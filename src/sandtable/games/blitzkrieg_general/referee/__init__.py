"""The referee of Blitzkrieg General: the rulebook a second time, to check the engine by.

`board` has who stands to whom and who may go where, `battle` what a unit fights at, `economy` what a country has.
`standing` checks a position, `offers` what is offered, `deeds` what a decision did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sandtable.core import Action, Difference, Event, Offers, Role

from ..model.state import BKState
from .board import Board
from .deeds import check_deed
from .offers import check_offers
from .standing import check_position


class BlitzkriegReferee:
    """Recomputes every position and every decision."""

    def watch(
        self, before: BKState, role: Role, action: Action, after: BKState, events: Sequence[Event]
    ) -> Iterator[Difference]:
        yield from check_deed(before, role, action, after, events)

    def look(self, state: BKState, offers: Mapping[Role, Offers]) -> Iterator[Difference]:
        board = Board(state)
        yield from check_position(board)
        for role, given in offers.items():
            yield from check_offers(board, role, given)
