"""Every game as a PettingZoo environment: PettingZoo's own tests, and what ours promises beyond them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sandtable

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from sandtable.env import Environment, hashed

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def made(game: str, **more: Any) -> Environment:
    env: Any = sandtable.env
    found = env(game, **more)
    assert isinstance(found, Environment)
    return found


@pytest.mark.parametrize("game", sandtable.games())
def test_pettingzoo_is_content_with_the_interface(game: str) -> None:
    api_test(made(game), num_cycles=12)


@pytest.mark.parametrize("game", sandtable.games())
def test_the_same_seed_plays_the_same(game: str) -> None:
    seed_test(lambda: made(game), num_cycles=12)


def played(env: Environment, seed: int) -> list[float]:
    """A whole match of random choices; the rewards of all agents at its end."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            return [env.rewards[name] for name in env.agents]
        assert agent in env.match.decisions()
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    raise AssertionError("the match does not end")


def test_a_match_ends_with_a_reward_for_the_winners() -> None:
    env = made("hitlers-war", scenario="barbarossa", choices=16)
    rewards = played(env, 5)
    assert env.match.outcome is not None
    assert rewards == [1.0 if role in env.match.outcome.winners else -1.0 for role in env.possible_agents]


def test_a_match_can_be_cut_off() -> None:
    env = made("munich-war", most_decisions=30)
    assert played(env, 1) == [0.0, 0.0]
    assert all(env.truncations.values())
    assert env.match.number == 30


def test_small_positions_show_every_action_and_large_ones_a_fair_choice() -> None:
    env = made("munich-war", choices=24)
    env.reset(seed=3)
    rng, small, large = np.random.default_rng(3), 0, 0
    for _ in range(200):
        if env.match.over:
            break
        agent = env.agent_selection
        offers = env.match.offers(agent)
        found = env.candidates()
        assert 1 <= len(found) <= 24
        assert len(set(found)) == len(found)
        assert all(action in offers for action in found)
        kinds = {type(action) for action in found}
        if len(found) < 24 and len(list(offers)) == len(found):
            small += 1
            assert found == list(offers)
        else:
            large += 1
            assert {offer.act for offer in offers.offers if offer} <= kinds
        env.step(int(rng.integers(len(found))))
    assert small
    assert large


def test_choices_outside_the_mask_are_errors() -> None:
    env = made("hitlers-war")
    env.reset()
    with pytest.raises(ValueError, match="no candidate"):
        env.step(len(env.candidates()))
    with pytest.raises(ValueError, match="two candidates"):
        made("hitlers-war", choices=1)


def test_only_the_acting_agent_sees_candidates_and_nobody_sees_more_than_his_view() -> None:
    env = made("munich-war")
    env.reset(seed=2)
    other = next(name for name in env.agents if name != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()
    seen = env.observe(env.agent_selection)
    assert seen["action_mask"].sum() == len(env.candidates())
    assert seen["observation"].shape == (1024,)
    assert not np.array_equal(seen["observation"], env.observe(other)["observation"])


def test_equal_facts_are_in_equal_places() -> None:
    one, other = hashed({"a": [1, 2], "b": "x"}, 64), hashed({"b": "x", "a": (1, 2)}, 64)
    assert np.array_equal(one, other)
    assert not np.array_equal(one, hashed({"a": [2, 1], "b": "x"}, 64))
    assert not hashed({"a": None, "b": [], "c": 0}, 64).any()


def test_it_can_be_drawn_in_words() -> None:
    env = made("hitlers-war", render_mode="ansi")
    env.reset()
    assert env.render()
    assert made("hitlers-war").render_mode is None
