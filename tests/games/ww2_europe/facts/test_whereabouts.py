"""Who is where, who there is and who holds what: brought up to date move by move, and the same as made anew."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.control import holdings
from sandtable.games.ww2_europe.facts.roster import TABLES, roster
from sandtable.games.ww2_europe.facts.sea_control import (
    _wardens,
    sea_control,
)
from sandtable.games.ww2_europe.facts.strongpoints import _fields_without_airbases, airbases, airfields
from sandtable.games.ww2_europe.facts.whereabouts import (
    at,
    cargo,
    ground_of_side,
    has_air,
    has_ground,
    planes_at,
    whereabouts,
)
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.kinds import GROUND
from sandtable.games.ww2_europe.model.state import AT_WAR, M, W2State
from sandtable.games.ww2_europe.model.units import add_unit
from sandtable.games.ww2_europe.rules.units import place, remove
from sandtable.testing import random_play

K = A.kinds


@pytest.fixture(scope="module", params=[("fall-1939", 180), ("spring-1941", 260)])
def match(request: pytest.FixtureRequest) -> Match:
    scenario, moves = request.param
    match = Match.new(GAME, scenario, seed=21, history=False)
    random_play(match, Random(21), most=moves)
    return match


def powers(m: M) -> list[int]:
    return [p for p in range(len(A.powers)) if m.state.status[p] == AT_WAR]


def test_who_is_where(match: Match):
    m = match.play
    for space in range(-20, len(A.names)):
        assert at(m.state, space) == [u for u, where in enumerate(m.state.space) if where == space]
    for ship in range(len(m.state.kind)):
        assert list(cargo(m.state, ship)) == [u for u, carrier in enumerate(m.state.cargo_of) if carrier == ship]


def test_the_index_follows_every_move_and_a_clone_goes_its_own_way():
    match = Match.new(GAME, "fall-1939", seed=1, history=False)
    state, (here, there) = match.state, (A.index["berlin"], A.index["hamburg"])
    unit = at(state, here)[0]
    place(state, unit, there)
    assert unit in at(state, there)
    assert unit not in at(state, here)
    twin = match.clone().state
    place(twin, unit, here)
    assert unit in at(state, there)
    assert unit in at(twin, here)


def test_the_roster_knows_owners_and_classes(match: Match):
    state = match.state
    units = roster(state)
    for power in range(len(A.powers)):
        assert list(units.of[power]) == [u for u, p in enumerate(state.power) if p == power]
        assert list(units.ground[power]) == [u for u in units.of[power] if K.cls[state.kind[u]] == GROUND]


def test_stack_points_are_counted_by_side(match: Match):
    state = match.state
    for side in (0, 1):
        for space in A.land:
            stack = [K.stack[state.kind[u]] for u in ground_of_side(state, space, side)]
            assert whereabouts(state).ground[side][space] == sum(stack)
            assert has_ground(state, space, side) == bool(stack)
            assert has_air(state, space, side) == bool(planes_at(state, space, side))


def test_recruits_and_units_that_change_sides_are_counted():
    state, berlin = Match.new(GAME, "fall-1939", seed=3, history=False).state, A.index["berlin"]
    whereabouts(state)
    unit = add_unit(state, K.infantry, A.germany, berlin)
    assert unit in roster(state).ground[A.germany]
    state.power = put(state.power, unit, A.britain)
    remove(state, at(state, berlin)[0])
    same_as_made_anew(state)
    assert unit in roster(state).ground[A.britain]
    assert unit not in roster(state).ground[A.germany]


def same_as_made_anew(state: W2State) -> None:
    """Facts that are brought up to date are those that are made from scratch."""
    where, fresh = whereabouts(state), made_anew(whereabouts)(state)
    assert [list(row) for row in where.rows] == [list(row) for row in fresh.rows]
    assert (where.points, where.troops) == (fresh.points, fresh.troops)
    for name in TABLES:
        assert [list(row) for row in getattr(roster(state), name)] == getattr(made_anew(roster)(state), name)
    assert holdings(state) == made_anew(holdings)(state)
    assert [sea_control(state, side) for side in (0, 1)] == [_wardens(state, side) for side in (0, 1)]
    assert airfields(state) == made_anew(_fields_without_airbases)(state) | airbases(state)


def made_anew(fact: Any) -> Any:
    """The function behind a fact, which remembers nothing."""
    return fact.__wrapped__


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_facts_brought_up_to_date_are_those_made_from_scratch(scenario: str):
    match, rng = Match.new(GAME, scenario, seed=5, history=False), Random(5)
    for _ in range(400):
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
        same_as_made_anew(match.state)
