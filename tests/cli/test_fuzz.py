"""`sandtable fuzz`: a sound game passes, a broken one leaves the match that shows it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import DEMO, Command
from tests.demo.game import GAME
from tests.demo.state import DemoState


def test_a_sound_game_passes(command: Command) -> None:
    answer = command("fuzz", DEMO, "--decisions", "300", "--seed", "5", "--json")
    result = json.loads(answer.out)
    assert answer.status == 0
    assert result["failure"] is None
    assert [run["scenario"] for run in result["runs"]] == ["war", "skirmish"]
    assert [run["decisions"] for run in result["runs"]] == [150, 150]


def test_one_scenario_with_options(command: Command) -> None:
    words = ("fuzz", DEMO, "--scenario", "war", "--option", "floods", "--option", "gold=3", "--decisions", "100")
    answer = command(*words, "--json")
    (run,) = json.loads(answer.out)["runs"]
    assert run["options"] == {"floods": True, "gold": 3}
    answer = command(*words)
    assert answer.status == 0
    assert "100 decisions" in answer.out
    assert "no broken invariant" in answer.out


def test_how_often_to_look_closely(command: Command) -> None:
    def views(look: int) -> int:
        answer = command("fuzz", DEMO, "--scenario", "war", "--decisions", "60", "--look", str(look), "--json")
        (run,) = json.loads(answer.out)["runs"]
        return int(run["views"])

    assert views(1) > views(10) > 0


def test_all_options(command: Command) -> None:
    answer = command("fuzz", DEMO, "--all-options", "--decisions", "50", "--json")
    assert [run["options"]["floods"] for run in json.loads(answer.out)["runs"]] == [True, True]


def test_a_failure_leaves_its_match(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def faults(state: DemoState) -> Sequence[str]:
        return ["three dice\nare too many"] if state.rolled >= 3 else []

    with monkeypatch.context() as broken:
        broken.setattr(GAME, "faults", faults)
        words = ("fuzz", DEMO, "--scenario", "war", "--decisions", "5000", "--seed", "2", "--out", tmp_path)
        answer = command(*words, "--json")
    result = json.loads(answer.out)
    assert answer.status == 1
    assert "three dice are too many" in result["failure"]
    (path,) = tmp_path.iterdir()
    assert result["replay"] == str(path)
    shown = command("replay", path, "--game", DEMO, "--json")
    assert shown.status == 0
    assert json.loads(shown.out)["dice"] >= 3
    assert json.loads(shown.out)["replayed"] == result["move"]


def test_a_failure_in_words(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(GAME, "faults", lambda state: ["the table wobbles"])
    answer = command("fuzz", DEMO, "--scenario", "war", "--seed", "9", "--out", tmp_path)
    assert answer.status == 1
    assert "FAILED three-crowns war, seed 9" in answer.out
    assert "the table wobbles" in answer.out
    assert ".replay.jsonl" in answer.out


def test_computer_players_in_settings_drawn_at_random(command: Command) -> None:
    words = ("fuzz", DEMO, "--players", "recruit", "--decisions", "900", "--seed", "5")
    answer = command(*words, "--json")
    runs = json.loads(answer.out)["runs"]
    assert answer.status == 0
    assert sum(run["decisions"] for run in runs) == 900
    assert [run["matches"] for run in runs] == [1] * len(runs)
    assert {run["scenario"] for run in runs} == {"war", "skirmish"}
    assert {run["options"]["floods"] for run in runs} == {False, True}
    named = command(*words, "--scenario", "war", "--option", "gold=3", "--json")
    assert {(run["scenario"], run["options"]["gold"]) for run in json.loads(named.out)["runs"]} == {("war", 3)}


def test_a_level_must_exist(command: Command) -> None:
    assert command("fuzz", DEMO, "--players", "wizard").is_bad_input("wizard", "recruit")
