"""A Table as plain text: what `match.show()` prints, and the command where it shows a position."""

from __future__ import annotations

from collections.abc import Sequence

from .table import CounterFace, Panel, Table, Track


def plain(table: Table, *, full: bool = False) -> str:
    """Return the table as text: who is asked what, and what stands where. `full` adds tracks and panels."""
    now = ", ".join(stage.title for stage in table.sequence if stage.now)
    lines = [" / ".join(text for text in (table.turn, now, table.outcome or table.prompt) if text), ""]
    titles = {box.id: box.title for box in table.boxes}
    rows = [("place", "held by", "counters (top one last)")]
    for place in dict.fromkeys((*table.spaces, *table.stacks)):
        if counters := table.stacks.get(place, ()):
            side = table.spaces[place].side if place in table.spaces else ""
            rows.append((titles.get(place, place), side, ", ".join(map(counter_text, counters))))
    lines += aligned(rows)
    if full:
        for track in table.tracks:
            lines += ["", *_track(track)]
        for panel in table.panels:
            lines += ["", *_panel(panel)]
    return "\n".join(lines)


def counter_text(counter: CounterFace) -> str:
    """Return a counter in a few words."""
    words = (counter.label or counter.id, counter.numbers, *counter.state)
    return " ".join(word for word in words if word) + (f" x{counter.count}" if counter.count > 1 else "")


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines with their cells in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _track(track: Track) -> list[str]:
    marks = [
        f"  {mark.label}: {track.cells[mark.at] if 0 <= mark.at < len(track.cells) else mark.at}"
        for mark in track.marks
    ]
    return [track.title, *marks]


def _panel(panel: Panel) -> list[str]:
    rows = [tuple(panel.columns), *(tuple(row.cells) for row in panel.rows)] if panel.columns or panel.rows else []
    wide = max(map(len, rows), default=0)
    lines = aligned([(*row, *[""] * (wide - len(row))) for row in rows if row])
    lines += [" ".join(word for word in (card.title, card.cost) if word) for card in panel.cards]
    return [panel.title, *(f"  {line}" for line in [*lines, *panel.body.splitlines()])]
