"""Movement points: where a unit can go for what it has to spend, and the cheapest way there.

Costs are whole numbers in one flat table, one entry per arc (see `graph`): what it costs to cross this edge in this
direction and enter the space behind it. A negative cost closes the arc. Games whose roads cost half a point count in
half points. `entry_costs` makes such a table from terrain and hexsides; a game makes one per class of unit, once, and
wraps it in a `CostTable`, which holds the same numbers laid out for the search and makes it a third quicker.

    >>> from sandtable.board import SpaceGraph, cost_reach, entry_costs
    >>> board = SpaceGraph.from_links(["plain", "forest", "city", "lake"],
    ...                               [("plain", "forest"), ("forest", "city"), ("city", "lake")])
    >>> table = entry_costs(board, [1, 2, 1, -1])
    >>> found = cost_reach(board, [board.index("plain")], table, budget=3)
    >>> found.cost
    [0, 2, 3, -1]
    >>> board.names_of(found.path_to(board.index("city")))
    ['plain', 'forest', 'city']

What changes from move to move comes as flags per space: `blocked` may not be entered, `stop` (zones of control) may be
entered but not left again in the same move. A unit that begins in a `stop` space may leave it; with
`stop_to_stop=False` its first step must then lead to a space that is none. With `always_one_step=True` a unit may
enter any neighbour not closed to it, however dear, and goes no further then.

The search keeps one bucket of spaces for every total cost and empties them in order, which for small whole numbers is
quicker than a heap. Among equally cheap ways the one found first counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from .counting import NOWHERE, UNREACHED, Blocked, Reach, check_starts, closed_spaces
from .graph import Flags, SpaceGraph, check_length, given_flags

CLOSED = -1
"""The cost of an arc that cannot be used."""

_FAR = 1 << 60


class CostTable:
    """A cost per arc, laid out for searching: made once, used often. For a passing table a flat list will do."""

    __slots__ = ("flat", "moves")

    def __init__(self, graph: SpaceGraph, costs: Sequence[int]) -> None:
        self.flat = tuple(check_length(costs, graph.arc_count, "arc"))
        """Per arc: its cost, negative where it is closed."""
        self.moves = tuple(tuple((there, costs[arc]) for there, arc in out if costs[arc] >= 0) for out in graph.exits)
        """Per space, for each neighbour that can be entered: (neighbour, cost)."""


Costs = Sequence[int] | CostTable


def entry_costs(graph: SpaceGraph, space_costs: Sequence[int], edge_extra: Sequence[int] | None = None) -> list[int]:
    """One cost per arc: that of the space entered plus that of the edge crossed. Negative in either closes the arc."""
    check_length(space_costs, len(graph), "space")
    extra = given_flags(edge_extra, graph.edge_count, "edge")

    def cost(_here: int, there: int, edge: int) -> int:
        return space_costs[there] + extra[edge] if space_costs[there] >= 0 and extra[edge] >= 0 else CLOSED

    return graph.arc_values(cost)


def close_arcs(costs: Sequence[int], closed_arcs: Flags) -> list[int]:
    """A copy of a cost table in which the flagged arcs cannot be used."""
    check_length(closed_arcs, len(costs), "arc")
    return [CLOSED if shut else cost for cost, shut in zip(costs, closed_arcs, strict=True)]


def cost_reach(
    graph: SpaceGraph,
    starts: Iterable[int],
    costs: Costs,
    budget: int | None = None,
    *,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    stop_to_stop: bool = True,
    always_one_step: bool = False,
) -> Reach:
    """All spaces that can be entered for at most `budget` points (None: without limit), with cost and way.

    With `always_one_step` a neighbour beyond the budget is reached too; its cost is then more than the budget.
    """
    found = _search(graph, starts, NOWHERE, costs, budget, blocked, stop, stop_to_stop)
    if always_one_step and budget is not None:
        _add_first_steps(graph, found, costs, blocked, stop, stop_to_stop)
    return found


def cheapest_path(
    graph: SpaceGraph,
    start: int,
    goal: int,
    costs: Costs,
    budget: int | None = None,
    *,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    stop_to_stop: bool = True,
) -> list[int]:
    """A way of the lowest total cost, start and goal included; empty where there is none within the budget."""
    check_starts([goal], len(graph))
    return _search(graph, [start], goal, costs, budget, blocked, stop, stop_to_stop).path_to(goal)


def path_cost(graph: SpaceGraph, path: Sequence[int], costs: Costs) -> int:
    """What a given way costs; -1 where two of its spaces are not neighbours or the arc between them is closed."""
    flat = _flat(graph, costs)
    total = 0
    for here, there in pairwise(path):
        arc = graph.arc_between(here, there)
        if arc < 0 or flat[arc] < 0:
            return UNREACHED
        total += flat[arc]
    return total


def _flat(graph: SpaceGraph, costs: Costs) -> Sequence[int]:
    return check_length(costs.flat if isinstance(costs, CostTable) else costs, graph.arc_count, "arc")


def _search(
    graph: SpaceGraph,
    starts: Iterable[int],
    goal: int,
    costs: Costs,
    budget: int | None,
    blocked: Blocked | None,
    stop: Flags | None,
    stop_to_stop: bool,
) -> Reach:
    """Buckets by total cost. `best` holds the lowest cost known, 0 or less where nothing can improve on it."""
    n = len(graph)
    flat = _flat(graph, costs)
    moves = costs.moves if isinstance(costs, CostTable) else None
    stop = given_flags(stop, n, "space")
    budget = None if budget is None else max(budget, 0)  # who has less than nothing still stands where he stands
    far = _FAR if budget is None else budget + 1
    best = [far] * n if blocked is None else _best_so_far(closed_spaces(graph, blocked), far)
    total, came_from, spaces = [UNREACHED] * n, [NOWHERE] * n, list[int]()
    buckets: list[list[int]] = [[]] if budget is None else _empty_buckets(budget + 1)
    started = bytearray(n)
    for space in check_starts(starts, n):
        if not started[space]:
            started[space] = 1
            best[space] = 0
            buckets[0].append(space)
    exits = graph.exits
    steps: list[tuple[int, int]] | tuple[tuple[int, int], ...]
    for cost, bucket in enumerate(buckets):
        for here in bucket:
            if best[here] != cost:
                continue  # reached more cheaply since it was put here
            total[here] = cost
            spaces.append(here)
            if here == goal:
                return Reach(total, came_from, spaces)
            if stop[here]:
                if not started[here]:
                    continue
                steps = _steps(exits[here], flat)
                if not stop_to_stop:
                    steps = _steps_to_free(steps, stop)
            elif moves is not None:
                steps = moves[here]
            else:
                steps = []
                for there, arc in exits[here]:
                    step = flat[arc]
                    if step >= 0 and cost + step < best[there]:
                        steps.append((there, step))
            for there, step in steps:
                step += cost
                if step < best[there]:
                    best[there] = step
                    came_from[there] = here
                    try:
                        buckets[step].append(there)
                    except IndexError:  # without a budget the row of buckets grows as it is needed
                        buckets.extend(_empty_buckets(step + 1 - len(buckets)))
                        buckets[step].append(there)
    return Reach(total, came_from, spaces)


def _steps(out: Sequence[tuple[int, int]], flat: Sequence[int]) -> list[tuple[int, int]]:
    """The neighbours that can be entered from a space, each with the cost; apart, to keep the loop's names fast."""
    return [(there, flat[arc]) for there, arc in out if flat[arc] >= 0]


