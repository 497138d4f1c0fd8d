"""Collect Money: what can be traced home over land and by convoy; gifts; Technology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Field, Numbers, Offer, OneOf, Step
from sandtable.core.columns import put

from ..facts.control import active_powers
from ..facts.convoys import convoy_name
from ..facts.supply import pushes_out
from ..model.actions import Ration, Research
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Collected, Noted, Researched
from ..model.state import M, added, table_changed
from .collect import plan
from .politics import before_its_date
from .side_step import SideStep

A = ATLAS

TECH = A.data["tech"]


class Income(Step, frozen=True, tag="income"):
    """One power collects; where money and supply compete for room its owner divides it.

    [w2e-convoy-capacity] [w2e-ex-convoy-mixed]
    """

    rule = "w2e-collect"
    power: int
    limits: tuple[tuple[int, int], ...] = ()

    def plan(self, m: M) -> tuple[int, dict[int, int]]:
        """What can be collected within the limits set so far."""
        return plan(m, self.power, dict(self.limits))

    def contested(self, m: M) -> int:
        """Return the next convoy on which money would push out supply; -1 where there is none."""
        return self._contested(m, self.plan(m)[1])

    def _contested(self, m: M, planned: Mapping[int, int]) -> int:
        settled = dict(self.limits)
        loads = {number: load for number, load in planned.items() if load and number not in settled}
        pushed = loads and pushes_out(m.state, A.group[self.power], loads)
        return next(iter(loads)) if pushed else NOBODY

    def run(self, m: M) -> None:
        state = m.state
        dollars, loads = self.plan(m)
        if self._contested(m, loads) >= 0:
            return
        m.pop()
        if any(loads.values()):
            state.convoys = tuple(
                msgspec.structs.replace(c, dollars=c.dollars + loads.get(c.number, 0)) for c in state.convoys
            )
        if before_its_date(state, self.power):
            dollars = int(dollars * A.rules["neutral_major_income_cap"]["fraction"])
        state.money = added(state.money, self.power, dollars)
        state.income = put(state.income, self.power, dollars)
        m.emit(Collected(power=f"@{A.powers[self.power]}", dollars=dollars))

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[self.power],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number = self.contested(m)
        most = self.plan(m)[1][number]
        return [
            Offer(
                Ration, Field("convoy", "choice", OneOf([convoy_name(number)])),
                Field("dollars", "number", Numbers(0, most)), rule="w2e-convoy-capacity",
            )
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Any) -> None:
        pair = (int(action.convoy.split()[1]), action.dollars)
        m.replace(Income(self.power, (*self.limits, pair)))


class EmptyHolds(Step, frozen=True, tag="empty-holds"):
    """What convoys carried last turn has arrived; gifts and income of this turn share their room.

    [w2e-convoy-capacity]
    """

    rule = "w2e-convoy-capacity"

    def run(self, m: M) -> None:
        if any(c.dollars for c in m.state.convoys):
            m.state.convoys = tuple(msgspec.structs.replace(c, dollars=0) for c in m.state.convoys)
        m.pop()


class CollectMoney(Step, frozen=True, tag="collect"):
    """All powers of both sides, player A's first; then technology."""

    rule = "w2e-collect"

    def run(self, m: M) -> None:
        state = m.state
        state.income = (0,) * len(A.powers)
        order = [p for side in (state.first, 1 - state.first) for p in active_powers(state, side)]
        steps: list[Step] = [Income(p) for p in order]
        if m.option("technology"):
            steps += [Technology(state.first), Technology(1 - state.first)]
        m.replace(*steps) if steps else m.pop()


# ---- technology ------------------------------------------------------------------------------------------------------
class Technology(SideStep, frozen=True, tag="technology"):
    """One die for every ten dollars collected, each on another technology.  [w2e-tech-rolls] [w2e-tech-200]"""

    rule = "w2e-tech-rolls"
    chosen: tuple[tuple[int, int], ...] = ()
    """(power, technology) rolled for this turn."""

    def open_techs(self, m: M, power: int) -> list[str]:
        state = m.state
        used = [tech for owner, tech in self.chosen if owner == power]
        if len(used) >= state.income[power] // int(TECH["roll_per_dollars"]):
            return []
        return [A.techs[t] for t in range(len(A.techs)) if t not in used and not state.known[power][t]]

    def powers(self, m: M) -> list[int]:
        return [p for p in super().powers(m) if self.open_techs(m, p)]

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        return [Offer(Research, Field("tech", "choice", OneOf(self.open_techs(m, power))), rule=self.rule)]

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        tech = A.tech_index[action.tech]
        total = state.tech[power][tech] + m.roll(why=self.rule)
        state.tech = table_changed(state.tech, power, tech, total)
        m.emit(Researched(power=f"@{A.powers[power]}", tech=f"@{action.tech}", total=total))
        if total >= int(TECH["target"]):
            state.known = table_changed(state.known, power, tech, 1)
            m.emit(Noted(note="@note-developed", power=f"@{A.powers[power]}", place=f"@{action.tech}"))
        m.replace(msgspec.structs.replace(self, chosen=(*self.chosen, (power, tech))))
