"""What a clone costs: only the parts of the state that change all the time are copied."""

from random import Random

from sandtable.core import Match
from sandtable.core.clone import _field_types, is_immutable
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.state import MunichState
from sandtable.lab.fuzz import random_play

HOT = {"stack", "orders", "where", "steps", "flags"}


def test_only_the_hot_fields_are_mutable():
    assert {name for name, kind in _field_types(MunichState).items() if not is_immutable(kind)} == HOT


def test_a_clone_shares_what_is_replaced_whole_and_copies_the_rest():
    match: Match[MunichState] = Match.new(GAME, "general-war", seed=4, history=False)
    random_play(match, Random(4), most=90)
    state = match.state
    copy = GAME.codec.clone(state)
    assert copy == state
    for name in state.__struct_fields__:
        mine, theirs = getattr(state, name), getattr(copy, name)
        if name in HOT:
            assert mine is not theirs
        else:
            assert mine is theirs


def test_what_a_clone_shares_is_not_changed_by_playing_on():
    match: Match[MunichState] = Match.new(GAME, "anti-comintern-war", dict.fromkeys(GAME.options, True), seed=9)
    rng = Random(9)
    while not match.over and match.number < 160:
        before = GAME.codec.clone(match.state)
        packed = GAME.codec.pack(before)
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
        assert GAME.codec.pack(before) == packed
