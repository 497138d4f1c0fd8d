"""Every game for OpenSpiel, with OpenSpiel's own test."""

from __future__ import annotations

from random import Random

import pytest

import sandtable

pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: locks/bench.txt has it")


@pytest.fixture(autouse=True)
def registered() -> None:
    import sandtable.spiel  # noqa: F401


@pytest.mark.parametrize("game", sandtable.games())
def test_openspiel_is_content(game: str) -> None:
    found = pyspiel.load_game(f"python_sandtable(game={game},choices=4,seeds=3,most=40)")
    pyspiel.random_sim_test(found, num_sims=1, serialize=False, verbose=False)


def test_a_clone_plays_on_alike_and_the_winner_is_paid() -> None:
    game = pyspiel.load_game("python_sandtable(game=hitlers-war,scenario=barbarossa)")
    state, rng = game.new_initial_state(), Random(1)
    state.apply_action(5)
    while not state.is_terminal():
        twin = state.clone()
        choice = rng.choice(state.legal_actions())
        assert twin.action_to_string(choice) == state.action_to_string(choice)
        before = state.match.digest()
        twin.apply_action(choice)
        assert state.match.digest() == before
        state.apply_action(choice)
        assert twin.match.digest() == state.match.digest()
    winners = state.match.outcome.winners
    assert state.returns() == [1.0 if role in winners else -1.0 for role in ("axis", "soviet")]


def test_observations_hold_what_the_player_may_know() -> None:
    game = pyspiel.load_game("python_sandtable(game=munich-war)")
    state = game.new_initial_state()
    state.apply_action(1)
    mine, theirs = state.observation_tensor(0), state.observation_tensor(1)
    assert len(mine) == len(theirs) > 1000
    assert mine != theirs
