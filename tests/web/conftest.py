"""A real server, a real Chromium, the built client: what a person has. Skipped with a reason where one is missing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.games import games
from sandtable.lab.chromium import find_chromium

HOME = Path(__file__).resolve().parents[2]
CLIENT = HOME / "web" / "dist" / "index.html"
DEMO = "three-crowns"
"""The demonstration game: hidden hands, no map, short."""
MAIN = next((game for game in ("hitlers-war", *games()) if game in games()), DEMO)
"""The game that shows what is the same in every game."""


UNBRIEFED = "if (!localStorage.getItem('sandtable.briefed')) localStorage.setItem('sandtable.briefed', '\"never\"')"
"""Run in a page before anything else: matches open without their briefing."""
SETS_UP = {"munich-war": 1}
"""Games whose set-up is shown as a turn of its own: so many changes of the turn more make a full one."""


class Server:
    """The server as `sandtable play` starts it, on a free port and an own database."""

    def __init__(self, folder: Path, games: str = f"{DEMO}=tests.demo.game:GAME", port: int | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = port or free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        environment = {**os.environ, "SANDTABLE_GAMES": games}
        command = [sys.executable, "-m", "sandtable.cli", "play", "--no-browser"]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port), "--data", str(folder)],
                cwd=HOME,
                env=environment,
                stdout=log,
                stderr=log,
            )

    def wait(self) -> None:
        for _ in range(150):
            if self.process.poll() is not None:
                break
            try:
                self.get("/api/health")
            except OSError:
                time.sleep(0.2)
            else:
                return
        pytest.fail(f"the server did not start: {(self.folder / 'log').read_text()[-800:]}")

    def call(self, path: str, body: Any = None, seat: str | None = None) -> Any:
        headers = {"content-type": "application/json"}
        if seat:
            headers["authorization"] = f"Bearer {seat}"
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers), timeout=60) as answer:
            return json.load(answer)

    def get(self, path: str, seat: str | None = None) -> Any:
        return self.call(path, seat=seat)

    def games(self) -> dict[str, Any]:
        return {game["id"]: game for game in self.get("/api/games")}

    def new_match(self, game: str, seats: list[dict[str, Any]], scenario: str = "", public: bool = False) -> Any:
        body = {"game": game, "scenario": scenario, "seats": seats, "public": public}
        return self.call("/api/matches", body)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def shortest(server: Server, game: str) -> dict[str, Any]:
    """The scenario of the fewest turns; of Blitzkrieg General the basic game, whose turns are the shortest."""
    found: list[dict[str, Any]] = server.games()[game]["scenarios"]
    return min(found, key=lambda one: ("basic" not in one["id"], one["turns"] or 99))


def two_seats(server: Server, game: str, scenario: str = "") -> Any:
    """A match of two persons: the first alliance's roles, and all others."""
    info = server.games()[game]
    found = next((one for one in info["scenarios"] if one["id"] == scenario), info["scenarios"][0])
    side = {role["id"]: role["alliance"] for role in info["roles"]}
    first = [role for role in found["roles"] if side[role] == side[found["roles"][0]]]
    rest = [role for role in found["roles"] if role not in first]
    seats = [{"roles": first, "kind": "person"}, {"roles": rest, "kind": "person"}]
    return server.new_match(game, seats, found["id"], public=True)


class Clicks:
    """How long a move took from the click to the new position on the screen: for the report, not for judging."""

    def __init__(self, record: Callable[[str, object], None]) -> None:
        self._record = record

    def add(self, game: str, page: Any) -> None:
        self._record("clicks", (game, page.evaluate("() => window.sandtableSession.clicks")))


@pytest.fixture
def clicks(record_property: Callable[[str, object], None]) -> Clicks:
    return Clicks(record_property)


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """A measured figure for the report at the end."""
    return lambda text: record_property("figure", text)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What the browser tests measured."""
    told: list[str] = []
    milliseconds: dict[str, list[float]] = {}
    for report in (*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())):
        for name, value in report.user_properties:
            if name == "figure":
                told.append(str(value))
            elif name == "clicks":
                milliseconds.setdefault(value[0], []).extend(value[1])
    for game, found in milliseconds.items():
        found.sort()
        if found:
            middle, most = found[len(found) // 2], found[int(len(found) * 0.95)]
            told.append(f"{game}: {len(found)} moves, from the click to the screen {middle:.0f} ms, p95 {most:.0f} ms")
    if told:
        terminalreporter.section("measured in the browser")
        for line in dict.fromkeys(told):
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not CLIENT.is_file():
        pytest.skip("the browser client is not built: npm ci && npm run build in web/, or ./sandtable test")
    running = Server(tmp_path_factory.mktemp("server"))
    try:
        running.wait()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip(os.environ.get("SANDTABLE_NO_CHROMIUM") or "there is no Chromium on the path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


QUIET = """if (!localStorage.getItem('sandtable.settings'))
    localStorage.setItem('sandtable.settings', '{"playback":"off"}')"""
"""What the others did is not played back: a test that plays a turn does not watch."""


class Trouble:
    """What a page complained about. Tests fail on it, whatever else they look for."""

    def __init__(self, page: Any) -> None:
        self.found: list[str] = []
        page.on("pageerror", lambda error: self.found.append(f"error: {error}"))
        page.on("console", lambda line: self._console(line))

    def _console(self, line: Any) -> None:
        refused = "the server responded with a status of 4"  # a refusal is an answer, not a fault
        if line.type == "error" and refused not in line.text:
            self.found.append(f"console: {line.text}")


@pytest.fixture
def open_page(chromium: Any, server: Server) -> Iterator[Any]:
    """Opens pages, each with its own storage like a person's own browser."""
    contexts: list[Any] = []
    troubles: list[Trouble] = []

    def open_one(path: str = "/", **options: Any) -> Any:
        briefed = options.pop("briefed", False)
        size = options.pop("viewport", {"width": 1280, "height": 800})
        playback = options.pop("playback", False)
        context = chromium.new_context(viewport=size, locale="en-GB", **options)
        context.set_default_timeout(60_000)  # a busy machine is not a fault
        if not playback:
            context.add_init_script(QUIET)
        if not briefed:  # most tests are about the table behind the briefing
            context.add_init_script(UNBRIEFED)
        contexts.append(context)
        page = context.new_page()
        troubles.append(Trouble(page))
        page.goto(server.address + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [line for trouble in troubles for line in trouble.found] == []
