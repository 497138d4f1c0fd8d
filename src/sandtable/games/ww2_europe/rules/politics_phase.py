"""Attacks on neutrals are announced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal

from ..facts.access import neutral_minors
from ..model.actions import Declare
from ..model.atlas import ATLAS, SIDES
from ..model.events import WarDeclared
from ..model.state import NEUTRAL_POWER, M
from .politics import attack_major, attack_minor, declare_refusal, enter_war, targets
from .side_step import SideStep

A = ATLAS
K = ATLAS.kinds


class Declarations(SideStep, frozen=True, tag="declarations"):
    """Attacks on neutrals are announced before the Movement phase.  [w2e-neutral-announce]"""

    rule = "w2e-neutral-announce"

    def powers(self, m: M) -> list[int]:
        found = list(super().powers(m))
        if not neutral_minors(m.state):  # a minor can be attacked by all of them
            found = [p for p in found if targets(m, p)]
        if A.side[A.ussr] == self.side and m.state.status[A.ussr] == NEUTRAL_POWER and m.state.breach == 1:
            found += [A.ussr] if targets(m, A.ussr) else []
        return found

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        def why(country: Any) -> Refusal | None:
            return declare_refusal(m, power, country) if isinstance(country, str) else None

        return [Offer(Declare, Field("country", "country", OneOf(targets(m, power), why)), rule=self.rule)]

    def act(self, m: M, power: int, action: Any) -> None:
        m.emit(WarDeclared(side=f"@{SIDES[self.side]}", country=f"@{action.country}"))
        if action.country in A.minor_index:
            attack_minor(m, A.minor_index[action.country], self.side)
        elif power == A.ussr and m.state.status[power] == NEUTRAL_POWER:
            enter_war(m, A.ussr)
        else:
            attack_major(m, A.power_index[action.country])