def _steps_to_free(steps: Sequence[tuple[int, int]], stop: Flags) -> list[tuple[int, int]]:
    return [step for step in steps if not stop[step[0]]]


def _best_so_far(shut: Flags, far: int) -> list[int]:
    return [-1 if closed else far for closed in shut]


def _empty_buckets(count: int) -> list[list[int]]:
    return [[] for _ in range(count)]


def _add_first_steps(
    graph: SpaceGraph,
    found: Reach,
    costs: Costs,
    blocked: Blocked | None,
    stop: Flags | None,
    stop_to_stop: bool,
) -> None:
    """Adds to a reach the neighbours of its starts that lie beyond the budget, cheapest way first."""
    flat = _flat(graph, costs)
    shut = closed_spaces(graph, blocked)
    total, came_from, added = found.cost, found.came_from, list[int]()
    inside = [space for space in found.spaces if came_from[space] == NOWHERE]
    for here in inside:
        held = stop is not None and not stop_to_stop and stop[here]
        for there, arc in graph.exits[here]:
            step = flat[arc]
            if step < 0 or shut[there] or (held and stop is not None and stop[there]):
                continue
            if total[there] == UNREACHED:
                added.append(there)
            elif there not in added or step >= total[there]:
                continue
            total[there] = step
            came_from[there] = here
    found.spaces += sorted(added, key=total.__getitem__)
