"""The referee finds faults that are planted into the engine. That it finds none otherwise is in tests/games."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from sandtable.core.facts import without_memory
from sandtable.games.munich_war.facts import reach, supply
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.rules import combat_phase, mobilization, victory
from sandtable.lab.referee import played

Plant = Callable[..., Any]
PLANTS: dict[str, tuple[ModuleType, str, Callable[[Plant], Plant], set[str]]] = {
    "long lines of supply": (supply, "trace_length", lambda f: lambda s, unit: f(s, unit) + 9, {"mw-14.5", "mw-8.1-a"}),
    "fast armies": (reach, "allowance", lambda f: lambda s, unit: f(s, unit) + 2, {"mw-8.1-a"}),
    "a wrong column": (combat_phase, "shifted_column", lambda f: lambda at, by: f(at, by + 1), {"mw-11.10-d"}),
    "points for nothing": (mobilization, "income", lambda f: lambda m, country: f(m, country) + 1, {"mw-7.1-a"}),
    "a wrong score": (victory, "unit_points", lambda f: lambda m, side: f(m, side) + 1 - side, {"mw-22.0-c"}),
}


@pytest.fixture(autouse=True)
def forget():
    """No fact of the sound rules is remembered in the test, and none of the spoilt ones after it."""
    with without_memory():
        pass
    yield
    with without_memory():
        pass


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name, monkeypatch):
    module, function, spoil, rules = PLANTS[name]
    monkeypatch.setattr(module, function, spoil(getattr(module, function)))
    difference = played(GAME, "plant/4", ["captain"], "little-entente").judge().difference
    assert difference is not None
    assert difference.rule in rules
