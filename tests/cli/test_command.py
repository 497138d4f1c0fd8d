"""The command as a whole: help, one-line errors, and what it says about the games."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable.cli.app import VERBS, load_verb
from tests.cli.conftest import DEMO, Command


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(command: Command, verb: str) -> None:
    answer = command(verb, "--help")
    assert answer.status == 0
    assert f"usage: sandtable {verb}" in answer.out


def test_help_lists_every_verb(command: Command) -> None:
    answer = command("--help")
    assert answer.status == 0
    for verb, text in VERBS.items():
        assert verb in answer.out
        assert text.split()[0] in answer.out


def test_every_verb_has_a_module() -> None:
    for verb in VERBS:
        assert callable(load_verb(verb).run)


def test_the_version(command: Command) -> None:
    answer = command("--version")
    assert answer.status == 0
    assert re.fullmatch(r"sandtable \d+\.\d+\.\d+\n", answer.out)


def test_no_verb_and_an_unknown_verb_are_one_line(command: Command) -> None:
    assert command().is_bad_input("VERB")
    assert command("conquer").is_bad_input("conquer")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["games", "chess"], "chess"),
        (["games", "--scenario"], "--scenario"),
        (["rules", "chess"], "chess"),
        (["rules", "hitlers-war", "--kind", "cheese"], "cheese"),
        (["rules", "hitlers-war", "--scope", "moon"], "moon"),
        (["fuzz", "chess"], "chess"),
        (["fuzz", "no.such.module:GAME"], "no.such.module"),
        (["fuzz", "tests.demo.game:NOTHING"], "NOTHING"),
        (["fuzz", "tests.demo.game:ROLES"], "not a game"),
        (["fuzz", ":GAME"], ":GAME"),
        (["fuzz", DEMO, "--scenario", "peace"], "peace"),
        (["fuzz", DEMO, "--option", "magic"], "magic"),
        (["fuzz", DEMO, "--option", "gold"], "gold"),
        (["fuzz", DEMO, "--option", "gold=7"], "7"),
        (["fuzz", DEMO, "--option", "floods=maybe"], "maybe"),
        (["fuzz", DEMO, "--scenario", "skirmish", "--option", "gold=3"], "gold"),
        (["fuzz", DEMO, "--decisions", "0"], "'0'"),
        (["fuzz", DEMO, "--decisions", "many"], "'many'"),
        (["fuzz", DEMO, "--seed", "-1"], "'-1'"),
        (["fuzz", DEMO, "--out", "no/such/folder"], "no/such/folder"),
        (["bench", "--suite", "juggling"], "juggling"),
        (["bench", "--seconds", "0"], "--seconds"),
        (["bench", "--write", "--game", DEMO], "--write"),
    ],
)
def test_bad_input_is_one_clear_line(command: Command, words: list[str], named: str) -> None:
    answer = command(*words)
    assert answer.is_bad_input(named), answer


def test_bad_input_writes_nothing(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command("fuzz", DEMO, "--scenario", "peace")
    command("replay", "nothing-here")
    command("rules", "chess", "--coverage")
    assert list(tmp_path.iterdir()) == []


def test_games_as_json(command: Command) -> None:
    answer = command("games", DEMO, "--json")
    assert answer.status == 0
    (game,) = json.loads(answer.out)
    assert game["id"] == "three-crowns"
    assert game["roles"] == ["red", "blue", "green"]
    assert [scenario["id"] for scenario in game["scenarios"]] == ["war", "skirmish"]
    gold = next(option for option in game["options"] if option["id"] == "gold")
    assert (gold["default"], gold["choices"], gold["scenarios"]) == (1, [0, 1, 3], ["war"])


def test_games_as_a_table(command: Command) -> None:
    answer = command("games", DEMO)
    assert answer.status == 0
    for word in ("three-crowns", "skirmish", "floods", "off, on", "1, 0, 3"):
        assert word in answer.out


def test_games_lists_every_game_of_ours(command: Command) -> None:
    import sandtable

    answer = command("games", "--json")
    assert answer.status == 0
    assert [game["id"] for game in json.loads(answer.out)] == list(sandtable.games())


def test_a_second_list_of_the_games_loads_no_game(tmp_path: Path) -> None:
    """Loading the games takes most of a second; the list is remembered until one of their files changes."""
    words = [sys.executable, "-X", "importtime", "-m", "sandtable.cli", "games", "--json"]
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    first, second = (subprocess.run(words, check=True, capture_output=True, text=True, env=env) for _ in range(2))
    assert first.stdout == second.stdout
    assert [game["id"] for game in json.loads(second.stdout)] == list(sandtable.games())
    assert "sandtable.games.hitlers_war.model.atlas" in first.stderr
    assert "sandtable.games.hitlers_war" not in second.stderr
    (remembered,) = tmp_path.rglob("games-*.json")
    remembered.write_text("damaged")
    third = subprocess.run(words, check=True, capture_output=True, text=True, env=env)
    assert third.stdout == first.stdout
    german = subprocess.run([*words, "--language", "de"], check=True, capture_output=True, text=True, env=env)
    assert german.stdout != first.stdout


def test_the_package_is_the_command_too() -> None:
    done = subprocess.run([sys.executable, "-m", "sandtable", "games"], check=False, capture_output=True, text=True)
    assert done.returncode == 0
    assert all(game in done.stdout for game in sandtable.games())
    wrong = subprocess.run([sys.executable, "-m", "sandtable", "bogus"], check=False, capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert wrong.stderr.startswith("sandtable: ")


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m sandtable.cli rules hitlers-war --json | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("[")
    assert done.stderr == ""
