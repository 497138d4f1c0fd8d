"""The Table of one position in each language, line by line.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

import os
from pathlib import Path
from random import Random

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.core.table import Table
from sandtable.games.hitlers_war.game import GAME
from tests.games.hitlers_war.lively import choose

FOLDER = Path(__file__).parents[1] / "golden"


def lines(table: Table) -> list[str]:
    """A Table as a person can read it; empty spaces are left out."""
    out = [f"{table.turn} | {table.prompt}", f"asked: {', '.join(table.asked)}", f"rules: {table.rules}"]
    out.append("sequence: " + " > ".join(f"[{x.title}]" if x.now else x.title for x in table.sequence))
    out.extend(f"side {key}: {face.name}, {face.colour}, {face.pattern}" for key, face in table.sides.items())
    for name, face in table.spaces.items():
        marks = " ".join(f"{mark.kind}={mark.text} ({mark.tooltip})" for mark in face.marks)
        if face.value or marks:
            out.append(f"space {name}: {face.side} {face.value} {marks} | {face.tooltip}".rstrip())
    for place, stack in sorted(table.stacks.items()):
        out.extend(f"in {place}: {c.side} {c.label} {c.numbers} {' '.join(c.state)} | {c.tooltip}" for c in stack)
    out.extend(f"arrow {arrow.kind} {arrow.label}: {' - '.join(arrow.path)}" for arrow in table.arrows)
    for track in table.tracks:
        marks = ", ".join(f"{mark.label} at {track.cells[mark.at]}" for mark in track.marks)
        out.append(f"track {track.title}: {marks}")
    for panel in table.panels:
        out.append(f"panel {panel.title}: {' | '.join(panel.columns)}")
        out.extend("  " + " | ".join(row.cells) for row in panel.rows)
    for overlay in table.overlays:
        cut = [name for name, key in overlay.spaces.items() if key == "cut_off"]
        out.append(f"overlay {overlay.title}: {overlay.legend['cut_off']} {', '.join(cut)}")
    return out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_the_golden_one(language: str):
    match = Match.new(GAME, "campaign-2", {}, seed="table", history=False)
    rng = Random("table")
    while match.number < 260 or not match.table(None).arrows:
        role = match.decisions()[0]
        match.apply(role, choose(match, role, rng))
    told = "\n".join(lines(match.table(match.decisions()[0], language))) + "\n"
    path = FOLDER / f"table.{language}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
