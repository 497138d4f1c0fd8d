"""`sandtable test`: every check is run, every failure is told, the tests' summary stays in sight."""

import json
import sys
from pathlib import Path

import pytest

from sandtable.cli.verbs import test as verb
from tests.cli.conftest import Command


def script(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def checks(monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    found = [(name, script(text), Path.cwd()) for name, text in scripts.items()]
    monkeypatch.setattr(verb, "python_checks", lambda home: found)
    monkeypatch.setattr(verb, "web_checks", lambda home: [])


def test_all_pass(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    checks(monkeypatch, lint="print('clean')", pytest="print('12 passed in 3.45s')")
    answer = command("test")
    assert answer.status == 0
    assert "== lint: python" in answer.out
    assert answer.out.splitlines()[-1] == "all checks passed"
    assert answer.out.splitlines()[-2].endswith("12 passed in 3.45s")


def test_a_failure_does_not_hide_the_checks_after_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    checks(monkeypatch, lint="print('dirty'); exit(1)", types="exit(2)", pytest="print('1 passed')")
    answer = command("test")
    assert answer.status == 1
    assert answer.out.splitlines()[-1] == "failed: lint, types"
    assert [line.split()[0] for line in answer.out.splitlines()[-4:-1]] == ["FAILED", "FAILED", "ok"]


@pytest.mark.parametrize(
    ("failed", "alone", "status"),
    [
        (["tests/web/test_a.py::test_b"], 0, 0),
        (["tests/web/test_a.py::test_b"], 1, 1),
        (["tests/web/test_a.py::test_b", "tests/core/test_a.py::test_b"], 0, 1),
        ([f"tests/web/test_a.py::test_{n}" for n in range(4)], 0, 1),
        ([], 0, 1),
    ],
)
def test_a_few_live_tests_get_a_second_try_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failed: list[str], alone: int, status: int
) -> None:
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(failed, True)))
    monkeypatch.setattr(verb, "run_check", lambda name, command, folder: verb.Result(name, alone, 1.0, "told"))
    result = verb.try_again(verb.Result("pytest", 1, 10.0, "1 failed, 9 passed"), tmp_path)
    assert result.status == status
    assert "1 failed, 9 passed" in result.last_line


def test_ci_runs_it_all() -> None:
    home = Path(__file__).resolve().parents[2]
    assert [name for name, _, _ in verb.python_checks(home)] == ["ruff", "format", "mypy", "pytest"]
    assert "./sandtable test" in (home / ".ci" / "run").read_text()


def test_the_browser_client_is_checked_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verb.web_checks(tmp_path) == []
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert [command[1:] for _, command, _ in verb.web_checks(tmp_path)] == [["run", "check"], ["test"]]


def test_arguments_are_pytests(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []

    def execve(path: str, words: list[str], environment: object) -> None:
        called.append(words)
        raise SystemExit(0)

    monkeypatch.setattr("os.execve", execve)
    monkeypatch.setattr("os.chdir", lambda folder: None)
    assert command("test", "--no-system", "tests/core", "-x", "-k", "undo").status == 0
    assert called == [[sys.executable, "-m", "pytest", "tests/core", "-x", "-k", "undo"]]
