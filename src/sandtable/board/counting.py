"""Counting spaces: how far is it, what lies within three hexes, is there any way at all.

Every step counts 1 here; where terrain makes steps dearer, see `costs`. All functions take plain numbers:

* `starts`: the spaces to begin in, distance 0. Where one stands one stands: a start counts even if it is blocked.
* `blocked`: per space, whether it may not be entered: enemy units, neutral ground. Flags (quick) or a function.
* `stop`: per space, whether a way may end there but not go on: an enemy zone of control. It never binds a start.
* `closed_arcs`: per arc, whether it may not be used: a lake side, a shut strait.
* `limit`: the longest way allowed.

    >>> from sandtable.board import SpaceGraph, distances, shortest_path
    >>> road = SpaceGraph.from_links("abcd", ["ab", "bc", "cd"])
    >>> distances(road, [0], limit=2)
    [0, 1, 2, -1]
    >>> distances(road, [0], stop=[0, 1, 0, 0])
    [0, 1, -1, -1]
    >>> shortest_path(road, 0, 3)
    [0, 1, 2, 3]

Among ways of equal length the one found first counts: starts in the order given, neighbours in the board's order. So
the same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .graph import Flags, SpaceGraph, check_length, given_flags

Blocked = Flags | Callable[[int], bool]
Exits = Sequence[Sequence[tuple[int, int]]]

UNREACHED = -1
NOWHERE = -1


class Reach:
    """What can be reached, at what cost, and how one gets there."""

    __slots__ = ("came_from", "cost", "spaces")

    def __init__(self, cost: list[int], came_from: list[int], spaces: list[int]) -> None:
        self.cost = cost
        """Per space: cheapest total cost from the nearest start, -1 where it cannot be reached."""
        self.came_from = came_from
        """Per space: the space before it on that way, -1 for starts and for spaces not reached."""
        self.spaces = spaces
        """The spaces reached, starts included, nearest first."""

    def __contains__(self, space: object) -> bool:
        return isinstance(space, int) and 0 <= space < len(self.cost) and self.cost[space] >= 0

    def path_to(self, space: int) -> list[int]:
        """The way from its start to this space, both included; empty where there is none."""
        if space not in self:
            return []
        path, came_from = [space], self.came_from
        while (space := came_from[space]) >= 0:
            path.append(space)
        path.reverse()
        return path


def distances(
    graph: SpaceGraph,
    starts: Iterable[int],
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> list[int]:
    """Per space the number of steps from the nearest start, -1 where there is no way."""
    return spread(graph, graph.exits, starts, limit, blocked, stop, closed_arcs)


def spread(
    graph: SpaceGraph,
    exits: Exits,
    starts: Iterable[int],
    limit: int | None,
    blocked: Blocked | None,
    stop: Flags | None,
    closed_arcs: Flags | None,
) -> list[int]:
    """The loop behind `distances`: wave after wave. `exits` is `graph.exits`, or `graph.entries` to go backwards."""
    n = len(graph)
    seen = closed_spaces(graph, blocked)
    steps = [UNREACHED] * n
    wave = []
    for space in check_starts(starts, n):
        if steps[space]:
            seen[space] = 1
            steps[space] = 0
            wave.append(space)
    if stop is not None:
        check_length(stop, n, "space")
    if closed_arcs is not None:
        check_length(closed_arcs, graph.arc_count, "arc")
    neighbours = graph.neighbours
    last = n if limit is None else limit
    distance = 0
    while wave and distance < last:
        distance += 1
        found: list[int] = []
        if closed_arcs is None:
            for here in wave:
                for there in neighbours[here]:
                    if not seen[there]:
                        seen[there] = 1
                        steps[there] = distance
                        found.append(there)
        else:
            for here in wave:
                for there, arc in exits[here]:
                    if not seen[there] and not closed_arcs[arc]:
                        seen[there] = 1
                        steps[there] = distance
                        found.append(there)
        wave = found if stop is None else [space for space in found if not stop[space]]
    return steps


def reach(
    graph: SpaceGraph,
    starts: Iterable[int],
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> Reach:
    """Like `distances`, with the spaces in the order they were found and the way to each."""
    return _search(graph, starts, NOWHERE, limit, blocked, stop, closed_arcs)


def shortest_path(
    graph: SpaceGraph,
    start: int,
    goal: int,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> list[int]:
    """A way with the fewest steps, start and goal included; empty where there is none."""
    check_starts([goal], len(graph))
    return _search(graph, [start], goal, limit, blocked, stop, closed_arcs).path_to(goal)


def _search(
    graph: SpaceGraph,
    starts: Iterable[int],
    goal: int,
    limit: int | None,
    blocked: Blocked | None,
    stop: Flags | None,
    closed_arcs: Flags | None,
) -> Reach:
    """Wave after wave with the way back kept; ends early once the goal is found."""
    n = len(graph)
    seen = closed_spaces(graph, blocked)
    if stop is not None:
        check_length(stop, n, "space")
    if closed_arcs is not None:
        check_length(closed_arcs, graph.arc_count, "arc")
    steps, came_from, spaces = [UNREACHED] * n, [NOWHERE] * n, list[int]()
    for space in check_starts(starts, n):
        if steps[space]:
            seen[space] = 1
            steps[space] = 0
            spaces.append(space)
    result = Reach(steps, came_from, spaces)
    if goal >= 0 and steps[goal] == 0:
        return result
    neighbours, exits = graph.neighbours, graph.exits
    wave = spaces.copy()
    last = n if limit is None else limit
    distance = 0
    while wave and distance < last:
        distance += 1
        found: list[int] = []
        if closed_arcs is None:
            for here in wave:
                for there in neighbours[here]:
                    if not seen[there]:
                        seen[there] = 1
                        came_from[there] = here
                        found.append(there)
        else:
            for here in wave:
                for there, arc in exits[here]:
                    if not seen[there] and not closed_arcs[arc]:
                        seen[there] = 1
                        came_from[there] = here
                        found.append(there)
        for space in found:
            steps[space] = distance
        spaces += found
        if goal >= 0 and steps[goal] >= 0:
            break
        wave = found if stop is None else [space for space in found if not stop[space]]
    return result


def can_reach(
    graph: SpaceGraph,
    starts: Iterable[int],
    goals: Flags,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> bool:
    """Whether any start has a way to any space flagged in `goals`; looks no further than the first one found."""
    return nearest(graph, starts, goals, limit=limit, blocked=blocked, stop=stop, closed_arcs=closed_arcs) >= 0


def nearest(
    graph: SpaceGraph,
    starts: Iterable[int],
    goals: Flags,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> int:
    """The flagged space with the shortest way from a start, the first found among equals; -1 where there is none."""
    n = len(graph)
    goals = check_length(goals, n, "space")
    seen = closed_spaces(graph, blocked)
    stop = given_flags(stop, n, "space")
    closed_arcs = given_flags(closed_arcs, graph.arc_count, "arc")
    wave = check_starts(starts, n)
    for space in wave:
        if goals[space]:
            return space
        seen[space] = 1
    exits = graph.exits
    left = n if limit is None else limit
    while wave and left > 0:
        left -= 1
        found = []
        for here in wave:
            for there, arc in exits[here]:
                if not seen[there] and not closed_arcs[arc]:
                    if goals[there]:
                        return there
                    seen[there] = 1
                    if not stop[there]:
                        found.append(there)
        wave = found
    return NOWHERE


# ---- checking what callers pass; shared with the other searches ------------------------------------------------------
def closed_spaces(graph: SpaceGraph, blocked: Blocked | None) -> list[int]:
    """A fresh list, non-zero where a space is blocked: a search writes into it what it has seen."""
    n = len(graph)
    if blocked is None:
        return [0] * n
    if callable(blocked):
        return [1 if blocked(space) else 0 for space in range(n)]
    return list(check_length(blocked, n, "space"))


def check_starts(starts: Iterable[int], n: int) -> list[int]:
    """The starts as a list. A negative number would silently count from the end of the board: refuse it."""
    checked = list(starts)
    for space in checked:
        if not 0 <= space < n:
            raise IndexError(f"{space} is no space of this board (0 to {n - 1})")
    return checked
