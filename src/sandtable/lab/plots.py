"""Pictures of a simulation as SVG: curves with bands, bars, and a heat map of battles on the game's own map."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sandtable.core import Game
from sandtable.lab.curves import Band

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b", "#b3a000")
"""Distinguishable with colour blindness (Okabe and Ito)."""
_HOT = ((255, 237, 160), (254, 178, 76), (240, 59, 32), (128, 0, 38))


def _figure(width: float = 7.2, height: float = 3.4) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    return figure, axes


def _svg(figure: Any) -> str:
    """The SVG element of a figure, the same bytes for the same figures."""
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "sandtable", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def curves(title: str, found: Sequence[Band], turns: Sequence[str]) -> str:
    """Measures of one kind over the turns, each with its band from the 10th to the 90th percentile."""
    figure, axes = _figure()
    for number, band in enumerate(found):
        places = range(1, len(band.middle) + 1)
        colour = COLOURS[number % len(COLOURS)]
        axes.fill_between(places, band.low, band.high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(places, band.middle, color=colour, label=band.measure.partition(".")[2] or band.measure)
    axes.set_title(title)
    _name_turns(axes, turns, max(len(band.middle) for band in found))
    axes.legend(frameon=False, fontsize="small")
    return _svg(figure)


def _name_turns(axes: Any, turns: Sequence[str], count: int) -> None:
    axes.set_xlabel("turn")
    every = max(1, -(-count // 12))
    places = list(range(1, count + 1, every))
    axes.set_xticks(places, [turns[p - 1] if p <= len(turns) else str(p) for p in places], fontsize="x-small")
    for label in axes.get_xticklabels():
        label.set_rotation(30 if any(len(name) > 4 for name in turns) else 0)


def histogram(title: str, values: Sequence[float], label: str) -> str:
    """How often each value occurs."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = _figure(height=2.6)
    whole = sorted(set(values))
    if len(whole) <= 40:
        axes.bar(whole, [list(values).count(value) for value in whole], color=COLOURS[0])
    else:
        axes.hist(values, bins=30, color=COLOURS[0])
    for axis in (axes.xaxis, axes.yaxis):  # there is no half a turn, and no half a match
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.set_title(title)
    axes.set_xlabel(label)
    axes.set_ylabel("matches")
    return _svg(figure)


def spread(title: str, values: Sequence[float]) -> str:
    """How often each size of luck occurred; 0 is marked."""
    figure, axes = _figure(height=2.6)
    axes.hist(values, bins=min(40, max(5, len(values) // 3)), color=COLOURS[0])
    axes.axvline(0.0, color=COLOURS[1], linewidth=1.2)
    axes.set_title(title)
    axes.set_ylabel("matches")
    return _svg(figure)


def wins(shares: Mapping[str, tuple[float, float, float]]) -> str:
    """Share of matches won by each side, with its interval."""
    figure, axes = _figure(height=0.9 + 0.45 * len(shares))
    names = list(shares)
    for place, name in enumerate(names):
        share, low, high = shares[name]
        axes.barh(place, share, color=COLOURS[place % len(COLOURS)], height=0.6)
        axes.plot([low, high], [place, place], color="black", linewidth=1.5)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of matches won, 95 % interval")
    return _svg(figure)


def ratings(found: Mapping[str, tuple[float, float, float]]) -> str:
    """Elo of each level, with its interval."""
    figure, axes = _figure(height=0.9 + 0.4 * len(found))
    for place, (value, low, high) in enumerate(found.values()):
        axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=2.5, alpha=0.5)
        axes.plot([value], [place], color=COLOURS[0], marker="o")
    axes.set_yticks(range(len(found)), list(found))
    axes.invert_yaxis()
    axes.set_xlabel("Elo, 95 % interval")
    return _svg(figure)


def ratios(found: Sequence[tuple[str, float]]) -> str:
    """How many times as fast as each peer, on a logarithmic axis."""
    figure, axes = _figure(width=9, height=0.9 + 0.26 * len(found))
    for place, (_, ratio) in enumerate(found):
        axes.barh(place, ratio - 1, left=1, color=COLOURS[0] if ratio >= 1 else COLOURS[1], height=0.7)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}×")
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(range(len(found)), [name for name, _ in found], fontsize="x-small")
    axes.invert_yaxis()
    axes.set_xlabel("times as fast as the peer")
    return _svg(figure)


def known(title: str, shares: Sequence[float], turns: Sequence[str], decisive: int) -> str:
    """How much of the result is known after each turn."""
    figure, axes = _figure(height=2.8)
    axes.plot(range(1, len(shares) + 1), shares, color=COLOURS[0], marker="o", markersize=3)
    axes.axvline(decisive, color=COLOURS[1], linestyle="--", linewidth=1)
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set_ylim(0.45, 1.02)
    axes.set_title(title)
    _name_turns(axes, turns, len(shares))
    return _svg(figure)


def progress(found: Mapping[str, Sequence[tuple[float, float]]], label: str, goal: float) -> str:
    """Shares over something that grows, a line for each name, with the share that is aimed at."""
    figure, axes = _figure()
    for number, (name, points) in enumerate(found.items()):
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3, label=name)
    axes.axhline(goal, color="#5b5b5b", linestyle="--", linewidth=1)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.set_xlabel(label)
    axes.legend(frameon=False, fontsize="small")
    return _svg(figure)


