"""Over played matches: the chronicle of captains and colonels tells no absurdities."""

import pytest

from sandtable.lab.simulate import jobs, play


@pytest.mark.parametrize("scenario", ["western-powers-guarantee", "general-war", "little-entente"])
def test_captains_do_nothing_absurd(scenario):
    for job in jobs("munich-war", scenario, {}, {"axis": "captain", "allies": "captain"}, 2, 1, 60.0):
        assert play(job).blunders == {}
