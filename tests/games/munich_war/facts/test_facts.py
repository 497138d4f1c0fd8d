"""Facts in positions as random play makes them: remembered or not, they are the same."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from sandtable.core import Match
from sandtable.core.bits import bits
from sandtable.core.facts import strict, without_memory
from sandtable.games.munich_war.facts.air import in_range, within
from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.railroads import rail_path, rail_rings
from sandtable.games.munich_war.facts.retreats import all_paths, best_paths
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.atlas import ATLAS
from sandtable.games.munich_war.model.hexsets import flood
from sandtable.games.munich_war.model.state import M
from sandtable.games.munich_war.rules.movement import movable
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.railroads import why_not_rail


def movement_phases(scenario: str, seed: int) -> Iterator[tuple[M, int]]:
    """Every question of the Movement Phases of a match, with the side that is asked."""
    match, rng = Match.new(GAME, scenario, seed=seed, history=False), Random(seed)
    while not match.over:
        step = match.step
        if isinstance(step, Movement):
            yield match.play, step.side
        (role,) = match.decisions()
        match.apply(role, match.offers(role).sample(rng))


def play_on(scenario: str, seed: int, decisions: int) -> bytes:
    """The state after so many random decisions, all options on, as bytes."""
    match, rng = (
        Match.new(
            GAME,
            scenario,
            {name: True for name, option in GAME.options.items() if not option.choices},
            seed=seed,
            history=False,
        ),
        Random(seed),
    )
    for _ in range(decisions):
        if not match.over:
            (role,) = match.decisions()
            match.apply(role, match.offers(role).sample(rng))
    return GAME.codec.pack(match.state)


@pytest.mark.parametrize("scenario", ["general-war", "intermarium"])
def test_play_is_the_same_without_memory(scenario):
    wanted = play_on(scenario, 5, 250)
    with without_memory():
        assert play_on(scenario, 5, 250) == wanted


@pytest.mark.parametrize("scenario", ["general-war", "intermarium"])
def test_facts_read_only_the_columns_they_name(scenario):
    wanted = play_on(scenario, 6, 250)
    with strict(), without_memory():  # every fact is computed each time, so none is only remembered
        assert play_on(scenario, 6, 250) == wanted


def test_the_board_is_brought_up_to_date_as_if_made_anew():
    for m, _ in movement_phases("general-war", 5):
        kept = board(m.state)
        with without_memory():
            assert board(m.state) == kept


@pytest.mark.parametrize("scenario", ["general-war", "intermarium"])
def test_a_way_by_rail_leads_from_hex_to_hex_and_is_as_long_as_its_ring_is_far(scenario):
    rng, bent = Random(scenario), 0
    for m, side in movement_phases(scenario, 5):
        riders = [unit for unit in movable(m, side) if why_not_rail(m, unit) is None]
        for unit in rng.sample(riders, min(2, len(riders))):
            here = m.state.where[unit]
            for far, ring in enumerate(rail_rings(m.state, unit, 1 << here)):
                for at in bits(ring):
                    path = rail_path(m.state, unit, 1 << here, at)
                    assert (path[0], path[-1], len(path)) == (here, at, far + 1)
                    assert all(pair in ATLAS.rail_links for pair in pairwise(path))
                    bent += far > ATLAS.distance(here, at)
    assert bent


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
                every = [way for way in all_paths(m.state, unit, distance) if way[0] < m.state.steps[unit]]
                least = min(((len(path) > distance, cost) for cost, path in every), default=None)
                best = [path for cost, path in every if (len(path) > distance, cost) == least]
                assert best_paths(m.state, unit, distance) == best
                costs.add(least)
    assert costs >= {(False, 0), (False, 1), (True, 0)}
