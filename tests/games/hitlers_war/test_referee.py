"""The referee agrees with the engine, and sees where the engine is made to break a rule."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.core import Difference
from sandtable.games.hitlers_war.game import GAME
from sandtable.lab.referee import played

RULES = "sandtable.games.hitlers_war.rules"


def first_difference(seed: str, level: str, scenario: str, moves: int) -> Difference | None:
    return played(GAME, seed, (level,), scenario).judge(moves).difference


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_engine_and_referee_agree(scenario: str) -> None:
    assert first_difference("7", "captain", scenario, 300) is None


def more(change: int) -> Callable[[Any], Any]:
    """What a number or a function gives, changed by so much."""
    return lambda was: was + change if isinstance(was, int) else lambda *args, **kw: was(*args, **kw) + change


def nothing(was: Any) -> Any:
    return lambda *args, **kw: []


def anything(was: Any) -> Any:
    return lambda *args, **kw: None


@pytest.mark.parametrize(
    ("scenario", "module", "name", "broken", "rule"),
    [
        ("barbarossa", "advance", "defence", more(1), "hw-advance-1"),
        ("barbarossa", "assault", "ground_fire", more(1), "hw-assault-3"),
        ("barbarossa", "firepower", "winter_modifier", more(1), "hw-winter-1"),
        ("barbarossa", "production_phase", "budget", more(1), "hw-prod-1"),
        ("barbarossa", "production_phase", "_REPAIR", more(1), "hw-build-2"),
        ("barbarossa", "supply", "isolated", nothing, "hw-unsupplied-2"),
        ("campaign-1", "sealift", "open_seas", lambda was: lambda *args: (), "hw-move-5"),
        ("campaign-1", "attacks", "why_no_target", anything, "hw-invade-3"),
        ("campaign-1", "production", "stacked", more(-1), "hw-build-2"),
        ("campaign-2", "assault_phase", "enemy_air", more(1), "hw-air-2"),
    ],
)
def test_it_sees_a_broken_rule(
    scenario: str, module: str, name: str, broken: Callable[[Any], Any], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = importlib.import_module(f"{RULES}.{module}")
    monkeypatch.setattr(place, name, broken(getattr(place, name)))
    found = first_difference("3", "captain" if scenario == "barbarossa" else "recruit", scenario, 900)
    assert found is not None
    assert found.rule == rule
