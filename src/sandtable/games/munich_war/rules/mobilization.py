"""Mobilization and reinforcements (chapter 7), with the storm's toll on air units (20.0)."""

from __future__ import annotations

from operator import itemgetter

from sandtable.core import Refusal
from sandtable.core.bits import bits, mask_of
from sandtable.core.columns import put

from ..facts.board import board
from ..facts.control import controlled, terror, working
from ..facts.politics import air_forces, members
from ..facts.supply import is_supplied
from ..model.atlas import ATLAS, COUNTRY, NOBODY, SIDES, hex_name
from ..model.events import Delayed, NeverArrives, Scheduled
from ..model.state import AVAILABLE, GROUNDED, REINFORCEMENT, TRACK, UTILIZED, M, lay
from .losses import withdraw

_IS_AIR = tuple(unit.air for unit in ATLAS.units)
_TWO_STEPS = tuple(unit.steps == 2 and not unit.fort for unit in ATLAS.units)
REFITTABLE = tuple(tuple(unit for unit in country.units if _TWO_STEPS[unit]) for country in ATLAS.countries)
"""By country: the units that can be refitted at all."""
_REFIT = tuple(
    int(ATLAS.tables["mobilization"]["refit_air" if unit.air else "refit_mechanized" if unit.mechanized
                                     else "refit_non_mechanized"])
    for unit in ATLAS.units
)  # fmt: skip
"""[mw-table-mobilization] What it costs to bring a unit back to full strength."""
_REICH = ATLAS.country_number[ATLAS.rules["victory"]["reich_power"]]
MOBILIZE_COST = int(ATLAS.tables["mobilization"]["mobilize_unit"])
_BOXES = [frozenset(range(TRACK - turn, TRACK)) for turn in range(len(ATLAS.turn_names) + 1)]
"""By game turn: the boxes of the track up to it."""
_places_of_support = itemgetter(*ATLAS.support_units)


def refresh(m: M, side: int) -> None:
    """[mw-4.0-mob] [mw-18.1-e] [mw-18.2-b] The side's used markers are ready again; grounded aircraft stay down."""
    state = m.state
    places = _places_of_support(state.where)
    if UTILIZED not in places:
        return
    for unit, at in zip(ATLAS.support_units, places, strict=True):
        if at == UTILIZED and state.side[COUNTRY[unit]] == side and not state.flags[unit] & GROUNDED:
            lay(state, unit, AVAILABLE)


def available_air(m: M, side: int) -> list[int]:
    where = m.state.where
    return [unit for unit in air_forces(m.state)[side] if where[unit] == AVAILABLE]


# ---- arrivals (7.2.2) ----------------------------------------------------------------------------------------------
def why_not_arrive(m: M, unit: int, at: int) -> Refusal | None:
    """[mw-7.2.2-a] [mw-7.2.2-b] [mw-7.2.2-c] [mw-7.2.2-d] [mw-7.2.2-f] [mw-10.6-b] [mw-16.8.2-b]"""
    if arrival_hexes(m, unit) >> at & 1:
        return None
    country, known = ATLAS.countries[ATLAS.units[unit].country], board(m.state)
    side = m.state.side[country.index]
    name = hex_name(at)
    if at in m.state.arrived:
        return Refusal("mw-7.2.2-d", "hex-used", hex=name)
    if not (country.cities | country.edge) >> at & 1:
        return Refusal("mw-7.2.2-a", "no-center", hex=name, country=f"@{country.name}")
    if terror(m.state) >> at & 1:
        return Refusal("mw-7.2.2-c", "terrorized", hex=name)
    if ATLAS.mountains >> at & 1 and not ATLAS.units[unit].alpine:
        return Refusal("mw-19.0-mountain", "mountain", hex=name)
    if known.zoc[1 - side] >> at & 1:
        return Refusal("mw-7.2.2-b", "in-zoc", hex=name)
    return Refusal("mw-7.2.2-a", "not-controlled", hex=name)


def arrival_hexes(m: M, unit: int) -> int:
    """[mw-7.2.2-f] [mw-19.0-mountain] Where a reinforcement may arrive."""
    face = ATLAS.units[unit]
    country = ATLAS.countries[face.country]
    side = m.state.side[country.index]
    cities = country.cities & working(m.state)[side]
    # An edge hex must only not be the enemy's: a zone does not close it, units do. But terror closes it, and a capital
    # or mobilization center on the edge is still one.
    edge = country.edge & ~country.cities
    if edge:
        edge &= ~(board(m.state).occupied[1 - side] | controlled(m.state)[1 - side] | terror(m.state))
        if not face.alpine:
            edge &= ~ATLAS.mountains
    return (cities | edge) & ~mask_of(m.state.arrived)


def due(m: M, side: int) -> list[int]:
    """[mw-7.2.1-c] Units on the track's box of this turn."""
    state = m.state
    boxes = _BOXES[state.turn]
    if boxes.isdisjoint(state.where):
        return []
    return [unit for unit, at in enumerate(state.where) if at in boxes and state.side[COUNTRY[unit]] == side]


