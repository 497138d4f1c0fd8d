"""The ledger of a game's rules, and which of them a passing test proves.

A test names the rules that it proves: `@pytest.mark.rule("hw-advance-10")`. The game's tests that name rules are run,
and each rule is counted by their outcome.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from sandtable.core.errors import SandtableError, Unknown
from sandtable.core.game import Game

Standing = Literal["covered", "failing", "missing"]


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One item of a ledger, in our own words."""

    id: str
    title: str
    scope: str
    kind: str
    says: str
    line: int | str = 0
    """Its place in the rulebook."""
    doubt: str = ""
    """What the rulebook leaves open, and how we read it."""


class Ledger(msgspec.Struct, frozen=True):
    """Every rule of a game."""

    game: str
    rules: tuple[Rule, ...]
    folder: str
    """The name of the game's folder: its tests are in one of the same name."""

    @property
    def prefix(self) -> str:
        """What the ids of this ledger begin with: 'hw-'."""
        return self.rules[0].id.split("-")[0] + "-"


class Tally(msgspec.Struct):
    """How many rules of a scope or a kind there are, and how many of them are proven."""

    total: int = 0
    covered: int = 0
    failing: int = 0
    missing: int = 0


class Coverage(msgspec.Struct, frozen=True):
    """What the tests of a game prove."""

    game: str
    total: int
    covered: int
    missing: tuple[str, ...]
    """Rules without a passing test: no test names them, or only skipped ones do."""
    failing: tuple[str, ...]
    """Rules with a failing test."""
    unknown_markers: tuple[str, ...]
    """Markers that name no rule of the ledger."""
    broken_files: tuple[str, ...]
    """Test files that could not even be read."""
    tests: int
    scopes: dict[str, Tally]
    kinds: dict[str, Tally]

    @property
    def is_sound(self) -> bool:
        """Whether everything that claims to prove a rule does so."""
        return not (self.failing or self.unknown_markers or self.broken_files)


def read_ledger(game: Game[Any]) -> Ledger:
    """The ledger of a game, from its folder."""
    path = game.home / "data" / "ledger.toml"
    if not path.is_file():
        raise Unknown(f"{game.id} has no ledger of its rules")
    rules = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))["rule"], tuple[Rule, ...])
    return Ledger(game.id, rules, game.home.name)


def test_folders(checkout: Path, ledger: Ledger) -> tuple[Path, ...]:
    """The folders with tests of the game's rules."""
    tests = checkout / "tests"
    folders = (tests / "games" / ledger.folder, tests / "atlas")
    return tuple(folder for folder in folders if folder.is_dir())


def run_rule_tests(checkout: Path, ledger: Ledger, folders: Sequence[Path], workers: int) -> dict[str, Any]:
    """Run the tests that name rules of the ledger and return the plugin's report."""
    if not folders:
        return {"tests": [], "broken": []}
    with tempfile.TemporaryDirectory(prefix="sandtable-coverage-") as scratch:
        report = Path(scratch) / "report.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "sandtable.lab.coverage_plugin"]
        command += ["--rule-report", str(report), "--rule-prefix", ledger.prefix]
        command += ["-p", "no:cacheprovider", "--continue-on-collection-errors", "--tb=no"]
        command += ["-p", "xdist.plugin", "-n", str(workers)] if workers > 1 else []
        done = subprocess.run(
            [*command, *map(str, folders)],
            cwd=checkout,
            # the plugins of other packages take longer to load than most games' tests take to run
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if not report.is_file():
            tail = " / ".join(line for line in done.stdout.splitlines()[-3:] if line.strip())
            raise SandtableError(f"the tests of {ledger.game} could not be run: {tail}")
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found


def tally(rules: Iterable[Rule], standing: dict[str, Standing], key: Callable[[Rule], str]) -> dict[str, Tally]:
    """Count the rules by scope or by kind, in the ledger's order."""
    counts: dict[str, Tally] = {}
    for rule in rules:
        count = counts.setdefault(key(rule), Tally())
        count.total += 1
        where = standing[rule.id]
        setattr(count, where, getattr(count, where) + 1)
    return counts


def judge(
    ledger: Ledger,
    outcomes: Iterable[tuple[Sequence[str], str]],
    broken: Sequence[str] = (),
    only: Sequence[Rule] | None = None,
) -> Coverage:
    """What is proven of the rules in `only`; an outcome is a test's rule ids and 'passed', 'failed' or 'skipped'."""
    counted = ledger.rules if only is None else only
    known = {rule.id for rule in ledger.rules}
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    named: dict[str, None] = {}
    tests = 0
    for ids, outcome in outcomes:
        tests += 1
        named.update(dict.fromkeys(ids))
        if outcome == "passed":
            passed.update(ids)
        elif outcome == "failed":
            failed.update(ids)
    standing: dict[str, Standing] = {
        rule.id: "failing" if failed[rule.id] else "covered" if passed[rule.id] else "missing" for rule in counted
    }
    return Coverage(
        game=ledger.game,
        total=len(counted),
        covered=sum(where == "covered" for where in standing.values()),
        missing=tuple(name for name, where in standing.items() if where == "missing"),
        failing=tuple(name for name, where in standing.items() if where == "failing"),
        unknown_markers=tuple(sorted(name for name in named if name not in known)),
        broken_files=tuple(broken),
        tests=tests,
        scopes=tally(counted, standing, lambda rule: rule.scope),
        kinds=tally(counted, standing, lambda rule: rule.kind),
    )


def measure(
    ledger: Ledger,
    checkout: Path,
    *,
    folders: Sequence[Path] | None = None,
    workers: int = 2,
    only: Sequence[Rule] | None = None,
) -> Coverage:
    """Run the game's rule tests and judge them; `only`: the rules to report on."""
    chosen = test_folders(checkout, ledger) if folders is None else folders
    found = run_rule_tests(checkout, ledger, chosen, workers)
    return judge(ledger, ((test["rules"], test["outcome"]) for test in found["tests"]), found["broken"], only)
