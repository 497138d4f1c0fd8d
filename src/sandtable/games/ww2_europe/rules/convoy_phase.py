"""The Convoy phase: routes are drawn, changed and given up, ships join and leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.core import Field, Named, Offer, OneOf, Refusal, Step, Where
from sandtable.core.columns import put

from ..facts.control import is_friendly
from ..facts.convoy_routes import cheapest_line, line_fault, line_via, may_call, ports_from
from ..facts.convoys import convoy_name, convoy_number, convoy_of, crew, end_ports, transports
from ..facts.names import path_names, space_choice, unit_choice, unit_name, unit_of
from ..facts.roster import roster
from ..facts.sea_control import shut_port, voyages, waters_between
from ..model.actions import CancelConvoy, Divert, JoinConvoy, LeaveConvoy, Reroute, StartConvoy
from ..model.atlas import ATLAS, NOBODY
from ..model.events import ConvoyDrawn, Redeployed
from ..model.state import LEFT_CONVOY, Convoy, M, added
from ..model.units import mark, mark_all
from .convoys import dissolve, enlist, in_port, join_cost, left_refusal
from .redeployment import points_left
from .side_step import SideStep
from .units import settle

A = ATLAS
K = ATLAS.kinds


class ConvoyPhase(SideStep, frozen=True, tag="convoys"):
    """One side's convoys.  [w2e-convoy-order] [w2e-convoy-phase]"""

    rule = "w2e-convoy-phase"

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        s = m.state
        own = [c for c in s.convoys if c.power == power]
        offers: list[Offer] = []
        if any(in_port(s, ship) for ship in roster(s).transports[power]):
            offers.append(self.start_offer(m, power))
        if not own:
            return offers
        if any(in_port(s, ship) for ship in roster(s).naval[power]):
            offers.append(self.join_offer(m, power, own))
        names = OneOf([convoy_name(convoy.number) for convoy in own])
        ends = Field("port", "space", lambda name: OneOf(self.ends_of(m, convoy_number(name))))
        vias = Field("via", "space", lambda name: self.vias(m, convoy_number(name)))
        return [
            *offers,
            self.leave_offer(m, own),
            Offer(CancelConvoy, Field("convoy", "choice", names), ends, rule="w2e-convoy-cancel"),
            Offer(Reroute, Field("convoy", "choice", names), vias, rule="w2e-convoy-reroute"),
        ]

    def leave_offer(self, m: M, own: Sequence[Convoy]) -> Offer:
        s = m.state

        def fields() -> tuple[Field, ...]:
            sailors = [u for c in own for u in crew(s, c.number)]
            ends = Field("port", "space", lambda name: OneOf(self.ends_of(m, s.convoy[unit_of(s, name)])))
            return Field("unit", "unit", unit_choice(s, sailors)), ends

        return Offer(LeaveConvoy, fields, rule="w2e-convoy-remove")

    def ends_of(self, m: M, number: int) -> list[str]:
        convoy = convoy_of(m.state, number)
        return [A.names[p] for p in end_ports(m.state, convoy)] if convoy is not None else []

    def vias(self, m: M, number: int) -> Where:
        """Return seas through which the line can be redrawn; '' is the cheapest line."""
        convoy = convoy_of(m.state, number)
        assert convoy is not None
        start, goal = convoy.route[0], convoy.route[-1]
        return self.bends(m, convoy.power, start, goal)

    def bends(self, m: M, power: int, start: int, goal: int) -> Where:
        waters = ["", *[A.names[space] for space in waters_between(m.state, power, start, goal)]]

        # a line through one of these waters leads on to any port that ships may enter
        enters = not shut_port(m.state, goal, A.side[power]) and is_friendly(m.state, goal, power)

        def why(name: str) -> Refusal | None:
            if enters if name else cheapest_line(m.state, power, start, goal) is not None:
                return None
            return Refusal("w2e-convoy-reroute", "no-line", space=f"@{A.names[goal]}")

        return Where(waters, why)

    def start_offer(self, m: M, power: int) -> Offer:
        s = m.state

        def origins(name: str) -> Named:
            unit = unit_of(s, name)
            ports = [s.space[unit]]
            if points_left(s, power) > 0:
                ports += voyages(s, K.transport, power, s.space[unit]).ports

            def rule(port: int) -> Refusal | None:
                if may_call(s, port, power) and join_cost(m, unit, [port]) >= 0:
                    return None
                return Refusal("w2e-convoy-start", "no-line", space=A.told[port])

            return space_choice(ports, rule)

        def goals(name: str, origin: str) -> Named:
            def why(space: int) -> Refusal | None:
                is_port = A.is_port[space]
                return Refusal("w2e-convoy-sea-leg", "no-line", space=A.told[space]) if is_port else None

            return space_choice(ports_from(s, power, A.index[origin]), why=why)

        def fields() -> tuple[Field, ...]:
            ships = [u for u in roster(s).transports[power] if in_port(s, u)]
            return (
                Field("transport", "unit", unit_choice(s, ships, lambda ship: left_refusal(s, ship))),
                Field("origin", "space", origins),
                Field("goal", "space", goals),
                Field("via", "space", lambda name, start, goal: self.bends(m, power, A.index[start], A.index[goal])),
            )

        return Offer(StartConvoy, fields, rule="w2e-convoy-start")

    def join_offer(self, m: M, power: int, own: Sequence[Convoy]) -> Offer:
        s = m.state

        def joinable(name: str) -> OneOf:
            unit = unit_of(s, name)
            return OneOf([convoy_name(c.number) for c in own if join_cost(m, unit, end_ports(s, c)) >= 0])

        def fields() -> tuple[Field, ...]:
            ships = [u for u in roster(s).naval[power] if in_port(s, u)]
            free = unit_choice(s, ships, lambda ship: left_refusal(s, ship))
            return Field("unit", "unit", free), Field("convoy", "choice", joinable)

        return Offer(JoinConvoy, fields, rule="w2e-convoy-add")

    def stays(self, m: M, power: int) -> bool:
        return True

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        if isinstance(action, StartConvoy):
            start, goal = A.index[action.origin], A.index[action.goal]
            line = (
                line_via(state, power, start, goal, A.index[action.via])
                if action.via
                else (cheapest_line(state, power, start, goal))
            )
            assert line is not None
            unit = unit_of(state, action.transport)
            self.pay(m, unit, join_cost(m, unit, [start, goal]) if state.space[unit] == start else 1)
            number = state.next_convoy
            state.next_convoy += 1
            state.convoys = (*state.convoys, Convoy(number, power, line))
            enlist(m, unit, number)
            m.emit(ConvoyDrawn(convoy=convoy_name(number), power=f"@{A.powers[power]}", route=path_names(line)))
        elif isinstance(action, JoinConvoy):
            convoy = convoy_of(state, int(action.convoy.split()[1]))
            assert convoy is not None
            unit = unit_of(state, action.unit)
            self.pay(m, unit, join_cost(m, unit, end_ports(state, convoy)))
            enlist(m, unit, convoy.number)
        elif isinstance(action, LeaveConvoy):
            unit = unit_of(state, action.unit)
            mark(state, unit, LEFT_CONVOY)
            number = state.convoy[unit]
            state.convoy = put(state.convoy, unit, NOBODY)
            settle(state, unit, A.index[action.port])
            convoy = convoy_of(state, number)
            if convoy is not None and not transports(state, number):
                self.cancel(m, convoy, action.port)
        elif isinstance(action, CancelConvoy):
            convoy = convoy_of(state, int(action.convoy.split()[1]))
            assert convoy is not None
            self.cancel(m, convoy, action.port)
        else:
            self.redraw(m, action)

    def cancel(self, m: M, convoy: Convoy, port: str) -> None:
        """The line is erased, and its ships end the turn in the port.  [w2e-convoy-cancel]"""
        mark_all(m.state, crew(m.state, convoy.number), LEFT_CONVOY)
        dissolve(m, convoy, A.index[port])

    def redraw(self, m: M, action: Reroute) -> None:
        state = m.state
        number = int(action.convoy.split()[1])
        convoy = convoy_of(state, number)
        assert convoy is not None
        start, goal = convoy.route[0], convoy.route[-1]
        line = (
            line_via(state, convoy.power, start, goal, A.index[action.via])
            if action.via
            else (cheapest_line(state, convoy.power, start, goal))
        )
        assert line is not None
        state.convoys = tuple(
            msgspec.structs.replace(c, route=line) if c.number == number else c for c in state.convoys
        )
        m.emit(ConvoyDrawn(convoy=action.convoy, power=f"@{A.powers[convoy.power]}", route=path_names(line)))

    def pay(self, m: M, unit: int, cost: int) -> None:
        if cost > 0:
            m.state.rps_used = added(m.state.rps_used, m.state.power[unit], cost)
            m.emit(Redeployed(unit=unit_name(m.state, unit), power=f"@{A.powers[m.state.power[unit]]}", to="@convoy",
                              points=cost))  # fmt: skip

    def finish(self, m: M) -> None:
        """Lines that are no longer legal are given up."""
        m.push(LineCheck(self.side))