def postpone(m: M, side: int, unit: int) -> None:
    """[mw-7.2.2-e] No hex to arrive in: to the next turn's box."""
    schedule(m, side, unit, m.state.turn + 1)


def schedule(m: M, side: int, unit: int, turn: int) -> None:
    """[mw-7.2.1-b] [mw-7.2.1-late] Onto the track, or out of play when that is after the last turn."""
    name = ATLAS.units[unit].id
    if turn > ATLAS.plans[m.state.plan].turns:
        withdraw(m, unit)
        m.emit(NeverArrives(unit=name, seen_by=(SIDES[side],)))
        return
    late = m.state.where[unit] != REINFORCEMENT
    lay(m.state, unit, TRACK - turn)
    event = Delayed if late else Scheduled
    m.emit(event(unit=name, turn=turn, seen_by=(SIDES[side],)))


# ---- replacement points (7.1) --------------------------------------------------------------------------------------
def income(m: M, country: int) -> int:
    """[mw-7.1-a] [mw-7.1-b] [mw-7.1-c] [mw-7.1-d] [mw-7.1.1-a] [mw-7.1.1-b] [mw-7.1.1-c] [mw-7.1.1-d] [mw-10.6-a]
    [mw-16.8.2-a] A country's points this phase."""
    face, state = ATLAS.countries[country], m.state
    side = state.side[country]
    if side == NOBODY or state.fallen[country] or not face.receives:
        return 0
    points = face.off_map
    points += (face.cities & working(state)[side]).bit_count()
    if country == _REICH:
        known = board(state)
        for at in bits(ATLAS.reich_objectives & known.occupied[side] & ~known.zoc[1 - side] & ~terror(m.state)):
            points += any(COUNTRY[unit] == country for unit in known.stacks[at])
    return points


def collect(m: M, side: int) -> None:
    """[mw-7.1-save] New points for the turn; what was left is gone.  [mw-event-5] [mw-event-6]"""
    state = m.state
    denied = state.no_rp[side]
    points = [0] * len(state.rp)
    if not denied:
        for country in members(m.state)[side]:
            points[country] = income(m, country)
    state.rp = tuple(points)
    state.pool = 0


def refit_cost(unit: int) -> int:
    return _REFIT[unit]


def purse(m: M, unit: int) -> int:
    """[mw-7.1.1-e] Points that may be spent on a unit: its own country's, or those of a crisis elsewhere."""
    return m.state.rp[COUNTRY[unit]] + m.state.pool


def pay(m: M, unit: int, price: int) -> None:
    country = ATLAS.units[unit].country
    own = min(price, m.state.rp[country])
    m.state.rp = put(m.state.rp, country, m.state.rp[country] - own)
    m.state.pool -= price - own


def why_not_mobilize(m: M, side: int, unit: int) -> Refusal | None:
    """[mw-7.2] [mw-7.2.1-a]"""
    face = ATLAS.units[unit]
    if m.state.where[unit] != REINFORCEMENT:
        return Refusal("mw-7.2.1-a", "not-in-display", unit=face.id)
    if purse(m, unit) < MOBILIZE_COST:
        return Refusal("mw-7.1.1-e", "no-points", country=f"@{ATLAS.countries[face.country].name}")
    return None


def may_refit(m: M, side: int, unit: int) -> bool:
    """[mw-7.3-a] [mw-7.3-b] [mw-7.3-c] [mw-7.3-d] [mw-7.3-e] [mw-7.3-f] [mw-10.6-c] A reduced unit with points for it:
    aircraft in their displays, land units in supply and free of enemy zones."""
    state = m.state
    if state.steps[unit] != 1 or not _TWO_STEPS[unit] or purse(m, unit) < _REFIT[unit]:
        return False
    at = state.where[unit]
    if _IS_AIR[unit]:
        return at in (AVAILABLE, UTILIZED)
    return at >= 0 and not board(m.state).zoc[1 - side] >> at & 1 and is_supplied(m.state, unit)


def why_not_refit(m: M, side: int, unit: int) -> Refusal | None:
    """The most telling reason why a unit may not be refitted."""
    if may_refit(m, side, unit):
        return None
    face, state = ATLAS.units[unit], m.state
    at = state.where[unit]
    if face.fort or face.steps == 1:
        return Refusal("mw-7.3-f", "never-refits", unit=face.id)
    if state.steps[unit] != 1:
        return Refusal("mw-7.3-a", "not-reduced", unit=face.id)
    if face.air:
        if at not in (AVAILABLE, UTILIZED):
            return Refusal("mw-7.3-d", "not-in-display", unit=face.id)
    elif at < 0:
        return Refusal("mw-7.3-a", "not-on-map", unit=face.id)
    elif board(m.state).zoc[1 - side] >> at & 1:
        return Refusal("mw-7.3-c", "in-zoc", hex=hex_name(at))
    elif not is_supplied(m.state, unit):
        return Refusal("mw-7.3-b", "unsupplied", unit=face.id)
    return Refusal("mw-7.1.1-e", "no-points", country=f"@{ATLAS.countries[face.country].name}")
