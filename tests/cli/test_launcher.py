"""The launcher: the short way when all is set up, the long way otherwise, and how it fails. Nothing is installed."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandtable.cli import bootstrap

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout in name only: the launcher, two locks, and a Python that tells how it is called."""
    home = tmp_path / "check out"
    (home / "locks").mkdir(parents=True)
    (home / ".venv" / "bin").mkdir(parents=True)
    (home / "src" / "sandtable" / "cli").mkdir(parents=True)
    shutil.copy(CHECKOUT / "sandtable", home)
    (home / "src" / "sandtable" / "cli" / "bootstrap.py").write_text("import sys; print('bootstrap', *sys.argv[1:])")
    for name in ("run", "dev", "bench", "plots", "postgres", "ray", "node", "page"):
        (home / "locks" / f"{name}.txt").write_text(f"{name}==1\n")
    (home / "pyproject.toml").write_text("[project]\n")
    python = home / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\necho command "$@"\n')
    python.chmod(0o755)
    for name, value in {
        "HOME": home,
        "VENV": home / ".venv",
        "PYTHON": python,
        "MARKS": home / ".venv" / ".sandtable",
        "LOCKS": home / "locks",
        "WEB": home / "web",
        "WHEELS": home / ".venv" / ".sandtable" / "wheels",
    }.items():
        monkeypatch.setattr(bootstrap, name, value)
    return home


