"""The README and the pages of docs/ are true: their examples run, their verbs are there, their links lead somewhere."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.cli.app import VERBS, build_parser
from tests.cli.conftest import Command
from tests.cli.snippets import HOME, PAGES, SCENARIOS, on, snippets

README = (HOME / "README.md").read_text()


def test_every_page_with_code_has_a_test_that_runs_it() -> None:
    """Most of them here; bots and learning in lab/test_bots.py, dice in core/test_dice.py."""
    assert {page: len(snippets(page)) for page in PAGES if snippets(page)} == {
        "README.md": 1,
        "docs/adding-a-game.md": 2,
        "docs/bots.md": 2,
        "docs/checking-the-dice.md": 1,
        "docs/lab.md": 1,
        "docs/learning.md": 3,
        "docs/library.md": 1,
        "docs/training.md": 1,
    }


def test_facts_and_offers_of_a_new_game_are_as_printed() -> None:
    names: dict[str, Any] = {}
    for example in snippets("docs/adding-a-game.md"):
        exec(example, names)
    state, move = names["MyState"](scenario="any", options={}), names["Move"]
    assert names["stacks"](state) == {0: [0, 1], 2: [2]}
    assert names["held_by"](state, 1) == {1, 2}
    offer = names["moves"](state)
    assert move("I Corps", "Metz") in list(offer)
    assert len(list(offer)) == 6, "three units, and each stays nowhere"


def test_the_example_of_the_training_page_prints_a_chance(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = snippets("docs/training.md")
    exec(example, {})
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"[0-9]+%", first)
    assert "('soviet',)" in second


def test_the_first_hour_at_a_prompt_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = snippets("docs/library.md")
    exec(example, {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "<Match hitlers-war barbarossa, 0 moves, axis asked>"
    assert printed[0] in example
    assert [line for line in printed if re.fullmatch(r"[0-9]+\.0", line)], "a measure"


def test_the_lab_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: locks/dev.txt has it")
    (example,) = snippets("docs/lab.md")
    names: dict[str, Any] = {}
    exec(example, names)
    assert len(names["matches"]) == 4
    assert "soviet" in capsys.readouterr().out


def test_no_block_of_python_goes_by_another_name() -> None:
    """A block without a language could hold code that nothing runs."""
    looks_like_it = re.compile(r"^(@|def |class |import |from \w+ import |\w+\($)", flags=re.MULTILINE)
    for page in PAGES:
        for language, text in blocks(page):
            assert language == "python" or not looks_like_it.search(text), text


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of a page: (language, text)."""
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```", (HOME / page).read_text(), flags=re.DOTALL | re.MULTILINE)


EVERYWHERE = (*PAGES, "CONTRIBUTING.md", "examples/river-line/README.md")
PRINTED = sorted(
    {
        (page, re.split(r"\s{2,}#|\s+# ", line)[0].strip())
        for page in EVERYWHERE
        for language, text in blocks(page)
        if language in ("", "sh")
        for whole in re.sub(r"\\\n\s*", " ", text).splitlines()
        for line in re.split(r"\s{3,}(?=\./sandtable )", whole)
        if re.match(r"(\./)?sandtable \w", line.strip())
    }
)


@pytest.mark.parametrize(("page", "line"), PRINTED, ids=" ".join)
def test_every_command_that_is_printed_is_one(page: str, line: str) -> None:
    words = shlex.split(line)[1:]
    build_parser(words).parse_args(words)


IN_THEIR_OWN_TESTS = {"admin", "bench", "bot", "odds", "page", "play", "serve", "test", "train"}
"""Verbs that need a server, a match or a checkout of their own, or that take long."""
RUN = [
    line
    for page, line in PRINTED
    if page.startswith("docs/") and "--ray" not in line and shlex.split(line)[1] not in IN_THEIR_OWN_TESTS
]
"""Ray is tried in lab/test_ray.py, the commands of CONTRIBUTING.md and of the example in their own tests."""


@pytest.mark.parametrize("line", RUN)
def test_the_commands_of_the_docs_run(
    line: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As printed, but shorter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bots.py").write_text(snippets("docs/bots.md")[0].split("register(")[0])
    short = {r"--matches \d+": "--matches 1", r"--decisions \d+": "--decisions 20", "all=colonel": "all=recruit"}
    for long, brief in short.items():
        line = re.sub(long, brief, line)
    words = shlex.split(line)[1:]
    answer = command(*words, *(["--matches", "1"] if words[0] == "ladder" else []))
    assert answer.status == 0, answer.err
    assert answer.out


def test_every_block_of_toml_can_be_read() -> None:
    found = [(page, text) for page in EVERYWHERE for language, text in blocks(page) if language == "toml"]
    assert len(found) >= 2
    for page, text in found:
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            pytest.fail(f"{page}: {error}")


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
