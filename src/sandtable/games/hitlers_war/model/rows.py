"""Changing a row or a tally that clones share: the changed copy takes the old one's place.

What changes a few times in a turn is kept in bytes, tuples and mappings that nobody ever changes in place, so that a
clone of the state costs nothing for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, overload

V = TypeVar("V")
_BYTES = tuple(bytes((value,)) for value in range(256))


@overload
def put(row: bytes, at: int, value: int) -> bytes: ...
@overload
def put(row: tuple[int, ...], at: int, value: int) -> tuple[int, ...]: ...
def put(row: bytes | tuple[int, ...], at: int, value: int) -> bytes | tuple[int, ...]:
    """The row with another number at one place."""
    if isinstance(row, bytes):
        if value < 0:
            raise ValueError(f"{value} does not fit into a row of small numbers")
        return row[:at] + _BYTES[value] + row[at + 1 :]
    changed = list(row)
    changed[at] = value
    return tuple(changed)


def having(tally: Mapping[int, V], key: int, value: V) -> Mapping[int, V]:
    """The tally with this entry."""
    return {**tally, key: value}


def shifted(tally: Mapping[int, int], key: int, by: int) -> Mapping[int, int]:
    """The tally with more or less of something; what comes to nothing is not kept."""
    number = tally.get(key, 0) + by
    return {**tally, key: number} if number else lacking(tally, key)


def lacking(tally: Mapping[int, V], key: int) -> Mapping[int, V]:
    """The tally without this entry, whether it had one or not."""
    if key not in tally:
        return tally
    return {k: v for k, v in tally.items() if k != key}
