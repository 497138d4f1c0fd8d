"""What is drawn on the hexes: glyphs of terrain, rivers along hexsides, railways, borders, field works."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, unary_union

from tools.mapbuild.base import Point, line_path, lines, polygon_paths, polygons, ring_path, smooth
from tools.mapbuild.hexgrid import HALF, Grid, Whole

GLYPHS: dict[str, tuple[str, float, float, float]] = {
    "mountain": ("mountains", 62, 24, 36),
    "rough": ("hills", 66, 20, 28),
    "forest": ("forests", 46, 13, 19),
    "marsh": ("marsh", 64, 20, 26),
    "desert": ("desert", 70, 16, 22),
}
"""Terrain to layer, spacing of its glyphs, smallest and largest glyph."""


def chance(*key: object) -> float:
    """A number from 0 to 1 that depends on nothing but its key, so that a map is built the same everywhere."""
    digest = hashlib.sha256(repr(key).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def glyphs(
    grid: Grid, terrain: Mapping[str, str | None], land: BaseGeometry, keep_off: Sequence[Whole], size: Whole
) -> dict[str, list[list[int]]]:
    """Glyph positions for each kind of terrain: a jittered lattice over the whole sheet, so that ranges run through."""
    shapely.prepare(land)
    at: dict[Whole, list[str]] = defaultdict(list)
    for hex_id, (cx, cy) in grid.centres.items():
        at[cx // 256, cy // 256].append(hex_id)

    def hex_of(x: float, y: float) -> str | None:
        column, row = int(x // 256), int(y // 256)
        near = [h for i in (-1, 0, 1) for j in (-1, 0, 1) for h in at.get((column + i, row + j), ())]
        best = min(near, key=lambda h: (math.dist(grid.centres[h], (x, y)), h), default=None)
        return best if best and math.dist(grid.centres[best], (x, y)) <= HALF + 6 else None

    found: dict[str, list[list[int]]] = {}
    for kind, (layer, step, small, large) in GLYPHS.items():
        if kind not in terrain.values():
            continue
        spots: list[list[int]] = []
        for row in range(int(size[1] / (step * 0.8)) + 1):
            for column in range(int(size[0] / step) + 1):
                x = (column + (row % 2) / 2 + (chance(kind, "x", row, column) - 0.5) * 0.5) * step
                y = (row + (chance(kind, "y", row, column) - 0.5) * 0.5) * step * 0.8
                here = hex_of(x, y)
                if here is None or terrain[here] != kind or not land.contains(Spot(x, y)):
                    continue
                if any(math.dist((x, y), dot) < 34 for dot in keep_off):
                    continue
                grown = small + (large - small) * chance(kind, "size", row, column)
                spots.append([round(x), round(y), round(grown)])
        found[layer] = spots
    return found


def wandering_sides(
    grid: Grid, sides: Sequence[tuple[str, str]], real: BaseGeometry | None
) -> dict[tuple[str, str], list[Point]]:
    """Hexsides as winding lines: they keep to their side, soften the corners, and lean towards the real river."""
    joined: dict[Whole, set[Whole]] = defaultdict(set)
    for a, b in sides:
        p, q = grid.side(a, b)
        joined[p].add(q)
        joined[q].add(p)

    def lean(point: Point, reach: float, most: float) -> Point:
        if real is None or real.is_empty:
            return point
        spot = Spot(point)
        nearest = (
            real.interpolate(real.project(spot)) if isinstance(real, LineString) else shapely.shortest_line(spot, real)
        )
        goal = nearest.coords[-1] if isinstance(nearest, LineString) else (nearest.x, nearest.y)
        far = math.dist(point, goal)
        if not 0 < far <= reach:
            return point
        step = min(most, far * 0.6) / far
        return point[0] + (goal[0] - point[0]) * step, point[1] + (goal[1] - point[1]) * step

    moved: dict[tuple[Any, ...], Point] = {}
    for corner, others in joined.items():
        x, y = float(corner[0]), float(corner[1])
        if len(others) == 2:
            mx, my = (sum(o[i] for o in others) / 2 for i in (0, 1))
            x, y = x + (mx - x) * 0.28, y + (my - y) * 0.28
        moved[corner] = lean((x, y), 110, 24)
    # Points are named (end, other end, quarter) on a side and by the corner itself where sides meet.
    at = dict(moved)
    chains: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for a, b in sides:
        p, q = sorted(grid.side(a, b))
        (x0, y0), (x1, y1) = moved[p], moved[q]
        length = math.dist((x0, y0), (x1, y1)) or 1.0
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        chains[a, b] = [p, *((p, q, part) for part in (1, 2, 3)), q]
        for part in (1, 2, 3):
            t = part / 4
            sway = (chance("sway", p, q, part) - 0.5) * 26
            at[p, q, part] = lean((x0 + (x1 - x0) * t + nx * sway, y0 + (y1 - y0) * t + ny * sway), 110, 22)
    beside: dict[tuple[Any, ...], list[tuple[Any, ...]]] = defaultdict(list)
    for chain in chains.values():
        for one, other in pairwise(chain):
            beside[one].append(other)
            beside[other].append(one)
    for _ in range(2):  # draw each point towards its two neighbours, so that no corner is sharper than a river's
        at = {
            key: (x / 2 + sum(at[n][0] for n in beside[key]) / 4, y / 2 + sum(at[n][1] for n in beside[key]) / 4)
            if len(beside[key]) == 2
            else (x, y)
            for key, (x, y) in at.items()
        }
    # Whatever the real river does, nobody may doubt which side it runs along.
    for corner in joined:
        at[corner] = _within(at[corner], corner, 38)
    for (p, q, part), point in [(key, point) for key, point in at.items() if len(key) == 3]:
        t = part / 4
        at[p, q, part] = _within(point, (p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t), 38)
    return {side: smooth([at[key] for key in chain], 2) for side, chain in chains.items()}


def _within(point: Point, home: Point, reach: float) -> Point:
    """The point, drawn back to at most `reach` from where it belongs."""
    far = math.dist(point, home)
    if far <= reach:
        return point
    return home[0] + (point[0] - home[0]) * reach / far, home[1] + (point[1] - home[1]) * reach / far


def tracks(nodes: Mapping[str, Point], links: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[Point]]:
    """Railways as smooth curves from node to node: each line goes straight through a node where it can."""
    beside: dict[str, list[str]] = defaultdict(list)
    for a, b in links:
        beside[a].append(b)
        beside[b].append(a)

    def heading(node: str, towards: str) -> Point:
        (x, y), (tx, ty) = nodes[node], nodes[towards]
        ahead = math.atan2(ty - y, tx - x)
        best, bend = None, math.radians(75)
        for other in beside[node]:
            if other != towards:
                ox, oy = nodes[other]
                turn = abs(math.remainder(math.atan2(y - oy, x - ox) - ahead, math.tau))
                if turn < bend:
                    best, bend = other, turn
        if best is None:
            return tx - x, ty - y
        ox, oy = nodes[best]
        along = math.atan2(ty - oy, tx - ox)
        reach = math.dist((x, y), (tx, ty))
        return reach * math.cos(along), reach * math.sin(along)

    drawn: dict[tuple[str, str], list[Point]] = {}
    for a, b in links:
        (x0, y0), (x1, y1) = nodes[a], nodes[b]
        (ux, uy), (vx, vy) = heading(a, b), heading(b, a)
        points: list[Point] = []
        for index in range(9):
            t = index / 8
            h0, h1 = 2 * t**3 - 3 * t**2 + 1, -2 * t**3 + 3 * t**2
            g0, g1 = t**3 - 2 * t**2 + t, t**3 - t**2
            points.append((h0 * x0 + h1 * x1 + g0 * ux - g1 * vx, h0 * y0 + h1 * y1 + g0 * uy - g1 * vy))
        drawn[a, b] = list(LineString(points).simplify(0.7).coords)
    return drawn


def borders(grid: Grid, owner: Callable[[str], str | None], land: BaseGeometry) -> list[str]:
    """Lines along the hexsides between hexes of different owners, joined into long paths, on land only."""
    sides = []
    for a, b in grid.neighbours():
        one, other = owner(a), owner(b)
        if one and other and one != other:
            sides.append(LineString(grid.side(a, b)))
    if not sides:
        return []
    ashore = unary_union(sides).intersection(land.buffer(14))
    whole = linemerge([part for part in lines(ashore) if part.length > 1])
    merged = sorted(lines(whole), key=lambda line: (-line.length, line.coords[0]))
    return [path for path in (line_path(list(line.coords)) for line in merged if line.length > 55) if path]


def tints(grid: Grid, owner: Callable[[str], str | None], land: BaseGeometry) -> dict[str, str]:
    """The ground of each owner, to be clipped to the coast: its hexes, and what juts out of them into sea hexes.

    A piece of land in a sea hex goes to the owner with whom it shares the longest side of that hex, so that capes and
    islets take their country's colour; an island that touches nobody's hex keeps the paper's.
    """
    beside: dict[frozenset[Whole], list[str]] = defaultdict(list)
    for hex_id in grid.centres:
        corners = grid.corners(hex_id)
        for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
            beside[frozenset((p, q))].append(hex_id)
    ground: dict[str, list[BaseGeometry]] = defaultdict(list)
    for hex_id in grid.centres:
        corners = grid.corners(hex_id)
        whole = Polygon(corners)
        mine = owner(hex_id)
        if mine:
            ground[mine].append(whole)
            continue
        sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
        across = [next((owner(h) for h in beside[frozenset(side)] if h != hex_id), None) for side in sides]
        for piece in polygons(land.intersection(whole)).geoms:
            shared: dict[str, float] = defaultdict(float)
            for (p, q), near in zip(sides, across, strict=True):
                if near:
                    shared[near] += piece.intersection(LineString([p, q]).buffer(10)).area
            best = max(sorted(shared), key=lambda key: shared[key], default=None)
            if best is not None and shared[best] > 0:
                ground[best].append(piece.buffer(7, quad_segs=2).simplify(4).intersection(whole))
    return {key: "".join(polygon_paths(unary_union(parts))) for key, parts in sorted(ground.items())}


def outline(grid: Grid, keys: Sequence[str]) -> str:
    """The rim of the field of play."""
    return "".join(polygon_paths(unary_union([Polygon(grid.corners(key)) for key in keys])))


def field_works(grid: Grid, hex_id: str, inset: float = 13, teeth: int = 4) -> str:
    """A ring of trenches just inside a hex: a crenellated line."""
    cx, cy = grid.centres[hex_id]
    factor = (HALF - inset) / HALF
    corners = [(cx + (x - cx) * factor, cy + (y - cy) * factor) for x, y in grid.corners(hex_id)]
    points: list[Point] = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        length = math.dist((x0, y0), (x1, y1))
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        if (cx - x0) * nx + (cy - y0) * ny < 0:
            nx, ny = -nx, -ny
        for tooth in range(teeth):
            for part, depth in ((0.0, 0.0), (0.5, 0.0), (0.5, 7.0), (1.0, 7.0)):
                t = (tooth + part) / teeth
                points.append((x0 + (x1 - x0) * t + nx * depth, y0 + (y1 - y0) * t + ny * depth))
    return ring_path(points)


def double_arrow(a: Point, b: Point, reach: float, head: float) -> str:
    """An arrow with two heads over the middle of the line from a to b."""
    mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    path = line_path([(mx - ux * reach, my - uy * reach), (mx + ux * reach, my + uy * reach)])
    for way in (-1, 1):
        tip = (mx + ux * reach * way, my + uy * reach * way)
        path += line_path(
            [
                (tip[0] - way * ux * head - uy * head * 0.6, tip[1] - way * uy * head + ux * head * 0.6),
                tip,
                (tip[0] - way * ux * head + uy * head * 0.6, tip[1] - way * uy * head - ux * head * 0.6),
            ]
        )
    return path


def clear_of(rivers: Sequence[LineString], near: BaseGeometry, least: float) -> list[LineString]:
    """The parts of real rivers that run well away from the hexside rivers, so that no river is drawn twice."""
    kept = [part for river in rivers for part in lines(river.difference(near))]
    return [part for part in kept if part.length >= least]


def on_land(land: MultiPolygon, lakes: MultiPolygon) -> BaseGeometry:
    """Land without its lakes."""
    return land.difference(lakes)
