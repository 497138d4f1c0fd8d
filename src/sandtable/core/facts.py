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
_forgetters: list[Callable[[], None]] = []


def fact(
    *columns: str, update: Callable[[Any, tuple[Any, ...], Any], Any] | None = None
) -> Callable[[Callable[Concatenate[S, P], T]], Callable[Concatenate[S, P], T]]:
    """Make a pure function of a state, and perhaps of arguments, a fact that depends on the named columns.

    Two results are kept, so that a match and its branch can be looked at by turns. A fact with arguments keeps all
    results for the columns of these two; it cannot have an `update`.
    """

    def decorate(function: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
        plain: Any = function
        code = plain.__code__
        arguments = code.co_varnames[1 : code.co_argcount]
        assert not (arguments and update), "a fact with arguments has no update"
        memory = _Memory(plain, columns, update)
        ask = _quick(memory, columns, arguments)
        ask.__defaults__ = plain.__defaults__
        _forgetters.append(memory.forget)
        return functools.wraps(plain)(ask)

    return decorate


class _Memory:
    """The results of one fact, with the columns they came from; the latest first."""

    def __init__(self, function: Any, columns: tuple[str, ...], update: Any) -> None:
        self.function, self.columns, self.update = function, columns, update
        self.read: Callable[[Any], Any] = attrgetter(*columns) if len(columns) > 1 else _single(columns[0])
        self.forget()

    def forget(self) -> None:
        self.last: tuple[Any, ...] = (_NOTHING,) * len(self.columns)
        self.value: Any = _NOTHING
        self.other: tuple[Any, ...] | None = None
        self.other_value: Any = _NOTHING

    def of_state(self, s: Any) -> Any:
        """Return the result for a state whose columns are not the latest ones."""
        now = self.read(s)
        if now == self.last:  # tuples compare their items by identity first
            self.last = now
            return self.value
        found = None
        if now == self.other:
            found = self.other_value
        else:
            shown = _Only(s, self.columns) if _strict else s
            if self.update is not None and self.value is not _NOTHING:
                found = self.update(shown, self.last, self.value)
            if found is None:
                found = self.function(shown)
        if _remember:
            self.last, self.value, self.other, self.other_value = now, found, self.last, self.value
        return found

    def of_arguments(self, s: Any, key: Any, arguments: tuple[Any, ...]) -> Any:
        """Return the result for a state and arguments that are not among the latest ones."""
        now = self.read(s)
        if now == self.last:
            self.last, known = now, self.value
        else:
            known = self.other_value if now == self.other else {}
            if _remember:
                self.last, self.value, self.other, self.other_value = now, known, self.last, self.value
        if key not in known:
            known[key] = self.function(_Only(s, self.columns) if _strict else s, *arguments)
        return known[key]


def _single(column: str) -> Callable[[Any], Any]:
    read = attrgetter(column)
    return lambda s: (read(s),)


def _quick(memory: _Memory, columns: tuple[str, ...], arguments: tuple[str, ...]) -> Any:
    """Return the function that is called: it compares the columns one by one and asks the memory if they differ.

    Rules ask facts all the time, so the comparison is written out for each fact.
    """
    same = " and ".join(f"s.{column} is last[{place}]" for place, column in enumerate(columns))
    key = arguments[0] if len(arguments) == 1 else f"({', '.join(arguments)})"
    source = f"""
def ask(s{"".join(f", {name}" for name in arguments)}):
    last = memory.last
    if {same}:
        {"return memory.value" if not arguments else f"found = memory.value.get({key}, nothing)"}
        {"" if not arguments else "if found is not nothing: return found"}
    return {"memory.of_state(s)" if not arguments else f"memory.of_arguments(s, {key}, ({', '.join(arguments)},))"}
"""
    names = {"memory": memory, "nothing": _NOTHING}
    exec(source, names)
    return names["ask"]


# ---- proofs ------------------------------------------------------------------------------------------------------
@contextmanager
def without_memory() -> Iterator[None]:
    """Compute every fact each time it is asked for: play must be the same."""
    global _remember
    _forget()
    _remember = False
    try:
        yield
    finally:
        _remember = True


@contextmanager
def strict() -> Iterator[None]:
    """Let a fact see no more of a state than the columns it names: reading another one raises an error."""
    global _strict
    _forget()
    _strict = True
    try:
        yield
    finally:
        _strict = False


def _forget() -> None:
    for forget in _forgetters:
        forget()


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