class LineCheck(SideStep, frozen=True, tag="line-check"):
    """Convoys whose line has become illegal end; their owner says where the ships go.  [w2e-convoy-cancel]"""

    rule = "w2e-convoy-cancel"

    def run(self, m: M) -> None:
        for convoy in m.state.convoys:
            if A.side[convoy.power] == self.side and line_fault(m.state, convoy):
                close_convoy(m, convoy)
                if m.step is not self:
                    return
                m.push(LineCheck(self.side))
                return
        m.pop()
        drop_empty_convoys(m)


def drop_empty_convoys(m: M) -> None:
    """A convoy without a transport must be cancelled."""
    for convoy in list(m.state.convoys):
        if not transports(m.state, convoy.number):
            close_convoy(m, convoy)


def close_convoy(m: M, convoy: Convoy) -> None:
    """End a convoy; its owner says to which end the ships go where there is a choice."""
    ports = end_ports(m.state, convoy)
    if not crew(m.state, convoy.number) or len(ports) < 2:
        dissolve(m, convoy, ports[0] if ports else NOBODY)
    else:
        m.push(EndConvoy(convoy.number))


class EndConvoy(Step, frozen=True, tag="end-convoy"):
    """To which end the escorts of a lost convoy go.  [w2e-convoy-cancel]"""

    rule = "w2e-convoy-cancel"
    convoy: int

    def ports(self, m: M) -> list[int]:
        convoy = convoy_of(m.state, self.convoy)
        return end_ports(m.state, convoy) if convoy is not None else []

    def run(self, m: M) -> None:
        convoy = convoy_of(m.state, self.convoy)
        if convoy is None:
            m.pop()
        elif len(self.ports(m)) < 2:
            m.pop()
            dissolve(m, convoy, next(iter(self.ports(m)), NOBODY))

    def roles(self, m: M) -> Sequence[str]:
        convoy = convoy_of(m.state, self.convoy)
        assert convoy is not None
        return (A.powers[convoy.power],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Divert, Field("to", "space", OneOf([A.names[p] for p in self.ports(m)])), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        convoy = convoy_of(m.state, self.convoy)
        assert convoy is not None
        m.pop()
        dissolve(m, convoy, A.index[action.to])
