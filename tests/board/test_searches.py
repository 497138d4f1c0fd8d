"""Every search against the reference that tries all ways, on thousands of small random boards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.board import (
    CostTable,
    Gates,
    Reach,
    SpaceGraph,
    can_reach,
    cheapest_path,
    close_arcs,
    component_labels,
    components,
    cost_reach,
    distances,
    entry_costs,
    flagged,
    flags_at,
    flags_either,
    flags_where,
    flags_without,
    is_supplied,
    nearest,
    path_cost,
    reach,
    sea_distances,
    sea_route,
    shortest_path,
    supplied_spaces,
    supply_lines,
    zone_around,
)

from .reference import Position, all_ways, arc_of, best_totals, flags, graphs, is_allowed, linked, positions, within

many = settings(max_examples=300, deadline=None)


def ones(position: Position) -> list[int]:
    return [1] * position.graph.arc_count


def check_ways(
    position: Position, found: Reach, costs: list[int], closed: list[int], stop_to_stop: bool = True
) -> None:
    """Every way of a reach is allowed, begins in a start and costs what the reach says."""
    graph = position.graph
    assert sorted(found.spaces) == [s for s in range(len(graph)) if found.cost[s] >= 0]
    assert [found.cost[s] for s in found.spaces] == sorted(found.cost[s] for s in found.spaces)
    for space in range(len(graph)):
        way = found.path_to(space)
        assert (space in found) == (found.cost[space] >= 0) == bool(way)
        if way:
            assert way[0] in position.starts
            assert way[-1] == space
            assert is_allowed(graph, way, position.blocked, position.stop, closed, stop_to_stop)
            assert path_cost(graph, way, costs) == found.cost[space]


@many
@given(positions())
def test_distances_and_reach_agree_with_trying_all_ways(p: Position) -> None:
    expected = within(best_totals(p, ones(p), p.closed_arcs), p.limit)
    rules: dict[str, Any] = {"limit": p.limit, "blocked": p.blocked, "stop": p.stop, "closed_arcs": p.closed_arcs}
    assert distances(p.graph, p.starts, **rules) == expected
    found = reach(p.graph, p.starts, **rules)
    assert found.cost == expected
    check_ways(p, found, ones(p), p.closed_arcs)


@many
@given(positions())
def test_distances_without_closed_arcs_or_stops(p: Position) -> None:
    open_arcs = [0] * p.graph.arc_count
    with_stops = within(best_totals(p, ones(p), open_arcs), p.limit)
    assert distances(p.graph, p.starts, limit=p.limit, blocked=p.blocked, stop=p.stop) == with_stops
    assert reach(p.graph, p.starts, limit=p.limit, blocked=p.blocked, stop=p.stop).cost == with_stops
    p.stop = [0] * len(p.graph)
    expected = within(best_totals(p, ones(p), open_arcs), p.limit)
    assert distances(p.graph, p.starts, limit=p.limit, blocked=p.blocked) == expected
    assert distances(p.graph, p.starts, limit=p.limit, blocked=lambda s: bool(p.blocked[s])) == expected
    assert distances(p.graph, p.starts, limit=p.limit, blocked=bytes(p.blocked)) == expected
    assert reach(p.graph, p.starts, limit=p.limit, blocked=p.blocked).cost == expected


@many
@given(positions(), st.data())
def test_shortest_path_is_allowed_and_shortest(p: Position, data: st.DataObject) -> None:
    start, goal = (data.draw(st.integers(0, len(p.graph) - 1)) for _ in range(2))
    p.starts = [start]
    expected = within(best_totals(p, ones(p), p.closed_arcs), p.limit)[goal]
    rules: dict[str, Any] = {"limit": p.limit, "blocked": p.blocked, "stop": p.stop, "closed_arcs": p.closed_arcs}
    way = shortest_path(p.graph, start, goal, **rules)
    assert len(way) - 1 == expected if way else expected == -1
    if way:
        assert (way[0], way[-1]) == (start, goal)
        assert is_allowed(p.graph, way, p.blocked, p.stop, p.closed_arcs)
        assert way == reach(p.graph, [start], **rules).path_to(goal)


@many
@given(positions())
def test_nearest_goal(p: Position) -> None:
    totals = within(best_totals(p, ones(p), p.closed_arcs), p.limit)
    hits = [totals[s] for s in range(len(p.graph)) if p.goals[s] and totals[s] >= 0]
    rules: dict[str, Any] = {"limit": p.limit, "blocked": p.blocked, "stop": p.stop, "closed_arcs": p.closed_arcs}
    found = nearest(p.graph, p.starts, p.goals, **rules)
    assert (found >= 0) == bool(hits) == can_reach(p.graph, p.starts, p.goals, **rules)
    if hits:
        assert p.goals[found]
        assert totals[found] == min(hits)


@many
@given(positions(), st.booleans())
def test_cost_reach_agrees_with_trying_all_ways(p: Position, stop_to_stop: bool) -> None:
    closed = [1 if cost < 0 else 0 for cost in p.costs]
    expected = within(best_totals(p, p.costs, closed, stop_to_stop), p.limit)
    for costs in (p.costs, CostTable(p.graph, p.costs)):
        found = cost_reach(p.graph, p.starts, costs, p.limit, blocked=p.blocked, stop=p.stop, stop_to_stop=stop_to_stop)
        assert found.cost == expected
        check_ways(p, found, p.costs, closed, stop_to_stop)


@many
@given(positions(), st.booleans(), st.integers(0, 3))
def test_a_unit_may_always_move_one_space(p: Position, stop_to_stop: bool, budget: int) -> None:
    closed = [1 if cost < 0 else 0 for cost in p.costs]
    expected = within(best_totals(p, p.costs, closed, stop_to_stop), budget)
    one_step: dict[int, int] = {}
    for start in p.starts:
        for way in all_ways(p.graph, start):
            if len(way) == 2 and is_allowed(p.graph, way, p.blocked, p.stop, closed, stop_to_stop):
                cost = p.costs[arc_of(p.graph, *way)]
                one_step[way[1]] = min(cost, one_step.get(way[1], cost))
    for space, cost in one_step.items():
        if expected[space] < 0:
            expected[space] = cost
    for costs in (p.costs, CostTable(p.graph, p.costs)):
        found = cost_reach(
            p.graph, p.starts, costs, budget,
            blocked=p.blocked, stop=p.stop, stop_to_stop=stop_to_stop, always_one_step=True,
        )  # fmt: skip
        assert found.cost == expected
        check_ways(p, found, p.costs, closed, stop_to_stop)


@many
@given(positions(), st.booleans(), st.data())
def test_cheapest_path(p: Position, stop_to_stop: bool, data: st.DataObject) -> None:
    start, goal = (data.draw(st.integers(0, len(p.graph) - 1)) for _ in range(2))
    p.starts = [start]
    closed = [1 if cost < 0 else 0 for cost in p.costs]
    expected = within(best_totals(p, p.costs, closed, stop_to_stop), p.limit)[goal]
    way = cheapest_path(
        p.graph, start, goal, p.costs, p.limit, blocked=p.blocked, stop=p.stop, stop_to_stop=stop_to_stop
    )
    assert path_cost(p.graph, way, p.costs) == expected if way else expected == -1
    if way:
        assert (way[0], way[-1]) == (start, goal)
        assert is_allowed(p.graph, way, p.blocked, p.stop, closed, stop_to_stop)


@many
@given(positions())
def test_supply_traced_from_each_unit_equals_lines_spread_from_the_sources(p: Position) -> None:
    """The definition goes from the unit to the source; the quick search goes the other way."""
    graph, n = p.graph, len(p.graph)
    sources = {s for s in p.starts if not p.blocked[s]}
    expected = [-1] * n
    for unit in range(n):
        ways = [w for w in all_ways(graph, unit) if w[-1] in sources and not p.blocked[unit]]
        lengths = [len(w) - 1 for w in ways if is_allowed(graph, w, p.blocked, p.stop, p.closed_arcs)]
        if lengths and (p.limit is None or min(lengths) <= p.limit):
            expected[unit] = min(lengths)
    rules: dict[str, Any] = {"limit": p.limit, "blocked": p.blocked, "stop": p.stop, "closed_arcs": p.closed_arcs}
    assert supply_lines(graph, p.starts, **rules) == expected
    assert supplied_spaces(graph, p.starts, **rules) == [s for s in range(n) if expected[s] >= 0]
    for unit in range(n):
        if not p.blocked[unit]:
            assert is_supplied(graph, unit, flags_at(n, p.starts), **rules) == (expected[unit] >= 0)


@many
@given(positions(), st.data())
def test_components(p: Position, data: st.DataObject) -> None:
    graph, n = p.graph, len(p.graph)
    cut = data.draw(flags(graph.edge_count))
    inside = [0 if flag else 1 for flag in p.blocked]
    joined = {
        frozenset((graph.edge_a[e], graph.edge_b[e]))
        for e in range(graph.edge_count)
        if not cut[e] and inside[graph.edge_a[e]] and inside[graph.edge_b[e]]
    }
    part = {s: {s} for s in range(n) if inside[s]}
    for a, b in map(tuple, joined):
        if part[a] is not part[b]:
            merged = part[a] | part[b]
            part.update(dict.fromkeys(merged, merged))
    expected = sorted({tuple(sorted(spaces)) for spaces in part.values()})
    found = components(graph, inside, closed_edges=cut)
    assert [tuple(spaces) for spaces in found] == expected
    labels = component_labels(graph, inside, closed_edges=cut)
    assert [[s for s in range(n) if labels[s] == k] for k in range(len(found))] == found
    assert all((labels[s] >= 0) == bool(inside[s]) for s in range(n))
    assert component_labels(graph, inside) == component_labels(graph, inside, closed_edges=[0] * graph.edge_count)
    assert components(graph) == components(graph, [1] * n)


@many
@given(positions(lowest_cost=0), st.data())
def test_sea_routes_pass_no_shut_gate(p: Position, data: st.DataObject) -> None:
    graph = p.graph
    owner = data.draw(st.lists(st.integers(-1, 2), min_size=graph.edge_count, max_size=graph.edge_count))
    edges = {
        f"gate {g}": [
            (graph.names[graph.edge_a[e]], graph.names[graph.edge_b[e]])
            for e in range(graph.edge_count)
            if owner[e] == g
        ]
        for g in range(3)
    }
    gates, shut = Gates(graph, edges), data.draw(flags(3))
    closed = [
        1 if owner[graph.arc_edge[a]] >= 0 and shut[owner[graph.arc_edge[a]]] else 0 for a in range(graph.arc_count)
    ]
    rules: dict[str, Any] = {"limit": p.limit, "blocked": p.blocked, "stop": p.stop}
    if data.draw(st.booleans()):
        rules["closed_arcs"] = data.draw(st.sampled_from([list, bytes]))(p.closed_arcs)
        closed = [a or b for a, b in zip(closed, p.closed_arcs, strict=True)]
    for lengths, costs in ((None, ones(p)), (p.costs, p.costs)):
        expected = within(best_totals(p, costs, closed), p.limit)
        assert sea_distances(graph, p.starts, gates, shut, lengths=lengths, **rules) == expected
        for start in p.starts[:1]:
            p_one = Position(graph, [start], p.blocked, p.stop, closed, p.costs, p.limit)
            best = within(best_totals(p_one, costs, closed), p.limit)
            for goal in range(len(graph)):
                route = sea_route(graph, start, goal, gates, shut, lengths=lengths, **rules)
                assert path_cost(graph, route, costs) == best[goal] if route else best[goal] == -1
                assert not any(shut[gate] for gate in gates.passed(graph, route))
                crossed = [owner[graph.edge_between(a, b)] for a, b in pairwise(route)]
                assert gates.passed(graph, route) == [gate for gate in crossed if gate >= 0]


@many
@given(graphs(), st.data())
def test_zones_and_cost_tables(graph, data: st.DataObject) -> None:
    n = len(graph)
    units = data.draw(st.lists(st.integers(0, n - 1), max_size=3))
    closed = data.draw(flags(graph.arc_count))
    pairs = linked(graph)
    assert flagged(zone_around(graph, units)) == [s for s in range(n) if any((u, s) in pairs for u in units)]
    assert flagged(zone_around(graph, units, closed)) == [
        s for s in range(n) if any((u, s) in pairs and not closed[arc_of(graph, u, s)] for u in units)
    ]
    terrain = data.draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    extra = data.draw(st.lists(st.integers(-1, 2), min_size=graph.edge_count, max_size=graph.edge_count))
    table = entry_costs(graph, terrain, extra)
    for here, there in sorted(pairs):
        side = extra[graph.edge_between(here, there)]
        want = -1 if terrain[there] < 0 or side < 0 else terrain[there] + side
        assert table[graph.arc_between(here, there)] == want
    assert entry_costs(graph, terrain) == entry_costs(graph, terrain, [0] * graph.edge_count)
    shut = close_arcs(table, closed)
    assert [c for c, flag in zip(shut, closed, strict=True) if not flag] == [
        c for c, flag in zip(table, closed, strict=True) if not flag
    ]
    assert all(c < 0 for c, flag in zip(shut, closed, strict=True) if flag)


def test_flag_lists() -> None:
    assert list(flags_where([0, 2, 1, 2], [2])) == [0, 1, 0, 1]
    assert list(flags_where([0, 2, 1, -1], {1, -1})) == [0, 0, 1, 1]
    assert list(flags_either([0, 1, 0, 1], [0, 0, 1, 1])) == [0, 1, 1, 1]
    assert list(flags_without([0, 1, 0, 1], [0, 0, 1, 1])) == [0, 1, 0, 0]
    assert flagged(flags_at(4, [2, 0])) == [0, 2]


def test_a_blocked_source_feeds_nobody_and_a_blocked_unit_may_still_trace_out() -> None:
    road = SpaceGraph.from_links("abc", [("a", "b"), ("b", "c")])
    assert not is_supplied(road, 0, sources=[1, 0, 0], blocked=[1, 0, 0])
    assert not is_supplied(road, 1, sources=[1, 0, 0], blocked=[1, 0, 0])
    assert is_supplied(road, 0, sources=[0, 0, 1], blocked=[1, 0, 0])
    assert supply_lines(road, [0, 2], blocked=[1, 0, 0]) == [-1, 1, 0]
