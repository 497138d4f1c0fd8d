"""Builds the documentation site from docs/ and the docstrings, and checks every link of it.

python -m tools.website --out FOLDER       needs locks/docs.txt (or the extra `docs`)

MkDocs reads this module too, as its hook: the navigation, the reference, the list of lessons, the plots above tables of
figures, and pages for files of the checkout that a page links to.
"""

from __future__ import annotations

import argparse
import logging
import posixpath
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HOME = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HOME / "src"), str(HOME)]

from sandtable.core import LANGUAGES  # noqa: E402
from sandtable.games import find, games  # noqa: E402
from sandtable.host.books import chapters  # noqa: E402
from sandtable.host.lessons import course, puzzles  # noqa: E402
from tools import website_plots  # noqa: E402

REFERENCE = {
    "sandtable": ["sandtable"],
    "Matches": ["sandtable.core.match", "sandtable.core.replay", "sandtable.core.errors"],
    "Offers and domains": ["sandtable.core.offers", "sandtable.core.domains"],
    "Tables, gauges and odds": ["sandtable.core.table", "sandtable.core.gauges", "sandtable.core.odds"],
    "Games": ["sandtable.core.game", "sandtable.core.step", "sandtable.core.play", "sandtable.core.data"],
    "States and facts": ["sandtable.core.columns", "sandtable.core.facts", "sandtable.core.dice"],
    "Exact chances": ["sandtable.odds.walk", "sandtable.odds.dice", "sandtable.odds.whole"],
    "Players and bots": ["sandtable.players.base", "sandtable.players.program", "sandtable.players.planning"],
    "Environments": ["sandtable.env"],
    "The lab": ["sandtable.lab.simulate", "sandtable.lab.ladder", "sandtable.lab.curves", "sandtable.lab.records"],
    "Testing a game": ["sandtable.testing.contracts", "sandtable.testing.position", "sandtable.testing.golden"],
}
"""Page of the reference -> the modules on it."""
SECTIONS = {
    "Play": ["playing.md", "odds.md", "checking-the-dice.md"],
    "Host": ["running-a-server.md", "in-the-page.md"],
    "Bots and research": [
        "library.md",
        "bots.md",
        "learning.md",
        "training.md",
        "lab.md",
        "ladder.md",
        "benchmarks.md",
    ],
    "Make games": ["architecture.md", "adding-a-game.md", "adding-a-scenario.md", "writing-a-lesson.md"],
}
"""Whom a page is for. A page of docs/ that is not named here stands at the end of 'Make games'."""
SOURCE = "source"
"""Where files of the checkout outside docs/ are shown."""
LINK = re.compile(r"\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")


# ---- what MkDocs calls ---------------------------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    config.nav = navigation(Path(config.docs_dir))
    return config


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for path, text in pages(Path(config.docs_dir)).items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    path = page.file.src_uri
    return website_plots.illustrated(outward(markdown, path))


# ---- pages ---------------------------------------------------------------------------------------------------------


def navigation(docs: Path) -> list[Any]:
    """The tabs of the site and what is behind them."""
    titles = {game: find(game).title for game in games()}
    found: dict[str, list[Any]] = {name: list(paths) for name, paths in SECTIONS.items()}
    found["Play"] += [
        {titles[game]: _of_game(docs, game)} for game in titles
    ]  # fmt: skip
    balance = [{titles[game]: f"balance/{game}.md"} for game in titles if (docs / f"balance/{game}.md").is_file()]
    found["Bots and research"].append({"Balance": ["balance/README.md", *balance]})
    known = {path for paths in SECTIONS.values() for path in paths} | {"index.md"}
    found["Make games"] += sorted(page.name for page in docs.glob("*.md") if page.name not in known)
    reference = [{title: f"reference/{_slug(title)}.md"} for title in REFERENCE]
    return [{"Home": "index.md"}, *({name: paths} for name, paths in found.items()), {"Reference": reference}]


def _of_game(docs: Path, game: str) -> list[Any]:
    named = {"How it is played here": f"games/{game}.md", "Lessons and puzzles": f"lessons/{game}.md"}
    named |= {
        f"The book ({language})": f"book/{game}.{language}.md" for language in LANGUAGES if chapters(find(game))
    }  # fmt: skip
    named["Rulings"] = f"rulings/{game}.md"
    made = f"lessons/{game}.md"
    return [{title: path} for title, path in named.items() if path == made or (docs / path).is_file()]


