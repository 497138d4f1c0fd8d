"""The README and the pages of docs/ are true: their examples run, their verbs are there, their links lead somewhere."""

import re
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.cli.app import VERBS
from tests.cli.conftest import Command
from tests.cli.snippets import HOME, PAGES, SCENARIOS, on, snippets

README = (HOME / "README.md").read_text()


def test_every_page_with_code_has_a_test_that_runs_it() -> None:
    """README here, the bots in tests/lab/test_bots.py, the dice in tests/core/test_dice.py."""
    assert {page: len(snippets(page)) for page in PAGES if snippets(page)} == {
        "README.md": 1,
        "docs/bots.md": 3,
        "docs/checking-the-dice.md": 1,
    }


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_example_of_the_readme_plays_every_scenario_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command, game: str, scenario: str
) -> None:
    (example,) = snippets("README.md")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(on(example, game, scenario), names)
    match = names["match"]
    assert (match.game.id, match.scenario, match.over, match.asked) == (game, scenario, True, None)
    assert command("replay", "match.jsonl", "--verify").status == 0


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_example_of_the_package_plays_every_scenario_to_its_end(game: str, scenario: str) -> None:
    lines = [line.removeprefix("    ") for line in (sandtable.__doc__ or "").splitlines() if line.startswith("    ")]
    names: dict[str, Any] = {}
    exec(on("\n".join(lines), game, scenario), names)
    assert names["match"].over


def test_the_verbs_are_those_of_the_command() -> None:
    (table,) = re.findall(r"## The command\n.*?\n\n(.*?)\n\n## ", README, flags=re.DOTALL)
    assert set(re.findall(r"^\| `(\w+)", table, flags=re.MULTILINE)) == set(VERBS)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (HOME / page).read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (HOME / target).exists(), target
