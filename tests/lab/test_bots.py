"""The bots of docs/bots.md do what the page says: their code is taken from the page and run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.players import base
from tests.server.conftest import Server

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "bots.md").read_text()
PYTHON, HTTP, LEARNING = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def replaced(text: str, **words: str) -> str:
    """The code with shorter matches in it; every word must be there to be replaced."""
    for old, new in words.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def test_the_python_bot_plays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert len([line for line in PYTHON.splitlines() if line.strip()]) <= 20
    monkeypatch.setattr(base, "_LEVELS", {level: dict(makers) for level, makers in base._LEVELS.items()})
    assert "matches=10" in PYTHON
    exec(PYTHON.replace("matches=10", "matches=2"), {})
    assert "matches=2" in capsys.readouterr().out


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(f"sqlite:///{tmp_path_factory.mktemp('bots') / 'matches.db'}")
    yield running
    running.stop()


def test_the_bot_over_http_plays_a_match_to_its_end(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    code = replaced(
        HTTP,
        **{
            "http://127.0.0.1:8000": server.url,
            '"munich-war", "scenario": "little-entente"': '"three-crowns", "scenario": "war"',
            '{"roles": ["axis"]}': '{"roles": ["red"]}',
            '"roles": ["allies"]': '"roles": ["blue", "green"]',
        },
    )
    exec(code, {})
    assert capsys.readouterr().out.strip()


def test_the_bot_over_http_plays_a_real_game(server: Server) -> None:
    """Some moves of it; a whole match of a bot that only tries would take long."""
    loop = 'while not (info := call(match, secret=secret))["over"]:'
    short = 'while (info := call(match, secret=secret))["number"] <= 12:'
    code = replaced(HTTP, **{"http://127.0.0.1:8000": server.url, loop: short})
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["info"]["number"] > 12
    assert names["info"]["game"] == "munich-war"


def test_the_learning_loop_runs() -> None:
    pytest.importorskip("pettingzoo")
    assert "choices=64" in LEARNING
    names: dict[str, Any] = {}
    exec(LEARNING.replace("choices=64", "choices=64, most_decisions=20"), names)
    assert names["env"].agents == []
