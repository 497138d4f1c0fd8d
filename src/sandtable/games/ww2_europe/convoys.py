"""The Convoy phase: routes are drawn, changed and given up, ships join and leave."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.core import Field, Offer, OneOf, Refusal, Where

from .actions import CancelConvoy, JoinConvoy, LeaveConvoy, Reroute, StartConvoy
from .atlas import ATLAS, NOBODY, PORT_KIND
from .convoylines import (
    close_convoy,
    convoy_name,
    convoy_of,
    convoy_units,
    dissolve,
    drop_empty_convoys,
    end_ports,
    transports_in,
)
from .events import ConvoyDrawn, Redeployed
from .kinds import NAVAL
from .lookup import gate_shut, is_friendly, path_names, put, touch, unit_name, unit_of, units_of_power
from .redeploy import points_left
from .seacontrol import RANGE, leaving_cost, open_lanes, shut_port, voyages, wardens
from .state import AT_WAR, IN_CONVOY, Convoy, M, W2State
from .steps import SideStep
from .waters import Lanes, Nets, harbour_facts

A = ATLAS
K = ATLAS.kinds
Line = tuple[int, ...]


def may_call(m: M, port: int, power: int) -> bool:
    """Whether a convoy may call at a port: friendly ones, and Soviet ones with gifts.  [w2e-ussr-separate]"""
    return not shut_port(m, port, A.side[power]) and _calls_there(m.state, port, power)


def _calls_there(state: W2State, port: int, power: int) -> bool:
    owner = state.owner[A.land_of_port[port]]
    gift = owner == A.ussr and A.side[power] == A.side[A.ussr] and state.status[A.ussr] == AT_WAR
    return is_friendly(state, port, power) or gift


def lines_from(m: M, power: int, start: int, goal: int = NOBODY) -> dict[int, Line]:
    """A cheapest line from a port to every other, port by port, no stretch dearer than ten points.

    [w2e-convoy-sea-leg] [w2e-convoy-start] [w2e-penalty-convoy]
    """
    state, net, enemy = m.state, CONVOY_NETS.of(m.state, power), wardens(m, 1 - A.side[power])
    key = (net, power, start, goal)
    known = enemy.lines.get(key)
    if known is not None:
        return known
    lanes, penalties, shut = net.lanes, enemy.costs, enemy.ports
    best: dict[int, int] = {start: 0}
    found: dict[int, Line] = {start: (start,)}
    queue: list[tuple[int, int, int, Line]] = [(0, 0, start, (start,))]
    while queue:
        total, leg, here, path = heapq.heappop(queue)
        if leg > best.get(here, 1 << 30) and here != start:
            continue
        own = A.space_kind[here] == PORT_KIND and is_friendly(state, here, power)
        extra = penalties[here][0] if here in penalties and not own else 0
        for there, cost in lanes[here]:
            more = leg + cost + extra
            port = A.space_kind[there] == PORT_KIND
            onward = 0 if port else more
            if more > RANGE or onward >= best.get(there, 1 << 30):
                continue
            if there in shut:
                continue
            best[there] = onward
            line = (*path, there)
            if port and there not in found:
                found[there] = line
                if there == goal:
                    queue = []
                    break
            if not port or is_friendly(state, there, power):
                heapq.heappush(queue, (total + cost + extra, onward, there, line))
    enemy.lines[key] = found
    return found


def _convoy_lanes(state: W2State, power: int) -> Lanes:
    """Lanes of convoys: friendly ports, and Soviet ones with gifts."""
    return open_lanes(state, power, lambda port: _calls_there(state, port, power))


CONVOY_NETS = Nets(_convoy_lanes, harbour_facts)


def line_via(m: M, power: int, start: int, goal: int, via: int) -> Line | None:
    """A line that goes through a chosen sea in a single stretch."""
    first = voyages(m, K.transport, power, start).get(via)
    if first is None:
        return None
    rest = voyages(m, K.transport, power, via, budget=RANGE - first[0]).get(goal)
    return None if rest is None else (*first[1], *rest[1][1:])


def line_fault(m: M, convoy: Convoy) -> bool:
    """Whether a line is no longer legal: a port lost or shut, a strait closed, a stretch too dear."""
    state, power = m.state, convoy.power
    side, leg = A.side[power], 0
    if not all(may_call(m, s, power) for s in convoy.route if A.space_kind[s] == PORT_KIND):
        return True
    for here, there in zip(convoy.route, convoy.route[1:], strict=False):
        link = next(row for row in A.sea_links[here] if row[0] == there)
        leg += link[1] + leaving_cost(m, K.transport, power, here)
        if leg > RANGE or gate_shut(state, link[2], side):
            return True
        if A.space_kind[there] == PORT_KIND:
            leg = 0
    return False


def join_cost(m: M, unit: int, ends: Sequence[int]) -> int:
    """RPs to bring a ship into a convoy with these ends: 0 from one of them, 1 from elsewhere, -1 impossible.

    [w2e-convoy-add]
    """
    state = m.state
    space = state.space[unit]
    if space in ends and state.home[unit] in ends:
        return 0
    if points_left(state, state.power[unit]) < 1:
        return NOBODY
    if space in ends:
        return 1
    ways = voyages(m, state.kind[unit], state.power[unit], space)
    return 1 if any(port in ways for port in ends) else NOBODY


class ConvoyPhase(SideStep, frozen=True, tag="convoys"):
    """One side's convoys.  [w2e-convoy-order] [w2e-convoy-phase]"""

    rule = "w2e-convoy-phase"

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        state = m.state
        own = [c for c in state.convoys if c.power == power]
        ships = [u for u in units_of_power(m, power) if K.cls[state.kind[u]] == NAVAL and state.space[u] >= 0
                 and A.space_kind[state.space[u]] == PORT_KIND]  # fmt: skip
        transports = [u for u in ships if state.kind[u] == K.transport]
        offers: list[Offer] = []
        if transports:
            offers.append(self.start_offer(m, power, transports))
        if own:
            names = [convoy_name(c.number) for c in own]
            if ships:
                offers.append(self.join_offer(m, ships, own))
            crew = [u for c in own for u in convoy_units(state, c.number)]
            offers.append(
                Offer(
                    LeaveConvoy, Field("unit", "unit", OneOf([unit_name(state, u) for u in crew])),
                    Field("port", "space", lambda name: OneOf(self.ends_of(m, state.convoy[unit_of(state, name)]))),
                    rule="w2e-convoy-remove",
                )
            )  # fmt: skip
            offers.append(
                Offer(
                    CancelConvoy, Field("convoy", "choice", OneOf(names)),
                    Field("port", "space", lambda name: OneOf(self.ends_of(m, int(name.split()[1])))),
                    rule="w2e-convoy-cancel",
                )
            )  # fmt: skip
            offers.append(
                Offer(
                    Reroute, Field("convoy", "choice", OneOf(names)),
                    Field("via", "space", lambda name: self.vias(m, int(name.split()[1]))),
                    rule="w2e-convoy-reroute",
                )
            )  # fmt: skip
        return offers

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
        out = voyages(m, K.transport, power, start)
        waters = ["", *(A.names[s] for s in out if A.space_kind[s] != PORT_KIND)]

        def why(name: str) -> Refusal | None:
            if name:
                line = line_via(m, power, start, goal, A.index[name])
            else:
                line = lines_from(m, power, start, goal).get(goal)
            return None if line is not None else Refusal("w2e-convoy-reroute", "no-line", space=f"@{A.names[goal]}")

        return Where(waters, why)

    def start_offer(self, m: M, power: int, transports: Sequence[int]) -> Offer:
        state = m.state

        def origins(name: str) -> OneOf:
            unit = unit_of(state, name)
            here = state.space[unit]
            ports = [here]
            if points_left(state, power) > 0:
                ports += [s for s in voyages(m, K.transport, power, here) if A.space_kind[s] == PORT_KIND and s != here]
            return OneOf([A.names[p] for p in ports if may_call(m, p, power) and join_cost(m, unit, [p]) >= 0])

        def goals(name: str, origin: str) -> OneOf:
            start = A.index[origin]

            def why(value: Any) -> Refusal | None:
                space = A.index.get(value, NOBODY) if isinstance(value, str) else NOBODY
                if space < 0 or A.space_kind[space] != PORT_KIND:
                    return None
                return Refusal("w2e-convoy-sea-leg", "no-line", space=f"@{A.names[space]}")

            return OneOf([A.names[s] for s in lines_from(m, power, start) if s != start], why)

        def vias(name: str, origin: str, goal: str) -> Where:
            return self.bends(m, power, A.index[origin], A.index[goal])

        return Offer(
            StartConvoy, Field("transport", "unit", OneOf([unit_name(state, u) for u in transports])),
            Field("origin", "space", origins), Field("goal", "space", goals), Field("via", "space", vias),
            rule="w2e-convoy-start",
        )  # fmt: skip

    def join_offer(self, m: M, ships: Sequence[int], own: Sequence[Convoy]) -> Offer:
        state = m.state

        def joinable(name: str) -> OneOf:
            unit = unit_of(state, name)
            return OneOf([convoy_name(c.number) for c in own if join_cost(m, unit, end_ports(state, c)) >= 0])

        return Offer(
            JoinConvoy, Field("unit", "unit", OneOf([unit_name(state, u) for u in ships])),
            Field("convoy", "choice", joinable), rule="w2e-convoy-add",
        )  # fmt: skip

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        if isinstance(action, StartConvoy):
            start, goal = A.index[action.origin], A.index[action.goal]
            line = (
                line_via(m, power, start, goal, A.index[action.via])
                if action.via
                else (lines_from(m, power, start, goal)[goal])
            )
            assert line is not None
            unit = unit_of(state, action.transport)
            self.pay(m, unit, join_cost(m, unit, [start, goal]) if state.space[unit] == start else 1)
            number = state.next_convoy
            state.next_convoy += 1
            state.convoys.append(Convoy(number, power, line))
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
            state.convoy[unit] = NOBODY
            put(m, unit, A.index[action.port])
            state.home[unit] = A.index[action.port]
            convoy = convoy_of(state, number)
            if convoy is not None and not transports_in(state, number):
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
            line_via(m, convoy.power, start, goal, A.index[action.via])
            if action.via
            else (lines_from(m, convoy.power, start, goal)[goal])
        )
        assert line is not None
        state.convoys = [msgspec.structs.replace(c, route=line) if c.number == number else c for c in state.convoys]
        touch(m)
        m.emit(ConvoyDrawn(convoy=action.convoy, power=f"@{A.powers[convoy.power]}", route=path_names(line)))

    def pay(self, m: M, unit: int, cost: int) -> None:
        if cost > 0:
            m.state.rps_used[m.state.power[unit]] += cost
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
            if A.side[convoy.power] == self.side and line_fault(m, convoy):
                close_convoy(m, convoy)
                if m.step is not self:
                    return
                m.push(LineCheck(self.side))
                return
        m.pop()
        drop_empty_convoys(m)


def enlist(m: M, unit: int, number: int) -> None:
    """A ship joins a convoy: from now on it is in every space of the line."""
    state = m.state
    state.convoy[unit] = number
    put(m, unit, IN_CONVOY)
