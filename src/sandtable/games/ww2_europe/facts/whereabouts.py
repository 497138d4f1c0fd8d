"""Who is where: the units of every space, and how many Stack Points of whom stand there.

A derived fact that nearly every question about a position asks for. It follows each move as it is made, and is checked
against the state itself before it is used in a new action.
"""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import M

if TYPE_CHECKING:
    from .roster import Roster

A = ATLAS
K = ATLAS.kinds
_STACK = K.stack
_OWNERS, _SIDES = len(A.powers) + 1, 2


_OFF_BOARD = 32
"""More than there are spaces off the board: the dead, convoys, build boxes."""


_BIT = tuple(1 << space for space in range(len(A.names)))
"""Per space the set of bits that holds it alone."""
_NOTHING = -1
_GROUND_TALLY, _AIR_TALLY, _NAVAL_TALLY = 0, 3, 3 + _OWNERS
_TALLIES = 3 + 2 * _OWNERS
_TALLY = tuple(
    tuple(
        _GROUND_TALLY + A.side[power] % 3 if what == GROUND
        else _AIR_TALLY + power if what == AIR
        else _NAVAL_TALLY + power if what == NAVAL
        else _NOTHING
        for power in range(_OWNERS)
    )
    for what in K.cls
)  # fmt: skip
"""Per kind and owner the tally in which a unit counts: ground units by side (the third are the neutrals), planes and
ships by owner; airbases count in none."""


class Index:
    """Per space the units in it, cargo included, in the order of the slots; and the Stack Points of each owner there.

    Both follow every move. The tallies hang on what the units are and whose they are, too: see `follow`.
    """

    __slots__ = (
        "_planes",
        "_tallies",
        "_tally",
        "air",
        "ground",
        "holds",
        "kind",
        "off",
        "power",
        "rows",
        "seen",
        "units",
    )

    def __init__(self, spaces: list[int], kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        self.units: Roster | None = None
        """The roster that was last asked for."""
        self.build(spaces, kind, power)

    def build(self, spaces: list[int], kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        self.seen = spaces[:]
        self.rows: list[list[int]] = [[] for _ in A.names]
        self.off: list[list[int]] = [[] for _ in range(_OFF_BOARD)]
        """The same for the spaces below 0, by the number without its sign."""
        rows, off = self.rows, self.off
        for unit, space in enumerate(spaces):
            (rows[space] if space >= 0 else off[-space]).append(unit)
        self.count(kind, power)

    def count(self, kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        """Count the Stack Points anew."""
        self.kind, self.power = kind, power
        self._tally = [_TALLY[what][owner] for what, owner in zip(kind, power, strict=True)]
        self._tallies = [[0] * len(A.names) for _ in range(_TALLIES)]
        self._planes: list[int | None] = [None] * _SIDES
        self.holds = [0] * _TALLIES
        """Per tally the spaces with anything in it, as a set of bits."""
        axis, allied, neutral = self._tallies[:_AIR_TALLY]
        self.ground = (axis, allied, [0] * len(A.names), neutral)
        """Per side and space the Stack Points of ground units; the last side is that of the neutrals."""
        stack = K.stack
        for unit, space in enumerate(self.seen):
            number = self._tally[unit]
            if number >= 0 and space >= 0:
                self._tallies[number][space] += stack[kind[unit]]
                self.holds[number] |= _BIT[space]

    def follow(self, kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        """Units became others, or somebody else's."""
        if len(kind) == len(self.kind) and kind == self.kind and power == self.power:
            self.kind, self.power = kind, power
        else:
            self.count(kind, power)

    def recruit(self, unit: int, space: int, kind: tuple[int, ...], power: tuple[int, ...]) -> None:
        """A new unit in a slot that was free or is new: all others are as they were."""
        self.kind, self.power = kind, power
        number = _TALLY[kind[unit]][power[unit]]
        if unit < len(self._tally):
            self._tally[unit] = number
        else:
            self._tally.append(number)
        self.move(unit, space)

    def move(self, unit: int, space: int) -> None:
        """A unit is put elsewhere; a slot that was not there before is a new unit's."""
        seen, old = self.seen, _NOTHING
        if unit < len(seen):
            old = seen[unit]
            if old == space:
                return
            (self.rows[old] if old >= 0 else self.off[-old]).remove(unit)
            seen[unit] = space
        else:
            seen.append(space)
        insort(self.rows[space] if space >= 0 else self.off[-space], unit)
        number = self._tally[unit]
        if number >= 0:
            if _AIR_TALLY <= number < _NAVAL_TALLY:
                self._planes = [None] * _SIDES
            tally, points = self._tallies[number], _STACK[self.kind[unit]]
            if old >= 0:
                tally[old] -= points
                if not tally[old]:
                    self.holds[number] ^= _BIT[old]
            if space >= 0:
                tally[space] += points
                self.holds[number] |= _BIT[space]

    def at(self, space: int) -> list[int]:
        """The units in a space, on the board or off it."""
        return self.rows[space] if space >= 0 else self.off[-space]

    def troops(self, side: int) -> int:
        """The spaces in which a side has ground units, aboard ships too, as a set of bits."""
        return self.holds[side]

    def planes(self, side: int) -> int:
        """The spaces in which a side has planes, aboard ships too, as a set of bits."""
        if not 0 <= side < _SIDES:
            return 0
        known = self._planes[side]
        if known is None:
            known = 0
            for power in A.side_powers[side]:
                known |= self.holds[_AIR_TALLY + power]
            self._planes[side] = known
        return known

    def planes_of(self, power: int) -> int:
        """The same for one power."""
        return self.holds[_AIR_TALLY + power]

    def ships_of(self, power: int) -> int:
        """The spaces in which a power has ships, as a set of bits."""
        return self.holds[_NAVAL_TALLY + power]

    def ships(self, side: int) -> int:
        """The same for a side."""
        found = 0
        for power in A.side_powers[side]:
            found |= self.holds[_NAVAL_TALLY + power]
        return found

    def ship_points(self, space: int, side: int) -> int:
        """Stack Points of a side's ships in a space."""
        found, tallies = 0, self._tallies
        for power in A.side_powers[side]:
            found += tallies[_NAVAL_TALLY + power][space]
        return found

    def plane_points(self, space: int, side: int) -> int:
        """Stack Points of a side's planes in a space, aboard ships too."""
        found, tallies = 0, self._tallies
        for power in A.side_powers[side]:
            found += tallies[_AIR_TALLY + power][space]
        return found

    def forces(self, side: int) -> int:
        """The spaces in which a side has ground units or planes, aboard ships too, as a set of bits."""
        return self.holds[side] | self.planes(side)


def index(m: M) -> Index:
    """The index of this action: made true on first use, kept true by `put` and, where units change sides, `recount`."""
    found: Index | None = m.cache.get("at")
    if found is None:
        found = m.cache["at"] = _checked(m)
    return found


def _checked(m: M) -> Index:
    """The index that follows this very list of spaces: a clone of the match has its own."""
    state = m.state
    spaces, kind, power = state.space, state.kind, state.power
    own: list[Index] = m.kept("at", (id(spaces),), list)
    if not own:
        own.append(Index(spaces, kind, power))
    found = own[0]
    if found.seen != spaces:
        found.build(spaces, kind, power)
    elif found.kind is not kind or found.power is not power:
        found.follow(kind, power)
    return found


def recount(m: M) -> None:
    """Units on the board became somebody else's: Stack Points are counted anew."""
    index(m).follow(m.state.kind, m.state.power)
