"""Flag lists: one 0 or 1 per space, the language in which the rules tell a search what it may do.

    >>> from sandtable.board import SpaceGraph, flags_at, flags_where, zone_around
    >>> owner = [0, 0, 1, 1]
    >>> list(flags_where(owner, [1]))
    [0, 0, 1, 1]
    >>> road = SpaceGraph.from_links("abcd", ["ab", "bc", "cd"])
    >>> list(zone_around(road, [3]))
    [0, 0, 1, 0]

They are bytearrays: small, quick to copy, and easy to change one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from .graph import Flags, SpaceGraph, check_length


def flags_at(count: int, chosen: Iterable[int]) -> bytearray:
    """Flags with the chosen entries set."""
    flags = bytearray(count)
    for i in chosen:
        if i < 0:
            raise IndexError(f"{i} is no entry of a list of {count}")
        flags[i] = 1
    return flags


def flags_where(values: Sequence[int], wanted: Collection[int]) -> bytearray:
    """Flags set where the value (an owner, a terrain, ...) is one of those wanted."""
    return bytearray([1 if value in wanted else 0 for value in values])


def flags_either(first: Flags, second: Flags) -> bytearray:
    """Flags set where either list is set."""
    return bytearray([1 if a or b else 0 for a, b in zip(first, second, strict=True)])


def flags_without(first: Flags, second: Flags) -> bytearray:
    """Flags set where the first list is set and the second is not: zones of control but where friends stand."""
    return bytearray([1 if a and not b else 0 for a, b in zip(first, second, strict=True)])


def flagged(flags: Flags) -> list[int]:
    """The numbers of the entries that are set, in order."""
    return [i for i, flag in enumerate(flags) if flag]


def zone_around(graph: SpaceGraph, spaces: Iterable[int], closed_arcs: Flags | None = None) -> bytearray:
    """Flags set in the neighbours of the spaces given: zones of control.

    A zone does not reach over `closed_arcs`; the spaces themselves are set only where they are neighbours of another.
    """
    zone = bytearray(len(graph))
    if closed_arcs is None:
        neighbours = graph.neighbours
        for here in spaces:
            for there in neighbours[here]:
                zone[there] = 1
        return zone
    check_length(closed_arcs, graph.arc_count, "arc")
    exits = graph.exits
    for here in spaces:
        for there, arc in exits[here]:
            if not closed_arcs[arc]:
                zone[there] = 1
    return zone
