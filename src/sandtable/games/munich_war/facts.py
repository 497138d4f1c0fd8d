"""What follows from a state: who stands where, zones of control, control of hexes (chapters 2.3, 5.1, 10).

Facts are made at most once per change of the state and kept outside it; they are never saved.
"""

from __future__ import annotations

from typing import Any

from sandtable.core import Play

from .atlas import ALLIES, ATLAS, AXIS, NOBODY, bits
from .state import MunichState, credit, give, unpack

M = Play[MunichState]
_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_MOBILE = [tuple(u for u in country.units if ATLAS.units[u].mobile) for country in ATLAS.countries]
_STATIC = [tuple(u for u in country.units if ATLAS.units[u].static) for country in ATLAS.countries]
_BIT = [1 << at for at in range(ATLAS.hex_count)]
_LAND = ATLAS.land_units
_FEW = 4
_ZONE = ATLAS.zone
_HEXES = tuple(country.hexes for country in ATLAS.countries)


class Facts:
    """Derived facts of one state at one reading of its clock."""

    __slots__ = ("_asked", "_stacks", "clock", "memo", "occupied", "open", "owned", "stamps", "state", "terror", "zoc")

    def __init__(self, state: MunichState, before: Facts | None = None) -> None:
        """`before`: older facts of the same state; what a side has not changed since is taken over."""
        self.state, self.clock, self.stamps = state, state.clock, tuple(state.stamps)
        self.memo: dict[Any, Any] = {}
        self._stacks: dict[int, list[int]] | None = None
        self._asked = 0
        held: list[int] = [0, 0]
        zones: list[int] = [0, 0]
        open_hexes: int = 0
        for side in (AXIS, ALLIES):
            if before is not None and before.stamps[side] == self.stamps[side]:
                # A change of politics stamps both sides, so that this one also knows the open hexes of now.
                held[side], zones[side], open_hexes = before.occupied[side], before.zoc[side], before.open
            else:
                _lay(state, held, zones, side)
        if not open_hexes:
            for country, who in enumerate(state.side):
                if who >= 0:
                    open_hexes |= _HEXES[country]
        self.open: int = open_hexes
        """Hexes of belligerent countries.  [mw-2.4-a]"""
        self.occupied: list[int] = held
        """By side: hexes with its land units.  [mw-2.3-occupy]"""
        self.zoc: list[int] = [zones[AXIS] & open_hexes, zones[ALLIES] & open_hexes]
        """By side: hexes in its zones of control: none of static units or neutrals, none into neutrals, none over
        all-sea hexsides.  [mw-10.0-a] [mw-10.0-b] [mw-10.1-b-exception] [mw-5.2-b]"""
        self.owned = (unpack(state.owned[AXIS]), unpack(state.owned[ALLIES]))
        self.terror = unpack(state.terror)

    @property
    def stacks(self) -> dict[int, list[int]]:
        """Land units by hex, neutrals included, in the order of the counter list."""
        found = self._stacks
        if found is None:
            found = {}
            where = self.state.where
            for unit in _LAND:
                at = where[unit]
                if at >= 0:
                    stack = found.get(at)
                    if stack is None:
                        found[at] = [unit]
                    else:
                        stack.append(unit)
            self._stacks = found
        return found

    def stack(self, at: int) -> list[int]:
        """The land units in a hex. A few hexes are looked up one by one; for more the whole map is sorted once."""
        if self._stacks is None and self._asked < _FEW:
            self._asked += 1
            where = self.state.where
            return [unit for unit in _LAND if where[unit] == at]
        return self.stacks.get(at, [])

    def controlled(self, side: int) -> int:
        """[mw-2.3-a] [mw-2.3-b] [mw-2.3-c] Hexes a side controls: its own, no enemy in them, no enemy zone on them."""
        enemy = 1 - side
        return self.owned[side] & ~self.zoc[enemy] & ~self.occupied[enemy]

    def disputed(self) -> int:
        """[mw-2.3-disputed-a] [mw-2.3-disputed-b] Hexes nobody controls because both sides lay a hand on them."""
        a, b = self.zoc
        held_a, held_b = self.occupied
        return (held_a & b) | (held_b & a) | (a & b)


