"""The built wheel in clean virtual environments: what somebody has who installed Sandtable and has no checkout.

The wheel and the environments are made once a run and shared by all test processes.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sandtable.cli import bootstrap

HOME = Path(__file__).resolve().parents[2]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")


def run(*words: str | Path, folder: Path = HOME, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command without the environment variables that would lead it back to the checkout."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SANDTABLE_GAMES")}
    command = [str(word) for word in words]
    return subprocess.run(command, cwd=folder, env={**env, **more}, capture_output=True, text=True, check=False)


def must(*words: str | Path, folder: Path = HOME) -> str:
    """Run a command that has to succeed; returns what it printed."""
    done = run(*words, folder=folder)
    assert done.returncode == 0, f"{words}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
    return done.stdout


@dataclass(frozen=True)
class Place:
    """A virtual environment with the wheel in it, and nothing of the checkout."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def sandtable(self) -> Path:
        return self.folder / "bin" / "sandtable"


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first test process makes; the others wait for it."""
    base = factory.getbasetemp()
    root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = root / f"install-{name}"
    with contextlib.closing(sqlite3.connect(root / "install.lock", timeout=600, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        if not folder.exists():
            make(folder)
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built by the checkout's own tools."""
    if not bootstrap.is_web_built():
        pytest.skip("the browser client is not built from these sources: ./sandtable test builds it")

    def build(folder: Path) -> None:
        must(*PIP, "wheel", "--no-build-isolation", "--no-deps", "-w", folder, HOME)

    (built,) = once(tmp_path_factory, "wheel", build).glob("sandtable-*.whl")
    return built


def environment(factory: pytest.TempPathFactory, wheel: Path, extras: str) -> Place:
    """A clean environment with the wheel and some extras, at the locked versions."""

    def make(folder: Path) -> None:
        must(sys.executable, "-m", "venv", "--without-pip", folder)
        limits = folder / "locked.txt"
        lines = re.findall(r"^(\S+==\S+(?: ;.*)?) \\$", (HOME / "locks" / "dev.txt").read_text(), re.MULTILINE)
        limits.write_text("\n".join(lines) + "\n")
        python = folder / "bin" / "python"
        must(
            *PIP, "--python", python, "install", "--no-compile", "-c", limits, f"{wheel}[{extras}]" if extras else wheel
        )

    return Place(once(factory, f"venv-{extras or 'bare'}", make))


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Place:
    """`pip install sandtable`: the library alone."""
    return environment(tmp_path_factory, wheel, "")


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Place:
    """`pip install 'sandtable[server,rl]'`: for players, hosts and learners."""
    return environment(tmp_path_factory, wheel, "server,rl")


@pytest.fixture
def chromium() -> Iterator[object]:
    """A Chromium for one test: while its driver runs, the tests after it could not use asyncio."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = bootstrap.find_browser(bootstrap.BROWSERS[0])
    if path is None:
        pytest.skip(os.environ.get("SANDTABLE_NO_CHROMIUM") or "there is no Chromium on the path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()
