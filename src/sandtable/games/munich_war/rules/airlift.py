"""Air transport (16.10.1)."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.air import flight
from ..facts.board import board, foreign
from ..facts.control import controlled, terror
from ..facts.politics import enterable, side_of
from ..model.actions import Airlift
from ..model.atlas import ATLAS, COUNTRY, hex_name
from ..model.state import MOVED, M, lay, mark
from .air import can_be_flown, home
from .control import hold
from .movement import emit_move, finish_move, why_not_move_at_all
from .politics import why_barred_by_poland


def airlift_to(m: M, lift: int, unit: int) -> int:
    """[mw-16.10.1-c] [mw-16.10.1-d] [mw-8.2-e] [mw-19.0-mountain] [mw-23.5-a] Friendly-controlled cities in range, free
    of enemy zones and terror, that the passenger may enter and stay in."""
    known = board(m.state)
    side = side_of(m.state, lift)
    at = m.state.where[lift]
    if (known.zoc[1 - side] | terror(m.state)) >> at & 1:
        return 0
    cities = ATLAS.cities & controlled(m.state)[side] & ~terror(m.state) & known.open
    cities &= enterable(m.state, COUNTRY[unit]) & ~foreign(m.state, COUNTRY[unit])
    if not ATLAS.units[unit].alpine:
        cities &= ~ATLAS.mountains
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


def why_not_airlift_to(m: M, lift: int, unit: int, at: int) -> Refusal | None:
    known, side = board(m.state), side_of(m.state, lift)
    for place in (m.state.where[lift], at):
        if known.zoc[1 - side] >> place & 1:
            return Refusal("mw-16.10.1-d", "in-zoc", hex=hex_name(place))
        if terror(m.state) >> place & 1:
            return Refusal("mw-16.10.1-d", "terrorized", hex=hex_name(place))
    if not ATLAS.cities & controlled(m.state)[side] & (1 << at):
        return Refusal("mw-16.10.1-c", "not-your-city", hex=hex_name(at), unit=ATLAS.units[lift].id)
    if ATLAS.mountains >> at & 1 and not ATLAS.units[unit].alpine:
        return Refusal("mw-19.0-mountain", "mountain", hex=hex_name(at))
    barred = why_barred_by_poland(m, COUNTRY[unit], at)
    if barred is not None:
        return barred
    if foreign(m.state, ATLAS.units[unit].country) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    return Refusal("mw-16.10.1-c", "out-of-range", hex=hex_name(at), range=ATLAS.units[lift].range)


def why_not_flown(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    if number is None:
        return None
    if not can_be_flown(m, number):
        return Refusal("mw-16.10.1-b", "too-heavy", unit=unit)
    return why_not_move_at_all(m, number)


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
    emit_move(m, action.unit, (start, to), "air")