# ---- where battles were fought
def heat_maps(game: Game[Any], battles: Mapping[str, int], matches: int) -> list[tuple[str, str]]:
    """(title, picture) of the battles on each sheet of the game's map; empty where the game has no map."""
    path = game.home / "data" / "map.json"
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    most, names = max(battles.values(), default=1), place_names(game)
    return [
        (sheet["title"]["en"], _sheet(sheet, battles, names, most, matches))
        for sheet in data["sheets"]
        if any(space["id"] in battles for space in sheet["spaces"])
    ]


def _sheet(
    sheet: Mapping[str, Any], battles: Mapping[str, int], names: Mapping[str, str], most: int, matches: int
) -> str:
    width, height = sheet["size"]
    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="battles on the map">',
        f'<rect width="{width}" height="{height}" fill="#cfdbe3"/>',
        f'<path d="{"".join(sheet["land"])}" fill="#f1ecdf" stroke="#9a9483" stroke-width="2"/>',
        f'<path d="{"".join(sheet.get("lakes", ()))}" fill="#cfdbe3"/>',
    ]
    lines = "".join(space["d"] for space in sheet["spaces"])
    parts.append(f'<path d="{lines}" fill="none" stroke="#b8b09a" stroke-width="1.5" opacity="0.6"/>')
    for space in sheet["spaces"]:
        count = battles.get(space["id"], 0)
        if count:
            said = escape(f"{names[space['id']]}: {count / matches:.2f} battles a match")
            parts.append(
                f'<path d="{space["d"]}" fill="{heat(count / most)}" opacity="0.8"><title>{said}</title></path>'
            )
    return "".join(parts) + "</svg>"


def heat_scale(most: float) -> str:
    """The legend of a heat map: battles a match, from none to the most."""
    steps, width = 24, 20
    parts = [f'<svg viewBox="0 0 {steps * width + 60} 44" width="540" role="img" aria-label="colours of the map">']
    parts += [
        f'<rect x="{30 + step * width}" width="{width + 1}" height="18" fill="{heat((step + 0.5) / steps)}"/>'
        for step in range(steps)
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        at = 30 + share * steps * width
        parts.append(f'<text x="{at:g}" y="36" font-size="14" text-anchor="middle">{share * most:.2g}</text>')
    return "".join(parts) + "</svg>"


def place_names(game: Game[Any]) -> dict[str, str]:
    """The names of the spaces on the map; a hex that has only its number is named by the nearest one with a name."""
    path = game.home / "data" / "map.json"
    sheets = json.loads(path.read_text(encoding="utf-8"))["sheets"] if path.exists() else []
    found: dict[str, str] = {}
    for sheet in sheets:
        named = [space for space in sheet["spaces"] if space.get("name", space["id"]) != space["id"]]
        for space in sheet["spaces"]:
            nearest = min(named, key=lambda other: math.dist(space["at"], other["at"]), default=space)
            near = nearest.get("name", nearest["id"])
            found[space["id"]] = near if nearest is space else f"near {near} ({space['id']})"
    return found


def heat(share: float) -> str:
    """The colour of a share, pale to dark by its square root, so that rare battles are visible."""
    place = min(1.0, max(0.0, share)) ** 0.5 * (len(_HOT) - 1)
    low = min(int(place), len(_HOT) - 2)
    mix = [round(a + (b - a) * (place - low)) for a, b in zip(_HOT[low], _HOT[low + 1], strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mix)
