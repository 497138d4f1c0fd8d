"""Spaces, units, notes and prompts have words in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A

HOME = Path(GAME.home)
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HOME.rglob("*.py")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_units_notes_and_steps_have_their_words(language: str):
    known = GAME.texts(language)
    for name in (*A.names, *A.powers, *A.minors, *A.fronts, *A.kinds.names, *A.techs):
        assert f"name.{name}" in known
    for note in re.findall(r'"@(note-[a-z-]+)"', CODE):
        assert f"name.{note}" in known
    for step in GAME.steps:
        if "roles" in vars(step) or "powers" in vars(step):
            assert f"prompt.{step.__struct_config__.tag}" in known


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
