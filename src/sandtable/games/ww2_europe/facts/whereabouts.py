"""Who is where: the units of every space, and how many Stack Points of whom stand there."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Any

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.moves import differences
from ..model.state import W2State

A = ATLAS
K = ATLAS.kinds
_OWNERS, _SPACES = len(A.powers) + 1, len(A.names)
_OFF_BOARD = 32
"""More than there are spaces off the board: the dead, convoys, build boxes."""
_BIT = tuple(1 << space for space in range(_SPACES))
"""Per space the set of bits that holds it alone."""
_AIR, _NAVAL, _BASES = 3, 3 + _OWNERS, 3 + 2 * _OWNERS
_TALLIES = _BASES + 1
_FIRST = {AIR: _AIR, NAVAL: _NAVAL}
_TALLY = tuple(
    tuple(
        A.side[power] % 3 if what == GROUND else _BASES if what == BASE else _FIRST[what] + power
        for power in range(_OWNERS)
    )
    for what in K.cls
)
"""Per kind and owner the tally in which a unit counts: ground units by side (the third are the neutrals), planes and
ships by owner, airbases together."""
_STACK = tuple(points or 1 for points in K.stack)
_NO_POINTS = [0] * _SPACES
NOWHERE = -1000
"""Where a unit was before there was one."""
_MANY = 64
"""Above so many changes an index is made from scratch."""


class Whereabouts:
    """Per space the units in it, cargo included, in the order of the slots; and each owner's Stack Points there."""

    __slots__ = ("ground", "holds", "rows", "tallies")

    def __init__(self, rows: list[Sequence[int]], tallies: list[list[int]], holds: list[int]) -> None:
        self.rows = rows
        """Per space its units. Spaces off the board have negative numbers and are counted from the end."""
        self.tallies = tallies
        """Per tally and space the Stack Points."""
        self.holds = holds
        """Per tally the spaces with anything in it, as a set of bits."""
        axis, allied, neutral = tallies[:_AIR]
        self.ground = (axis, allied, _NO_POINTS, neutral)
        """Per side and space the Stack Points of ground units; the last side is that of the neutrals."""

    def troops(self, side: int) -> int:
        """Return the spaces in which a side has ground units, aboard ships too, as a set of bits."""
        return self.holds[side]

    def planes(self, side: int) -> int:
        """Return the spaces in which a side has planes, aboard ships too, as a set of bits."""
        found, holds = 0, self.holds
        for tally in _PLANES[side]:
            found |= holds[tally]
        return found

    def ships(self, side: int) -> int:
        """Return the spaces in which a side has ships, as a set of bits."""
        found = 0
        for power in A.side_powers[side]:
            found |= self.holds[_NAVAL + power]
        return found

    def forces(self, side: int) -> int:
        """Return the spaces in which a side has ground units or planes, aboard ships too, as a set of bits."""
        return self.holds[side] | self.planes(side)

    def planes_of(self, power: int) -> int:
        """Return the spaces in which a power has planes, aboard ships too, as a set of bits."""
        return self.holds[_AIR + power]

    def ships_of(self, power: int) -> int:
        """Return the spaces in which a power has ships, as a set of bits."""
        return self.holds[_NAVAL + power]

    @property
    def airbases(self) -> int:
        """The land on which airbases lie, as a set of bits: one aboard a ship is not on land."""
        return self.holds[_BASES] & _LAND

    def plane_points(self, space: int, side: int) -> int:
        """Return the Stack Points of a side's planes in a space, aboard ships too."""
        return sum([self.tallies[_AIR + power][space] for power in A.side_powers[side]])

    def ship_points(self, space: int, side: int) -> int:
        """Return the Stack Points of a side's ships in a space."""
        return sum([self.tallies[_NAVAL + power][space] for power in A.side_powers[side]])


_LAND = sum(1 << land for land in A.land)
_PLANES = (*(tuple(_AIR + power for power in powers) for powers in A.side_powers), (), ())
"""Per side the tallies of its planes; neutrals have none."""


def _moved(s: W2State, before: tuple[Any, ...], value: Whereabouts) -> Whereabouts | None:
    """Return the index after some units moved, came, went or changed sides; what has not changed is shared."""
    spaces, kinds, powers = before
    now, kind, power = s.space, s.kind, s.power
    known = len(spaces)
    if len(now) < known:
        return None
    units = differences(spaces, now)
    if kind is not kinds or power is not powers:
        units = {*units, *differences(kinds, kind), *differences(powers, power)}
    if len(units) > _MANY:
        return None
    rows, tallies, holds = value.rows.copy(), value.tallies.copy(), value.holds.copy()
    mine: set[int] = set()
    """The tallies that are not shared with the index before."""
    if len(now) > known:
        units = (*units, *range(known, len(now)))
    for unit in units:
        new, is_new = now[unit], unit >= known
        old = NOWHERE if is_new else spaces[unit]
        if not is_new and old >= 0:
            tally = _TALLY[kinds[unit]][powers[unit]]
            if tally not in mine:
                mine.add(tally)
                tallies[tally] = tallies[tally].copy()
            counts = tallies[tally]
            counts[old] -= _STACK[kinds[unit]]
            if not counts[old]:
                holds[tally] ^= _BIT[old]
        if new >= 0:
            tally = _TALLY[kind[unit]][power[unit]]
            if tally not in mine:
                mine.add(tally)
                tallies[tally] = tallies[tally].copy()
            tallies[tally][new] += _STACK[kind[unit]]
            holds[tally] |= _BIT[new]
        if old != new:
            if not is_new:
                row = [*rows[old]]
                row.remove(unit)
                rows[old] = row
            row = [*rows[new]]
            insort(row, unit)
            rows[new] = row
    return Whereabouts(rows, tallies, holds)


@fact("space", "kind", "power", update=_moved)
def whereabouts(s: W2State) -> Whereabouts:
    """Return who is where."""
    rows: list[list[int]] = [[] for _ in range(_SPACES + _OFF_BOARD)]
    tallies = [[0] * _SPACES for _ in range(_TALLIES)]
    holds = [0] * _TALLIES
    for unit, (space, kind, power) in enumerate(zip(s.space, s.kind, s.power, strict=True)):
        rows[space].append(unit)
        if space >= 0:
            tally = _TALLY[kind][power]
            tallies[tally][space] += _STACK[kind]
            holds[tally] |= _BIT[space]
    return Whereabouts([*rows], tallies, holds)


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


def has_ground(s: W2State, space: int, side: int) -> bool:
    """Whether a side has a ground unit in a land space: nothing on land is cargo."""
    return whereabouts(s).ground[side][space] > 0


def has_air(s: W2State, space: int, side: int) -> bool:
    """Whether a side has a plane in a space that is not aboard a ship."""
    if not whereabouts(s).planes(side) >> space & 1:
        return False
    return A.is_land[space] or bool(planes_at(s, space, side))
