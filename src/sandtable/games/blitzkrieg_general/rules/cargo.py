"""6.4.3 A and B, 6.5.4: loading, handing over, unloading, and the announcement of invasions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.offers import Late

from ..model import events as ev
from ..model.actions import Load, Unload
from ..model.atlas import CONVOY, INF, NAVAL_HQ, SUB, atlas
from ..model.state import (
    AT_SEA,
    CARRIED,
    DOUBLE,
    MOVED,
    BKPlay,
    are_allied,
    changed,
    disembark,
    embark,
    has_enemy,
    is_friendly,
    is_hostile,
    send,
)
from ..model.tables import LIMITS
from .control import major_behind, occupy
from .flying import is_handicapped
from .garrison import why_not_leave
from .lazy import Lazy
from .movement import label, note_attack, uid, why_not_attack
from .politics import why_not_enter
from .reach import name, why_not_cooperate, why_not_stack

if TYPE_CHECKING:
    from .naval import Group


# ---- loading ------------------------------------------------------------------------------------------------------
def carriers(m: BKPlay, group: Group) -> list[int]:
    """Convoys of the group; by optional 9.5 a Task Force carries a Naval HQ."""
    found = atlas()
    return [u for u in group.ships if found.type[u] == CONVOY or (m.option("naval-hq-on-tf") and found.type[u] != SUB)]


def why_not_load(m: BKPlay, convoy: int, unit: int) -> Refusal | None:
    """[bg-6.4.3a-capacity] [bg-6.4.3a-backside] [bg-6.4.3a-two-backs] [bg-6.4.3a-once] [bg-6.4.3b-transfer]
    [bg-6.4.3b-free-loading]
    [bg-opt-9.5]"""
    state, found = m.state, atlas()
    aboard = state.cargo.get(convoy, ())
    flipped = bool(state.flipped[unit])
    if found.type[convoy] != CONVOY and found.type[unit] != NAVAL_HQ:
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
        if not any(is_friendly(state, state.nation[convoy], s) for s in found.coast[zone]):
            return Refusal("bg-6.4.3b-transfer", "no-friendly-coast", space=name(zone))
    elif state.flags[unit] & MOVED:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    return why_not_leave(state, unit)


def nearby(m: BKPlay, convoy: int) -> list[int]:
    """Units ashore beside the convoy or aboard its neighbours."""
    state, found = m.state, atlas()
    zone, nation = state.place[convoy], state.nation[convoy]
    near: list[int] = []
    for area in found.coast[zone]:
        for unit in state.here[area]:
            other = state.nation[unit]
            if state.mission[unit] < 0 and are_allied(state, nation, other) and not has_enemy(state, other, area):
                near.append(unit)
    if state.cargo:
        near += [
            unit
            for ship in state.here[zone]
            if ship != convoy
            for unit in state.cargo.get(ship, ())
            if state.mission[unit] < 0 and are_allied(state, nation, state.nation[unit])
        ]
    if state.exploiting:
        near = [u for u in near if found.type[u] != INF]
    return near


def loadable(m: BKPlay, group: Group, convoy: int) -> list[int]:
    return [u for u in nearby(m, convoy) if why_not_load(m, convoy, u) is None]


def load_offers(m: BKPlay, group: Group) -> list[Offer]:
    return [Late(Load, _load_fields, m, group, rule="bg-6.4.3a-capacity")]


def _load_fields(m: BKPlay, group: Group) -> tuple[Field, ...]:
    found = atlas()
    convoys = {uid(c): c for c in carriers(m, group)}

    def units(convoy: str) -> list[str]:
        return [uid(u) for u in loadable(m, group, convoys[convoy])]

    def able() -> list[str]:
        return [convoy for convoy in convoys if units(convoy)]

    def why_convoy(value: str) -> Refusal | None:
        near = nearby(m, convoys[value]) if value in convoys else []
        return why_not_load(m, convoys[value], near[0]) if near else None

    def why(convoy: str, value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_load(m, found.unit_of[convoy], unit) if unit >= 0 and m.state.place[unit] >= 0 else None

    return (
        Field("convoy", "unit", Lazy(able, why=why_convoy)),
        Field("unit", "unit", lambda c: OneOf(units(c), why=lambda v: why(c, v))),
    )


def take_load(m: BKPlay, action: Load) -> None:
    state, found = m.state, atlas()
    convoy, unit = found.unit_of[action.convoy], found.unit_of[action.unit]
    if state.carrier[unit] < 0:
        state.start = changed(state.start, unit, state.place[unit])
        state.spent = changed(state.spent, unit, 0)
    embark(state, unit, convoy)
    state.flags[convoy] |= CARRIED
    state.origin = changed(state.origin, convoy, state.place[convoy])
    m.emit(ev.Embarked(unit=label(unit), convoy=label(convoy), space=name(state.place[convoy])))


# ---- unloading and invading ---------------------------------------------------------------------------------------
def why_not_unload(m: BKPlay, unit: int, area: int, used: int) -> Refusal | None:
    """[bg-6.4.3b-unload] [bg-6.4.3f-no-landing] [bg-6.5.4-def] [bg-6.5.4-who] [bg-6.5.4-origin] [bg-6.5.4-no-sea-stay]
    [bg-6.5.4-no-double] [bg-1.2-forbidden-coast] [bg-1.1-invade-direct]"""
    state, found = m.state, atlas()
    nation, zone = state.nation[unit], state.place[unit]
    refused = why_not_enter(state, nation, area) or why_not_stack(state, unit, area) or why_not_cooperate(m, unit, area)
    if refused is not None:
        return refused
    if is_friendly(state, nation, area):
        if has_enemy(state, nation, area):
            return Refusal("bg-6.4.3b-unload", "contested", space=name(area))
        return None
    if not found.is_land[unit]:
        return Refusal("bg-6.5.4-who", "only-land-units", unit=label(unit))
    if state.flags[state.carrier[unit]] & DOUBLE or is_handicapped(state, nation, zone):
        return Refusal("bg-6.4.3f-no-landing", "double-range", space=name(zone))
    refused = why_not_attack(m, unit, area)
    if refused is not None or not state.advanced:
        return refused
    if zone * found.count + area in found.forbidden_coast:
        return Refusal("bg-1.2-forbidden-coast", "forbidden-coast", space=name(area))
    if state.exploiting:
        return Refusal("bg-6.5.4-no-sea-stay", "no-invasion-now", unit=label(unit))
    if state.flags[unit] & AT_SEA:
        return Refusal("bg-6.5.4-no-sea-stay", "was-at-sea", unit=label(unit))
    if state.spent[unit] > LIMITS["invasion_zones"]:
        return Refusal("bg-6.5.4-origin", "too-far", unit=label(unit))
    if state.invasions.get(area, zone) != zone:
        return Refusal("bg-6.5.4-def", "other-beach", space=name(area))
    return None


def unload_targets(m: BKPlay, unit: int, used: int) -> list[int]:
    return [s for s in atlas().coast[m.state.place[unit]] if why_not_unload(m, unit, s, used) is None]


def unload_offers(m: BKPlay, group: Group) -> list[Offer]:
    return [Late(Unload, _unload_fields, m, group, rule="bg-6.4.3b-unload")]


def _unload_fields(m: BKPlay, group: Group) -> tuple[Field, ...]:
    state, found = m.state, atlas()
    loads = [c for u in group.ships for c in state.cargo.get(u, ()) if state.mission[c] < 0]

    def able() -> list[str]:
        return [uid(c) for c in loads if unload_targets(m, c, group.used)]

    def spaces(unit: str) -> list[str]:
        return found.names(unload_targets(m, found.unit_of[unit], group.used))

    def why_unit(value: str) -> Refusal | None:
        cargo = found.unit_of.get(value, -1)
        if cargo not in loads:
            return None
        refusals = [why_not_unload(m, cargo, s, group.used) for s in found.coast[state.place[cargo]]]
        return next((r for r in refusals if r is not None), None)

    def why(unit: str, value: str) -> Refusal | None:
        space = found.space_of.get(value, -1)
        here = state.place[found.unit_of[unit]]
        return why_not_unload(m, found.unit_of[unit], space, group.used) if space in found.coast[here] else None

    return (
        Field("unit", "unit", Lazy(able, why=why_unit)),
        Field("to", "space", lambda u: OneOf(spaces(u), why=lambda v: why(u, v))),
    )


def take_unload(m: BKPlay, group: Group, action: Unload) -> None:
    state, found = m.state, atlas()
    unit, area = found.unit_of[action.unit], found.space_of[action.to]
    nation, zone = state.nation[unit], state.place[unit]
    if is_friendly(state, nation, area):
        disembark(state, unit, area)
        state.flags[unit] |= MOVED
        m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
        return
    note_attack(m, unit, area)
    if state.advanced:
        send(state, unit, area)
        state.invasions = {**state.invasions, area: zone}
        m.emit(ev.InvasionAnnounced(unit=label(unit), space=name(area)))
        return
    disembark(state, unit, area)
    state.flags[unit] |= MOVED
    state.origin = changed(state.origin, unit, -1)
    m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
    if is_hostile(state, nation, area) and not has_enemy(state, nation, area):
        occupy(m, area, major_behind(state, unit))
