"""6.4.4 and 6.7: land units march."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.columns import put

from ..facts.command import commander_for, commanders
from ..facts.reach import Marches, land_reach, why_no_exploitation
from ..facts.units import counters
from ..model import events as ev
from ..model.actions import March
from ..model.atlas import ARM, ATLAS, CHINA, HQ, INF, JAPAN, MAJORS, label, name
from ..model.state import MOVED, OUT, BKState, M, enemies_at, has_enemy, is_hostile, mark, move_unit, side_of
from .cards.deck import is_in_effect
from .cards.garrison import why_not_leave
from .control import major_behind
from .control_phase import occupy
from .politics import why_not_enter
from .stacking import why_not_stop


# ---- what bars units of all arms ----------------------------------------------------------------------------------
def moved_already(unit: int) -> Refusal:
    return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))


def one_combat(unit: int) -> Refusal:
    return Refusal("bg-10.1-pin", "one-combat", unit=label(unit))


def on_board(unit: int) -> Refusal:
    return Refusal("bg-1.1-air-on-convoy", "on-board", unit=label(unit))


# ---- attacks: the Japanese and Chinese limits ---------------------------------------------------------------------
def is_limited(state: BKState, unit: int, space: int) -> bool:
    """Return whether a unit would attack in the war between Japan and China, where only so many may. [bg-5.5-limit]
    [bg-8.7-empty]"""
    nation, owner = state.nation[unit], state.control[space]
    if not state.advanced or not ATLAS.is_land[unit] or {nation, owner} != {JAPAN, CHINA}:
        return False
    return any(ATLAS.is_land[u] for u in enemies_at(state, nation, space))


def why_not_attack(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse land units beyond those that Japan and China may send against one area of each other. [bg-5.5-limit]
    [bg-5.5-exempt] [bg-8.7-one-area] [bg-8.7-national-war]"""
    if not is_limited(state, unit, space) or is_in_effect(state, "national_war_china"):
        return None
    nation = state.nation[unit]
    who = 0 if nation == JAPAN else 1
    if state.limit_area[who] not in (-1, space):
        return Refusal("bg-8.7-one-area", "one-area", country=f"@{MAJORS[nation]}", space=name(state.limit_area[who]))
    if not ATLAS.is_hq[unit] and state.limit_used[who] >= state.limit:
        return Refusal("bg-5.5-limit", "unit-limit", country=f"@{MAJORS[nation]}", limit=state.limit)
    return None


def note_attack(state: BKState, unit: int, space: int) -> None:
    """Count an attack against the limits."""
    if is_limited(state, unit, space):
        who = 0 if state.nation[unit] == JAPAN else 1
        state.limit_area = put(state.limit_area, who, space)
        state.limit_used = put(state.limit_used, who, state.limit_used[who] + (not ATLAS.is_hq[unit]))


# ---- marching -----------------------------------------------------------------------------------------------------
def why_not_march(state: BKState, unit: int) -> Refusal | None:
    """Refuse a land unit that may not move now at all. [bg-6.4.1-once] [bg-6.7-armor-hq] [bg-6.7-infantry]
    [bg-6.1-effect-exploit]"""
    if state.flags[unit] & MOVED:
        return moved_already(unit)
    if state.carrier[unit] >= 0:
        return Refusal("bg-6.4.3b-unload", "on-board", unit=label(unit))
    refused = why_not_leave(state, unit)
    if refused is not None or not state.exploiting or exploiting(state, (unit,)):
        return refused
    if state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-exploit", "out-of-supply", unit=label(unit))
    return Refusal("bg-6.7-infantry", "no-hq", unit=label(unit))


def exploiting(state: BKState, units: Sequence[int]) -> list[int]:
    """Return those of some units that may exploit: in supply, and no infantry without a commander but in Africa under
    the Desert Fox. [bg-6.7-armor-hq] [bg-6.7-infantry] [bg-6.1-effect-exploit] [bg-card-triumph-fall]"""
    flags, place, types, led = state.flags, state.place, ATLAS.type, commanders(state)
    africa = ATLAS.africa if state.effects.get("desert_fox", -1) == state.phasing else ()
    return [
        u for u in units
        if not (state.advanced and flags[u] & OUT)
        and (types[u] != INF or (place[u], side_of(state, u)) in led or place[u] in africa)
    ]  # fmt: skip


def march_targets(state: BKState, unit: int) -> Marches:
    """Return every place a unit may march to, attacks that a limit forbids left out."""
    reached = land_reach(state, unit)
    fox = state.exploiting and ATLAS.type[unit] == INF and commander_for(state, unit) < 0
    if not fox and state.nation[unit] not in (JAPAN, CHINA):
        return reached
    return {
        to: via
        for to, via in reached.items()
        if (not via or why_not_attack(state, unit, to) is None) and (not fox or via)
    }


