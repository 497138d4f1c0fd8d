"""Names of spaces: inside their space where they fit, clear of each other and, where possible, of the counters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from . import labels
from .areas_facts import Facts
from .base import parse_path

COUNTER = 34.0
"""Half the side of the room that a stack of counters takes."""
TIDY = 1.7
"""A name is made smaller rather than stand worse than this."""
BADGE, WORST_BADGE = 24.0, 9.0
"""Height of a mark with a value, and how badly it may stand."""
DISC = 6000.0
"""Islands up to this area have their name beside them."""
SIZES = {"sea": (17, 44), "land": (14, 34), "island": (17, 26), "port": (12, 12), "box": (24, 24)}
"""Smallest and largest letters by kind of space."""


@dataclass
class Names:
    """The sheet's free-standing names, and the placer that knows where all names are."""

    free: list[dict[str, Any]]
    placer: labels.Placer


def place_names(
    size: tuple[int, int],
    spaces: Mapping[str, dict[str, Any]],
    shapes: Mapping[str, MultiPolygon],
    facts: Facts,
    insets: Mapping[str, BaseGeometry],
    edges: Sequence[Mapping[str, Any]],
) -> Names:
    """Give every space that needs one its label; returns the names that belong to no space."""
    placer = labels.Placer((float(size[0]), float(size[1])))
    for space in spaces.values():
        radius = min(float(space["r"]), COUNTER)
        # Ports are small: a name over one hides it, so that costs more than one over half a stack.
        placer.block_circle(space["at"], radius, 9.0 if space["kind"] == "port" else 2.5)
    for inset in insets.values():
        ring = list(inset.exterior.coords)
        for (x0, y0), (x1, y1) in pairwise(ring):
            placer.block(labels.quad(((x0 + x1) / 2, (y0 + y1) / 2), abs(x1 - x0) + 6, abs(y1 - y0) + 6))
    order = sorted(spaces.values(), key=lambda space: (_hurry(space), -shapes[space["id"]].area, space["id"]))
    for space in order:
        if _needs_name(space, spaces):
            space["label"] = _label(space, shapes[space["id"]], placer)
    for space in order:
        _badge(space, shapes[space["id"]], placer)
    taken = {space["name"] for space in spaces.values()}
    signposts = _signposts(placer, edges, facts)
    return Names(signposts + _gates(placer, [edge for edge in edges if edge.get("name") not in taken]), placer)


def _badge(space: dict[str, Any], shape: MultiPolygon, placer: labels.Placer) -> None:
    """A mark with what the space yields, beside its name or wherever it finds room in the space."""
    worth = space.get("value") or "/".join(str(number) for number in space.get("production", []))
    if not worth or space["label"] is None:
        return
    width = 16.0 + 9.0 * len(str(worth))
    (x0, y0), _, (x1, y1), _ = labels.label_quad(space["label"])
    middle = (y0 + y1) / 2
    gap = 4 + 0.05 * (x1 - x0)  # bold letters run wider than reckoned
    spots = [(x1 + gap + width / 2, middle), (x0 - gap - width / 2, middle)]
    spots += [((x0 + x1) / 2 + shift, y) for shift in (0.0, -width, width) for y in (y1 + 16, y0 - 16)]
    spots += [
        (space["at"][0] + reach * math.cos(turn * math.pi / 8), space["at"][1] + reach * math.sin(turn * math.pi / 8))
        for reach in (COUNTER + 18, COUNTER + 40, COUNTER + 64)
        for turn in range(16)
    ]
    best: tuple[float, float, float] | None = None
    for rank, (x, y) in enumerate(spots):
        box = labels.quad((x, y), width, BADGE)
        outside = 1.0 - shape.intersection(Polygon(box)).area / (width * BADGE)
        cost = placer.cost(box) + outside * 8.0 + rank * 0.02
        if best is None or cost < best[0]:
            best = (cost, x, y)
    if best is not None and best[0] < WORST_BADGE:
        at = [round(best[1]), round(best[2])]
        placer.block(labels.quad(at, width, BADGE))
        space.setdefault("marks", []).append({"kind": "value", "at": at, "value": worth})


def _hurry(space: Mapping[str, Any]) -> int:
    """Small land first: it has the fewest spots; seas can go anywhere."""
    return {"box": 0, "island": 1, "land": 2, "coast": 2, "port": 3}.get(space["kind"], 4)


def _needs_name(space: Mapping[str, Any], spaces: Mapping[str, Mapping[str, Any]]) -> bool:
    """A port with its land's name, or a seazone with its island's, is known by the other label."""
    owner = spaces.get(str(space.get("port_of", "")))
    if owner is None and space["id"].startswith("sea_"):
        owner = spaces.get(space["id"][4:])
        return owner is None
    return owner is None or owner["name"] != space["name"]


