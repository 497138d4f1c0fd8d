"""The space graph: its tables agree with each other, and what makes no board is refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board import (
    BadGraph,
    CostTable,
    Gates,
    LetteredRows,
    SpaceGraph,
    UnknownSpace,
    cheapest_path,
    compass_table,
    component_labels,
    cost_reach,
    distances,
    flags_at,
    hex_graph,
    nearest,
    path_cost,
    shortest_path,
    supply_lines,
)

from .reference import flags, graphs, linked


@given(graphs())
def test_all_tables_tell_the_same_story(graph: SpaceGraph) -> None:
    pairs = linked(graph)
    for s in range(len(graph)):
        assert sorted(graph.neighbours[s]) == sorted(b for a, b in pairs if a == s)
        out = range(graph.first_arc[s], graph.first_arc[s + 1])
        assert graph.exits[s] == tuple(zip(graph.neighbours[s], out, strict=True))
        assert graph.entries[s] == tuple((there, graph.arc_back[arc]) for there, arc in graph.exits[s])
        assert graph.index(graph.names[s]) == s
        assert graph.names[s] in graph
    for arc in range(graph.arc_count):
        here, there, back = graph.arc_from[arc], graph.arc_to[arc], graph.arc_back[arc]
        assert (graph.arc_from[back], graph.arc_to[back], graph.arc_back[back]) == (there, here, arc)
        assert graph.arc_edge[arc] == graph.arc_edge[back]
        assert arc in graph.exits[here][arc - graph.first_arc[here]]
    for edge in range(graph.edge_count):
        a, b = graph.edge_a[edge], graph.edge_b[edge]
        assert graph.edge_between(a, b) == graph.edge_between(b, a) == edge
        assert graph.edge_arc[edge] == graph.arc_between(a, b)
    for a in range(len(graph)):
        for b in range(len(graph)):
            assert graph.are_neighbours(a, b) == ((a, b) in pairs)
            if (a, b) not in pairs:
                assert graph.arc_between(a, b) == graph.edge_between(a, b) == -1


@given(graphs(), st.data())
def test_part_of_the_edges_keeps_spaces_order_and_columns(graph: SpaceGraph, data: st.DataObject) -> None:
    keep = data.draw(flags(graph.edge_count))
    marked = graph.with_edge_columns({"number": list(range(graph.edge_count))})
    part = marked.only_edges(keep)
    assert part.names == graph.names
    assert part.edge_column("number") == tuple(e for e in range(graph.edge_count) if keep[e])
    for s in range(len(graph)):
        assert part.neighbours[s] == tuple(n for n in graph.neighbours[s] if keep[graph.edge_between(s, n)])
    for edge, old in enumerate(part.edge_column("number")):
        assert (part.edge_a[edge], part.edge_b[edge]) == (graph.edge_a[old], graph.edge_b[old])
    closed = graph.both_ways([not flag for flag in keep])
    assert distances(part, [0]) == distances(graph, [0], closed_arcs=closed)


def test_columns_values_and_names() -> None:
    graph = SpaceGraph.from_links("abc", [("a", "b"), ("c", "b")], {"river": [0, 1]})
    assert graph.edge_column("river") == (0, 1)
    assert graph.edge_values([("b", "c", 7)], default=2) == [2, 7]
    assert graph.arc_values(lambda here, there, edge: 100 * here + 10 * there + edge) == [10, 100, 121, 211]
    assert graph.names_of(graph.indices("cab")) == ["c", "a", "b"]
    assert list(graph.both_ways([0, 5])) == [0, 0, 1, 1]
    assert len(graph) == 3
    assert repr(graph) == "SpaceGraph(3 spaces, 2 edges)"
    assert graph.arc_between(-1, 0) == graph.arc_between(0, 3) == graph.arc_between(2, -2) == -1


def test_a_graph_cannot_be_changed_and_travels_to_other_processes() -> None:
    graph = hex_graph(LetteredRows(), ["A1", "A2", "B1"])
    with pytest.raises(FrozenInstanceError):
        graph.names = ()  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(graph))
    assert (again.names, again.exits, again.index("B1")) == (graph.names, graph.exits, 2)


def test_neighbours_on_a_hex_board_come_clockwise_and_end_at_its_edge() -> None:
    grid = LetteredRows()
    graph = hex_graph(grid, ["B1", "A2", "A1", "B2", "C2"])
    assert graph.names_of(graph.neighbours[graph.index("B1")]) == ["C2", "B2", "A2", "A1"]
    around = compass_table(grid, graph)[graph.index("B1")]
    assert graph.names_of(around[:4]) == ["C2", "B2", "A2", "A1"]
    assert around[4:] == (-1, -1)


def test_what_makes_no_board_is_refused() -> None:
    with pytest.raises(BadGraph, match="no space named x"):
        SpaceGraph.from_links(("a", "b"), [("a", "x")])
    with pytest.raises(BadGraph, match="linked twice"):
        SpaceGraph.from_links(("a", "b"), [("a", "b"), ("b", "a")])
    with pytest.raises(BadGraph, match="own neighbour"):
        SpaceGraph.from_links(("a", "b"), [("a", "a")])
    with pytest.raises(BadGraph, match="two spaces are named 'a'"):
        SpaceGraph.from_links("aba", [])
    with pytest.raises(BadGraph, match="not the other way round"):
        SpaceGraph.from_neighbours(("a", "b"), [[1], []])
    with pytest.raises(BadGraph, match="is no space"):
        SpaceGraph.from_neighbours(("a", "b"), [[2], []])
    with pytest.raises(BadGraph, match="2 spaces but neighbours for 1"):
        SpaceGraph.from_neighbours(("a", "b"), [[]])
    with pytest.raises(BadGraph, match="'cost' has 2 entries for 1 edges"):
        SpaceGraph.from_links(("a", "b"), [("a", "b")], {"cost": [1, 2]})


def test_wrong_questions_are_refused_and_not_answered_wrongly() -> None:
    graph = SpaceGraph.from_links("abc", [("a", "b"), ("b", "c")])
    with pytest.raises(UnknownSpace, match="'d'"):
        graph.index("d")
    with pytest.raises(BadGraph, match="not neighbours"):
        graph.edge_values([("a", "c", 1)])
    asks: tuple[Callable[[], object], ...] = (
        lambda: distances(graph, [-1]),
        lambda: distances(graph, [3]),
        lambda: shortest_path(graph, 0, -1),
        lambda: cheapest_path(graph, 0, 3, [1] * 4),
        lambda: cost_reach(graph, [-1], [1] * 4),
        lambda: supply_lines(graph, [-1]),
        lambda: flags_at(3, [-1]),
    )
    for ask in asks:
        with pytest.raises(IndexError):
            ask()
    asks = (
        lambda: distances(graph, [0], blocked=[0]),
        lambda: distances(graph, [0], stop=[0]),
        lambda: distances(graph, [0], closed_arcs=[0, 0, 0]),
        lambda: shortest_path(graph, 0, 1, stop=[0] * 4),
        lambda: shortest_path(graph, 0, 1, closed_arcs=[0] * 3),
        lambda: nearest(graph, [0], [0]),
        lambda: cost_reach(graph, [0], [1] * 3),
        lambda: CostTable(graph, [1] * 5),
        lambda: path_cost(graph, [0, 1], [1]),
        lambda: component_labels(graph, [1]),
        lambda: component_labels(graph, closed_edges=[1]),
        lambda: graph.only_edges([1]),
        lambda: Gates(graph, {"g": [("a", "b")]}).closed_arcs([0, 0]),
    )
    for ask in asks:
        with pytest.raises(ValueError, match="expected one entry per"):
            ask()
    with pytest.raises(BadGraph, match="not neighbours"):
        Gates(graph, {"g": [("a", "c")]})
    with pytest.raises(BadGraph, match="already belongs to g"):
        Gates(graph, {"g": [("a", "b")], "h": [("b", "a")]})
    with pytest.raises(BadGraph, match="no gate named"):
        Gates(graph, {}).flags(["x"])


def test_who_has_no_points_left_stands_where_he_stands() -> None:
    graph = SpaceGraph.from_links("abc", [("a", "b"), ("b", "c")])
    assert distances(graph, [1], limit=-1) == [-1, 0, -1]
    assert cost_reach(graph, [1], [1, 1, 1, 1], -1).cost == [-1, 0, -1]
    assert cost_reach(graph, [1], [1, 2, 1, 1], 0, always_one_step=True).cost == [2, 0, 1]
    assert path_cost(graph, [0, 2], [1] * 4) == -1
    assert path_cost(graph, [0, 1], [-1, 1, 1, 1]) == -1
