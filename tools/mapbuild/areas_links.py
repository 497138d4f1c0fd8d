"""Where a map may differ from its links, and the lines drawn there: lanes between spaces apart, barriers between
spaces that touch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points, substring

from .areas_topology import Pair, pair

SHORT = 5.0
"""Contact up to this length counts as a corner, not as a border."""
VISIBLE = 12.0
"""Linked spaces must touch at least for this length, or a lane is drawn."""
LONG, STUB = 320.0, 90.0
"""Lanes longer than this are drawn as two stubs, each so long."""
REACH = 26.0
"""How far a lane runs into the spaces that it joins."""


class Exceptions:
    """The table's explained differences: pairs shown as a lane, a closed coast or an impassable border."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.shown: dict[Pair, tuple[str, str]] = {}
        for entry in table.get("exceptions", []):
            for text in entry["pairs"]:
                a, b = text.split()
                self.shown[pair(a, b)] = (entry["show"], entry["why"])

    def is_lane(self, key: Pair) -> bool:
        return self.shown.get(key, ("", ""))[0] == "lane"

    def is_barrier(self, key: Pair) -> bool:
        return self.shown.get(key, ("", ""))[0] in ("impassable", "closed_coast")

    def barrier(self, key: Pair) -> str:
        return self.shown[key][0] if self.is_barrier(key) else "impassable"


def connector(one: tuple[BaseGeometry, Sequence[float]], other: tuple[BaseGeometry, Sequence[float]]) -> LineString:
    """A line between two spaces where they are nearest, reaching a little into both."""
    near, far = nearest_points(one[0], other[0])
    return LineString([_inside(one, near), (near.x, near.y), (far.x, far.y), _inside(other, far)])


def stubs(line: LineString) -> list[LineString]:
    """A lane too long to be drawn across the map: only how it leaves each end."""
    whole = line.length
    return [substring(line, 0.0, STUB), substring(line, whole, whole - STUB)]


def _inside(space: tuple[BaseGeometry, Sequence[float]], start: Point) -> tuple[float, float]:
    x, y = float(space[1][0]), float(space[1][1])
    distance = math.hypot(x - start.x, y - start.y)
    share = min(1.0, REACH / distance) if distance else 0.0
    return start.x + (x - start.x) * share, start.y + (y - start.y) * share


def exit_arrow(table: Mapping[str, Any], sheet: str, here: str, there: str) -> LineString:
    """The arrow for a way that leads to another sheet, where the table puts it."""
    x0, y0, x1, y1 = (float(word) for word in table["exits"][sheet][f"{here} {there}"].split())
    return LineString([(x0, y0), (x1, y1)])
