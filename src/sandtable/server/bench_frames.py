"""How smoothly the map moves and how fast a click is answered, measured in a Chromium.

Frames a second while the biggest map is panned and zoomed with 200 counters on it, and while counters glide over it as
in playback: the page gets the game's map and a table made up from it, and no server is needed. Then the time from a
confirmed click to the new position on the screen, with a server on this machine, and the weight of a match page.
"""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sandtable.lab.bench import Bench, Figure, Peer, suite
from sandtable.lab.chromium import find_chromium

from .bench_load import wait_for

ROOT = Path(__file__).resolve().parents[3]
CLIENT = ROOT / "web" / "dist" / "index.html"
PROMISED = 50.0
"""Frames a second below which a hand feels that the map drags."""
AT_ONCE = 100.0
"""Milliseconds within which a click feels answered."""
LIGHT = 350.0
"""Kilobytes that script and style of a match page may weigh, gzipped."""
KINDS = ("pan", "zoom", "playback")
MOVES = 60
COUNTERS = 200
ADDRESS = "http://sandtable.invalid"
SYMBOLS = ("SFGPUCI----", "SFGPUCA----", "SFGPUCIZ---", "SFGPUCF----", "SFGPUCR----")


def biggest_map() -> Path:
    """The map with the most spaces."""
    maps = sorted((ROOT / "src" / "sandtable" / "games").glob("*/data/map.json"))
    return max(
        maps, key=lambda path: sum(len(s["spaces"]) for s in json.loads(path.read_text(encoding="utf-8"))["sheets"])
    )


def made_up_table(board: dict[str, Any]) -> dict[str, Any]:
    """A table with 200 counters of two sides on the land of the first sheet, every space controlled by somebody."""
    land = [space["id"] for space in board["sheets"][0]["spaces"] if space["kind"] in ("land", "coast")]
    stacks: dict[str, list[dict[str, Any]]] = {}
    for number in range(COUNTERS):
        place = land[(number * 37) % len(land)]
        side = "axis" if number % 2 else "allies"
        face = {"id": f"u{number}", "side": side, "symbol": SYMBOLS[number % len(SYMBOLS)], "size": "XXX"}
        stacks.setdefault(place, []).append({**face, "numbers": f"{number % 9}-{number % 6}", "label": f"{number}"})
    return {
        "game": board["game"], "scenario": "made-up", "role": None, "number": 0, "prompt": "Measured.", "asked": [],
        "turn": "1", "sequence": [], "stacks": stacks,
        "sides": {"axis": {"name": "Axis", "colour": "grey", "pattern": "cross"},
                  "allies": {"name": "Allies", "colour": "tan", "pattern": "stripes"}},
        "spaces": {name: {"side": "axis" if place % 3 else "allies"} for place, name in enumerate(land)},
    }  # fmt: skip


def made_up_state(board: dict[str, Any]) -> dict[str, Any]:
    """What the host would say first on the line of such a match."""
    info = {"match": "x", "game": board["game"], "scenario": "s", "options": {}, "seats": [], "number": 0, "asked": [],
            "turn": "1", "over": False, "outcome": None, "outcome_text": "", "you": [], "clock": None, "seed_hash": "",
            "seed": None, "rules_version": 1, "frozen": None, "kind": "live", "parent": None, "draw": []}  # fmt: skip
    return {
        "type": "state", "info": info, "role": None, "table": made_up_table(board), "offers": [], "undo": 0,
        "undo_step": 0, "mine": [], "only": None, "losses": [], "last": 0, "events": [], "gone": [], "lesson": None,
        "id": None, "acted": None,
    }  # fmt: skip


def serve_made_up(page: Any, board: dict[str, Any]) -> None:
    known = {"/api/games": [], f"/api/games/{board['game']}/map": board}
    hello = json.dumps(made_up_state(board))

    def handle(route: Any) -> None:
        path = urlsplit(route.request.url).path.rstrip("/") or "/"
        file = CLIENT.parent / path.lstrip("/")
        if path in known:
            route.fulfill(body=json.dumps(known[path]), content_type="application/json")
        elif path.startswith("/assets/") and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            route.fulfill(body=file.read_bytes(), content_type=kind)
        else:
            route.fulfill(body=CLIENT.read_bytes().replace(b'="./', b'="/'), content_type="text/html")

    page.route("**/*", handle)
    page.route_web_socket("**/live", lambda socket: socket.on_message(lambda _: socket.send(hello)))


MOVE = """(kind) => new Promise((done) => {
    const board = window.sandtableBoard, start = performance.now(), gaps = [];
    const [w, h] = board.sheets[0].size;
    const near = board.readable(), far = near * 0.3;
    const stacks = Object.entries(window.sandtableSession.table.stacks), land = stacks.map(([id]) => id);
    let last = start, glided = 0, place = 0;
    const glide = () => board.glide(Array.from({ length: 4 }, () => {
        const [from, counters] = stacks[place++ % stacks.length];
        return { counter: counters[0], from, path: [1, 2, 3].map((n) => land[(place + n) % land.length]) };
    }), 300);
    function step(now) {
        gaps.push(now - last);
        last = now;
        const t = (now - start) / 4000;
        if (t >= 1) return done(gaps.slice(2));
        const x = w * (0.5 + 0.28 * Math.sin(t * 9)), y = h * (0.5 + 0.25 * Math.cos(t * 7));
        if (kind === 'playback') {
            if (now - glided > 350) { glided = now; glide(); }
            return requestAnimationFrame(step);
        }
        const k = kind === 'pan' ? near * 0.7 : far * Math.pow(near / far, 0.5 - 0.5 * Math.cos(t * 12));
        board.lookAt([x, y], k);
        requestAnimationFrame(step);
    }
    requestAnimationFrame(step);
})"""


