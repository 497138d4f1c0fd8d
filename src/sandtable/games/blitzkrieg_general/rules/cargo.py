"""6.4.3 A and B, 6.5.4: loading, handing over, unloading, and the announcement of invasions."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.columns import having, put

from ..facts.ground import is_friendly
from ..facts.politics import friends
from ..model import events as ev
from ..model.actions import Load, Unload
from ..model.atlas import ATLAS, CONVOY, INF, NAVAL_HQ, label, name, unit_id
from ..model.state import (
    AT_SEA,
    CARRIED,
    DOUBLE,
    MOVED,
    BKState,
    M,
    disembark,
    embark,
    has_enemy,
    is_hostile,
    mark,
    send,
)
from ..model.tables import LIMITS
from .cards.garrison import why_not_leave
from .control import major_behind
from .control_phase import occupy
from .flying import is_handicapped
from .movement import moved_already, note_attack, why_not_attack
from .politics import why_not_enter
from .stacking import why_not_stop


# ---- loading ------------------------------------------------------------------------------------------------------
def carriers(state: BKState, ships: Sequence[int]) -> list[int]:
    """Return the convoys of a group; by optional 9.5 a Task Force carries a Naval HQ. [bg-opt-9.5]"""
    tf_too = state.options.get("naval-hq-on-tf")
    return [u for u in ships if ATLAS.type[u] == CONVOY or (tf_too and not ATLAS.is_sub[u])]


def why_not_load(state: BKState, convoy: int, unit: int) -> Refusal | None:
    """[bg-6.4.3a-capacity] [bg-6.4.3a-backside] [bg-6.4.3a-two-backs] [bg-6.4.3a-once] [bg-6.4.3b-transfer]
    [bg-6.4.3b-free-loading] [bg-opt-9.5]"""
    aboard = state.cargo.get(convoy, ())
    flipped = bool(state.flipped[unit])
    if ATLAS.type[convoy] != CONVOY and ATLAS.type[unit] != NAVAL_HQ:
        return Refusal("bg-opt-9.5", "only-naval-hq", unit=label(unit))
    if state.flags[convoy] & CARRIED:
        pair = len(aboard) == 1 and flipped and state.flipped[aboard[0]] and not state.flipped[convoy]
        if not pair or state.origin[convoy] != state.place[convoy]:
            return Refusal("bg-6.4.3a-once", "loaded-already", unit=label(convoy))
    elif aboard:
        pair = len(aboard) == 1 and flipped and bool(state.flipped[aboard[0]]) and not state.flipped[convoy]
        if not pair:
            return Refusal("bg-6.4.3a-capacity", "convoy-full", unit=label(convoy))
    if state.flipped[convoy] and not flipped:
        return Refusal("bg-6.4.3a-backside", "reduced-convoy", unit=label(unit))
    if state.carrier[unit] >= 0:
        zone = state.place[convoy]
        if not any(is_friendly(state, state.nation[convoy], s) for s in ATLAS.coast[zone]):
            return Refusal("bg-6.4.3b-transfer", "no-friendly-coast", space=name(zone))
    elif state.flags[unit] & MOVED:
        return moved_already(unit)
    return why_not_leave(state, unit)


def nearby(state: BKState, convoy: int) -> list[int]:
    """Return the units ashore beside the convoy or aboard its neighbours."""
    zone, allies = state.place[convoy], friends(state, state.nation[convoy])
    near: list[int] = []
    for area in ATLAS.coast[zone]:
        for unit in state.here[area]:
            other = state.nation[unit]
            if state.mission[unit] < 0 and allies >> other & 1 and not has_enemy(state, other, area):
                near.append(unit)
    if state.cargo:
        near += [
            unit
            for ship in state.here[zone]
            if ship != convoy
            for unit in state.cargo.get(ship, ())
            if state.mission[unit] < 0 and allies >> state.nation[unit] & 1
        ]
    if state.exploiting:
        near = [u for u in near if ATLAS.type[u] != INF]
    return near


def load_offer(state: BKState, ships: tuple[int, ...]) -> Offer:
    return Offer(Load, lambda: _load_fields(state, ships), rule="bg-6.4.3a-capacity")


def _load_fields(state: BKState, ships: tuple[int, ...]) -> tuple[Field, ...]:
    convoys = {unit_id(c): c for c in carriers(state, ships)}

    def units(convoy: str) -> list[str]:
        ship = convoys[convoy]
        return [unit_id(u) for u in nearby(state, ship) if why_not_load(state, ship, u) is None]

    def able() -> list[str]:
        return [convoy for convoy in convoys if units(convoy)]

    def why_convoy(value: str) -> Refusal | None:
        near = nearby(state, convoys[value]) if value in convoys else []
        return why_not_load(state, convoys[value], near[0]) if near else None

    def why(convoy: str, value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit < 0 or state.place[unit] < 0 or ATLAS.is_ship[unit]:
            return None
        refused = why_not_load(state, convoys[convoy], unit)
        if refused is None and state.exploiting and ATLAS.type[unit] == INF:
            return Refusal("bg-6.7-infantry", "no-infantry-aboard", unit=label(unit))
        return refused or Refusal("bg-6.4.3a-capacity", "not-beside", unit=label(unit))

    return (
        Field("convoy", "unit", OneOf(able(), why=why_convoy)),
        Field("unit", "unit", lambda c: OneOf(units(c), why=lambda v: why(c, v))),
    )


def take_load(m: M, action: Load) -> None:
    state = m.state
    convoy, unit = ATLAS.unit_of[action.convoy], ATLAS.unit_of[action.unit]
    former = state.carrier[unit]
    if former >= 0:
        note_transport(state, former)
    else:
        state.start = put(state.start, unit, state.place[unit])
        if not state.exploiting:  # then an HQ counts its commands
            state.spent = put(state.spent, unit, 0)
    embark(state, unit, convoy)
    mark(state, convoy, CARRIED)
    state.origin = put(state.origin, convoy, state.place[convoy])
    m.emit(ev.Embarked(unit=label(unit), convoy=label(convoy), space=name(state.place[convoy])))


def note_transport(state: BKState, convoy: int) -> None:
    """A convoy has carried something in this phase, if only what it had aboard before: it loads no more.
    [bg-6.4.3a-once]"""
    mark(state, convoy, CARRIED)
    state.origin = put(state.origin, convoy, -1)


# ---- unloading and invading ---------------------------------------------------------------------------------------
def why_not_unload(state: BKState, unit: int, area: int) -> Refusal | None:
    """[bg-6.4.3b-unload] [bg-6.4.3f-no-landing] [bg-6.5.4-def] [bg-6.5.4-who] [bg-6.5.4-origin] [bg-6.5.4-no-sea-stay]
    [bg-6.5.4-no-double] [bg-1.2-forbidden-coast] [bg-1.1-invade-direct] [bg-basic-6.1.4-cargo]"""
    nation, zone = state.nation[unit], state.place[unit]
    refused = why_not_enter(state, nation, area) or why_not_stop(state, unit, area)
    if refused is not None:
        return refused
    if not state.advanced and has_enemy(state, state.nation[state.carrier[unit]], zone):
        return Refusal("bg-basic-6.1.4-cargo", "must-fight", space=name(zone))
    if is_friendly(state, nation, area):
        if has_enemy(state, nation, area):
            return Refusal("bg-6.4.3b-unload", "contested", space=name(area))
        return None
    if not ATLAS.is_land[unit]:
        return Refusal("bg-6.5.4-who", "only-land-units", unit=label(unit))
    if state.flags[state.carrier[unit]] & DOUBLE or is_handicapped(state, nation, zone):
        return Refusal("bg-6.4.3f-no-landing", "double-range", space=name(zone))
    refused = why_not_attack(state, unit, area)
    if refused is not None or not state.advanced:
        return refused
    if zone * ATLAS.count + area in ATLAS.forbidden_coast:
        return Refusal("bg-1.2-forbidden-coast", "forbidden-coast", space=name(area))
    if state.exploiting:
        return Refusal("bg-6.5.4-no-sea-stay", "no-invasion-now", unit=label(unit))
    if state.flags[unit] & AT_SEA:
        return Refusal("bg-6.5.4-no-sea-stay", "was-at-sea", unit=label(unit))
    if state.spent[unit] > LIMITS["invasion_zones"]:
        return Refusal("bg-6.5.4-origin", "too-far", unit=label(unit))
    return None


def unload_targets(state: BKState, unit: int) -> list[int]:
    return [s for s in ATLAS.coast[state.place[unit]] if why_not_unload(state, unit, s) is None]


def unload_offer(state: BKState, ships: tuple[int, ...]) -> Offer:
    return Offer(Unload, lambda: _unload_fields(state, ships), rule="bg-6.4.3b-unload")


def _unload_fields(state: BKState, ships: tuple[int, ...]) -> tuple[Field, ...]:
    loads = [c for u in ships for c in state.cargo.get(u, ()) if state.mission[c] < 0]

    def able() -> list[str]:
        return [unit_id(c) for c in loads if unload_targets(state, c)]

    def spaces(unit: str) -> list[str]:
        return ATLAS.names(unload_targets(state, ATLAS.unit_of[unit]))

    def why_unit(value: str) -> Refusal | None:
        cargo = ATLAS.unit_of.get(value, -1)
        if cargo not in loads:
            return None
        refusals = [why_not_unload(state, cargo, s) for s in ATLAS.coast[state.place[cargo]]]
        return next((r for r in refusals if r is not None), None)

    def why(unit: str, value: str) -> Refusal | None:
        cargo, space = ATLAS.unit_of[unit], ATLAS.space_of.get(value, -1)
        if space < 0:
            return None
        if space not in ATLAS.coast[state.place[cargo]]:
            return Refusal("bg-6.2-adjacent", "not-adjacent", space=name(space))
        return why_not_unload(state, cargo, space)

    return (
        Field("unit", "unit", OneOf(able(), why=why_unit)),
        Field("to", "space", lambda u: OneOf(spaces(u), why=lambda v: why(u, v))),
    )


def take_unload(m: M, action: Unload) -> None:
    state = m.state
    unit, area = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
    nation, zone = state.nation[unit], state.place[unit]
    note_transport(state, state.carrier[unit])
    if is_friendly(state, nation, area):
        disembark(state, unit, area)
        mark(state, unit, MOVED)
        m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
        return
    note_attack(state, unit, area)
    if state.advanced:
        send(state, unit, area)
        zones = dict.fromkeys((*state.invasions.get(area, ()), zone))
        state.invasions = having(state.invasions, area, tuple(zones))
        m.emit(ev.InvasionAnnounced(unit=label(unit), space=name(area)))
        return
    disembark(state, unit, area)
    mark(state, unit, MOVED)
    state.origin = put(state.origin, unit, -1)
    m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
    if is_hostile(state, nation, area) and not has_enemy(state, nation, area):
        occupy(m, area, major_behind(state, unit))
