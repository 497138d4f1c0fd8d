"""What is found on a short cut is what the long way finds, in positions as random play makes them."""

from collections.abc import Iterator
from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.atlas import ATLAS
from sandtable.games.munich_war.model.hexsets import bits, flood
from sandtable.games.munich_war.model.state import OFF_MAP, M
from sandtable.games.munich_war.rules.air import in_range, within
from sandtable.games.munich_war.rules.movement import movable
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.naval import has_passengers, ready_markers, waiting
from sandtable.games.munich_war.rules.railroads import entry_reach, rail_path, rail_reach, searched_path, why_not_rail
from sandtable.games.munich_war.rules.retreat import all_paths, best_paths


def movement_phases(scenario: str, seed: int) -> Iterator[tuple[M, int]]:
    """Every question of the Movement Phases of a match, with the side that is asked."""
    match, rng = Match.new(GAME, scenario, seed=seed, history=False), Random(seed)
    while not match.over:
        step = match.step
        if isinstance(step, Movement):
            yield match.play, step.side
        (role,) = match.decisions()
        match.apply(role, match.offers(role).sample(rng))


@pytest.mark.parametrize("scenario", ["general-war", "intermarium"])
def test_the_way_nobody_disturbs_is_the_one_a_search_finds(scenario):
    straight = bent = 0
    rng = Random(scenario)
    for m, side in movement_phases(scenario, 5):
        riders = [unit for unit in movable(m, side) if why_not_rail(m, unit) is None]
        for unit in rng.sample(riders, min(2, len(riders))):
            start = 1 << m.state.where[unit]
            for at in bits(rail_reach(m, unit)):
                assert rail_path(m, unit, start, at) == searched_path(m, unit, start, at)
                straight += 1
                bent += len(rail_path(m, unit, start, at)) - 1 > ATLAS.distance(m.state.where[unit], at)
    assert straight > 500
    assert bent


def test_the_way_in_from_off_the_map_is_the_one_a_search_finds():
    found = []
    for m, _ in movement_phases("anti-comintern-war", 6):
        for unit in [unit for unit, place in enumerate(m.state.where) if place == OFF_MAP][:2]:
            gates = ATLAS.east_rail & entry_reach(m, unit)
            for at in bits(entry_reach(m, unit)):
                found.append(rail_path(m, unit, gates, at))
                assert found[-1] == searched_path(m, unit, gates, at)
    assert {len(path) for path in found} > {1, 2, 3}
    assert len({path[0] for path in found}) > 2


@pytest.mark.parametrize("scenario", ["general-war", "western-powers-guarantee"])
def test_who_waited_on_the_quay_is_asked_again(scenario):
    answers = []
    for m, side in movement_phases(scenario, 3):
        for marker in ready_markers(m, side):
            answers.append(has_passengers(m, marker))
            assert answers[-1] == (next(waiting(m, marker), None) is not None)
    assert {True, False} == set(answers)


def test_flights_reach_what_a_step_by_step_spread_does():
    rng, board = Random(7), list(bits(ATLAS.board))
    for _ in range(300):
        base, distance = rng.choice(board), rng.randrange(10)
        sky = ATLAS.board
        for country in rng.sample(ATLAS.countries, 5):
            sky &= ~country.hexes
        near = sky & within(base, distance)
        assert in_range(base, sky, distance) == flood(1 << base, ATLAS.all_edges, near, distance)


def test_retreats_cut_short_are_none_that_may_be_chosen():
    rng, costs = Random(8), set()
    for m, side in movement_phases("anti-comintern-war", 4):
        for unit in rng.sample(movable(m, side), min(3, len(movable(m, side)))):
            for distance in (1, 2, 3):
                every = [way for way in all_paths(m, unit, distance) if way[0] < m.state.steps[unit]]
                least = min((cost for cost, _ in every), default=0)
                assert best_paths(m, unit, distance) == [path for cost, path in every if cost == least]
                costs.add(least)
    assert costs == {0, 1}
