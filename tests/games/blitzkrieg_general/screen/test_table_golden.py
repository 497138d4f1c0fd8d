"""The Table of one position as a person reads it: a golden file in each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.testing import check_golden_table
from tests.games.blitzkrieg_general.positions import Board

FOLDER = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_is_the_golden_one(language: str) -> None:
    b = Board("1941-advanced", full=True)
    b.phase("land")
    check_golden_table(b.match, "germany", language, FOLDER / f"table-1941-{language}.txt")