def why_not_there(state: BKState, unit: int, space: int) -> Refusal:
    """Return the reason why a unit cannot march to a space."""
    nation = state.nation[unit]
    if ATLAS.is_sea[space]:
        return Refusal("bg-1.2-sea-forbidden", "no-land-units-at-sea", space=name(space))
    refused = why_not_enter(state, nation, space) or why_not_attack(state, unit, space)
    if refused is not None:
        return refused
    refused = why_not_stop(state, unit, space) or _why_not_exploit(state, state.place[unit], space)
    if refused is not None:
        return refused
    pair = state.place[unit] * ATLAS.count + space
    if pair in ATLAS.border and space not in ATLAS.land_next[state.place[unit]]:
        return Refusal("bg-1.2-chart-forbidden-border", "forbidden-border", space=name(space))
    refused = _why_no_way(state, unit, space)
    if refused is not None:
        return refused
    rule = {INF: "bg-6.4.1-infantry", ARM: "bg-6.4.1-armor", HQ: "bg-6.4.1-hq"}.get(ATLAS.type[unit], "bg-6.4.1-hq")
    return Refusal(rule, "out-of-range", unit=label(unit), space=name(space), range=ATLAS.range[unit])


def _why_no_way(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse armor and HQs a goal two areas away that no open area leads to. [bg-6.4.1-overrun-empty]"""
    nation, start = state.nation[unit], state.place[unit]
    if ATLAS.range[unit] < 2:
        return None
    for between in ATLAS.land_next[start]:
        if space not in ATLAS.land_next[between]:
            continue
        if has_enemy(state, nation, between):
            return Refusal("bg-6.4.1-overrun-empty", "way-blocked", space=name(between))
        refused = why_not_enter(state, nation, between) or _why_not_exploit(state, start, between)
        if refused is not None or (refused := _why_not_exploit(state, between, space)) is not None:
            return refused
    return None


def _why_not_exploit(state: BKState, here: int, there: int) -> Refusal | None:
    bar = why_no_exploitation(state.bad, here, there) if state.exploiting and state.advanced else None
    if bar is None:
        return None
    rule, reason, space = bar
    return Refusal(rule, reason) if space < 0 else Refusal(rule, reason, space=name(space))


def march_offers(m: M, major: int) -> list[Offer]:
    return [Offer(March, lambda: _march_fields(m, major), rule="bg-6.4.1-once")]


def _march_fields(m: M, major: int) -> tuple[Field, ...]:
    state = m.state

    def units() -> list[str]:
        flags, carrier, place = state.flags, state.carrier, state.place
        mine = counters(state, "land")[major]
        mine = [u for u in mine if place[u] >= 0 and not flags[u] & MOVED and carrier[u] < 0]
        if state.exploiting:
            mine = exploiting(state, mine)
        if state.yugoslavia_since >= 0:
            mine = [u for u in mine if why_not_leave(state, u) is None]
        return ATLAS.names_of(mine)

    def why_unit(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        return why_not_march(state, unit) if unit >= 0 and state.place[unit] >= 0 and ATLAS.is_land[unit] else None

    def to(ident: str) -> OneOf:
        unit = ATLAS.unit_of[ident]
        return OneOf(ATLAS.names(list(march_targets(state, unit))), why=lambda v: _space_why(state, unit, v))

    def via(ident: str, target: str) -> OneOf:
        ways = march_targets(state, ATLAS.unit_of[ident])[ATLAS.space_of[target]]
        return OneOf(ATLAS.names(ways) if ways else [""], why=lambda v: _not_on_the_way(v))

    return (
        Field("unit", "unit", OneOf(units(), why=why_unit)),
        Field("to", "space", to),
        Field("via", "space", via),
    )


def _not_on_the_way(value: str) -> Refusal | None:
    return Refusal("bg-6.2-adjacent", "not-on-the-way", space=f"@{value}") if value in ATLAS.space_of else None


def _space_why(state: BKState, unit: int, value: str) -> Refusal | None:
    space = ATLAS.space_of.get(value)
    return None if space is None else why_not_there(state, unit, space)


def take_march(m: M, action: March) -> None:
    """[bg-6.4-phasing-first] [bg-6.4.1-overrun-empty] [bg-6.8-change]"""
    state = m.state
    unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
    nation, start = state.nation[unit], state.place[unit]
    via = ATLAS.space_of[action.via] if action.via else -1
    if state.exploiting and ATLAS.type[unit] == INF:
        hq = commander_for(state, unit)
        if hq >= 0:
            state.spent = put(state.spent, hq, state.spent[hq] + 1)
    if via >= 0 and via != start and is_hostile(state, nation, via):
        occupy(m, via, major_behind(state, unit))
    note_attack(state, unit, to)
    m.emit(ev.Moved(unit=label(unit), origin=name(start), space=name(to), how="@march"))
    move_unit(state, unit, to)
    mark(state, unit, MOVED)
    state.origin = put(state.origin, unit, via if via >= 0 else start)
    if is_hostile(state, nation, to) and not has_enemy(state, nation, to):
        occupy(m, to, major_behind(state, unit))
