"""The invariants notice what is wrong: each test breaks one promise of a sound state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.state import POOL, STATIONED, BKState, mark, move_unit
from sandtable.games.blitzkrieg_general.rules.faults import faults
from sandtable.games.blitzkrieg_general.rules.reinforcements import merges, splits
from sandtable.testing import random_play
from tests.games.blitzkrieg_general.positions import A, unit


def midgame() -> BKState:
    match = Match.new(GAME, "1941-advanced", seed=5, history=False)
    random_play(match, Random(5), most=60)
    return match.state


def lie_twice(state: BKState) -> None:
    space = next(s for s in A.land if state.here[s])
    state.here = put(state.here, A.space_of["switzerland"], state.here[space][:1])


def vanish(state: BKState) -> None:
    somebody = next(u for u, place in enumerate(state.place) if place >= 0 and u in state.here[place])
    place = state.place[somebody]
    state.here = put(state.here, place, tuple(u for u in state.here[place] if u != somebody))


def swim(state: BKState) -> None:
    infantry = next(u for u in A.kind_ids["germany-inf-4"].units if state.place[u] >= 0)
    zone = A.space_of["north_sea"]
    move_unit(state, infantry, zone)


def overload(state: BKState) -> None:
    convoy = next(u for u in A.kind_ids["be-conv-1"].units if state.place[u] >= 0)
    for spare in A.kind_ids["be-inf-3"].units[:2]:
        place = state.place[spare]
        if place >= 0:
            state.here = put(state.here, place, tuple(u for u in state.here[place] if u != spare))
        state.carrier = put(state.carrier, spare, convoy)
        state.place = put(state.place, spare, state.place[convoy])
    state.cargo = {**state.cargo, convoy: tuple(A.kind_ids["be-inf-3"].units[:2])}


def desert(state: BKState) -> None:
    state.nation = put(state.nation, A.kind_ids["germany-inf-4"].units[0], A.nation_of["ussr"])


def cheat(state: BKState) -> None:
    state.production = put(state.production, 0, state.production[0] + 1)


def deliver(state: BKState) -> None:
    state.deliveries = tuple(not lasts for lasts in state.deliveries)


def two_cards(state: BKState) -> None:
    state.hands = put(state.hands, 4, (*state.hands[4], state.out[0]))


def watch_nothing(state: BKState) -> None:
    aircraft = next(u for u, place in enumerate(state.place) if place >= 0 and A.is_air[u] and state.mission[u] < 0)
    mark(state, aircraft, STATIONED)


def one_sided(state: BKState) -> None:
    state.war = put(state.war, A.nation_of["switzerland"], 1)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lie_twice, "lies in"),
        (vanish, "lost between"),
        (swim, "cannot be in north_sea"),
        (overload, "is overloaded"),
        (desert, "serves ussr"),
        (cheat, "germany's flag"),
        (deliver, "flag stands at"),
        (two_cards, "is in 2 places"),
        (watch_nothing, "watches no seazone"),
        (one_sided, "switzerland fights germany alone"),
    ],
)
def test_every_broken_promise_is_noticed(spoil: Callable[[BKState], None], words: str) -> None:
    state = midgame()
    assert not faults(state)
    spoil(state)
    assert any(words in fault for fault in faults(state)), faults(state)


@pytest.mark.rule("bg-opt-9.3-split")
def test_an_aircraft_that_watches_the_sea_is_neither_split_nor_merged() -> None:
    from tests.games.blitzkrieg_general.positions import Board

    b = Board(assembly=True, aircraft_searches=True).war("germany-be")
    home, away = b.add("germany-air-3", "prussia"), b.add("germany-air-3", "prussia", mission="baltic_sea")
    mark(b.state, unit(away), STATIONED)
    b.start(None)
    assert not merges(b.state, 0)
    assert splits(b.state, 0) == [home]
    assert POOL in {b.state.place[u] for u in A.kind_ids["germany-air-3"].units}
