"""The Python of the page plays as this machine's does: the same decisions reach the same states, digest by digest."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sandtable.games import games
from sandtable.page import in_node
from sandtable.page.site import Sources

from .conftest import HOME

PROGRAM = HOME / "tests" / "page" / "plays.py"
DECISIONS = 20_000


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize("game", games())
def test_the_same_play_reaches_the_same_digests_in_the_page(sources: Sources, game: str) -> None:
    words = [["random", game, str(DECISIONS)], ["captain", game]]
    with ThreadPoolExecutor(1) as side:
        playing = side.submit(in_node.run, sources, [game], PROGRAM, words)
        native = [line for one in words for line in _lines(_natively(one))]
        in_page = _lines(playing.result())
    assert sum(line["decisions"] for line in native[:-1]) == DECISIONS
    assert native[-1]["decisions"] > 100
    assert in_page == native


def _natively(words: list[str]) -> str:
    return subprocess.check_output([sys.executable, str(PROGRAM), *words], cwd=HOME, text=True)


def _lines(told: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in told.splitlines()]
