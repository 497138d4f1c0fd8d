"""The bots play, and play better than chance."""

import sys
from pathlib import Path

from sandtable.lab.simulate import jobs, simulate, summarize

ENGINE = f"exec:{sys.executable} {Path(__file__).parents[1] / 'engine.py'}"


def test_the_bot_beats_chance() -> None:
    records = simulate(jobs("river-line", "crossing", {}, {"north": "steady"}, matches=60, seed=1, seconds=1))
    assert summarize("river-line", records).wins["north"] > 40


def test_the_program_plays_too() -> None:
    records = simulate(jobs("river-line", "crossing", {}, {"north": ENGINE}, matches=2, seed=1, seconds=5))
    assert len(records) == 2
