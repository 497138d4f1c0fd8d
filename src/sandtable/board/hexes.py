"""Hexes by axial coordinates: two axes at 60 degrees, so that a step in one direction adds the same pair everywhere.

    >>> distance((0, 0), (2, -1))
    2
    >>> neighbours([(0, 0), (1, 0), (5, 5), (0, 1)])
    [[1, 3], [3, 0], [], [1, 0]]

A map that shifts every second row has axial coordinates (number + row // 2, -row) with rows counted from the south;
one that shifts every second column has (column, row - column // 2) with rows counted from the north.
"""

from __future__ import annotations

from collections.abc import Sequence

Axial = tuple[int, int]
_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The six directions, clockwise."""


def distance(here: Axial, there: Axial) -> int:
    """Return how many steps lead from one hex to another."""
    right, down = there[0] - here[0], there[1] - here[1]
    return max(abs(right), abs(down), abs(right + down))


def neighbours(hexes: Sequence[Axial]) -> list[list[int]]:
    """Return for each hex the numbers of those next to it, clockwise."""
    number = {place: index for index, place in enumerate(hexes)}
    around = [[(q + right, r + down) for right, down in _STEPS] for q, r in hexes]
    return [[number[place] for place in ring if place in number] for ring in around]
