"""Columns: rows of numbers and small mappings that are never changed in place.

A state holds bytes, tuples, numbers, frozen records and mappings. To change one is to replace it:

    s.space = put(s.space, unit, to)

So a clone is a copy of references, and a fact can be remembered by the columns it came from (see `facts`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
_BYTES = tuple(bytes((value,)) for value in range(256))
_puts: deque[tuple[Any, Any, int]] = deque(maxlen=16)
"""The latest columns that `put` made: (the column, the one it was made from, the place that differs)."""


@overload
def put(column: bytes, place: int, value: int) -> bytes: ...
@overload
def put(column: tuple[V, ...], place: int, value: V) -> tuple[V, ...]: ...
def put(column: Any, place: int, value: Any) -> Any:
    """Return the column with another value at one place."""
    if isinstance(column, bytes):
        if value < 0:
            raise ValueError(f"{value} does not fit into a column of bytes")
        return column[:place] + _BYTES[value] + column[place + 1 or len(column) :]
    changed = list(column)
    changed[place] = value
    new = tuple(changed)
    _puts.append((new, column, place))
    return new


def put_all(column: tuple[V, ...], places: Iterable[int], value: V) -> tuple[V, ...]:
    """Return the column with the same value at several places."""
    changed = list(column)
    for place in places:
        changed[place] = value
    return tuple(changed)


def changes(old: Sequence[Any], new: Sequence[Any]) -> Iterable[int]:
    """Return the places at which two columns of the same length may differ, each once, in order.

    Where `put` made the new column from the old one a few steps ago, the places are known. Otherwise the columns are
    compared by identity.
    """
    places, column = set(), new
    for made, source, place in reversed(_puts):
        if made is column:
            places.add(place)
            if source is old:
                return sorted(places)
            column = source
    return compress(count(), map(is_not, old, new))


def having(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    """Return the mapping with this entry."""
    return {**mapping, key: value}


def lacking(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    """Return the mapping without this entry, whether it had one or not."""
    return {k: v for k, v in mapping.items() if k != key} if key in mapping else mapping


def shifted(mapping: Mapping[K, int], key: K, by: int) -> Mapping[K, int]:
    """Return the mapping with more or less of something; an entry that comes to 0 is removed."""
    number = mapping.get(key, 0) + by
    return {**mapping, key: number} if number else lacking(mapping, key)
