"""Clones share what cannot change and copy what can."""

import copy

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.clone import cloner, is_immutable


class Leaf(msgspec.Struct, frozen=True):
    number: int
    names: tuple[str, ...] = ()


class Pouch(msgspec.Struct):
    coins: list[int]


class Chest(msgspec.Struct):
    numbers: list[int]
    rows: list[list[int]]
    table: dict[str, list[int]]
    flags: dict[int, bool]
    leaf: Leaf
    leaves: list[Leaf]
    pouch: Pouch
    pouches: list[Pouch]
    maybe: list[int] | None = None
    raw: bytearray = bytearray()


chests = st.builds(
    Chest,
    numbers=st.lists(st.integers(0, 9)),
    rows=st.lists(st.lists(st.integers(0, 9)), max_size=3),
    table=st.dictionaries(st.text(max_size=2), st.lists(st.integers(0, 9)), max_size=3),
    flags=st.dictionaries(st.integers(0, 9), st.booleans()),
    leaf=st.builds(Leaf, st.integers()),
    leaves=st.lists(st.builds(Leaf, st.integers()), max_size=3),
    pouch=st.builds(Pouch, st.lists(st.integers(0, 9))),
    pouches=st.lists(st.builds(Pouch, st.lists(st.integers(0, 9))), max_size=3),
    maybe=st.none() | st.lists(st.integers(0, 9)),
)


@given(chests)
def test_a_clone_is_equal_and_independent(chest):
    clone = cloner(Chest)
    before = copy.deepcopy(chest)
    twin = clone(chest)
    assert twin == chest
    twin.numbers.append(1)
    twin.rows.append([1])
    for row in twin.rows:
        row.append(2)
    for row in twin.table.values():
        row.append(3)
    twin.flags[99] = True
    twin.pouch.coins.append(4)
    for pouch in twin.pouches:
        pouch.coins.append(5)
    if twin.maybe is not None:
        twin.maybe.append(6)
    twin.raw.append(7)
    assert chest == before


def test_frozen_things_are_shared():
    chest = Chest([], [], {}, {}, Leaf(1), [Leaf(2)], Pouch([]), [])
    twin = cloner(Chest)(chest)
    assert twin.leaf is chest.leaf
    assert twin.leaves[0] is chest.leaves[0]


class Leaky(msgspec.Struct, frozen=True):
    numbers: list[int]


class Vague(msgspec.Struct):
    things: list


class Torn(msgspec.Struct):
    either: list[int] | dict[str, int]


class Unordered(msgspec.Struct):
    flags: set[int]


def test_what_cannot_be_cloned_safely_is_refused_at_once():
    assert not is_immutable(Leaky)
    with pytest.raises(TypeError, match="annotate"):
        cloner(Vague)
    with pytest.raises(TypeError, match="union"):
        cloner(Torn)
    with pytest.raises(TypeError, match="cannot hold a set"):
        cloner(Unordered)
