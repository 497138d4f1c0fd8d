"""Naval operations (chapter 18): transport, amphibious transport and assault, amphibious supply; options 23.3, 23.4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.core import Refusal
from sandtable.core.bits import bits, mask_of

from ..facts.board import board, foreign
from ..facts.control import controlled, terror
from ..facts.politics import enterable
from ..facts.reach import border_crossings
from ..facts.supply import friendly_seas, waters_of
from ..model.actions import Ship
from ..model.atlas import ATLAS, COUNTRY, NOBODY, hex_name
from ..model.events import Evacuated, Moved
from ..model.state import AVAILABLE, LANDED, MOVED, NO_ATTACK, TRANSIT, M, lay, mark
from .control import hold
from .losses import reduce
from .movement import finish_move, may_move, why_not_move_at_all
from .politics import invade_if_neutral, why_closed

_IS_MARINES = tuple(unit.marines for unit in ATLAS.units)
HOLD = int(ATLAS.tables["stacking"]["other_mobile"])


def ready_markers(m: M, side: int) -> list[int]:
    """[mw-18.2-a] Amphibious markers in the Available Display."""
    where, sides = m.state.where, m.state.side
    return [unit for unit in ATLAS.transports if where[unit] == AVAILABLE and sides[COUNTRY[unit]] == side]


def usable_ports(m: M) -> int:
    """[mw-16.8.2-f] Ports that are not terrorized."""
    return ATLAS.ports & ~terror(m.state)


def may_board(m: M, unit: int, country: int) -> bool:
    """[mw-18.2.1-a] [mw-18.2.1-e] Whether a unit may sail: of the ship's country and free to move, not moving yet."""
    return COUNTRY[unit] == country and m.state.moving != unit and may_move(m, unit)


def why_not_aboard(m: M, unit: int, country: int) -> Refusal | None:
    """Why a unit may not sail: another country's, static, or it has moved."""
    if may_board(m, unit, country):
        return None
    face = ATLAS.units[unit]
    if face.country != country:
        return Refusal("mw-18.2.1-a", "other-navy", unit=face.id)
    refusal = why_not_move_at_all(m, unit)
    if refusal is None and m.state.moving == unit:
        refusal = Refusal("mw-18.2.1-e", "has-moved", unit=face.id)
    return refusal


def passengers(m: M, country: int, at: int) -> list[int]:
    """Units in a hex that may board."""
    return [unit for unit in board(m.state).stack(at) if may_board(m, unit, country)]


def why_too_many(units: Iterable[str]) -> Refusal | None:
    """[mw-18.2.1-a] One army, or up to three smaller units."""
    faces = [ATLAS.units[ATLAS.unit_number[unit]] for unit in units]
    if any(face.army for face in faces) and len(faces) > 1:
        return Refusal("mw-18.2.1-a", "ship-full")
    return None


def all_marines(units: Iterable[str]) -> bool:
    return all(ATLAS.units[ATLAS.unit_number[unit]].marines for unit in units)


def romanian_coast(m: M, country: int) -> int:
    """[mw-23.4-b] The Romanian coast, while Romania is at war and Italy is not an Axis power."""
    if not m.option("additional-naval-moves"):
        return 0
    words = ATLAS.rules["option_23_4"]
    if ATLAS.countries[country].name not in words["western"]:
        return 0
    romania = ATLAS.country_number[words["romania"]]
    italy = [ATLAS.country_number[name] for name in words["southern"]]
    if m.state.side[romania] == NOBODY or any(m.state.side[other] == 0 for other in italy):
        return 0
    return ATLAS.countries[romania].hexes & ATLAS.coast


def edge_landings(m: M, country: int) -> int:
    """[mw-23.4-a] Map-edge hexes that off-map transit may end in."""
    words = ATLAS.rules["option_23_4"]
    if not m.option("additional-naval-moves"):
        return 0
    name = ATLAS.countries[country].name
    for group in ("western", "southern"):
        if name in words[group]:
            land = 0
            for other in words[group]:
                land |= ATLAS.countries[ATLAS.country_number[other]].hexes
            return land & ATLAS.entry_edges
    return 0


def departures(m: M, marker: int) -> int:
    """The hexes a marker may sail from, as a set."""
    where = m.state.where
    return mask_of(where[unit] for unit in waiting(m, ATLAS.units[marker].country))


def waiting(m: M, country: int) -> Iterator[int]:
    """[mw-18.2.1-b] [mw-18.2.1-c] [mw-18.2.2-a] [mw-23.3-a] Units that a country's ships may take aboard, one of
    each hex."""
    known = board(m.state)
    seas, romania = waters_of(m.state, country), romanian_coast(m, country)
    beaches = seas & ATLAS.coast | romania
    quays = beaches if m.option("naval-evacuation") else usable_ports(m) & seas | romania
    for at in bits(beaches & known.mobile[country]):
        for unit in known.stacks[at]:
            if (quays >> at & 1 or _IS_MARINES[unit]) and may_board(m, unit, country):
                yield unit
                break


