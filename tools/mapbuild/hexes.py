"""Builds the maps of the two hex games, Hitler's War and Munich War, from their atlases."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, box
from shapely.ops import unary_union

from tools.mapbuild import base, hexterrain
from tools.mapbuild.base import Point
from tools.mapbuild.build import FORMAT, load_atlas
from tools.mapbuild.hexboxes import place_boxes
from tools.mapbuild.hexgrid import Grid, Whole, lettered_grid, numbered_grid, warp
from tools.mapbuild.hexnames import name_everything

EARTH = 6371.0
"""Radius of the earth in km."""
COUNTER = 62
"""Radius of the circle round a hex's middle that is kept for counters."""
COLOURS = {
    "light_blue": "#a9bccb", "light_green": "#bccf9f", "brown": "#d0b894", "yellow": "#e6d48c", "red": "#dcaa98",
    "dark_blue": "#9aa6c6", "orange": "#e8c79a", "gray": "#cfcabd", "dark_green": "#9db88e",
}  # fmt: skip
"""The printed map's colour names as muted inks."""


def read_data(name: str) -> Any:
    """One of this folder's own data files."""
    return json.loads((base.HERE / "data" / f"{name}.json").read_text(encoding="utf-8"))


@dataclass
class Sheet:
    """Everything known about the sheet while it grows."""

    game: str
    atlas: dict[str, Any]
    layout: dict[str, Any]
    grid: Grid
    size: Whole
    project: base.Projection
    land: MultiPolygon
    lakes: MultiPolygon
    rivers: list[LineString]
    dry: Any = None
    spaces: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: list[dict[str, Any]] = field(default_factory=list)
    borders: list[dict[str, Any]] = field(default_factory=list)
    labels: list[dict[str, Any]] = field(default_factory=list)
    drawn_rivers: list[dict[str, Any]] = field(default_factory=list)
    countries: list[dict[str, Any]] = field(default_factory=list)
    boxes: list[dict[str, Any]] = field(default_factory=list)
    german: dict[str, str] = field(default_factory=dict)
    places: dict[str, list[float]] = field(default_factory=dict)
    arrows: list[tuple[dict[str, Any], list[Point]]] = field(default_factory=list)
    river_courses: dict[str, list[list[Point]]] = field(default_factory=dict)

    def where(self, lonlat: Sequence[float]) -> Point:
        x, y = self.project(np.asarray([lonlat[0]], float), np.asarray([lonlat[1]], float))
        return float(x[0]), float(y[0])

    def named(self, text: str, key: str = "text") -> dict[str, str]:
        """A text and, where it differs, its German form."""
        german = self.german.get(text, text)
        return {key: text} if german == text else {key: text, f"{key}_de": german}


def _projection(spec: Mapping[str, Any]) -> base.Projection:
    if spec["kind"] == "azimuthal":
        return base.lambert_azimuthal(spec["lat"], spec["lon"], EARTH)
    return base.lambert_conformal(spec["south"], spec["north"], spec["lon"], spec["lat"], EARTH)


def _ground(game: str, make_grid: Callable[[Mapping[str, Any], int, int], Grid]) -> Sheet:
    """The sheet with its grid, its projection and the real ground under it."""
    atlas, layout = load_atlas(game), read_data(game)
    hexes, margins = atlas["hexes"], layout["margins"]
    grid = make_grid(hexes, margins["left"], margins["top"])
    size = (
        max(x for x, _ in grid.centres.values()) + margins["right"],
        max(y for _, y in grid.centres.values()) + margins["bottom"],
    )
    bent = warp(grid, hexes, _projection(layout["projection"]), size, layout["shores"])
    bounds = tuple(layout["bounds"])
    frame = box(-24, -24, size[0] + 24, size[1] + 24)  # a little over the sheet, so that its rim shows no shore
    wide = frame.buffer(40)

    known = bent.covers()  # beyond the outermost guards the bending has no hold

    def laid(shape: base.G) -> Any:
        """A shape in degrees on the map: projected, cut to what the bending covers, bent."""
        flat = shapely.make_valid(base.project(shape, bent.projection, 0.25))
        return shapely.make_valid(shapely.transform(flat.intersection(known), bent.bend))

    def ground(shapes: MultiPolygon, tolerance: float, crumbs: float) -> MultiPolygon:
        parts = [laid(part) for part in shapes.geoms]
        near = unary_union([part.intersection(wide) for part in parts if part.intersects(wide)])
        return base.round_corners(base.clip_polygons(near, frame, tolerance, crumbs), 0.5)

    land = ground(base.load_land(bounds), 1.2, 60)
    lakes = ground(base.load_lakes(bounds), 1.2, 220)
    flowing = [part for line in base.load_rivers(bounds) for part in base.lines(laid(line).difference(lakes))]
    rivers = base.clip_lines(flowing, frame, 1.2, 6)
    sheet = Sheet(game, atlas, layout, grid, size, bent, land, lakes, rivers)
    sheet.dry = hexterrain.on_land(land, lakes)
    sheet.german, sheet.places = read_data("german"), read_data("places")
    return sheet