def _label(space: dict[str, Any], shape: MultiPolygon, placer: labels.Placer) -> dict[str, Any] | None:
    kind = space["kind"] if space["kind"] in SIZES else "land"
    low, high = SIZES[kind]
    body: Polygon = max(shape.geoms, key=lambda part: part.area)
    x0, _, x1, _ = body.bounds
    text_length = labels.text_width(str(space["name"]), 1.0)
    wanted = min(math.sqrt(body.area) / 8.5, 0.9 * (x1 - x0) / text_length)
    size = round(max(low, min(high, wanted)))
    label: dict[str, Any] = {"text": space["name"], "at": [0, 0], "size": size, "angle": 0, "rank": _rank(kind, size)}
    if "name_de" in space:
        label["text_de"] = space["name_de"]
    shrink = [step / size for step in range(size, low - 1, -2)] or [1.0]
    for factor in shrink:
        trial = dict(label, size=round(size * factor))
        width, height = labels.label_size(trial)
        spots = _spots(space, body, width, height)
        placed = placer.place(trial, spots, (1.0,), TIDY if factor > shrink[-1] else math.inf)
        if placed is not None:
            placed["rank"] = _rank(kind, placed["size"])
            return placed
    return None


def _rank(kind: str, size: int) -> int:
    if kind == "port":
        return 5
    return 1 if size >= 30 else 2 if size >= 22 else 3 if size >= 16 else 4


def _spots(
    space: Mapping[str, Any], body: Polygon, width: float, height: float
) -> list[tuple[float, float, float, float]]:
    """Candidate middles for a name: over the space, best where the whole name is inside and near its heart."""
    x0, y0, x1, y1 = body.bounds
    at = space["at"]
    reach = min(float(space["r"]), COUNTER) + height
    near = [(at[0] + dx * width, at[1] + dy) for dx in (0.0, -0.25, 0.25, -0.5, 0.5) for dy in (-reach, reach, 0.0)]
    step = max(7.0, math.sqrt((x1 - x0) * (y1 - y0)) / 16)
    columns, rows = int((x1 - x0) / step) + 3, int((y1 - y0) / step) + 3
    grid = [(x0 + (i - 1) * step, y0 + (j - 1) * step) for i in range(columns) for j in range(rows)]
    shapely.prepare(body)
    spots: list[tuple[float, float, float, float]] = []
    for x, y in [*near, *grid]:
        frame = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if body.contains(frame):
            outside = 0.0
        elif frame.intersects(body):
            outside = 1.0 - frame.intersection(body).area / frame.area
        else:
            outside = 1.6
        if outside <= 1.0:
            # Beyond a stack's reach a little further away is as good; the sheet's middle ground is not wasted.
            distance = min(1.0, math.dist((x, y), at) / max(60.0, math.sqrt(body.area)))
            spots.append((x, y, 0.0, outside * (26.0 if space["kind"] == "sea" else 9.0) + distance))
    if space["kind"] == "port" or (space["kind"] == "island" and body.area <= DISC):
        spots += labels.around(at, width, height, float(space["r"]) + 4)
    return spots


def _signposts(placer: labels.Placer, edges: Sequence[Mapping[str, Any]], facts: Facts) -> list[dict[str, Any]]:
    """Where a way leads that leaves the sheet or is too long to be drawn: the name of its far end."""
    found: list[dict[str, Any]] = []
    for edge in edges:
        if edge["kind"] != "map_switch" and not edge.get("stub"):
            continue
        goals = [edge["b"], edge["a"]] if edge.get("stub") else [edge["b"]]
        for goal, (points, _) in zip(goals, parse_path(edge["d"]), strict=True):
            there = facts.spaces[goal]
            label: dict[str, Any] = {"text": f"\N{RIGHTWARDS ARROW} {there.name}", "at": [0, 0], "size": 16}
            label.update({"angle": 0, "rank": 3, "class": "sea"})
            if there.name_de != there.name:
                label["text_de"] = f"\N{RIGHTWARDS ARROW} {there.name_de}"
            width, height = labels.label_size(label)
            spots = [spot for end in (points[-1], points[0]) for spot in labels.around(end, width, height, 10.0)]
            placed = placer.place(label, spots, (1.0, 0.85))
            if placed is not None:
                found.append(placed)
    return found


def _gates(placer: labels.Placer, edges: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Names of canals and straits beside their line."""
    found: list[dict[str, Any]] = []
    for edge in edges:
        if "name" not in edge or not edge["d"]:
            continue
        points = [point for part, _ in parse_path(edge["d"]) for point in part]
        middle = points[len(points) // 2]
        label = {"text": edge["name"], "at": [0, 0], "size": 15, "angle": 0, "rank": 4, "class": "sea"}
        width, height = labels.label_size(label)
        placed = placer.place(label, labels.around(middle, width, height, 14.0), (1.0, 0.85), 8.0)
        if placed is not None:
            found.append(placed)
    return found
