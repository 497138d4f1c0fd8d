"""Draws a built map to a PNG, so that people can look at it and tests can prove that it draws."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, PathPatch, Rectangle
from matplotlib.path import Path as Curve

from tools.mapbuild.base import parse_path

INK = "#3b352b"
PAPER = {
    "sea": "#c3d3d8",
    "land": "#ece3cb",
    "shore": "#7f9aa3",
    "river": "#7ba3b8",
    "grid": "#6f6a5a",
    "lake": "#b9cdd5",
}
TERRAIN = {"mountains": "#8d7a5f", "hills": "#a39274", "forests": "#7d8f62", "marsh": "#7a948f", "desert": "#c8a96a"}
LABELS: dict[str, dict[str, Any]] = {
    "sea": {"color": "#54798a", "style": "italic", "family": "DejaVu Serif"},
    "country": {"color": "#8a7452", "weight": "bold", "family": "DejaVu Serif", "alpha": 0.75},
    "city": {"color": INK, "family": "DejaVu Sans"},
    "river": {"color": "#4f7f99", "style": "italic", "family": "DejaVu Serif"},
    "range": {"color": "#7b664a", "style": "italic", "family": "DejaVu Serif"},
}
EDGES = {
    "river": ("#6d9ab3", 5.0, "-"),
    "bridge": ("#6d9ab3", 5.0, "-"),
    "lake": ("#6d9ab3", 7.0, "-"),
    "rail": ("#4a4338", 2.2, (0, (5, 1.6))),
    "all_sea": ("#4d7f9b", 4.0, "-"),
    "sea": ("#4d7f9b", 4.0, "-"),
    "partial": ("#6d9ab3", 3.0, (0, (2, 2))),
    "crossing": ("#8b2f23", 4.0, "-"),
    "strait": ("#8b2f23", 4.0, "-"),
    "sea_border": ("#2d5f7d", 7.0, (0, (1, 1))),
    "sea_arrow": ("#54798a", 4.0, (0, (6, 3))),
}


def _curve(paths: Iterable[str]) -> Curve:
    vertices: list[tuple[int, int]] = []
    codes: list[Any] = []
    for path in paths:
        for points, closed in parse_path(path):
            vertices += points
            codes += [Curve.MOVETO] + [Curve.LINETO] * (len(points) - 1)
            if closed:
                vertices.append(points[0])
                codes.append(Curve.CLOSEPOLY)
    return Curve(vertices or [(0, 0)], codes or [Curve.MOVETO])


class _Drawing:
    """One sheet on one canvas; `px` is how many pixels a map unit gets."""

    def __init__(self, sheet: dict[str, Any], crop: Sequence[float] | None, px: float) -> None:
        self.sheet = sheet
        x, y, w, h = crop or (0, 0, *sheet["size"])
        self.px = px
        self.figure = Figure(figsize=(w * px / 100, h * px / 100), dpi=100)
        self.axes: Axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_xlim(x, x + w)
        self.axes.set_ylim(y + h, y)
        self.axes.set_axis_off()
        self.view = (x, y, w, h)

    def points(self, units: float) -> float:
        """Map units as printer's points, in which matplotlib measures lines and letters."""
        return units * self.px * 0.72

    def sees(self, x: float, y: float, reach: float = 150) -> bool:
        vx, vy, vw, vh = self.view
        return vx - reach <= x <= vx + vw + reach and vy - reach <= y <= vy + vh + reach

    def fill(self, paths: Iterable[str], colour: str, line: str = "none", width: float = 0, **more: Any) -> None:
        patch = PathPatch(_curve(paths), facecolor=colour, edgecolor=line, linewidth=self.points(width), **more)
        self.axes.add_patch(patch)

    def strokes(self, paths: Iterable[str], colour: str, width: float, style: Any = "-", **more: Any) -> None:
        segments = [points + points[:1] if closed else points for path in paths for points, closed in parse_path(path)]
        drawn = LineCollection(segments, colors=colour, linewidths=self.points(width), linestyles=style, **more)
        drawn.set_capstyle("round" if style == "-" else "butt")
        drawn.set_joinstyle("round")
        self.axes.add_collection(drawn)

    def text(self, label: dict[str, Any], **style: Any) -> None:
        x, y = label["at"]
        if not self.sees(x, y, 800):
            return
        drawn = self.axes.text(
            x,
            y,
            label["text"],
            fontsize=self.points(label["size"]),
            rotation=-label.get("angle", 0),
            ha="center",
            va="center_baseline",
            rotation_mode="anchor",
            clip_on=True,
            **style,
        )
        if style.get("halo", True):
            drawn.set_path_effects([patheffects.withStroke(linewidth=self.points(5), foreground="#f3ecd9", alpha=0.75)])

    # --- layers, from the ground up

    def ground(self, tints: dict[str, str]) -> None:
        size = self.sheet["size"]
        self.axes.add_patch(Rectangle((0, 0), *size, facecolor=PAPER["sea"], edgecolor="none"))
        for width, alpha in ((44, 0.12), (26, 0.16), (12, 0.22)):
            self.strokes(self.sheet["land"], "#8fb0bb", width, alpha=alpha)
        self.fill(self.sheet["land"], PAPER["land"])
        shape = PathPatch(_curve(self.sheet["land"]), transform=self.axes.transData)
        areas = self.sheet.get("tints") or [s for s in self.sheet["spaces"] if s.get("country")]
        shown = [area for area in areas if area["country"] in tints]
        patches = [PathPatch(_curve([area["d"]])) for area in shown]
        colours = [tints[area["country"]] for area in shown]
        tinted = PatchCollection(patches, facecolors=colours, edgecolors="none", alpha=0.55)
        self.axes.add_collection(tinted)
        tinted.set_clip_path(shape.get_path(), self.axes.transData)
        self.strokes(self.sheet["land"], PAPER["shore"], 2.2)
        for river in self.sheet.get("rivers", []):
            self.strokes([river["d"]], PAPER["river"], max(1.2, 3.6 - 0.6 * river.get("rank", 1)))
        self.fill(self.sheet.get("lakes", []), PAPER["lake"], PAPER["shore"], 1.6)

    def outside(self) -> None:
        """Pale what lies outside the field of play."""
        if self.sheet.get("frame"):
            w, h = self.sheet["size"]
            (rim, _), *holes = parse_path(self.sheet["frame"])
            turned = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise([*rim, rim[0]])) > 0
            sheet = [(0, 0), (0, h), (w, h), (w, 0), (0, 0)] if turned else [(0, 0), (w, 0), (w, h), (0, h), (0, 0)]
            vertices: list[tuple[int, int]] = []
            codes: list[Any] = []
            for ring in (sheet, [*rim, rim[0]], *([*hole, hole[0]] for hole, _ in holes)):
                vertices += ring
                codes += [Curve.MOVETO] + [Curve.LINETO] * (len(ring) - 1)
            self.axes.add_patch(PathPatch(Curve(vertices, codes), facecolor="#f4efe2", edgecolor="none", alpha=0.5))
            self.strokes([self.sheet["frame"]], INK, 2.4, alpha=0.6)

    def glyphs(self) -> None:
        for kind, colour in TERRAIN.items():
            shapes: list[list[tuple[float, float]]] = []
            shades: list[list[tuple[float, float]]] = []
            for x, y, s in self.sheet.get(kind, []):
                if not self.sees(x, y):
                    continue
                if kind == "mountains":
                    shapes.append([(x - s, y + s * 0.55), (x - s * 0.1, y - s * 0.7), (x + s, y + s * 0.55)])
                    shades.append(
                        [
                            (x - s * 0.1, y - s * 0.7),
                            (x + s, y + s * 0.55),
                            (x + s * 0.15, y + s * 0.55),
                            (x + s * 0.2, y),
                        ]
                    )
                elif kind == "hills":
                    arc = [(-1, 0.4), (-0.7, -0.1), (-0.3, -0.35), (0.1, -0.35), (0.5, -0.1), (0.9, 0.4)]
                    shapes.append([(x + s * a, y + s * b) for a, b in arc])
                elif kind == "forests":
                    crown = [(0, -1), (0.6, -0.1), (0.3, -0.1), (0.7, 0.55), (-0.7, 0.55), (-0.3, -0.1), (-0.6, -0.1)]
                    shades.append([(x + s * a, y + s * b) for a, b in crown])
                    shapes.append([(x, y + s * 0.55), (x, y + s * 0.95)])
                else:
                    for dx, dy, w in ((0, 0.3, 0.9), (-0.2, 0, 0.25), (0, -0.1, 0.25), (0.2, 0, 0.25)):
                        flat = dy == 0.3
                        shapes.append(
                            [(x - s * w, y + s * dy), (x + s * w, y + s * dy)]
                            if flat
                            else [(x + s * dx, y + s * 0.2), (x + s * dx * 1.6, y - s * 0.6)]
                        )
            if shades:
                patches = [PathPatch(Curve([*shape, shape[0]])) for shape in shades]
                alpha = 0.45 if kind == "mountains" else 0.75
                self.axes.add_collection(PatchCollection(patches, facecolors=colour, edgecolors="none", alpha=alpha))
            if shapes:
                drawn = LineCollection(shapes, colors=colour, linewidths=self.points(2.0))
                drawn.set_joinstyle("round")
                self.axes.add_collection(drawn)

    def lines(self) -> None:
        self.strokes([s["d"] for s in self.sheet["spaces"] if s["kind"] != "box"], PAPER["grid"], 1.3, alpha=0.45)
        for border in self.sheet.get("borders", []):
            self.strokes([border["d"]], "#a3472f", 7.0, alpha=0.25)
            self.strokes([border["d"]], "#8b2f23", 2.4, (0, (4, 2)), alpha=0.8)
        for kind, (colour, width, style) in EDGES.items():
            paths = [e["d"] for e in self.sheet.get("edges", []) if e["kind"] == kind and e.get("d")]
            if paths:
                self.strokes(paths, colour, width, style)
        for edge in self.sheet.get("edges", []):
            if edge.get("label"):
                self.text(edge["label"], color="#2d5f7d", weight="bold")

    def marks(self) -> None:
        for space in self.sheet["spaces"]:
            if space["kind"] == "box":
                self.fill([space["d"]], "#efe7d2", INK, 2.0)
            for mark in space.get("marks", []):
                x, y = mark["at"]
                if not self.sees(x, y):
                    continue
                kind = mark["kind"]
                if kind in ("city", "capital", "town"):
                    size = {"capital": 11, "city": 9, "town": 6}[kind]
                    shape = "*" if kind == "capital" else "o"
                    scale = 2.6 if kind == "capital" else 1.4
                    fill = INK if kind != "town" else "#f6f0df"
                    self.axes.plot(x, y, shape, ms=self.points(size * scale), mfc=fill, mec=INK, mew=self.points(1.5))
                elif kind == "entrenchment":
                    self.strokes([mark["d"]], "#6b5844", 2.2, alpha=0.85)
                elif kind == "fort":
                    self.axes.plot(x, y, "p", ms=self.points(30), mfc="#8d7a5f", mec=INK, mew=self.points(2))
                    self.axes.plot(x, y, "p", ms=self.points(14), mfc="#f6f0df", mec=INK, mew=self.points(1))
                elif kind in ("objective", "depot"):
                    shape = "D" if kind == "objective" else "^"
                    self.axes.plot(x, y, shape, ms=self.points(18), mfc="#b5483a", mec=INK, mew=self.points(1.4))
                elif kind == "port":
                    self.axes.plot(x, y, marker="$\u2693$", ms=self.points(20), mfc="#2d5f7d", mec="none")
                elif kind == "value":
                    self.axes.plot(x, y, "s", ms=self.points(24), mfc="#fbf6e6", mec=INK, mew=self.points(1.4))
                    self.axes.text(
                        x,
                        y,
                        str(mark["value"]),
                        fontsize=self.points(20),
                        ha="center",
                        va="center_baseline",
                        clip_on=True,
                    )

    def ids(self, grid: dict[str, Any]) -> None:
        if self.px * grid["id_size"] < 7:
            return
        for space in self.sheet["spaces"]:
            if space["kind"] not in ("box", "offmap"):
                x, y = (space["at"][i] + grid["id_at"][i] for i in (0, 1))
                self.text({"text": space["id"], "at": [x, y], "size": grid["id_size"]}, color="#77705f")

    def names(self, ranks: int, counters: bool) -> None:
        for label in self.sheet.get("labels", []):
            if label["rank"] <= ranks:
                self.text(label, **LABELS[label["class"]])
        for space in self.sheet["spaces"]:
            label = space.get("label")
            if label and label["rank"] <= ranks:
                self.text(label, **LABELS["city"], weight="bold" if label["rank"] <= 2 else "normal")
        if counters:
            for space in self.sheet["spaces"]:
                (x, y), r = space["at"], space["r"]
                if self.sees(x, y):
                    self.axes.add_patch(Circle((x, y), r, facecolor="none", edgecolor="#c02020", linewidth=0.5))


