"""A scenario is data: what it is played with stands in its entry, and no rule asks for it by name."""

import tomllib
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import Match
from sandtable.games.hitlers_war.game import HitlersWar
from sandtable.games.hitlers_war.model.atlas import ATLAS, HOME, SIDES
from sandtable.games.hitlers_war.model.scenarios import SETTINGS, read
from sandtable.games.hitlers_war.rules.budget import budget


class WithAnother(HitlersWar):
    """The game with one more scenario."""

    def __init__(self, name: str, data: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(ATLAS.scenarios, name, data)
        monkeypatch.setitem(SETTINGS, name, read(data))
        roles = tuple(SIDES[side] for side in SETTINGS[name].order)
        self.scenarios = {name: type(self.scenarios["barbarossa"])(name, 8, roles)}  # type: ignore[misc]
        if name not in ATLAS.rules["set_up"]:
            monkeypatch.setitem(ATLAS.rules["set_up"], name, ATLAS.rules["set_up"]["fall-of-germany"])


@pytest.mark.parametrize("model", list(SETTINGS))
def test_a_copy_of_a_scenario_under_another_name_plays_as_the_original(model: str, monkeypatch: pytest.MonkeyPatch):
    game = WithAnother("copy", deepcopy(ATLAS.scenarios[model]), monkeypatch)
    matches = Match.new(game, "copy", {}, seed=3), Match.new(HitlersWar(), model, {}, seed=3)
    rngs = Random(3), Random(3)
    for _ in range(120):
        for match, rng in zip(matches, rngs, strict=True):
            role = match.decisions()[0]
            match.apply(role, match.offers(role).sample(rng))
    copy, original = (match.state for match in matches)
    copy.scenario, copy.options = original.scenario, original.options
    assert copy == original


def test_a_scenario_with_other_properties_is_played_by_them(monkeypatch: pytest.MonkeyPatch):
    data = deepcopy(ATLAS.scenarios["barbarossa"])
    data["play"] |= {"axis_reduction": 0, "sea": True}
    data["last_turn"] = "Winter 1942"
    game = WithAnother("east", data, monkeypatch)
    state = Match.new(game, "east", {}, seed=1).state
    plain = Match.new(HitlersWar(), "barbarossa", {}, seed=1).state
    assert budget(state, 0) == budget(plain, 0) + 17
    assert (state.setting.sea, plain.setting.sea) == (True, False)
    assert ATLAS.turns[state.setting.last_turn] == "Winter 1942"


def test_a_property_that_nobody_knows_is_refused():
    data = deepcopy(ATLAS.scenarios["barbarossa"])
    data["play"]["rain"] = True
    with pytest.raises(msgspec.ValidationError, match="rain"):
        read(data)


def test_the_rules_that_a_scenario_names_are_in_the_ledger():
    ledger = tomllib.loads((HOME / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    named = {rule for setting in SETTINGS.values() for rule in setting.rule_of.values()}
    assert named <= {rule["id"] for rule in ledger}
    assert len(named) == 5
