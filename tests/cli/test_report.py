"""`sandtable report`: a report becomes a test that fails at its expectation; bad files are one clear line."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandtable.cli.app import main
from sandtable.cli.skeleton import literal
from sandtable.games import find
from sandtable.host import reports
from sandtable.host.messages import AskReport
from tests.cli.conftest import Command
from tests.host.test_reports import Story

HOME = Path(__file__).resolve().parents[2]
GAME = "munich-war"
SENTENCE = 'The {unit} may "march":\n"""\\ it is free.'
KINDS = ("event", "refusal", "odds")


@pytest.fixture(scope="module")
def told() -> dict[str, bytes]:
    """A report of each kind, of the whole match and of what one side may know."""
    story = Story(find(GAME), "general-war", seed=3)
    found: dict[str, bytes] = {}
    while len(found) < 2 * len(KINDS):
        story.play(9)
        role = story.match.decisions()[0]
        for wish in story.wishes(role):
            asked = msgspec.structs.replace(wish, sentence=SENTENCE)
            found[f"{wish.about}-match"] = story.report(asked, role, story.match.roles).encode()
            found[f"{wish.about}-view"] = story.report(asked, role, (role,)).encode()
    return found


def make_checkout(home: Path) -> Path:
    """A folder that looks like a checkout: a folder of tests, and the settings of pytest."""
    (home / "tests").mkdir(parents=True)
    shutil.copy(HOME / "pyproject.toml", home)
    return home


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return make_checkout(tmp_path / "checkout")


def written(folder: Path, data: bytes) -> Path:
    path = folder / "report.json"
    path.write_bytes(data)
    return path


