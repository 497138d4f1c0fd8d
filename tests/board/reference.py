"""Slow and obvious answers to compare the quick ones with, and small boards for hypothesis to play with.

The reference looks at every way without a repeated space, one by one, and asks of each whether it is allowed. It knows
nothing of waves, buckets or flags that are overwritten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hypothesis import strategies as st

from sandtable.board import SpaceGraph


@dataclass
class Position:
    """A small board with everything that can restrict a way on it."""

    graph: SpaceGraph
    starts: list[int]
    blocked: list[int]
    stop: list[int]
    closed_arcs: list[int]
    costs: list[int]
    limit: int | None
    goals: list[int] = field(default_factory=list)


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> SpaceGraph:
    n = draw(st.integers(1, most))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n)) if pairs else []
    turned = [(f"s{j}", f"s{i}") if draw(st.booleans()) else (f"s{i}", f"s{j}") for i, j in chosen]
    return SpaceGraph.from_links([f"s{i}" for i in range(n)], turned)


def flags(count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=count, max_size=count)


@st.composite
def positions(draw: st.DrawFn, lowest_cost: int = -1) -> Position:
    graph = draw(graphs())
    n, arcs = len(graph), graph.arc_count
    return Position(
        graph=graph,
        starts=draw(st.lists(st.integers(0, n - 1), min_size=0, max_size=3)),
        blocked=draw(flags(n)),
        stop=draw(flags(n)),
        closed_arcs=draw(flags(arcs)),
        costs=draw(st.lists(st.integers(lowest_cost, 4), min_size=arcs, max_size=arcs)),
        limit=draw(st.none() | st.integers(0, 9)),
        goals=draw(flags(n)),
    )


def arc_of(graph: SpaceGraph, here: int, there: int) -> int:
    """Found by looking at all arcs."""
    return next(a for a in range(graph.arc_count) if (graph.arc_from[a], graph.arc_to[a]) == (here, there))


def linked(graph: SpaceGraph) -> set[tuple[int, int]]:
    """All pairs of neighbours, both ways, from the edges alone."""
    pairs = set(zip(graph.edge_a, graph.edge_b, strict=True))
    return pairs | {(b, a) for a, b in pairs}


def all_ways(graph: SpaceGraph, start: int) -> Iterator[tuple[int, ...]]:
    """Every way from a start that enters no space twice."""
    pairs = linked(graph)
    stack: list[tuple[int, ...]] = [(start,)]
    while stack:
        way = stack.pop()
        yield way
        stack += [(*way, there) for there in range(len(graph)) if (way[-1], there) in pairs and there not in way]


def is_allowed(
    graph: SpaceGraph,
    way: Sequence[int],
    blocked: Sequence[int],
    stop: Sequence[int],
    closed: Sequence[int],
    stop_to_stop: bool = True,
) -> bool:
    if any(blocked[space] for space in way[1:]) or any(stop[space] for space in way[1:-1]):
        return False
    if len(way) > 1 and not stop_to_stop and stop[way[0]] and stop[way[1]]:
        return False
    return not any(closed[arc_of(graph, a, b)] for a, b in pairwise(way))


def best_totals(
    position: Position, costs: Sequence[int], closed: Sequence[int], stop_to_stop: bool = True
) -> list[int]:
    """Per space the lowest total over all allowed ways from all starts, -1 where there is none; no limit."""
    graph = position.graph
    best = [-1] * len(graph)
    for start in position.starts:
        for way in all_ways(graph, start):
            if is_allowed(graph, way, position.blocked, position.stop, closed, stop_to_stop):
                total = sum(costs[arc_of(graph, a, b)] for a, b in pairwise(way))
                if best[way[-1]] < 0 or total < best[way[-1]]:
                    best[way[-1]] = total
    return best


def within(totals: Sequence[int], limit: int | None) -> list[int]:
    return [total if limit is None or total <= limit else -1 for total in totals]
