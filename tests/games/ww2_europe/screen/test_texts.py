"""Every sentence stands in both languages, and every reason, event, verb and prompt has one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.core.text import _flatten
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A

HOME = Path(GAME.home)
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HOME.rglob("*.py")))


def sentences(language: str) -> dict[str, str]:
    return _flatten(tomllib.loads((HOME / "text" / f"{language}.toml").read_text(encoding="utf-8")))


def test_both_languages_have_the_same_keys_and_blanks():
    english, german = sentences("en"), sentences("de")
    assert english.keys() == german.keys()
    for key, sentence in english.items():
        assert set(re.findall(r"\{(\w+)", sentence)) == set(re.findall(r"\{(\w+)", german[key])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_event_step_and_option_has_its_words(language: str):
    known = sentences(language)
    for action in GAME.actions:
        assert f"verb.{action.__struct_config__.tag}" in known
    for event in GAME.events:
        assert f"event.{event.__struct_config__.tag}" in known
    for option in GAME.options:
        assert f"option.{option}.name" in known
    for scenario in GAME.scenarios:
        assert f"scenario.{scenario}.name" in known
    for name in (*A.names, *A.powers, *A.minors, *A.fronts, *A.kinds.names, *A.techs):
        assert f"name.{name}" in known
    asking = [step for step in GAME.steps if "roles" in vars(step) or "powers" in vars(step)]
    for step in asking:
        assert f"prompt.{step.__struct_config__.tag}" in known or step.__name__ in ("Phase", "LineCheck"), step


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_in_the_code_has_a_sentence(language: str):
    known = sentences(language)
    ledger = {row["id"] for row in tomllib.loads((HOME / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]}
    found = 0
    for rule, reason in re.findall(r'Refusal\(\s*"(w2e-[a-z0-9-]+)"(?:,\s*"([a-z0-9-]+)")?', CODE):
        found += 1
        assert rule in ledger, rule
        assert f"refusal.{reason or rule}" in known, reason or rule
    assert found > 50
    for rule in re.findall(r"\[(w2e-[a-z0-9-]+)\]", CODE):
        assert rule in ledger, rule
    for note in re.findall(r'"@(note-[a-z-]+)"', CODE):
        assert f"name.{note}" in known


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_leaves_no_key_unspoken(language: str):
    match = Match.new(GAME, "spring-1941", {"technology": True}, seed=1)
    for role in (*match.roles, None):
        table = match.table(role, language)
        assert not table.prompt.startswith("prompt.")
        assert not table.rules.startswith("rules.")
        assert "?" not in table.prompt
        assert len(table.spaces) == len(A.names)
        assert all("." not in stage.title for stage in table.sequence)
        assert {panel.id for panel in table.panels} >= {"fronts", "powers", "technology"}
        assert len(table.arrows) == len(match.state.convoys)
