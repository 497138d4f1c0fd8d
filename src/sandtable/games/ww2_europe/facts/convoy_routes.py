"""Convoy routes: where a line may run, the cheapest one, the ports it can call at, and when it is no longer legal."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.state import Convoy, W2State
from .access import calls_on, convoy_net
from .control import gate_shut
from .lanes import Net
from .sea_control import RANGE, Wardens, leaving_cost, open_to, shut_port, voyages, wardens_against
from .strongpoints import friendly_ports

A = ATLAS
K = ATLAS.kinds
Line = tuple[int, ...]
Way = tuple[int, Any]
"""A space, and the way that led there; None where it began."""
SEA_LINK = {(here, there): (cost, gate) for here, row in enumerate(A.sea_links) for there, cost, gate in row[::-1]}
"""Per pair of neighbouring waters the points from one to the other, and the land that commands the way."""


def may_call(s: W2State, port: int, power: int) -> bool:
    """Whether a convoy may call at a port: friendly ones, and Soviet ones with gifts.  [w2e-ussr-separate]"""
    return not shut_port(s, port, A.side[power]) and calls_on(s, s.owner[A.land_of_port[port]], power)


def cheapest_line(s: W2State, power: int, start: int, goal: int) -> Line | None:
    """Return a cheapest line from a port to another, port by port; None where there is none."""
    way: Way | None = _ways_from(s, power, start).get(goal)
    line: list[int] = []
    while way is not None:
        line.append(way[0])
        way = way[1]
    return tuple(reversed(line)) or None


def ports_from(s: W2State, power: int, start: int) -> list[int]:
    """Return the ports to which some line leads from a port."""
    return sorted(_ways_from(s, power, start).keys() - {start})


def _ways_from(s: W2State, power: int, start: int) -> Mapping[int, Way]:
    return _cheapest_ways(wardens_against(s, power), convoy_net(s, power), friendly_ports(s, power), start)


@fact("every", "hunters", "ports")
def _cheapest_ways(enemy: Wardens, net: Net, friendly: int, start: int) -> Mapping[int, Way]:
    """Return per port the cheapest way there, no stretch dearer than ten points.

    [w2e-convoy-sea-leg] [w2e-convoy-start] [w2e-penalty-convoy]
    """
    tolls, lanes = enemy.tolls(friendly, False), open_to(net, enemy).lanes
    best = [RANGE + 1] * len(A.names)
    """Points of the stretch so far: a new one begins in every port."""
    best[start] = 0
    begin: Way = (start, None)
    found: dict[int, Way] = {start: begin}
    due: dict[int, list[tuple[int, int, Way]]] = {0: [(0, start, begin)]}
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
                    best[there] = onward = 0 if A.is_port[there] else more
                    if not onward:
                        found[there] = further
                        if not friendly >> there & 1:
                            continue
                    due.setdefault(total + cost + extra, []).append((onward, there, further))
        total += 1
    return found


def line_via(s: W2State, power: int, start: int, goal: int, via: int) -> Line | None:
    """Return a line that goes through a chosen sea in a single stretch; None where there is none."""
    out = voyages(s, K.transport, power, start)
    if via not in out:
        return None
    on = voyages(s, K.transport, power, via, within=RANGE - out[via])
    if goal not in on or out[via] + on[goal] > RANGE:
        return None
    return (*out.path(via), *on.path(goal)[1:])


def line_fault(s: W2State, convoy: Convoy) -> bool:
    """Whether a line is no longer legal: a port lost or shut, a strait closed, a stretch too dear."""
    power, leg = convoy.power, 0
    if not all(may_call(s, space, power) for space in convoy.route if A.is_port[space]):
        return True
    for here, there in pairwise(convoy.route):
        cost, gate = SEA_LINK[here, there]
        leg += cost + leaving_cost(s, K.transport, power, here)
        if leg > RANGE or gate_shut(s, gate, A.side[power]):
            return True
        if A.is_port[there]:
            leg = 0
    return False
