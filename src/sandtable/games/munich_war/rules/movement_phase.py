"""The Movement Phase as decisions (4.0, 8.0): which units move, and how; air transport (16.10.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from sandtable.core import Late, Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field, Where

from ..facts.air import flight
from ..facts.board import board, foreign
from ..facts.control import controlled, terror
from ..facts.politics import enterable, side_of
from ..facts.railroads import entry_reach, rail_path, rail_reach
from ..facts.reach import reach
from ..facts.supply import is_supplied
from ..model.actions import Airlift, Assault, Done, EnterMap, LeaveMap, Move, Rail, Ship
from ..model.atlas import ATLAS, SIDES, hex_name, names_of
from ..model.events import Moved
from ..model.hexsets import bits, mask_of
from ..model.state import LANDED, MOVED, NO_ATTACK, OFF_MAP, UTILIZED, WAITING, M, lay, lower, mark
from .air import can_be_flown, home
from .amphibious import lie_off, offers_by_sea
from .control import hold, occupy, settle_control
from .domains import Hexes
from .movement import costs, finish_move, movable, move, why_not_move_at_all, why_not_to
from .naval import sail
from .politics import why_barred_by_poland
from .railroads import ride, use_train, why_not_leave_map, why_not_rail, why_not_rail_to
from .stacking_phase import enforce

_ID = tuple(unit.id for unit in ATLAS.units)
_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_TRAINS = tuple(country.rail_capacity for country in ATLAS.countries)
_OFF_MAP = ATLAS.countries[ATLAS.country_number[ATLAS.rules["off_map_rail"]["country"]]]
_TRAVELLERS = tuple(unit for unit in _OFF_MAP.units if ATLAS.is_land[unit])
_places_of_travellers = itemgetter(*_TRAVELLERS)
_NUMBER = ATLAS.unit_number
_HOW = {how: f"@how-{how}" for how in ("road", "rail", "air")}
_DONE = Offer(Done, rule="mw-8.0-a")


class Movement(Step, frozen=True, tag="mw.movement"):
    """[mw-4.0-move] [mw-8.0-d] The phasing player moves his units one at a time."""

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
            Late(Move, _march_fields, m, side, rule="mw-8.0-a"),
            Late(Rail, _rail_fields, m, side, rule="mw-8.6-a"),
        ]
        if m.state.side[_OFF_MAP.index] == side:
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
            _emit_move(m, action.unit, move(m, ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]), "road")
        elif isinstance(action, Rail):
            unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
            path = rail_path(m.state, unit, 1 << m.state.where[unit], at)
            ride(m, unit, path[1:])
            _emit_move(m, action.unit, path, "rail")
        elif isinstance(action, LeaveMap):
            leave_map(m, ATLAS.unit_number[action.unit])
        elif isinstance(action, EnterMap):
            unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
            path = rail_path(m.state, unit, ATLAS.east_rail & entry_reach(m.state, unit), at)
            ride(m, unit, path)
            _emit_move(m, action.unit, path, "rail")
        elif isinstance(action, Ship):
            sail(m, action)
        elif isinstance(action, Assault):
            lie_off(m, action)
        elif isinstance(action, Airlift):
            fly(m, action)


def _emit_move(m: M, unit: str, path: Sequence[int], how: str) -> None:
    m.emit(Moved(unit=unit, path=names_of(path), how=_HOW[how]))


def begin(m: M) -> None:
    """A new Movement Phase: nobody has moved, and no movement factors are carried over.  [mw-8.2-c]"""
    state = m.state
    state.moving, state.spent, state.allowance = -1, 0, 0
    state.clock += 1
    lower(state, MOVED | LANDED | NO_ATTACK)


def end(m: M) -> None:
    """[mw-18.2-b] Ships that have landed their units go to Utilized; control is settled."""
    finish_move(m)
    for ship in ATLAS.transports:
        if m.state.where[ship] >= 0:
            lay(m.state, ship, UTILIZED)
    settle_control(m)


def _march_fields(m: M, side: int) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", OneOf(
            [_ID[unit] for unit in movable(m, side)], why=lambda unit: _why_unit(m, unit))),
        Field("to", "space", lambda unit: _Reach(m, _NUMBER[unit])),
    )  # fmt: skip


class _Reach(Hexes):
    """Where a unit can go; what it costs is worked out only for the eyes."""

    __slots__ = ("m", "unit")

    def __init__(self, m: M, unit: int) -> None:
        super().__init__(reach(m.state, unit), why=lambda at: why_not_to(m, unit, at))
        self.m, self.unit = m, unit

    def describe(self) -> dict[str, Any]:
        self.notes = costs(self.m, self.unit)
        return super().describe()


def _why_unit(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_move_at_all(m, number)


def rail_riders(m: M, side: int) -> list[str]:
    """[mw-8.6-a] Units on the railroads of their own country with trains left; supply is asked of the one chosen."""
    state = m.state
    where, home, moving = state.where, ATLAS.rail_home, state.moving
    full = [used >= trains for used, trains in zip(state.rail_used, _TRAINS, strict=True)]
    return [
        _ID[unit]
        for unit in movable(m, side)
        if home[where[unit]] == _COUNTRY[unit] and not full[_COUNTRY[unit]] and unit != moving
    ]


def _rail_fields(m: M, side: int) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", OneOf(rail_riders(m, side), why=lambda unit: _why_rail(m, unit))),
        Field("to", "space", lambda unit: Hexes(
            rail_reach(m.state, _NUMBER[unit]) if is_supplied(m.state, _NUMBER[unit]) else 0,
            why=lambda at: why_not_rail(m, _NUMBER[unit]) or why_not_rail_to(m, _NUMBER[unit], at))),
    )  # fmt: skip


def _why_rail(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_rail(m, number)


# ---- Soviet off-map railroads (8.6.1) ------------------------------------------------------------------------------
def offer_off_map(m: M) -> list[Offer]:
    """[mw-8.6.1-a] [mw-8.6.1-b] Only the country of the off-map railroads has these."""
    country, state = _OFF_MAP, m.state
    if state.rail_used[country.index] >= country.rail_capacity:
        return []
    offers: list[Offer] = []
    if next(leavers(m), None) is not None:
        offers.append(Late(LeaveMap, _leaving_fields, m, rule="mw-8.6.1-a"))
    if OFF_MAP in _places_of_travellers(state.where):
        back = [unit for unit in _TRAVELLERS if state.where[unit] == OFF_MAP and not state.flags[unit] & MOVED]
        if back:
            offers.append(Late(EnterMap, _entering_fields, m, back, rule="mw-8.6.1-b"))
    return offers


def _leaving_fields(m: M) -> tuple[Field, ...]:
    return (Field("unit", "unit", Leavers(list(leavers(m)), lambda unit: _why_leave(m, unit))),)


def _entering_fields(m: M, back: Sequence[int]) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", OneOf([_ID[unit] for unit in back])),
        Field("to", "space", lambda unit: Hexes(entry_reach(m.state, _NUMBER[unit]))),
    )


def leavers(m: M) -> Iterator[str]:
    """Units on the railroads that lead off the map, before anything else is asked."""
    where, flags, moving, home = m.state.where, m.state.flags, m.state.moving, _OFF_MAP.index
    for unit in _TRAVELLERS:
        at = where[unit]
        if at >= 0 and not flags[unit] & MOVED and unit != moving and ATLAS.rail_home[at] == home:
            yield _ID[unit]


class Leavers(Where):
    """Units that may roll off the map; any other unit is told why not."""

    def why(self, value: object) -> Refusal | None:
        return self.rule(value) if isinstance(value, str) else None


def _why_leave(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_leave_map(m, number)


def leave_map(m: M, unit: int) -> None:
    """[mw-8.6.1-a] [mw-8.6.1-c] Off the map until the next game turn."""
    state = m.state
    finish_move(m)
    use_train(m, unit)
    here = 1 << state.where[unit]
    if not ATLAS.east_rail & here:
        zones = board(m.state).zoc[1 - side_of(m.state, unit)]
        gate = next(bits(ATLAS.east_rail & rail_reach(m.state, unit) & ~zones))
        path = rail_path(m.state, unit, here, gate)[1:]
        lay(state, unit, gate)
        occupy(m, side_of(m.state, unit), mask_of(path))
    m.emit(Moved(unit=ATLAS.units[unit].id, path=(hex_name(state.where[unit]),), how="@how-off-map"))
    lay(state, unit, OFF_MAP)
    mark(state, unit, MOVED)


# ---- air transport (16.10.1) ---------------------------------------------------------------------------------------
def airlift_to(m: M, lift: int, unit: int) -> int:
    """[mw-16.10.1-c] [mw-16.10.1-d] [mw-8.2-e] [mw-23.5-a] Friendly-controlled cities in range, free of enemy zones and
    terror, that the passenger may enter and stay in."""
    known = board(m.state)
    side = side_of(m.state, lift)
    at = m.state.where[lift]
    if (known.zoc[1 - side] | terror(m.state)) >> at & 1:
        return 0
    cities = ATLAS.cities & controlled(m.state)[side] & ~terror(m.state) & known.open
    cities &= enterable(m.state, _COUNTRY[unit]) & ~foreign(m.state, _COUNTRY[unit])
    return flight(m.state, lift, at) & cities & ~(1 << at)


def airlift_passengers(m: M, lift: int) -> list[int]:
    """[mw-16.10.1-b] Who can be flown out of the hex the airlift waits in."""
    side = side_of(m.state, lift)
    return [
        unit
        for unit in board(m.state).stack(m.state.where[lift])
        if can_be_flown(m, unit) and side_of(m.state, unit) == side and why_not_move_at_all(m, unit) is None
        and m.state.moving != unit
    ]  # fmt: skip


def offer_airlift(m: M, side: int) -> Offer | None:
    where, flags = m.state.where, m.state.flags
    lifts = [
        _ID[unit]
        for unit in ATLAS.lifts
        if where[unit] >= 0 and flags[unit] & WAITING and side_of(m.state, unit) == side and airlift_passengers(m, unit)
    ]
    return Late(Airlift, _airlift_fields, m, lifts, rule="mw-16.10.1-c") if lifts else None


def _airlift_fields(m: M, lifts: Sequence[str]) -> tuple[Field, ...]:
    number = _NUMBER
    return (
        Field("lift", "unit", OneOf(lifts)),
        Field("unit", "unit", lambda lift: OneOf([ATLAS.units[u].id for u in airlift_passengers(m, number[lift])],
                                                 why=lambda unit: _why_not_flown(m, unit))),
        Field("to", "space", lambda lift, unit: Hexes(
            airlift_to(m, number[lift], number[unit]),
            why=lambda at: why_not_airlift_to(m, number[lift], number[unit], at))),
    )  # fmt: skip


def _why_not_flown(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    if number is None:
        return None
    if not can_be_flown(m, number):
        return Refusal("mw-16.10.1-b", "too-heavy", unit=unit)
    return why_not_move_at_all(m, number)


def why_not_airlift_to(m: M, lift: int, unit: int, at: int) -> Refusal | None:
    known, side = board(m.state), side_of(m.state, lift)
    for place in (m.state.where[lift], at):
        if known.zoc[1 - side] >> place & 1:
            return Refusal("mw-16.10.1-d", "in-zoc", hex=hex_name(place))
        if terror(m.state) >> place & 1:
            return Refusal("mw-16.10.1-d", "terrorized", hex=hex_name(place))
    if not ATLAS.cities & controlled(m.state)[side] & (1 << at):
        return Refusal("mw-16.10.1-c", "not-your-city", hex=hex_name(at), unit=ATLAS.units[lift].id)
    barred = why_barred_by_poland(m, _COUNTRY[unit], at)
    if barred is not None:
        return barred
    if foreign(m.state, ATLAS.units[unit].country) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    return Refusal("mw-16.10.1-c", "out-of-range", hex=hex_name(at), range=ATLAS.units[lift].range)


def fly(m: M, action: Airlift) -> None:
    """[mw-16.10.1-e] The passenger has moved; the airlift goes to Utilized."""
    state = m.state
    finish_move(m)
    lift, unit, to = ATLAS.unit_number[action.lift], ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
    start = state.where[unit]
    lay(state, unit, to)
    hold(m, unit, to)
    mark(state, unit, MOVED)
    home(m, lift)
    _emit_move(m, action.unit, (start, to), "air")
