"""Every modifier that odds may name has words in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.core import LANGUAGES
from sandtable.games import find, games
from sandtable.odds.words import own_texts

NAMED = re.compile(r"""Modifier\(\s*"([a-z-]+)"|\(\s*"([a-z-]+)",[^"\n]*,\s*"[a-z0-9]+-[^"]+"\)""")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games())
def test_modifiers_have_words(game: str, language: str) -> None:
    found, texts = find(game), find(game).texts(language)
    used = set()
    for path in sorted(Path(found.home).rglob("*.py")):
        if "Modifier" in path.read_text(encoding="utf-8"):
            used |= {one or other for one, other in NAMED.findall(path.read_text(encoding="utf-8"))}
    assert used, "the rules name their modifiers"
    ours = own_texts(language)
    known = {
        name
        for name in used
        for book in (texts, ours)
        if any(key in book for key in (name, f"modifier.{name}", f"odds.{name}"))
    }
    assert sorted(used - known) == []
