"""6.8 and optional 9.4: land units take an enemy area, and the country that may be freed by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Offer, Role, Step

from ..model.actions import Liberate
from ..model.atlas import ATLAS, FRANCE, MAJORS
from ..model.state import CONQUERED, M
from .conquest import relocate_violators
from .control import free_country, hand_back_colonies, rightful_holder, take_control


def occupy(m: M, space: int, taker: int) -> None:
    """A major's land units hold an enemy area alone."""
    state = m.state
    holder = rightful_holder(state, space, taker)
    if holder != taker and state.standing[holder] == CONQUERED:
        if m.option("alternative-reconquest"):
            m.push(LiberateOrKeep(space, taker))
            return
        free_country(m, holder, taker)
    take_control(m, space, holder)
    if ATLAS.owner[space] == FRANCE and state.vichy:
        hand_back_colonies(m, space)
    if state.peace >= 0:  # who may not be in the holder's areas goes [bg-8.2-ussr-japan]
        relocate_violators(m)


class LiberateOrKeep(Step, frozen=True, tag="bg.liberate"):
    """Optional 9.4: free the country, or keep what its areas produce. [bg-opt-9.4]"""

    rule = "bg-opt-9.4"
    space: int
    taker: int

    def roles(self, m: M) -> Sequence[Role]:
        return (MAJORS[self.taker],)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return [Choices([Liberate(True), Liberate(False)], rule=self.rule)]

    def take(self, m: M, role: Role, action: Any) -> None:
        m.pop()
        owner = ATLAS.owner[self.space]
        if action.free:
            free_country(m, owner, self.taker)
            take_control(m, self.space, owner)
        else:
            take_control(m, self.space, self.taker)
        if m.state.peace >= 0:
            relocate_violators(m)
