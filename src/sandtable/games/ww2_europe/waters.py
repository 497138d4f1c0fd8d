"""Nets of sea and air lanes as a power may use them, kept as long as no land changes hands.

Which lanes are open hangs on control and on who is in the war alone, not on units. The nets are derived facts: they
are kept beside the states, never in them, and made anew for every map of control.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import itemgetter

from .atlas import ATLAS
from .state import W2State

Lanes = tuple[tuple[tuple[int, int], ...], ...]
"""Per space the spaces that may be entered next with what that costs."""
Ways = dict[int, tuple[int, tuple[int, ...]]]
"""Per space reached the points and a cheapest path, start included."""
_MOST = 256
A = ATLAS
GATES = tuple(dict.fromkeys(gate for row in A.sea_links for _, _, gate in row if gate))
"""Straits and canals: the land that commands each."""
_BANKS = itemgetter(*dict.fromkeys((*(A.land_of_port[port] for port in A.ports), *(s for gate in GATES for s in gate))))


def harbour_facts(state: W2State, power: int) -> Hashable:
    """All that lanes at sea hang on: who holds the ports and the banks of the straits, and who is in the war."""
    return _BANKS(state.owner), tuple(state.status)


class Net:
    """The lanes of one power under one map of control."""

    __slots__ = ("_distances", "_ways", "lanes")

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self._ways: dict[tuple[int, int], Ways] = {}
        self._distances: dict[tuple[int, int], dict[int, int]] = {}

    def ways(self, start: int, budget: int) -> Ways:
        """Cheapest paths from a space within a budget."""
        found = self._ways.get((start, budget))
        if found is None:
            found = {start: (0, (start,))}
            queue = [start]
            for here in queue:
                spent, path = found[here]
                for there, cost in self.lanes[here]:
                    total = spent + cost
                    if total <= budget and total < found.get(there, (1 << 30, ()))[0]:
                        found[there] = (total, (*path, there))
                        queue.append(there)
            self._ways[start, budget] = found
        return found

    def distances(self, start: int, budget: int) -> dict[int, int]:
        """Points to every space within a budget."""
        found = self._distances.get((start, budget))
        if found is None:
            found = {start: 0}
            queue = [start]
            for here in queue:
                for there, cost in self.lanes[here]:
                    total = found[here] + cost
                    if total <= budget and total < found.get(there, 1 << 30):
                        found[there] = total
                        queue.append(there)
            self._distances[start, budget] = found
        return found


class Nets:
    """The nets of one kind, by power and map of control.

    Most changes of hands are far from what a net hangs on: `facts` boils a map of control down to just that.
    """

    __slots__ = ("_facts", "_known", "_last", "_make")

    def __init__(self, make: Callable[[W2State, int], Lanes], facts: Callable[[W2State, int], Hashable]) -> None:
        self._make, self._facts = make, facts
        self._known: dict[tuple[int, Hashable], Net] = {}
        self._last: dict[int, tuple[list[int], list[int], Net]] = {}

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
        self._last[power] = (list(state.owner), list(state.status), found)
        return found
