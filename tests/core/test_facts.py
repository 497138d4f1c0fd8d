"""Facts and columns: remembered by the columns they came from, and never wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.core.columns import changes, having, lacking, put, put_all, shifted
from sandtable.core.facts import fact, strict, without_memory


class Board(msgspec.Struct):
    space: tuple[int, ...]
    owner: bytes = b"\0\0"
    turn: int = 0

    @property
    def first(self) -> int:
        return self.space[0]

    def last(self) -> int:
        return self.space[-1]


def counted(*columns: str, update: Any = None) -> tuple[Any, list[Board]]:
    """A fact that notes each time it is computed."""
    calls: list[Board] = []

    @fact(*columns, update=update)
    def total(s: Board) -> int:
        calls.append(s)
        return sum(s.space)

    return total, calls


def test_a_fact_is_computed_again_only_when_one_of_its_columns_was_replaced() -> None:
    total, calls = counted("space", "owner")
    board = Board((1, 2))
    assert [total(board), total(board)] == [3, 3]
    board.turn = 5
    assert total(board) == 3
    assert len(calls) == 1
    board.space = put(board.space, 0, 7)
    assert total(board) == 9
    board.owner = put(board.owner, 1, 1)
    assert total(board) == 9
    assert len(calls) == 3


def test_two_positions_can_be_looked_at_by_turns() -> None:
    total, calls = counted("space")
    one, other = Board((1, 2)), Board((5, 5))
    assert [total(one), total(other), total(one), total(other)] == [3, 10, 3, 10]
    assert len(calls) == 2
    assert [total(Board((9,))), total(other), total(one)] == [9, 10, 3]
    assert len(calls) == 4


def test_equal_columns_of_another_state_are_as_good() -> None:
    total, calls = counted("space")
    assert total(Board((1, 2))) == total(Board((1, *[2]))) == 3
    assert len(calls) == 1


def test_a_fact_with_arguments_remembers_each_of_them() -> None:
    calls: list[int] = []

    @fact("space")
    def over(s: Board, least: int) -> int | None:
        calls.append(least)
        return next((value for value in s.space if value > least), None)

    board = Board((1, 2))
    assert [over(board, 0), over(board, 1), over(board, 0), over(board, 2), over(board, 2)] == [1, 2, 1, None, None]
    assert calls == [0, 1, 2]
    board.space = (4,)
    assert over(board, 2) == 4


def test_an_update_gets_the_columns_and_the_value_before() -> None:
    seen: list[Any] = []

    def moved(s: Board, before: tuple[Any, ...], value: int) -> int | None:
        seen.append((before, value))
        places = list(changes(before[0], s.space))
        return value + sum(s.space[p] - before[0][p] for p in places) if len(places) < 2 else None

    total, calls = counted("space", update=moved)
    board = Board((1, 2, 3))
    assert total(board) == 6
    board.space = put(board.space, 1, 9)
    assert total(board) == 13
    assert seen == [(((1, 2, 3),), 6)]
    assert len(calls) == 1
    board.space = (0, 0, 0)
    assert total(board) == 0
    assert len(calls) == 2


def test_without_memory_everything_is_computed_each_time() -> None:
    total, calls = counted("space", update=lambda s, before, value: 1 / 0)
    board = Board((1, 2))
    with without_memory():
        assert [total(board), total(board), total(board)] == [3, 3, 3]
    assert len(calls) == 3
    assert total(board) == 3


def test_a_strict_fact_reads_only_what_it_names() -> None:
    @fact("owner")
    def honest(s: Board) -> int:
        return len(s.owner)

    @fact("owner")
    def careless(s: Board) -> int:
        return s.first

    @fact("space", "owner")
    def nested(s: Board) -> int:
        return honest(s) + s.last() + s.first

    @fact("space", "owner")
    def deeper(s: Board) -> int:
        return nested(s)

    @fact("space", "owner")
    def deepest(s: Board) -> int:
        return deeper(s) + s.first

    @fact("space")
    def careless_by_another(s: Board) -> int:
        return honest(s)

    @fact("space")
    def greedy(s: Board) -> int:
        s.space = ()
        return 0

    with strict():
        assert nested(Board((3, 4), b"\0" * 9)) == 9 + 4 + 3
        assert deepest(Board((3, 4), b"\0" * 7)) == 7 + 4 + 3 + 3
        for wrong, word in ((careless, "reads space"), (careless_by_another, "reads owner"), (greedy, "changes space")):
            with pytest.raises(AttributeError, match=word):
                wrong(Board((3, 4), b"\0" * 8))


def test_columns_are_replaced_and_never_changed() -> None:
    row, small, tally = (1, 2, 3), b"\1\2\3", {"a": 1}
    assert put(row, 1, row[1]) is row, "nothing changes"
    assert put(row, 1, 9) == (1, 9, 3)
    assert put(row, -1, 9) == (1, 2, 9)
    assert put(small, 1, 9) == b"\1\x09\3"
    assert put_all(row, (0, 2), 5) == (5, 2, 5)
    assert having(tally, "b", 2) == {"a": 1, "b": 2}
    assert shifted(tally, "a", 2) == {"a": 3}
    assert shifted(tally, "a", -1) == {} == lacking(tally, "a")
    assert lacking(tally, "z") is tally
    assert (row, small, tally) == ((1, 2, 3), b"\1\2\3", {"a": 1})
    assert list(changes(row, put(row, 2, 0))) == [2]
    with pytest.raises(ValueError, match="does not fit"):
        put(small, 0, -1)


def test_a_negative_place_of_bytes_counts_from_the_end() -> None:
    assert put(b"\1\2\3", -1, 9) == b"\1\2\x09"
