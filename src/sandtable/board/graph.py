"""The board as a net of spaces: names for people, whole numbers for the rules, neighbours looked up and not computed.

A `SpaceGraph` is made once, when an atlas is loaded, and never changes. Its words:

* **space**: a hex, an area, a sea zone, a box. Spaces are numbered 0, 1, 2, ... in the order given;
  `graph.index("Q15")` turns a name into the number and `graph.names[number]` turns it back. Everything else works
  on numbers.
* **edge**: what joins two neighbours, once for both directions: a hexside, a border, a strait. What is printed on it
  (river, gate, kind of border) is a column of numbers, one per edge.
* **arc**: an edge in one direction. Costs of moving belong to arcs, since going up the mountain is not going down.

    >>> from sandtable.board import SpaceGraph
    >>> board = SpaceGraph.from_links(["port", "sea", "island"], [("port", "sea"), ("sea", "island")], {"kind": [0, 1]})
    >>> sea = board.index("sea")
    >>> [board.names[space] for space in board.neighbours[sea]]
    ['port', 'island']
    >>> board.edge_column("kind")[board.edge_between(sea, board.index("island"))]
    1

Arcs are numbered space by space in the order of the neighbours, so the arcs out of space s are
`graph.first_arc[s]` up to, but not including, `graph.first_arc[s + 1]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .hexgrid import HexGrid

Flags = Sequence[int]
"""One entry per space (or arc, or edge): 0 is no, anything else yes. A bytearray, bytes, or list of ints or bools."""


class UnknownSpace(ValueError):
    """No space of the board has this name."""


class BadGraph(ValueError):
    """The spaces and links given do not make a board."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpaceGraph:
    """Spaces and who is whose neighbour. Make one with `from_links`, `from_neighbours` or `hex_graph`."""

    names: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    exits: tuple[tuple[tuple[int, int], ...], ...]
    """Per space, for each neighbour: (neighbour, arc that leads there)."""
    entries: tuple[tuple[tuple[int, int], ...], ...]
    """Per space, for each neighbour: (neighbour, arc that leads from there to here)."""
    first_arc: tuple[int, ...]
    arc_from: tuple[int, ...]
    arc_to: tuple[int, ...]
    arc_edge: tuple[int, ...]
    arc_back: tuple[int, ...]
    """Per arc: the same edge the other way."""
    edge_a: tuple[int, ...]
    edge_b: tuple[int, ...]
    edge_arc: tuple[int, ...]
    """Per edge: its arc from `edge_a` to `edge_b`."""
    edge_columns: Mapping[str, tuple[int, ...]]
    _index: dict[str, int] = field(repr=False)
    _arc_of_pair: dict[int, int] = field(repr=False)

    # ---- making one ------------------------------------------------------------------------------------------------
    @classmethod
    def from_links(
        cls,
        names: Sequence[str],
        links: Iterable[tuple[str, str]],
        edge_columns: Mapping[str, Sequence[int]] | None = None,
    ) -> SpaceGraph:
        """A board from pairs of names. Edges are numbered, and neighbours ordered, as the links come."""
        index = _index_of(names)
        pairs = []
        for a, b in links:
            if a not in index or b not in index:
                raise BadGraph(f"link {a} - {b}: no space named {a if a not in index else b}")
            pairs.append((index[a], index[b]))
        around: list[list[int]] = [[] for _ in names]
        for i, j in pairs:
            around[i].append(j)
            around[j].append(i)
        return cls._build(names, around, pairs, edge_columns or {})

    @classmethod
    def from_neighbours(cls, names: Sequence[str], neighbours: Sequence[Sequence[int]]) -> SpaceGraph:
        """A board from the neighbours of each space, kept in the order given. Being neighbours must be mutual."""
        pairs = [(i, j) for i, around in enumerate(neighbours) for j in around if i < j]
        return cls._build(names, neighbours, pairs, {})

    @classmethod
    def _build(
        cls,
        names: Sequence[str],
        neighbours: Sequence[Sequence[int]],
        pairs: Sequence[tuple[int, int]],
        edge_columns: Mapping[str, Sequence[int]],
    ) -> SpaceGraph:
        index, n = _index_of(names), len(names)
        if len(neighbours) != n:
            raise BadGraph(f"{n} spaces but neighbours for {len(neighbours)}")
        first_arc, arc_from, arc_to = [0], list[int](), list[int]()
        arc_of_pair: dict[int, int] = {}
        for i, around in enumerate(neighbours):
            for j in around:
                if not 0 <= j < n:
                    raise BadGraph(f"{names[i]}: neighbour {j} is no space")
                if i == j:
                    raise BadGraph(f"{names[i]} is its own neighbour")
                if i * n + j in arc_of_pair:
                    raise BadGraph(f"{names[i]} and {names[j]} are linked twice")
                arc_of_pair[i * n + j] = len(arc_to)
                arc_from.append(i)
                arc_to.append(j)
            first_arc.append(len(arc_to))
        arc_back = []
        for i, j in zip(arc_from, arc_to, strict=True):
            if j * n + i not in arc_of_pair:
                raise BadGraph(f"{names[j]} is a neighbour of {names[i]}, but not the other way round")
            arc_back.append(arc_of_pair[j * n + i])
        arc_edge, edge_arc = [-1] * len(arc_to), []
        for edge, (i, j) in enumerate(pairs):
            arc = arc_of_pair[i * n + j]
            arc_edge[arc] = arc_edge[arc_back[arc]] = edge
            edge_arc.append(arc)
        for title, column in edge_columns.items():
            if len(column) != len(pairs):
                raise BadGraph(f"edge column {title!r} has {len(column)} entries for {len(pairs)} edges")
        arcs = [range(first_arc[i], first_arc[i + 1]) for i in range(n)]
        return cls(
            names=tuple(names),
            neighbours=tuple(tuple(around) for around in neighbours),
            exits=tuple(tuple((arc_to[a], a) for a in out) for out in arcs),
            entries=tuple(tuple((arc_to[a], arc_back[a]) for a in out) for out in arcs),
            first_arc=tuple(first_arc),
            arc_from=tuple(arc_from),
            arc_to=tuple(arc_to),
            arc_edge=tuple(arc_edge),
            arc_back=tuple(arc_back),
            edge_a=tuple(i for i, _ in pairs),
            edge_b=tuple(j for _, j in pairs),
            edge_arc=tuple(edge_arc),
            edge_columns={title: tuple(column) for title, column in edge_columns.items()},
            _index=index,
            _arc_of_pair=arc_of_pair,
        )

    # ---- asking it -------------------------------------------------------------------------------------------------
    def __len__(self) -> int:
        """How many spaces."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"SpaceGraph({len(self.names)} spaces, {len(self.edge_a)} edges)"

    def __contains__(self, name: object) -> bool:
        """Whether a space has this name."""
        return name in self._index

    @property
    def arc_count(self) -> int:
        return len(self.arc_to)

    @property
    def edge_count(self) -> int:
        return len(self.edge_a)

    def index(self, name: str) -> int:
        """Number of a named space; `UnknownSpace` where there is none."""
        try:
            return self._index[name]
        except KeyError:
            raise UnknownSpace(f"no space named {name!r}") from None

    def indices(self, names: Iterable[str]) -> list[int]:
        """Numbers of several named spaces, in their order."""
        return [self.index(name) for name in names]

    def names_of(self, spaces: Iterable[int]) -> list[str]:
        """Names of several spaces, in their order."""
        return [self.names[space] for space in spaces]

    def arc_between(self, here: int, there: int) -> int:
        """Number of the arc from one space to a neighbour; -1 where they are not neighbours."""
        n = len(self.names)
        return self._arc_of_pair.get(here * n + there, -1) if 0 <= here < n and 0 <= there < n else -1

    def edge_between(self, here: int, there: int) -> int:
        """Number of the edge that joins two neighbours; -1 where they are not neighbours."""
        arc = self.arc_between(here, there)
        return self.arc_edge[arc] if arc >= 0 else -1

    def are_neighbours(self, here: int, there: int) -> bool:
        return self.arc_between(here, there) >= 0

    def edge_column(self, title: str) -> tuple[int, ...]:
        """The numbers, one per edge, that were given under this title."""
        return self.edge_columns[title]

    # ---- tables over it --------------------------------------------------------------------------------------------
    def edge_values(self, values: Iterable[tuple[str, str, int]], default: int = 0) -> list[int]:
        """One number per edge from a list of (name, name, number), such as the hexsides of an atlas."""
        column = [default] * len(self.edge_a)
        for a, b, value in values:
            edge = self.edge_between(self.index(a), self.index(b))
            if edge < 0:
                raise BadGraph(f"{a} and {b} are not neighbours")
            column[edge] = value
        return column

    def arc_values(self, value: Callable[[int, int, int], int]) -> list[int]:
        """One number per arc from a function of (space left, space entered, edge crossed): how cost tables are made."""
        return [value(a, b, e) for a, b, e in zip(self.arc_from, self.arc_to, self.arc_edge, strict=True)]

    def both_ways(self, edge_flags: Flags) -> bytearray:
        """Flags per arc from flags per edge: an edge that is closed is closed in both directions."""
        check_length(edge_flags, len(self.edge_a), "edge")
        return bytearray([1 if edge_flags[edge] else 0 for edge in self.arc_edge])

    def with_edge_columns(self, edge_columns: Mapping[str, Sequence[int]]) -> SpaceGraph:
        """The same board with further numbers on its edges; a title that exists is replaced."""
        pairs = list(zip(self.edge_a, self.edge_b, strict=True))
        return self._build(self.names, self.neighbours, pairs, {**self.edge_columns, **edge_columns})

    def only_edges(self, keep: Flags) -> SpaceGraph:
        """The same spaces under the same numbers with some of the edges: the rail net, the sea lanes.

        Edges and arcs are numbered anew; columns and the order of neighbours are kept.
        """
        check_length(keep, len(self.edge_a), "edge")
        kept = [edge for edge in range(len(self.edge_a)) if keep[edge]]
        around = [[there for there, arc in out if keep[self.arc_edge[arc]]] for out in self.exits]
        pairs = [(self.edge_a[edge], self.edge_b[edge]) for edge in kept]
        columns = {title: [column[edge] for edge in kept] for title, column in self.edge_columns.items()}
        return self._build(self.names, around, pairs, columns)


def hex_graph(grid: HexGrid, names: Sequence[str]) -> SpaceGraph:
    """The board of the named hexes; neighbours clockwise from the north, those that are not on the board left out."""
    index = _index_of(names)
    return SpaceGraph.from_neighbours(
        names, [[index[there] for there in grid.neighbours(name) if there in index] for name in names]
    )


def compass_table(grid: HexGrid, graph: SpaceGraph) -> tuple[tuple[int, ...], ...]:
    """Per hex its six neighbours in the order of `grid.directions`, -1 where the board ends.

    For rules that ask what lies on the opposite side, or count the sides of a hex that nobody holds.
    """
    table = []
    for name in graph.names:
        around = (grid.neighbour(name, d) for d in range(6))
        table.append(tuple(graph.index(there) if there is not None and there in graph else -1 for there in around))
    return tuple(table)


def _index_of(names: Sequence[str]) -> dict[str, int]:
    index = {name: i for i, name in enumerate(names)}
    if len(index) != len(names):
        twice = next(name for i, name in enumerate(names) if index[name] != i)
        raise BadGraph(f"two spaces are named {twice!r}")
    return index


def check_length(values: Sequence[int], count: int, what: str) -> Sequence[int]:
    """The values, if there is one for each; a list too short or made for another board is refused at once."""
    if len(values) != count:
        raise ValueError(f"expected one entry per {what}, {count} in all, got {len(values)}")
    return values


def given_flags(values: Sequence[int] | None, count: int, what: str) -> Sequence[int]:
    """The values, one for each as `check_length` wants it, or zeroes where none were given."""
    return bytes(count) if values is None else check_length(values, count, what)
