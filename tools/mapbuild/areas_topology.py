"""From scattered places to regions: Voronoi cells joined by name, their borders softened, everything on whole units.

The borders are kept as arcs that two regions share, so that neighbours always fit together exactly.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from . import base

Pair = tuple[str, str]
Vertex = tuple[float, float]
OUTSIDE = ""
"""The label of what lies beyond the outermost cells."""


def pair(a: str, b: str) -> Pair:
    """Two names in one order, whichever way they were given."""
    return (a, b) if a <= b else (b, a)


@dataclass(frozen=True)
class Seed:
    """One place that draws the land or water around it to a space."""

    label: str
    x: float
    y: float


def wander(x: float, y: float) -> Vertex:
    """A gentle, smooth shift of the plane (a few units) that makes straight borders look grown."""
    dx = 5.0 * math.sin(0.043 * x + 0.061 * y) + 3.2 * math.sin(0.117 * y - 0.034 * x + 1.3)
    dy = 5.0 * math.sin(0.049 * y - 0.057 * x + 2.1) + 3.2 * math.sin(0.109 * x + 0.041 * y + 0.4)
    return x + dx, y + dy


class Arcs:
    """The borders between differently named cells as lines from junction to junction."""

    def __init__(self, seeds: Sequence[Seed], around: BaseGeometry) -> None:
        points = MultiPoint([(seed.x, seed.y) for seed in seeds])
        cells = shapely.voronoi_polygons(points, extend_to=around, ordered=True)
        left: dict[tuple[Vertex, Vertex], str] = {}
        for seed, cell in zip(seeds, shapely.get_parts(cells), strict=True):
            ring = list(shapely.geometry.polygon.orient(cell).exterior.coords)
            snapped = [(round(x, 1), round(y, 1)) for x, y in ring]
            for p, q in pairwise(snapped):
                if p != q:
                    left[p, q] = seed.label
        self.arcs = _trace({edge: name for edge, name in left.items() if left.get(edge[::-1], OUTSIDE) != name}, left)

    def collapse(self, unwanted: Callable[[str, str, LineString], bool]) -> None:
        """Shrink each unwanted border to a point, so that four regions meet in a corner instead."""
        parent: dict[Vertex, Vertex] = {}

        def find(v: Vertex) -> Vertex:
            while v in parent:
                v = parent[v]
            return v

        kept: list[tuple[str, str, list[Vertex]]] = []
        for a, b, line in self.arcs:
            if line[0] != line[-1] and unwanted(a, b, LineString(line)):
                p, q = find(line[0]), find(line[-1])
                if p != q:
                    middle = (round((p[0] + q[0]) / 2, 2), round((p[1] + q[1]) / 2, 2))
                    parent.update({v: middle for v in (p, q) if v != middle})
                continue
            kept.append((a, b, line))
        self.arcs = [(a, b, [find(line[0]), *line[1:-1], find(line[-1])]) for a, b, line in kept]

    def soften(self) -> None:
        """Round the corners, then let the lines wander a little."""
        soft: list[tuple[str, str, list[Vertex]]] = []
        for a, b, line in self.arcs:
            closed = line[0] == line[-1]
            points = base.smooth(line[:-1] if closed else line, 3, closed)
            if closed:
                points.append(points[0])
            dense = shapely.segmentize(LineString(points), 10.0).coords
            soft.append((a, b, [wander(x, y) for x, y in dense]))
        self.arcs = soft

    def lines(self) -> list[LineString]:
        return [LineString(line) for _, _, line in self.arcs]

    def regions(self) -> Regions:
        """The softened regions, to ask which one holds a point."""
        left: dict[tuple[Vertex, Vertex], str] = {}
        rounded: list[LineString] = []
        for a, b, line in self.arcs:
            points = [(round(x, 3), round(y, 3)) for x, y in line]
            rounded.append(LineString(points))
            for p, q in pairwise(points):
                left[p, q], left[q, p] = a, b
        faces = shapely.get_parts(shapely.polygonize([shapely.unary_union(rounded)]))
        found: list[Polygon] = []
        labels: list[str] = []
        for face in faces:
            ring = list(shapely.geometry.polygon.orient(face).exterior.coords)
            votes: dict[str, float] = defaultdict(float)
            for p, q in pairwise(ring):
                if (p, q) in left:
                    votes[left[p, q]] += math.dist(p, q)
            if votes:
                best = max(sorted(votes), key=lambda name: votes[name])
                if best != OUTSIDE:
                    found.append(face)
                    labels.append(best)
        return Regions(found, labels)


class Regions:
    """Named polygons that can be asked which of them holds a point."""

    def __init__(self, faces: Sequence[Polygon], labels: Sequence[str]) -> None:
        self.faces, self.labels = list(faces), list(labels)
        self.tree = shapely.STRtree(self.faces)

    def at(self, point: Point) -> str:
        hits = sorted(self.tree.query(point, predicate="intersects"))
        index = hits[0] if len(hits) else int(self.tree.nearest(point))
        return self.labels[index]


def _trace(
    borders: dict[tuple[Vertex, Vertex], str], left: dict[tuple[Vertex, Vertex], str]
) -> list[tuple[str, str, list[Vertex]]]:
    """Join border edges into arcs (name on the left, name on the right, points)."""
    after: dict[Vertex, list[Vertex]] = defaultdict(list)
    for p, q in sorted(borders):
        after[p].append(q)
        if (q, p) not in borders:
            after[q].append(p)
    nodes = {v for v, others in after.items() if len(set(others)) != 2}
    arcs: list[tuple[str, str, list[Vertex]]] = []
    done: set[tuple[Vertex, Vertex]] = set()

    def walk(start: Vertex, second: Vertex) -> None:
        line = [start, second]
        done.update({(start, second), (second, start)})
        while line[-1] not in nodes and line[-1] != start:
            nearby = [v for v in sorted(set(after[line[-1]])) if v != line[-2]]
            if not nearby or (line[-1], nearby[0]) in done:
                break
            done.update({(line[-1], nearby[0]), (nearby[0], line[-1])})
            line.append(nearby[0])
        p, q = line[0], line[1]
        arcs.append((left.get((p, q), OUTSIDE), left.get((q, p), OUTSIDE), line))

    for start in sorted(nodes):
        for second in sorted(set(after[start])):
            if (start, second) not in done:
                walk(start, second)
    for start in sorted(after):
        for second in sorted(set(after[start])):
            if (start, second) not in done:
                walk(start, second)
    return arcs


class Mosaic:
    """All faces of a sheet on whole units, each with a name; neighbours share their points exactly."""

    def __init__(self, linework: Iterable[BaseGeometry], name: Callable[[Point], str]) -> None:
        noded = shapely.union_all(list(linework), grid_size=1.0)
        faces = shapely.get_parts(shapely.polygonize([noded]))
        order = sorted(range(len(faces)), key=lambda i: (*faces[i].bounds, faces[i].area))
        self.faces: list[Polygon] = [faces[i] for i in order]
        self.labels = [name(face.representative_point()) for face in self.faces]
        self._sides: dict[tuple[Vertex, Vertex], list[int]] = defaultdict(list)
        for index, face in enumerate(self.faces):
            for ring in (face.exterior, *face.interiors):
                points = list(ring.coords)
                for p, q in pairwise(points):
                    self._sides[(p, q) if p <= q else (q, p)].append(index)

    def _neighbours(self) -> dict[int, dict[int, float]]:
        near: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for (p, q), sides in self._sides.items():
            if len(sides) == 2:
                i, j = sides
                near[i][j] += math.dist(p, q)
                near[j][i] += math.dist(p, q)
        return near

    def tidy(self, kind: Callable[[str], str], share: float, at_most: float) -> None:
        """Give splinters that lie apart from the body of their space to the neighbour of the same kind."""
        near = self._neighbours()
        for _ in range(3):
            groups = self._groups(near)
            body: dict[str, float] = defaultdict(float)
            for group in groups:
                label = self.labels[group[0]]
                body[label] = max(body[label], sum(self.faces[i].area for i in group))
            changed = False
            for group in sorted(groups, key=lambda g: sum(self.faces[i].area for i in g)):
                label = self.labels[group[0]]
                area = sum(self.faces[i].area for i in group)
                if area >= body[label] * share or area > at_most or not kind(label):
                    continue
                touch: dict[str, float] = defaultdict(float)
                for i in group:
                    for j, length in near[i].items():
                        if self.labels[j] != label and kind(self.labels[j]) == kind(label):
                            touch[self.labels[j]] += length
                if touch:
                    best = max(sorted(touch), key=lambda other: touch[other])
                    for i in group:
                        self.labels[i] = best
                    changed = True
            if not changed:
                return

    def _groups(self, near: dict[int, dict[int, float]]) -> list[list[int]]:
        seen: set[int] = set()
        groups: list[list[int]] = []
        for start in range(len(self.faces)):
            if start in seen:
                continue
            group, stack = [], [start]
            seen.add(start)
            while stack:
                i = stack.pop()
                group.append(i)
                for j in near[i]:
                    if j not in seen and self.labels[j] == self.labels[i]:
                        seen.add(j)
                        stack.append(j)
            groups.append(sorted(group))
        return groups

    def shapes(self) -> dict[str, MultiPolygon]:
        """One geometry per name."""
        by_name: dict[str, list[Polygon]] = defaultdict(list)
        for face, label in zip(self.faces, self.labels, strict=True):
            by_name[label].append(face)
        return {name: base.polygons(shapely.union_all(parts)) for name, parts in sorted(by_name.items())}

    def borders(self) -> dict[Pair, list[LineString]]:
        """The lines between each two names, joined."""
        edges: dict[Pair, list[LineString]] = defaultdict(list)
        for (p, q), sides in sorted(self._sides.items()):
            if len(sides) == 2:
                a, b = self.labels[sides[0]], self.labels[sides[1]]
                if a != b:
                    edges[pair(a, b)].append(LineString([p, q]))
        return {key: base.lines(shapely.line_merge(shapely.union_all(parts))) for key, parts in sorted(edges.items())}


def contact(a: BaseGeometry, b: BaseGeometry) -> float:
    """How long two shapes touch each other."""
    if not shapely.box(*a.bounds).intersects(shapely.box(*b.bounds)):
        return 0.0
    return float(np.sum([line.length for line in base.lines(a.boundary.intersection(b.boundary))]))
