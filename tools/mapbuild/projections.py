"""Map projections, and one that can be bent to pass through known places."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

Floats = NDArray[np.float64]
Point = tuple[float, float]
Projection = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""Takes longitudes and latitudes in degrees, gives x and y; y grows DOWNWARDS."""


def lambert_azimuthal(lat0: float, lon0: float, scale: float = 1.0) -> Projection:
    """Lambert's azimuthal equal-area projection on the unit sphere times scale."""
    p0, l0 = math.radians(lat0), math.radians(lon0)

    def forward(lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        lam, phi = np.radians(lon) - l0, np.radians(lat)
        k = np.sqrt(2 / (1 + math.sin(p0) * np.sin(phi) + math.cos(p0) * np.cos(phi) * np.cos(lam)))
        x = k * np.cos(phi) * np.sin(lam)
        y = k * (math.cos(p0) * np.sin(phi) - math.sin(p0) * np.cos(phi) * np.cos(lam))
        return scale * x, -scale * y

    return forward


def lambert_conformal(south: float, north: float, lon0: float, lat0: float, scale: float = 1.0) -> Projection:
    """Lambert's conformal conic projection with two standard parallels on the unit sphere times scale."""
    p1, p2 = math.radians(south), math.radians(north)
    tangent = [math.tan(math.pi / 4 + p / 2) for p in (p1, p2)]
    n = math.log(math.cos(p1) / math.cos(p2)) / math.log(tangent[1] / tangent[0])
    f = math.cos(p1) * tangent[0] ** n / n
    rho0 = f / math.tan(math.pi / 4 + math.radians(lat0) / 2) ** n

    def forward(lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        rho = f / np.tan(math.pi / 4 + np.radians(lat) / 2) ** n
        theta = n * np.radians(lon - lon0)
        return scale * rho * np.sin(theta), -scale * (rho0 - rho * np.cos(theta))

    return forward


def miller(lon0: float, scale: float = 1.0) -> Projection:
    """Miller's cylindrical projection: a friendly rectangle for a map of the world."""

    def forward(lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        return scale * np.radians(lon - lon0), -scale * 1.25 * np.log(np.tan(math.pi / 4 + 0.4 * np.radians(lat)))

    return forward


def placed(projection: Projection, scale: float, dx: float, dy: float) -> Projection:
    """A projection scaled and then shifted, to lay it on a sheet."""

    def forward(lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        x, y = projection(lon, lat)
        return x * scale + dx, y * scale + dy

    return forward


@dataclass(frozen=True)
class Warp:
    """A projection bent so that known places land near where the printed map has them (thin-plate spline).

    With stiffness 0 it goes through every place exactly; the larger it is, the more it only leans towards them.
    """

    projection: Projection
    centres: Floats
    weights: Floats
    unit: float

    @classmethod
    def fit(
        cls,
        projection: Projection,
        lon: Sequence[float],
        lat: Sequence[float],
        targets: Sequence[Point],
        stiffness: float,
        guards: Sequence[Point] = (),
    ) -> Warp:
        """Bend a projection towards targets. Guards are map positions outside them, where the bending must not run
        away: each lies where the plain map would have it plus the shift of the known places nearest to it."""
        x, y = projection(np.asarray(lon, float), np.asarray(lat, float))
        unit = float(np.hypot(x.std(), y.std()))
        centres = np.column_stack([x, y]) / unit
        goals = np.asarray(targets, float)
        if len(guards):
            outside = np.asarray(guards, float)
            plain = np.column_stack([goals, np.ones(len(goals))])
            flat = np.linalg.lstsq(plain, centres, rcond=None)[0]
            shifts = centres - plain @ flat
            apart = np.hypot(*(outside[:, None, :] - goals[None, :, :]).transpose(2, 0, 1))
            near = np.argsort(apart, axis=1, kind="stable")[:, :6]
            weight = 1 / np.take_along_axis(apart, near, axis=1) ** 2
            shift = (shifts[near] * weight[:, :, None]).sum(axis=1) / weight.sum(axis=1)[:, None]
            centres = np.vstack([centres, np.column_stack([outside, np.ones(len(outside))]) @ flat + shift])
            goals = np.vstack([goals, outside])
        size = len(centres)
        distance = np.hypot(*(centres[:, None, :] - centres[None, :, :]).transpose(2, 0, 1))
        system = np.zeros((size + 3, size + 3))
        system[:size, :size] = cls._kernel(distance) + stiffness * np.eye(size)
        system[:size, size] = system[size, :size] = 1.0
        system[:size, size + 1 :] = centres
        system[size + 1 :, :size] = centres.T
        return cls(projection, centres, np.linalg.solve(system, np.vstack([goals, np.zeros((3, 2))])), unit)

    def covers(self) -> Polygon:
        """The ground between the outermost known places and guards, in units of the unbent projection."""
        return shapely.MultiPoint(self.centres * self.unit).convex_hull

    @staticmethod
    def _kernel(distance: Floats) -> Floats:
        safe = np.where(distance > 0, distance, 1.0)
        return np.asarray(safe**2 * np.log(safe), dtype=np.float64)

    def __call__(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        x, y = self.projection(np.asarray(lon, float), np.asarray(lat, float))
        bent = self.bend(np.column_stack([x, y]))
        return bent[:, 0], bent[:, 1]

    def bend(self, plain: Floats) -> Floats:
        """Points of the unbent projection as points of the map."""
        points = plain / self.unit
        result = np.empty_like(points)
        size = len(self.centres)
        for start in range(0, len(points), 4096):
            block = points[start : start + 4096]
            distance = np.hypot(*(block[:, None, :] - self.centres[None, :, :]).transpose(2, 0, 1))
            bent = self._kernel(distance) @ self.weights[:size]
            result[start : start + 4096] = bent + self.weights[size] + block @ self.weights[size + 1 :]
        return np.asarray(np.round(result, 3), dtype=np.float64)