def _space(sheet: Sheet, hex_id: str, **facts: Any) -> dict[str, Any]:
    """A hex as a space, with only those optional facts that say something."""
    at = list(sheet.grid.centres[hex_id])
    space = {"id": hex_id, "d": base.ring_path(sheet.grid.corners(hex_id)), "at": at, "r": COUNTER}
    return space | {key: value for key, value in facts.items() if value not in (None, [], False, "")}


def _dot(sheet: Sheet, hex_id: str, place: str | None, inset: float = 26) -> Whole | None:
    """Where a town's dot stands: its true place, kept well inside the hex to which the game gives it."""
    if place not in sheet.places:
        return None
    return sheet.grid.keep_inside(hex_id, sheet.where(sheet.places[place]), inset)


def _anchor(sheet: Sheet, hex_id: str, dot: Whole, avoid: Sequence[Whole] = ()) -> Whole:
    """Where a port's anchor stands: beside its town, in the water if there is any."""
    best, mark = -1.0, dot
    for turn in range(16):
        angle = math.tau * turn / 16
        spot = (round(dot[0] + 30 * math.cos(angle)), round(dot[1] + 30 * math.sin(angle)))
        if sheet.grid.keep_inside(hex_id, spot, 14) != spot or any(math.dist(spot, other) < 34 for other in avoid):
            continue
        wet = shapely.Point(spot).buffer(15).difference(sheet.land).area / 700
        if wet > best + 0.02:
            best, mark = wet, spot
    return mark


def _river_rank(line: LineString) -> int:
    return 1 if line.length > 900 else 2 if line.length > 350 else 3


def _hitlers_war() -> Sheet:
    sheet = _ground("hitlers-war", lettered_grid)
    atlas, towns = sheet.atlas, sheet.layout["towns"]
    for hex_id, h in atlas["hexes"].items():
        full = h["name"] or hex_id
        short = towns.get(hex_id, full)
        space = _space(
            sheet, hex_id, **sheet.named(full, "name"), kind=h["kind"], terrain=h["terrain"], country=h["country"],
            seas=h["seas"], value=h["production"], capital=h.get("capital"), port=h.get("port"),
            port_capacity=h.get("port_capacity"), lend_lease=h.get("lend_lease"),
        )  # fmt: skip
        x, y = space["at"]
        marks: list[dict[str, Any]] = []
        dot = _dot(sheet, hex_id, short)
        if dot and h["kind"] != "sea":
            kind = "capital" if h["capital"] else "city" if h["production"] or h["port"] else "town"
            marks.append({"kind": kind, "at": list(dot)})
        if h["production"]:
            marks.append({"kind": "value", "at": [x + 70, y - 52], "value": h["production"]})
        if h.get("port"):
            marks.append(
                {
                    "kind": "port",
                    "at": list(_anchor(sheet, hex_id, dot, [(x + 70, y - 52)])) if dot else [x - 70, y - 52],
                }
            )
        if h.get("lend_lease"):
            marks.append({"kind": "depot", "at": [x - 70, y + 52]})
        if marks:
            space["marks"] = marks
        space["short"] = short if h["kind"] != "sea" else None
        sheet.spaces[hex_id] = space
    for side in atlas["hexsides"]:
        a, b, kind = side["a"], side["b"], side["kind"]
        if kind == "crossing":
            path = hexterrain.double_arrow(sheet.grid.centres[a], sheet.grid.centres[b], 46, 22)
        else:
            path = base.line_path(sheet.grid.side(a, b))
        sheet.edges.append({"a": a, "b": b, "kind": kind, "d": path})
    for border in atlas["sea_borders"]:
        for a, b in border["hexsides"]:
            path = base.line_path(sheet.grid.side(a, b))
            sheet.edges.append({"a": a, "b": b, "kind": "sea_border", "name": border["name"], "d": path})
    for key, country in atlas["countries"].items():
        sheet.countries.append(
            {"id": key, **sheet.named(country["name"], "name"), "colour": COLOURS[country["colour"]]}
        )
    sheet.drawn_rivers = [{"d": base.line_path(list(r.coords)), "rank": _river_rank(r)} for r in sheet.rivers]
    place_boxes(sheet, COUNTER)
    return sheet


