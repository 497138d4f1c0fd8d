"""Finds places for names: no name on another name, and as few as possible under counters, dots and marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.mapbuild.base import Point

Quad = tuple[Point, Point, Point, Point]

_NARROW, _SLIM, _WIDE = "ijlI.,:;'|!", "ftr()-/ ", "mwMW"
LINE = 1.0
"""Height of a line of text in units of its size, accents and descenders included as far as they matter."""
CELL = 240.0


def text_width(text: str, size: float, spacing: float = 0.0) -> float:
    """About how wide a text stands in map units: a little more than common sans-serif letters need."""
    total = 0.0
    for letter in text:
        if letter in _NARROW:
            total += 0.31
        elif letter in _SLIM:
            total += 0.39
        elif letter in _WIDE:
            total += 0.92
        elif letter.isupper():
            total += 0.72
        else:
            total += 0.60
    return total * size + spacing * max(0, len(text) - 1)


def label_size(label: dict[str, Any]) -> tuple[float, float]:
    """Width and height that a label needs, in whichever of its languages is the longer."""
    texts = [label["text"], label.get("text_de", label["text"])]
    return max(text_width(t, label["size"], label.get("spacing", 0)) for t in texts), label["size"] * LINE


def quad(at: Sequence[float], width: float, height: float, angle: float = 0.0) -> Quad:
    """The four corners of a box around a point, turned clockwise (y grows downwards) by an angle in degrees."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    a, b = width / 2, height / 2
    corners = [(at[0] + x * c - y * s, at[1] + x * s + y * c) for x, y in ((-a, -b), (a, -b), (a, b), (-a, b))]
    return corners[0], corners[1], corners[2], corners[3]


def label_quad(label: dict[str, Any]) -> Quad:
    """The box of a label as it stands on the map; `at` is its middle."""
    return quad(label["at"], *label_size(label), label.get("angle", 0))


def overlap(one: Quad, other: Quad, slack: float = 0.0) -> bool:
    """Do two boxes overlap by more than the slack (separating axes)?"""
    for shape in (one, other):
        for (x0, y0), (x1, y1) in ((shape[0], shape[1]), (shape[1], shape[2])):
            length = math.hypot(x1 - x0, y1 - y0) or 1.0
            ax, ay = (x1 - x0) / length, (y1 - y0) / length
            first = [x * ax + y * ay for x, y in one]
            second = [x * ax + y * ay for x, y in other]
            if max(first) - slack <= min(second) or max(second) - slack <= min(first):
                return False
    return True


@dataclass
class Obstacle:
    """Something a name should keep off: a box, and what standing on it costs (infinite for other names)."""

    box: Quad
    cost: float


@dataclass
class Placer:
    """Keeps what is already on the sheet and chooses the cheapest spot for the next name."""

    size: tuple[float, float]
    grid: dict[tuple[int, int], list[Obstacle]] = field(default_factory=dict)

    def _cells(self, box: Quad) -> Iterable[tuple[int, int]]:
        xs, ys = [x for x, _ in box], [y for _, y in box]
        for column in range(int(min(xs) // CELL), int(max(xs) // CELL) + 1):
            for row in range(int(min(ys) // CELL), int(max(ys) // CELL) + 1):
                yield column, row

    def block(self, box: Quad, cost: float = math.inf) -> None:
        """Put something on the sheet."""
        obstacle = Obstacle(box, cost)
        for cell in self._cells(box):
            self.grid.setdefault(cell, []).append(obstacle)

    def block_circle(self, at: Sequence[float], radius: float, cost: float) -> None:
        """Put something round on the sheet, taken as a square nearly across it."""
        side = radius * 1.75
        self.block(quad(at, side, side), cost)

    def cost(self, box: Quad, limit: float = math.inf) -> float:
        """What standing here costs; infinite on another name or over the sheet's edge."""
        width, height = self.size
        if any(not (6 <= x <= width - 6 and 6 <= y <= height - 6) for x, y in box):
            return math.inf
        seen: set[int] = set()
        total = 0.0
        for cell in self._cells(box):
            for obstacle in self.grid.get(cell, ()):
                if id(obstacle) not in seen:
                    seen.add(id(obstacle))
                    if overlap(box, obstacle.box, 0.0 if math.isinf(obstacle.cost) else 6.0):
                        total += obstacle.cost
                        if total >= limit:
                            return math.inf
        return total

    def place(
        self,
        label: dict[str, Any],
        spots: Iterable[tuple[float, float, float, float]],
        shrink: Sequence[float] = (1.0, 0.9, 0.8),
        limit: float = math.inf,
    ) -> dict[str, Any] | None:
        """The label at the cheapest of the spots (x, y, angle, own cost), smaller if need be; None if none is free."""
        choices = list(spots)
        for factor in shrink:
            trial = dict(label, size=round(label["size"] * factor))
            width, height = label_size(trial)
            best: tuple[float, int] | None = None
            for index, (x, y, angle, own) in enumerate(choices):
                bound = limit if best is None else min(limit, best[0])
                total = own + self.cost(quad((round(x), round(y)), width + 4, height + 2, round(angle)), bound - own)
                if total < bound:
                    best = (total, index)
            if best is not None:
                x, y, angle, _ = choices[best[1]]
                placed = dict(trial, at=[round(x), round(y)], angle=round(angle))
                self.block(quad(placed["at"], width, height, placed["angle"]))
                return placed
        return None


def around(at: Sequence[float], width: float, height: float, gap: float) -> list[tuple[float, float, float, float]]:
    """Spots for a name beside a dot, best first as a map maker would choose."""
    x, y = at
    side, up = gap + width / 2, gap + height / 2
    near = [
        (x + side, y, 0.0), (x - side, y, 0.2),
        (x + side * 0.9, y - up * 0.8, 0.25), (x + side * 0.9, y + up * 0.8, 0.25),
        (x - side * 0.9, y - up * 0.8, 0.4), (x - side * 0.9, y + up * 0.8, 0.4), (x, y - up, 0.3), (x, y + up, 0.3),
        (x + width * 0.25, y - up, 0.35), (x - width * 0.25, y - up, 0.4), (x + width * 0.25, y + up, 0.35),
        (x - width * 0.25, y + up, 0.4),
    ]  # fmt: skip
    return [(px, py, 0.0, cost) for px, py, cost in near]
