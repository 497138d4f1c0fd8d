"""Sea routes past gates: straits and canals that whoever holds their shores can shut.

A `Gates` table says which edges of a sea board belong to which gate. Who may pass which gate now is the game's rule;
it hands over `shut`, one flag per gate, for the side that sails:

    >>> from sandtable.board import Gates, SpaceGraph, sea_distances, sea_route
    >>> seas = SpaceGraph.from_links(["ocean", "inner sea", "gulf", "cape"],
    ...     [("ocean", "inner sea"), ("inner sea", "gulf"), ("ocean", "cape"), ("cape", "gulf")])
    >>> gates = Gates(seas, {"strait": [("ocean", "inner sea")], "canal": [("inner sea", "gulf")]})
    >>> start, goal = seas.index("inner sea"), seas.index("gulf")
    >>> sea_distances(seas, [start], gates, shut=[0, 0])[goal]
    1
    >>> seas.names_of(sea_route(seas, start, goal, gates, shut=gates.flags(["canal"])))
    ['inner sea', 'ocean', 'cape', 'gulf']

A gate that is a space and not an edge (a canal through a port, a box between two oceans) is put on the board as two
spaces, one for each water, with a gated edge between them; the same goes for a coastal hex that touches two seas.

`blocked`, `stop` and `closed_arcs` are as in `counting`: enemy fleets that bar a sea zone, zones where a voyage must
end, passages closed for other reasons than a gate. Where lanes have lengths (`lengths`, one per arc, see `costs`),
distance is their sum, otherwise the number of steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from .costs import cheapest_path, close_arcs, cost_reach
from .counting import Blocked, distances, shortest_path
from .graph import BadGraph, Flags, SpaceGraph, check_length, given_flags


class Gates:
    """Which edges each gate guards. Gates are numbered in the order given."""

    __slots__ = ("_arc_count", "arcs", "gate_of_arc", "names")

    def __init__(self, graph: SpaceGraph, edges_of_gate: Mapping[str, Iterable[tuple[str, str]]]) -> None:
        self.names = tuple(edges_of_gate)
        self._arc_count = graph.arc_count
        gate_of_arc = [-1] * graph.arc_count
        arcs: list[tuple[int, ...]] = []
        for gate, (name, pairs) in enumerate(edges_of_gate.items()):
            own: list[int] = []
            for a, b in pairs:
                arc = graph.arc_between(graph.index(a), graph.index(b))
                if arc < 0:
                    raise BadGraph(f"gate {name}: {a} and {b} are not neighbours")
                if gate_of_arc[arc] >= 0:
                    raise BadGraph(f"gate {name}: {a} - {b} already belongs to {self.names[gate_of_arc[arc]]}")
                for one_way in (arc, graph.arc_back[arc]):
                    gate_of_arc[one_way] = gate
                    own.append(one_way)
            arcs.append(tuple(own))
        self.arcs = tuple(arcs)
        """Per gate: the arcs it guards, both directions."""
        self.gate_of_arc = tuple(gate_of_arc)
        """Per arc: the number of its gate, -1 where there is none."""

    def __len__(self) -> int:
        return len(self.names)

    def flags(self, names: Iterable[str]) -> bytearray:
        """Flags per gate with the named ones set."""
        chosen = bytearray(len(self.names))
        for name in names:
            if name not in self.names:
                raise BadGraph(f"no gate named {name!r}")
            chosen[self.names.index(name)] = 1
        return chosen

    def closed_arcs(self, shut: Flags, also: Flags | None = None) -> bytearray:
        """Flags per arc: set where a shut gate stands, and where `also` is set."""
        given = given_flags(also, self._arc_count, "arc")
        closed = bytearray(given) if isinstance(given, bytes | bytearray) else bytearray(map(bool, given))
        for gate, flag in enumerate(check_length(shut, len(self.names), "gate")):
            if flag:
                for arc in self.arcs[gate]:
                    closed[arc] = 1
        return closed

    def passed(self, graph: SpaceGraph, route: Sequence[int]) -> list[int]:
        """The gates that a route passes, in the order it meets them."""
        met = (graph.arc_between(a, b) for a, b in pairwise(route))
        return [self.gate_of_arc[arc] for arc in met if arc >= 0 and self.gate_of_arc[arc] >= 0]


def sea_distances(
    graph: SpaceGraph,
    starts: Iterable[int],
    gates: Gates,
    shut: Flags,
    *,
    lengths: Sequence[int] | None = None,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> list[int]:
    """Per space the length of the shortest voyage from a start that passes no shut gate, -1 where there is none."""
    closed = gates.closed_arcs(shut, closed_arcs)
    if lengths is None:
        return distances(graph, starts, limit=limit, blocked=blocked, stop=stop, closed_arcs=closed)
    return cost_reach(graph, starts, close_arcs(lengths, closed), limit, blocked=blocked, stop=stop).cost


def sea_route(
    graph: SpaceGraph,
    start: int,
    goal: int,
    gates: Gates,
    shut: Flags,
    *,
    lengths: Sequence[int] | None = None,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> list[int]:
    """A shortest voyage that passes no shut gate, start and goal included; empty where there is none."""
    closed = gates.closed_arcs(shut, closed_arcs)
    if lengths is None:
        return shortest_path(graph, start, goal, limit=limit, blocked=blocked, stop=stop, closed_arcs=closed)
    return cheapest_path(graph, start, goal, close_arcs(lengths, closed), limit, blocked=blocked, stop=stop)
