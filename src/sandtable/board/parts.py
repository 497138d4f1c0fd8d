"""Connected parts of the board: pockets, islands of friendly ground, separate rail nets.

    >>> from sandtable.board import SpaceGraph, component_labels, components
    >>> road = SpaceGraph.from_links("abcde", ["ab", "bc", "cd", "de"])
    >>> components(road, [1, 1, 0, 1, 1])
    [[0, 1], [3, 4]]
    >>> component_labels(road, [1, 1, 0, 1, 1])
    [0, 0, -1, 1, 1]

Parts are numbered by their lowest space, and list their spaces in the order of the board.
"""

from __future__ import annotations

from .graph import Flags, SpaceGraph, check_length

OUTSIDE = -1


def component_labels(graph: SpaceGraph, inside: Flags | None = None, *, closed_edges: Flags | None = None) -> list[int]:
    """Per space the number of the part it belongs to, -1 where `inside` is not set. None: all spaces are inside.

    `closed_edges` (per edge) do not connect.
    """
    n = len(graph)
    unseen = [1] * n if inside is None else list(check_length(inside, n, "space"))
    cut = graph.both_ways(closed_edges) if closed_edges is not None else None
    neighbours, exits = graph.neighbours, graph.exits
    labels = [OUTSIDE] * n
    label = 0
    for first in range(n):
        if not unseen[first]:
            continue
        unseen[first] = 0
        labels[first] = label
        part = [first]
        for here in part:  # the list grows while it is read
            around = neighbours[here] if cut is None else [there for there, arc in exits[here] if not cut[arc]]
            for there in around:
                if unseen[there]:
                    unseen[there] = 0
                    labels[there] = label
                    part.append(there)
        label += 1
    return labels


def components(graph: SpaceGraph, inside: Flags | None = None, *, closed_edges: Flags | None = None) -> list[list[int]]:
    """The connected parts, each as a list of its spaces."""
    parts: list[list[int]] = []
    for space, label in enumerate(component_labels(graph, inside, closed_edges=closed_edges)):
        if label == len(parts):
            parts.append([])
        if label >= 0:
            parts[label].append(space)
    return parts
