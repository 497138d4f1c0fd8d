"""The game keeps the contract of all games."""

import pytest

from sandtable.games.ww2_europe.game import GAME
from sandtable.testing import Check, contract


@pytest.mark.parametrize("check", contract(GAME), ids=str)
def test_the_game_keeps_the_contract(check: Check) -> None:
    check()
