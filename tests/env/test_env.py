"""Every game as an environment: PettingZoo's and Gymnasium's own tests, and what ours promises beyond them."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import sandtable

pytest.importorskip("pettingzoo")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from sandtable.core import Match
from sandtable.core.errors import Unknown
from sandtable.core.schema import Column
from sandtable.env import Environment, Eyes, Solo
from sandtable.games import find
from tests.cli.snippets import SCENARIOS

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
GAMES = sandtable.games()


def made(game: str, **more: Any) -> Environment:
    env: Any = sandtable.env
    found = env(game, **more)
    assert isinstance(found, Environment)
    return found


# ---- other people's tests
@pytest.mark.parametrize("by_field", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_is_content_with_the_interface(game: str, by_field: bool) -> None:
    api_test(made(game, by_field=by_field, measures=True), num_cycles=12)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_plays_the_same(game: str) -> None:
    seed_test(lambda: made(game), num_cycles=12)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_is_content_with_one_side_against_a_level(game: str) -> None:
    check_env(Solo(game, choices=8, most_decisions=30), skip_render_check=True)


def test_gymnasium_runs_several_at_once() -> None:
    envs = gymnasium.vector.SyncVectorEnv([lambda: Solo("hitlers-war", "barbarossa", choices=8)] * 3)
    seen, _ = envs.reset(seed=1)
    assert seen["space"].shape[0] == 3
    assert not np.array_equal(seen["candidates"][0], seen["candidates"][1])
    for _ in range(20):
        masks = seen["action_mask"]
        seen, rewards, _, _, _ = envs.step(np.array([np.flatnonzero(mask)[-1] for mask in masks]))
    assert rewards.shape == (3,)
    envs.close()


# ---- whole matches
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


@pytest.mark.parametrize("by_field", [False, True])
def test_a_match_ends_with_a_reward_for_the_winners(by_field: bool) -> None:
    env = made("hitlers-war", scenario="barbarossa", choices=16, by_field=by_field)
    rewards = played(env, 5)
    assert env.match.outcome is not None
    assert rewards == [1.0 if role in env.match.outcome.winners else -1.0 for role in env.possible_agents]


def test_a_lesser_victory_is_a_smaller_reward() -> None:
    env = made("ww2-europe", turns=1, choices=4)
    rewards = played(env, 1)
    assert env.outcome is not None
    assert env.outcome.level == "minor"
    assert sorted(set(rewards)) == [-0.5, 0.5]
    assert played(made("munich-war", turns=1, choices=2), 1) == [-1.0, 1.0]


def test_a_match_can_be_cut_off() -> None:
    env = made("munich-war", most_decisions=30)
    assert played(env, 1) == [0.0, 0.0]
    assert all(env.truncations.values())
    assert env.match.number == 30


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_one_turn_ends_as_it_stands(game: str) -> None:
    env = made(game, turns=1, choices=4)
    first = env.game.turn(env.game.begin(env.scenario, env.options))
    rewards = played(env, 1)
    assert env.outcome is not None
    assert not env.match.over
    assert env.game.turn(env.match.state) != first
    assert env.outcome == (env.match.standing().today or env.outcome)
    assert [reward > 0 for reward in rewards] == [role in env.outcome.winners for role in env.possible_agents]


# ---- prepared positions
TRAINING = [(game, f"training/{path.stem}") for game in GAMES for path in find(game).home.glob("training/*.toml")]


@pytest.mark.parametrize(("game", "position"), [*TRAINING, ("hitlers-war", "lessons/8-the-last-summer")])
def test_a_match_can_begin_in_a_prepared_position(game: str, position: str) -> None:
    env = made(game, position=position, turns=1, choices=4)
    env.reset(seed=1)
    first = env.match
    assert first.state != env.game.begin(env.scenario, env.options)
    env.reset(seed=2)
    assert env.match.state == first.state
    assert env.match.seed != first.seed
    again = pickle.loads(pickle.dumps(env))
    assert played(again, 1) == played(env, 1)
    assert again.match.state == env.match.state
    assert env.game.faults(env.match.state) == []


@pytest.mark.parametrize(("game", "position"), TRAINING)
def test_a_training_position_is_sometimes_won_by_random_choices(game: str, position: str) -> None:
    """So that there is something to learn from, and something to learn."""
    solo = Solo(game, position=position, choices=16, turns=2)
    rng, won = Random(1), []
    for seed in range(60):
        solo.reset(seed=seed)
        while solo.inner.outcome is None:
            solo.step(rng.randrange(len(solo.inner.candidates())))
        won.append(solo.roles[0] in solo.inner.outcome.winners)
    assert 1 <= sum(won) <= 30


def test_a_position_is_named_or_written_down() -> None:
    words = {"scenario": "spring-1941", "turn": "summer 1941"}
    env = made("ww2-europe", position=words)
    env.reset()
    assert (env.scenario, env.game.turn(env.match.state)) == ("spring-1941", "summer 1941")
    with pytest.raises(ValueError, match="not both"):
        made("ww2-europe", scenario="spring-1941", position=words)
    with pytest.raises(Unknown, match="no position 'moscow'; it has lessons/1-read-the-map,"):
        made("ww2-europe", position="moscow")


def test_shaping_adds_up_to_what_was_gained_and_changes_nothing_at_the_end() -> None:
    env = made("hitlers-war", scenario="barbarossa", shaping=0.5)
    env.reset(seed=3)
    at_first = env.potentials()
    total, rng = dict.fromkeys(env.agents, 0.0), Random(3)
    while env.outcome is None:
        env.step(rng.randrange(len(env.candidates())))
        for role in env.agents:
            total[role] += env.rewards[role]
    assert any(at_first.values())
    for role in env.agents:
        result = 1.0 if role in env.outcome.winners else -1.0
        assert total[role] == pytest.approx(result - 0.5 * at_first[role])


# ---- candidates
@pytest.mark.parametrize("game", GAMES)
def test_candidates_are_offered_differ_and_fill_their_places(game: str) -> None:
    env = made(game, choices=12)
    env.reset(seed=3)
    rng, small, large = Random(3), 0, 0
    for _ in range(120):
        if env.match.over:
            break
        offers, found = env.match.offers(env.agent_selection), env.candidates()
        assert len(set(found)) == len(found) <= 12
        assert all(offers.check(action) is None for action in found)
        listed = set()
        for action in offers:
            listed.add(action)
            if len(listed) > 40:
                break
        if len(listed) <= 12:
            small += 1
            assert set(found) == listed
        elif len(listed) > 40:
            large += 1
            assert len(found) == 12
            assert {offer.act for offer in offers.offers if offer} <= {type(action) for action in found}
        env.step(rng.randrange(len(found)))
    assert small
    assert large


@pytest.mark.parametrize("game", GAMES)
def test_field_by_field_every_choice_leads_to_an_action(game: str) -> None:
    env = made(game, by_field=True, choices=16)
    env.reset(seed=4)
    rng, steps = Random(4), 0
    while env.match.number < 60 and not env.match.over:
        seen = env.observe(env.agent_selection)
        assert seen["action_mask"].sum() == len(env.candidates()) > 0
        env.step(rng.randrange(len(env.candidates())))
        steps += 1
    assert steps > env.match.number


def test_a_row_says_what_a_candidate_does() -> None:
    env = made("hitlers-war", scenario="barbarossa")
    env.reset(seed=1)
    armies = next(table for table in env.schema.tables if table.name == "army")
    for _ in range(60):
        rows = env.observe(env.agent_selection)["candidates"]
        for row, action in zip(rows, env.candidates(), strict=False):
            assert row[0] == env.verbs[type(action)]
            if type(action).__name__ == "March":
                assert armies.names[row[1] - armies.first] == action.army
                return
        env.step(0)
    raise AssertionError("nobody marches")


def test_choices_outside_the_mask_are_errors() -> None:
    env = made("hitlers-war")
    env.reset()
    with pytest.raises(ValueError, match="no candidate"):
        env.step(len(env.candidates()))
    with pytest.raises(ValueError, match="two candidates"):
        made("hitlers-war", choices=1)
    with pytest.raises(sandtable.SandtableError, match="no side 'nobody'"):
        Solo("hitlers-war", side="nobody")


# ---- observations
def walked(game: str, scenario: str, decisions: int) -> list[Match[Any]]:
    """Positions of a random match."""
    match, rng, found = Match.new(sandtable.find(game), scenario, seed=6, history=False), Random(6), []
    for number in range(decisions):
        if match.asked is None:
            break
        match.apply(match.asked, match.offers(match.asked).sample(rng))
        if number % 9 == 0:
            found.append(match.clone())
    return found


def numbers(value: Any, form: Column) -> list[int]:
    if form.kind == "holders":
        return [place + 1 for place, things in enumerate(value) if things]
    if form.kind == "sets":
        return []
    values = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, bytes)) else (value,)
    return [int(number) for item in values for number in (item if isinstance(item, tuple) else (item,))]


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_schema_has_a_number_for_everything(game: str, scenario: str) -> None:
    """No index or flag of a view is out of its range, so that nothing is cut off in the arrays."""
    schema = sandtable.find(game).schema()
    for match in walked(game, scenario, 400):
        state = match.view(match.roles[0]).state
        for table in (*schema.tables, schema.match):
            for form in table.columns:
                if form.fixed:
                    assert len(form.fixed) == len(table) * form.width
                    continue
                found = numbers(getattr(state, form.name), form)
                if form.kind == "index":
                    assert max(found, default=form.least) < form.least + form.size, (form.name, max(found))
                elif form.kind == "bits":
                    assert max(found, default=0) < 1 << form.size, form.name
                    assert min(found, default=0) >= 0, form.name
                elif form.kind == "holders":
                    assert max(found, default=0) < form.size


@pytest.mark.parametrize("game", GAMES)
def test_arrays_brought_up_to_date_are_those_made_anew(game: str) -> None:
    env = made(game, choices=8)
    env.reset(seed=8)
    rng, same = Random(8), 0
    before: dict[str, Any] = {}
    for _ in range(150):
        if env.match.over:
            break
        agent = env.agent_selection
        seen = env.observe(agent)
        fresh = Eyes(env.game).look(env.match.view(agent).state)
        for name, table in fresh.items():
            assert np.array_equal(seen[name], table), name
            assert not seen[name].flags.writeable
            same += seen[name] is before.get(name)
        assert seen in env.observation_space(agent)
        before = seen
        env.step(rng.randrange(len(env.candidates())))
    assert same
    assert env.state() in env.state_space


def test_an_array_shows_what_the_state_says() -> None:
    env = made("hitlers-war", scenario="barbarossa")
    env.reset(seed=1)
    env.step(0)
    state, seen = env.match.state, env.observe("axis")
    assert seen["space"][:, 5].tolist() == list(state.owner)
    assert seen["army"][:, 1].tolist() == [place + 1 for place in state.army_at]
    assert seen["army"][:, 2:7].ravel().tolist() == list(state.strength)
    assert seen["match"][3] == state.turn


def test_flags_may_be_more_than_an_int32_holds() -> None:
    """A nation at war with the 32nd: its flags are a number above 2**31."""
    env = made("blitzkrieg-general", scenario="1941-advanced")
    env.reset(seed=1)
    state = env.game.codec.clone(env.match.state)
    state.war = (1 << 31 | 1, *state.war[1:])
    table = next(table for table in env.schema.tables if table.name == "nation")
    names = [column.name for column in table.columns]
    first = sum(column.places for column in table.columns[: names.index("war")])
    flags = Eyes(env.game).look(state)["nation"][0, first : first + 32]
    assert np.flatnonzero(flags).tolist() == [0, 31]


@pytest.mark.parametrize("game", GAMES)
def test_nobody_observes_what_they_may_not_know(game: str) -> None:
    """Two positions that differ only in what is hidden from a role are the same arrays."""
    different = 0
    for match in walked(game, list(sandtable.find(game).scenarios)[-1], 200):
        role = match.roles[0]
        env, other = (made(game, scenario=match.scenario, measures=True, shaping=1.0) for _ in range(2))
        env.reset()
        other.reset()
        env.match, other.match = match, match.scramble(role, Random(1))
        for one in (env, other):
            one._ask()
            one._rng = Random(2)
        mine, theirs = env.observe(role), other.observe(role)
        assert all(np.array_equal(mine[name], theirs[name]) for name in mine)
        assert env.potentials()[role] == other.potentials()[role]
        different += not np.array_equal(env.state(), other.state())
    assert bool(different) != env.game.public(match.state)


def test_only_the_acting_agent_sees_candidates() -> None:
    env = made("munich-war")
    env.reset(seed=2)
    other = next(name for name in env.agents if name != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()
    assert env.observe(env.agent_selection)["action_mask"].sum() == len(env.candidates())


# ---- copies
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
@pytest.mark.parametrize("game", GAMES)
def test_copies_of_match_and_environment_play_on_alike(game: str, duplicate: Any) -> None:
    for by_field in (False, True):
        env = made(game, by_field=by_field, choices=8)
        env.reset(seed=7)
        rng = Random(7)
        for _ in range(40):
            env.step(rng.randrange(len(env.candidates())))
        other = duplicate(env)
        assert other.game is env.game
        before = env.match.digest()
        choices = []
        for _ in range(40):
            choices.append(rng.randrange(len(other.candidates())))
            other.step(choices[-1])
        assert env.match.digest() == before != other.match.digest()
        for choice in choices:
            env.step(choice)
        assert env.match.digest() == other.match.digest()
        assert env.candidates() == other.candidates()


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_of_a_match_keeps_its_history(game: str) -> None:
    match, rng = sandtable.new(game, seed=2), Random(2)
    for _ in range(30):
        assert match.asked is not None
        match.apply(match.asked, match.offers(match.asked).sample(rng))
    for other in (copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert other.game is match.game
        assert sandtable.save(other) == sandtable.save(match)
        role = other.decisions()[0]
        other.apply(role, other.offers(role).sample(Random(1)))
        assert other.digest() != match.digest()


def test_a_copy_of_a_solo_environment_plays_the_same() -> None:
    env = Solo("hitlers-war", "barbarossa", side="soviet", choices=8)
    env.reset(seed=1)
    other = copy.deepcopy(env)
    for _ in range(30):
        assert env.inner.agent_selection == "soviet"
        mine, theirs = env.step(1), other.step(1)
        assert all(np.array_equal(mine[0][name], theirs[0][name]) for name in mine[0])
        assert mine[1:] == theirs[1:]


def test_several_roles_can_be_one_side() -> None:
    env = Solo("ww2-europe", side="allies", choices=8, most_decisions=60)
    assert set(env.roles) > {"france", "great_britain"}
    env.reset(seed=1)
    asked, over = set(), False
    while not over:
        asked.add(env.inner.agent_selection)
        assert env.action_masks().sum() == len(env.inner.candidates())
        _, _, ended, cut, _ = env.step(0)
        over = ended or cut
    assert asked <= set(env.roles)


def test_it_can_be_drawn_in_words() -> None:
    env = made("hitlers-war", render_mode="ansi")
    env.reset()
    assert env.render()
    assert made("hitlers-war").render_mode is None


def test_the_schema_can_be_read() -> None:
    text = repr(made("hitlers-war").schema)
    assert "army: 36 rows of 17" in text
    assert "  1: army_at (index of 424, 0 is -1)" in text
