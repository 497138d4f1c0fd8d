"""A simulation that was stopped goes on from its file: what is there is not played again, all else is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandtable.cli.app import main
from sandtable.core import SandtableError
from sandtable.lab.lines import Lines
from sandtable.lab.simulate import Job, Record, jobs, simulate

DEMO = "tests.demo.game:GAME"


def wanted(matches: int, seed: int = 1, seconds: float = 0.1) -> list[Job]:
    return jobs(DEMO, "war", {}, {}, matches, seed, seconds)


def told(records: list[Record]) -> list[Record]:
    """All but the time it took."""
    return [msgspec.structs.replace(record, seconds=0.0) for record in records]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_in_parts_is_the_same_as_one_in_one_go(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "matches.jsonl"
    simulate(wanted(3), kept=Lines(path))
    assert len(path.read_bytes().splitlines()) == 3
    finished = 0

    def one_more() -> None:
        nonlocal finished
        finished += 1

    parts = simulate(wanted(6), kept=Lines(path), workers=workers, done=one_more)
    assert finished == 6
    assert told(parts) == told(simulate(wanted(6)))
    assert len(path.read_bytes().splitlines()) == 6


def test_what_was_played_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "matches.jsonl"
    first = simulate(wanted(3), kept=Lines(path))

    def never(job: Job) -> Record:
        raise AssertionError(f"{job.seed} is played again")

    monkeypatch.setattr("sandtable.lab.simulate.play", never)
    assert simulate(wanted(3), kept=Lines(path)) == first
    assert simulate(wanted(2), kept=Lines(path), workers=2) == first[:2]
    for other in (wanted(4), wanted(1, seed=2), wanted(1, seconds=0.2)):  # another match, seed, or time to think
        with pytest.raises(AssertionError, match="played again"):
            simulate(other, kept=Lines(path))


def test_a_line_that_was_cut_short_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "matches.jsonl"
    first = simulate(wanted(3), kept=Lines(path))
    path.write_bytes(path.read_bytes()[:-40])
    again = simulate(wanted(3), kept=Lines(path))
    assert told(again) == told(first)
    assert len(path.read_bytes().splitlines()) == 3
    assert all(Lines(path).find(job) for job in wanted(3))


def test_a_file_of_something_else_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for text in ("a line\nanother\n", "one line only, without an end"):
        path.write_text(text)
        with pytest.raises(SandtableError, match="line 1"):
            Lines(path)
        assert path.read_text() == text
    for place in (tmp_path, path / "matches.jsonl"):
        with pytest.raises(SandtableError, match="cannot be used"):
            Lines(place)


def test_its_folder_is_made(tmp_path: Path) -> None:
    Lines(tmp_path / "out" / "run" / "matches.jsonl")
    assert (tmp_path / "out" / "run").is_dir()


def test_the_commands_take_such_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "matches.jsonl"
    words = ["simulate", DEMO, "--seat", "all=recruit", "--lines", str(path), "--json"]
    assert main([*words, "--matches", "2"]) == 0
    before = path.read_bytes()
    assert main([*words, "--matches", "3"]) == 0
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes().splitlines()) == 3
    capsys.readouterr()
    path.write_text("nonsense\n")
    assert main([*words, "--matches", "2"]) != 0
    assert "no match that was played" in capsys.readouterr().err
