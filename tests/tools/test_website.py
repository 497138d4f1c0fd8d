"""The documentation site: it builds without a warning, every link leads somewhere, nothing comes from elsewhere."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sandtable.games import games
from tools import website, website_plots

pytest.importorskip("mkdocs", reason="MkDocs is not installed: locks/docs.txt has it")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    assert website.build(out) == []
    return out


def text(site: Path, page: str) -> str:
    return (site / page / "index.html").read_text(encoding="utf-8")


def test_every_page_of_docs_is_in_the_navigation(site: Path) -> None:
    docs = website.HOME / "docs"
    listed = json.dumps(website.navigation(docs))
    for page in docs.rglob("*.md"):
        assert f'"{page.relative_to(docs).as_posix()}"' in listed


def test_the_reference_comes_from_the_docstrings(site: Path) -> None:
    assert 'id="sandtable.core.match.Match.apply"' in text(site, "reference/matches")
    for title, names in website.REFERENCE.items():
        page = text(site, f"reference/{website._slug(title)}")
        assert [name for name in names if f'id="{name}' not in page] == []


def test_books_and_lessons_are_linked_and_searched(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    places = {entry["location"] for entry in index}
    for game in games():
        assert f'href="../../book/{game}.de/"' in text(site, f"games/{game}")
        assert re.search(r"<td>\d+</td>|<td style=.*>\d+</td>", text(site, f"lessons/{game}")), "minutes of a lesson"
        assert f"book/{game}.en/" in places


def test_tables_of_figures_are_drawn(site: Path) -> None:
    pages = ["ladder", "benchmarks", *(f"balance/{game}" for game in games())]
    assert [page for page in pages if '<figure class="plot"><svg role="img"' not in text(site, page)] == []


def test_a_plot_shows_what_its_table_says() -> None:
    table = (
        "| side | won | share | 95 % interval |\n| --- | ---: | ---: | --- |\n| axis | 3 | 75.0% | 30.1% to 95.4% |\n"
    )
    (row,) = website_plots.rows(table)
    assert website_plots.number(row["share"]) == 0.75
    assert website_plots.interval(row["95 % interval"]) == pytest.approx((0.301, 0.954))
    page = website_plots.illustrated(f"before\n\n{table}\nafter\n")
    assert page.startswith('before\n\n<figure class="plot"><svg')
    assert page.endswith(f"{table}\nafter\n")
    assert ">axis</text>" in page
    other = table.replace("won", "lost")
    assert website_plots.illustrated(other) == other


def test_what_is_broken_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text(
        '<h1 id="top"></h1><a href="a/">a</a><a href="a/#no">b</a><a href="c/">c</a><a href="#top">d</a>'
        '<a href="https://example.org/">e</a><script src="https://example.org/x.js"></script><img src="a/no.png">'
    )
    (tmp_path / "a" / "index.html").write_text('<a href="../#top">up</a>')
    (tmp_path / "a" / "x.css").write_text("@import url(https://example.org/font.css);")
    assert list(website.broken(tmp_path)) == [
        "index.html links to a/#no: no such place on that page",
        "index.html links to c/, which is not there",
        "index.html loads https://example.org/x.js",
        "index.html links to a/no.png, which is not there",
        "a/x.css loads https://example.org/font.css",
    ]


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_reader_finds_a_rule_and_nothing_is_asked_of_another_host(address: str, chromium: str) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    asked: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page: Any = browser.new_page()
        page.set_default_timeout(120_000)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.locator("[data-md-component=search-query]").fill("exploitation")
        page.locator(".md-search-result__link").first.click()
        page.wait_for_url(re.compile("book|games|rulings|lessons"))
        browser.close()
    assert len(asked) > 3
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
