"""What computer players ask of their allies: to put their main effort at a place, and no more.

A request stands as long as the plan it belongs to. Whoever hears it tries it in the next search like any plan of its
own: it is no order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from sandtable.core import Role

from .search import Found


class Request(msgspec.Struct, frozen=True):
    """One role asks another to strike at a place."""

    by: Role
    to: Role
    place: str
    number: int
    """How many moves the match had when it was asked."""


def requests_of(found: Found, by: Role, number: int) -> tuple[Request, ...]:
    """What somebody who follows a plan asks for."""
    return tuple(Request(by, to, place, number) for to, place in found.plan.ask)


def heard_by(role: Role, made: Iterable[Request], sides: Mapping[str, tuple[Role, ...]]) -> tuple[Request, ...]:
    """The requests that a role hears: those of its own side to itself."""
    return tuple(one for one in made if one.to == role and any({one.by, role} <= {*side} for side in sides.values()))
