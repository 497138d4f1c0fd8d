"""A pytest plugin for `sandtable.lab.coverage`: runs only tests that name rules, and records their outcomes.

It works with and without xdist: a test's reports carry its rules, and only the process that gets all reports writes
the file.
"""

import json
from pathlib import Path

import pytest

PROPERTY = "sandtable-rule"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sandtable rules")
    group.addoption("--rule-report", help="file for the outcome of each test that names rules")
    group.addoption("--rule-prefix", default="", help="run only tests that name a rule whose id begins with this")


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--rule-report") and not is_worker:
        config.pluginmanager.register(Recorder(Path(config.getoption("--rule-report"))), "sandtable-rule-recorder")


def rules_of(item: pytest.Item) -> list[str]:
    """The rules that a test names, in all its markers."""
    return list(dict.fromkeys(str(name) for marker in item.iter_markers("rule") for name in marker.args))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    prefix = config.getoption("--rule-prefix")
    chosen: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        rules = [name for name in rules_of(item) if name.startswith(prefix)]
        item.user_properties += [(PROPERTY, name) for name in rules]
        (chosen if rules else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = chosen


class Recorder:
    """Collects every report and writes the outcomes at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[str, str] = {}
        self.rules: dict[str, list[str]] = {}
        self.broken: dict[str, None] = {}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken[report.nodeid] = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.rules[report.nodeid] = [str(value) for name, value in report.user_properties if name == PROPERTY]
        before = self.outcomes.get(report.nodeid)
        if report.failed or before == "failed":
            outcome = "failed"
        elif report.skipped or before == "skipped":
            outcome = "skipped"
        else:
            outcome = "passed"
        self.outcomes[report.nodeid] = outcome

    def pytest_sessionfinish(self) -> None:
        tests = [{"id": name, "rules": self.rules[name], "outcome": found} for name, found in self.outcomes.items()]
        self.path.write_text(json.dumps({"tests": tests, "broken": list(self.broken)}), encoding="utf-8")