def _munich_war() -> Sheet:
    sheet = _ground("munich-war", numbered_grid)
    atlas, grid = sheet.atlas, sheet.grid
    for hex_id, h in atlas["hexes"].items():
        city = h["city"] or {}
        name = city.get("name")
        fort = h["fort_symbol"] or {}
        title = name or fort.get("name") or hex_id
        space = _space(
            sheet, hex_id, **sheet.named(title, "name"), kind=h["kind"], terrain=h["terrain"], country=h["country"],
            seas=h["sea_area"], region=h.get("region"), capital=city.get("capital"),
            mobilization=city.get("mobilization"), port=city.get("port"), objective=city.get("reich_objective"),
            fort=fort.get("id"), fort_name=fort.get("name"), also=city.get("also"),
            entrenchment=h["entrenchment"], rail=h["rail"], map_edge=h["map_edge"], east_edge_rail=h["east_edge_rail"],
            entry=h["map_edge_entry"],
        )  # fmt: skip
        marks: list[dict[str, Any]] = []
        dot = _dot(sheet, hex_id, name) if name else None
        if dot:
            kind = "capital" if city["capital"] else "city" if city["mobilization"] else "town"
            marks.append({"kind": kind, "at": list(dot)})
        if dot and city["port"]:
            marks.append({"kind": "port", "at": list(_anchor(sheet, hex_id, dot))})
        wanted = [kind for kind, shown in (("objective", city.get("reich_objective")), ("fort", fort)) if shown]
        x, y = space["at"]
        slots = [(x - 74, y - 44), (x + 74, y - 44), (x - 74, y + 44), (x + 74, y + 44)]
        if dot:
            slots.sort(key=lambda slot: -min(70.0, math.dist(slot, dot)))
        marks += [{"kind": kind, "at": list(slot)} for kind, slot in zip(wanted, slots, strict=False)]
        if h["entrenchment"]:
            marks.append({"kind": "entrenchment", "at": [x, y], "d": hexterrain.field_works(grid, hex_id)})
        if marks:
            space["marks"] = marks
        space["short"] = name
        sheet.spaces[hex_id] = space
    for key, country in atlas["countries"].items():
        sheet.countries.append({"id": key, **sheet.named(country["name"], "name"), "colour": MUNICH_COLOURS[key]})
    _munich_sides(sheet)
    _munich_rail(sheet)
    return sheet


MUNICH_COLOURS = {
    "Germany": "#b9bda9", "Czechoslovakia": "#a9b5d2", "France": "#b4cfdf", "Great Britain": "#d3b896",
    "Soviet Union": "#dba797", "Italy": "#c6caa0", "Poland": "#efe2c6", "Romania": "#c0d2a6", "Hungary": "#d9cf9d",
    "Yugoslavia": "#a9c0a4", "Belgium": "#d9c0a0", "Netherlands": "#e7c58f", "Finland": "#cfdacb", "Denmark": "#dcb8a6",
    "Estonia": "#cdd8b9", "Latvia": "#d8cdb0", "Lithuania": "#c3cfae", "Luxembourg": "#e9dd9a",
    "Switzerland": "#dedad0", "Danzig": "#e4b3bd", "Sweden": "#e0dcc4", "Norway": "#d6d5c3",
}  # fmt: skip
"""The counters' colours, thinned to inks that a name and a counter stand out on."""


def _munich_sides(sheet: Sheet) -> None:
    sides = sheet.atlas["hexsides"]
    wet = [(s["a"], s["b"]) for s in sides if s["kind"] in ("river", "bridge")]
    courses = hexterrain.wandering_sides(sheet.grid, wet, unary_union(sheet.rivers))
    for side in sides:
        a, b = side["a"], side["b"]
        points = courses.get((a, b)) or list(sheet.grid.side(a, b))
        edge = {"a": a, "b": b, "kind": side["kind"], "d": base.line_path(points)}
        if side["name"]:
            edge |= sheet.named(side["name"], "name")
            sheet.river_courses.setdefault(side["name"], []).append(points)
        sheet.edges.append(edge)
    near = unary_union([LineString(points) for points in courses.values()]).buffer(95)
    for river in hexterrain.clear_of(sheet.rivers, near, 170):
        sheet.drawn_rivers.append({"d": base.line_path(list(river.coords)), "rank": 3})


