"""The tables of figures in docs/ as plots: shares with their intervals, Elo, and ratios to the peers.

A table is known by its headings, wherever it stands. What is drawn is what the table says, so a plot is never stale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from sandtable.lab import plots

Rows = Sequence[dict[str, str]]
TABLE = re.compile(r"^\|[^\n]*\|\n\|[ :|-]+\|\n(?:\|[^\n]*\|\n)+", re.MULTILINE)
MOST = 24
"""Rows in one plot of ratios; a longer table gets several."""


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows(table: str) -> list[dict[str, str]]:
    """The lines of a Markdown table, each by its headings."""
    head, _, *lines = table.strip().splitlines()
    return [dict(zip(cells(head), cells(line), strict=True)) for line in lines]


def number(text: str) -> float:
    """'94.5%' is 0.945, '+839' is 839, '1,291×' is 1291."""
    value = float(text.rstrip("%×").replace(",", ""))
    return value / 100 if text.endswith("%") else value


def interval(text: str) -> tuple[float, float]:
    low, high = text.split(" to ")
    return number(low), number(high)


def shares(found: Rows, name: str) -> str:
    return plots.wins({row[name]: (number(row["share"]), *interval(row["95 % interval"])) for row in found})


def elo(found: Rows) -> str:
    return plots.ratings({row["level"]: (number(row["Elo"]), *interval(row["95 % interval"])) for row in found})


def ratios(found: Rows) -> str:
    """Our speed in that of each peer. A line without a figure's name belongs to the one above it."""
    named, figure = [], ""
    for row in found:
        figure = row["figure"] or figure
        if row["ratio"] and row["ratio"] != "0":
            short = re.sub(r" \([^)]*\)", "", figure)
            named.append((f"{short} / {row['peer']}", number(row["ratio"])))
    parts = [named[place : place + MOST] for place in range(0, len(named), MOST)]
    return "".join(plots.ratios(part) for part in parts)


DRAWN: dict[tuple[str, ...], Callable[[Rows], str]] = {
    ("side", "won", "share", "95 % interval"): lambda found: shares(found, "side"),
    ("level", "Elo", "95 % interval"): elo,
    ("pairing", "matches", "won", "drawn", "lost", "share", "95 % interval"): lambda found: shares(found, "pairing"),
    ("figure", "ours", "peer", "peer's", "ratio", "promised"): ratios,
}
"""Headings of a table -> how it is drawn."""


def illustrated(markdown: str) -> str:
    """A page with a plot above each of its tables that can be drawn."""

    def drawn(found: re.Match[str]) -> str:
        head = tuple(cells(found[0].splitlines()[0]))
        picture = DRAWN[head](rows(found[0])) if head in DRAWN else ""
        return f"{embedded(picture, ', '.join(head))}\n\n{found[0]}" if picture else found[0]

    return TABLE.sub(drawn, markdown)


def embedded(picture: str, label: str) -> str:
    """An SVG inside a page: in the page's colours, light or dark, and without a style for the whole of it."""
    picture = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>|<metadata>.*?</metadata>", "", picture, flags=re.DOTALL)
    picture = picture.replace("#000000", "currentColor").replace(
        "<svg ", f'<svg role="img" aria-label="{escape(label)}" '
    )
    picture = re.sub(r"<text style=\"", '<text fill="currentColor" style="', picture)
    return f'<figure class="plot">{" ".join(picture.split())}</figure>'
