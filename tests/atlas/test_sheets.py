"""Links, production and set-ups are what the committed proof sheets say."""

from __future__ import annotations

import difflib

import pytest

from tests.atlas.faults import GAMES, load_atlas
from tests.atlas.sheets import sheet, sheet_path


@pytest.mark.parametrize("game", GAMES)
def test_the_atlas_matches_its_sheet(game):
    committed = sheet_path(game).read_text(encoding="utf-8").splitlines()
    found = sheet(game, load_atlas(game))
    changes = list(difflib.unified_diff(committed, found, "sheet", "atlas", lineterm="", n=0))
    assert not changes, "\n" + "\n".join(changes[:40])
