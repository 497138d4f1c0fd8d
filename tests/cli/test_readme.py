"""The README is true: its example runs, its verbs are there, its links lead somewhere."""

import re
from pathlib import Path

import pytest

from sandtable.cli.app import VERBS
from tests.cli.conftest import DEMO, Command

HOME = Path(__file__).resolve().parents[2]
README = (HOME / "README.md").read_text()


def test_the_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    game = '"hitlers-war", scenario="barbarossa"'
    assert game in example
    monkeypatch.chdir(tmp_path)
    exec(example.replace(game, f'"{DEMO}", scenario="war"'), {})
    answer = command("replay", "match.jsonl", "--game", DEMO, "--verify")
    assert answer.status == 0


def test_the_verbs_are_those_of_the_command() -> None:
    (table,) = re.findall(r"## The command\n.*?\n\n(.*?)\n\n## ", README, flags=re.DOTALL)
    assert set(re.findall(r"^\| `(\w+)", table, flags=re.MULTILINE)) == set(VERBS)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (HOME / page).read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (HOME / target).exists(), target