def _munich_rail(sheet: Sheet) -> None:
    links = [(a, b) for a, b in sheet.atlas["rail"]]
    nodes: dict[str, Point] = {}
    for hex_id in sorted({key for link in links for key in link}):
        towns = [m["at"] for m in sheet.spaces[hex_id].get("marks", []) if m["kind"] in ("capital", "city", "town")]
        x, y = towns[0] if towns else sheet.grid.centres[hex_id]
        nodes[hex_id] = (float(x), float(y))
    nodes = _ease(sheet, nodes, links)
    for (a, b), points in hexterrain.tracks(nodes, links).items():
        sheet.edges.append({"a": a, "b": b, "kind": "rail", "d": base.line_path(points)})
    for hex_id, h in sheet.atlas["hexes"].items():
        if h["east_edge_rail"]:
            x, y = nodes.get(hex_id, sheet.grid.centres[hex_id])
            rim = sheet.grid.centres[hex_id][0] + 118
            sheet.edges.append({"a": hex_id, "b": hex_id, "kind": "rail", "d": base.line_path([(x, y), (rim, y)])})


def _ease(sheet: Sheet, nodes: dict[str, Point], links: Sequence[tuple[str, str]]) -> dict[str, Point]:
    """Railways that pass through a hex without a town need not touch its middle: let them run straighter."""
    beside: dict[str, list[str]] = {key: [] for key in nodes}
    for a, b in links:
        beside[a].append(b)
        beside[b].append(a)
    for _ in range(3):
        eased: dict[str, Point] = {}
        for key, (x, y) in nodes.items():
            others = [nodes[other] for other in beside[key]]
            if sheet.spaces[key]["short"] or len(others) < 2:
                eased[key] = (x, y)
                continue
            mx, my = (sum(p[i] for p in others) / len(others) for i in (0, 1))
            px, py = sheet.grid.keep_inside(key, (x + (mx - x) * 0.35, y + (my - y) * 0.35), 46)
            eased[key] = (float(px), float(py))
        nodes = eased
    return nodes


def _assemble(sheet: Sheet) -> dict[str, Any]:
    owner = {key: space.get("country") for key, space in sheet.spaces.items()}
    sheet.borders = [{"d": d, "kind": "country"} for d in hexterrain.borders(sheet.grid, owner.get, sheet.land)]
    dots = [
        (mark["at"][0], mark["at"][1])
        for space in sheet.spaces.values()
        for mark in space.get("marks", [])
        if mark["kind"] in ("capital", "city", "town", "value", "port", "fort", "objective", "depot")
    ]
    terrain = {key: sheet.spaces[key].get("terrain") for key in sheet.grid.centres}
    layers = hexterrain.glyphs(sheet.grid, terrain, sheet.dry, dots, sheet.size)
    name_everything(sheet)
    for space in sheet.spaces.values():
        space.pop("short", None)
        space.setdefault("label", None)
    main = {
        "id": "main",
        "title": sheet.layout["title"],
        "size": list(sheet.size),
        "land": base.polygon_paths(sheet.land),
        "lakes": base.polygon_paths(sheet.lakes),
        "rivers": [river for river in sheet.drawn_rivers if river["d"]],
        **{layer: layers.get(layer, []) for layer in ("mountains", "hills", "forests", "marsh", "desert")},
        "borders": sheet.borders,
        "tints": [{"country": key, "d": d} for key, d in hexterrain.tints(sheet.grid, owner.get, sheet.land).items()],
        "frame": hexterrain.outline(
            sheet.grid, [key for key in sheet.grid.centres if sheet.spaces[key]["kind"] != "offmap"]
        ),
        "spaces": list(sheet.spaces.values()),
        "edges": sheet.edges,
        "labels": sheet.labels,
    }
    grid = {"orientation": "flat" if sheet.grid.flat else "pointy", "side": 120, "id_at": [0, -91], "id_size": 15}
    return {
        "format": FORMAT,
        "game": sheet.game,
        "grid": grid,
        "countries": sheet.countries,
        "sheets": [main],
        "boxes": sheet.boxes,
    }


def build(game: str) -> dict[str, Any]:
    """The map of one hex game."""
    return _assemble({"hitlers-war": _hitlers_war, "munich-war": _munich_war}[game]())
