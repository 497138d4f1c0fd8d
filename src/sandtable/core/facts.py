"""Facts: what follows from a state, computed once and remembered by the columns it was computed from.

A state is a row of columns that are never changed in place: to change one is to replace it (see `columns`). A fact is
a pure function of some columns, and names them:

    @fact("space", "owner")
    def stacks(s: MyState) -> Stacks: ...

    @fact("owner", "status")
    def friends(s: MyState, power: int) -> frozenset[int]: ...

It keeps its latest results together with the columns they came from. While a state still has those columns, the
result is returned as it is; otherwise it is computed again. Since columns cannot change, no undo, clone or branch can
make a remembered result wrong. This is the only memory that rules use. Nobody may change what a fact returns.

A fact whose columns change a little at a time can be brought up to date from its previous value:

    @fact("space", update=_moved)
    def stacks(s: MyState) -> Stacks: ...

    def _moved(s: MyState, before: tuple[Any, ...], value: Stacks) -> Stacks | None: ...

`before` holds the columns of the previous value in the order they are named; `columns.changes` finds what differs.
`update` returns the new value, or None where computing it from scratch is the better way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from types import FunctionType, MethodType
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
_NOTHING: Any = object()
_remember = True
_strict = False


def fact(
    *columns: str, update: Callable[[Any, tuple[Any, ...], Any], Any] | None = None
) -> Callable[[Callable[Concatenate[S, P], T]], Callable[Concatenate[S, P], T]]:
    """Make a pure function of a state, and perhaps of arguments, a fact that depends on the named columns.

    Two results are kept, so that a match and its branch can be used by turns. A fact with arguments keeps all
    results for the columns of these two; it cannot have an `update`.
    """

    def decorate(function: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
        plain: Any = function
        if plain.__code__.co_argcount > 1 or plain.__code__.co_flags & 0x04:  # more than the state, or *args
            assert update is None
            return functools.wraps(plain)(_with_arguments(plain, columns))
        return functools.wraps(plain)(_of_state(plain, columns, update))

    return decorate


def _reader(columns: tuple[str, ...]) -> Callable[[Any], Any]:
    """A function that returns the column, or the columns as a tuple. Tuples compare their items by identity first."""
    return attrgetter(*columns)


def _of_state(function: Any, columns: tuple[str, ...], update: Any) -> Any:
    read = _reader(columns)
    last: Any = _NOTHING
    value: Any = None
    other: Any = _NOTHING
    other_value: Any = None

    def ask(s: Any) -> Any:
        nonlocal last, value, other, other_value
        now = read(s)
        if (now is last or now == last) and _remember:
            return value
        if now == other and _remember:
            last, value, other, other_value = other, other_value, last, value
            return value
        shown = _Only(s, columns) if _strict else s
        found = None
        if update is not None and last is not _NOTHING and _remember:
            found = update(shown, last if len(columns) > 1 else (last,), value)
        if found is None:
            found = function(shown)
        last, value, other, other_value = now, found, last, value
        return found

    return ask


def _with_arguments(function: Any, columns: tuple[str, ...]) -> Any:
    read = _reader(columns)
    last: Any = _NOTHING
    known: dict[Any, Any] = {}
    other: Any = _NOTHING
    other_known: dict[Any, Any] = {}

    def ask(s: Any, *arguments: Any) -> Any:
        nonlocal last, known, other, other_known
        now = read(s)
        if not (now is last or now == last) or not _remember:
            if now == other and _remember:
                last, known, other, other_known = other, other_known, last, known
            else:
                last, known, other, other_known = now, {}, last, known
        found = known.get(arguments, _NOTHING)
        if found is _NOTHING:
            mine = known  # the function may ask this very fact of another state
            found = mine[arguments] = function(_Only(s, columns) if _strict else s, *arguments)
        return found

    return ask


# ---- proofs ------------------------------------------------------------------------------------------------------
@contextmanager
def without_memory() -> Iterator[None]:
    """Compute every fact each time it is asked for: play must be the same."""
    global _remember
    _remember = False
    try:
        yield
    finally:
        _remember = True


@contextmanager
def strict() -> Iterator[None]:
    """Let a fact see no more of a state than the columns it names: reading another one raises an error."""
    global _strict
    _strict = True
    try:
        yield
    finally:
        _strict = False


class _Only:
    """A state of which only some columns may be read, and nothing may be written."""

    __slots__ = ("_columns", "_state")

    def __init__(self, state: Any, columns: tuple[str, ...]) -> None:
        object.__setattr__(self, "_state", state)
        object.__setattr__(self, "_columns", columns)

    def __getattr__(self, name: str) -> Any:
        inner = self._state
        while type(inner) is _Only:  # a fact that was asked by a fact that was asked by a fact
            inner = object.__getattribute__(inner, "_state")
        found = getattr(type(inner), name, None)
        if isinstance(found, FunctionType):
            return MethodType(found, self)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        if name not in self._columns:
            raise AttributeError(f"a fact of {', '.join(self._columns)} reads {name}, which it does not name")
        return getattr(self._state, name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a fact changes {name}")
