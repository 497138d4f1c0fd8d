"""Airpower (chapter 16): basing, launching, range, interception."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.air import flight, quarry
from ..facts.board import air_at, board, flying
from ..facts.control import terror
from ..facts.politics import side_of
from ..model.actions import Intercept, Launch
from ..model.atlas import ATLAS, NOBODY, hex_name
from ..model.events import Launched
from ..model.state import AVAILABLE, FLOWN, GROUNDED, UTILIZED, WAITING, M, lay, mark, unmark
from .losses import eliminate, reduce
from .politics import invade_if_neutral

_LAND_OF = [tuple(unit for unit in country.units if ATLAS.is_land[unit]) for country in ATLAS.countries]


def factor(m: M, unit: int) -> int:
    """An air unit's combat factor on its present side."""
    return ATLAS.units[unit].combat[m.state.steps[unit]]


def home(m: M, unit: int) -> None:
    """[mw-16.1-a] [mw-16.4-a] Straight to the Utilized Display, never back to a hex."""
    if m.state.where[unit] >= 0:
        lay(m.state, unit, UTILIZED)
        unmark(m.state, unit, WAITING)


def why_not_fly(m: M, unit: int) -> Refusal | None:
    """[mw-16.2-a] [mw-int-zero] [mw-16.1-a] Why an air unit cannot take off."""
    face, state = ATLAS.units[unit], m.state
    if state.flags[unit] & GROUNDED:
        return Refusal("mw-int-zero", "grounded", unit=face.id)
    if state.flags[unit] & FLOWN:
        return Refusal("mw-16.2-a", "has-flown", unit=face.id)
    if state.where[unit] != AVAILABLE:
        return Refusal("mw-16.1-a", "not-available", unit=face.id)
    return None


def why_not_yours(m: M, side: int, unit: int, rule: str) -> Refusal | None:
    """Refuse a unit of others. To be asked before anything about the unit that its owner hides."""
    return None if side_of(m.state, unit) == side else Refusal(rule, "not-your-unit", unit=ATLAS.units[unit].id)


def why_not_base(m: M, unit: int, at: int) -> Refusal | None:
    face, known = ATLAS.units[unit], board(m.state)
    if not ATLAS.cities >> at & 1:
        return Refusal("mw-16.3-b", "no-city", hex=hex_name(at))
    if terror(m.state) >> at & 1:
        return Refusal("mw-16.8.2-e", "terrorized", hex=hex_name(at))
    if known.zoc[1 - side_of(m.state, unit)] >> at & 1:
        return Refusal("mw-16.3-c", "in-zoc", hex=hex_name(at))
    return Refusal("mw-16.3-b", "not-your-city", hex=hex_name(at), unit=face.id)


def targets(m: M, unit: int, base: int) -> int:
    """[mw-16.5-a] [mw-16.10.1-a] [mw-16.10.1-b] [mw-16.10.2-a] Hexes an air unit may fly to from a base."""
    face, state = ATLAS.units[unit], m.state
    side = state.side[face.country]
    hexes = flight(m.state, unit, base) & ATLAS.land & ~flying(m.state, side)
    if face.strike:
        return hexes & ~(1 << base)
    held = 0
    for other in _LAND_OF[face.country]:
        if state.where[other] >= 0:
            held |= 1 << state.where[other]
    start = 1 << base
    waits = start if any(can_be_flown(m, other) for other in board(m.state).stack(base)) else 0
    return hexes & (held & ~start | waits)


def can_be_flown(m: M, unit: int) -> bool:
    """[mw-16.10.1-b] A passenger: mobile, not mechanized, below army size."""
    face = ATLAS.units[unit]
    return face.mobile and not face.mechanized and not face.army


def why_not_target(m: M, unit: int, base: int, at: int) -> Refusal | None:
    """The most telling reason why an air unit may not fly there."""
    face, state = ATLAS.units[unit], m.state
    side = state.side[face.country]
    country = ATLAS.country_of[at]
    if country == NOBODY:
        return Refusal("mw-16.2-d", "sea-hex", hex=hex_name(at))
    if state.side[country] == NOBODY and country not in ATLAS.countries[face.country].invades:
        return Refusal("mw-16.3-e", "neutral-sky", country=f"@{ATLAS.countries[country].name}")
    if not flight(m.state, unit, base) >> at & 1:
        return Refusal("mw-16.3-a", "out-of-range", hex=hex_name(at), range=face.range)
    if air_at(m.state, side, at) != NOBODY:
        return Refusal("mw-16.5-a", "air-stack", hex=hex_name(at))
    if face.lift:
        return Refusal("mw-16.10.2-a", "no-one-to-supply", hex=hex_name(at))
    return Refusal("mw-16.2-d", "no-target", hex=hex_name(at))


def take_off(m: M, action: Launch | Intercept) -> None:
    """[mw-16.2-d] [mw-16.2-e] [mw-5.4-a] Fly to the target; over a neutral that is an invasion at once."""
    unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.target]
    lay(m.state, unit, at)
    mark(m.state, unit, FLOWN | (WAITING if action.base == action.target else 0))
    m.emit(Launched(unit=action.unit, base=action.base, target=action.target))
    # The owner sees the stacks below and around the air unit, so the flight cannot be taken back.
    m.reveal("mw-15.0-d")
    invade_if_neutral(m, ATLAS.units[unit].country, at)


def prey(m: M, unit: int, base: int) -> int:
    """[mw-16.3-note] [mw-16.5-a] Enemy air units in range that nobody intercepts yet."""
    return flight(m.state, unit, base) & quarry(m.state, side_of(m.state, unit))


def why_no_prey(m: M, unit: int, base: int, at: int) -> Refusal | None:
    side = side_of(m.state, unit)
    if not flying(m.state, 1 - side) >> at & 1:
        return Refusal("mw-16.3-note", "no-enemy-air", hex=hex_name(at))
    if flying(m.state, side) >> at & 1:
        return Refusal("mw-16.5-a", "air-stack", hex=hex_name(at))
    return Refusal("mw-16.3-a", "out-of-range", hex=hex_name(at), range=ATLAS.units[unit].range)


def interception_column(difference: int) -> int:
    """[mw-16.6-c] [mw-16.6-d] [mw-16.6.1-c] Interceptor minus intercepted, held within the table."""
    columns = ATLAS.tables["interception"]["columns"]
    return int(max(columns[0], min(columns[-1], difference)) - columns[0])


def apply_interception(m: M, hunter: int, victim: int, result: str) -> None:
    """[mw-int-ae] [mw-int-al] [mw-int-db] [mw-int-de] [mw-int-dl] [mw-int-ml]"""
    if result == "AE":
        eliminate(m, hunter, "interception")
    if result == "DE":
        eliminate(m, victim, "interception")
    if result in ("DL", "ML"):
        lose_in_the_air(m, victim)
    if result in ("AL", "ML"):
        lose_in_the_air(m, hunter)
    if result == "DB":
        home(m, victim)


def lose_in_the_air(m: M, unit: int) -> None:
    """[mw-int-zero] A loss in interception: an airstrike left with factor 0 is grounded until refit."""
    if reduce(m, unit, "interception") and ATLAS.units[unit].strike and not factor(m, unit):
        home(m, unit)
        mark(m.state, unit, GROUNDED)
