"""Collect Money: what can be traced home over land and by convoy; gifts; Technology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Field, Numbers, Offer, OneOf, Step
from sandtable.core.columns import put

from ..facts.control import active_powers, holdings
from ..facts.convoys import capacity, convoy_name, convoy_room, route_ports
from ..facts.supply import pushes_out
from ..facts.supply_net import beside, send, supply_net
from ..model.actions import Ration, Research
from ..model.atlas import ATLAS, FACTORY, NOBODY
from ..model.events import Collected, Noted, Researched
from ..model.state import AT_WAR, GONE, M, W2State, added, table_changed
from .politics_phase import before_its_date
from .side_step import SideStep

A = ATLAS
TECH = A.data["tech"]
GIFT = int(A.rules["give_money_max"])


def worth(state: W2State, space: int) -> int:
    """What a space pays its owner.  [w2e-factory-value] [w2e-nrz] [w2e-strategic-repair]"""
    return 0 if state.damaged[space] or state.no_income[space] else A.value[space]


_FACTORIES = tuple(
    tuple(s for s in A.land if A.homeland[s] == power and A.feature[s] == FACTORY) for power in range(len(A.powers))
)
_VALUED = frozenset(s for s in A.land if A.value[s])


def homes(m: M, power: int) -> set[int]:
    """Parts of the land with a Homeland factory of the power.  [w2e-collect] [w2e-factory-path]"""
    part, owner, damaged = supply_net(m.state, A.group[power]).part, m.state.owner, m.state.damaged
    return {part[s] for s in _FACTORIES[power] if owner[s] == power and part[s] >= 0 and damaged[s] != GONE}


def incomes(m: M, power: int) -> dict[int, int]:
    """Return per part of the land what it pays a power."""
    found: dict[int, int] = {}
    part = supply_net(m.state, A.group[power]).part
    for space in sorted(holdings(m.state).lands[power] & _VALUED):
        dollars = worth(m.state, space)
        if dollars:
            found[part[space]] = found.get(part[space], 0) + dollars
    return found


def plan(m: M, power: int, limits: dict[int, int] | None = None) -> tuple[int, dict[int, int]]:
    """What a power can collect now, and the dollars on each convoy.  [w2e-collect] [w2e-convoy-purpose]"""
    network = supply_net(m.state, A.group[power])
    home = homes(m, power)
    total = 0
    loads: dict[int, int] = {}
    if not home:
        return 0, loads
    room = convoy_room(m.state, A.group[power])
    for number, most in (limits or {}).items():
        room[number] = min(room.get(number, 0), most)
    for part, dollars in incomes(m, power).items():
        if part < 0:
            continue
        sent, used = send(network.calls, room, home, part, dollars)
        total += sent
        for number, load in used.items():
            loads[number] = loads.get(number, 0) + load
    return total, loads


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


# ---- gifts -----------------------------------------------------------------------------------------------------------
def gift_chain(m: M, giver: int, to: int) -> tuple[bool, list[int]]:
    """Whether money can be brought from one power to another, and over which convoys.  [w2e-gift]"""
    state = m.state
    mine = supply_net(state, A.group[giver])
    starts = homes(m, giver)
    if A.group[giver] == A.group[to]:
        goals = homes(m, to)
        if starts & goals:
            return True, []
        if not goals or not state.convoys:
            return False, []
        room = convoy_room(state, A.group[to])
        for goal in sorted(goals):  # where nothing gets through the room stays as it is
            sent, used = send(mine.calls, room, starts, goal, 1)
            if sent:
                return True, list(used)
        return False, []
    if giver == A.ussr:
        return False, []  # money crosses to the Soviets, never from them  [w2e-ussr-separate]
    return _gift_abroad(m, giver, to, starts)


def _gift_abroad(m: M, giver: int, to: int, starts: set[int]) -> tuple[bool, list[int]]:
    """To the USSR: over a common land border, or by a convoy that calls at one of its ports."""
    state = m.state
    mine, theirs = supply_net(state, A.group[giver]), supply_net(state, A.group[to])
    goals = homes(m, to)

    if beside(theirs.land_in(goals)) & mine.land_in(starts):
        return True, []
    for convoy in state.convoys:
        if A.group[convoy.power] not in (A.group[giver], A.group[to]) or capacity(state, convoy) <= convoy.dollars:
            continue
        lands = [A.land_of_port[p] for p in route_ports(convoy)]
        if any(mine.part[s] in starts for s in lands) and any(theirs.part[s] in goals for s in lands):
            return True, [convoy.number]
    return False, []


def gift_room(m: M, giver: int, to: int) -> int:
    """Dollars that can still be given this turn.  [w2e-gift]"""
    state = m.state
    if state.status[giver] != AT_WAR or state.status[to] != AT_WAR:
        return 0
    most = min(GIFT - state.given[giver], GIFT - state.received[to], state.money[giver])
    if most <= 0:
        return 0
    way, convoys = gift_chain(m, giver, to)
    if not way:
        return 0
    rooms = [capacity(state, c) - c.dollars for c in state.convoys if c.number in convoys]
    return max(0, min([most, *rooms]))


def load_gift(m: M, giver: int, to: int, dollars: int) -> None:
    _, convoys = gift_chain(m, giver, to)
    m.state.convoys = tuple(
        msgspec.structs.replace(c, dollars=c.dollars + dollars) if c.number in convoys else c for c in m.state.convoys
    )


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
