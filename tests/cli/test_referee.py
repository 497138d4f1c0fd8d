"""`sandtable referee`: status 0 without a difference; otherwise the match, the move and both answers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.core import Difference
from tests.cli.conftest import DEMO, Command
from tests.demo.game import GAME
from tests.demo.state import DemoState


class Strict:
    """A referee who finds that `most` dice are enough."""

    def __init__(self, most: int) -> None:
        self.most = most

    def watch(self, *_: object) -> Iterator[Difference]:
        return iter(())

    def look(self, state: DemoState, offers: object) -> Iterator[Difference]:
        if state.rolled > self.most:
            yield Difference("how many dice fall", "demo-turn", str(state.rolled), str(self.most))


def hire(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(type(GAME), "referee", lambda self: Strict(most))


def test_no_difference(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hire(monkeypatch, 10_000)
    answer = command("referee", DEMO, "--matches", "3", "--seed", "4", "--scenario", "war", "--out", tmp_path, "--json")
    result = json.loads(answer.out)
    assert answer.status == 0
    assert [match["source"] for match in result["matches"]] == ["4/0", "4/1", "4/2"]
    assert (result["difference"], result["file"]) == (None, None)
    assert list(tmp_path.iterdir()) == []
    assert "3 matches" in command("referee", DEMO, "--matches", "3").out


def test_a_difference_leaves_its_match(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hire(monkeypatch, 12)
    words = ("referee", DEMO, "--scenario", "war", "--levels", "recruit", "--out", tmp_path)
    answer = command(*words)
    assert answer.status == 1
    (path,) = tmp_path.iterdir()
    result = json.loads(command(*words, "--json").out)
    move, difference = result["matches"][-1]["moves"], result["difference"]
    assert f"DIFFERENCE after move {move} of {path}: how many dice fall [demo-turn]" in answer.out
    assert f"engine:  {difference['engine']}" in answer.out
    assert "referee: 12" in answer.out
    shown = json.loads(command("replay", path, "--game", DEMO, "--json").out)
    assert (shown["replayed"], str(shown["dice"])) == (move, difference["engine"])


def test_files(command: Command, monkeypatch: pytest.MonkeyPatch, match_file: Path, tmp_path: Path) -> None:
    hire(monkeypatch, 10_000)
    result = json.loads(command("referee", DEMO, match_file, match_file, "--json").out)
    assert [match["source"] for match in result["matches"]] == [str(match_file)] * 2
    hire(monkeypatch, 5)
    answer = command("referee", DEMO, match_file, "--out", tmp_path)
    assert answer.status == 1
    assert "how many dice fall" in answer.out


def test_an_error_leaves_its_match(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Confused(Strict):
        def watch(self, *_: object) -> Iterator[Difference]:
            raise LookupError("lost the rulebook")

    monkeypatch.setattr(type(GAME), "referee", lambda self: Confused(9))
    with pytest.raises(LookupError):
        command("referee", DEMO, "--out", tmp_path)
    (path,) = tmp_path.iterdir()
    assert f"the match up to the error, 1 moves: {path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["chess"], "chess"),
        ([DEMO], "three-crowns has no referee for version 1 of its rules"),
        ([DEMO, "--scenario", "peace"], "peace"),
        ([DEMO, "--matches", "0"], "'0'"),
        ([DEMO, "--out", "no/such/folder"], "no/such/folder"),
        ([DEMO, "no-such-file"], "no-such-file"),
        ([DEMO, "--levels", "wizard"], "wizard"),
    ],
)
def test_bad_input_is_one_clear_line(command: Command, words: list[str], named: str) -> None:
    assert command("referee", *words).is_bad_input(named)


def test_a_cut_off_file_is_one_clear_line(command: Command, monkeypatch: pytest.MonkeyPatch, match_file: Path) -> None:
    hire(monkeypatch, 10_000)
    match_file.write_bytes(match_file.read_bytes()[:-10])
    assert command("referee", DEMO, match_file).is_bad_input("ends in the middle")
