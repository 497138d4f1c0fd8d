"""A search in several processes: the same rehearsals, and the same plan; alone where there are no processes."""

from __future__ import annotations

import multiprocessing
import pickle
from typing import Any

import pytest

from sandtable.core import Match, View
from sandtable.games import find, games
from sandtable.players import Budget, make, stretched, take_turn
from sandtable.players import search as searching
from sandtable.players.helpers import helpers
from sandtable.players.search import Found
from sandtable.players.searcher import Searcher


def first_search(name: str) -> tuple[Searcher, View[Any]]:
    """A marshal at the first moment for which it wants a plan."""
    game = find(name)
    scenario = game.benchmark().captains or next(iter(game.scenarios))
    match = Match.new(game, scenario, seed="3", history=False)
    captains = {role: make("captain", game, f"3/{role}") for role in match.roles}
    while True:
        role = match.decisions()[0]
        player = make("marshal", game, "3")
        assert isinstance(player, Searcher)
        if player.moment(match.view(role)) is not None:
            return player, match.view(role)
        take_turn(match, role, captains[role], Budget())


def thought(name: str, cores: int, tries: int) -> Found:
    player, view = first_search(name)
    return player.think(view, Budget(600.0, tries, cores))


@pytest.mark.parametrize("name", games())
def test_a_plan_does_not_depend_on_the_number_of_processes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = thought(name, 1, 16)
    shares: list[int] = []
    ask = searching._asked

    def counted(helper: Any, tasks: Any, seconds: float) -> Any:
        shares.append(len(tasks))
        return ask(helper, tasks, seconds)

    monkeypatch.setattr(searching, "_asked", counted)
    shared = thought(name, 2, 16)
    assert shared == alone
    assert alone.rehearsals > 12
    assert alone.rehearsals / 3 <= sum(shares) <= alone.rehearsals * 2 / 3
    assert len(shares) > 2


def test_where_a_helper_dies_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = thought("hitlers-war", 1, 16)
    ask, killed = searching._asked, []

    def fatal(helper: Any, tasks: Any, seconds: float) -> Any:
        answer = ask(helper, tasks, seconds)
        killed.extend(helper._processes.values())
        for process in helper._processes.values():
            process.kill()
        return answer

    monkeypatch.setattr(searching, "_asked", fatal)
    assert thought("hitlers-war", 2, 16) == alone
    assert killed


def test_where_there_are_no_processes_it_thinks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(method: str) -> Any:
        raise ImportError("no processes in a page")

    alone = thought("hitlers-war", 1, 8)
    monkeypatch.setattr(multiprocessing, "get_context", none)
    with helpers(3, pickle.loads, b"") as crew:
        assert crew == []
    assert thought("hitlers-war", 2, 8) == alone


def test_nobody_is_left_when_the_search_is_over() -> None:
    others = {*multiprocessing.active_children()}  # of tests before this one
    thought("hitlers-war", 3, 8)
    made = {*multiprocessing.active_children()} - others
    for child in made:
        child.join(30)
    assert not made & {*multiprocessing.active_children()}


@pytest.mark.parametrize(("level", "cores"), [("captain", 1), ("general", 1), ("marshal", 4)])
def test_only_the_patient_use_several_cores(level: str, cores: int) -> None:
    game = find("hitlers-war")
    assert stretched(Budget(5.0, 3, 4), make(level, game, 1)).cores == cores