def why_not_depart(m: M, marker: int, at: int) -> Refusal | None:
    """Why nothing can sail from a hex."""
    country = ATLAS.units[marker].country
    seas = waters_of(m.state, country)
    if not ATLAS.coast >> at & 1:
        return Refusal("mw-18.2.1-c", "not-a-port", hex=hex_name(at))
    if not (seas | romanian_coast(m, country)) >> at & 1:
        return Refusal("mw-18.2.1-b", "foreign-sea", hex=hex_name(at))
    if terror(m.state) >> at & 1:
        return Refusal("mw-16.8.2-f", "terrorized", hex=hex_name(at))
    if not ATLAS.ports >> at & 1 and not m.option("naval-evacuation"):
        return Refusal("mw-18.2.1-c", "not-a-port", hex=hex_name(at))
    return Refusal("mw-18.2.1-a", "nobody-to-board", hex=hex_name(at), country=f"@{ATLAS.countries[country].name}")


def landings(m: M, marker: int, port: int, units: Sequence[str]) -> int:
    """[mw-18.2.1-c] [mw-18.2.1-note] [mw-18.2.2-a] [mw-8.2-e] [mw-23.3-a] [mw-23.4-a] Where a ship may put these
    units ashore."""
    country = ATLAS.units[marker].country
    known, side = board(m.state), m.state.side[country]
    marines = all_marines(units)
    ports, romania = usable_ports(m), romanian_coast(m, country)
    is_port = ports >> port & 1 or romania >> port & 1
    found = 0
    for sea in friendly_seas(m.state, country):
        if sea >> port & 1 or romania >> port & 1:
            if marines:
                found |= sea & ATLAS.coast
            elif is_port:
                found |= sea & ports
            if m.option("naval-evacuation") and not is_port:
                found |= sea & ports & controlled(m.state)[side]
    if is_port or marines:
        found |= romania | edge_landings(m, country)
    land = (enterable(m.state, country) & ~known.occupied[1 - side]) | border_crossings(m.state, country)
    return found & land & ~foreign(m.state, country) & ~(1 << port)


def why_not_land(m: M, marker: int, port: int, units: Sequence[str], at: int) -> Refusal | None:
    """Why a ship may not land there."""
    country = ATLAS.units[marker].country
    side = m.state.side[country]
    if not ATLAS.coast >> at & 1:
        return Refusal("mw-18.2.1-c", "not-a-port", hex=hex_name(at))
    closed = why_closed(m, country, at)
    if closed is not None:
        return closed
    if board(m.state).occupied[1 - side] >> at & 1:
        return Refusal("mw-18.2.1-c", "enemy-there", hex=hex_name(at))
    if foreign(m.state, country) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    if terror(m.state) >> at & 1:
        return Refusal("mw-16.8.2-f", "terrorized", hex=hex_name(at))
    if not any(sea >> at & 1 for sea in friendly_seas(m.state, country)):
        return Refusal("mw-18.2.1-b", "foreign-sea", hex=hex_name(at))
    if not any(sea >> at & sea >> port & 1 for sea in friendly_seas(m.state, country)) or at == port:
        return Refusal("mw-18.2.1-c", "other-sea", hex=hex_name(at))
    if ATLAS.ports >> at & 1 and not all_marines(units):
        return Refusal("mw-23.3-a", "not-controlled", hex=hex_name(at))
    return Refusal("mw-18.2.1-c", "not-a-port", hex=hex_name(at))


def boarding(m: M, marker: int, port: int) -> list[str]:
    """Who may board there: anybody in a port, Marines anywhere, everybody when evacuation is allowed."""
    country = ATLAS.units[marker].country
    units = passengers(m, country, port)
    if not (usable_ports(m) | romanian_coast(m, country)) >> port & 1 and not m.option("naval-evacuation"):
        units = [unit for unit in units if ATLAS.units[unit].marines]
    return [ATLAS.units[unit].id for unit in units]


def sail(m: M, action: Ship) -> None:
    """[mw-18.2.1-d] [mw-18.2.1-e] [mw-18.2-b] [mw-23.3-b] [mw-23.3-c] Carry units over sea, supplied or not."""
    state = m.state
    marker, port, to = ATLAS.unit_number[action.marker], ATLAS.hex_number[action.port], ATLAS.hex_number[action.to]
    country = ATLAS.units[marker].country
    finish_move(m)
    ports = usable_ports(m) | romanian_coast(m, country)
    evacuated = not ports >> port & 1 and not all_marines(action.units)
    edge = edge_landings(m, country) >> to & 1 and not (
        ATLAS.ports >> to & 1 and any(sea >> to & sea >> port & 1 for sea in friendly_seas(m.state, country))
    )
    invade_if_neutral(m, country, to)
    lay(state, marker, to)
    for name in action.units:
        unit = ATLAS.unit_number[name]
        lay(state, unit, to)
        hold(m, unit, to)
        mark(state, unit, MOVED | LANDED | (NO_ATTACK | TRANSIT if edge else 0))
        m.emit(Moved(unit=name, path=(action.port, action.to), how="@how-sea"))
        if evacuated:
            safe = m.roll(why="mw-23.3-b") in ATLAS.rules["option_23_3"]["safe"]
            m.emit(Evacuated(unit=name, safe=safe))
            if not safe:
                mark(state, unit, NO_ATTACK)
                reduce(m, unit, "intercepted-at-sea")
