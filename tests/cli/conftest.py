"""The command, called as a person calls it, and a saved match of the demonstration game to call it with."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import sandtable
from sandtable.cli.app import main
from sandtable.core import Match
from sandtable.testing.fuzzing import random_play
from tests.demo.game import GAME

DEMO = "tests.demo.game:GAME"


@dataclass(frozen=True)
class Answer:
    """What the command printed, and its status."""

    status: int
    out: str
    err: str

    def is_bad_input(self, *words: str) -> bool:
        """Status 2, nothing on stdout, one line on stderr with these words in it."""
        one_line = self.err.endswith("\n") and self.err.count("\n") == 1
        return self.status == 2 and not self.out and one_line and all(word in self.err for word in words)


Command = Callable[..., Answer]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*words: str) -> Answer:
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:  # argparse ends the program itself
            status = int(end.code or 0)
        printed = capsys.readouterr()
        return Answer(status, printed.out, printed.err)

    return call


@pytest.fixture(scope="session")
def played() -> Match:
    match = Match.new(GAME, "war", {"floods": True}, seed="three")
    random_play(match, Random(3))
    assert match.over
    return match


@pytest.fixture(scope="session")
def saved(played: Match) -> bytes:
    return sandtable.save(played)


@pytest.fixture
def match_file(saved: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_bytes(saved)
    return path
