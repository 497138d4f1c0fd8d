"""Fast copies of a State that still has columns which can be changed in place, made from its type annotations.

Search lives on clones, so a clone must cost microseconds. `cloner(cls)` reads the annotations once and writes a
function that copies just what can change: `list[int]` by slice, `dict[int, int]` by copy, nested lists one level
deeper, and shares everything that is immutable (numbers, strings, tuples, frozen Structs, steps). A field declared as
`Mapping` or `Sequence` is a promise never to change it: it is shared.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from .immutable import field_types, is_immutable

__all__ = ["cloner", "is_immutable"]
T = TypeVar("T")


def cloner(cls: type[T]) -> Callable[[T], T]:
    """A function that copies objects of this Struct class as deep as they can change, and no deeper."""
    names: dict[str, Any] = {}
    lines = ["def clone(s):", "    c = s.__copy__()"]
    for name, kind in field_types(cls).items():
        if not is_immutable(kind):
            lines.append(f"    c.{name} = {_expression(f's.{name}', kind, names, 0)}")
    lines.append("    return c")
    exec("\n".join(lines), names)
    function: Callable[[T], T] = names["clone"]
    return function


def _expression(source: str, kind: Any, names: dict[str, Any], depth: int) -> str:
    """Python source that copies the value `source` of this type."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    item, key = f"v{depth}", f"k{depth}"
    if origin in (typing.Union, types.UnionType):
        rest = [arg for arg in args if not is_immutable(arg)]
        if len(rest) == 1 and len(args) == 2 and type(None) in args:
            return f"(None if {source} is None else {_expression(source, rest[0], names, depth)})"
        raise TypeError(f"a state cannot hold the union {kind}: make its members frozen")
    if kind is bytearray:
        return f"{source}[:]"
    if kind in (list, set, dict):
        raise TypeError("annotate what lists, sets and dicts of a state hold")
    if origin is list:
        if is_immutable(args[0]):
            return f"{source}[:]"
        return f"[{_expression(item, args[0], names, depth + 1)} for {item} in {source}]"
    if origin is dict:
        if is_immutable(args[1]):
            return f"({source}.copy() if {source} else {{}})"  # most of them are empty most of the time
        inner = _expression(item, args[1], names, depth + 1)
        return f"{{{key}: {inner} for {key}, {item} in {source}.items()}}"
    if origin is set:
        raise TypeError("a state cannot hold a set: its order is not the same on every machine; use a list or a dict")
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        function = f"clone_{kind.__name__}_{id(kind)}"
        if function not in names:
            names[function] = cloner(kind)
        return f"{function}({source})"
    raise TypeError(f"a state cannot hold {kind}")