def _lay(state: MunichState, held: list[int], zones: list[int], side: int) -> None:
    """Where a side stands and what lies in its zones."""
    where = state.where
    occupied = zone = 0
    for country, who in enumerate(state.side):
        if who == side:
            for at in {where[unit] for unit in _MOBILE[country]}:
                if at >= 0:
                    occupied |= _BIT[at]
                    zone |= _ZONE[at]
            for unit in _STATIC[country]:
                at = where[unit]
                if at >= 0:
                    occupied |= _BIT[at]
    held[side], zones[side] = occupied, zone


_latest: Facts | None = None


def facts_of(state: MunichState) -> Facts:
    """The facts of a state, made anew only when it has changed."""
    global _latest
    before = _latest
    if before is None or before.state is not state:
        made = Facts(state)
    elif before.clock == state.clock:
        return before
    else:
        made = Facts(state, before)
    _latest = made
    return made


def facts(m: M) -> Facts:
    found = _latest
    state = m.state
    if found is not None and found.state is state and found.clock == state.clock:
        return found
    return facts_of(state)


# ---- small questions -----------------------------------------------------------------------------------------------
def side_of(m: M, unit: int) -> int:
    """[mw-2.2-c] [mw-3.1] The player who controls a unit; NOBODY for a neutral's."""
    return m.state.side[_COUNTRY[unit]]


def country_at(at: int) -> int:
    return ATLAS.country_of[at]


def is_neutral_hex(m: M, at: int) -> bool:
    country = ATLAS.country_of[at]
    return country != NOBODY and m.state.side[country] == NOBODY


def hex_name(at: int) -> str:
    return ATLAS.hex_name[at]


def unit_id(unit: int) -> str:
    return ATLAS.units[unit].id


def hold(m: M, unit: int, at: int) -> None:
    """[mw-2.3-a] [mw-2.3-c] A unit stands in or passes a hex: its side is the last occupier and, free of enemy zones,
    takes control."""
    side = side_of(m, unit)
    bit = 1 << at
    if not ATLAS.land & bit:
        return
    occupy(m, side, bit)


def occupy(m: M, side: int, hexes: int) -> None:
    """A side's units have entered or passed these hexes: it takes those that lie in no enemy zone."""
    known = facts(m)
    state = m.state
    disputed = hexes & known.zoc[1 - side]
    free = hexes & ~disputed
    if free & ~(known.owned[side] & unpack(state.last[side])):
        give(state, side, free)
    if disputed & ~unpack(state.last[side]):
        credit(state, side, disputed)


def settle_control(m: M) -> None:
    """At the end of a phase hexes that are occupied and free of enemy zones belong to their occupier."""
    known = facts(m)
    for side in (AXIS, ALLIES):
        occupy(m, side, known.occupied[side] & ATLAS.land)


def units_on_map(m: M, side: int) -> list[int]:
    """A side's land units on the map."""
    where, sides = m.state.where, m.state.side
    return [unit for unit in _LAND if where[unit] >= 0 and sides[_COUNTRY[unit]] == side]


def enemy_at(m: M, side: int, at: int) -> list[int]:
    """The other side's land units in a hex."""
    return [unit for unit in facts(m).stack(at) if m.state.side[_COUNTRY[unit]] == 1 - side]


def friends_at(m: M, side: int, at: int) -> list[int]:
    return [unit for unit in facts(m).stack(at) if m.state.side[_COUNTRY[unit]] == side]


def air_at(m: M, side: int, at: int) -> int:
    """A side's air unit over a hex; NOBODY where there is none."""
    state = m.state
    for unit in ATLAS.air_units:
        if state.where[unit] == at and state.side[_COUNTRY[unit]] == side:
            return unit
    return NOBODY


def names(hexes: int) -> list[str]:
    return [ATLAS.hex_name[at] for at in bits(hexes)]
