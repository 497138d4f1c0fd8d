"""A golden playthrough per scenario: the first decisions of one seeded match, as a person reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.testing import check_golden

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str) -> None:
    check_golden(GAME, scenario, FOLDER / f"{scenario}.txt", decisions=450)
