"""Names on the hex maps: towns beside their dots, countries over their land, seas, ranges and rivers along them."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from shapely.geometry import LineString, Point, Polygon
from shapely.ops import linemerge, unary_union

from tools.mapbuild import base
from tools.mapbuild.labels import Placer, around, label_size, quad

if TYPE_CHECKING:
    from tools.mapbuild.hexes import Sheet

TOWNS = ("capital", "city", "town")
SIZES = {1: 34, 2: 28, 3: 25, 4: 22, 5: 20}
"""Letter size of a space's name by its rank."""
MARK_COST, DOT_COST, COUNTER_COST, ID_COST = 6.0, 8.0, 2.5, 0.6


def name_everything(sheet: Sheet) -> None:
    """Place all names of a sheet, the important ones first."""
    placer = Placer((float(sheet.size[0]), float(sheet.size[1])))
    for space in sheet.spaces.values():
        if space["kind"] == "box":
            (outline, _), *_ = base.parse_path(space["d"])
            xs, ys = [p[0] for p in outline], [p[1] for p in outline]
            placer.block(((min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))))
            continue
        if space["kind"] != "offmap":
            side = space["r"] * 1.42  # counters are square: the square inside the circle
            placer.block(quad(space["at"], side, side), COUNTER_COST)
            placer.block(quad((space["at"][0], space["at"][1] - 91), 40, 15), ID_COST)
        for mark in space.get("marks", []):
            if mark["kind"] != "entrenchment":
                reach = 26 if mark["kind"] not in TOWNS else 20
                placer.block(quad(mark["at"], reach, reach), DOT_COST if mark["kind"] in TOWNS else MARK_COST)
    _arrows(sheet, placer)
    ranks = {key: _rank(space) for key, space in sheet.spaces.items()}
    _spaces(sheet, placer, [key for key, rank in ranks.items() if rank == 1], 1)
    _seas_and_ranges(sheet, placer, "seas", "sea", 2)
    for rank in (2, 3):
        _spaces(sheet, placer, [key for key, value in ranks.items() if value == rank], rank)
    _countries(sheet, placer)
    _seas_and_ranges(sheet, placer, "seas", "sea", 9)
    _seas_and_ranges(sheet, placer, "ranges", "range", 9)
    for rank in (4, 5):
        _spaces(sheet, placer, [key for key, value in ranks.items() if value == rank], rank)
    _rivers(sheet, placer)


def _arrows(sheet: Sheet, placer: Placer) -> None:
    """The length of a sea route, on its arrow as near to the middle as dots and other lengths allow."""
    for edge, points in sheet.arrows:
        label = {"text": str(edge["value"]), "at": [0, 0], "size": 30, "angle": 0, "rank": 2}
        spots = [(x, y, 0.0, abs(i / (len(points) - 1) - 0.5) * 8) for i, (x, y) in enumerate(points)]
        edge["label"] = placer.place(label, spots, (1.0,))


def _rank(space: dict[str, Any]) -> int | None:
    if space["kind"] == "box" or not space.get("short"):
        return None
    marks = {mark["kind"] for mark in space.get("marks", [])}
    if space.get("capital"):
        return 1
    if space.get("value") or space.get("mobilization") or space.get("objective"):
        return 2
    if space.get("port") or space.get("fort") or "city" in marks:
        return 3
    return 4 if "town" in marks else 5


def _spaces(sheet: Sheet, placer: Placer, keys: list[str], rank: int) -> None:
    for key in keys:
        space = sheet.spaces[key]
        label = {**sheet.named(space["short"]), "at": space["at"], "size": SIZES[rank], "angle": 0, "rank": rank}
        width, height = label_size(label)
        x, y = space["at"]
        dots = [mark["at"] for mark in space.get("marks", []) if mark["kind"] in TOWNS]
        low, high = (
            [(x, y + 74 + k, 0.0, 0.5 + k / 40) for k in (0, 10, 20)],
            [(x, y - 74 - k, 0.0, 0.8) for k in (0, 8)],
        )
        spots = low + high
        if dots:
            spots = around(dots[0], width, height, 14) + [(px, py, a, c + 1.8) for px, py, a, c in spots]
        else:
            spots += [(x + dx, y + dy, 0.0, 1.2) for dx in (-40, 40) for dy in (-76, 76)] + [(x, y, 0.0, 1.5)]
        spots += [(x + dx, y + dy, 0.0, 2.0) for dx in (-60, -30, 0, 30, 60) for dy in (-60, -40, -20, 0, 20, 40, 60)]
        # A name whose middle lies in another hex would be read as that hex's, unless a dot beside it says otherwise.
        beside = len(around(dots[0], width, height, 14)) if dots else 0
        spots = [
            (px, py, a, c if sheet.grid.keep_inside(key, (px, py), 4) == (round(px), round(py)) else c + stray)
            for (px, py, a, c), stray in zip(spots, [0.5] * beside + [3.0] * len(spots), strict=False)
        ]
        if not dots:  # the name of a stretch of land reads better on land
            spots = [(px, py, a, c if sheet.dry.contains(Point(px, py)) else c + 0.9) for px, py, a, c in spots]
        placed = placer.place(label, spots, (1.0, 0.9, 0.8, 0.7))
        if placed:
            space["label"] = placed


