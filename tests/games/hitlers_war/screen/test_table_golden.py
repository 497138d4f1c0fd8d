"""The Table of one position in each language, line by line."""

from pathlib import Path
from random import Random

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.games.hitlers_war.game import GAME
from sandtable.testing import check_golden_table
from tests.games.hitlers_war.lively import choose

FOLDER = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_the_golden_one(language: str):
    match, rng = Match.new(GAME, "campaign-2", {}, seed="table", history=False), Random("table")
    while match.number < 260 or not match.table(None).arrows:
        role = match.decisions()[0]
        match.apply(role, choose(match, role, rng))
    check_golden_table(match, match.decisions()[0], language, FOLDER / f"table.{language}.txt")
