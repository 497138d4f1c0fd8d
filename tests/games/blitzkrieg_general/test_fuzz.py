"""Random legal play with every promise of the core and every invariant of the game checked."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.blitzkrieg_general.game import GAME, OPTIONS
from sandtable.lab.fuzz import fuzz, random_play

BASIC = [name for name, _, where in OPTIONS if not where or "1939-basic" in where]
LATE = [name for name, _, where in OPTIONS if not where or "1941-advanced" in where]


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_random_play_keeps_every_promise(scenario: str) -> None:
    report = fuzz(GAME, scenario, decisions=150, seed=11, look_every=40)
    assert report.decisions == 150


@pytest.mark.parametrize(("scenario", "names"), [("1939-basic", BASIC), ("1941-advanced", LATE)])
def test_random_play_with_all_options_on(scenario: str, names: list[str]) -> None:
    report = fuzz(GAME, scenario, dict.fromkeys(names, True), decisions=120, seed=12, look_every=60)
    assert report.decisions == 120


def test_a_random_match_ends_by_the_rules() -> None:
    match = Match.new(GAME, "1939-basic", seed="end", history=False)
    random_play(match, Random(7))
    assert match.outcome is not None
    assert match.outcome.reason.startswith("bg-")
    assert not match.faults()
