"""Supply: which spaces can trace a line to a source, how long it is, and along which net.

A line runs from a unit to a source through spaces that are not blocked. Instead of tracing from every unit, the search
runs once from all sources outwards; the answer for every space is then a look-up:

    >>> from sandtable.board import SpaceGraph, supply_lines
    >>> front = SpaceGraph.from_links(["capital", "plain", "ford", "pocket"],
    ...                               [("capital", "plain"), ("plain", "ford"), ("ford", "pocket")])
    >>> enemy = [0, 0, 1, 0]
    >>> supply_lines(front, [front.index("capital")], blocked=enemy)
    [0, 1, -1, -1]

`blocked` spaces carry no line, get none, and are no sources. A `stop` space (a zone of control) gets supply and may be
a source, but no line goes through it. `closed_arcs` are read in the direction of the trace, from the unit towards the
source. Flags and limits are as in `counting`.

Some games trace a few spaces overland and then any distance along a railway. That is two calls, one net after the
other, from the source outwards: first what the sources feed by rail, then what lies within reach of that.

    railheads = supplied_spaces(rail_net, sources, blocked=rail_cut)
    overland = supply_lines(land, [*sources, *railheads], limit=7, blocked=enemy_or_neutral, stop=enemy_zones)
    in_supply = 0 <= overland[unit_space] <= movement_points

The nets may be different boards as long as their spaces have the same numbers, as `SpaceGraph.only_edges` gives them.
"""

from __future__ import annotations

from collections.abc import Iterable

from .counting import Blocked, can_reach, check_starts, closed_spaces, spread
from .graph import Flags, SpaceGraph


def supply_lines(
    graph: SpaceGraph,
    sources: Iterable[int],
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> list[int]:
    """Per space the length of its shortest line to a source, 0 in a source, -1 without a line."""
    shut = closed_spaces(graph, blocked)
    open_sources = [space for space in check_starts(sources, len(graph)) if not shut[space]]
    return spread(graph, graph.entries, open_sources, limit, shut, stop, closed_arcs)


def supplied_spaces(
    graph: SpaceGraph,
    sources: Iterable[int],
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> list[int]:
    """The spaces with a line to a source, sources included, in the order of the board."""
    lines = supply_lines(graph, sources, limit=limit, blocked=blocked, stop=stop, closed_arcs=closed_arcs)
    return [space for space, length in enumerate(lines) if length >= 0]


def is_supplied(
    graph: SpaceGraph,
    space: int,
    sources: Flags,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
    stop: Flags | None = None,
    closed_arcs: Flags | None = None,
) -> bool:
    """Whether one space has a line to any flagged source: for a single unit quicker than all lines at once.

    Here the unit's own space counts even if it is blocked, since the line begins there, unless it is itself the source.
    """
    shut = closed_spaces(graph, blocked)
    open_sources = [1 if flag and not closed else 0 for flag, closed in zip(sources, shut, strict=True)]
    return can_reach(graph, [space], open_sources, limit=limit, blocked=shut, stop=stop, closed_arcs=closed_arcs)