class Runs:
    """What the bootstrap would have run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: str = "") -> None:
        self.commands: list[str] = []
        self.fails = fails
        monkeypatch.setattr(bootstrap, "run", self)

    def __call__(self, command: Sequence[object], what: str, env: object = None, cwd: Path | None = None) -> None:
        line = " ".join(map(str, command))
        self.commands.append(line)
        if self.fails and self.fails in line:
            raise bootstrap.SetupFailed(f"{what} failed")
        if "run build" in line:
            assert cwd is not None
            (cwd / "dist").mkdir(exist_ok=True)
        if "npm ci" in line:
            assert cwd is not None
            (cwd / "node_modules").mkdir(exist_ok=True)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(monkeypatch)


def launch(home: Path, *words: str, path: str | None = None) -> str:
    env = {**os.environ, "PATH": path or f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run([home / "sandtable", *words], capture_output=True, text=True, env=env, check=False)
    return done.stdout + done.stderr


def set_up(home: Path, runs: Runs, verb: str = "games", *more: str) -> list[str]:
    runs.commands.clear()
    bootstrap.prepare(verb, needs_pytest=verb == "test", also=bootstrap.extras([verb, *more]))
    return list(runs.commands)


def test_the_short_way_once_all_is_set_up(checkout: Path, runs: Runs) -> None:
    assert launch(checkout, "games", "--json") == "bootstrap games --json\n"
    set_up(checkout, runs)
    assert launch(checkout, "games", "--json", "a b") == "command -P -m sandtable.cli games --json a b\n"


@pytest.mark.parametrize("verb", ["test", "bench", "page", "play", "serve", "train"])
def test_verbs_that_need_more_go_the_long_way(checkout: Path, runs: Runs, verb: str) -> None:
    set_up(checkout, runs)
    assert launch(checkout, verb, "x") == f"bootstrap {verb} x\n"
    assert launch(checkout, "rules", "hitlers-war", "--coverage").startswith("bootstrap rules")
    assert launch(checkout, "simulate", "x", "--out", "y").startswith("bootstrap simulate")
    assert launch(checkout, "ladder", "x", "--ray", "local").startswith("bootstrap ladder")
    assert launch(checkout, "simulate", "x").startswith("command")


@pytest.mark.parametrize("name", ["locks/run.txt", "pyproject.toml"])
def test_a_changed_lock_or_project_goes_the_long_way(checkout: Path, runs: Runs, name: str) -> None:
    set_up(checkout, runs)
    with (checkout / name).open("a") as file:
        file.write("# changed\n")
    assert launch(checkout, "games").startswith("bootstrap")
    assert len(set_up(checkout, runs)) == 1
    assert launch(checkout, "games").startswith("command")


def test_a_moved_checkout_goes_the_long_way(checkout: Path, runs: Runs, tmp_path: Path) -> None:
    set_up(checkout, runs)
    moved = checkout.rename(tmp_path / "moved")
    assert launch(moved, "games").startswith("bootstrap")


def test_an_upgraded_python_goes_the_long_way(checkout: Path, runs: Runs) -> None:
    set_up(checkout, runs)
    python = checkout / ".venv" / "bin" / "python"
    python.rename(python.with_name("python3.99"))
    python.symlink_to(python.with_name("python3.99"))
    assert launch(checkout, "games").startswith("bootstrap")


def test_a_link_to_the_launcher_finds_the_checkout(checkout: Path, runs: Runs, tmp_path: Path) -> None:
    set_up(checkout, runs)
    link = tmp_path / "bin"
    link.mkdir()
    (link / "sandtable").symlink_to(checkout / "sandtable")
    assert launch(link, "games").startswith("command")


def test_no_python_is_one_clear_line(checkout: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "readlink", "dirname", "cmp", "cat"):
        (tools / name).symlink_to(str(shutil.which(name)))
    old = tools / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    answer = launch(checkout, "games", path=str(tools))
    assert answer == "sandtable: Python 3.11 or later is needed and was not found on the path\n"


def test_what_is_installed_for_which_verb(checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "find_browser", lambda browser: f"/usr/bin/{browser.programs[0]}")
    monkeypatch.setattr(bootstrap, "ensure_proxies", dict)
    first = set_up(checkout, runs, "games")
    assert ["run.txt" in first[0], "--no-index" in first[1]] == [True, True]
    assert "--require-hashes" in first[0]
    assert set_up(checkout, runs, "games") == []
    (page,) = set_up(checkout, runs, "page")
    assert all(word in page for word in ("page.txt", "--require-hashes", "pyemscripten_2026_0_wasm32", " download "))
    assert set_up(checkout, runs, "page") == []
    (bench,) = set_up(checkout, runs, "bench")
    assert "bench.txt" in bench
    assert set_up(checkout, runs, "simulate", "hitlers-war") == []
    plots, ray = set_up(checkout, runs, "simulate", "hitlers-war", "--out=somewhere", "--ray", "local")
    assert ["plots.txt" in plots, "ray.txt" in ray] == [True, True]
    dev, postgres = set_up(checkout, runs, "test")
    assert ["dev.txt" in dev, "postgres.txt" in postgres] == [True, True], "and Ray is there already"
    assert set_up(checkout, runs, "test") == []


def test_the_test_lock_holds_the_other(checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "find_browser", lambda browser: f"/usr/bin/{browser.programs[0]}")
    monkeypatch.setattr(bootstrap, "ensure_proxies", dict)
    set_up(checkout, runs, "test")
    assert set_up(checkout, runs, "games") == []


def test_a_failed_install_is_tried_again(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = Runs(monkeypatch, fails="run.txt")
    assert bootstrap.main(["games"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "sandtable: installing locks/run.txt failed"
    runs.fails = ""
    assert "run.txt" in set_up(checkout, runs)[0]


def test_a_checkout_that_cannot_be_written_is_one_line(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "HOME", checkout / "nowhere")
    assert bootstrap.main(["games"]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("sandtable: ")
    assert printed.count("\n") == 1


def test_a_failing_command_shows_its_last_lines(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(bootstrap.SetupFailed, match="cooking failed with status 3"):
        bootstrap.run([sys.executable, "-c", "print('no eggs'); raise SystemExit(3)"], "cooking")
    assert capsys.readouterr().err == "    no eggs\n"
    with pytest.raises(bootstrap.SetupFailed, match=r"cooking failed: .*no-such-tool"):
        bootstrap.run(["no-such-tool"], "cooking")


def test_what_takes_long_ticks_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = [sys.executable, "-c", "import time; time.sleep(1.3)"]
    bootstrap.run(slow, "cooking")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bootstrap.run(slow, "cooking")
    assert capsys.readouterr().err.startswith("\r    cooking: 1 s\r")


def test_an_environment_that_lost_its_python_is_made_anew(checkout: Path, runs: Runs) -> None:
    set_up(checkout, runs)
    (checkout / ".venv" / "bin" / "python").unlink()
    made = set_up(checkout, runs)
    assert "-m venv --clear" in made[0]


def test_one_set_up_at_a_time(checkout: Path, runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.closing(sqlite3.connect(checkout / ".venv.lock", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        worker = threading.Thread(target=bootstrap.prepare, args=("games",), kwargs={"needs_pytest": False})
        worker.start()
        time.sleep(0.3)
        assert runs.commands == []
        other.execute("COMMIT")
        worker.join(10)
    assert len(runs.commands) == 2
    assert "waiting for another" in capsys.readouterr().err


def has(monkeypatch: pytest.MonkeyPatch, programs: set[str], *, debian: bool = True) -> None:
    """A machine with these programs on its path, and root at the keyboard."""
    monkeypatch.setattr(shutil, "which", lambda name, path=None: f"/usr/bin/{name}" if name in programs else None)
    monkeypatch.setattr(bootstrap, "is_debian", lambda: debian)
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_browsers_are_installed_by_root_on_debian(
    checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = {"apt-get", "firefox-esr", "WebKitWebDriver"}
    has(monkeypatch, programs)
    ran = bootstrap.run

    def install(command: Sequence[str | Path], *rest: Any, **named: Any) -> None:
        ran(command, *rest, **named)
        programs.update({"chromium": "chromium", "xvfb": "Xvfb"}.get(str(word), "") for word in command)

    monkeypatch.setattr(bootstrap, "run", install)
    assert bootstrap.ensure_browsers() == {
        "SANDTABLE_CHROMIUM": "/usr/bin/chromium",
        "SANDTABLE_FIREFOX": "/usr/bin/firefox-esr",
        "SANDTABLE_WEBKIT": "/usr/bin/WebKitWebDriver",
    }
    assert [line.split()[1] for line in runs.commands] == ["update", "install", "install"]
    (said,) = capsys.readouterr().err.splitlines()
    wanted = ("chromium", "fonts-dejavu-core", "webkit2gtk-driver, xvfb", "browser tests", "WebKit", "--no-system")
    assert all(word in said for word in wanted)
    assert "firefox" not in said, "it is there"


def test_a_browser_that_cannot_be_installed_does_not_keep_the_others_away(
    checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    has(monkeypatch, {"apt-get", "chromium"})
    runs.fails = "webkit2gtk-driver"
    told = bootstrap.ensure_browsers()
    assert [line.split()[-1] for line in runs.commands][1] == "firefox-esr"
    assert told["SANDTABLE_CHROMIUM"] == "/usr/bin/chromium"
    assert "installing WebKit failed" in told["SANDTABLE_NO_WEBKIT"]


def test_nothing_is_installed_outside_the_checkout_where_that_is_declined(
    checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "find_browser", lambda browser: None)
    monkeypatch.setattr(bootstrap, "is_debian", lambda: True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(bootstrap, "ensure_proxies", dict)
    told: dict[str, str] = {}

    def execve(path: str, words: list[str], environment: dict[str, str]) -> None:
        told.update(environment)
        raise SystemExit(0)

    monkeypatch.setattr(os, "execve", execve)
    with pytest.raises(SystemExit):
        bootstrap.main(["test", "--no-system"])
    for name in ("CHROMIUM", "FIREFOX", "WEBKIT"):
        assert "--no-system declines" in told[f"SANDTABLE_NO_{name}"]
    assert not [line for line in runs.commands if "apt-get" in line]


def test_elsewhere_the_reason_is_told(
    checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has(monkeypatch, {"chromium"}, debian=False)
    environment = bootstrap.ensure_browsers()
    assert "only root on Debian" in environment["SANDTABLE_NO_FIREFOX"]
    assert "tests in Firefox will be skipped" in capsys.readouterr().err
    assert runs.commands == []


def test_big_programs_that_cannot_be_had_are_told_and_keep_nothing_else_away(
    checkout: Path, runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.fails = "ray.txt"
    assert bootstrap.ensure_big() == {"SANDTABLE_NO_RAY": "installing locks/ray.txt failed"}
    assert "tests with Ray will be skipped: installing locks/ray.txt failed" in capsys.readouterr().err
    assert len(runs.commands) == 2, "PostgreSQL is installed"
    runs.fails = ""
    runs.commands.clear()
    assert bootstrap.ensure_big() == {}
    assert "ray.txt" in runs.commands[0]
    assert len(runs.commands) == 1


def test_proxies_are_unpacked_in_the_checkout_where_debian_has_them(
    checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = {"apt-get": "/usr/bin/apt-get", "caddy": "/usr/bin/caddy"}
    monkeypatch.setattr(shutil, "which", lambda name, path=None: there.get(name))
    monkeypatch.setattr(bootstrap, "is_debian", lambda: True)
    assert str(checkout) in bootstrap.ensure_proxies()["SANDTABLE_PROGRAMS"]
    assert runs.commands == ["apt-get download -q nginx"]
    runs.fails = "apt-get"
    bootstrap.ensure_proxies()
    assert "tests of proxies will be skipped" in capsys.readouterr().err
    monkeypatch.setattr(bootstrap, "is_debian", lambda: False)
    runs.commands.clear()
    bootstrap.ensure_proxies()
    assert runs.commands == []


def write_web(home: Path) -> Path:
    web = home / "web"
    (web / "src").mkdir(parents=True)
    (web / "package.json").write_text("{}")
    (web / "package-lock.json").write_text("{}")
    (web / "src" / "main.ts").write_text("start()")
    return web


def test_the_browser_client_is_built_when_it_changed(
    checkout: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "has_node", lambda: True)
    set_up(checkout, runs)
    web = write_web(checkout)
    assert set_up(checkout, runs, "play") == ["npm ci --no-audit --no-fund", "npm run build"]
    assert set_up(checkout, runs, "serve") == []
    (web / "node_modules" / "noise").write_text("not a source")
    assert set_up(checkout, runs, "play") == []
    (web / "src" / "main.ts").write_text("start(1)")
    assert set_up(checkout, runs, "play") == ["npm run build"]
    (web / "package-lock.json").write_text("{ }")
    assert set_up(checkout, runs, "play") == ["npm ci --no-audit --no-fund", "npm run build"]
    assert set_up(checkout, runs, "games") == []


def test_a_browser_client_without_a_lock_is_told(checkout: Path, runs: Runs) -> None:
    set_up(checkout, runs)
    (write_web(checkout) / "package-lock.json").unlink()
    with pytest.raises(bootstrap.SetupFailed, match=r"package-lock\.json"):
        bootstrap.ensure_web(with_tools=False)


def test_the_locks_name_no_place() -> None:
    for path in sorted((CHECKOUT / "locks").glob("*.txt")):
        text = path.read_text()
        lines = [line for line in text.splitlines() if line and not line.startswith("    --hash=sha256:")]
        assert lines
        assert all("==" in line and line.endswith("\\") for line in lines), path
        assert "://" not in text
