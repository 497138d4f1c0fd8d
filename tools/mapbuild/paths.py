"""Compact SVG paths in whole map units: M, relative l, z, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

Point = tuple[float, float]


def polygons(geometry: BaseGeometry, min_area: float = 0.0) -> MultiPolygon:
    """Only the polygons of a geometry, largest first, those under min_area (holes too) left out."""
    parts = [part for part in shapely.get_parts(shapely.get_parts(geometry)) if isinstance(part, Polygon)]
    kept: list[Polygon] = []
    for part in parts:
        if part.area > 0 and part.area >= min_area:
            holes = [hole for hole in part.interiors if Polygon(hole).area >= min_area]
            kept.append(Polygon(part.exterior, holes))
    return MultiPolygon(sorted(kept, key=lambda p: (-p.area, p.bounds)))


def _relative(points: Sequence[Point], closed: bool) -> str:
    whole: list[tuple[int, int]] = []
    for x, y in points:
        here = (round(x), round(y))
        if not whole or whole[-1] != here:
            whole.append(here)
    if closed and len(whole) > 1 and whole[0] == whole[-1]:
        whole.pop()
    if len(whole) < (3 if closed else 2):
        return ""
    numbers: list[str] = []
    for (x0, y0), (x1, y1) in pairwise(whole):
        numbers += [str(x1 - x0), str(y1 - y0)]
    tail = "".join(n if n.startswith("-") or i == 0 else " " + n for i, n in enumerate(numbers))
    return f"M{whole[0][0]} {whole[0][1]}l{tail}" + ("z" if closed else "")


def line_path(points: Sequence[Point]) -> str:
    """An open path in whole map units, relative coordinates; "" if it shrinks to a point."""
    return _relative(points, closed=False)


def ring_path(points: Sequence[Point]) -> str:
    """A closed path; "" if nothing is left of it after rounding."""
    return _relative(points, closed=True)


def polygon_path(polygon: Polygon) -> str:
    """A polygon with its holes as one path for fill-rule evenodd."""
    # Holes run against their outline, so that the nonzero rule of other drawing programs leaves them open too.
    polygon = orient(polygon)
    outer = ring_path(list(polygon.exterior.coords))
    return outer + "".join(ring_path(list(hole.coords)) for hole in polygon.interiors) if outer else ""


def polygon_paths(geometry: BaseGeometry) -> list[str]:
    """One path per polygon, largest first."""
    return [path for path in (polygon_path(part) for part in polygons(geometry).geoms) if path]


_COMMAND = re.compile(r"([MlLz])([^MlLz]*)")
_NUMBER = re.compile(r"-?\d+")
_PATH = re.compile(r"(M-?\d+ -?\d+(?:[lL]-?\d+(?: ?-?\d+)*)?z?)+")


def parse_path(path: str) -> list[tuple[list[tuple[int, int]], bool]]:
    """The parts of a path that this module wrote: their points, and whether they are closed. ValueError otherwise."""
    if not _PATH.fullmatch(path):
        raise ValueError(f"not a map path: {path[:60]!r}")
    parts: list[tuple[list[tuple[int, int]], bool]] = []
    for command, body in _COMMAND.findall(path):
        values = [int(n) for n in _NUMBER.findall(body)]
        if len(values) % 2:
            raise ValueError(f"odd number of coordinates in path {path[:60]!r}")
        pairs = list(zip(values[::2], values[1::2], strict=True))
        if command == "M":
            parts.append(([pairs[0]], False))
        elif command == "z":
            parts[-1] = (parts[-1][0], True)
        else:
            for x, y in pairs:
                px, py = parts[-1][0][-1] if command == "l" else (0, 0)
                parts[-1][0].append((px + x, py + y))
    return parts
