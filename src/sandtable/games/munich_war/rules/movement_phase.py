"""The Movement Phase as decisions (4.0, 8.0): which units move, and how; air transport (16.10.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, NamedBits, Offer, OneOf, Refusal, Step, Where

from ..facts.politics import side_of
from ..facts.railroads import entry_reach, rail_path, rail_reach
from ..facts.reach import reach
from ..model.actions import Airlift, Assault, Done, EnterMap, LeaveMap, Move, Rail, Ship
from ..model.atlas import ATLAS, HEXES, IDS, OFF_MAP_COUNTRY, SIDES
from ..model.state import HUNGRY, LANDED, MOVED, NO_ATTACK, UTILIZED, WAITING, M, lay, lower
from .airlift import airlift_passengers, airlift_to, fly, why_not_airlift_to, why_not_flown
from .amphibious import lie_off
from .control import settle_control
from .movement import costs, emit_move, finish_move, movable, move, why_not_move_at_all, why_not_to
from .naval import sail
from .naval_phase import offers_by_sea
from .railroads import (
    forget_hungry,
    has_trains,
    leave_map,
    leavers,
    note_hungry,
    rail_riders,
    returning,
    ride,
    why_not_leave_map,
    why_not_rail,
    why_not_rail_to,
)
from .stacking_phase import enforce

_NUMBER = ATLAS.unit_number
_DONE = Offer(Done, rule="mw-8.0-a")


class Movement(Step, frozen=True, tag="mw.movement"):
    """[mw-4.0-move] [mw-8.0-d] The phasing player moves their units one at a time."""

    rule = "mw-4.0-move"
    side: int
    begun: bool = False

    def run(self, m: M) -> None:
        if not self.begun:
            begin(m)
            m.amend(Movement(self.side, True))

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        side = self.side
        found: list[Offer] = [
            Offer(Move, lambda: _march_fields(m, side), rule="mw-8.0-a"),
            Offer(Rail, lambda: _rail_fields(m, side), rule="mw-8.6-a"),
        ]
        if m.state.side[OFF_MAP_COUNTRY] == side:
            found += offer_off_map(m)
        found += offers_by_sea(m, side)
        airlift = offer_airlift(m, side)
        if airlift is not None:
            found.append(airlift)
        found.append(_DONE)
        return found

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Done):
            end(m)
            enforce(m, self.side)
            return
        if isinstance(action, Move):
            emit_move(m, action.unit, move(m, ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]), "road")
        elif isinstance(action, Rail):
            unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
            path = rail_path(m.state, unit, 1 << m.state.where[unit], at)
            ride(m, unit, path[1:])
            emit_move(m, action.unit, path, "rail")
        elif isinstance(action, LeaveMap):
            leave_map(m, ATLAS.unit_number[action.unit])
        elif isinstance(action, EnterMap):
            unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
            path = rail_path(m.state, unit, ATLAS.east_rail & entry_reach(m.state, unit), at)
            ride(m, unit, path)
            emit_move(m, action.unit, path, "rail")
        elif isinstance(action, Ship):
            sail(m, action)
        elif isinstance(action, Assault):
            lie_off(m, action)
        elif isinstance(action, Airlift):
            fly(m, action)


def begin(m: M) -> None:
    """A new Movement Phase: nobody has moved, and no movement factors are carried over.  [mw-8.2-c]"""
    state = m.state
    state.moving, state.spent, state.allowance = -1, 0, 0
    state.clock += 1
    lower(state, MOVED | LANDED | NO_ATTACK)
    note_hungry(m)


def end(m: M) -> None:
    """[mw-18.2-b] Ships that have landed their units go to Utilized; control is settled."""
    finish_move(m)
    forget_hungry(m)
    for ship in ATLAS.transports:
        if m.state.where[ship] >= 0:
            lay(m.state, ship, UTILIZED)
    settle_control(m)


def _march_fields(m: M, side: int) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", OneOf(
            [IDS[unit] for unit in movable(m, side)], why=lambda unit: _why_unit(m, unit))),
        Field("to", "space", lambda unit: _reach_of(m, _NUMBER[unit])),
    )  # fmt: skip


def _reach_of(m: M, unit: int) -> NamedBits:
    """Where a unit can go; what it costs is worked out only for the eyes."""
    return NamedBits(
        reach(m.state, unit), HEXES, why=lambda at: why_not_to(m, unit, at), notes=lambda: costs(m.state, unit)
    )


def _why_unit(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_move_at_all(m, number)


def _rail_fields(m: M, side: int) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", OneOf([IDS[unit] for unit in rail_riders(m, side)], why=lambda unit: _why_rail(m, unit))),
        Field("to", "space", lambda unit: NamedBits(
            0 if m.state.flags[_NUMBER[unit]] & HUNGRY else rail_reach(m.state, _NUMBER[unit]), HEXES,
            why=lambda at: why_not_rail(m, _NUMBER[unit]) or why_not_rail_to(m, _NUMBER[unit], at))),
    )  # fmt: skip


def _why_rail(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_rail(m, number)


# ---- Soviet off-map railroads (8.6.1) ------------------------------------------------------------------------------
def offer_off_map(m: M) -> list[Offer]:
    """[mw-8.6.1-a] [mw-8.6.1-b] Only the country of the off-map railroads has these."""
    if not has_trains(m, OFF_MAP_COUNTRY):
        return []
    offers: list[Offer] = []
    if next(leavers(m), None) is not None:
        offers.append(Offer(LeaveMap, lambda: _leaving_fields(m), rule="mw-8.6.1-a"))
    back = returning(m)
    if back:
        offers.append(Offer(EnterMap, lambda: _entering_fields(m, back), rule="mw-8.6.1-b"))
    return offers


def _leaving_fields(m: M) -> tuple[Field, ...]:
    return (Field("unit", "unit", Leavers([IDS[unit] for unit in leavers(m)], lambda unit: _why_leave(m, unit))),)


def _entering_fields(m: M, back: Sequence[int]) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", OneOf([IDS[unit] for unit in back])),
        Field("to", "space", lambda unit: NamedBits(entry_reach(m.state, _NUMBER[unit]), HEXES)),
    )


class Leavers(Where):
    """Units that may roll off the map; for any other unit it says why not."""

    def why(self, value: object) -> Refusal | None:
        return self.rule(value) if isinstance(value, str) else None


def _why_leave(m: M, unit: str) -> Refusal | None:
    number = _NUMBER.get(unit)
    return None if number is None else why_not_leave_map(m, number)


# ---- air transport (16.10.1) ---------------------------------------------------------------------------------------


def offer_airlift(m: M, side: int) -> Offer | None:
    where, flags = m.state.where, m.state.flags
    lifts = [
        IDS[unit]
        for unit in ATLAS.lifts
        if where[unit] >= 0 and flags[unit] & WAITING and side_of(m.state, unit) == side and airlift_passengers(m, unit)
    ]
    return Offer(Airlift, lambda: _airlift_fields(m, lifts), rule="mw-16.10.1-c") if lifts else None


def _airlift_fields(m: M, lifts: Sequence[str]) -> tuple[Field, ...]:
    number = _NUMBER
    return (
        Field("lift", "unit", OneOf(lifts)),
        Field("unit", "unit", lambda lift: OneOf([ATLAS.units[u].id for u in airlift_passengers(m, number[lift])],
                                                 why=lambda unit: why_not_flown(m, unit))),
        Field("to", "space", lambda lift, unit: NamedBits(
            airlift_to(m, number[lift], number[unit]), HEXES,
            why=lambda at: why_not_airlift_to(m, number[lift], number[unit], at))),
    )  # fmt: skip
