"""What a clone copies: only the columns that change at every move are lists; all else is shared."""

from __future__ import annotations

import copy
from random import Random

from sandtable.core import Match
from sandtable.core.clone import is_immutable
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.state import W2State
from sandtable.lab.fuzz import random_play

HOT = {"stack", "orders", "space", "cargo_of", "flags", "task", "owner", "money", "rps", "rps_used"}


def mutable_fields() -> set[str]:
    import typing

    hints = typing.get_type_hints(W2State, include_extras=True)
    return {name for name in W2State.__struct_fields__ if not is_immutable(hints[name])}


def test_only_the_hot_columns_are_copied():
    assert mutable_fields() == HOT


def test_a_clone_shares_the_cold_columns_and_copies_the_hot_ones():
    match = Match.new(GAME, "spring-1941", seed=5, history=False)
    random_play(match, Random(5), most=150)
    state = match.state
    twin = GAME.codec.clone(state)
    assert twin == state == copy.deepcopy(state)
    for name in W2State.__struct_fields__:
        value = getattr(state, name)
        if name in HOT and isinstance(value, list):
            assert getattr(twin, name) is not value, name
        elif isinstance(value, tuple):
            assert getattr(twin, name) is value, name


def test_playing_on_a_clone_leaves_the_original_alone():
    match = Match.new(GAME, "fall-1939", dict.fromkeys(GAME.options, True), seed=6, history=False)
    random_play(match, Random(6), most=60)
    before = copy.deepcopy(match.state)
    random_play(match.clone(), Random(7), most=250)
    assert match.state == before
