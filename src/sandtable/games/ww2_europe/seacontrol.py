"""Movement Penalties: Sea Control units make enemy ships pay, and shut their ports to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import pairwise

from .atlas import ATLAS, PORT_KIND
from .holdings import control, friends, strangers
from .kinds import NAVAL
from .lookup import active_powers, is_friendly
from .roster import Pick, roster
from .state import AT_WAR, M, W2State
from .waters import PORTS, SEA_CHART, Net, Reach, shut_gates, spread

A = ATLAS
K = ATLAS.kinds
RANGE = K.movement[K.destroyer]
_AFLOAT = tuple(what == NAVAL for what in K.cls)
_ASW = tuple(1 if able else 0 for able in K.asw)
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
_FREE = (0, 0)


class Wardens:
    """What a side's Sea Control units do to enemy shipping where they stand now, and the voyages found under it."""

    __slots__ = ("_tolls", "calls", "costs", "lines", "ports", "voyages")

    def __init__(self, state: W2State, pick: Pick) -> None:
        self.costs: dict[int, tuple[int, int]] = {}
        """Per sea space the extra points: of all of them, and of those with ASW."""
        self.voyages: dict[Hashable, Reach] = {}
        self.lines: dict[Hashable, dict[int, tuple[int, ...]]] = {}
        self.calls: dict[Hashable, list[int]] = {}
        self._tolls: dict[Hashable, dict[int, int]] = {}
        ports, costs, status = set[int](), self.costs, state.status
        alike = Counter(zip(pick(state.space), pick(state.kind), pick(state.power), pick(state.cargo_of), strict=True))
        for (space, kind, power, ship), number in alike.items():
            if space < 0:
                continue
            afloat = _AFLOAT[kind]
            if afloat and _IS_PORT[space]:
                ports.add(space)
            if status[power] != AT_WAR:
                continue
            asw = _ASW[kind] * number
            for water in _OFF_PORT[space] if afloat or ship >= 0 else _OFF_LAND[space]:
                total, hunters = costs.get(water, _FREE)
                costs[water] = (total + number, hunters + asw)
        self.ports = frozenset(ports)
        """Ports with such ships in them: no enemy ship comes in."""

    def tolls(self, net: Net, state: W2State, power: int, submerged: bool) -> dict[int, int]:
        """What a power's ships pay to leave each water; its friendly ports are free.  [w2e-port-exit]"""
        key = (net, friends(state.status, power), submerged)
        known = self._tolls.get(key)
        if known is None:
            which = 1 if submerged else 0
            known = self._tolls[key] = {
                space: cost[which] for space, cost in self.costs.items()
                if cost[which] and not (_IS_PORT[space] and is_friendly(state, space, power))
            }  # fmt: skip
        return known


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


def controllers(m: M, side: int) -> dict[int, tuple[int, int]]:
    """Per sea space what a side's Sea Control units cost the enemy there: all of them, and those with ASW.

    Ships act from port on the seas beside it, tac bombers from coastal land or from a carrier's deck.
    [w2e-penalty-general] [w2e-carrier-air-basing] [w2e-unit-tac-sea-control] [w2e-port-sea-control-cost]
    """
    return wardens(m, side).costs


def leaving_cost(m: M, kind: int, power: int, space: int, dash: bool = False) -> int:
    """Extra points to leave a water.  [w2e-port-exit] [w2e-penalty-subs] [w2e-special-channel-dash]"""
    if dash or (A.space_kind[space] == PORT_KIND and is_friendly(m.state, space, power)):
        return 0
    total, hunters = controllers(m, 1 - A.side[power]).get(space, (0, 0))
    return hunters if K.submerged[kind] else total


def shut_port(m: M, port: int, side: int) -> bool:
    """A port with enemy Sea Control units in it.  [w2e-port-sea-control] [w2e-redeploy-sea-control-block]"""
    return port in wardens(m, 1 - side).ports


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


def voyages(m: M, kind: int, power: int, start: int, *, dash: bool = False, budget: int = RANGE) -> Reach:
    """The waters in range of a ship in Redeployment or on a convoy's stretch, with the points to get there.

    Only friendly ports may be passed or entered; straits and canals with an enemy bank are shut.
    [w2e-redeploy-naval] [w2e-convoy-sea-leg]
    """
    state, net, enemy = m.state, harbour_net(m, power), wardens(m, 1 - A.side[power])
    key = (net, friends(state.status, power), K.submerged[kind], start, dash, budget)
    found = enemy.voyages.get(key)
    if found is None:
        tolls = {} if dash else enemy.tolls(net, state, power, K.submerged[kind])
        found = enemy.voyages[key] = spread(net, start, budget, tolls, enemy.ports)
    return found


def waters_between(m: M, power: int, start: int, goal: int) -> list[int]:
    """The waters through which a stretch of a convoy's line can lead from one port to another.

    Lanes are open both ways, so the rest of the way is the voyage backwards: the toll is paid where a lane begins.
    """
    out = voyages(m, K.transport, power, start)
    if goal not in out:
        return []
    net, enemy = harbour_net(m, power), wardens(m, 1 - A.side[power])
    tolls, shut, lanes = enemy.tolls(net, m.state, power, False), enemy.ports, net.lanes
    back, queue = {goal: 0}, [goal]
    for here in queue:
        for cost, near in lanes[here]:
            rest = back[here] + cost
            for there in near:
                if there in out and there not in shut:
                    total = rest + tolls[there] if there in tolls else rest
                    if total + out[there] <= RANGE and (there not in back or total < back[there]):
                        back[there] = total
                        queue.append(there)
    return [space for space in out if space in back and not _IS_PORT[space]]


def stretch_cost(m: M, power: int, path: tuple[int, ...], kind: int = K.transport) -> int:
    """What one stretch of a line costs with its penalties.  [w2e-penalty-convoy]"""
    total = 0
    for here, there in pairwise(path):
        cost = next(row[1] for row in A.sea_links[here] if row[0] == there)
        total += cost + leaving_cost(m, kind, power, here)
    return total
