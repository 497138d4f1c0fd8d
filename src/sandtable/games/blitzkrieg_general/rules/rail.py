"""6.2 Rail movement and 6.3 rebasing."""

from __future__ import annotations

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.offers import Late

from ..facts.relations import ground, relations, roster
from ..model import events as ev
from ..model.actions import Railroad, Rebase
from ..model.atlas import BE, CHINA, GERMANY, JAPAN, USSR, atlas
from ..model.state import NEUTRAL, RAILED, REBASED, STATIONED, BKPlay, BKState, aircraft_of, changed, put
from .garrison import why_not_leave
from .lazy import Lazy
from .movement import label, uid
from .reach import air_range, bases, cooperate, name, rail_reach


# ---- rail ---------------------------------------------------------------------------------------------------------
def rail_points(state: BKState, major: int) -> int:
    """[bg-6.2-rail-capacity] [bg-scn39-rail]"""
    points = state.rail[major]
    if major == USSR and state.war[USSR] >> GERMANY & 1:
        row = atlas().data["setups"]["1939"]["rail"]["ussr"]
        points += row["war_with_germany"] - row["peace"]
    return points


def railways(state: BKState, major: int) -> set[int] | None:
    """The areas with railways that a major may use; None: everywhere. Japan's are joined to Japan and China, the
    Empire's not to South Africa. [bg-6.2-rail-japan] [bg-6.2-rail-be]"""
    if major not in (JAPAN, BE):
        return None
    found, known = atlas(), ground(state).railways
    if major not in known:
        if major == JAPAN:
            homes = [*found.homes[JAPAN], *found.homes[CHINA]]
        else:
            homes = [s for s in found.homes[BE] if found.british_homes[found.british_home[s]] in found.rail_homes]
        known[major] = _joined(state, homes)
    lines: set[int] = known[major]
    return lines


def _joined(state: BKState, homes: list[int]) -> set[int]:
    """These areas and all that are joined to one of them by land through areas of the same side."""
    side_of, land_next = [state.side[owner] for owner in state.control], atlas().land_next
    seen, todo = set(homes), list(homes)
    while todo:
        here = todo.pop()
        for there in land_next[here]:
            if there not in seen and side_of[there] == side_of[here]:
                seen.add(there)
                todo.append(there)
    return seen


def why_no_railway(state: BKState, major: int, space: int) -> Refusal | None:
    lines = railways(state, major)
    if lines is None or space in lines:
        return None
    return Refusal("bg-6.2-rail-japan" if major == JAPAN else "bg-6.2-rail-be", "no-railway", space=name(space))


def rail_offers(m: BKPlay, major: int) -> list[Offer]:
    if not m.state.rail_left[major]:
        return []
    return [Late(Railroad, _rail_fields, m, major, rule="bg-6.2-rail-capacity")]


def _rail_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def units() -> list[str]:
        ids, place, lines = found.unit_ids, state.place, railways(state, major)
        units = _friends_units(m, major)
        if lines is not None:
            units = [u for u in units if place[u] in lines]
        if state.yugoslavia_since >= 0:
            units = [u for u in units if why_not_leave(state, u) is None]
        return [ids[u] for u in units]

    return (
        Field("unit", "unit", Lazy(units, why=lambda v: why_not_rail(m, major, v))),
        Field("to", "space", lambda u: OneOf(found.names(rail_reach(state, found.unit_of[u])), why=_rail_why)),
    )


def _rail_why(value: str) -> Refusal:
    return Refusal("bg-6.2-rail-no-enemy", "no-rail-line", space=f"@{value}")


def why_not_rail(m: BKPlay, major: int, ident: str) -> Refusal | None:
    found = atlas()
    unit = found.unit_of.get(ident)
    if unit is None or m.state.place[unit] < 0:
        return None
    if m.state.flags[unit] & RAILED:
        return Refusal("bg-6.2-rail-capacity", "railed-already", unit=label(unit))
    if found.is_ship[unit]:
        return Refusal("bg-6.2-rail-capacity", "no-ships-by-rail")
    if m.state.carrier[unit] >= 0:
        return Refusal("bg-1.1-air-on-convoy", "on-board", unit=label(unit))
    return why_not_leave(m.state, unit) or why_no_railway(m.state, major, m.state.place[unit])


def take_rail(m: BKPlay, major: int, action: Railroad) -> None:
    state, found = m.state, atlas()
    unit, to = found.unit_of[action.unit], found.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@rail"))
    put(state, unit, to)
    state.flags[unit] |= RAILED
    state.rail_left = changed(state.rail_left, major, state.rail_left[major] - 1)


def _friends_units(m: BKPlay, major: int) -> list[int]:
    """Units ashore of the major and of associates that have not gone by rail yet: optional 9.11 keeps strangers'
    railways apart. [bg-6.2-rail-allied-units] [bg-6.2-rail-extra]"""
    state = m.state
    who = [major]
    if state.standing[major] != NEUTRAL:
        friends, side = relations(state).friends(major), state.side
        who = [n for n in range(8) if friends >> n & 1 and side[n] == side[major]]
        if m.option("cooperation"):
            who = [n for n in who if cooperate(state, major, n)]
    place, flags, carrier, ashore = state.place, state.flags, state.carrier, roster(state).ashore
    return [u for n in who for u in ashore[n] if place[u] >= 0 and not flags[u] & RAILED and carrier[u] < 0]


# ---- rebasing -----------------------------------------------------------------------------------------------------
def rebase_offers(m: BKPlay, major: int) -> list[Offer]:
    """[bg-6.3-rebase] [bg-6.3-rebase-once]"""
    return [Late(Rebase, _rebase_fields, m, major, rule="bg-6.3-rebase")]


def _rebase_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def units() -> list[str]:
        flags, carrier = state.flags, state.carrier
        mine = aircraft_of(state, major)
        return [uid(u) for u in mine if not flags[u] & (REBASED | STATIONED) and carrier[u] < 0]

    def why(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        if unit >= 0 and state.flags[unit] & REBASED:
            return Refusal("bg-6.3-rebase-once", "rebased-already", unit=label(unit))
        return None

    return (
        Field("unit", "unit", Lazy(units, why=why)),
        Field("to", "space", lambda u: OneOf(rebase_targets(m, found.unit_of[u]), why=_rebase_why)),
    )


def _rebase_why(value: str) -> Refusal:
    return Refusal("bg-6.3-rebase-path", "no-flight-path", space=f"@{value}")


def rebase_targets(m: BKPlay, unit: int) -> list[str]:
    """Friendly areas at double range, without crossing enemy or neutral areas. [bg-6.3-rebase-path]"""
    state = m.state
    start = state.place[unit]
    return atlas().names([s for s in bases(m, unit, start, 2 * air_range(state, unit), True) if s != start])


def take_rebase(m: BKPlay, action: Rebase) -> None:
    state, found = m.state, atlas()
    unit, to = found.unit_of[action.unit], found.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@rebase"))
    put(state, unit, to)
    state.flags[unit] |= REBASED
