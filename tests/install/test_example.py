"""The example package: installed, its game and its bot are there, and its own tests pass. Nothing of ours knows it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from .conftest import HOME, PIP, must, once, run

EXAMPLE = HOME / "examples" / "river-line"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example installed in it, as pip leaves it."""

    def make(folder: Path) -> None:
        must(*PIP, "wheel", "--no-build-isolation", "--no-deps", "-w", folder, EXAMPLE)
        must(*PIP, "install", "--no-deps", "--target", folder / "site", *folder.glob("*.whl"))

    return once(tmp_path_factory, "example", make) / "site"


def path(installed: Path) -> str:
    return os.pathsep.join([str(installed), str(HOME / "src")])


def sandtable(installed: Path, folder: Path, *words: str | Path) -> str:
    done = run(sys.executable, "-m", "sandtable.cli", *words, folder=folder, PYTHONPATH=path(installed))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_own_tests_pass(installed: Path) -> None:
    words = ("-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", EXAMPLE, "-W", "ignore", EXAMPLE / "tests")
    done = run(sys.executable, "-m", "pytest", *words, folder=EXAMPLE, PYTHONPATH=path(installed))
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout


def test_the_command_knows_its_game_and_its_bot(installed: Path, tmp_path: Path) -> None:
    listed = [game["id"] for game in json.loads(sandtable(installed, tmp_path, "games", "--json"))]
    assert len(listed) == 5
    assert "river-line" in listed
    words = ("simulate", "river-line", "--seat", "north=steady", "--matches", "2", "--json")
    assert json.loads(sandtable(installed, tmp_path, *words))["matches"] == 2
    assert len(json.loads(sandtable(installed, tmp_path, "rules", "river-line", "--json"))) == 7
    covered = ("rules", "river-line", "--coverage", "--tests", EXAMPLE / "tests", "--workers", "1", "--json")
    found = json.loads(sandtable(installed, tmp_path, *covered))
    assert (found["covered"], found["failing"], found["missing"]) == (6, [], ["rl-hold"])
