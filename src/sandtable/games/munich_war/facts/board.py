"""What follows from a state: who stands where, zones of control, control of hexes (chapters 2.3, 5.1, 10).

Facts live outside the state and are never saved. Those of the state last looked at follow its changes: a counter that
has moved changes its two stacks, not the whole map.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY
from ..model.hexsets import bits
from ..model.state import M, MunichState, handed_over, packed, unpack, unpacked, watch

_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_BIT = [1 << at for at in range(ATLAS.hex_count)]
_LAND = ATLAS.land_units
_IS_LAND = ATLAS.is_land
_AIR = ATLAS.air_units
_NAMES = ATLAS.hex_name
_places_of_air = itemgetter(*_AIR)
_IS_MOBILE = [unit.mobile for unit in ATLAS.units]
_HEXES = tuple(country.hexes for country in ATLAS.countries)
_LAND_OF = tuple(tuple(unit for unit in country.units if _IS_LAND[unit]) for country in ATLAS.countries)
_ZONE = ATLAS.zone
_NEAR = tuple(tuple(bits(zone)) for zone in _ZONE)
"""By hex: the hexes that a zone of control from there takes in."""


class Facts:
    """Derived facts of one state at one reading of its clock."""

    __slots__ = ("_owned", "_pressed", "_side", "_terror", "_where", "_zones", "clock", "crowded", "last",
                 "last_read", "lasting", "members", "memo", "mobile", "moved", "neutral", "occupied", "open",
                 "overfull", "owned", "restacked", "stacks", "state", "terror", "zoc")  # fmt: skip

    def __init__(self, state: MunichState) -> None:
        self.state = state
        self._side: tuple[int, ...] | None = None
        self._owned: tuple[Any, ...] = ()
        self._terror: bytes | None = None
        self.last_read: tuple[bytes, ...] = ()
        self.last: tuple[int, int] = (0, 0)
        """By side: the hexes it was the last to occupy, as `last_read` has them."""
        self.catch_up()

    def catch_up(self) -> None:
        """Bring the facts to the state's present clock."""
        state = self.state
        self.clock = state.clock
        self.memo: dict[Any, Any] = {}
        """What was worked out at this reading of the clock."""
        if state.side is not self._side and not (self._side and self._read_entries()):
            self._read_all()
        if self.moved:
            self._read_moves()
        if self._owned is not state.owned:
            self._owned = state.owned
            self.owned = unpacked(state.owned)
        if self._terror is not state.terror:
            self._terror = state.terror
            self.terror = unpack(state.terror)

    def _read_all(self) -> None:
        """Who stands where, from nothing."""
        state = self.state
        side, where = state.side, state.where
        self._side, self._where = side, list(where)
        self.moved: list[int] = []
        """Counters that were put elsewhere since."""
        self.members = [[nation for nation, who in enumerate(side) if who == own] for own in (AXIS, ALLIES)]
        self.lasting: dict[Any, Any] = {}
        """What depends on nothing but politics."""
        self.stacks: dict[int, tuple[int, ...]] = {}
        """Land units by hex, neutrals included, in the order of the counter list."""
        self.crowded: set[int] = set()
        """Hexes with more than one land unit."""
        self.restacked: set[int] = set()
        """Hexes whose stacks have changed since `overfull` was looked at."""
        self.overfull: set[int] = set()
        """Hexes with more units than the rules allow: chapter 9 keeps it up to date."""
        self.mobile: list[int] = [0] * len(side)
        """By country: hexes with its mobile units."""
        self._pressed: tuple[list[int], ...] = ([0] * len(_NEAR), [0] * len(_NEAR))
        """By side and hex: how many of those (each country's counted) have it in their zone."""
        self._zones: list[int] = [0, 0]
        """By side: the hexes that at least one has, those of neutrals too."""
        self.open: int = 0
        """Hexes of belligerent countries.  [mw-2.4-a]"""
        for country, who in enumerate(side):
            if who >= 0:
                self.open |= _HEXES[country]
        self.neutral: int = 0
        """Hexes where units of neutrals stand."""
        self.occupied: list[int] = [0, 0]
        """By side: hexes with its land units.  [mw-2.3-occupy]"""
        self.zoc: list[int] = [0, 0]
        """By side: hexes in its zones of control: none of static units or neutrals, none into neutrals, none over
        all-sea hexsides.  [mw-10.0-a] [mw-10.0-b] [mw-10.1-b-exception] [mw-5.2-b]"""
        stacks: dict[int, list[int]] = {}
        for unit in _LAND:
            at = where[unit]
            if at >= 0:
                stacks.setdefault(at, []).append(unit)
        for at, stack in stacks.items():
            self._lay_stack(tuple(stack), at)
        for country, who in enumerate(side):
            if who >= 0:
                for at in bits(self.mobile[country]):
                    self._spread_zone(who, at)

    def _lay_stack(self, stack: tuple[int, ...], at: int) -> None:
        """All counters of a hex at once."""
        side, bit = self.state.side, _BIT[at]
        self.stacks[at] = stack
        if len(stack) > 1:
            self.crowded.add(at)
            self.restacked.add(at)
        for unit in stack:
            country = _COUNTRY[unit]
            who = side[country]
            if who < 0:
                self.neutral |= bit
                continue
            self.occupied[who] |= bit
            if _IS_MOBILE[unit]:
                self.mobile[country] |= bit

    def _read_entries(self) -> bool:
        """Neutrals that have joined a side; False where politics changed in another way."""
        before, side = self._side, self.state.side
        assert before is not None
        joined = [country for country, who in enumerate(side) if who != before[country]]
        if any(before[country] != NOBODY for country in joined):
            return False
        self._side, self.lasting = side, {}
        for country in joined:
            who = side[country]
            self.members[who] = sorted((*self.members[who], country))
            self.open |= _HEXES[country]
            for unit in _LAND_OF[country]:
                at = self._where[unit]
                if at >= 0:
                    self.occupied[who] |= _BIT[at]
                    if _IS_MOBILE[unit]:
                        self.mobile[country] |= _BIT[at]
                    if not any(side[_COUNTRY[other]] == NOBODY for other in self.stacks[at]):
                        self.neutral &= ~_BIT[at]
            for at in bits(self.mobile[country]):
                self._spread_zone(who, at)
        # The zones of those who fought before now reach into the land of those who joined.
        self.zoc = [zone & self.open for zone in self._zones]
        return True

    def _read_moves(self) -> None:
        """Only the counters that have moved."""
        seen, where = self._where, self.state.where
        for unit in self.moved:
            before, now = seen[unit], where[unit]
            if before != now and _IS_LAND[unit]:
                seen[unit] = now
                if before >= 0 and self._pick_up(unit, before):
                    self._lift_zone(self.state.side[_COUNTRY[unit]], before)
                if now >= 0 and self._lay_down(unit, now):
                    self._spread_zone(self.state.side[_COUNTRY[unit]], now)
        self.moved.clear()

    def _lay_down(self, unit: int, at: int) -> bool:
        """A counter comes to a hex; whether its country's zones change."""
        stack = self.stacks.get(at)
        if stack is None:
            self.stacks[at] = (unit,)
        else:
            self.stacks[at] = tuple(sorted((*stack, unit)))
            self.crowded.add(at)
            self.restacked.add(at)
        country = _COUNTRY[unit]
        who = self.state.side[country]
        if who < 0:
            self.neutral |= _BIT[at]
            return False
        self.occupied[who] |= _BIT[at]
        if not _IS_MOBILE[unit] or self.mobile[country] & _BIT[at]:
            return False
        self.mobile[country] |= _BIT[at]
        return True

    def _pick_up(self, unit: int, at: int) -> bool:
        """A counter leaves a hex; whether its country's zones change."""
        stack = self.stacks.pop(at)
        rest: tuple[int, ...] = ()
        if len(stack) > 1:
            rest = self.stacks[at] = tuple([other for other in stack if other != unit])
            self.restacked.add(at)
            if len(rest) == 1:
                self.crowded.discard(at)
        sides, country = self.state.side, _COUNTRY[unit]
        who = sides[country]
        if who < 0:
            if not rest:
                self.neutral &= ~_BIT[at]
            return False
        friends = [other for other in rest if sides[_COUNTRY[other]] == who] if rest else []
        if not friends:
            self.occupied[who] &= ~_BIT[at]
        if not _IS_MOBILE[unit]:
            return False
        for other in friends:
            if _COUNTRY[other] == country and _IS_MOBILE[other]:
                return False
        self.mobile[country] &= ~_BIT[at]
        return True

    def _spread_zone(self, side: int, at: int) -> None:
        """A country's first mobile unit in a hex brings its zone with it."""
        pressed = self._pressed[side]
        for near in _NEAR[at]:
            pressed[near] += 1
        self._zones[side] |= _ZONE[at]
        self.zoc[side] = self._zones[side] & self.open

    def _lift_zone(self, side: int, at: int) -> None:
        """A country's last mobile unit has left a hex: what no other one presses has become free."""
        pressed, free = self._pressed[side], 0
        for near in _NEAR[at]:
            pressed[near] -= 1
            if not pressed[near]:
                free |= _BIT[near]
        if free:
            self._zones[side] &= ~free
            self.zoc[side] &= ~free

    def give(self, side: int, hexes: int) -> None:
        """What `state.give` does, with the sets that are known already."""
        self.state.clock += 1
        owned = handed_over(self.owned, side, hexes)
        if owned is not self.owned:
            self.owned = owned
            self.state.owned = self._owned = packed(owned)
        self.credit(side, hexes)

    def credit(self, side: int, hexes: int) -> None:
        """What `state.credit` does; `last` has been read."""
        last = handed_over(self.last, side, hexes)
        if last is not self.last:
            self.last = last
            self.state.last = self.last_read = packed(last)

    def foreign(self, country: int) -> int:
        """Hexes with mobile units of the country's friends."""
        found = 0
        for other in self.members[self.state.side[country]]:
            if other != country:
                found |= self.mobile[other]
        return found

    def stack(self, at: int) -> tuple[int, ...]:
        """The land units in a hex."""
        return self.stacks.get(at, ())

    def controlled(self, side: int) -> int:
        """[mw-2.3-a] [mw-2.3-b] [mw-2.3-c] Hexes a side controls: its own, no enemy in them, no enemy zone on them."""
        enemy = 1 - side
        return self.owned[side] & ~(self.zoc[enemy] | self.occupied[enemy])

    def disputed(self) -> int:
        """[mw-2.3-disputed-a] [mw-2.3-disputed-b] Hexes nobody controls because both sides lay a hand on them."""
        a, b = self.zoc
        held_a, held_b = self.occupied
        return (held_a & b) | (held_b & a) | (a & b)