def measure(browser: Any, board: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Frames a second on average, and of the slowest twentieth, for panning, for zooming and for playback."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    serve_made_up(page, board)
    page.goto(f"{ADDRESS}/m/x")
    page.wait_for_function("() => window.sandtableBoard && window.sandtableBoard.frames > 0")
    page.wait_for_timeout(2500)
    found = {}
    for kind in KINDS:
        page.evaluate(MOVE, kind)  # once to warm up: pictures of counters in every size
        gaps = sorted(page.evaluate(MOVE, kind))
        found[kind] = {"fps": 1000 * len(gaps) / sum(gaps), "fps_p95": 1000 / gaps[int(len(gaps) * 0.95)]}
    page.close()
    return found


def weight() -> int:
    """Bytes of all that a match page can ever load, symbols and the painter included, gzipped."""
    others = re.compile(r"^(Lobby|Replay|DicePage|icon)")
    files = [file for file in (CLIENT.parent / "assets").iterdir() if file.suffix in (".js", ".css")]
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files if not others.match(file.name))


STEP = """() => {
    const first = (...tests) => tests.map((test) => document.querySelector(test)).find((found) => found);
    const session = window.sandtableSession;
    if (session.busy) return session.clicks.length;
    const all = [...document.querySelectorAll('.offers [data-choice]:enabled')];
    const found = first('[data-testid=confirm]:enabled', '[data-testid=done]:enabled')
        ?? all.find((one) => one.classList.contains('endlike')) ?? all[Math.floor(Math.random() * all.length)];
    found?.click();
    return session.clicks.length;
}"""


def clicks(browser: Any, game: str) -> list[float]:
    """Milliseconds from a confirmed click to the new position on the screen, both sides at one screen."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "sandtable.cli", "play", "--no-browser", "--port", str(port), "--data", folder]
        server = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"{address}/api/health")
            games = json.load(urllib.request.urlopen(f"{address}/api/games", timeout=60))
            roles = next(one for one in games if one["id"] == game)["scenarios"][0]["roles"]
            wish = json.dumps({"game": game, "scenario": "", "seats": [{"roles": roles, "kind": "person"}]}).encode()
            made = urllib.request.Request(f"{address}/api/matches", wish, {"content-type": "application/json"})
            link = json.load(urllib.request.urlopen(made, timeout=60))["seats"][0]["link"]
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.add_init_script("localStorage.setItem('sandtable.briefed', '\"never\"')")
            page.goto(address + link)
            page.wait_for_function("() => window.sandtableBoard && window.sandtableBoard.frames > 0")
            page.wait_for_timeout(2000)
            end = time.monotonic() + 120
            while page.evaluate(STEP) < MOVES and time.monotonic() < end:
                page.wait_for_timeout(120)
            found: list[float] = page.evaluate("() => window.sandtableSession.clicks")
            page.close()
            return sorted(found)
        finally:
            server.terminate()
            server.wait(20)


@suite("map and clicks in the browser")
def frame_figures(bench: Bench) -> Iterator[Figure]:
    """The biggest map with 200 counters at 1440x900, and a match of the same game clicked through, in Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        bench.say("frames are measured with Playwright, which is not installed: left out")
        return
    path = find_chromium()
    if path is None or not CLIENT.is_file():
        bench.say("frames are measured in a Chromium with the built client; one of them is missing: left out")
        return
    board = json.loads(biggest_map().read_text(encoding="utf-8"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        moved = measure(browser, board)
        answered = clicks(browser, board["game"])
        browser.close()
    for kind in KINDS:
        promise = Peer("promised", PROMISED, bar=1.0)
        name = f"{kind} of {board['game']} with {COUNTERS} counters"
        yield Figure(name, moved[kind]["fps"], "frames/s", (promise,))
        yield Figure(f"{name}, slowest twentieth", moved[kind]["fps_p95"], "frames/s")
    if answered:
        place = int(len(answered) * 0.95)
        at_once = (Peer("promised", AT_ONCE, bar=1.0),)
        yield Figure(
            f"a click until it is on the screen, 95th percentile ({board['game']})", answered[place], "ms", at_once
        )
    yield Figure(
        "script and style of a match page, gzipped", weight() / 1000, "kB", (Peer("promised", LIGHT, bar=1.0),)
    )


if __name__ == "__main__":
    from sandtable.lab.bench import rows

    for row in rows(tuple(frame_figures(Bench([], 1, print)))):
        print(" | ".join(row))
