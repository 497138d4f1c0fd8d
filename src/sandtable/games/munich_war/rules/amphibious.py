"""Marines from the sea (18.2.2) and supply from it (18.3); all that ships can do in a Movement Phase."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.bits import bits, mask_of

from ..facts.board import board
from ..facts.control import controlled, terror
from ..facts.supply import friendly_seas, waters_of
from ..model.actions import Assault
from ..model.atlas import ATLAS, hex_name
from ..model.events import Moved
from ..model.state import MOVED, M, lay, mark
from .movement import finish_move
from .naval import may_board, romanian_coast, usable_ports

_MARINES = [[unit for unit in country.units if ATLAS.units[unit].marines] for country in ATLAS.countries]
ALL_MARINES = tuple(unit for units in _MARINES for unit in units)


# ---- amphibious assault (18.2.2) -----------------------------------------------------------------------------------
def assault_targets(m: M, marker: int, port: int) -> int:
    """[mw-18.2.2-b] Enemy-occupied coast in reach of Marines from this hex that has open sea before it."""
    country = ATLAS.units[marker].country
    side = m.state.side[country]
    found = 0
    romania = romanian_coast(m, country)
    for sea in [*friendly_seas(m.state, country), romania]:
        if sea >> port & 1 or sea == romania:
            for at in bits(sea & ATLAS.coast & board(m.state).occupied[1 - side]):
                if landing_waters(m, marker, at):
                    found |= 1 << at
    return found


def landing_waters(m: M, marker: int, target: int) -> int:
    """All-sea hexes of a friendly sea next to the target."""
    country = ATLAS.units[marker].country
    waters = ATLAS.neighbours(target) & ATLAS.sea_hexes
    if romanian_coast(m, country) >> target & 1:
        return waters
    near = 0
    for sea in friendly_seas(m.state, country):
        near |= sea if sea >> target & 1 else 0
    return waters & near


def why_not_assault(m: M, marker: int, at: int) -> Refusal | None:
    country = ATLAS.units[marker].country
    if not board(m.state).occupied[1 - m.state.side[country]] >> at & 1:
        return Refusal("mw-18.2.2-b", "no-enemy", hex=hex_name(at))
    if not ATLAS.coast >> at & 1 or not ATLAS.neighbours(at) & ATLAS.sea_hexes:
        return Refusal("mw-18.2.2-b", "no-open-sea", hex=hex_name(at))
    return Refusal("mw-18.2.1-b", "foreign-sea", hex=hex_name(at))


def marines_ashore(m: M, country: int) -> dict[int, list[str]]:
    """[mw-18.2.2-a] By coastal hex: Marines that may board."""
    where = m.state.where
    afoot = [unit for unit in _MARINES[country] if where[unit] >= 0]
    if not afoot:
        return {}
    coast = waters_of(m.state, country) & ATLAS.coast | romanian_coast(m, country)
    found: dict[int, list[str]] = {}
    for unit in afoot:
        at = where[unit]
        if coast >> at & 1 and may_board(m, unit, country):
            found.setdefault(at, []).append(ATLAS.units[unit].id)
    return dict(sorted(found.items()))


def lie_off(m: M, action: Assault) -> None:
    """[mw-18.2.2-b] Marines lie off an enemy coast; they must attack it this turn."""
    state = m.state
    finish_move(m)
    sea, target = ATLAS.hex_number[action.sea], ATLAS.hex_number[action.target]
    lay(state, ATLAS.unit_number[action.marker], sea)
    for name in action.units:
        unit = ATLAS.unit_number[name]
        lay(state, unit, sea)
        state.assaults = {**state.assaults, unit: target}
        mark(state, unit, MOVED)
        m.emit(Moved(unit=name, path=(action.port, action.sea), how="@how-sea"))


# ---- amphibious supply (18.3) --------------------------------------------------------------------------------------
def supply_ports(m: M, marker: int) -> int:
    """[mw-18.3-a] [mw-18.3-b] Friendly ports of a friendly sea that have no such marker yet."""
    country = ATLAS.units[marker].country
    side = m.state.side[country]
    taken = mask_of(m.state.where[unit] for unit in ATLAS.transports if m.state.where[unit] >= 0)
    seas = waters_of(m.state, country)
    known = board(m.state)
    friendly = controlled(m.state)[side] | known.occupied[side]
    return usable_ports(m) & seas & friendly & ~taken


def why_not_supply_port(m: M, marker: int, at: int) -> Refusal | None:
    if any(m.state.where[ship] == at for ship in ATLAS.transports):
        return Refusal("mw-18.3-b", "port-served", hex=hex_name(at))
    if terror(m.state) >> at & 1:
        return Refusal("mw-16.8.2-f", "terrorized", hex=hex_name(at))
    if ATLAS.ports >> at & 1 and not waters_of(m.state, ATLAS.units[marker].country) >> at & 1:
        return Refusal("mw-18.1-b", "foreign-sea", hex=hex_name(at))
    return Refusal("mw-18.3-a", "not-a-port", hex=hex_name(at))
