"""Figures of the page: what a visit weighs, how soon one plays, and Python in the page beside this machine's.

The visits are measured in Chromium, from a static server on this machine that counts its bytes. Decisions are measured
under Node, which runs WebAssembly with the same engine as Chromium, by turns with this machine's Python.
"""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sandtable.games import games
from sandtable.lab.bench import Bench, Figure, Peer, suite
from sandtable.lab.chromium import find_chromium

from . import in_node, site

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(__file__).with_name("measure.py")
PATIENCE = 120_000
ACT = """async () => {
    const session = window.sandtableSession;
    while (!session.chooser.offers.length || session.busy) await new Promise((on) => setTimeout(on, 5));
    const before = session.table.number, offer = session.chooser.offers.find((one) => one.actions?.length);
    if (offer) await session.act(offer.actions[0]);
    else await session.act({ do: 'draw', agree: true });
    return session.table.number > before;
}"""
"""Make the first move that is listed whole; where none is, one that is always allowed."""


class Counting(http.server.SimpleHTTPRequestHandler):
    """A plain static server that counts what it sends."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        Counting.sent += len(data)
        outputfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Counting, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()


def visit(context: Any, address: str) -> dict[str, float]:
    """Open the page and make a move; returns bytes sent, and seconds to the lobby and to the first move."""
    Counting.sent, started = 0, time.perf_counter()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator("[data-testid=quick]").first.wait_for()
    lobby = time.perf_counter() - started
    page.locator("[data-testid=quick]").first.click()
    page.locator("[data-testid=prompt]").wait_for()
    if not page.evaluate(ACT):
        raise RuntimeError("the move was not made")
    moved = time.perf_counter() - started
    page.wait_for_function("() => navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
    page.wait_for_timeout(500)
    page.close()
    return {"bytes": Counting.sent, "lobby": lobby, "move": moved}


@suite("the page")
def page_figures(bench: Bench) -> Iterator[Figure]:
    sources = site.Sources.of(ROOT)
    if missing := sources.missing():
        bench.say(f"the page is left out: {missing}")
        return
    yield from _visits(bench, sources)
    known = set(games())
    for game in bench.games:
        if game.id in known:
            bench.say(f"{game.id} in the page's Python")
            yield from _play(bench, sources, game.id)


def _visits(bench: Bench, sources: site.Sources) -> Iterator[Figure]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        bench.say("visits are measured with Playwright, which is not installed: left out")
        return
    path = find_chromium()
    if path is None:
        bench.say("visits are measured in a Chromium, and there is none: left out")
        return
    bench.say("visits")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site.write(Path(folder) / "page", sources)
        with served(Path(folder) / "page") as address:
            context = playwright.chromium.launch_persistent_context(
                str(Path(folder) / "profile"), executable_path=path, args=["--no-sandbox"]
            )
            cold = visit(context, address)
            warm = visit(context, address)
            context.close()
    yield Figure("first visit", cold["bytes"] / 1e6, "MB", (Peer("aim", 10.0),), note="all games, for offline use too")
    yield Figure("second visit", warm["bytes"] / 1e3, "KB", (Peer("aim", 50.0),))
    yield Figure("lobby, cold", cold["lobby"], "s", (Peer("aim", 2.0),))
    yield Figure("first move, cold", cold["move"], "s", (Peer("aim", 6.0),))
    yield Figure("lobby, warm", warm["lobby"], "s")
    yield Figure("first move, warm", warm["move"], "s")


def _play(bench: Bench, sources: site.Sources, game: str) -> Iterator[Figure]:
    words = [["rate", game, str(bench.seconds)]] * 3
    here = [_natively(*one) for one in words[:2]]
    there = [json.loads(line) for line in in_node.run(sources, [game], PROGRAM, words).splitlines()]
    here.append(_natively(*words[2]))
    yield Figure(f"{game}: random play", max(there), "decisions/s", (Peer("natively", max(here)),))
    told = in_node.run(sources, [game], PROGRAM, [["general", game, str(max(10.0, 10 * bench.seconds))]])
    yield Figure(f"{game}: the general's slowest decision", json.loads(told), "s", (Peer("at most", 5.0, 1.0),))


def _natively(*words: str) -> float:
    told = subprocess.check_output([sys.executable, str(PROGRAM), *words])
    return float(json.loads(told))
