"""Marks of the ground: peaks, trees, reeds and dunes, strewn over the spaces whose terrain they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import shapely
from shapely.geometry import LineString, MultiPolygon

from . import labels
from .areas_facts import Facts
from .areas_topology import Pair

STREWN = {
    "mountain": ("mountains", 52.0, 17),
    "impassable": ("mountains", 40.0, 19),
    "forest": ("forests", 46.0, 13),
    "swamp": ("marsh", 48.0, 12),
    "desert": ("desert", 62.0, 13),
}
"""Terrain: which list of marks, how far apart, how large."""
RANGE_STEP, RANGE_SIZE = 30.0, 14
"""Marks along a mountain border."""


def terrain_marks(
    size: tuple[int, int],
    spaces: Mapping[str, Mapping[str, Any]],
    shapes: Mapping[str, MultiPolygon],
    facts: Facts,
    lines: Mapping[Pair, list[LineString]],
    placer: labels.Placer,
) -> dict[str, list[list[int]]]:
    """Lists of [x, y, size] by kind of mark, clear of names and of the heart of each space."""
    marks: dict[str, list[list[int]]] = {"mountains": [], "forests": [], "marsh": [], "desert": []}

    def put(kind: str, x: float, y: float, large: int) -> None:
        box = labels.quad((x, y), large * 1.6, large * 1.4)
        if placer.cost(box) < 2.0:
            marks[kind].append([round(x), round(y), large])

    for name, space in spaces.items():
        if space["terrain"] in STREWN and facts.spaces[name].is_land:
            kind, step, large = STREWN[space["terrain"]]
            inner = shapes[name].buffer(-large * 0.9)
            if not inner.is_empty:
                for x, y in _strewn(inner, step):
                    put(kind, x, y, large)
    for link in facts.links:
        if "mountain" in link.get("borders", []):
            for line in lines.get((min(link["a"], link["b"]), max(link["a"], link["b"])), []):
                for i in range(1, max(2, int(line.length / RANGE_STEP))):
                    point = line.interpolate(i * RANGE_STEP)
                    put("mountains", point.x, point.y, RANGE_SIZE)
    return marks


def _strewn(ground: Any, step: float) -> list[tuple[float, float]]:
    """Points of a loose, fixed pattern inside a shape."""
    x0, y0, x1, y1 = ground.bounds
    found: list[tuple[float, float]] = []
    tall = step * 0.86
    for row in range(int(y0 // tall), int(y1 // tall) + 2):
        for column in range(int(x0 // step), int(x1 // step) + 2):
            # A small fixed number from row and column shifts each point, so that no grid shows.
            shake = (row * 73 + column * 151 + row * column * 17) % 97 / 97 - 0.5
            other = (row * 131 + column * 59 + row * column * 29) % 89 / 89 - 0.5
            x = (column + 0.5 * (row % 2)) * step + shake * step * 0.5
            y = row * tall + other * step * 0.4
            if ground.contains(shapely.Point(x, y)):
                found.append((x, y))
    return found
