"""Columns: rows of numbers and small mappings that are never changed in place.

A state holds bytes, tuples, numbers, frozen records and mappings. To change one is to replace it:

    s.space = put(s.space, unit, to)

So a clone is a copy of references, and a fact can be remembered by the columns it came from (see `facts`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import compress
from operator import is_not
from typing import Any, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
_BYTES = tuple(bytes((value,)) for value in range(256))
_CHUNK = 48
_MOST_NOTES = 24
_notes: dict[int, tuple[Any, Any, Collection[int]]] = {}
"""Per id of one of the latest columns: itself, the column it was made from, and the places at which they differ."""


@overload
def put(column: bytes, place: int, value: int) -> bytes: ...
@overload
def put(column: tuple[V, ...], place: int, value: V) -> tuple[V, ...]: ...
def put(column: Any, place: int, value: Any) -> Any:
    """Return the column with another value at one place; the column itself where it is there already."""
    if isinstance(column, bytes):
        if value < 0:
            raise ValueError(f"{value} does not fit into a column of bytes")
        return column[:place] + _BYTES[value] + column[place + 1 or len(column) :]
    if column[place] is value:
        return column
    changed = list(column)
    changed[place] = value
    return _noted(tuple(changed), column, (place,))


def put_all(column: tuple[V, ...], places: Collection[int], value: V) -> tuple[V, ...]:
    """Return the column with the same value at several places."""
    changed = list(column)
    for place in places:
        changed[place] = value
    return _noted(tuple(changed), column, places)


def put_each(column: tuple[V, ...], values: Mapping[int, V]) -> tuple[V, ...]:
    """Return the column with other values at some places."""
    changed = list(column)
    for place, value in values.items():
        changed[place] = value
    return _noted(tuple(changed), column, values.keys())


def append(column: tuple[V, ...], value: V) -> tuple[V, ...]:
    """Return the column with one place more."""
    return _noted((*column, value), column, ())


def _noted(new: tuple[V, ...], old: tuple[V, ...], places: Collection[int]) -> tuple[V, ...]:
    if len(_notes) >= _MOST_NOTES:
        _notes.clear()
    _notes[id(new)] = (new, old, places)
    return new


def changes(old: tuple[Any, ...], new: tuple[Any, ...]) -> Collection[int]:
    """Return the places at which two columns may differ, as far as the older one goes.

    Where the new column was made from the old one a few steps ago, the places are known. Otherwise they are found by
    comparing.
    """
    if new is old:
        return ()
    note = _notes.get(id(new))
    if note is not None and note[1] is old:
        return note[2]
    found: set[int] = set()
    while note is not None:
        found.update(note[2])
        if note[1] is old:
            return sorted(place for place in found if place < len(old))
        note = _notes.get(id(note[1]))
    return list(_search(old, new))


def _search(old: tuple[Any, ...], new: tuple[Any, ...]) -> Iterator[int]:
    """Return the places at which two columns hold different objects; most pieces of them are the same."""
    for start in range(0, len(old), _CHUNK):
        end = start + _CHUNK
        before, after = old[start:end], new[start:end]
        if before != after:
            yield from compress(range(start, end), map(is_not, before, after))


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
