"""The page as `sandtable page` writes it, and its Python under Node. Skipped with a reason where parts are missing."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.lab.chromium import find_chromium
from sandtable.page.site import Sources, write
from tests.server.conftest import free_port
from tests.web.conftest import Trouble

HOME = Path(__file__).resolve().parents[2]
DEMO = "three-crowns"
PATIENCE = 180
"""Seconds: a busy machine is not a fault."""


@pytest.fixture(scope="session")
def sources() -> Sources:
    """The parts of a page, as ./sandtable test brings them."""
    found = Sources.of(HOME)
    if missing := found.missing():
        pytest.skip(missing)
    return found


@pytest.fixture(scope="session")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is not on the path: ./sandtable test brings it")
    return found


class Site:
    """A page in a folder of a plain static server."""

    FOLDER = "some/where"

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.FOLDER}/"

    def start(self) -> None:
        command = [sys.executable, "-m", "http.server", str(self.port), "--bind", "127.0.0.1"]
        self.process = subprocess.Popen(
            [*command, "--directory", str(self.home)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        pytest.fail("the static server did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def written(sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page somewhere in it, the demonstration game included."""
    home = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANDTABLE_GAMES", f"{DEMO}=tests.demo.game:GAME")
        write(home / Site.FOLDER, sources)
    return home


@pytest.fixture
def site(written: Path) -> Iterator[Site]:
    running = Site(written)
    yield running
    running.stop()


NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
"""Whatever is not on the site's own host cannot be reached."""


class Browser:
    """A person's Chromium, with its profile on the disk. It can be killed and started again."""

    def __init__(self, playwright: Any, path: str, folder: Path) -> None:
        self._playwright, self._path, self._folder = playwright, path, folder
        self.troubles: list[Trouble] = []
        self.context: Any = None
        self.start()

    def start(self) -> None:
        self.context = self._playwright.chromium.launch_persistent_context(
            str(self._folder),
            executable_path=self._path,
            args=["--no-sandbox", "--disable-dev-shm-usage", NOWHERE],
            viewport={"width": 1280, "height": 800},
            locale="en-GB",
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE * 1000)

    def open(self, address: str, tries: int = 20) -> Any:
        """A new tab. After tabs were killed the browser may first hand out a spare process that died with them."""
        while True:
            try:
                page = self.context.new_page()
                trouble = Trouble(page)
                page.goto(address)
            except Exception as error:
                tries -= 1
                if not tries or "crashed" not in str(error):
                    raise
                time.sleep(0.2)
            else:
                self.troubles.append(trouble)
                return page

    def _processes(self, kind: str) -> list[int]:
        """The processes of this browser: its renderers, or ('') the one that all others belong to."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                words = path.read_bytes().decode("utf-8", "replace").replace("\0", " ")
                if str(self._folder) in words and (kind in words if kind else " --type=" not in words):
                    found.append(int(path.parent.name))
        return found

    def kill_tabs(self) -> None:
        """As the browser's own task manager would, or a machine without memory.

        The spare process that waits for the next tab has done nothing yet. It is left alone: a new tab in a process
        that has just been killed never opens.
        """
        for process in self._processes("--type=renderer"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                if int(words[11]) + int(words[12]) > os.sysconf("SC_CLK_TCK"):  # more than a second of work
                    os.kill(process, signal.SIGKILL)

    def kill(self) -> None:
        """All of it at once, as a power cut would; then start it again."""
        (first,) = [process for process in self._processes("") if process != os.getpid()]
        os.kill(first, signal.SIGKILL)
        with contextlib.suppress(Exception):  # whatever is left of it
            self.context.close()
        self.start()

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip(os.environ.get("SANDTABLE_NO_CHROMIUM") or "there is no Chromium on the path")
    with sync_api.sync_playwright() as playwright:
        running = Browser(playwright, path, tmp_path / "profile")
        yield running
        running.close()
    assert [line for trouble in running.troubles for line in trouble.found] == []
