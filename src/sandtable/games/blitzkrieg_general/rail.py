"""6.2 Rail movement and 6.3 rebasing."""

from __future__ import annotations

from sandtable.core import Field, Offer, OneOf, Refusal

from . import events as ev
from .actions import Railroad, Rebase
from .atlas import BE, CHINA, GERMANY, JAPAN, USSR, atlas
from .garrison import why_not_leave
from .lazy import Later, Lazy
from .movement import label, uid
from .reach import air_range, bases, cooperate, name, rail_reach
from .relations import ground
from .state import (
    NEUTRAL,
    RAILED,
    REBASED,
    STATIONED,
    BKPlay,
    BKState,
    aircraft_of,
    are_allied,
    changed,
    put,
    units_of_role,
)


# ---- rail ---------------------------------------------------------------------------------------------------------
def rail_points(state: BKState, major: int) -> int:
    """[bg-6.2-rail-capacity] [bg-scn39-rail]"""
    points = state.rail[major]
    if major == USSR and state.war[USSR] >> GERMANY & 1:
        row = atlas().data["setups"]["1939"]["rail"]["ussr"]
        points += row["war_with_germany"] - row["peace"]
    return points


def rail_region(state: BKState, major: int, space: int, target: int) -> Refusal | None:
    """Japan's railways are in Japan and China, the Empire's not in South Africa. [bg-6.2-rail-japan]
    [bg-6.2-rail-be]"""
    found = atlas()
    if major == JAPAN:
        ok = _touches(state, space, (*found.homes[JAPAN], *found.homes[CHINA]))
        return None if ok else Refusal("bg-6.2-rail-japan", "no-railway", space=name(space))
    if major == BE:
        homes = [s for s in found.homes[BE] if found.british_homes[found.british_home[s]] in found.rail_homes]
        return None if _touches(state, space, homes) else Refusal("bg-6.2-rail-be", "no-railway", space=name(space))
    return None


def _touches(state: BKState, space: int, goal: tuple[int, ...] | list[int]) -> bool:
    """Whether the area is joined by land to one of these through areas of the same side."""
    found, goals = atlas(), set(goal)
    side = state.side[state.control[space]]
    seen, todo = {space}, [space]
    while todo:
        here = todo.pop()
        if here in goals:
            return True
        for there in found.land_next[here]:
            if there not in seen and state.side[state.control[there]] == side:
                seen.add(there)
                todo.append(there)
    return False


def can_rail(m: BKPlay, major: int, unit: int) -> bool:
    """[bg-6.2-rail-allied-units] [bg-6.2-rail-extra]"""
    state, found = m.state, atlas()
    if found.is_ship[unit] or state.flags[unit] & RAILED or state.carrier[unit] >= 0:
        return False
    return why_not_leave(state, unit) is None and has_railway(state, major, state.place[unit])


def has_railway(state: BKState, major: int, space: int) -> bool:
    """The same as `rail_region`, remembered while the flags on the map stay."""
    if major not in (JAPAN, BE):
        return True
    known, key = ground(state).railways, (-1 - major, space)
    if key not in known:
        known[key] = rail_region(state, major, space, -1) is None
    return bool(known[key])


def rail_offers(m: BKPlay, major: int) -> list[Offer]:
    if not m.state.rail_left[major]:
        return []
    return [Later(Railroad, _rail_fields, m, major, rule="bg-6.2-rail-capacity")]


def _rail_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def units() -> list[str]:
        place, ids, friends = state.place, found.unit_ids, _friends_units(m, major)
        joined = {space: has_railway(state, major, space) for space in {place[u] for u in friends}}
        flags = state.flags
        # who has gone by rail already need not be asked
        return [ids[u] for u in friends if joined[place[u]] and not flags[u] & RAILED and can_rail(m, major, u)]

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
    return why_not_leave(m.state, unit) or rail_region(m.state, major, m.state.place[unit], -1)


def take_rail(m: BKPlay, major: int, action: Railroad) -> None:
    state, found = m.state, atlas()
    unit, to = found.unit_of[action.unit], found.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@rail"))
    put(state, unit, to)
    state.flags[unit] |= RAILED
    state.rail_left = changed(state.rail_left, major, state.rail_left[major] - 1)


def _friends_units(m: BKPlay, major: int) -> list[int]:
    """Units of the major and of associates: optional 9.11 keeps strangers' railways apart."""
    state = m.state
    if state.standing[major] == NEUTRAL:
        return units_of_role(state, major)
    out = []
    for other in range(8):
        if state.side[other] != state.side[major] or not are_allied(state, major, other):
            continue
        if m.option("cooperation") and not cooperate(state, major, other):
            continue
        out.extend(units_of_role(state, other))
    return out


# ---- rebasing -----------------------------------------------------------------------------------------------------
def rebase_offers(m: BKPlay, major: int) -> list[Offer]:
    """[bg-6.3-rebase] [bg-6.3-rebase-once]"""
    return [Later(Rebase, _rebase_fields, m, major, rule="bg-6.3-rebase")]


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
