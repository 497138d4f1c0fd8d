"""The Table of one position as a person reads it: a golden file. SANDTABLE_GOLDEN=write writes it anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.core.table import CounterFace, Table
from tests.games.blitzkrieg_general.positions import Board

PATH = Path(__file__).parents[1] / "golden"
SHOWN = ("western_germany", "paris", "vichy", "north_sea", "moscow", "hawaiian_islands")


def _counter(face: CounterFace) -> str:
    marks = f" ({', '.join(face.state)})" if face.state else ""
    return f"{face.side}: {face.label} {face.numbers}{marks}"


def as_text(table: Table) -> str:
    """Prompt, sequence, tracks, panels, some spaces with their stacks."""
    lines = [f"# {table.game}, {table.scenario}, seen by {table.role}", table.turn, table.prompt]
    lines.append("asked: " + ", ".join(table.asked))
    lines.append("sequence: " + " > ".join(f"[{s.title}]" if s.now else s.title for s in table.sequence))
    for track in table.tracks:
        marks = ", ".join(f"{mark.label} {mark.tooltip or mark.at}" for mark in track.marks)
        lines.append(f"track {track.title}: {marks}")
    for panel in table.panels:
        lines.append(f"panel {panel.title}" + (f": {' | '.join(panel.columns)}" if panel.columns else ""))
        lines.extend("    " + " | ".join(row.cells) for row in panel.rows)
        lines.extend(f"    card {card.title}" + (" (hidden)" if card.hidden else "") for card in panel.cards)
        lines.extend(["    " + panel.body] if panel.body else [])
    lines.extend(f"overlay {overlay.title}: {len(overlay.spaces)} spaces" for overlay in table.overlays)
    for space in SHOWN:
        face = table.spaces[space]
        lines.append(f"space {space}: {face.side} {face.shade} {face.value}".rstrip())
        lines.extend("    " + _counter(counter) for counter in table.stacks.get(space, ()))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_is_the_golden_one(language: str) -> None:
    b = Board("1941-advanced", full=True)
    b.phase("land")
    found = as_text(b.match.table("germany", language))
    path = PATH / f"table-1941-{language}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(found, encoding="utf-8")
    assert found.splitlines() == path.read_text(encoding="utf-8").splitlines()
