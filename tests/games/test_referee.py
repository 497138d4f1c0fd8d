"""A short run of every game's referee: engine and rulebook agree. `sandtable referee GAME` watches whole matches."""

import pytest

from sandtable.games import find, games
from sandtable.lab.referee import played

MOVES = 400


@pytest.mark.parametrize("name", [name for name in games() if find(name).referee()])
def test_engine_and_referee_agree(name: str) -> None:
    assert played(find(name), "test", ["captain"]).judge(most=MOVES).difference is None
