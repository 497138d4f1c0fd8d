"""Names at the edges: what actions and events call units and paths."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

from sandtable.core import Named, Names, Refusal

from ..model.atlas import ATLAS, NOBODY, SPACES
from ..model.state import DEAD, W2State

A = ATLAS
K = ATLAS.kinds
Rule = Callable[[int], Refusal | None]


def unit_name(s: W2State, unit: int) -> str:
    """Return what actions call a unit: 'tank#17'."""
    return _written(s.kind[unit], unit)


def names_of(s: W2State, units: Iterable[int]) -> tuple[str, ...]:
    """Return the names of units."""
    kinds = s.kind
    return tuple([_written(kinds[unit], unit) for unit in units])


def unit_of(s: W2State, name: str) -> int:
    """Return the living unit of that name; -1 where there is none."""
    kind, unit = _read(name)
    kinds = s.kind
    return unit if unit < len(kinds) and kinds[unit] == kind and s.space[unit] != DEAD else NOBODY


def unit_choice(s: W2State, numbers: Sequence[int], rule: Rule | None = None, why: Rule | None = None) -> Named:
    """Return some units by name; a rule may refuse some of them, and `why` explains all others."""
    return Named(numbers, Names(functools.partial(unit_name, s), functools.partial(unit_of, s)), rule, why)


def space_choice(numbers: Sequence[int], rule: Rule | None = None, why: Rule | None = None) -> Named:
    """Return some spaces by name; a rule may refuse some of them, and `why` explains all others."""
    return Named(numbers, SPACES, rule, why)


def path_names(path: Iterable[int]) -> tuple[str, ...]:
    """Return a path for the log: names to be translated."""
    return tuple([A.told[space] for space in path])


def shown(path: Iterable[str]) -> tuple[str, ...]:
    """Return an action's path for the log."""
    return tuple([f"@{name}" for name in path])


@functools.lru_cache(maxsize=1 << 14)
def _written(kind: int, unit: int) -> str:
    return f"{K.names[kind]}#{unit}"


@functools.lru_cache(maxsize=1 << 14)
def _read(name: str) -> tuple[int, int]:
    """Return the kind and the number in a unit's name; (-1, -1) where it is no such name."""
    kind, _, number = name.partition("#")
    if not number.isdecimal() or len(number) > 6 or kind not in K.index:
        return NOBODY, NOBODY
    return K.index[kind], int(number)
