"""Movement Penalties: Sea Control units make enemy ships pay, and shut their ports to them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec

from sandtable.core.columns import put_all
from sandtable.core.facts import fact

from ..model.atlas import ALLIES, ATLAS, AXIS
from ..model.kinds import NAVAL
from ..model.state import AT_WAR, W2State
from .access import harbour_net
from .control import is_friendly
from .lanes import NO_TOLLS, SEA_CHART, Net, Reach, spaces_in, spread
from .roster import roster

A = ATLAS
K = ATLAS.kinds
RANGE = K.movement[K.destroyer]
_AFLOAT = tuple(what == NAVAL for what in K.cls)
_OFF_PORT = tuple(
    tuple(there for there, _, _ in A.sea_links[space]) if A.is_port[space] else () for space in range(len(A.names))
)
"""Per port the waters that ships, and planes aboard them, act on."""
_OFF_LAND = tuple(
    tuple(water for water in A.coast[space] if not A.is_port[water]) if A.is_land[space] else ()
    for space in range(len(A.names))
)
"""Per land space the seas that planes act on."""
_TOLL_PORTS = sum(1 << water for water in A.ports if any(A.is_port[port] for port in _OFF_PORT[water]))
"""The ports that ships in another port act on, as a set of bits."""


class Wardens(msgspec.Struct, frozen=True):
    """What a side's Sea Control units do to enemy shipping where they stand now.

    Ships act from port on the seas beside it, tac bombers from coastal land or from a carrier's deck.
    [w2e-penalty-general] [w2e-carrier-air-basing] [w2e-unit-tac-sea-control] [w2e-port-sea-control-cost]
    """

    every: tuple[int, ...]
    """Per space the extra points to leave it that all of them cost,"""
    hunters: tuple[int, ...]
    """and that those with ASW cost."""
    ports: int
    """Ports with such ships in them, as a set of bits: no enemy ship comes in."""

    def tolls(self, friendly: int, submerged: bool) -> tuple[int, ...]:
        """Return what ships pay to leave each space; their friendly ports (a set of bits) are free.  [w2e-port-exit]"""
        return _tolls(self, friendly & _TOLL_PORTS, submerged)


@fact("every", "hunters")
def _tolls(enemy: Wardens, free: int, submerged: bool) -> tuple[int, ...]:
    tolls = enemy.hunters if submerged else enemy.every
    return put_all(tolls, spaces_in(free), 0)


_Fact = Callable[[W2State], Wardens]


def _control_of(side: int) -> _Fact:
    """Return the fact of what a side's Sea Control units do."""

    def watch(s: W2State, before: tuple[Any, ...], value: Wardens) -> Wardens | None:
        """Return the same where none of these units moved, came or was lost."""
        spaces, aboard, kinds, powers, status = before
        if s.status is not status or s.kind is not kinds or s.power is not powers:
            return None
        now, carried = s.space, s.cargo_of
        for unit in roster(s).wardens[side]:
            if spaces[unit] != now[unit] or aboard[unit] != carried[unit]:
                return None
        return value

    @fact("space", "cargo_of", "kind", "power", "status", update=watch)
    def control(s: W2State) -> Wardens:
        return _wardens(s, side)

    return control


_CONTROL = (_control_of(AXIS), _control_of(ALLIES))


def sea_control(s: W2State, side: int) -> Wardens:
    """Return a side's Sea Control as it is now."""
    return _CONTROL[side](s)


def _wardens(s: W2State, side: int) -> Wardens:
    every, hunters = [0] * len(A.names), [0] * len(A.names)
    ports = 0
    for unit in roster(s).wardens[side]:
        space, kind = s.space[unit], s.kind[unit]
        if space < 0:
            continue
        afloat = _AFLOAT[kind]
        if afloat and A.is_port[space]:
            ports |= 1 << space
        if s.status[s.power[unit]] == AT_WAR:
            for water in _OFF_PORT[space] if afloat or s.cargo_of[unit] >= 0 else _OFF_LAND[space]:
                every[water] += 1
                if K.asw[kind]:
                    hunters[water] += 1
    return Wardens(tuple(every), tuple(hunters), ports)


def wardens_against(s: W2State, power: int) -> Wardens:
    """Return the Sea Control of a power's enemies."""
    return sea_control(s, 1 - A.side[power])


def leaving_cost(s: W2State, kind: int, power: int, space: int) -> int:
    """Return the extra points to leave a water.  [w2e-port-exit] [w2e-penalty-subs]"""
    if A.is_port[space] and is_friendly(s, space, power):
        return 0
    enemy = wardens_against(s, power)
    return (enemy.hunters if K.submerged[kind] else enemy.every)[space]


def shut_port(s: W2State, port: int, side: int) -> bool:
    """Whether enemy Sea Control units lie in a port.  [w2e-port-sea-control] [w2e-redeploy-sea-control-block]"""
    return bool(sea_control(s, 1 - side).ports >> port & 1)


def open_to(net: Net, enemy: Wardens) -> Net:
    """Return a net without the ports that enemy Sea Control units shut: hardly ever is one among those it leads to."""
    return SEA_CHART.net(net.shut | enemy.ports) if enemy.ports & ~net.shut else net


def voyages(s: W2State, kind: int, power: int, start: int, *, dash: bool = False, within: int = RANGE) -> Reach:
    """Return the waters in range of a ship in Redeployment or on a convoy's stretch, with the points to get there.

    Where only those within fewer points are wanted, others are not to be relied on.
    Only friendly ports may be passed or entered; straits and canals with an enemy bank are shut.
    [w2e-redeploy-naval] [w2e-convoy-sea-leg] [w2e-special-channel-dash]
    """
    return _voyages(wardens_against(s, power), harbour_net(s, power), start, K.submerged[kind], dash, within)


@fact("every", "hunters", "ports")
def _voyages(enemy: Wardens, net: Net, start: int, submerged: bool, dash: bool, within: int) -> Reach:
    tolls = NO_TOLLS if dash else enemy.tolls(~net.shut, submerged)  # ports that are not friendly are shut
    return spread(open_to(net, enemy), start, RANGE, tolls, within)


def waters_between(s: W2State, power: int, start: int, goal: int) -> list[int]:
    """Return the waters through which a stretch of a convoy's line can lead from one port to another.

    Lanes are open both ways, so the rest of the way is the voyage backwards: the toll is paid where a lane begins.
    """
    out = voyages(s, K.transport, power, start)
    if goal not in out:
        return []
    net, enemy = harbour_net(s, power), wardens_against(s, power)
    tolls, lanes = enemy.tolls(~net.shut, False), open_to(net, enemy).lanes
    back, queue, leaf = {goal: 0}, [goal], net.chart.leaf
    for here in queue:
        for cost, near in lanes[here]:
            rest = back[here] + cost
            for there in near:
                if there in out:
                    total = rest + tolls[there]
                    if total + out[there] <= RANGE and (there not in back or total < back[there]):
                        back[there] = total
                        if not leaf[there]:
                            queue.append(there)
    return [space for space in out if space in back and not A.is_port[space]]


def stretch_cost(s: W2State, power: int, path: tuple[int, ...], kind: int = K.transport) -> int:
    """Return what one stretch of a line costs with its penalties.  [w2e-penalty-convoy]"""
    total = 0
    for here, there in pairwise(path):
        cost = next(row[1] for row in A.sea_links[here] if row[0] == there)
        total += cost + leaving_cost(s, kind, power, here)
    return total
