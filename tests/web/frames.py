"""How smoothly the map moves: frames a second while panning and zooming the biggest map with 200 counters.

Needs no server: the page gets the game's map and a table made up from it. `python -m tests.web.frames` prints the
figures; test_frames.py uses it too.
"""

from __future__ import annotations

import json
import mimetypes
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .conftest import CLIENT, HOME, find_chromium

COUNTERS = 200
ADDRESS = "http://sandtable.invalid"
SYMBOLS = ("SFGPUCI----", "SFGPUCA----", "SFGPUCIZ---", "SFGPUCF----", "SFGPUCR----")


def biggest_map() -> Path:
    """The map with the most spaces."""
    maps = sorted((HOME / "src" / "sandtable" / "games").glob("*/data/map.json"))
    return max(maps, key=lambda path: sum(len(s["spaces"]) for s in json.loads(path.read_text())["sheets"]))


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
        "sides": {"axis": {"name": "Axis", "colour": "axis", "pattern": "cross"},
                  "allies": {"name": "Allies", "colour": "allies", "pattern": "stripes"}},
        "spaces": {name: {"side": "axis" if place % 3 else "allies"} for place, name in enumerate(land)},
    }  # fmt: skip


def answers(board: dict[str, Any]) -> dict[str, Any]:
    info = {"match": "x", "game": board["game"], "scenario": "s", "options": {}, "seats": [], "number": 0, "asked": [],
            "over": False, "outcome": None, "you": [], "clock": None, "seed_hash": "", "rules_version": 1}  # fmt: skip
    return {
        "/api/games": [],
        f"/api/games/{board['game']}/map": board,
        "/api/matches/x": info,
        "/api/matches/x/table": made_up_table(board),
        "/api/matches/x/log": [],
        "/api/matches/x/chat": [],
    }


def serve_made_up(page: Any, board: dict[str, Any]) -> None:
    known = answers(board)

    def handle(route: Any) -> None:
        path = urlsplit(route.request.url).path.rstrip("/") or "/"
        file = CLIENT.parent / path.lstrip("/")
        if path in known:
            route.fulfill(body=json.dumps(known[path]), content_type="application/json")
        elif path.startswith("/assets/") and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            route.fulfill(body=file.read_bytes(), content_type=kind)
        elif path.startswith("/api/"):
            route.fulfill(
                status=404, body='{"error":{"code":"none","message":"none"}}', content_type="application/json"
            )
        else:
            route.fulfill(body=CLIENT.read_bytes(), content_type="text/html")

    page.route("**/*", handle)
    page.route_web_socket("**/live", lambda socket: None)


MOVE = """(kind) => new Promise((done) => {
    const board = window.sandtableBoard, start = performance.now(), gaps = [];
    const [w, h] = board.sheets[0].size;
    const near = board.readable(), far = near * 0.3;
    let last = start;
    function step(now) {
        gaps.push(now - last);
        last = now;
        const t = (now - start) / 4000;
        if (t >= 1) return done(gaps.slice(2));
        const x = w * (0.5 + 0.28 * Math.sin(t * 9)), y = h * (0.5 + 0.25 * Math.cos(t * 7));
        const k = kind === 'pan' ? near * 0.7 : far * Math.pow(near / far, 0.5 - 0.5 * Math.cos(t * 12));
        board.lookAt([x, y], k);
        requestAnimationFrame(step);
    }
    requestAnimationFrame(step);
})"""


def measure(browser: Any, board: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Frames a second on average, and of the slowest twentieth, for panning and for zooming."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    serve_made_up(page, board)
    page.goto(f"{ADDRESS}/m/x")
    page.wait_for_function("() => window.sandtableBoard && window.sandtableBoard.frames > 0")
    page.wait_for_timeout(2500)
    found = {}
    for kind in ("pan", "zoom"):
        page.evaluate(MOVE, kind)  # once to warm up: pictures of counters in every size
        gaps = sorted(page.evaluate(MOVE, kind))
        found[kind] = {"fps": 1000 * len(gaps) / sum(gaps), "fps_p95": 1000 / gaps[int(len(gaps) * 0.95)]}
    page.close()
    return found


def main() -> None:
    from playwright.sync_api import sync_playwright

    path = biggest_map()
    board = json.loads(path.read_text())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        print(json.dumps({"map": board["game"], "counters": COUNTERS, **measure(browser, board)}))
        browser.close()


if __name__ == "__main__":
    main()
