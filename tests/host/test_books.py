"""Every rule is in the book, once, and the book names no rule that does not exist."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import sandtable.core
from sandtable.core import LANGUAGES
from sandtable.games import find, games
from sandtable.host import books, lessons


@pytest.mark.parametrize("game", games())
def test_every_rule_of_the_ledger_is_in_exactly_one_chapter(game: str) -> None:
    ledger = tomllib.loads((find(game).home / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    for language in LANGUAGES:
        found = books.book(find(game), language)
        listed = [rule.id for chapter in found.chapters[:-1] for rule in chapter.rules]
        assert sorted(listed) == sorted(item["id"] for item in ledger)
        for chapter in found.chapters:
            here = {rule.id for rule in chapter.rules}
            for part in chapter.paragraphs:
                assert part.text.strip()
                assert {*part.rules} <= here, f"{chapter.title}: { ({*part.rules} - here) }"
                assert not part.lesson or part.lesson in lessons.course(find(game))


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_rule_of_the_ledger_is_translated_whole(game: str, language: str) -> None:
    home = find(game).home
    ledger = tomllib.loads((home / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    translated = tomllib.loads((home / "text" / f"ledger.{language}.toml").read_text(encoding="utf-8"))
    assert list(translated) == [item["id"] for item in ledger]
    for item in ledger:
        sentences = translated[item["id"]]
        assert sentences.keys() == {key for key in ("title", "says", "doubt") if item.get(key)}, item["id"]
        for key, said in sentences.items():
            assert said.strip()
            numbers, kept = (Counter(re.findall(r"[0-9]+", text)) for text in (item[key], said))
            assert not numbers - kept, f"{item['id']}: {key}: {numbers} became {kept}"


@pytest.mark.parametrize("game", games())
def test_the_chapters_cover_something(game: str) -> None:
    ids = [item["id"] for item in tomllib.loads((find(game).home / "data/ledger.toml").read_text("utf-8"))["rule"]]
    for chapter in books.chapters(find(game)):
        for start in chapter.covers:
            assert any(books._belongs(rule, [start]) for rule in ids), f"no rule begins with {start}"


@pytest.mark.parametrize("game", [game for game in games() if books.chapters(find(game))])
def test_a_book_has_a_written_chapter_for_every_rule(game: str) -> None:
    for language in LANGUAGES:
        found = books.book(find(game), language)
        assert len(found.chapters) == len(books.chapters(find(game))) + 1, [
            rule.id for rule in found.chapters[-2].rules
        ]
        assert all(chapter.paragraphs for chapter in found.chapters[:-1])
        assert found.glossary


def test_what_the_core_refuses_is_in_the_last_chapter() -> None:
    game, core = find(games()[0]), Path(inspect.getfile(sandtable.core)).parent
    named = {
        rule for path in core.glob("*.py") for rule in re.findall(r'"(sandtable-[a-z]+)"', path.read_text("utf-8"))
    }
    rules = {rule for rule in named if f"refusal.{rule}" not in game.texts("en")}
    assert len(rules) >= 5, "the others are reasons, which have sentences of their own"
    for language in LANGUAGES:
        told = {rule.id: rule for rule in books.book(game, language).chapters[-1].rules}
        assert rules <= set(told)
        assert all(rule.title and rule.says and "house." not in rule.says for rule in told.values())
