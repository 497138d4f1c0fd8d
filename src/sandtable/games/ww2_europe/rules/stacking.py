"""Stacking: how much fits into a space."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Refusal

from ..facts.landings import claimed
from ..facts.strongpoints import NO_LIMIT, air_room, airbases
from ..facts.whereabouts import whereabouts
from ..model.atlas import ATLAS
from ..model.state import W2State

A = ATLAS
K = ATLAS.kinds
GROUND_LIMIT = int(A.limit["ground"])
_PORT, _FORTRESS_PORT = int(A.limit["naval_port"]), int(A.limit["fortress_naval"])


def stack_sum(s: W2State, units: Iterable[int]) -> int:
    """Return the Stack Points of units."""
    return sum([K.stack[s.kind[u]] for u in units])


def ground_room(s: W2State, space: int, side: int) -> int:
    """Return the Stack Points of ground units that still fit on land.  [w2e-stack-ground] [w2e-blue-stacking]"""
    return NO_LIMIT if A.blue[space] else GROUND_LIMIT - whereabouts(s).ground[side][space]


def crowded(s: W2State, space: int, side: int, points: int, *, passing: bool = False) -> Refusal | None:
    """Why so many Stack Points of ground units do not fit on land, beside those that are about to land there.

    Who only passes does not stand in the way of a landing.  [w2e-stack-ground]
    """
    if ground_room(s, space, side) - (0 if passing else claimed(s, side).get(space, 0)) >= points:
        return None
    return Refusal("w2e-stack-ground", space=A.told[space])


def air_limit(s: W2State, space: int) -> int:
    """Return the Stack Points of planes that a land space can base.  [w2e-stack-air] [w2e-factory-air]"""
    return air_room(s, space, bool(airbases(s) >> space & 1))


def base_limit(s: W2State, base: int) -> int:
    """Return the Stack Points of planes or ships that a land space or a port can base."""
    return air_limit(s, base) if A.is_land[base] else port_limit(s, base)


def port_limit(s: W2State, port: int) -> int:
    """Return the Stack Points of ships that a port can base.  [w2e-stack-naval]"""
    land = A.land_of_port[port]
    if A.blue[land] or (A.homeland[land] >= 0 and A.homeland[land] == s.owner[land]):
        return NO_LIMIT
    return _PORT + (_FORTRESS_PORT if s.fortress[land] else 0)