def pages(docs: Path) -> dict[str, str]:
    """The pages that are made: path -> Markdown."""
    found = {f"reference/{_slug(title)}.md": _reference(title, names) for title, names in REFERENCE.items()}
    found |= {f"lessons/{game}.md": _lessons(game) for game in games()}
    for page in sorted(docs.rglob("*.md")):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / target[0]).resolve()
            if path.is_relative_to(HOME) and not path.is_relative_to(docs.resolve()) and path.exists():
                found[shown_at(path)] = _shown(path)
    return found


def _slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower())


def _reference(title: str, names: list[str]) -> str:
    return "\n\n".join([f"# {title}", *(f"::: {name}" for name in names)]) + "\n"


def _lessons(game: str) -> str:
    """What a game's course teaches, for somebody who wonders whether to begin."""
    title = find(game).title
    lines = [f"# {title}: lessons and puzzles", ""]
    lines += [f"They are played on the real table: `./sandtable play {game}`, then 'Learn this game'.", ""]
    for heading, listed in (("Lessons", course(find(game))), ("Puzzles", puzzles(find(game)))):
        if listed:
            lines += [f"## {heading}", "", "| | what it is about | Deutsch | minutes |", "| --- | --- | --- | ---: |"]
            lines += [
                f"| {one.title.en} | {one.goal.en} | {one.title.de}: {one.goal.de} | {one.minutes} |"
                for one in listed.values()
            ]
            lines.append("")
    if chapters(find(game)):
        books = ", ".join(f"[{language}](../book/{game}.{language}.md)" for language in LANGUAGES)
        lines += [f"The rules in full are in the book: {books}.", ""]
    return "\n".join(lines)


def shown_at(path: Path) -> str:
    """The page that shows a file of the checkout; of a folder, its README."""
    file = path / "README.md" if path.is_dir() else path
    return f"{SOURCE}/{file.relative_to(HOME).as_posix().removesuffix('.md')}.md"


def _shown(path: Path) -> str:
    file = path / "README.md" if path.is_dir() else path
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return text
    return f"# {file.relative_to(HOME).as_posix()}\n\n````{file.suffix[1:]}\n{text}\n````\n"


def outward(markdown: str, page: str) -> str:
    """A page with its links to files outside docs/ led to the pages that show them."""

    def led(found: re.Match[str]) -> str:
        path = (HOME / "docs" / posixpath.dirname(page) / found[1]).resolve()
        if path.is_relative_to(HOME / "docs") or not path.is_relative_to(HOME) or not path.exists():
            return found[0]
        return f"]({posixpath.relpath(shown_at(path), posixpath.dirname(page) or '.')})"

    return LINK.sub(led, markdown) if not page.startswith((f"{SOURCE}/", "reference/")) else markdown


# ---- the links of the built site -----------------------------------------------------------------------------------


LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
"""What a browser fetches by itself."""


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"id", "name"} and value:
                self.ids.add(value)
            if name in {"href", "src"} and value and not (tag == "link" and ("rel", "canonical") in attrs):
                self.links.append((value, (tag, name) in LOADED))


def broken(site: Path) -> Iterator[str]:
    """Every link of a built site that leads nowhere, and everything that is loaded from another host."""
    found: dict[Path, _Links] = {}
    for path in sorted(site.rglob("*.html")):
        found[path] = _Links()
        found[path].feed(path.read_text(encoding="utf-8"))
    for path, page in found.items():
        where = path.relative_to(site).as_posix()
        for link, is_loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if is_loaded and parts.scheme != "data":
                    yield f"{where} loads {link}"
                continue
            if path.name == "404.html":  # it is served from anywhere, so its links begin at the root of the site
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{where} links to {link}, which is not there"
            elif target in found and unquote(parts.fragment) not in found[target].ids | {"", "__top"}:
                yield f"{where} links to {link}: no such place on that page"
    for path in sorted(site.rglob("*.css")):
        for link in re.findall(r"(?:url\(|@import )[\"']?(https?:[^\"')]+|//[^\"')]+)", path.read_text("utf-8")):
            yield f"{path.relative_to(site)} loads {link}"


def build(out: Path) -> list[str]:
    """Write the site into a folder; returns what is broken about it."""
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    said: list[str] = []
    listener = logging.Handler(logging.WARNING)
    listener.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("mkdocs")
    logger.addHandler(listener)
    try:
        make(load_config(str(HOME / "mkdocs.yml"), site_dir=str(out.resolve())))
    except Abort:  # it is strict: one warning is enough
        return said or ["MkDocs gave up without a word"]
    finally:
        logger.removeHandler(listener)
    return list(broken(out.resolve()))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.website", description="Build the documentation site.")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where it is written")
    wrong = build(parser.parse_args(arguments).out)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
