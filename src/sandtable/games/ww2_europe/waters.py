"""Nets of sea and air lanes as a power may use them, kept as long as no land changes hands.

Which lanes are open hangs on control and on who is in the war alone, not on units. The nets are derived facts: they
are kept beside the states, never in them, and made anew for every map of control.
"""

from __future__ import annotations

from collections.abc import Callable

from .state import W2State

Lanes = tuple[tuple[tuple[int, int], ...], ...]
"""Per space the spaces that may be entered next with what that costs."""
Ways = dict[int, tuple[int, tuple[int, ...]]]
"""Per space reached the points and a cheapest path, start included."""
_MOST = 64


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
    """The nets of one kind, by power and map of control."""

    __slots__ = ("_known", "_make")

    def __init__(self, make: Callable[[W2State, int], Lanes]) -> None:
        self._make = make
        self._known: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Net] = {}

    def of(self, state: W2State, power: int) -> Net:
        key = (power, tuple(state.owner), tuple(state.status))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = Net(self._make(state, power))
        return found
