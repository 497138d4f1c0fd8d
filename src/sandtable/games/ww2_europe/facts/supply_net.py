"""What is connected: friendly land, and the convoys that link its parts over water."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, NOBODY
from ..model.state import W2State
from .control import land_of_group
from .convoys import route_ports
from .lanes import LAND, spaces_in
from .whereabouts import whereabouts

A = ATLAS
Parts = tuple[tuple[int, ...], tuple[int, ...]]
"""Per space the part of the land that it is in, and per part its land, as a set of bits."""


class Net:
    """The friendly land of one group in connected parts, with the convoys that run between them."""

    __slots__ = ("calls", "lands", "part")

    def __init__(self, parts: Parts, calls: Mapping[int, Sequence[int]]) -> None:
        self.part, self.lands = parts
        """Per space its part, -1 where it is not friendly land; and per part its land, as a set of bits."""
        self.calls = calls
        """Per convoy the parts whose ports it calls at."""

    def land_in(self, parts: Iterable[int]) -> int:
        """Return the land of some parts, as a set of bits."""
        return sum([self.lands[part] for part in parts])


def free_land(s: W2State, group: int) -> int:
    """Return the group's own land without enemy ground units, as a set of bits."""
    return LAND & land_of_group(s, group) & ~whereabouts(s).troops[1 if group == 0 else 0]


@fact("owner", "status", "space", "kind", "power", "convoys")
def supply_net(s: W2State, group: int) -> Net:
    """Return the friendly land of a group in parts: straits join it, seas do not.

    [w2e-supply-trace] [w2e-convoy-land-start] [w2e-convoy-land-end] [w2e-port-shipping]
    """
    parts = parts_of(free_land(s, group))
    part, calls = parts[0], dict[int, list[int]]()
    for convoy in s.convoys:
        if A.group[convoy.power] == group:
            lands = (A.land_of_port[port] for port in route_ports(convoy))
            calls[convoy.number] = sorted({part[land] for land in lands if part[land] >= 0})
    return Net(parts, calls)


@functools.lru_cache(maxsize=1024)
def parts_of(usable: int) -> Parts:
    """Return land that may be used (a set of bits) in connected parts.

    Per space the number of its part, -1 where it may not be used; and the land of each part, as a set of bits.
    """
    part = [NOBODY] * len(A.names)
    lands: list[int] = []
    while usable:
        frontier, before = usable & -usable, usable
        while frontier:
            usable ^= frontier
            for space in spaces_in(frontier):
                part[space] = len(lands)
            frontier = beside(frontier) & usable
        lands.append(before ^ usable)
    return tuple(part), tuple(lands)


@functools.lru_cache(maxsize=1024)
def parts_and_lands(usable: int) -> tuple[tuple[int, ...], list[list[int]]]:
    """Return the same with the land of each part as a list."""
    part, lands = parts_of(usable)
    return part, [spaces_in(land) for land in lands]


def beside(lands: int) -> int:
    """Return the land beside some land, both as sets of bits."""
    found = 0
    for space in spaces_in(lands):
        found |= _NEXT[space]
    return found


_NEXT = tuple(sum(1 << there for there in {there for there, _, _ in row}) for row in A.land_links)
"""Per space the land beside it, as a set of bits."""


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
