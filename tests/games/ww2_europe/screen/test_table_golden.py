"""The Table of one position in each language, line by line.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.core.table import Table
from sandtable.games.ww2_europe.game import GAME

FOLDER = Path(__file__).parents[1] / "golden"


def lines(table: Table) -> list[str]:
    """A Table as a person can read it; empty spaces are left out."""
    out = [f"{table.turn} | {table.prompt}", f"asked: {', '.join(table.asked)}", f"rules: {table.rules}"]
    out.append("sequence: " + " > ".join(f"[{x.title}]" if x.now else x.title for x in table.sequence))
    out.extend(f"side {key}: {face.name}, {face.colour}, {face.pattern}" for key, face in table.sides.items())
    for name, face in table.spaces.items():
        marks = " ".join(f"{mark.kind} ({mark.tooltip})" for mark in face.marks)
        if face.value or marks:
            out.append(f"space {name}: {face.side} {face.value} {marks}".rstrip())
    for place, stack in sorted(table.stacks.items()):
        out.extend(f"in {place}: {c.side} {c.label} {c.numbers} {' '.join(c.state)}".rstrip() for c in stack)
    out.extend(f"box {box.id}: {box.title}" for box in table.boxes)
    out.extend(f"arrow {arrow.kind}: {' - '.join(arrow.path)}" for arrow in table.arrows)
    for track in table.tracks:
        marks = ", ".join(f"{mark.label} at {track.cells[mark.at]}" for mark in track.marks)
        out += [f"track {track.title}: {marks}"]
    for panel in table.panels:
        out.append(f"panel {panel.title}: {' | '.join(panel.columns)}{panel.body}")
        out.extend("  " + " | ".join(row.cells) for row in panel.rows)
    out.extend(f"overlay {overlay.title}: {len(overlay.spaces)} spaces" for overlay in table.overlays)
    return out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_the_golden_one(language: str):
    match = Match.new(GAME, "spring-1941", {"technology": True, "leaders": True}, seed="table")
    told = "\n".join(lines(match.table("germany", language))) + "\n"
    path = FOLDER / f"table.{language}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
    assert "@" not in told
