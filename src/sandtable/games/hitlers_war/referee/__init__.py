"""The referee of Hitler's War: the rulebook a second time, to check the engine by.

`board` has what follows from a position: supply, reach, income, isolation. `combat` has who can attack what, and with
which dice, `economy` what may be bought. `offers` checks what is offered, `deeds` what a decision did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sandtable.core import Action, Difference, Event, Offers, Role

from ..model.state import War
from .board import Board
from .deeds import check_deed
from .offers import check_offers, check_position


class WarReferee:
    """Recomputes every position and every decision."""

    def watch(
        self, before: War, role: Role, action: Action, after: War, events: Sequence[Event]
    ) -> Iterator[Difference]:
        yield from check_deed(before, action, after, events)

    def look(self, state: War, offers: Mapping[Role, Offers]) -> Iterator[Difference]:
        board = Board(state)
        yield from check_position(board)
        for given in offers.values():
            yield from check_offers(board, given)
