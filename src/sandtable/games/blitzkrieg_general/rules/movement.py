"""6.2 Rail, 6.3 Rebasing, 6.4.4 Land and air movement, 6.7 Exploitation: what the phasing side does with units
ashore."""

from __future__ import annotations

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.offers import Late

from ..facts.relations import roster
from ..model import events as ev
from ..model.actions import March
from ..model.atlas import ARM, CHINA, HQ, INF, JAPAN, MAJORS, atlas
from ..model.state import MOVED, OUT, BKPlay, BKState, changed, enemies_at, has_enemy, is_hostile, put
from .control import major_behind, occupy
from .garrison import why_not_leave
from .lazy import Lazy
from .politics import why_not_enter
from .reach import land_reach, name, why_not_cooperate, why_not_exploit_step, why_not_stack


def uid(unit: int) -> str:
    return atlas().unit_ids[unit]


def label(unit: int) -> str:
    """A unit as a fact of an event: the name of its kind."""
    return atlas().labels[unit]


# ---- attacks: the Japanese and Chinese limits ---------------------------------------------------------------------
def why_not_attack(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """How many land units Japan and China may send against one area of each other. [bg-5.5-limit] [bg-5.5-exempt]
    [bg-8.7-one-area]
    [bg-8.7-empty] [bg-8.7-national-war]"""
    state, found = m.state, atlas()
    if not state.advanced or not found.is_land[unit]:
        return None
    nation, owner = state.nation[unit], state.control[space]
    if {nation, owner} != {JAPAN, CHINA} or found.card_of["national_war_china"] in state.table:
        return None
    if not any(found.is_land[u] for u in enemies_at(state, nation, space)):
        return None
    who = 0 if nation == JAPAN else 1
    if state.limit_area[who] not in (-1, space):
        return Refusal("bg-8.7-one-area", "one-area", country=f"@{MAJORS[nation]}", space=name(state.limit_area[who]))
    if not found.is_hq[unit] and state.limit_used[who] >= state.limit:
        return Refusal("bg-5.5-limit", "unit-limit", country=f"@{MAJORS[nation]}", limit=state.limit)
    return None


def note_attack(m: BKPlay, unit: int, space: int) -> None:
    """Count an attack against the limits."""
    state, found = m.state, atlas()
    nation, owner = state.nation[unit], state.control[space]
    if not state.advanced or {nation, owner} != {JAPAN, CHINA} or not found.is_land[unit]:
        return
    if any(found.is_land[u] for u in enemies_at(state, nation, space)):
        who = 0 if nation == JAPAN else 1
        state.limit_area = changed(state.limit_area, who, space)
        state.limit_used = changed(state.limit_used, who, state.limit_used[who] + (not found.is_hq[unit]))


# ---- marching -----------------------------------------------------------------------------------------------------
def why_not_march(m: BKPlay, unit: int) -> Refusal | None:
    """Whether a land unit may move now at all. [bg-6.4.1-once] [bg-6.7-armor-hq] [bg-6.7-infantry]
    [bg-6.1-effect-exploit]"""
    state = m.state
    if state.flags[unit] & MOVED:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    if state.carrier[unit] >= 0:
        return Refusal("bg-6.4.3b-unload", "on-board", unit=label(unit))
    refused = why_not_leave(state, unit) if state.yugoslavia_since >= 0 and state.advanced else None
    if refused is not None or not state.exploiting or _may_exploit(m, unit):
        return refused
    if state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-exploit", "out-of-supply", unit=label(unit))
    return Refusal("bg-6.7-infantry", "no-hq", unit=label(unit))


def _may_exploit(m: BKPlay, unit: int) -> bool:
    """In supply, and no infantry without a commander. [bg-6.7-armor-hq] [bg-6.7-infantry] [bg-6.1-effect-exploit]"""
    state = m.state
    if state.advanced and state.flags[unit] & OUT:
        return False
    return atlas().type[unit] != INF or _is_commanded(m, unit) or _desert_fox(m, unit)


def _desert_fox(m: BKPlay, unit: int) -> bool:
    """[bg-card-triumph-fall]"""
    state = m.state
    return state.effects.get("desert_fox", -1) == state.phasing and state.place[unit] in atlas().africa


def _is_commanded(m: BKPlay, unit: int) -> bool:
    """Whether there is such an HQ, looked up once for all."""
    state = m.state
    commanders: dict[tuple[int, int], int] | None = m.cache.get("commanders")
    if commanders is None:
        commanders = m.cache["commanders"] = _commanders(state)
    return (state.place[unit], state.side[state.nation[unit]]) in commanders


def commander_for(state: BKState, unit: int) -> int:
    """An HQ of the side that began the phase in the unit's area and has commands left; -1 if none. [bg-2.1-hq-rating]
    [bg-6.4.6-naval-hq-land]"""
    return _commanders(state).get((state.place[unit], state.side[state.nation[unit]]), -1)


def _commanders(state: BKState) -> dict[tuple[int, int], int]:
    """The first such HQ by area and side."""
    found, place, start, spent = atlas(), state.place, state.start, state.spent
    out: dict[tuple[int, int], int] = {}
    for hq, rating in found.rating.items():
        if place[hq] < 0 or start[hq] < 0 or spent[hq] >= rating or state.carrier[hq] >= 0:
            continue
        if found.is_sea[start[hq]] or (state.advanced and state.flags[hq] & OUT):
            continue
        out.setdefault((start[hq], state.side[state.nation[hq]]), hq)
    return out


def march_targets(m: BKPlay, unit: int) -> dict[int, list[int]]:
    """Every place a unit may march to, attacks that a limit forbids left out."""
    key = ("march", unit)
    if key not in m.cache:
        reached = land_reach(m, unit)
        fox = m.state.exploiting and atlas().type[unit] == INF and commander_for(m.state, unit) < 0
        if fox or m.state.nation[unit] in (JAPAN, CHINA):
            reached = {
                to: via
                for to, via in reached.items()
                if (not via or why_not_attack(m, unit, to) is None) and (not fox or via)
            }
        m.cache[key] = reached
    found: dict[int, list[int]] = m.cache[key]
    return found


def why_not_there(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """The reason why a unit cannot march to a space."""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if found.is_sea[space]:
        return Refusal("bg-1.2-sea-forbidden", "no-land-units-at-sea", space=name(space))
    refused = why_not_enter(state, nation, space) or why_not_attack(m, unit, space)
    if refused is not None:
        return refused
    refused = why_not_stack(state, unit, space) or why_not_cooperate(m, unit, space)
    if refused is None and state.exploiting:
        refused = why_not_exploit_step(m, state.place[unit], space)
    if refused is not None:
        return refused
    pair = state.place[unit] * found.count + space
    if pair in found.border and space not in found.land_next[state.place[unit]]:
        return Refusal("bg-1.2-chart-forbidden-border", "forbidden-border", space=name(space))
    rule = {INF: "bg-6.4.1-infantry", ARM: "bg-6.4.1-armor", HQ: "bg-6.4.1-hq"}.get(found.type[unit], "bg-6.4.1-hq")
    return Refusal(rule, "out-of-range", unit=label(unit), space=name(space), range=found.range[unit])


def march_offers(m: BKPlay, major: int) -> list[Offer]:
    return [Late(March, _march_fields, m, major, rule="bg-6.4.1-once")]


def _march_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def units() -> list[str]:
        ids, flags, carrier, place = found.unit_ids, state.flags, state.carrier, state.place
        mine = [
            u for u in roster(state).land[major] if place[u] >= 0 and not flags[u] & MOVED and carrier[u] < 0
        ]  # fmt: skip
        if state.exploiting:
            mine = [u for u in mine if _may_exploit(m, u)]
        if state.yugoslavia_since >= 0:
            mine = [u for u in mine if why_not_march(m, u) is None]
        return [ids[u] for u in mine]

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_march(m, unit) if unit >= 0 and state.place[unit] >= 0 and found.is_land[unit] else None

    def to(ident: str) -> OneOf:
        unit = found.unit_of[ident]
        return OneOf(found.names(list(march_targets(m, unit))), why=lambda v: _space_why(m, unit, v))

    def via(ident: str, target: str) -> OneOf:
        ways = march_targets(m, found.unit_of[ident])[found.space_of[target]]
        return OneOf(found.names(ways) if ways else [""])

    return (
        Field("unit", "unit", Lazy(units, why=why_unit)),
        Field("to", "space", to),
        Field("via", "space", via),
    )


def _space_why(m: BKPlay, unit: int, value: str) -> Refusal | None:
    space = atlas().space_of.get(value)
    return None if space is None else why_not_there(m, unit, space)


def take_march(m: BKPlay, action: March) -> None:
    """[bg-6.4-phasing-first] [bg-6.4.1-overrun-empty] [bg-6.8-change]"""
    state, found = m.state, atlas()
    unit, to = found.unit_of[action.unit], found.space_of[action.to]
    nation, start = state.nation[unit], state.place[unit]
    via = found.space_of[action.via] if action.via else -1
    if state.exploiting and found.type[unit] == INF:
        hq = commander_for(state, unit)
        if hq >= 0:
            state.spent = changed(state.spent, hq, state.spent[hq] + 1)
    if via >= 0 and via != start and is_hostile(state, nation, via):
        occupy(m, via, major_behind(state, unit))
    note_attack(m, unit, to)
    m.emit(ev.Moved(unit=label(unit), origin=name(start), space=name(to), how="@march"))
    put(state, unit, to)
    state.flags[unit] |= MOVED
    state.origin = changed(state.origin, unit, via if via >= 0 else start)
    if is_hostile(state, nation, to) and not has_enemy(state, nation, to):
        occupy(m, to, major_behind(state, unit))
