"""6.2 Rail movement and 6.3 rebasing."""

from __future__ import annotations

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.columns import put

from ..facts.politics import cooperate, friends
from ..facts.reach import air_range, bases, rail_nets, rail_reach, railways
from ..facts.units import counters, on_map
from ..model import events as ev
from ..model.actions import Railroad, Rebase
from ..model.atlas import ATLAS, GERMANY, JAPAN, USSR, label, name, unit_id
from ..model.state import NEUTRAL, RAILED, REBASED, STATIONED, BKState, M, mark, move_unit
from .cards.garrison import why_not_leave
from .movement import on_board
from .stacking import why_not_land, why_not_stop


# ---- rail ---------------------------------------------------------------------------------------------------------
def rail_points(state: BKState, major: int) -> int:
    """[bg-6.2-rail-capacity] [bg-scn39-rail]"""
    points = state.rail[major]
    if major == USSR and state.war[USSR] >> GERMANY & 1:
        points += ATLAS.soviet_war_rail
    return points


def why_no_railway(state: BKState, major: int, space: int) -> Refusal | None:
    lines = railways(state, major)
    if lines is None or space in lines:
        return None
    return Refusal("bg-6.2-rail-japan" if major == JAPAN else "bg-6.2-rail-be", "no-railway", space=name(space))


def rail_offers(m: M, major: int) -> list[Offer]:
    if not m.state.rail_left[major]:
        return []
    return [Offer(Railroad, lambda: _rail_fields(m.state, major), rule="bg-6.2-rail-capacity")]


def _rail_fields(state: BKState, major: int) -> tuple[Field, ...]:

    def units() -> list[str]:
        place, lines = state.place, railways(state, major)
        units = _friends_units(state, major)
        if lines is not None:
            units = [u for u in units if place[u] in lines]
        if state.yugoslavia_since >= 0:
            units = [u for u in units if why_not_leave(state, u) is None]
        return ATLAS.names_of(units)

    return (
        Field("unit", "unit", OneOf(units(), why=lambda v: why_not_rail(state, major, v))),
        Field(
            "to",
            "space",
            lambda u: OneOf(
                ATLAS.names(rail_reach(state, ATLAS.unit_of[u])), why=lambda v: _rail_why(state, ATLAS.unit_of[u], v)
            ),
        ),
    )


def _rail_why(state: BKState, unit: int, value: str) -> Refusal | None:
    space = ATLAS.space_of.get(value)
    if space is None:
        return None
    joined = space in rail_nets(state, state.nation[unit]).get(state.place[unit], ())
    refused = why_not_stop(state, unit, space) if joined else None
    return refused or Refusal("bg-6.2-rail-no-enemy", "no-rail-line", space=name(space))


def why_not_rail(state: BKState, major: int, ident: str) -> Refusal | None:
    unit = ATLAS.unit_of.get(ident)
    if unit is None or state.place[unit] < 0:
        return None
    if state.flags[unit] & RAILED:
        return Refusal("bg-6.2-rail-capacity", "railed-already", unit=label(unit))
    if ATLAS.is_ship[unit]:
        return Refusal("bg-6.2-rail-capacity", "no-ships-by-rail")
    if state.carrier[unit] >= 0:
        return on_board(unit)
    return why_not_leave(state, unit) or why_no_railway(state, major, state.place[unit])


def take_rail(m: M, major: int, action: Railroad) -> None:
    state = m.state
    unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@rail"))
    move_unit(state, unit, to)
    mark(state, unit, RAILED)
    state.rail_left = put(state.rail_left, major, state.rail_left[major] - 1)


def _friends_units(state: BKState, major: int) -> list[int]:
    """Units ashore of the major and of associates that have not gone by rail yet: optional 9.11 keeps strangers'
    railways apart. [bg-6.2-rail-allied-units] [bg-6.2-rail-extra]"""
    who = [major]
    if state.standing[major] != NEUTRAL:
        allies, side = friends(state, major), state.side
        who = [n for n in range(8) if allies >> n & 1 and side[n] == side[major]]
        if state.options.get("cooperation"):
            who = [n for n in who if cooperate(state, major, n)]
    place, flags, carrier, ashore = state.place, state.flags, state.carrier, counters(state, "ashore")
    return [u for n in who for u in ashore[n] if place[u] >= 0 and not flags[u] & RAILED and carrier[u] < 0]


# ---- rebasing -----------------------------------------------------------------------------------------------------
def rebase_offers(m: M, major: int) -> list[Offer]:
    """[bg-6.3-rebase] [bg-6.3-rebase-once]"""
    return [Offer(Rebase, lambda: _rebase_fields(m.state, major), rule="bg-6.3-rebase")]


def _rebase_fields(state: BKState, major: int) -> tuple[Field, ...]:

    def units() -> list[str]:
        flags, carrier = state.flags, state.carrier
        mine = on_map(state, major, "aircraft")
        return [unit_id(u) for u in mine if not flags[u] & (REBASED | STATIONED) and carrier[u] < 0]

    def why(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit >= 0 and state.flags[unit] & REBASED:
            return Refusal("bg-6.3-rebase-once", "rebased-already", unit=label(unit))
        return None

    return (
        Field("unit", "unit", OneOf(units(), why=why)),
        Field(
            "to",
            "space",
            lambda u: OneOf(
                rebase_targets(state, ATLAS.unit_of[u]), why=lambda v: _rebase_why(state, ATLAS.unit_of[u], v)
            ),
        ),
    )


def _rebase_why(state: BKState, unit: int, value: str) -> Refusal | None:
    space = ATLAS.space_of.get(value)
    if space is None:
        return None
    return why_not_land(state, unit, space) or Refusal("bg-6.3-rebase-path", "no-flight-path", space=name(space))


def rebase_targets(state: BKState, unit: int) -> list[str]:
    """Return the friendly areas at double range, without crossing enemy or neutral areas. [bg-6.3-rebase-path]"""
    start = state.place[unit]
    return ATLAS.names([s for s in bases(state, unit, start, 2 * air_range(state, unit), True) if s != start])


def take_rebase(m: M, action: Rebase) -> None:
    state = m.state
    unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@rebase"))
    move_unit(state, unit, to)
    mark(state, unit, REBASED)
