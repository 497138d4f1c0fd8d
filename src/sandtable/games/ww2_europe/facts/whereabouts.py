"""Who is where: the units of every space, and how many Stack Points of whom stand there."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import W2State

A = ATLAS
K = ATLAS.kinds
_SPACES = len(A.names)
_OFF_BOARD = 32
"""More than there are spaces off the board: the dead, convoys, build boxes."""
_BIT = tuple(1 << space for space in range(_SPACES))
"""Per space the set of bits that holds it alone."""
_NEUTRALS, _NOBODY = 2, -1
_COUNTS_FOR = tuple(
    tuple(_NEUTRALS if side < 0 else side for side in A.side) if what == GROUND else (_NOBODY,) * len(A.side)
    for what in K.cls
)
"""Per kind and owner the side for which a ground unit counts; other units count for nobody."""
_NO_POINTS = [0] * _SPACES
_MANY = 64
"""Above so many changes an index is made from scratch."""


class Whereabouts:
    """Per space the units in it, cargo included, in the order of the slots; and the Stack Points of ground units."""

    __slots__ = ("ground", "points", "rows", "troops")

    def __init__(self, rows: list[Sequence[int]], points: list[list[int]], troops: list[int]) -> None:
        self.rows = rows
        """Per space its units. Spaces off the board have negative numbers and are counted from the end."""
        self.troops = troops
        """Per side the spaces in which it has ground units, aboard ships too, as a set of bits."""
        self.points = points
        """Per side and space the Stack Points of ground units; the third side are the neutrals."""
        self.ground = (points[0], points[1], _NO_POINTS, points[2])
        """The same with the neutrals at -1."""


def _moved(s: W2State, before: tuple[Any, ...], value: Whereabouts) -> Whereabouts | None:
    """Return the index after some units moved, came, went or changed sides; what has not changed is shared."""
    spaces, kinds, powers = before
    now, kind, power = s.space, s.kind, s.power
    known = len(spaces)
    if len(now) < known:
        return None
    units = changes(spaces, now)
    if kind is not kinds or power is not powers:
        units = {*units, *changes(kinds, kind), *changes(powers, power), *range(known, len(now))}
    if len(units) > _MANY:
        return None
    rows, points, troops = value.rows.copy(), value.points.copy(), value.troops.copy()
    mine: set[int] = set()
    """The sides whose points are no longer shared with the index before."""
    for unit in units:
        old, new = spaces[unit] if unit < known else None, now[unit]
        if old != new:
            if old is not None:
                row = [*rows[old]]
                row.remove(unit)
                rows[old] = row
            row = [*rows[new]]
            insort(row, unit)
            rows[new] = row
        was = _COUNTS_FOR[kinds[unit]][powers[unit]] if old is not None and old >= 0 else _NOBODY
        side = _COUNTS_FOR[kind[unit]][power[unit]] if new >= 0 else _NOBODY
        for each in (was, side):
            if each != _NOBODY and each not in mine:
                mine.add(each)
                points[each] = points[each].copy()
        if was != _NOBODY and old is not None:
            points[was][old] -= K.stack[kinds[unit]]
            if not points[was][old]:
                troops[was] ^= _BIT[old]
        if side != _NOBODY:
            points[side][new] += K.stack[kind[unit]]
            troops[side] |= _BIT[new]
    return Whereabouts(rows, points, troops)


@fact("space", "kind", "power", update=_moved)
def whereabouts(s: W2State) -> Whereabouts:
    """Return who is where."""
    rows: list[list[int]] = [[] for _ in range(_SPACES + _OFF_BOARD)]
    points, troops = [[0] * _SPACES for _ in range(3)], [0] * 3
    for unit, (space, kind, power) in enumerate(zip(s.space, s.kind, s.power, strict=True)):
        rows[space].append(unit)
        side = _COUNTS_FOR[kind][power]
        if space >= 0 and side != _NOBODY:
            points[side][space] += K.stack[kind]
            troops[side] |= _BIT[space]
    return Whereabouts([*rows], points, troops)


# ---- questions that every chapter asks
def at(s: W2State, space: int) -> Sequence[int]:
    """Return the units in a space, on the board or off it, cargo included."""
    return whereabouts(s).rows[space]


def cargo(s: W2State, ship: int) -> list[int]:
    """Return what a ship carries: cargo is where its ship is."""
    aboard = s.cargo_of
    return [unit for unit in whereabouts(s).rows[s.space[ship]] if aboard[unit] == ship]


def ground_of_side(s: W2State, space: int, side: int) -> list[int]:
    """Return the ground units of a side in a space that are nobody's cargo."""
    return _ashore(s, space, side, GROUND)


def planes_at(s: W2State, space: int, side: int) -> list[int]:
    """Return the planes of a side in a space that are nobody's cargo."""
    return _ashore(s, space, side, AIR)


def ships_at(s: W2State, port: int, side: int) -> list[int]:
    """Return the ships of a side in a water."""
    return _ashore(s, port, side, NAVAL)


def _ashore(s: W2State, space: int, side: int, cls: int) -> list[int]:
    kinds, powers, aboard = s.kind, s.power, s.cargo_of
    return [
        u for u in whereabouts(s).rows[space]
        if K.cls[kinds[u]] == cls and A.side[powers[u]] == side and aboard[u] < 0
    ]  # fmt: skip


def spaces_of(s: W2State, units: Iterable[int]) -> int:
    """Return the spaces on the board in which some units are, as a set of bits."""
    found, spaces = 0, s.space
    for unit in units:
        if spaces[unit] >= 0:
            found |= _BIT[spaces[unit]]
    return found


def has_ground(s: W2State, space: int, side: int) -> bool:
    """Whether a side has a ground unit in a land space: nothing on land is cargo."""
    return whereabouts(s).ground[side][space] > 0


def has_air(s: W2State, space: int, side: int) -> bool:
    """Whether a side has a plane in a space that is not aboard a ship."""
    return bool(planes_at(s, space, side))
