"""A short run of the house's fuzzer: every scenario, all options on and all off."""

import pytest

from sandtable.games.munich_war.game import GAME
from sandtable.testing import fuzz


@pytest.mark.parametrize("on", [False, True])
@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_random_play_keeps_every_promise(scenario, on):
    report = fuzz(
        GAME,
        scenario,
        {name: on for name, option in GAME.options.items() if not option.choices},
        decisions=120,
        seed=11,
        look_every=24,
    )
    assert report.decisions == 120
    assert report.views
