"""The referee finds faults that are planted into the engine. That it finds none otherwise is in tests/games."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.core.facts import without_memory
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Done, Retreat, StartConvoy
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.events import Sought
from sandtable.games.ww2_europe.model.state import ORDER_PATROL, Convoy, Task
from sandtable.games.ww2_europe.rules import buy, collect_phase, fire, land, movement, stacking
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase
from sandtable.lab.referee import Case, played
from tests.games.ww2_europe.positions import Board

Plant = Callable[..., Any]
PLANTS: dict[str, tuple[ModuleType, str, Callable[[Plant], Plant], str]] = {
    "fast armies": (land, "points", lambda f: lambda s, unit: f(s, unit) + 1, "w2e-movement-path"),
    "planes that nothing holds": (movement, "pinned", lambda f: lambda s, unit: None, "w2e-air-return-range"),
    "good shots": (fire, "total", lambda f: lambda parts: f(parts) + 2, "w2e-stage3-fire"),
    "money for nothing": (collect_phase, "plan", lambda f: lambda *a: (f(*a)[0] + 9, f(*a)[1]), "w2e-collect"),
    "room for all": (stacking, "ground_room", lambda f: lambda *a: 99, "w2e-stack-ground w2e-build-others"),
}


@pytest.fixture(autouse=True)
def forget():
    """No fact of the sound rules is remembered in the test, and none of the spoilt ones after it."""
    with without_memory():
        pass
    yield
    with without_memory():
        pass


def case(name: str) -> Case:
    return played(GAME, f"plant/{name}", ["captain"], "spring-1941")


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name, monkeypatch):
    module, function, spoil, rules = PLANTS[name]
    monkeypatch.setattr(module, function, spoil(getattr(module, function)))
    difference = case(name).judge(most=900).difference
    assert difference is not None
    assert difference.rule in rules.split()  # room is seen where units stand or where new ones may be built


def test_a_position_that_cannot_be_is_found():
    referee, match = GAME.referee(), Match.new(GAME, "spring-1941", seed=1)
    assert not list(referee.look(match.state, {}))
    state = match.state
    state.money = (-1, *state.money[1:])
    state.rps = (*state.rps[:2], 11, *state.rps[3:])
    assert {difference.rule for difference in referee.look(state, {})} == {"w2e-buy", "w2e-rp-limits"}


def test_a_wrong_number_to_find_the_enemy_is_found():
    referee, match = GAME.referee(), Match.new(GAME, "spring-1941", seed=1)
    path = tuple(A.index[name] for name in ("gibraltar_port", "alboran_sea", "balearic_sea"))
    match.state.tasks = (Task(1, ORDER_PATROL, path, 0, 0),)
    for needed, right in ((4, True), (5, False)):
        event = Sought(space="@balearic_sea", side="@allies", needed=needed, found=())
        found = list(referee.watch(match.state, "great_britain", Done(), match.state, [event]))
        assert [difference.rule for difference in found] == ([] if right else ["w2e-one-patrol"])


def test_a_convoy_that_cannot_sail_is_found():
    referee, match = GAME.referee(), Match.new(GAME, "spring-1941", seed=1)
    bristol, alexandria, sea = (A.index[name] for name in ("bristol_port", "alexandria_port", "western_approaches"))
    for route, rule in (((bristol, alexandria), "w2e-convoy-sea-leg"), ((bristol, sea), "w2e-convoy-start")):
        match.state.convoys = (Convoy(0, A.britain, route),)
        assert {difference.rule for difference in referee.look(match.state, {})} == {rule}


@pytest.mark.parametrize(("to", "found"), [("breslau", set()), ("krakow", {"w2e-retreat-ground"})])
def test_a_retreat_to_where_nobody_came_from_is_found(to, found):
    board = Board(dice=[6] * 8)
    tank, foe = board.put("germany", "tank", "warsaw"), board.put("france", "infantry", "warsaw")
    board.state.came = put(board.state.came, tank, A.index["breslau"])
    board.fight("warsaw", [tank], [foe])
    assert board.asked == "germany"
    before = GAME.codec.clone(board.state)
    board.do("germany", Retreat("breslau"))
    board.state.space = put(board.state.space, tank, A.index[to])
    told = GAME.referee().watch(before, "germany", Retreat(to), board.state, [])
    assert {difference.rule for difference in told} == found


@pytest.mark.parametrize(("money", "found"), [(1, {"w2e-unit-battleship-repair"}), (2, set())])
def test_a_repair_that_cannot_be_paid_is_found(money, found, monkeypatch):
    monkeypatch.setattr(buy, "LEAST_REPAIR", 0)
    board = Board()
    board.put("germany", "battleship", "hamburg_port", damage=1)
    board.put("germany", "battleship", "konigsberg_port", damage=1)
    board.state.money = put(board.state.money, A.germany, money)
    board.run(Purchases(0))
    told = GAME.referee().look(board.state, {"germany": board.match.offers("germany")})
    assert {difference.rule for difference in told} == found


@pytest.mark.parametrize(("port", "cost"), [("bristol_port", 0), ("glasgow_port", 1)])
def test_who_joins_a_convoy_from_elsewhere_pays_a_point(port, cost):
    board = Board()
    ship = board.put("great_britain", "transport", port)
    action = StartConvoy(board.name(ship), "bristol_port", "alexandria_port", "")
    before = GAME.codec.clone(board.state)
    board.run(ConvoyPhase(1)).do("great_britain", action)
    assert sum(board.state.rps_used) == cost
    assert not list(GAME.referee().watch(before, "great_britain", action, board.state, []))
    board.state.rps_used = (3, *board.state.rps_used[1:])
    told = GAME.referee().watch(before, "great_britain", action, board.state, [])
    assert {difference.rule for difference in told} == {"w2e-convoy-add"}
