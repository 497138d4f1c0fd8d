"""`sandtable rules`: the ledger, and what the tests with rule markers prove of it."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

from sandtable.core import SandtableError, Unknown
from sandtable.games import find, games
from sandtable.lab.coverage import Coverage, Ledger, Rule, judge, measure, read_ledger
from tests.cli.conftest import Command
from tests.demo.game import GAME

LEDGER = Ledger(
    "tea-party",
    tuple(
        Rule(id=name, title=name, scope=scope, kind=kind, says="Something.")
        for name, scope, kind in (
            ("tp-pour", "base", "movement"),
            ("tp-spill", "base", "combat"),
            ("tp-sip", "base", "combat"),
            ("tp-cake", "optional-cake", "supply"),
        )
    ),
    "tea_party",
)


@pytest.mark.parametrize("game", games())
def test_the_ledger_as_json(command: Command, game: str) -> None:
    answer = command("rules", game, "--json")
    rules = json.loads(answer.out)
    assert answer.status == 0
    assert [rule["id"] for rule in rules] == [rule.id for rule in read_ledger(find(game)).rules]
    assert len({rule["id"] for rule in rules}) == len(rules) > 300
    assert all(rule["says"] and rule["title"] for rule in rules)


def test_the_ledger_as_a_table_and_its_parts(command: Command) -> None:
    answer = command("rules", "hitlers-war", "--kind", "weather")
    wanted = [rule.id for rule in read_ledger(find("hitlers-war")).rules if rule.kind == "weather"]
    assert answer.status == 0
    assert [line.split()[0] for line in answer.out.splitlines() if line.startswith(" hw-")] == wanted


def test_a_game_without_a_ledger() -> None:
    with pytest.raises(Unknown, match="no ledger"):
        read_ledger(GAME)


def test_judging() -> None:
    found = judge(
        LEDGER,
        [
            (["tp-pour"], "passed"),
            (["tp-pour", "tp-spill"], "passed"),
            (["tp-spill"], "failed"),
            (["tp-sip"], "skipped"),
            (["tp-milk"], "passed"),
        ],
    )
    assert (found.total, found.covered, found.tests) == (4, 1, 5)
    assert found.missing == ("tp-sip", "tp-cake")
    assert found.failing == ("tp-spill",)
    assert found.unknown_markers == ("tp-milk",)
    assert not found.is_sound
    assert (found.kinds["combat"].total, found.kinds["combat"].failing, found.kinds["combat"].missing) == (2, 1, 1)
    assert (found.scopes["base"].covered, found.scopes["optional-cake"].missing) == (1, 1)


def test_judging_a_part_knows_the_whole_ledger() -> None:
    found = judge(LEDGER, [(["tp-pour"], "passed"), (["tp-cake"], "passed")], only=LEDGER.rules[:1])
    assert (found.total, found.covered, found.unknown_markers) == (1, 1, ())


@pytest.fixture
def party(tmp_path: Path) -> Path:
    """A checkout with tests of the tea party."""
    folder = tmp_path / "tests" / "games" / "tea_party"
    folder.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["rule(id, ...): rules"]\naddopts = ["--import-mode=importlib"]\n'
    )
    (folder / "test_party.py").write_text(
        dedent(
            """
            import pytest

            pytestmark = pytest.mark.rule("tp-pour")

            @pytest.mark.rule("tp-sip", "tp-milk")
            @pytest.mark.parametrize("cup", [1, 2])
            def test_sip(cup): assert cup

            @pytest.mark.rule("tp-spill")
            @pytest.mark.parametrize("cup", [0, 1])
            def test_spill(cup): assert cup

            @pytest.fixture
            def oven(): raise RuntimeError("cold")

            @pytest.mark.rule("tp-cake")
            def test_cake(oven): pass
            """
        )
    )
    (folder / "test_other.py").write_text("def test_nothing_about_rules(): raise AssertionError\n")
    return tmp_path


def measured(checkout: Path, workers: int) -> Coverage:
    return measure(LEDGER, checkout, folders=[checkout / "tests"], workers=workers)


@pytest.mark.parametrize("workers", [1, 2])
def test_measuring_runs_the_marked_tests(party: Path, workers: int) -> None:
    found = measured(party, workers)
    assert found.tests == 5
    assert found.missing == ()
    assert found.failing == ("tp-pour", "tp-spill", "tp-cake")
    assert found.covered == 1
    assert found.unknown_markers == ("tp-milk",)
    assert found.broken_files == ()


def test_a_test_file_that_cannot_be_read_is_told(party: Path) -> None:
    (party / "tests" / "games" / "tea_party" / "test_broken.py").write_text("import nothing_of_the_kind\n")
    found = measured(party, 1)
    assert [Path(name).name for name in found.broken_files] == ["test_broken.py"]
    assert found.covered == 1
    assert not found.is_sound


def test_no_tests_at_all(tmp_path: Path) -> None:
    found = measure(LEDGER, tmp_path)
    assert (found.covered, len(found.missing), found.is_sound) == (0, 4, True)


def test_pytest_that_does_not_start(party: Path) -> None:
    (party / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = ['--no-such-option']\n")
    with pytest.raises(SandtableError, match="could not be run"):
        measured(party, 1)


def test_coverage_on_the_command_line(
    command: Command, monkeypatch: pytest.MonkeyPatch, party: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sandtable.cli.verbs.rules.find_game", lambda name: GAME)
    monkeypatch.setattr("sandtable.cli.verbs.rules.read_ledger", lambda game: LEDGER)
    monkeypatch.setattr("sandtable.cli.verbs.rules.checkout", lambda verb: party)
    answer = command("rules", "tea-party", "--coverage", "--json", "--workers", "1")
    found = json.loads(answer.out)
    assert answer.status == 1
    assert (found["total"], found["covered"], found["missing"]) == (4, 1, [])
    assert found["failing"] == ["tp-pour", "tp-spill", "tp-cake"]
    assert found["unknown_markers"] == ["tp-milk"]
    (party / "tests" / "games" / "tea_party" / "test_party.py").write_text(
        "import pytest\n@pytest.mark.rule('tp-sip')\ndef test_sip(): pass\n"
    )
    answer = command("rules", "tea-party", "--coverage", "--workers", "1")
    assert answer.status == 0
    assert "without a passing test (3): tp-pour tp-spill tp-cake" in answer.out
    assert "1 of 4 rules (25.0 %) are proven by 1 tests" in answer.out
