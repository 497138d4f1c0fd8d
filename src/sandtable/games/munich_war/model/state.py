"""The State: all that changes in a match (chapters 2.2 to 2.4), and the small ways to change it.

Columns run by the atlas's unit, country or side numbers and are never changed in place: to change one is to replace
it. `where` is a hex (0 and above) or a display (below 0). Sets of hexes are little-endian bytes, one bit per hex.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.core import Play, State
from sandtable.core.bits import mask_of
from sandtable.core.columns import lacking, put

from .atlas import ATLAS, NOBODY

# ---- displays
OUT = -1  # not in this match, withdrawn, or scheduled after the last turn
AVAILABLE = -2
UTILIZED = -3
REINFORCEMENT = -4
ELIMINATED = -5
SURRENDERED = -6
OFF_MAP = -7  # Soviet units on off-map railroads
UNPLACED = -8
HIDDEN = -9  # in a view: somewhere the viewer may not look
TRACK = -20  # TRACK - n: on the Turn & Reinforcement Track, box of game turn n

# ---- flags
MOVED = 1  # has finished its movement this phase
ATTACKED = 2
LANDED = 4  # came by sea this turn: it and its stack are supplied for combat
NO_ATTACK = 8
FLOWN = 16  # has flown its one mission of this game turn
HUNGRY = 16  # the same bit for a land unit: out of supply when this Movement Phase began
GROUNDED = 32  # reduced to factor zero in interception: stays in Utilized until refit
SURPRISED = 64  # may not intercept in the first German player turn
TRANSIT = 64  # the same bit for a land unit: it came by off-map transit this turn
WAITING = 128  # an airlift that stayed in its launch hex: it may fly a unit out
ALL_FLAGS = 255

UNITS = len(ATLAS.units)
COUNTRIES = len(ATLAS.countries)
_COUNTS = tuple(unit.land or unit.lift or unit.transport for unit in ATLAS.units)
"""Land units, and the markers that supply them."""
_FULL = bytes(unit.steps for unit in ATLAS.units)
_BYTES = (ATLAS.hex_count + 7) // 8


_WITHOUT = {
    flag: bytes(flags & ~flag for flags in range(256))
    for flag in (FLOWN, SURPRISED, ATTACKED, MOVED | LANDED | NO_ATTACK)
}
"""By the flags taken off: what each set of flags becomes."""


def pack(mask: int) -> bytes:
    """A set of hexes as it is kept."""
    return mask.to_bytes(_BYTES, "little")


def unpack(data: bytes) -> int:
    return int.from_bytes(data, "little")


class Battle(msgspec.Struct, frozen=True):
    """The attack being fought: everybody may look at the stacks involved."""

    target: int
    units: tuple[int, ...]
    table: str
    hexes: tuple[int, ...]
    """Where the stacks involved stood when it began."""
    flak: bool = False
    """Anti-aircraft guns or a fortification stood in the target hex at the start."""
    air: int = NOBODY
    naval: int = NOBODY
    sf: int = NOBODY
    sf_works: bool = False
    die: int = 0
    result: str = ""
    defenders: tuple[int, ...] = ()


class MunichState(State, kw_only=True):
    """All that changes in a match of Munich War."""

    where: tuple[int, ...]
    steps: bytes
    flags: bytes
    order: tuple[int, ...]
    """When a unit came to its hex: the last to come lies on top."""
    side: tuple[int, ...]
    """By country: AXIS, ALLIES or NOBODY while neutral."""
    fallen: tuple[int, ...]
    """By country: 1 when it has surrendered."""
    owned: tuple[bytes, ...]
    """By side: the hexes it last took."""
    last: tuple[bytes, ...]
    """By side: the hexes it was the last to occupy or started with: what counts for victory."""
    terror: bytes
    plan: int = 0
    turn: int = 0
    phasing: int = NOBODY
    storm: bool = False
    intervened: bool = False
    no_rp: tuple[int, ...]
    """By side: no replacement points this turn (putsch, blitzkrieg)."""
    rp: tuple[int, ...]
    pool: int = 0
    """Points of a crisis elsewhere, for any country of the side that got them."""
    rail_used: tuple[int, ...]
    arrived: tuple[int, ...] = ()
    """Hexes that took a reinforcement this Mobilization Phase."""
    moving: int = NOBODY
    spent: int = 0
    allowance: int = 0
    """Half movement factors of the unit that is moving."""
    attacks: int = 0
    assaults: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Marines at sea and the hex they must attack."""
    battle: Battle | None = None
    reduced: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Set-up: how many units of a slot start reduced where dice decide it (option 23.6)."""
    hidden: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Only in a view: how many unseen counters lie in a hex."""
    clock: int = 0
    """Counts changes of the board: `order` takes its numbers from it."""


