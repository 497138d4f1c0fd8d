"""Railroad movement (8.6), on the map and off its east edge (8.6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from sandtable.core import Refusal
from sandtable.core.bits import bits, mask_of
from sandtable.core.columns import put

from ..facts.board import board, foreign
from ..facts.politics import armies, members, side_of
from ..facts.railroads import rail_net, rail_path, rail_reach
from ..facts.supply import is_supplied, off_lines
from ..model.atlas import ATLAS, COUNTRY, OFF_MAP_COUNTRY, hex_name
from ..model.events import Moved
from ..model.state import HUNGRY, MOVED, OFF_MAP, M, lay, mark, unmark
from .control import occupy
from .movement import finish_move, movable, why_not_move_at_all

_TRAVELLERS = tuple(unit for unit in ATLAS.countries[OFF_MAP_COUNTRY].units if ATLAS.is_land[unit])
_places_of_travellers = itemgetter(*_TRAVELLERS)


def note_hungry(m: M) -> None:
    """[mw-8.6-c] The Movement Phase begins: whoever stands on a railroad of their own out of supply takes no train."""
    state, known = m.state, board(m.state)
    for country in members(state)[state.phasing]:
        riders = known.mobile[country] & ATLAS.rail & ATLAS.countries[country].hexes
        for at in bits(off_lines(state, country, riders) if riders else 0):  # a railroad to a source feeds the others
            for unit in known.stacks[at]:
                if COUNTRY[unit] == country and ATLAS.units[unit].mobile and not is_supplied(state, unit):
                    mark(state, unit, HUNGRY)


def forget_hungry(m: M) -> None:
    """The Movement Phase ends."""
    state = m.state
    for unit in armies(state)[state.phasing]:
        if state.flags[unit] & HUNGRY:
            unmark(state, unit, HUNGRY)


def why_not_rail(m: M, unit: int) -> Refusal | None:
    """[mw-8.6-b] [mw-8.6-c] [mw-8.6-f] [mw-8.6.2] [mw-14.6-c] Why a unit may not use the railroad."""
    refusal = why_not_move_at_all(m, unit)
    if refusal is not None:
        return refusal
    face, state = ATLAS.units[unit], m.state
    if state.moving == unit:
        return Refusal("mw-8.6-f", "has-moved", unit=face.id)
    country = ATLAS.countries[face.country]
    if not has_trains(m, face.country):
        return Refusal("mw-8.6.2", "rail-full", country=f"@{country.name}", capacity=country.rail_capacity)
    if not (ATLAS.rail & country.hexes) >> state.where[unit] & 1:
        abroad = ATLAS.rail >> state.where[unit] & 1
        return Refusal("mw-8.6-a" if abroad else "mw-8.6-b", "no-railroad", unit=face.id)
    if state.flags[unit] & HUNGRY:
        return Refusal("mw-14.6-c", "rail-unsupplied", unit=face.id)
    return None


def why_not_rail_to(m: M, unit: int, at: int) -> Refusal | None:
    """[mw-8.6-a] [mw-8.6-example] Why the railroad does not go there."""
    face = ATLAS.units[unit]
    country = ATLAS.countries[face.country]
    if not country.hexes >> at & 1:
        return Refusal("mw-8.6-a", "rail-abroad", hex=hex_name(at), country=f"@{country.name}")
    if foreign(m.state, ATLAS.units[unit].country) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    if board(m.state).occupied[1 - m.state.side[country.index]] >> at & 1:
        return Refusal("mw-8.2-d", "enemy-there", hex=hex_name(at))
    if (
        rail_net(m.state, country.index) >> at & 1
        and board(m.state).zoc[1 - m.state.side[country.index]] >> m.state.where[unit] & 1
    ):
        return Refusal("mw-10.3-c", "rail-cut", hex=hex_name(at))
    return Refusal("mw-8.6-a", "rail-cut", hex=hex_name(at))


def use_train(m: M, unit: int) -> None:
    """[mw-8.6.2] One more of the country's trains has run."""
    country = ATLAS.units[unit].country
    m.state.rail_used = put(m.state.rail_used, country, m.state.rail_used[country] + 1)


def ride(m: M, unit: int, path: list[int]) -> None:
    """Carry out a railroad move."""
    state = m.state
    finish_move(m)
    use_train(m, unit)
    lay(state, unit, path[-1])
    occupy(m, side_of(m.state, unit), mask_of(path))
    mark(state, unit, MOVED)


def why_not_leave_map(m: M, unit: int) -> Refusal | None:
    """[mw-8.6.1-a] Why a unit may not roll off the east edge."""
    face = ATLAS.units[unit]
    if face.country != OFF_MAP_COUNTRY:
        return Refusal("mw-8.6.1-a", "not-soviet", unit=face.id)
    refusal = why_not_rail(m, unit)
    if refusal is not None:
        return refusal
    zones = board(m.state).zoc[1 - m.state.side[face.country]]
    here = 1 << m.state.where[unit]
    gates = ATLAS.east_rail & (rail_reach(m.state, unit) & ~zones | here)
    return None if gates else Refusal("mw-8.6.1-a", "no-gate", unit=face.id)


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


def has_trains(m: M, country: int) -> bool:
    """[mw-8.6.2] Whether a country may still move a unit by rail this turn."""
    return m.state.rail_used[country] < ATLAS.countries[country].rail_capacity


def rail_riders(m: M, side: int) -> list[int]:
    """[mw-8.6-a] Units on the railroads of their own country with trains left; supply is asked of the one chosen."""
    where, home, moving = m.state.where, ATLAS.rail_home, m.state.moving
    running = {country for country in members(m.state)[side] if has_trains(m, country)}
    return [
        unit
        for unit in movable(m, side)
        if home[where[unit]] == COUNTRY[unit] and COUNTRY[unit] in running and unit != moving
    ]


def leavers(m: M) -> Iterator[int]:
    """Units on the railroads that lead off the map, before anything else is asked."""
    where, flags, moving = m.state.where, m.state.flags, m.state.moving
    for unit in _TRAVELLERS:
        at = where[unit]
        if at >= 0 and not flags[unit] & MOVED and unit != moving and ATLAS.rail_home[at] == OFF_MAP_COUNTRY:
            yield unit


def returning(m: M) -> list[int]:
    """[mw-8.6.1-b] Units off the map that may come back."""
    if OFF_MAP not in _places_of_travellers(m.state.where):
        return []
    return [unit for unit in _TRAVELLERS if m.state.where[unit] == OFF_MAP and not m.state.flags[unit] & MOVED]
