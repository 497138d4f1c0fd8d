"""Movement Penalties: Sea Control units make enemy ships pay, and shut their ports to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import pairwise

from ..model.atlas import ATLAS, PORT_KIND
from ..model.kinds import NAVAL
from ..model.state import AT_WAR, M, W2State
from .control import control, strangers
from .lanes import NO_TOLLS, PORTS, SEA_CHART, Net, Reach, shut_gates, spread
from .lookup import active_powers, is_friendly
from .roster import Pick, roster

A = ATLAS
K = ATLAS.kinds
RANGE = K.movement[K.destroyer]
_AFLOAT = tuple(what == NAVAL for what in K.cls)
_IS_PORT = tuple(kind == PORT_KIND for kind in A.space_kind)
_OFF_PORT = tuple(
    tuple(there for there, _, _ in A.sea_links[space]) if _IS_PORT[space] else () for space in range(len(A.names))
)
"""Per port the waters that ships, and planes aboard them, act on."""
_OFF_LAND = tuple(
    tuple(water for water in A.coast[space] if not _IS_PORT[water]) if A.is_land[space] else ()
    for space in range(len(A.names))
)
"""Per land space the seas that planes act on."""
_SIDE_BY_SIDE = tuple(water for water in A.ports if any(_IS_PORT[port] for port in _OFF_PORT[water]))
"""The ports that ships in another port act on."""


class Wardens:
    """What a side's Sea Control units do to enemy shipping where they stand now, and the voyages found under it.

    Ships act from port on the seas beside it, tac bombers from coastal land or from a carrier's deck.
    [w2e-penalty-general] [w2e-carrier-air-basing] [w2e-unit-tac-sea-control] [w2e-port-sea-control-cost]
    """

    __slots__ = ("calls", "leaving", "lines", "ports", "voyages")

    def __init__(self, state: W2State, pick: Pick) -> None:
        self.voyages: dict[Hashable, Reach] = {}
        self.lines: dict[Hashable, dict[int, tuple[int, ...]]] = {}
        self.calls: dict[Hashable, list[int]] = {}
        every, hunters = [0] * len(A.names), [0] * len(A.names)
        ports: set[int] = set()
        status, asw = state.status, K.asw
        for space, kind, power, ship in zip(
            pick(state.space), pick(state.kind), pick(state.power), pick(state.cargo_of), strict=True
        ):
            if space < 0:
                continue
            afloat = _AFLOAT[kind]
            if afloat and _IS_PORT[space]:
                ports.add(space)
            if status[power] == AT_WAR:
                for water in _OFF_PORT[space] if afloat or ship >= 0 else _OFF_LAND[space]:
                    every[water] += 1
                    if asw[kind]:
                        hunters[water] += 1
        self.leaving = (every, hunters)
        """Per space the extra points to leave it: of all of them, and of those with ASW."""
        self.ports = sum(1 << port for port in ports)
        """Ports with such ships in them, as a set of bits: no enemy ship comes in."""

    def tolls(self, state: W2State, power: int, submerged: bool) -> list[int]:
        """What a power's ships pay to leave each space; its friendly ports are free.  [w2e-port-exit]"""
        tolls = self.leaving[1 if submerged else 0]
        free = [port for port in _SIDE_BY_SIDE if tolls[port] and is_friendly(state, port, power)]
        if free:
            tolls = tolls[:]
            for port in free:
                tolls[port] = 0
        return tolls


def wardens(m: M, side: int) -> Wardens:
    """A side's Sea Control as it is now: remade when one of its units goes elsewhere."""
    key = ("wardens", side)
    found: Wardens | None = m.cache.get(key)
    if found is None:
        state, units = m.state, roster(m)
        pick = units.pick("wardens", side)
        depends_on = (units, state.status, pick(state.space), pick(state.cargo_of))
        found = m.cache[key] = m.kept(key, depends_on, lambda: Wardens(state, pick))
    return found


def leaving_cost(m: M, kind: int, power: int, space: int, dash: bool = False) -> int:
    """Extra points to leave a water.  [w2e-port-exit] [w2e-penalty-subs] [w2e-special-channel-dash]"""
    if dash or (A.space_kind[space] == PORT_KIND and is_friendly(m.state, space, power)):
        return 0
    return wardens(m, 1 - A.side[power]).leaving[1 if K.submerged[kind] else 0][space]


def shut_port(m: M, port: int, side: int) -> bool:
    """A port with enemy Sea Control units in it.  [w2e-port-sea-control] [w2e-redeploy-sea-control-block]"""
    return bool(wardens(m, 1 - side).ports >> port & 1)


def harbour_net(m: M, power: int) -> Net:
    """Where a power's ships may go in Redeployment and on a convoy's stretch: no ports but friendly ones."""
    known = control(m).harbours
    found = known[power]
    if found is None:
        found = known[power] = port_net(m, power, strangers(m.state.status, power))
    return found


def port_net(m: M, power: int, barred: Iterable[int]) -> Net:
    """Lanes through open straits and canals to all ports but those of some owners; no other water is ever barred."""
    held = control(m)
    hostile = held.held_by(active_powers(m.state, 1 - A.side[power]))
    shut = (held.held_by(barred) & PORTS) | shut_gates(hostile)
    return SEA_CHART.net(shut, ("ports", power))


def open_to(net: Net, enemy: Wardens) -> Net:
    """A net without the ports that enemy Sea Control units shut; hardly ever is one of them among those it leads to."""
    return SEA_CHART.net(net.shut | enemy.ports, "besieged") if enemy.ports & ~net.shut else net


def voyages(m: M, kind: int, power: int, start: int, *, dash: bool = False, within: int = RANGE) -> Reach:
    """The waters in range of a ship in Redeployment or on a convoy's stretch, with the points to get there.

    Where only those within fewer points are wanted, others are not to be relied on.
    Only friendly ports may be passed or entered; straits and canals with an enemy bank are shut.
    [w2e-redeploy-naval] [w2e-convoy-sea-leg]
    """
    net, enemy, submerged = harbour_net(m, power), wardens(m, 1 - A.side[power]), K.submerged[kind]
    key = (net, start, submerged, dash, within)
    found = enemy.voyages.get(key)
    if found is None:
        tolls = NO_TOLLS if dash else enemy.tolls(m.state, power, submerged)
        found = enemy.voyages[key] = spread(open_to(net, enemy), start, RANGE, tolls, within)
    return found


def waters_between(m: M, power: int, start: int, goal: int) -> list[int]:
    """The waters through which a stretch of a convoy's line can lead from one port to another.

    Lanes are open both ways, so the rest of the way is the voyage backwards: the toll is paid where a lane begins.
    """
    out = voyages(m, K.transport, power, start)
    if goal not in out:
        return []
    net, enemy = harbour_net(m, power), wardens(m, 1 - A.side[power])
    tolls, lanes = enemy.tolls(m.state, power, False), open_to(net, enemy).lanes
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
    return [space for space in out if space in back and not _IS_PORT[space]]


def stretch_cost(m: M, power: int, path: tuple[int, ...], kind: int = K.transport) -> int:
    """What one stretch of a line costs with its penalties.  [w2e-penalty-convoy]"""
    total = 0
    for here, there in pairwise(path):
        cost = next(row[1] for row in A.sea_links[here] if row[0] == there)
        total += cost + leaving_cost(m, kind, power, here)
    return total