M = Play[MunichState]


def blank(scenario: str, options: dict[str, bool | int | str]) -> MunichState:
    """A state in which nothing is set up yet."""
    return MunichState(
        scenario=scenario,
        options=options,
        where=(OUT,) * UNITS,
        steps=_FULL,
        flags=bytes(UNITS),
        order=(0,) * UNITS,
        side=(NOBODY,) * COUNTRIES,
        fallen=(0,) * COUNTRIES,
        owned=(pack(0), pack(0)),
        last=(pack(0), pack(0)),
        terror=pack(0),
        no_rp=(0, 0),
        rp=(0,) * COUNTRIES,
        rail_used=(0,) * COUNTRIES,
    )


def lower(state: MunichState, flag: int) -> None:
    """Take these flags off every counter."""
    state.flags = state.flags.translate(_WITHOUT[flag])


def lay_all(state: MunichState, places: Mapping[int, int]) -> None:
    """Lay counters in hexes or displays, one after the other."""
    if not places:
        return
    where, order = list(state.where), list(state.order)
    for unit, at in places.items():
        if _COUNTS[unit] and (at >= 0 or where[unit] >= 0):
            state.clock += 1
            order[unit] = state.clock if at >= 0 else 0
        where[unit] = at
    state.where, state.order = tuple(where), tuple(order)


def lay(state: MunichState, unit: int, at: int) -> None:
    """Lay a counter in a hex, on top, or in a display."""
    before = state.where[unit]
    state.where = put(state.where, unit, at)
    if _COUNTS[unit] and (at >= 0 or before >= 0):
        state.clock += 1
        state.order = put(state.order, unit, state.clock if at >= 0 else 0)


def mark(state: MunichState, unit: int, flags: int) -> None:
    """Set flags of a counter."""
    state.flags = put(state.flags, unit, state.flags[unit] | flags)


def unmark(state: MunichState, unit: int, flags: int) -> None:
    """Clear flags of a counter."""
    state.flags = put(state.flags, unit, state.flags[unit] & ~flags)


def set_steps(state: MunichState, unit: int, steps: int) -> None:
    state.steps = put(state.steps, unit, steps)


def give(state: MunichState, side: int, hexes: int) -> None:
    """These hexes are now this side's, in control and as the last occupier."""
    state.clock += 1
    state.owned = _handed_over(state.owned, side, hexes)
    credit(state, side, hexes)


def credit(state: MunichState, side: int, hexes: int) -> None:
    """The side was the last to occupy these hexes."""
    state.last = _handed_over(state.last, side, hexes)


def _handed_over(sets: tuple[bytes, ...], side: int, hexes: int) -> tuple[bytes, ...]:
    """These hexes go from the other side's set to this one's; the same sets where nothing changes."""
    mine, theirs = unpack(sets[side]), unpack(sets[1 - side])
    if not hexes & theirs and hexes & mine == hexes:
        return sets
    gains, loses = pack(mine | hexes), pack(theirs & ~hexes)
    return (loses, gains) if side else (gains, loses)


def disembark(state: MunichState, unit: int) -> None:
    """A unit no longer lies off a coast that it must attack."""
    state.assaults = lacking(state.assaults, unit)


def frighten(state: MunichState, at: int) -> None:
    """Put a terror marker down."""
    state.clock += 1
    state.terror = pack(unpack(state.terror) | mask_of((at,)))
