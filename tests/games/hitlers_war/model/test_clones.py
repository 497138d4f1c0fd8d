"""Clones are cheap by design: all that the game itself adds to a state is shared, never changed in place."""

from __future__ import annotations

import copy
import typing
from random import Random

import pytest

from sandtable.core import Match
from sandtable.core.clone import is_immutable
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.rows import having, lacking, put, shifted
from sandtable.games.hitlers_war.model.state import War
from sandtable.lab.fuzz import random_play
from tests.games.hitlers_war.lively import EVERYTHING


def test_a_clone_copies_the_stack_and_the_standing_orders_and_nothing_else():
    hints = typing.get_type_hints(War, include_extras=True)
    assert [name for name in War.__struct_fields__ if not is_immutable(hints[name])] == ["stack", "orders"]


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_no_rule_changes_what_clones_share(scenario: str):
    match = Match.new(GAME, scenario, EVERYTHING[scenario], seed=11, history=False)
    rng = Random(11)
    while not match.over and match.number < 300:
        shared, before = match.clone(), copy.deepcopy(match.state)
        random_play(match, rng, most=20)
        assert shared.state == before


def test_changed_copies_leave_the_old_ones_alone():
    row, wide, tally = bytes(3), (0, -1, 300), {4: 1}
    assert (put(row, 1, 7), put(wide, 2, -1)) == (b"\0\7\0", (0, -1, -1))
    assert (having(tally, 2, 5), lacking(tally, 4), lacking(tally, 9)) == ({4: 1, 2: 5}, {}, {4: 1})
    assert (shifted(tally, 4, 2), shifted(tally, 4, -1), shifted(tally, 8, 3)) == ({4: 3}, {}, {4: 1, 8: 3})
    assert (row, wide, tally) == (b"\0\0\0", (0, -1, 300), {4: 1})
    with pytest.raises(ValueError, match="does not fit"):
        put(row, 0, -1)
