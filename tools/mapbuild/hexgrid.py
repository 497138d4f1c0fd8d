"""The two hex grids as plain geometry, and the bent projection that lays real ground under them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tools.mapbuild.base import Point, Projection, Warp

SIDE, HALF, STEP = 120, 104, 180
"""Side of a hex, half its width across the flats, and the distance of its rows (or columns), in map units. HALF is
SIDE times sin 60 degrees, rounded, so that every corner has whole coordinates and neighbours share theirs exactly."""
POINTY = ((0, -SIDE), (HALF, -SIDE // 2), (HALF, SIDE // 2), (0, SIDE), (-HALF, SIDE // 2), (-HALF, -SIDE // 2))
FLAT = ((SIDE, 0), (SIDE // 2, HALF), (-SIDE // 2, HALF), (-SIDE, 0), (-SIDE // 2, -HALF), (SIDE // 2, -HALF))

Whole = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """Where every hex of one game lies on the sheet."""

    flat: bool
    centres: Mapping[str, Whole]

    def corners(self, hex_id: str) -> list[Whole]:
        x, y = self.centres[hex_id]
        return [(x + dx, y + dy) for dx, dy in (FLAT if self.flat else POINTY)]

    def side(self, a: str, b: str) -> tuple[Whole, Whole]:
        """The two corners that neighbours share; ValueError if the hexes do not touch."""
        other = set(self.corners(b))
        shared = [corner for corner in self.corners(a) if corner in other]
        if len(shared) != 2:
            raise ValueError(f"hexes {a} and {b} are not neighbours")
        return shared[0], shared[1]

    def neighbours(self) -> list[tuple[str, str]]:
        """All pairs of hexes that share a side, each once."""
        at = {centre: hex_id for hex_id, centre in self.centres.items()}
        steps = (
            [(0, 2 * HALF), (STEP, HALF), (STEP, -HALF)] if self.flat else [(2 * HALF, 0), (HALF, STEP), (-HALF, STEP)]
        )
        pairs = [
            (hex_id, at[x + dx, y + dy])
            for hex_id, (x, y) in self.centres.items()
            for dx, dy in steps
            if (x + dx, y + dy) in at
        ]
        return sorted(pairs)

    def keep_inside(self, hex_id: str, point: Sequence[float], inset: float) -> Whole:
        """The point, pulled towards the hex's centre until it is at least `inset` from every side."""
        cx, cy = self.centres[hex_id]
        dx, dy = point[0] - cx, point[1] - cy
        angles = (30, 90, 150) if self.flat else (0, 60, 120)
        reach = max(abs(dx * math.cos(math.radians(a)) + dy * math.sin(math.radians(a))) for a in angles)
        factor = min(1.0, (HALF - inset) / reach) if reach else 1.0
        return round(cx + dx * factor), round(cy + dy * factor)


def lettered_grid(hexes: Mapping[str, Mapping[str, Any]], left: int, top: int) -> Grid:
    """Hitler's War: rows A (south) to X (north), pointy tops, every second row half a hex east."""
    rows = {h["row"] for h in hexes.values()}
    first = min(h["number"] for h in hexes.values())
    north = ord(max(rows))
    centres = {
        hex_id: (
            left + 2 * HALF * (h["number"] - first) + (HALF if (ord(h["row"]) - ord("A")) % 2 else 0),
            top + STEP * (north - ord(h["row"])),
        )
        for hex_id, h in hexes.items()
    }
    return Grid(False, centres)


def numbered_grid(hexes: Mapping[str, Mapping[str, Any]], left: int, top: int) -> Grid:
    """Munich War: columns and rows (CCRR), flat tops, even columns half a hex higher."""
    first = min(h["col"] for h in hexes.values())
    centres = {
        hex_id: (left + STEP * (h["col"] - first), top + HALF * (2 * h["row"] - (3 if h["col"] % 2 == 0 else 2)) + HALF)
        for hex_id, h in hexes.items()
    }
    return Grid(True, centres)


def warp(
    grid: Grid,
    hexes: Mapping[str, Mapping[str, Any]],
    projection: Projection,
    size: Whole,
    shores: Mapping[str, Sequence[float]],
) -> Warp:
    """The projection under which every hex of the atlas lies at its latitude and longitude.

    Shores are points of the real coast (longitude, latitude) and where they go, seen from the middle of a hex: a hex to
    which the rules give a shore would otherwise miss it by less than the error of the atlas's own fit. For a sea hex
    the shore takes the place of its own latitude and longitude, which lie on a cape.
    """
    ids = [i for i in hexes if i not in shores or hexes[i]["kind"] != "sea"]
    known = np.asarray([grid.centres[i] for i in hexes], float)
    targets: list[Point] = [(float(x), float(y)) for x, y in (grid.centres[i] for i in ids)]
    targets += [(grid.centres[i][0] + dx, grid.centres[i][1] + dy) for i, (_, _, dx, dy) in shores.items()]
    guards = [
        (float(x), float(y))
        for x in range(-1040, size[0] + 1041, 260)
        for y in range(-1040, size[1] + 1041, 260)
        if np.hypot(known[:, 0] - x, known[:, 1] - y).min() > 500
    ]
    lon = [float(hexes[i]["lon"]) for i in ids] + [shore[0] for shore in shores.values()]
    lat = [float(hexes[i]["lat"]) for i in ids] + [shore[1] for shore in shores.values()]
    return Warp.fit(projection, lon, lat, targets, 1e-4, guards)
