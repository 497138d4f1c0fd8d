"""4.1 Set-up choices and the optional rules that need a step of their own (9.10, 9.13, the historical option)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Role, Step
from sandtable.core.columns import put

from ..facts.politics import acting, leader
from ..facts.reach import rail_reach
from ..facts.units import on_map
from ..model import events as ev
from ..model.actions import Ally, Done, Initiate, Shift
from ..model.atlas import ALLIES, ATLAS, AXIS, BE, MAJORS, SIDES, label, name, unit_id
from ..model.state import AT_WAR, MOVED, BKState, M, mark, move_unit
from .economy import refresh_production


class ChooseFirst(Step, frozen=True, tag="bg.choose-first"):
    """Optional 9.13: the side that won the initiative says who acts first. [bg-opt-9.13]"""

    rule = "bg-opt-9.13"

    def roles(self, m: M) -> Sequence[Role]:
        return (MAJORS[leader(m.state, m.state.initiative)],)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return [Choices([Initiate(side) for side in SIDES], rule=self.rule)]

    def take(self, m: M, role: Role, action: Initiate) -> None:
        m.state.initiative = SIDES.index(action.side)
        m.pop()


class ChooseAlliances(Step, frozen=True, tag="bg.choose-alliances"):
    """Optional 9.10: every major chooses its alliance; wars inside one alliance are off. [bg-opt-9.10]"""

    rule = "bg-opt-9.10"
    axis: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()

    @property
    def done(self) -> tuple[str, ...]:
        return self.axis + self.allies

    def run(self, m: M) -> None:
        if len(self.done) == len(MAJORS):
            m.pop()
            for side, roles in ((AXIS, self.axis), (ALLIES, self.allies)):
                for role in roles:
                    m.state.side = put(m.state.side, MAJORS.index(role), side)
            settle_alliances(m)

    def roles(self, m: M) -> Sequence[Role]:
        return [role for role in MAJORS if role not in self.done]

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        last = len(self.done) == len(MAJORS) - 1
        # nobody to fight would be no game: the last to choose makes the empty side
        sides = [s for s, taken in ((AXIS, self.axis), (ALLIES, self.allies)) if not last or not taken]
        return [Choices([Ally(SIDES[s]) for s in sides or (AXIS, ALLIES)], rule=self.rule)]

    def take(self, m: M, role: Role, action: Ally) -> None:
        if action.side == SIDES[AXIS]:
            m.replace(ChooseAlliances((*self.axis, role), self.allies))
        else:
            m.replace(ChooseAlliances(self.axis, (*self.allies, role)))


def settle_alliances(m: M) -> None:
    """Minors follow the major that plays them; those on one side do not fight each other."""
    state = m.state
    for nation in range(8, len(state.side)):
        master = state.master[nation]
        if master >= 0 and state.standing[nation] == AT_WAR:
            state.side = put(state.side, nation, state.side[master])
    poland = ATLAS.poland
    if state.standing[poland] == AT_WAR:
        state.side = put(state.side, poland, state.side[BE])
    for a in range(len(state.war)):
        for b in range(len(state.war)):
            if state.war[a] >> b & 1 and state.side[a] == state.side[b]:
                state.war = put(state.war, a, state.war[a] & (~(1 << b)))
    refresh_production(state)


class SetUp(Step, frozen=True, tag="bg.set-up"):
    """Historical option: land units may start elsewhere in land connection, ships beside their own country; the
    Allies first.
    [bg-scn39-historical-option] [bg-scn41-historical-option]"""

    rule = "bg-scn39-historical-option"
    side: int = ALLIES
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if not m.asked():
            if self.side == ALLIES:
                m.replace(SetUp(AXIS))
            else:
                m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return [MAJORS[n] for n in acting(m.state, self.side) if MAJORS[n] not in self.done]

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        units = [u for u in on_map(m.state, MAJORS.index(role)) if shifts(m.state, u)]
        out: list[Offer] = [Choices([Done()], rule=self.rule)]
        if units:
            out.append(
                Offer(
                    Shift,
                    Field("unit", "unit", OneOf([unit_id(u) for u in units])),
                    Field("to", "space", lambda u: OneOf(ATLAS.names(shifts(m.state, ATLAS.unit_of[u])))),
                    rule=self.rule,
                )
            )
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(SetUp(self.side, (*self.done, role)))
            return
        unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
        m.emit(ev.Moved(unit=label(unit), origin=name(m.state.place[unit]), space=name(to), how="@set-up"))
        move_unit(m.state, unit, to)
        mark(m.state, unit, MOVED)


def shifts(state: BKState, unit: int) -> list[int]:
    """Return where a unit may start instead; each is moved once at most."""
    if state.flags[unit] & MOVED or ATLAS.is_air[unit]:
        return []
    nation = state.nation[unit]
    if ATLAS.is_ship[unit]:
        own = [s for s in ATLAS.land if state.control[s] == nation]
        return [z for z in dict.fromkeys(z for s in own for z in ATLAS.coast[s]) if z != state.place[unit]]
    return [s for s in rail_reach(state, unit) if state.control[s] == nation]
