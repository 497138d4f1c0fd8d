"""The learned judgement: a chance to win for every role of every game, quick and the same everywhere."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from sandtable.core import Match, Outcome, SandtableError
from sandtable.games import find, games
from sandtable.players.judgement import FARTHEST, FILE, Model, Tree, chance, chances, features, load, shares
from tests.demo.game import GAME

_MOST_STEPS = 5000
"""Comparisons and additions of one evaluation: about half a millisecond in plain Python on a slow machine."""


def somewhere(name: str, scenario: str, moves: int) -> Match:
    """A match after some random moves."""
    match, rng = Match.new(find(name), scenario, seed=5, history=False), Random(f"{name}/{scenario}")
    for _ in range(moves):
        if match.over:
            break
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
    return match


CASES = [(name, scenario, moves) for name in games() for scenario in find(name).scenarios for moves in (0, 150)]


@pytest.mark.parametrize(("name", "scenario", "moves"), CASES)
def test_chances_are_shares_of_one_win_and_always_the_same(name: str, scenario: str, moves: int) -> None:
    match = somewhere(name, scenario, moves)
    before = match.digest()
    found = chances(match)
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 <= value <= 1 for value in found.values())
    assert sorted(role for roles in found for role in roles) == sorted(match.roles)
    for roles, value in found.items():
        assert {chance(match, role) for role in roles} == {value}
    again = match.game.codec.unpack(match.game.codec.pack(match.state))
    assert chances(again, match.game) == found
    assert chances(match.play) == found
    assert match.digest() == before


@pytest.mark.parametrize("name", games())
def test_a_game_brings_a_model_that_is_small_and_quick(name: str) -> None:
    game = find(name)
    model = load(game)
    assert model is not None
    assert (game.home / FILE).stat().st_size <= 1_000_000
    assert model.made_by.startswith(f"./sandtable train {name} ")
    assert (
        len(model.features) * (1 + len(model.shift)) + sum(len(tree.asks) + len(model.shift) for tree in model.trees)
        <= _MOST_STEPS
    )
    there: set[str] = set()
    for scenario in game.scenarios:
        match = somewhere(name, scenario, 150)
        there |= set(features(match.play))
        assert set(game.judge().parties(game, match.state)) <= set(model.parties)
    assert model.matches >= 40
    # a feature that no position has is a misspelt one
    known = [feature for feature in model.features if feature in there]
    assert len(known) >= 0.8 * len(model.features)


def test_a_tree_answers_by_the_bits_of_its_questions() -> None:
    tree = Tree(((0, 1.5), (1, 0.0)), ((1.0,), (2.0,), (3.0,), (4.0,)))
    plain = ((0.0, 1.0), (0.0, 1.0))
    model = Model("", 1, 1, ("a", "b"), ("x", "y"), plain, (0.5,), ((0.0, 0.0),), (tree, tree), 2.0, (0.25,))
    rows = {(1.0, 0.0): 1.0, (2.0, 0.0): 2.0, (1.0, 1.0): 3.0, (2.0, 1.0): 4.0}
    for row, value in rows.items():
        assert model.scores(row) == [0.0, 2.0 * (0.5 + 2 * value) + 0.25]
    assert model.chances({"x": 2.0}, ["b"]) == [1.0]
    one, other = model.chances({"x": 2.0}, ["a", "b"])
    assert one + other == pytest.approx(1)
    assert other > 0.99


def test_features_are_counted_in_spreads_from_their_means() -> None:
    model = Model("", 1, 1, ("a", "b"), ("x", "y"), ((10.0, 2.0), (0.0, 1.0)), (0.5,), ((3.0, 1.0),), (), 1.0, (0.0,))
    assert model.scores((12.0, 2.0)) == [0.0, 0.5 + 3.0 * 1.0 + 2.0]
    assert model.scores((10.0, 1e9)) == [0.0, 0.5 + FARTHEST]


def test_a_finished_match_is_known() -> None:
    match = Match.new(GAME, "war", seed=1)
    red, blue, green = GAME.roles
    match.state.outcome = Outcome((blue,), "victory", "demo-victory")
    assert [chance(match, role) for role in (red, blue, green)] == [0.0, 1.0, 0.0]
    match.state.outcome = Outcome((), "draw", "demo-victory")
    assert chance(match, red) == pytest.approx(1 / 3)
    assert shares({"one": ("a", "b"), "two": ("c",)}, ("a", "c")) == [0.5, 0.5]


def test_a_game_without_a_model_is_judged_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new(GAME, "war", seed=1)
    assert load(GAME) is None
    assert chance(match, GAME.roles[0]) == pytest.approx(1 / 3)
    monkeypatch.setattr(GAME.judge(), "worth", lambda m, role: 3.0 if role == GAME.roles[1] else 0.0)
    found = [chance(match, role) for role in GAME.roles]
    assert found[1] > 0.5 > found[0] == found[2]
    assert chance(match, "nobody") == 0.0


def test_it_runs_where_only_the_standard_library_and_msgspec_are() -> None:
    code = "import sys; sys.modules.update(dict.fromkeys(('numpy', 'rich', 'scipy')))\n"
    code += "import sandtable; from sandtable.players.judgement import chances\n"
    code += "for name in sandtable.games():\n"
    code += "    game = sandtable.find(name)\n"
    code += "    print(sum(chances(sandtable.Match.new(game, next(iter(game.scenarios)), seed=1)).values()))\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [float(line) for line in done.stdout.split()] == pytest.approx([1.0] * len(games()))


def test_a_state_alone_does_not_know_its_game() -> None:
    with pytest.raises(SandtableError, match="does not know its game"):
        chance(Match.new(GAME, "war", seed=1).state, "red")
