"""Writes docs/book/<game>.<language>.md, the book of each game that has one, to be read and printed.

python -m tools.book            writes the files
python -m tools.book --check    fails if a file is not what the book says
"""

from __future__ import annotations

import sys
from pathlib import Path

from sandtable.core import LANGUAGES
from sandtable.games import find, games
from sandtable.host import messages as m
from sandtable.host.books import book, chapters

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "book"
WORDS = {
    "en": ("The rules", "In this book", "Fine print", "Glossary", "How we read it"),
    "de": ("Die Regeln", "In diesem Buch", "Im Einzelnen", "Wörterbuch", "Wie wir es lesen"),
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
        lines += ["", f"### {fine}", "", *(_rule(rule, reading) for rule in chapter.rules)]
    if found.glossary:
        lines += ["", f"## {glossary}", "", *(f"- **{term.word}**: {term.means}" for term in found.glossary)]
    return "\n".join(lines) + "\n"


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
