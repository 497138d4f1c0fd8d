"""The book: the rules of a game in our own words, chapter by chapter, with every item of the ledger in its place.

A chapter is a file `games/<game>/book/<number>-<name>.toml`; `docs/writing-a-lesson.md` says what stands in it. Rules
that no chapter covers are in a last one, so that every rule can be found.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Game, Match
from sandtable.core.table import Arrow, Table

from . import messages as m
from .errors import NotFound
from .labels import strings, words_of
from .lesson_files import Both, Example
from .lessons import examples, filled, named, start
from .lobby import rules_of

_REST = Both("All other rules", "Alle übrigen Regeln")


class Paragraph(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to read, with the rules that it tells."""

    text: Both
    title: Both | None = None
    rules: tuple[str, ...] = ()
    """Ids of the ledger."""
    lesson: str = ""
    """A lesson in which it can be tried."""


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter: its paragraphs, and the families of rules that belong to it."""

    title: Both
    paragraph: tuple[Paragraph, ...]
    covers: tuple[str, ...] = ()
    """Beginnings of ids: 'hw-move' stands for 'hw-move-1', 'hw-move-2', ..."""


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of the glossary."""

    word: Both
    means: Both


class _Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: tuple[Term, ...]


@functools.cache
def chapters(game: Game[Any]) -> tuple[Chapter, ...]:
    """Return a game's chapters in their order."""
    files = sorted((game.home / "book").glob("[0-9]*.toml"), key=lambda path: int(path.stem.split("-")[0]))
    return tuple(msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Chapter) for path in files)


@functools.cache
def glossary(game: Game[Any]) -> tuple[Term, ...]:
    """Return the words that the book explains."""
    path = game.home / "book" / "glossary.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Glossary).term if path.exists() else ()


def _belongs(rule: str, covers: Sequence[str]) -> bool:
    return any(rule == start or rule.startswith(f"{start}-") for start in covers)


def _find(game: Game[Any], name: str) -> Example:
    if name not in examples(game):
        raise NotFound(f"the book of {game.id} has no example '{name}'")
    return examples(game)[name]


@functools.cache
def _position(game: Game[Any], name: str) -> Match[Any]:
    """Return the position of an example. It is only looked at."""
    return start(game, name, "book")


def example_table(game: Game[Any], name: str, language: str) -> Table:
    """Return an example as the role that tries something in it sees it, with an arrow for what is tried."""
    example = _find(game, name)
    table = _position(game, name).table(example.role, language)
    path = _way(example.action, table)
    arrows = [*table.arrows, Arrow(path, "plan", example.role)] if len(path) > 1 else table.arrows
    return msgspec.structs.replace(table, arrows=arrows)


def _way(action: Mapping[str, Any], table: Table) -> list[str]:
    """Return the way of an action on the map: from its first counter along its path, or to where it goes."""
    where = {face.id: place for place, stack in table.stacks.items() for face in stack}
    start = next((where[word] for word in strings(list(action.values())) if where.get(word) in table.spaces), "")
    goals = [*action.get("path", ()), action.get("to") or action.get("target")]
    return list(dict.fromkeys(place for place in (start, *goals) if place in table.spaces))


def _example(game: Game[Any], name: str, example: Example, language: str) -> m.ExampleFace:
    texts = game.texts(language)
    said = filled(example.say.of(language), _position(game, name), example.role, (example.action,))
    return m.ExampleFace(
        name, example.rule, example.title.of(language), named(said, texts), words_of(example.action, texts).words,
        named(example.ends.of(language), texts), example.refused, example.show,
    )  # fmt: skip


HOUSE = ("sequence", "window", "undo", "draw", "resign", "over")
"""What the core itself allows and refuses, in every game."""


def house(game: Game[Any], language: str) -> list[m.RuleInfo]:
    """Return the rules that are not the game's but this table's: undo, resigning, who is asked when."""
    say = game.texts(language).say
    ids = [f"sandtable-{name}" for name in HOUSE]
    return [m.RuleInfo(rule, say(f"house.{rule}.title"), say(f"house.{rule}.says"), "", "", "") for rule in ids]


def book(game: Game[Any], language: str) -> m.BookFace:
    """Return the book: every rule of the ledger is in exactly one chapter, those of the table itself in the last."""
    left = {rule.id: rule for rule in rules_of(game.id, language)}
    named = {rule: place for place, one in enumerate(chapters(game)) for part in one.paragraph for rule in part.rules}
    found, tried = [], examples(game)
    for place, chapter in enumerate(chapters(game)):
        mine = [rule for rule in left if named.get(rule, place) == place]
        rules = [left.pop(rule) for rule in mine if rule in named or _belongs(rule, chapter.covers)]
        found.append(
            m.ChapterFace(
                title=chapter.title.of(language),
                paragraphs=[
                    m.ParagraphFace(
                        part.title.of(language) if part.title else "",
                        part.text.of(language),
                        list(part.rules),
                        part.lesson,
                        [
                            _example(game, name, example, language)
                            for name, example in tried.items()
                            if example.rule in part.rules
                        ],
                    )
                    for part in chapter.paragraph
                ],
                rules=rules,
            )
        )
    if left:
        found.append(m.ChapterFace(_REST.of(language), [], list(left.values())))
    found.append(m.ChapterFace(game.texts(language).say("house.title"), [], house(game, language)))
    words = sorted(glossary(game), key=lambda term: term.word.of(language).casefold())
    return m.BookFace(found, [m.TermFace(term.word.of(language), term.means.of(language)) for term in words])
