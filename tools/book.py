"""Writes docs/book/<game>.<language>.md, the book of each game that has one, to be read and printed.

python -m tools.book            writes the files
python -m tools.book --check    fails if a file is not what the book says
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandtable.core import LANGUAGES, Game, Texts
from sandtable.core.table import CounterFace
from sandtable.games import find, games
from sandtable.host import messages as m
from sandtable.host.books import book, chapters, example_table

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "book"
WORDS = {
    "en": ("The rules", "In this book", "Fine print", "Glossary", "How we read it"),
    "de": ("Die Regeln", "In diesem Buch", "Im Einzelnen", "Wörterbuch", "Wie wir es lesen"),
}
TRIED = {
    "en": ("Example", "Tried", "allowed", "refused by"),
    "de": ("Beispiel", "Versucht", "erlaubt", "abgelehnt durch"),
}


def page(game: str, language: str) -> str:
    """Return a game's book as Markdown."""
    title, contents, fine, glossary, reading = WORDS[language]
    found = book(find(game), language)
    lines = [f"# {find(game).title}: {title}", "", f"## {contents}", ""]
    lines += [f"{place}. {chapter.title}" for place, chapter in enumerate(found.chapters, 1)]
    for place, chapter in enumerate(found.chapters, 1):
        lines += ["", f"## {place}. {chapter.title}"]
        for part in chapter.paragraphs:
            if part.title:
                lines += ["", f"### {part.title}"]
            ids = f" [{', '.join(part.rules)}]" if part.rules else ""
            lines += ["", f"{part.text}{ids}"]
            for example in part.examples:
                lines += ["", *_example(find(game), example, language)]
        lines += ["", f"### {fine}", "", *(_rule(rule, reading) for rule in chapter.rules)]
    if found.glossary:
        lines += ["", f"## {glossary}", "", *(f"- **{term.word}**: {term.means}" for term in found.glossary)]
    return "\n".join(lines) + "\n"


def _example(game: Game[Any], example: m.ExampleFace, language: str) -> Iterator[str]:
    """Yield an example as a quotation: its picture, the position in words, what is tried and what comes of it."""
    head, tried, allowed, refused = TRIED[language]
    name = example.id.removeprefix("example/")
    yield f"> **{head}: {example.title}.** {example.say}"
    yield ">"
    picture = f"pictures/{game.id}-{name}.webp"
    if (FOLDER / picture).exists():
        yield f"> ![{example.title}]({picture})"
        yield ">"
    table, texts = example_table(game, example.id, language), game.texts(language)
    for space in example.show:
        side = table.sides.get(table.spaces[space].side)
        names = Counter(_unit(texts, face) for face in table.stacks.get(space, ()))
        units = [name if number == 1 else f"{number} × {name}" for name, number in names.items()]
        if side or units:
            held = f", {side.name}" if side else ""
            yield f"> - {texts.name(space)}{held}: {', '.join(units) or '–'}"
    yield ">"
    verdict = f"{refused} `{example.refused}`" if example.refused else allowed
    yield f"> *{tried}: {' › '.join(example.action)} ({verdict}).* {example.ends}"


def _unit(texts: Texts, face: CounterFace) -> str:
    """Return what a counter is called, with its numbers."""
    name = texts.name(face.id)
    called = face.label if name == face.id and face.label else name
    return f"{called} ({face.numbers})" if face.numbers else called


def _rule(rule: m.RuleInfo, reading: str) -> str:
    doubt = f" *{reading}: {rule.doubt}*" if rule.doubt else ""
    return f"- `{rule.id}` **{rule.title}.** {rule.says}{doubt}"


def main(arguments: list[str]) -> int:
    stale = []
    FOLDER.mkdir(exist_ok=True)
    for game in (name for name in games() if chapters(find(name))):
        for language in LANGUAGES:
            path, text = FOLDER / f"{game}.{language}.md", page(game, language)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(path.name)
    if stale:
        print(f"stale: {', '.join(stale)}; run python -m tools.book")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
