"""Railroad movement (8.6), on the map and off its east edge (8.6.1)."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.board import board, foreign
from ..facts.politics import side_of
from ..facts.railroads import rail_net, rail_reach
from ..facts.supply import is_supplied
from ..model.atlas import ATLAS, hex_name
from ..model.hexsets import mask_of
from ..model.state import MOVED, M, lay, mark
from .control import occupy
from .movement import finish_move, why_not_move_at_all

_OFF_MAP_COUNTRY = ATLAS.country_number[ATLAS.rules["off_map_rail"]["country"]]


def why_not_rail(m: M, unit: int) -> Refusal | None:
    """[mw-8.6-b] [mw-8.6-c] [mw-8.6-f] [mw-8.6.2] [mw-14.6-c] Why a unit may not use the railroad."""
    refusal = why_not_move_at_all(m, unit)
    if refusal is not None:
        return refusal
    face, state = ATLAS.units[unit], m.state
    if state.moving == unit:
        return Refusal("mw-8.6-f", "has-moved", unit=face.id)
    country = ATLAS.countries[face.country]
    if state.rail_used[face.country] >= country.rail_capacity:
        return Refusal("mw-8.6.2", "rail-full", country=f"@{country.name}", capacity=country.rail_capacity)
    if not (ATLAS.rail & country.hexes) >> state.where[unit] & 1:
        abroad = ATLAS.rail >> state.where[unit] & 1
        return Refusal("mw-8.6-a" if abroad else "mw-8.6-b", "no-railroad", unit=face.id)
    if not is_supplied(m.state, unit):
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
    if face.country != _OFF_MAP_COUNTRY:
        return Refusal("mw-8.6.1-a", "not-soviet", unit=face.id)
    refusal = why_not_rail(m, unit)
    if refusal is not None:
        return refusal
    zones = board(m.state).zoc[1 - m.state.side[face.country]]
    here = 1 << m.state.where[unit]
    gates = ATLAS.east_rail & (rail_reach(m.state, unit) & ~zones | here)
    return None if gates else Refusal("mw-8.6.1-a", "no-gate", unit=face.id)
