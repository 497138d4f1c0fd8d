"""One panel of a sheet: a projection, a frame, the coast in it, and the spaces cut out of land and water."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from . import base
from .areas_topology import Arcs, Mosaic, Pair, Seed, pair

NO_LAND, NO_SEA, OFF_SHEET = "_land", "_sea", "_off"
"""What land and water are called that belong to no space, and what lies under an inset."""
GAP = 12.0
"""How far the main panel stays away from an inset."""
CRUMB = 25.0
"""Land smaller than this is not drawn."""
INLAND_SEA = 700.0
"""Closed waters from this area on are sea, like the Black Sea behind its straits."""
CORNER = 62.0
"""Borders of unlinked spaces up to this long shrink to a corner."""


def load_table(game: str) -> dict[str, Any]:
    """The places of a game (its folder name), typed by hand."""
    return tomllib.loads((base.HERE / f"places_{game}.toml").read_text(encoding="utf-8"))


def load_atlas(game: str) -> dict[str, Any]:
    path: Path = base.GAMES / game / "data" / "atlas.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def parse_places(text: str) -> list[tuple[str, float, float]]:
    """'Name lon lat; lon lat; ...' as tuples (name, lon, lat)."""
    found: list[tuple[str, float, float]] = []
    for entry in text.split(";"):
        words = entry.split()
        if len(words) < 2:
            raise ValueError(f"place without longitude and latitude: {entry!r}")
        found.append((" ".join(words[:-2]), float(words[-2]), float(words[-1])))
    return found


def grid_projection(lon: Sequence[Sequence[float]], lat: Sequence[Sequence[float]]) -> base.Projection:
    """A plain grid whose degrees may be narrower where the map is empty: knots of (degree, units)."""
    lons, xs = np.array(lon, float).T
    lats, ys = np.array(sorted(tuple(knot) for knot in lat), float).T

    def outward(value: base.Floats, knots: base.Floats, units: base.Floats) -> base.Floats:
        inner = np.interp(value, knots, units)
        low = units[0] + (value - knots[0]) * (units[1] - units[0]) / (knots[1] - knots[0])
        high = units[-1] + (value - knots[-1]) * (units[-1] - units[-2]) / (knots[-1] - knots[-2])
        return np.where(value < knots[0], low, np.where(value > knots[-1], high, inner))

    def forward(x: base.Floats, y: base.Floats) -> tuple[base.Floats, base.Floats]:
        return outward(np.asarray(x, float), lons, xs), outward(np.asarray(y, float), lats, ys)

    return forward


def squeezed(projection: base.Projection, spec: Mapping[str, Any]) -> base.Projection:
    """Degrees beyond a limit count only for a share of their width: oceans, deserts and steppes that fit the sheet."""

    def forward(x: base.Floats, y: base.Floats) -> tuple[base.Floats, base.Floats]:
        x, y = np.asarray(x, float), np.asarray(y, float)
        if "squeeze_west" in spec:
            limit, share = spec["squeeze_west"]
            x = np.where(x < limit, limit + (x - limit) * share, x)
        if "squeeze_east" in spec:
            limit, share = spec["squeeze_east"]
            x = np.where(x > limit, limit + (x - limit) * share, x)
        if "squeeze_south" in spec:
            limit, share = spec["squeeze_south"]
            y = np.where(y < limit, limit + (y - limit) * share, y)
        return projection(x, y)

    return forward


def panel_projection(spec: Mapping[str, Any]) -> base.Projection:
    dx, dy = spec["origin"]
    if spec["kind"] == "grid":
        return base.placed(grid_projection(spec["lon"], spec["lat"]), 1.0, dx, dy)
    south, north = spec["parallels"]
    lon0, lat0 = spec["centre"]
    conic = base.lambert_conformal(south, north, lon0, lat0, spec["scale"])
    return base.placed(squeezed(conic, spec), 1.0, dx, dy)


@dataclass
class Panel:
    """A cut piece of the world on a sheet, with its spaces."""

    id: str
    projection: base.Projection
    frame: BaseGeometry
    land: MultiPolygon
    lakes: MultiPolygon
    rivers: list[LineString]
    shapes: dict[str, MultiPolygon] = field(default_factory=dict)
    borders: dict[Pair, list[LineString]] = field(default_factory=dict)

    def outside(self) -> list[str]:
        """Land that belongs to no space, to be drawn paler."""
        return base.polygon_paths(self.shapes.get(NO_LAND, MultiPolygon()))

    def at(self, lon: float, lat: float) -> tuple[float, float]:
        x, y = self.projection(np.array([lon]), np.array([lat]))
        return float(x[0]), float(y[0])


class Links:
    """Which spaces are neighbours, by kind."""

    def __init__(self, links: Sequence[Mapping[str, Any]]) -> None:
        self.pairs = {pair(link["a"], link["b"]) for link in links}

    def __contains__(self, both: tuple[str, str]) -> bool:
        return pair(*both) in self.pairs


def build_panel(
    table: Mapping[str, Any],
    name: str,
    sheet: BaseGeometry,
    insets: Sequence[BaseGeometry],
    links: Links,
    carved: Mapping[str, BaseGeometry],
) -> Panel:
    """Coast and spaces of one panel; `carved` are shapes of their own (islands, ports) laid over both."""
    spec = table["panels"][name]
    projection = panel_projection(spec)
    frame: BaseGeometry = shapely.box(*spec["frame"]) if "frame" in spec else sheet
    for inset in insets:
        frame = frame.difference(inset.buffer(GAP, join_style="mitre"))
    bounds = tuple(spec["bounds"])
    land = base.project(base.load_land(bounds, spec["detail"]), projection)
    # Thinned out a little beyond the frame and cut afterwards, so that no thread of sea is left along its edge.
    wide = base.clip_polygons(land, frame.buffer(10, join_style="mitre"), spec["tolerance"], CRUMB)
    land = base.polygons(shapely.intersection(wide, frame, grid_size=1.0), CRUMB)
    scopes = spec.get("scopes", ["europe", "asia", "africa", "north-america", "south-america"])
    lakes = base.project(base.load_lakes(bounds, "50m", scopes), projection)
    lakes = base.clip_polygons(lakes, land, 2.0, 160.0)
    rivers = [base.project(line, projection) for line in base.load_rivers(bounds, "50m", scopes)]
    rivers = base.clip_lines(rivers, land.intersection(frame), 2.0, 24.0)
    panel = Panel(name, projection, frame, land, lakes, rivers)
    _cut_spaces(panel, table, spec, links, carved)
    return panel


def _seeds(panel: Panel, places: Mapping[str, str], nowhere: str) -> list[Seed]:
    seeds: dict[tuple[float, float], Seed] = {}
    for label, text in places.items():
        for _, lon, lat in parse_places(text):
            x, y = panel.at(lon, lat)
            seeds.setdefault((round(x), round(y)), Seed(nowhere if label == "_" else label, x, y))
    return [seeds[key] for key in sorted(seeds)]


def _cut_spaces(
    panel: Panel, table: Mapping[str, Any], spec: Mapping[str, Any], links: Links, carved: Mapping[str, BaseGeometry]
) -> None:
    land_seeds = _seeds(panel, table["land"][panel.id], NO_LAND)
    sea_seeds = _seeds(panel, table["sea"][panel.id], NO_SEA)
    solid = _solid_ground(panel.land, land_seeds, spec["min_area"])
    water = panel.frame.difference(solid)
    around = panel.frame.buffer(600)

    def unwanted(ground: BaseGeometry) -> Any:
        def ask(a: str, b: str, line: LineString) -> bool:
            if "" in (a, b) or a.startswith("_") or b.startswith("_") or (a, b) in links:
                return False
            return bool(line.length <= CORNER and line.intersects(ground))

        return ask

    land_arcs, sea_arcs = Arcs(land_seeds, around), Arcs(sea_seeds, around)
    land_arcs.collapse(unwanted(solid))
    sea_arcs.collapse(unwanted(water))
    for arcs in (land_arcs, sea_arcs):
        arcs.soften()
    on_land, at_sea = land_arcs.regions(), sea_arcs.regions()
    near_land, near_sea = solid.buffer(0.7), water.buffer(0.7)
    holes = shapely.union_all(list(carved.values())) if carved else Polygon()
    linework: list[BaseGeometry] = [solid.boundary, panel.frame.boundary, *(s.boundary for s in carved.values())]
    for arcs, ground in ((land_arcs, near_land), (sea_arcs, near_sea)):
        linework += [line.intersection(ground).difference(holes) for line in arcs.lines()]
    linework[0] = linework[0].difference(holes.buffer(-0.5))
    linework = [part for line in linework for part in base.lines(line.intersection(panel.frame.buffer(0.7)))]
    shapely.prepare(solid)

    def name(point: Point) -> str:
        if not panel.frame.contains(point):
            return OFF_SHEET
        for label, shape in carved.items():
            if shape.contains(point):
                return label
        return on_land.at(point) if solid.contains(point) else at_sea.at(point)

    land_names = {seed.label for seed in land_seeds}

    def kind(label: str) -> str:
        return "" if label in carved else "land" if label in land_names else "sea"

    mosaic = Mosaic(linework, name)
    mosaic.tidy(kind, 0.2, 2600.0)
    panel.shapes = mosaic.shapes()
    panel.borders = mosaic.borders()


def _solid_ground(land: MultiPolygon, seeds: Sequence[Seed], min_area: float) -> BaseGeometry:
    """Land that is cut into spaces: small islands only if a place names them."""
    points = shapely.MultiPoint([(seed.x, seed.y) for seed in seeds])
    parts = [
        Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area >= INLAND_SEA])
        for part in land.geoms
        if part.area >= min_area * 12 or (part.area >= min_area and part.distance(points) <= 4.0)
    ]
    return shapely.union_all(parts)
