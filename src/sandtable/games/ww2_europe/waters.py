"""Nets of sea and air lanes as a power may use them, kept as long as no land changes hands.

Which lanes are open hangs on control and on who is in the war alone, not on units. The nets are derived facts: they
are kept beside the states, never in them, and made anew for every map of control.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from itertools import compress
from operator import itemgetter

from .atlas import ATLAS
from .state import W2State

Lanes = tuple[tuple[tuple[int, int], ...], ...]
"""Per space the spaces that may be entered next with what that costs."""
_NO_TOLLS: Mapping[int, int] = {}
_MOST = 256
A = ATLAS
GATES = tuple(dict.fromkeys(gate for row in A.sea_links for _, _, gate in row if gate))
"""Straits and canals: the land that commands each."""
_BANKS = itemgetter(*dict.fromkeys((*(A.land_of_port[port] for port in A.ports), *(s for gate in GATES for s in gate))))


def harbour_facts(state: W2State, power: int) -> Hashable:
    """All that lanes at sea hang on: who holds the ports and the banks of the straits, and who is in the war."""
    return _BANKS(state.owner), state.status


_OPEN: Lanes = tuple(tuple((there, cost) for there, cost, _ in row) for row in A.sea_links)
"""Per space all lanes at sea out of it."""
_BESIDE = tuple(tuple(there for there, _, _ in row) for row in A.sea_links)
_AT_GATE = {
    gate: tuple(here for here, row in enumerate(A.sea_links) if any(g == gate for _, _, g in row)) for gate in GATES
}
_AIR_BESIDE = tuple(tuple(there for there, _ in row) for row in A.air_links)


def plain_lanes(closed: set[int], shut: set[tuple[int, ...]]) -> Lanes:
    """The lanes at sea without those into closed ports and through shut gates."""
    lanes = list(_OPEN)
    touched = {there for space in closed for there in _BESIDE[space]}
    touched.update(here for gate in shut for here in _AT_GATE[gate])
    for here in touched:
        lanes[here] = tuple(
            (there, cost) for there, cost, gate in A.sea_links[here] if there not in closed and gate not in shut
        )
    return tuple(lanes)


def air_lanes(closed: Sequence[bool]) -> Lanes:
    """The lanes in the air without those over closed spaces."""
    lanes = list(A.air_links)
    for here in {there for space in compress(range(len(closed)), closed) for there in _AIR_BESIDE[space]}:
        lanes[here] = tuple((there, cost) for there, cost in A.air_links[here] if not closed[there])
    return tuple(lanes)


class Reach(dict[int, int]):
    """Points to every space within a budget, and how one gets there."""

    __slots__ = ("_shores", "came")

    def __init__(self, start: int) -> None:
        super().__init__({start: 0})
        self.came: dict[int, int] = {}
        self._shores: frozenset[int] | None = None

    def path(self, goal: int) -> tuple[int, ...]:
        """A cheapest path, start included."""
        path, came = [goal], self.came
        while path[-1] in came:
            path.append(came[path[-1]])
        return tuple(reversed(path))

    @property
    def shores(self) -> frozenset[int]:
        """Land on the coasts of what is reached."""
        if self._shores is None:
            self._shores = frozenset(land for water in self for land in A.coast[water])
        return self._shores


def spread(
    lanes: Sequence[Sequence[tuple[int, int]]], start: int, budget: int,
    tolls: Mapping[int, int] = _NO_TOLLS, shut: Container[int] = (), entry: Mapping[int, int] = _NO_TOLLS,
) -> Reach:  # fmt: skip
    """Cheapest ways from a space: a lane costs its points and the tolls of leaving and of entering a space."""
    found = Reach(start)
    came = found.came
    due: list[list[int]] = [[] for _ in range(budget + 1)]
    due[0].append(start)
    for spent, spaces in enumerate(due):
        for here in spaces:
            if found[here] != spent:
                continue
            base = spent + tolls[here] if here in tolls else spent
            if base > budget:
                continue
            for there, cost in lanes[here]:
                total = base + cost + entry[there] if there in entry else base + cost
                if total <= budget and (there not in found or total < found[there]) and there not in shut:
                    found[there] = total
                    came[there] = here
                    due[total].append(there)
    return found


class Net:
    """The lanes of one power under one map of control."""

    __slots__ = ("_known", "lanes")

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self._known: dict[tuple[int, int], Reach] = {}

    def reach(self, start: int, budget: int) -> Reach:
        """Cheapest ways from a space within a budget."""
        found = self._known.get((start, budget))
        if found is None:
            found = self._known[start, budget] = spread(self.lanes, start, budget)
        return found


class Nets:
    """The nets of one kind, by power and map of control.

    Most changes of hands are far from what a net hangs on: `facts` boils a map of control down to just that.
    """

    __slots__ = ("_facts", "_known", "_last", "_make")

    def __init__(self, make: Callable[[W2State, int], Lanes], facts: Callable[[W2State, int], Hashable]) -> None:
        self._make, self._facts = make, facts
        self._known: dict[tuple[int, Hashable], Net] = {}
        self._last: dict[int, tuple[list[int], tuple[int, ...], Net]] = {}

    def of(self, state: W2State, power: int) -> Net:
        last = self._last.get(power)
        if last is not None and last[0] == state.owner and last[1] == state.status:
            return last[2]
        key = (power, self._facts(state, power))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = Net(self._make(state, power))
        self._last[power] = (state.owner[:], state.status, found)
        return found
