"""4.1 Set-up choices and the optional rules that need a step of their own (9.10, 9.13, the historical option)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Role, Step

from ..model import events as ev
from ..model.actions import Ally, Done, Initiate, Shift
from ..model.atlas import ALLIES, AXIS, MAJORS, SIDES, atlas
from ..model.state import AT_WAR, BKPlay, BKState, acting, changed, put, units_of_role
from .economy import refresh_production
from .movement import label, uid
from .reach import name, rail_reach, why_not_stack


class ChooseFirst(Step, frozen=True, tag="bg.choose-first"):
    """Optional 9.13: the side that won the initiative says who acts first. [bg-opt-9.13]"""

    rule = "bg-opt-9.13"

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        boss, majors = atlas().boss[state.initiative], acting(state, state.initiative)
        return (MAJORS[boss if boss in majors or not majors else majors[0]],)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return [Choices([Initiate(side) for side in SIDES], rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: Initiate) -> None:
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

    def run(self, m: Play[BKState]) -> None:
        if len(self.done) == len(MAJORS):
            m.pop()
            for side, roles in ((AXIS, self.axis), (ALLIES, self.allies)):
                for role in roles:
                    m.state.side = changed(m.state.side, MAJORS.index(role), side)
            settle_alliances(m)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return [role for role in MAJORS if role not in self.done]

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        last = len(self.done) == len(MAJORS) - 1
        # nobody to fight would be no game: the last to choose makes the empty side
        sides = [s for s, taken in ((AXIS, self.axis), (ALLIES, self.allies)) if not last or not taken]
        return [Choices([Ally(SIDES[s]) for s in sides or (AXIS, ALLIES)], rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: Ally) -> None:
        if action.side == SIDES[AXIS]:
            m.replace(ChooseAlliances((*self.axis, role), self.allies))
        else:
            m.replace(ChooseAlliances(self.axis, (*self.allies, role)))


def settle_alliances(m: BKPlay) -> None:
    """Minors follow the major that plays them; those on one side do not fight each other."""
    state = m.state
    for nation in range(8, len(state.side)):
        master = state.master[nation]
        if master >= 0 and state.standing[nation] == AT_WAR:
            state.side = changed(state.side, nation, state.side[master])
    poland = atlas().poland
    if state.standing[poland] == AT_WAR:
        state.side = changed(state.side, poland, state.side[MAJORS.index("be")])
    for a in range(len(state.war)):
        for b in range(len(state.war)):
            if state.war[a] >> b & 1 and state.side[a] == state.side[b]:
                state.war = changed(state.war, a, state.war[a] & (~(1 << b)))
    refresh_production(state)


class SetUp(Step, frozen=True, tag="bg.set-up"):
    """Historical option: land units may start elsewhere in land connection, ships beside their own country; the
    Allies first.
    [bg-scn39-historical-option] [bg-scn41-historical-option]"""

    rule = "bg-scn39-historical-option"
    side: int = ALLIES
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        if not m.asked():
            if self.side == ALLIES:
                m.replace(SetUp(AXIS))
            else:
                m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return [MAJORS[n] for n in acting(m.state, self.side) if MAJORS[n] not in self.done]

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        found = atlas()
        units = [u for u in units_of_role(m.state, MAJORS.index(role)) if shifts(m, u)]
        out: list[Offer] = [Choices([Done()], rule=self.rule)]
        if units:
            out.append(
                Offer(
                    Shift,
                    Field("unit", "unit", OneOf([uid(u) for u in units])),
                    Field("to", "space", lambda u: OneOf(found.names(shifts(m, found.unit_of[u])))),
                    rule=self.rule,
                )
            )
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(SetUp(self.side, (*self.done, role)))
            return
        found = atlas()
        unit, to = found.unit_of[action.unit], found.space_of[action.to]
        m.emit(ev.Moved(unit=label(unit), origin=name(m.state.place[unit]), space=name(to), how="@set-up"))
        put(m.state, unit, to)
        m.state.flags[unit] |= 1


def shifts(m: BKPlay, unit: int) -> list[int]:
    """Where a unit may start instead; each is moved once at most."""
    state, found = m.state, atlas()
    if state.flags[unit] & 1 or found.is_air[unit]:
        return []
    nation = state.nation[unit]
    if found.is_ship[unit]:
        own = [s for s in found.land if state.control[s] == nation]
        return [z for z in dict.fromkeys(z for s in own for z in found.coast[s]) if z != state.place[unit]]
    return [s for s in rail_reach(state, unit) if state.control[s] == nation and why_not_stack(state, unit, s) is None]