_latest: Facts | None = None


def facts_of(state: MunichState) -> Facts:
    """The facts of a state: those of the one last looked at are brought up to date, others are made."""
    global _latest
    found = _latest
    if found is None or found.state is not state:
        _latest = found = Facts(state)
        watch(found)
    elif found.clock != state.clock:
        found.catch_up()
    return found


def facts(m: M) -> Facts:
    found, state = _latest, m.state
    if found is None or found.state is not state:
        return facts_of(state)
    if found.clock != state.clock:
        found.catch_up()
    return found


# ---- small questions -----------------------------------------------------------------------------------------------
def side_of(m: M, unit: int) -> int:
    """[mw-2.2-c] [mw-3.1] The player who controls a unit; NOBODY for a neutral's."""
    return m.state.side[_COUNTRY[unit]]


def hex_name(at: int) -> str:
    return ATLAS.hex_name[at]


def names_of(path: Iterable[int]) -> list[str]:
    """Hexes in the order given, by name."""
    return [_NAMES[at] for at in path]


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
    free = hexes ^ disputed
    if known.last_read is not state.last:
        known.last_read = state.last
        known.last = unpacked(state.last)
    last = known.last[side]
    if free & ~(known.owned[side] & last):
        known.give(side, free)
    if disputed & ~last:
        known.credit(side, disputed)


