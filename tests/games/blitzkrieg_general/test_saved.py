"""Matches of older versions of the rules still load, each under the rules it was played by."""

from pathlib import Path

import pytest

import sandtable
from sandtable.games import find
from sandtable.games.blitzkrieg_general.game import GAME

SAVED = sorted((Path(__file__).parent / "saved").iterdir())


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_an_older_match_loads_under_its_own_rules(path):
    rules = int(path.stem.rsplit("-", 1)[1])
    match = sandtable.load(path.read_bytes())
    assert match.game is find(GAME.id, rules)
    assert match.game.rules_version == rules < GAME.rules_version
    assert len(match.log) > 200
