"""Columns that note where they came from, so that nobody has to search for what changed.

Facts that are brought up to date ask for the differences between the column they were made from and the one of now.
Between two columns that have nothing to do with each other the differences are searched for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import compress
from operator import is_not

Column = tuple[int, ...]
_CHUNK = 48
_MOST_NOTES = 24
_NOTES: dict[int, tuple[Column, Column, Collection[int]]] = {}
"""Per id of a column: itself, the column it came from, and the places at which they differ."""


def change(column: Column, places: Collection[int], value: int) -> Column:
    """Return the column with a value at some places, and note which ones they are."""
    changed = list(column)
    for place in places:
        changed[place] = value
    return _noted(tuple(changed), column, places)


def rewrite(column: Column, values: Mapping[int, int]) -> Column:
    """Return the column with other values at some places, and note which ones they are."""
    changed = list(column)
    for place, value in values.items():
        changed[place] = value
    return _noted(tuple(changed), column, values.keys())


def append(column: Column, value: int) -> Column:
    """Return the column with one place more, and note that nothing else changed."""
    return _noted((*column, value), column, ())


def _noted(new: Column, old: Column, places: Collection[int]) -> Column:
    if len(_NOTES) >= _MOST_NOTES:
        _NOTES.clear()
    _NOTES[id(new)] = (new, old, places)
    return new


def differences(old: Column, new: Column) -> Collection[int]:
    """Return the places at which two columns may differ, as far as the older one goes."""
    if new is old:
        return ()
    note = _NOTES.get(id(new))
    if note is not None and note[1] is old:
        return note[2]
    found: set[int] = set()
    while note is not None:
        found.update(note[2])
        if note[1] is old:
            return found if len(new) == len(old) else {place for place in found if place < len(old)}
        note = _NOTES.get(id(note[1]))
    return list(_search(old, new))


def _search(old: Column, new: Column) -> Iterator[int]:
    """Return the places at which two columns hold different objects; most pieces of them are the same."""
    for start in range(0, len(old), _CHUNK):
        end = start + _CHUNK
        before, after = old[start:end], new[start:end]
        if before != after:
            yield from compress(range(start, end), map(is_not, before, after))