def render(
    built: dict[str, Any],
    path: Path,
    sheet: str = "main",
    crop: Sequence[float] | None = None,
    width: int = 1600,
    ranks: int = 5,
    counters: bool = False,
) -> Path:
    """Draw one sheet, or a crop (x, y, width, height in map units) of it, `width` pixels wide."""
    chosen = next(item for item in built["sheets"] if item["id"] == sheet)
    px = width / (crop[2] if crop else chosen["size"][0])
    drawing = _Drawing(chosen, crop, px)
    tints = {c["id"]: c["colour"] for c in built.get("countries", []) if c.get("colour")}
    drawing.ground(tints)
    drawing.glyphs()
    drawing.outside()
    drawing.lines()
    drawing.marks()
    if built.get("grid"):
        drawing.ids(built["grid"])
    drawing.names(ranks, counters)
    path.parent.mkdir(parents=True, exist_ok=True)
    for height, artist in enumerate(drawing.axes.get_children()):
        artist.set_zorder(height)  # what was drawn later lies on top, whatever its kind
    drawing.figure.savefig(path, dpi=100)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mapbuild.render", description="Draw a map.json to a PNG.")
    parser.add_argument("map", type=Path)
    parser.add_argument("png", type=Path)
    parser.add_argument("--sheet", default="main")
    parser.add_argument("--crop", type=float, nargs=4, metavar=("X", "Y", "W", "H"))
    parser.add_argument("--width", type=int, default=1600)
    parser.add_argument("--ranks", type=int, default=5)
    parser.add_argument("--counters", action="store_true", help="also draw the counter spots")
    options = parser.parse_args()
    built = json.loads(options.map.read_text(encoding="utf-8"))
    render(built, options.png, options.sheet, options.crop, options.width, options.ranks, options.counters)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
