"""What is connected: friendly land, and the convoys that link its parts over water."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence

from ..model.atlas import ATLAS, NOBODY
from ..model.state import M
from ..rules.convoys import hold, route_ports
from .control import control, owners_of_group
from .lanes import LAND, spaces_in
from .whereabouts import index

A = ATLAS
Parts = tuple[tuple[int, ...], tuple[int, ...]]
"""Per space the part of the land that it is in, and per part its land, as a set of bits."""


class Net:
    """The friendly land of one group in connected parts, with the convoys that run between them."""

    __slots__ = ("calls", "lands", "part")

    def __init__(self, parts: Parts, calls: dict[int, list[int]]) -> None:
        self.part, self.lands = parts
        """Per space its part, -1 where it is not friendly land; and per part its land, as a set of bits."""
        self.calls = calls
        """Per convoy the parts whose ports it calls at."""


def net(m: M, group: int) -> Net:
    """Friendly land is the group's own, free of enemy ground units; straits join it, seas do not.

    [w2e-supply-trace] [w2e-convoy-land-start] [w2e-convoy-land-end] [w2e-port-shipping]
    """
    nets: dict[int, Net] = m.cache.setdefault("supply", {})
    found = nets.get(group)
    if found is None:
        state, enemy = m.state, 1 if group == 0 else 0
        parts = parts_of(own_land(m, group) & ~index(m).troops(enemy))
        lines = m.kept("lines", (state.convoys,), lambda: tuple((c.number, c.power, c.route) for c in state.convoys))
        found = m.kept(("supply", group), (parts, lines), lambda: Net(parts, _calls(m, group, parts[0])))
        nets[group] = found
    return found


def own_land(m: M, group: int) -> int:
    """The land that a group controls, as a set of bits."""
    return control(m).fact(("own-land", group), _own_land, m, group)


def _own_land(m: M, group: int) -> int:
    held = control(m)
    return LAND & held.held_by(owners_of_group(held.status, group))


@functools.lru_cache(maxsize=1024)
def parts_of(usable: int) -> Parts:
    """Land that may be used (a set of bits) in connected parts: per space the number of its part, -1 where it may not.

    And the land of each part, as a set of bits. It hangs on the map alone, so it is remembered.
    """
    part = [NOBODY] * len(A.names)
    lands: list[int] = []
    while usable:
        frontier, before = usable & -usable, usable
        while frontier:
            usable ^= frontier
            beside = 0
            for space in spaces_in(frontier):
                part[space] = len(lands)
                beside |= _NEXT[space]
            frontier = beside & usable
        lands.append(before ^ usable)
    return tuple(part), tuple(lands)


def _calls(m: M, group: int, part: Sequence[int]) -> dict[int, list[int]]:
    calls: dict[int, list[int]] = {}
    for convoy in m.state.convoys:
        if A.group[convoy.power] == group:
            lands = (A.land_of_port[port] for port in route_ports(convoy))
            calls[convoy.number] = sorted({part[land] for land in lands if part[land] >= 0})
    return calls


_NEXT = tuple(sum(1 << there for there in {there for there, _, _ in row}) for row in A.land_links)
"""Per space the land beside it, as a set of bits."""


def convoy_room(m: M, group: int) -> dict[int, int]:
    """Per convoy of a group what it can still carry."""
    return {c.number: hold(m, c) - c.dollars for c in m.state.convoys if A.group[c.power] == group}


def send(
    calls: Mapping[int, Iterable[int]], room: dict[int, int], sources: set[int], goal: int, amount: int
) -> tuple[int, dict[int, int]]:
    """Move up to an amount from any source part to the goal over chains of convoys; how much arrived, and by which.

    Room is used up as it goes. Each convoy on the chain is loaded.  [w2e-convoy-capacity]
    """
    sent = 0
    loads: dict[int, int] = {}
    if goal in sources:
        return amount, loads
    while sent < amount:
        chain = _chain(calls, room, sources, goal)
        if not chain:
            break
        step = min(amount - sent, *(room[number] for number in chain))
        for number in chain:
            room[number] -= step
            loads[number] = loads.get(number, 0) + step
        sent += step
    return sent, loads


def _chain(calls: Mapping[int, Iterable[int]], room: Mapping[int, int], starts: set[int], goal: int) -> list[int]:
    """The fewest convoys with room that lead from one of the starts to the goal, the last one first."""
    for number, parts in calls.items():
        if goal in parts and room.get(number, 0) > 0:
            break
    else:
        return []  # no convoy calls there
    running = [(number, parts) for number, parts in calls.items() if room.get(number, 0) > 0]
    came: dict[int, tuple[int, int]] = {}
    called = {part for _, parts in running for part in parts}
    queue = sorted(starts & called)
    for part in queue:
        for number, parts in running:
            if part not in parts:
                continue
            for there in parts:
                if there not in starts and there not in came:
                    came[there] = (part, number)
                    if there == goal:
                        return _steps(came, goal)
                    queue.append(there)
    return []


def _steps(came: Mapping[int, tuple[int, int]], goal: int) -> list[int]:
    chain, part = [], goal
    while part in came:
        part, number = came[part]
        chain.append(number)
    return chain
