"""Convoy routes: where a line may run, the cheapest one, the ports it can call at, and when it is no longer legal."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..model.atlas import ATLAS, NOBODY, OWNERS, PORT_KIND
from ..model.state import AT_WAR, Convoy, M, W2State
from ..rules.homecoming_phase import friendly_ports
from .control import control, friends
from .lanes import Net
from .lookup import gate_shut, is_friend
from .sea_control import RANGE, leaving_cost, open_to, port_net, shut_port, voyages, wardens

A = ATLAS
K = ATLAS.kinds
Line = tuple[int, ...]
Way = tuple[int, Any]
"""A space, and the way that led there; None where it began."""
_IS_PORT = tuple(kind == PORT_KIND for kind in A.space_kind)
SEA_LINK = {(here, there): (cost, gate) for here, row in enumerate(A.sea_links) for there, cost, gate in row[::-1]}
"""Per pair of neighbouring waters the points from one to the other, and the land that commands the way."""


def may_call(m: M, port: int, power: int) -> bool:
    """Whether a convoy may call at a port: friendly ones, and Soviet ones with gifts.  [w2e-ussr-separate]"""
    return not shut_port(m, port, A.side[power]) and _calls_there(m.state, port, power)


def _calls_there(state: W2State, port: int, power: int) -> bool:
    return _calls_on(state, state.owner[A.land_of_port[port]], power)


def _calls_on(state: W2State, owner: int, power: int) -> bool:
    gift = owner == A.ussr and A.side[power] == A.side[A.ussr] and state.status[A.ussr] == AT_WAR
    return is_friend(state, owner, power) or gift


def lines_from(m: M, power: int, start: int, goal: int = NOBODY) -> dict[int, Line]:
    """A cheapest line from a port to every other or to one goal, port by port, no stretch dearer than ten points.

    [w2e-convoy-sea-leg] [w2e-convoy-start] [w2e-penalty-convoy]
    """
    enemy = wardens(m, 1 - A.side[power])
    key = (convoy_net(m, power), friends(m.state.status, power), start, goal)
    found = enemy.lines.get(key)
    if found is None:
        found = enemy.lines[key] = _lines_from(m, power, start, goal)
    return found


def _lines_from(m: M, power: int, start: int, goal: int) -> dict[int, Line]:
    enemy = wardens(m, 1 - A.side[power])
    tolls, friendly = enemy.tolls(m.state, power, False), friendly_ports(m, power)
    lanes = open_to(convoy_net(m, power), enemy).lanes
    best = [RANGE + 1] * len(A.names)
    """Points of the stretch so far: a new one begins in every port."""
    best[start] = 0
    found: dict[int, Line] = {start: (start,)}
    due: dict[int, list[tuple[int, int, Way]]] = {0: [(0, start, (start, None))]}
    """By points of the whole line: the points of the stretch so far, where it has come to, and how."""
    total = 0
    while due:
        for leg, here, way in sorted(due.pop(total, ())):
            if leg > best[here]:
                continue
            extra = tolls[here]
            for cost, near in lanes[here]:
                more = leg + cost + extra
                for there in near if more <= RANGE else ():
                    if more >= best[there]:
                        continue
                    further = (there, way)
                    best[there] = onward = 0 if _IS_PORT[there] else more
                    if not onward:
                        if goal in (there, NOBODY):
                            found[there] = _drawn(further)
                        if there == goal:
                            return found
                        if not friendly >> there & 1:
                            continue
                    due.setdefault(total + cost + extra, []).append((onward, there, further))
        total += 1
    return found


def _drawn(way: Way) -> Line:
    """The line from the start of a way to its end."""
    line, before = [way[0]], way[1]
    while before is not None:
        line.append(before[0])
        before = before[1]
    return tuple(reversed(line))


def convoy_net(m: M, power: int) -> Net:
    """Where a power's convoys may run: to friendly ports, and to Soviet ones with gifts."""
    return control(m).fact(("convoys", power), _convoy_net, m, power)


def _convoy_net(m: M, power: int) -> Net:
    return port_net(m, power, [owner for owner in OWNERS if not _calls_on(m.state, owner, power)])


def line_via(m: M, power: int, start: int, goal: int, via: int) -> Line | None:
    """A line that goes through a chosen sea in a single stretch."""
    out = voyages(m, K.transport, power, start)
    if via not in out:
        return None
    on = voyages(m, K.transport, power, via, within=RANGE - out[via])
    if goal not in on or out[via] + on[goal] > RANGE:
        return None
    return (*out.path(via), *on.path(goal)[1:])


def ports_from(m: M, power: int, start: int) -> list[int]:
    """The ports to which some line leads from a port: the goals of `lines_from`, found without drawing the lines."""
    state, net, enemy = m.state, convoy_net(m, power), wardens(m, 1 - A.side[power])
    group = (net, friends(state.status, power))
    known = enemy.calls.get((*group, start))
    if known is None:
        known = enemy.calls[*group, start] = _ports_from(m, power, start)
        friendly = friendly_ports(m, power)
        if (friendly & ~enemy.ports) >> start & 1:
            # a stretch between two friendly ports costs the same both ways, so each of them leads to all the others
            joined = sorted([*known, start])
            for port in joined:
                if friendly >> port & 1:
                    enemy.calls[*group, port] = joined
    return [port for port in known if port != start]


def _ports_from(m: M, power: int, start: int) -> list[int]:
    enemy = wardens(m, 1 - A.side[power])
    tolls, friendly = enemy.tolls(m.state, power, False), friendly_ports(m, power)
    lanes = open_to(convoy_net(m, power), enemy).lanes
    least = [RANGE + 1] * len(A.names)
    """Points of the stretch so far: a new one begins in every port."""
    least[start] = 0
    queue = [start]
    found: list[int] = []
    for here in queue:
        base = least[here] + tolls[here]
        for cost, near in lanes[here]:
            more = base + cost
            for there in near if more <= RANGE else ():
                if more >= least[there]:
                    continue
                if not _IS_PORT[there]:
                    least[there] = more
                    queue.append(there)
                    continue
                least[there] = 0
                found.append(there)
                if friendly >> there & 1:
                    queue.append(there)
    found.sort()
    return found


def line_fault(m: M, convoy: Convoy) -> bool:
    """Whether a line is no longer legal: a port lost or shut, a strait closed, a stretch too dear."""
    side, line = A.side[convoy.power], (convoy.power, convoy.route)
    known: dict[tuple[int, Line], bool] = m.kept(("faults", side), (wardens(m, 1 - side), control(m)), dict)
    if line not in known:
        known[line] = _line_fault(m, convoy.power, convoy.route)
    return known[line]


def _line_fault(m: M, power: int, route: Line) -> bool:
    state, side, leg = m.state, A.side[power], 0
    if not all(may_call(m, s, power) for s in route if _IS_PORT[s]):
        return True
    for here, there in pairwise(route):
        cost, gate = SEA_LINK[here, there]
        leg += cost + leaving_cost(m, K.transport, power, here)
        if leg > RANGE or gate_shut(state, gate, side):
            return True
        if _IS_PORT[there]:
            leg = 0
    return False
