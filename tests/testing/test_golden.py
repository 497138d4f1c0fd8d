"""Golden files of the demonstration game, and what happens when they differ."""

from pathlib import Path

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.testing import check_golden, check_golden_table
from tests.demo.game import GAME

FOLDER = Path(__file__).parents[1] / "demo" / "golden"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str) -> None:
    check_golden(GAME, scenario, FOLDER / f"{scenario}.txt", options={"floods": True}, decisions=60)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_the_golden_one(language: str) -> None:
    match = Match.new(GAME, "war", seed=1)
    check_golden_table(match, "red", language, FOLDER / f"table.{language}.txt")


def test_a_difference_is_shown_and_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "war.txt"
    monkeypatch.setenv("SANDTABLE_GOLDEN", "write")
    check_golden(GAME, "war", path, decisions=5)
    monkeypatch.delenv("SANDTABLE_GOLDEN")
    check_golden(GAME, "war", path, decisions=5)
    with pytest.raises(AssertionError):
        check_golden(GAME, "war", path, decisions=6)
