"""docs/bots.md and docs/learning.md are true: their code is taken from the page and run."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.players import Budget, base
from tests.cli.snippets import HOME, SCENARIOS, on, replaced, snippets
from tests.server.conftest import Server

PYTHON, HTTP = snippets("docs/bots.md")
ALL_ROLES, ONE_SIDE, LOOKING = snippets("docs/learning.md")


def test_the_python_bot_plays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert len([line for line in PYTHON.splitlines() if line.strip()]) <= 20
    monkeypatch.setattr(base, "_LEVELS", {level: dict(makers) for level, makers in base._LEVELS.items()})
    exec(replaced(PYTHON, **{"matches=10": "matches=2"}), {})
    assert "matches=2" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_python_bot_decides_in_every_scenario(game: str, scenario: str) -> None:
    names: dict[str, Any] = {}
    exec(PYTHON.split("register(")[0], names)
    bot, match, rng = names["Bold"](sandtable.find(game), 1), sandtable.new(game, scenario=scenario), Random(1)
    for number in range(40):
        if (role := match.asked) is None:
            break
        offers = match.offers(role)
        match.apply(role, offers.sample(rng) if number % 8 else bot.decide(match.view(role), offers, Budget(1.0)))
    assert match.number


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


@pytest.mark.parametrize(
    ("game", "scenario"), [(game, next(iter(sandtable.find(game).scenarios))) for game in sandtable.games()]
)
def test_the_bot_over_http_plays_a_real_game(server: Server, game: str, scenario: str) -> None:
    """Some moves of it; a whole match of a bot that only tries would take long."""
    loop = 'while not (info := call(match, secret=secret))["over"]:'
    short = 'while (info := call(match, secret=secret))["number"] <= 12:'
    mine, *others = sandtable.find(game).roles_in(scenario)
    words = {
        "http://127.0.0.1:8000": server.url,
        loop: short,
        '{"roles": ["axis"]}': f'{{"roles": ["{mine}"]}}',
        '"roles": ["allies"]': f'"roles": {others}'.replace("'", '"'),
    }
    names: dict[str, Any] = {}
    exec(on(replaced(HTTP, **words), game, scenario), names)
    assert names["info"]["number"] > 12
    assert names["info"]["game"] == game


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_learning_loop_runs(game: str, scenario: str) -> None:
    pytest.importorskip("pettingzoo")
    names: dict[str, Any] = {}
    exec(on(replaced(ALL_ROLES, **{"choices=16": "choices=16, most_decisions=20"}), game, scenario), names)
    assert names["env"].agents == []


def test_one_side_learns_in_several_environments_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    exec(ONE_SIDE, {})
    assert capsys.readouterr().out == "(4, 36, 17)\n"


def test_the_observation_can_be_read_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    exec(LOOKING, {})
    printed = capsys.readouterr().out
    assert "army_at (index of 424, 0 is -1)" in printed
    assert "army_at (index of 424, 0 is -1)" in (HOME / "docs/learning.md").read_text()