def settle_control(m: M) -> None:
    """At the end of a phase hexes that are occupied and free of enemy zones belong to their occupier."""
    known, state = facts(m), m.state
    if known.memo.get("settled") is state.last:
        return  # nothing has changed since
    for side in (AXIS, ALLIES):
        occupy(m, side, known.occupied[side] & ATLAS.land)
    facts(m).memo["settled"] = state.last


def enemy_at(m: M, side: int, at: int) -> list[int]:
    """The other side's land units in a hex."""
    return [unit for unit in facts(m).stack(at) if m.state.side[_COUNTRY[unit]] == 1 - side]


def aloft(m: M) -> list[int]:
    """The air units over the map."""
    where = m.state.where
    if max(_places_of_air(where)) < 0:
        return []
    return [unit for unit in _AIR if where[unit] >= 0]


def air_force(m: M, side: int) -> tuple[int, ...]:
    """A side's air units, wherever they are."""
    lasting = facts(m).lasting
    found: tuple[int, ...] | None = lasting.get(("air", side))
    if found is None:
        found = lasting["air", side] = tuple(unit for unit in _AIR if m.state.side[_COUNTRY[unit]] == side)
    return found


def air_at(m: M, side: int, at: int) -> int:
    """A side's air unit over a hex; NOBODY where there is none."""
    state = m.state
    for unit in aloft(m):
        if state.where[unit] == at and state.side[_COUNTRY[unit]] == side:
            return unit
    return NOBODY


def names(hexes: int) -> list[str]:
    return names_of(bits(hexes))