def run_tests(home: Path, file: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", file]
    environment = {**os.environ, "PYTHONPATH": str(HOME / "src")}
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("known", ["match", "view"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_becomes_a_test(
    command: Command, told: dict[str, bytes], checkout: Path, tmp_path: Path, kind: str, known: str
) -> None:
    path = written(tmp_path, told[f"{kind}-{known}"])
    answer = command("report", path, "--checkout", checkout, "--json")
    assert answer.status == 0, answer.err
    result = json.loads(answer.out)
    assert (result["game"], result["known"], result["about"]["what"]) == (GAME, known, kind)
    assert result["sentence"] == " ".join(SENTENCE.split())
    assert result["engine"]["same"] or (kind, known) == ("event", "view")
    assert result["rule"]["says"]
    assert result["table"]["prompt"]
    room = "odds" if kind == "odds" else "rules"
    assert result["written"]["file"] == f"tests/games/munich_war/{room}/test_reported.py"
    assert (checkout / result["written"]["data"]).read_bytes() == path.read_bytes()
    source = (checkout / result["written"]["file"]).read_text()
    assert f'@pytest.mark.rule("{result["rule"]["id"]}")' in source
    assert max(map(len, source.splitlines())) <= 120
    ran = run_tests(checkout, result["written"]["file"])
    assert ran.returncode == 1
    assert "write down what should happen: The {unit} may" in ran.stdout
    assert "1 failed" in ran.stdout


def test_the_test_is_clean(command: Command, told: dict[str, bytes], checkout: Path, tmp_path: Path) -> None:
    for data in told.values():
        assert command("report", written(tmp_path, data), "--checkout", checkout).status == 0
    (checkout / "src").symlink_to(HOME / "src")  # so that ruff knows what is our own
    for how in (["check"], ["format", "--check"]):
        words = [sys.executable, "-m", "ruff", *how, "tests"]
        ran = subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout


def test_it_is_written_once(command: Command, told: dict[str, bytes], checkout: Path, tmp_path: Path) -> None:
    words = ("report", written(tmp_path, told["refusal-view"]), "--checkout", checkout)
    first = command(*words)
    source = (checkout / "tests/games/munich_war/rules/test_reported.py").read_text()
    again = command(*words)
    assert (first.status, again.status) == (0, 0)
    assert "\nWritten: " in first.out
    assert "\nThere already: " in again.out
    assert (checkout / "tests/games/munich_war/rules/test_reported.py").read_text() == source
    assert command("report", written(tmp_path, told["event-match"]), "--checkout", checkout).status == 0
    both = (checkout / "tests/games/munich_war/rules/test_reported.py").read_text()
    assert both.startswith(source)
    assert both.count("\ndef test_") == 2


def test_what_is_printed(command: Command, told: dict[str, bytes], checkout: Path, tmp_path: Path) -> None:
    data = told["refusal-view"]
    report = reports.read(data)
    assert isinstance(report.known, reports.Seen)
    assert isinstance(report.about, reports.Refused)
    rules = checkout / "tests/games/munich_war/rules"
    rules.mkdir(parents=True)
    (rules / "test_moves.py").write_text(f'RULE = "{report.rule}"\n')
    out = command("report", written(tmp_path, data), "--checkout", checkout).out
    for words in (
        f"The player: {report.sentence}",
        f"Position after move {report.at}, as {report.known.role} may know it",
        reports.position(report).table(report.known.role).prompt,
        f"They clicked on a refusal: {report.about.role}",
        f"{report.about.text} [{report.rule}]",
        "The engine now: the same",
        f"Rule {report.rule}: ",
        "Its tests: tests/games/munich_war/rules/test_moves.py",
    ):
        assert words in out, words


def test_the_test_goes_where_its_rule_is_tested(
    command: Command, told: dict[str, bytes], checkout: Path, tmp_path: Path
) -> None:
    rule = reports.read(told["event-match"]).rule
    screen = checkout / "tests/games/munich_war/screen"
    screen.mkdir(parents=True)
    (screen / "test_panels.py").write_text(f'RULE = "{rule}"\n')
    answer = command("report", written(tmp_path, told["event-match"]), "--checkout", checkout, "--json")
    assert json.loads(answer.out)["written"]["file"] == "tests/games/munich_war/screen/test_reported.py"


def test_a_move_that_the_player_does_not_know(command: Command, checkout: Path, tmp_path: Path) -> None:
    """A move of the other side, seen from behind the fog: its position is shown, and the test starts there."""
    story = Story(find(GAME), "general-war", seed=3)
    while True:
        story.play(1)
        (role,) = [side for side in story.match.roles if side != story.rows[-1].role]
        if any(wish.about == "event" for wish in story.wishes(role)):
            break
    wish = AskReport(about="event", at=story.match.number, sentence=SENTENCE, role=role)
    path = written(tmp_path, story.report(wish, role, (role,)).encode())
    answer = command("report", path, "--checkout", checkout, "--json")
    result = json.loads(answer.out)
    assert result["about"]["action"] is None
    ran = run_tests(checkout, result["written"]["file"])
    assert "write down what should happen" in ran.stdout


def test_files_that_are_no_reports(command: Command, match_file: Path, tmp_path: Path) -> None:
    for content in (b"", b"hello", b"{}", b"\xff\xfe", b"[" * 100_000, match_file.read_bytes()):
        assert command("report", written(tmp_path, content)).is_bad_input("not a report"), content[:40]
    assert command("report", tmp_path / "gone").is_bad_input("cannot be read")


def test_a_folder_that_is_no_checkout(command: Command, told: dict[str, bytes], tmp_path: Path) -> None:
    path = written(tmp_path, told["event-match"])
    assert command("report", path, "--checkout", tmp_path).is_bad_input("no checkout")


def test_a_report_of_other_rules(command: Command, told: dict[str, bytes], checkout: Path, tmp_path: Path) -> None:
    """Later rules are refused; so are older ones under which the match went another way. Nothing is written."""
    later = json.loads(told["event-match"]) | {"rules": 99}
    assert command("report", written(tmp_path, json.dumps(later).encode()), "--checkout", checkout).is_bad_input("99")
    older = json.loads(told["event-match"]) | {"rules": 0}
    older["known"]["moves"][2]["digest"] = "0" * 32
    path = written(tmp_path, json.dumps(older).encode())
    assert command("report", path, "--checkout", checkout).is_bad_input("another way at move 3")
    assert not list(checkout.rglob("*report*"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_report_never_crashes(
    data: st.DataObject, told: dict[str, bytes], tmp_path: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = told[data.draw(st.sampled_from(sorted(told)))]
    start = data.draw(st.integers(0, len(saved) - 1))
    patch = data.draw(st.binary(max_size=12))
    path = written(tmp_path, saved[:start] + patch + saved[start + data.draw(st.integers(0, 40)) :])
    status = main(["report", str(path), "--checkout", str(checkout)])
    printed = capsys.readouterr()
    assert status in (0, 2)
    assert (printed.err.count("\n"), bool(printed.out)) == ((0, True) if status == 0 else (1, False))


def test_source_of_values() -> None:
    value: dict[str, Any] = {
        "do": "move",
        "units": [f"army number {n}" for n in range(9)],
        "by": None,
        "odd": ['"', "\\", "\n", '\\"', "'\"", '""\'', "\u2028", "ü"],
        "yes": True,
    }
    source = literal(value, 4, 9)
    assert max(map(len, source.splitlines())) <= 120
    assert eval(source) == value
    assert literal({"do": "pass"}) == '{"do": "pass"}'
