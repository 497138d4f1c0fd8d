"""Random legal play with every promise of the core and every invariant of the game checked."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random
from typing import get_type_hints

import pytest

from sandtable.core import Match
from sandtable.core.facts import strict, without_memory
from sandtable.core.immutable import is_immutable
from sandtable.games.blitzkrieg_general.game import GAME, OPTIONS
from sandtable.games.blitzkrieg_general.model.state import BKState
from sandtable.testing import fuzz, random_play

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


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_facts_read_only_the_columns_they_name_and_need_no_memory(scenario: str) -> None:
    names = [name for name, _, where in OPTIONS if not where or scenario in where]
    for options in ({}, dict.fromkeys(names, True)):
        digests = []
        for guard in (nullcontext, strict, without_memory):
            match = Match.new(GAME, scenario, options, seed="facts", history=False)
            with guard():
                random_play(match, Random(3), most=120)
            digests.append(match.digest())
        assert digests == digests[:1] * 3


def test_every_column_of_the_state_is_immutable() -> None:
    hints = get_type_hints(BKState)
    assert [name for name in BKState.__struct_fields__ if not is_immutable(hints[name])] == []


def test_a_random_match_ends_by_the_rules() -> None:
    match = Match.new(GAME, "1939-basic", seed="end", history=False)
    random_play(match, Random(7))
    assert match.outcome is not None
    assert match.outcome.reason.startswith("bg-")
    assert not match.faults()
