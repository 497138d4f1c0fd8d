"""States hold only what cannot be changed in place, so a clone shares it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from sandtable.core import State
from sandtable.core.codec import Codec
from sandtable.core.immutable import is_immutable
from tests.demo.game import GAME
from tests.demo.state import DemoState


class Leaf(msgspec.Struct, frozen=True):
    number: int
    names: tuple[str, ...] = ()


class Leaky(msgspec.Struct, frozen=True):
    numbers: list[int]


class Pouch(msgspec.Struct):
    coins: int


@pytest.mark.parametrize(
    "kind", [int, str, bytes, Leaf, Leaf | None, tuple[Leaf, ...], Mapping[int, Leaf], Sequence[int], frozenset[int]]
)
def test_values_that_never_change_may_be_in_a_state(kind: object) -> None:
    assert is_immutable(kind)


@pytest.mark.parametrize(
    "kind",
    [list[int], dict[str, int], set[int], bytearray, Leaky, Pouch, tuple[list[int], ...], Mapping[int, list[int]],
     list[int] | None],
)  # fmt: skip
def test_values_that_can_change_may_not(kind: object) -> None:
    assert not is_immutable(kind)


class Losses(State, kw_only=True):
    lost: list[int]


def test_a_column_that_can_be_changed_in_place_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="the column lost of Losses can be changed in place"):
        Codec(Losses, (), (), ())


def test_a_clone_is_another_state_with_the_same_columns() -> None:
    state: DemoState = GAME.begin("war", {})
    twin = GAME.codec.clone(state)
    assert twin == state
    assert twin is not state
    assert twin.space is state.space
    twin.turn = 5
    assert state.turn == 1
