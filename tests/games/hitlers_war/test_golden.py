"""A golden playthrough per scenario: every decision, offer count, die and event of one seeded match."""

from pathlib import Path

import pytest

from sandtable.games.hitlers_war.game import GAME
from sandtable.testing import check_golden
from tests.games.hitlers_war.lively import choose

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str):
    check_golden(GAME, scenario, FOLDER / f"{scenario}.txt", choose=choose)
