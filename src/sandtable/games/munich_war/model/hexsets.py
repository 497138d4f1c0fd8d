"""Steps of sets of hexes: a hex is one bit of an integer, a step in a direction is a shift."""

from __future__ import annotations

from collections.abc import Sequence

Edges = tuple[tuple[int, int], ...]
"""(shift, hexes one may start from): all steps of one kind."""
_FEW = 6  # up to so many hexes the table is quicker


def shifted(mask: int, edges: Edges) -> int:
    """All hexes one step away along these edges."""
    out = 0
    for shift, origins in edges:
        moved = mask & origins
        if moved:
            out |= moved << shift if shift > 0 else moved >> -shift
    return out


def next_to(hexes: int, edges: Edges, table: Sequence[int]) -> int:
    """The same by a table of what lies next to each hex."""
    if hexes.bit_count() > _FEW:
        return shifted(hexes, edges)
    out = 0
    while hexes:
        at = hexes.bit_length() - 1
        out |= table[at]
        hexes ^= 1 << at
    return out


def flood(start: int, edges: Edges, inside: int, most: int = 10_000) -> int:
    """`start` and all that is reached from it within `inside` in at most that many steps."""
    seen = front = start
    while front and most > 0:
        front = shifted(front, edges) & inside & ~seen
        seen |= front
        most -= 1
    return seen
