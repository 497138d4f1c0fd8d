"""Which types a state may hold: those whose values can never be changed in place."""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from typing import Any

import msgspec

from .data import AnyStep

_SHARED_ORIGINS = (collections.abc.Mapping, collections.abc.Sequence, tuple, frozenset)
_SCALARS = (int, str, bool, float, bytes, type(None))


def is_immutable(kind: Any) -> bool:
    """Whether values of this annotated type never change, so that a state and its clones can share them.

    A field declared as `Mapping` or `Sequence` is a promise never to change it; what it holds must be immutable too.
    """
    origin = typing.get_origin(kind)
    if origin is typing.Annotated:
        return is_immutable(typing.get_args(kind)[0])
    if origin in (typing.Union, types.UnionType):
        return all(is_immutable(arg) for arg in typing.get_args(kind))
    if origin is typing.Literal:
        return True
    if origin in _SHARED_ORIGINS or kind in _SHARED_ORIGINS:
        return all(arg is Ellipsis or is_immutable(arg) for arg in typing.get_args(kind))
    if isinstance(kind, type):
        if issubclass(kind, (*_SCALARS, enum.Enum)):
            return True
        if issubclass(kind, msgspec.Struct) and kind.__struct_config__.frozen:
            return all(is_immutable(hint) for hint in field_types(kind).values())
        return issubclass(kind, AnyStep)
    return False


def field_types(cls: type) -> dict[str, Any]:
    """Return the annotated types of a Struct's fields by name."""
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field: hints[field] for field in cls.__struct_fields__}  # type: ignore[attr-defined]