def _seas_and_ranges(sheet: Sheet, placer: Placer, group: str, kind: str, deepest: int) -> None:
    done = {(label["class"], label["text"], label["near"]) for label in sheet.labels if "near" in label}
    for item in sheet.layout[group]:
        near = str(item["lonlat"])
        if item["rank"] > deepest or (kind, item["text"], near) in done:
            continue
        x, y = sheet.where(item["lonlat"])
        label = {
            **sheet.named(item["text"]), "at": [0, 0], "size": item["size"], "angle": item["angle"],
            "rank": item["rank"], "class": kind, "spacing": item["spacing"], "near": near,
        }  # fmt: skip
        spots = [
            (x + dx, y + dy, float(item["angle"]), math.hypot(dx, dy) / 60)
            for dx in range(-200, 201, 20)
            for dy in range(-200, 201, 20)
        ]
        placed = placer.place(label, spots, (1.0, 0.85, 0.7, 0.6, 0.5))
        if placed:
            sheet.labels.append(placed)


def _countries(sheet: Sheet, placer: Placer) -> None:
    ground: dict[str, list[Polygon]] = defaultdict(list)
    for key in sheet.grid.centres:
        country = sheet.spaces[key].get("country")
        if country:
            ground[country].append(Polygon(sheet.grid.corners(key)))
    own_names = {space.get("short") for space in sheet.spaces.values()}
    for country in sorted(sheet.countries, key=lambda c: (-len(ground[c["id"]]), c["id"])):
        hexes = ground[country["id"]]
        if not hexes or (len(hexes) == 1 and country["name"] in own_names):
            continue
        whole = unary_union(hexes)
        largest = max(whole.geoms, key=lambda g: g.area) if whole.geom_type == "MultiPolygon" else whole
        text = {key.replace("name", "text"): value.upper() for key, value in country.items() if key.startswith("name")}
        count = len(hexes)
        size = 64 if count > 60 else 52 if count > 20 else 42 if count > 8 else 34 if count > 3 else 28
        label = {
            **text,
            "at": [0, 0],
            "angle": 0,
            "class": "country",
            "rank": 1 if count > 3 else 2 if count > 1 else 3,
        }
        x0, y0, x1, y1 = largest.bounds
        cx, cy = largest.centroid.x, largest.centroid.y
        for factor in (1.0, 0.85, 0.7, 0.6, 0.5):
            letters = round(size * factor)
            if letters < 20:
                break
            trial = label | {"size": letters, "spacing": round(letters * 0.2)}
            width, height = label_size(trial)
            spots = []
            for x in range(int(x0), int(x1) + 1, 26):
                for y in range(int(y0), int(y1) + 1, 13):
                    frame = Polygon(quad((x, y), width, height))
                    outside = 1 - frame.intersection(whole).area / frame.area
                    if outside <= 0.3:
                        spots.append((float(x), float(y), 0.0, outside * 12 + math.dist((x, y), (cx, cy)) / 130))
            placed = placer.place(trial, spots, (1.0,), limit=16.0 if factor > 0.5 else math.inf)
            if placed:
                sheet.labels.append(placed)
                break


def _rivers(sheet: Sheet, placer: Placer) -> None:
    for name, courses in sheet.river_courses.items():
        merged = linemerge([LineString(points) for points in courses])
        for line in sorted(base.lines(merged), key=lambda part: -part.length)[:2]:
            label = {**sheet.named(name), "at": [0, 0], "size": 20, "angle": 0, "rank": 4, "class": "river"}
            width, _ = label_size(label)
            if line.length < width * 1.6:
                continue
            spots = []
            for step in range(int(width / 2), int(line.length - width / 2), 20):
                before, after = line.interpolate(step - width / 2), line.interpolate(step + width / 2)
                middle = line.interpolate(step)
                angle = math.degrees(math.atan2(after.y - before.y, after.x - before.x))
                angle = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
                bend = line.length and math.dist((before.x, before.y), (after.x, after.y)) / width
                for side in (-1, 1):
                    nx, ny = -math.sin(math.radians(angle)) * 17 * side, math.cos(math.radians(angle)) * 17 * side
                    spots.append((middle.x + nx, middle.y + ny, angle, (1 - bend) * 12 + abs(step / line.length - 0.5)))
            placed = placer.place(label, spots, (1.0,), limit=7.0)
            if placed:
                sheet.labels.append(placed)
    for label in sheet.labels:
        label.pop("near", None)
