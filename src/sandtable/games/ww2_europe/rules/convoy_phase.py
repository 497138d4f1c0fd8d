"""The Convoy phase: routes are drawn, changed and given up, ships join and leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.core import Field, Late, Listed, Offer, OneOf, Refusal, Step, Where
from sandtable.core.columns import put

from ..facts.control import is_friendly
from ..facts.convoy_routes import line_fault, line_via, lines_from, may_call, ports_from
from ..facts.convoys import convoy_name, convoy_of, crew, end_ports, transports
from ..facts.lanes import PORTS
from ..facts.names import path_names, unit_name, unit_of
from ..facts.roster import roster
from ..facts.sea_control import shut_port, voyages, waters_between
from ..facts.whereabouts import whereabouts
from ..model.actions import CancelConvoy, Divert, JoinConvoy, LeaveConvoy, Reroute, StartConvoy
from ..model.atlas import ATLAS, NOBODY, PORT_KIND
from ..model.events import ConvoyDrawn, Redeployed
from ..model.state import Convoy, M, added
from .convoys import _in_port, _names, dissolve, enlist, join_cost
from .movement import units_where
from .redeployment import points_left
from .routes import Picked, allowed, spaces_where
from .side_step import SideStep
from .units import settle

A = ATLAS
K = ATLAS.kinds


class ConvoyPhase(SideStep, frozen=True, tag="convoys"):
    """One side's convoys.  [w2e-convoy-order] [w2e-convoy-phase]"""

    rule = "w2e-convoy-phase"

    def choices(self, m: M, power: int) -> Sequence[Listed]:
        state = m.state
        own = [c for c in state.convoys if c.power == power]
        offers: list[Listed] = []
        for ship in roster(state).transports[power]:
            if state.space[ship] >= 0 and A.space_kind[state.space[ship]] == PORT_KIND:
                offers.append((self.start_offer, m, power))
                break
        if not own:
            return offers
        if whereabouts(state).ships_of(power) & PORTS:
            offers.append((self.join_offer, m, power, own))
        offers.append((self.leave_offer, m, own))
        offers.append((self.cancel_offer, m, own))
        offers.append((self.reroute_offer, m, own))
        return offers

    def leave_offer(self, m: M, own: Sequence[Convoy]) -> Offer:
        state = m.state
        sailors = [u for c in own for u in crew(state, c.number)]
        ends = Field("port", "space", lambda name: OneOf(self.ends_of(m, state.convoy[unit_of(state, name)])))
        return Offer(LeaveConvoy, Field("unit", "unit", units_where(m, sailors)), ends, rule="w2e-convoy-remove")

    def cancel_offer(self, m: M, own: Sequence[Convoy]) -> Offer:
        ends = Field("port", "space", lambda name: OneOf(self.ends_of(m, int(name.split()[1]))))
        return Offer(CancelConvoy, Field("convoy", "choice", _names(own)), ends, rule="w2e-convoy-cancel")

    def reroute_offer(self, m: M, own: Sequence[Convoy]) -> Offer:
        vias = Field("via", "space", lambda name: self.vias(m, int(name.split()[1])))
        return Offer(Reroute, Field("convoy", "choice", _names(own)), vias, rule="w2e-convoy-reroute")

    def ends_of(self, m: M, number: int) -> list[str]:
        convoy = convoy_of(m.state, number)
        return [A.names[p] for p in end_ports(m.state, convoy)] if convoy is not None else []

    def vias(self, m: M, number: int) -> Where:
        """Seas through which the line can be redrawn; '' is the cheapest line."""
        convoy = convoy_of(m.state, number)
        assert convoy is not None
        start, goal = convoy.route[0], convoy.route[-1]
        return self.bends(m, convoy.power, start, goal)

    def bends(self, m: M, power: int, start: int, goal: int) -> Where:
        waters = ["", *[A.names[space] for space in waters_between(m.state, power, start, goal)]]

        # a line through one of these waters leads on to any port that ships may enter
        enters = not shut_port(m.state, goal, A.side[power]) and is_friendly(m.state, goal, power)

        def why(name: str) -> Refusal | None:
            if enters if name else goal in lines_from(m.state, power, start):
                return None
            return Refusal("w2e-convoy-reroute", "no-line", space=f"@{A.names[goal]}")

        return Where(waters, why)

    def start_offer(self, m: M, power: int) -> Offer:
        state, ships = m.state, _in_port(m.state, roster(m.state).transports[power])

        def origins(name: str) -> Picked:
            unit = unit_of(state, name)
            here = state.space[unit]
            ports = [here]
            if points_left(state, power) > 0:
                ports += voyages(state, K.transport, power, here).ports

            def rule(port: int) -> Refusal | None:
                if may_call(state, port, power) and join_cost(m, unit, [port]) >= 0:
                    return None
                return Refusal("w2e-convoy-start", "no-line", space=f"@{A.names[port]}")

            return spaces_where(ports, rule)

        def goals(name: str, origin: str) -> Picked:
            start = A.index[origin]

            def why(space: int) -> Refusal | None:
                if A.space_kind[space] != PORT_KIND:
                    return None
                return Refusal("w2e-convoy-sea-leg", "no-line", space=f"@{A.names[space]}")

            return spaces_where(ports_from(state, power, start), allowed, why)

        def vias(name: str, origin: str, goal: str) -> Where:
            return self.bends(m, power, A.index[origin], A.index[goal])

        return Late(
            StartConvoy,
            lambda: (
                Field("transport", "unit", units_where(m, ships)),
                Field("origin", "space", origins),
                Field("goal", "space", goals),
                Field("via", "space", vias),
            ),
            rule="w2e-convoy-start",
        )

    def join_offer(self, m: M, power: int, own: Sequence[Convoy]) -> Offer:
        state, ships = m.state, _in_port(m.state, roster(m.state).naval[power])

        def joinable(name: str) -> OneOf:
            unit = unit_of(state, name)
            return OneOf([convoy_name(c.number) for c in own if join_cost(m, unit, end_ports(state, c)) >= 0])

        return Late(
            JoinConvoy,
            lambda: (Field("unit", "unit", units_where(m, ships)), Field("convoy", "choice", joinable)),
            rule="w2e-convoy-add",
        )

    def stays(self, m: M, power: int) -> bool:
        return True

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        if isinstance(action, StartConvoy):
            start, goal = A.index[action.origin], A.index[action.goal]
            line = (
                line_via(state, power, start, goal, A.index[action.via])
                if action.via
                else (lines_from(state, power, start)[goal])
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
            number = state.convoy[unit]
            state.convoy = put(state.convoy, unit, NOBODY)
            settle(state, unit, A.index[action.port])
            convoy = convoy_of(state, number)
            if convoy is not None and not transports(state, number):
                dissolve(m, convoy, A.index[action.port])
        elif isinstance(action, CancelConvoy):
            convoy = convoy_of(state, int(action.convoy.split()[1]))
            assert convoy is not None
            dissolve(m, convoy, A.index[action.port])
        else:
            self.redraw(m, action)

    def redraw(self, m: M, action: Reroute) -> None:
        state = m.state
        number = int(action.convoy.split()[1])
        convoy = convoy_of(state, number)
        assert convoy is not None
        start, goal = convoy.route[0], convoy.route[-1]
        line = (
            line_via(state, convoy.power, start, goal, A.index[action.via])
            if action.via
            else (lines_from(state, convoy.power, start)[goal])
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
