"""Off-map boxes of a hex game and the arrows of the sea routes that lead to them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely
from shapely.geometry import LineString, Polygon

from tools.mapbuild import base
from tools.mapbuild.base import Point

if TYPE_CHECKING:
    from tools.mapbuild.hexes import Sheet


def place_boxes(sheet: Sheet, counter: int) -> None:
    """Off-map boxes in the free margins, and the sea arrows that lead to them."""
    for key, (x, y, w, h) in sheet.layout["boxes"].items():
        facts = sheet.atlas["boxes"][key]
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        title = {"en": facts["name"], "de": sheet.german.get(facts["name"], facts["name"])}
        space = {
            "id": key, "d": base.ring_path(corners), "at": [x + w // 2, y + h // 2 + 24], "r": min(w, h) // 2 - 50,
            **sheet.named(facts["name"], "name"), "kind": "box",
        }  # fmt: skip
        extra = {"country": facts["country"], "seas": facts["seas"], "value": facts["production"]}
        space |= {name: value for name, value in extra.items() if value}
        if facts["production"]:
            space["marks"] = [{"kind": "value", "at": [x + w - 34, y + 36], "value": facts["production"]}]
        size = 30
        label = {**sheet.named(facts["name"]), "at": [x + (w - 60) // 2, y + 38], "size": size, "angle": 0, "rank": 1}
        space["label"] = label
        sheet.spaces[key] = space
        sheet.boxes.append({"id": key, "title": title, "sheet": "main", "rect": [x, y, w, h]})
    for arrow in sheet.atlas.get("sea_arrows", []):
        start, end = arrow["from"], arrow["to"]
        bend = sheet.layout["arrows"][f"{start}-{end}"]
        points = _arrow(sheet, start, end, bend, counter)
        edge = {
            "a": start, "b": end, "kind": "sea_arrow", "d": base.line_path(points) + _head(points[-4], points[-1]),
            "value": arrow["length"],
        }  # fmt: skip
        sheet.arrows.append((edge, points))
        sheet.edges.append(edge)


def _arrow(sheet: Sheet, start: str, end: str, bend: float, counter: int) -> list[Point]:
    """A bowed line between the rims of two spaces."""
    (x0, y0), (x1, y1) = (sheet.spaces[key]["at"] for key in (start, end))
    length = math.dist((x0, y0), (x1, y1))
    mx = (x0 + x1) / 2 - (y1 - y0) / length * bend
    my = (y0 + y1) / 2 + (x1 - x0) / length * bend
    curve = LineString(
        [((1 - t) ** 2 * x0 + 2 * t * (1 - t) * mx + t * t * x1, (1 - t) ** 2 * y0 + 2 * t * (1 - t) * my + t * t * y1)
         for t in (i / 40 for i in range(41))]
    )  # fmt: skip
    for key in (start, end):
        ((outline, _),) = base.parse_path(sheet.spaces[key]["d"])
        shape = (
            Polygon(outline).buffer(10)
            if sheet.spaces[key]["kind"] == "box"
            else shapely.Point(sheet.spaces[key]["at"]).buffer(counter)
        )
        parts = base.lines(curve.difference(shape))
        curve = max(parts, key=lambda part: part.length)
    count = max(8, int(curve.length // 60))
    points = [curve.interpolate(i / count, normalized=True) for i in range(count + 1)]
    return [(p.x, p.y) for p in points]


def _head(before: Point, tip: Point) -> str:
    length = math.dist(before, tip)
    ux, uy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    return base.line_path(
        [
            (tip[0] - 30 * ux - 15 * uy, tip[1] - 30 * uy + 15 * ux),
            tip,
            (tip[0] - 30 * ux + 15 * uy, tip[1] - 30 * uy - 15 * ux),
        ]
    )
