"""6.2 Rail, 6.3 Rebasing, 6.4.4 Land and air movement, 6.7 Exploitation: what the phasing side does with units
ashore."""

from __future__ import annotations

from sandtable.core import Field, Offer, OneOf, Refusal

from . import events as ev
from .actions import Bomb, Declare, Fly, March, Railroad, Rebase, Station, Support
from .atlas import AIR, ARM, BE, CHINA, HQ, INF, JAPAN, MAJORS, NAVAL_HQ, TF, atlas
from .control import major_behind, occupy
from .garrison import why_not_leave
from .lazy import Lazy
from .politics import declare, why_not_declare, why_not_enter
from .reach import air_range, bases, flight, land_reach, name, rail_reach, why_not_cooperate
from .state import (
    AT_WAR,
    BOMBER,
    DOUBLE,
    FOUGHT,
    MOVED,
    NEUTRAL,
    OUT,
    RAILED,
    REBASED,
    STATIONED,
    BKPlay,
    BKState,
    enemies_at,
    has_enemy,
    is_friendly,
    is_hostile,
    put,
    send,
    units_of_role,
)


def uid(unit: int) -> str:
    return atlas().unit_ids[unit]


def label(unit: int) -> str:
    """A unit as a fact of an event: the name of its kind."""
    return "@" + atlas().kind_of_unit[unit].id


# ---- rail ---------------------------------------------------------------------------------------------------------
def rail_points(state: BKState, major: int) -> int:
    """[bg-6.2-rail-capacity] [bg-scn39-rail]"""
    from .atlas import GERMANY, USSR

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
    if why_not_leave(state, unit) is not None:
        return False
    key = ("railway", major, state.place[unit])
    if key not in m.cache:
        m.cache[key] = rail_region(state, major, state.place[unit], -1) is None
    return bool(m.cache[key])


def rail_offers(m: BKPlay, major: int) -> list[Offer]:
    state, found = m.state, atlas()
    if not state.rail_left[major]:
        return []

    def units() -> list[str]:
        return [uid(u) for u in _friends_units(m, major) if can_rail(m, major, u)]

    return [
        Offer(
            Railroad,
            Field("unit", "unit", Lazy(units, why=lambda v: why_not_rail(m, major, v))),
            Field("to", "space", lambda u: OneOf(found.names(rail_reach(state, found.unit_of[u])), why=_rail_why)),
            rule="bg-6.2-rail-capacity",
        )
    ]


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
    state.rail_left[major] -= 1


def _friends_units(m: BKPlay, major: int) -> list[int]:
    """Units of the major and of associates: optional 9.11 keeps strangers' railways apart."""
    from .reach import cooperate
    from .state import are_allied

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
    state, found = m.state, atlas()
    units = [
        u
        for u in units_of_role(state, major)
        if found.type[u] == AIR and not state.flags[u] & (REBASED | STATIONED) and state.carrier[u] < 0
    ]

    def why(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        if unit >= 0 and state.flags[unit] & REBASED:
            return Refusal("bg-6.3-rebase-once", "rebased-already", unit=label(unit))
        return None

    return [
        Offer(
            Rebase,
            Field("unit", "unit", OneOf([uid(u) for u in units], why=why)),
            Field("to", "space", lambda u: OneOf(rebase_targets(m, found.unit_of[u]), why=_rebase_why)),
            rule="bg-6.3-rebase",
        )
    ]


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
        state.limit_area[who] = space
        state.limit_used[who] += not found.is_hq[unit]


# ---- marching -----------------------------------------------------------------------------------------------------
def why_not_march(m: BKPlay, unit: int) -> Refusal | None:
    """Whether a land unit may move now at all. [bg-6.4.1-once] [bg-6.7-armor-hq] [bg-6.7-infantry]
    [bg-6.1-effect-exploit]"""
    state, found = m.state, atlas()
    if state.flags[unit] & MOVED:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    if state.carrier[unit] >= 0:
        return Refusal("bg-6.4.3b-unload", "on-board", unit=label(unit))
    refused = why_not_leave(state, unit) if state.advanced else None
    if refused is not None or not state.exploiting:
        return refused
    if state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-exploit", "out-of-supply", unit=label(unit))
    if found.type[unit] != INF:
        return None
    if commander_for(state, unit) < 0 and not _desert_fox(m, unit):
        return Refusal("bg-6.7-infantry", "no-hq", unit=label(unit))
    return None


def _desert_fox(m: BKPlay, unit: int) -> bool:
    """[bg-card-triumph-fall]"""
    state = m.state
    return state.effects.get("desert_fox", -1) == state.phasing and state.place[unit] in atlas().africa


def commander_for(state: BKState, unit: int) -> int:
    """An HQ of the side that began the phase in the unit's area and has commands left; -1 if none. [bg-2.1-hq-rating]
    [bg-6.4.6-naval-hq-land]"""
    found = atlas()
    space, side = state.place[unit], state.side[state.nation[unit]]
    for hq, rating in found.rating.items():
        if state.start[hq] != space or state.place[hq] < 0 or state.spent[hq] >= rating or state.carrier[hq] >= 0:
            continue
        if state.advanced and state.flags[hq] & OUT:
            continue
        if state.side[state.nation[hq]] == side and not found.is_sea[space]:
            return hq
    return -1


def march_targets(m: BKPlay, unit: int) -> dict[int, list[int]]:
    """Every place a unit may march to, attacks that a limit forbids left out."""
    key = ("march", unit)
    if key not in m.cache:
        reached = land_reach(m, unit)
        fox = m.state.exploiting and commander_for(m.state, unit) < 0 and atlas().type[unit] == INF
        m.cache[key] = {
            to: via
            for to, via in reached.items()
            if (not via or why_not_attack(m, unit, to) is None) and (not fox or via)
        }
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
    from .reach import why_not_exploit_step, why_not_stack

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
    state, found = m.state, atlas()

    def units() -> list[str]:
        mine = units_of_role(state, major)
        return [uid(u) for u in mine if found.is_land[u] and why_not_march(m, u) is None]

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_march(m, unit) if unit >= 0 and state.place[unit] >= 0 and found.is_land[unit] else None

    def to(ident: str) -> OneOf:
        unit = found.unit_of[ident]
        return OneOf(found.names(list(march_targets(m, unit))), why=lambda v: _space_why(m, unit, v))

    def via(ident: str, target: str) -> OneOf:
        ways = march_targets(m, found.unit_of[ident])[found.space_of[target]]
        return OneOf(found.names(ways) if ways else [""])

    return [
        Offer(
            March,
            Field("unit", "unit", Lazy(units, why=why_unit)),
            Field("to", "space", to),
            Field("via", "space", via),
            rule="bg-6.4.1-once",
        )
    ]


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
            state.spent[hq] += 1
    if via >= 0 and via != start and is_hostile(state, nation, via):
        occupy(m, via, major_behind(state, unit))
    note_attack(m, unit, to)
    m.emit(ev.Moved(unit=label(unit), origin=name(start), space=name(to), how="@march"))
    put(state, unit, to)
    state.flags[unit] |= MOVED
    state.origin[unit] = via if via >= 0 else start
    if is_hostile(state, nation, to) and not has_enemy(state, nation, to):
        occupy(m, to, major_behind(state, unit))


# ---- flying -------------------------------------------------------------------------------------------------------
def fly_targets(m: BKPlay, unit: int) -> list[int]:
    """Bases and missions of an aircraft. [bg-6.4.1-air] [bg-6.4.2-double] [bg-6.7-support]"""
    key = ("fly", unit)
    if key in m.cache:
        known: list[int] = m.cache[key]
        return known
    state = m.state
    nation, start, steps = state.nation[unit], state.place[unit], air_range(state, unit)
    reached = flight(state, nation, start, steps)
    here, landings = state.here, state.invasions
    out = [s for s in reached if s != start and (here[s] or s in landings) and why_not_mission(m, unit, s) is None]
    if not state.exploiting:
        near = bases(m, unit, start, steps)
        far = bases(m, unit, start, 2 * steps, True)
        out.extend(s for s in dict.fromkeys((*near, *far)) if s != start and s not in out)
    m.cache[key] = out
    return out


def why_not_mission(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """An aircraft attacks what its side fights. [bg-6.4-phasing-first] [bg-6.4.3e-air-help] [bg-6.7-support]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if state.standing[nation] != AT_WAR and not state.war[nation]:
        return Refusal("bg-8.2-neutral-units", "neutral-major", country=f"@{found.nation_ids[nation]}")
    if found.is_sea[space]:
        if state.exploiting and space not in state.sea_battles:
            return Refusal("bg-6.7-support", "support-only", space=name(space))
        enemies = enemies_at(state, nation, space)
        if not enemies:
            return Refusal("bg-6.4-phasing-first", "nothing-to-attack", space=name(space))
        if space in state.sea_battles:
            if state.sea_battles[space] & 1:
                return why_not_cooperate(m, unit, space)
            return Refusal("bg-6.4.3e-air-help", "not-found", space=name(space))
        own_ships = any(state.side[state.nation[u]] == state.phasing for u in state.here[space])
        if state.advanced and own_ships:
            return Refusal("bg-6.4.3e-air-help", "not-found", space=name(space))
        return why_not_cooperate(m, unit, space)
    if is_friendly(state, nation, space) or not (is_hostile(state, nation, space)):
        return Refusal("bg-8.1-neutral-area", "nothing-to-attack", space=name(space))
    joined = _is_under_attack(state, space)
    if state.exploiting and not joined:
        return Refusal("bg-6.7-support", "support-only", space=name(space))
    if joined or has_enemy(state, nation, space):
        return why_not_cooperate(m, unit, space)
    return Refusal("bg-6.4-phasing-first", "nothing-to-attack", space=name(space))


def _is_under_attack(state: BKState, space: int) -> bool:
    """Land units of the phasing side attack there, on foot or from the sea."""
    if space in state.invasions:
        return True
    phasing, nations, found = state.phasing, state.nation, atlas()
    return any(found.is_land[u] and state.side[nations[u]] == phasing for u in state.here[space]) and bool(
        state.side[state.control[space]] != phasing
    )


def why_not_fly(m: BKPlay, unit: int) -> Refusal | None:
    """[bg-6.4.1-once] [bg-1.1-air-on-convoy] [bg-6.4.3b-unload]"""
    state = m.state
    if state.flags[unit] & (MOVED | STATIONED):
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    if state.carrier[unit] >= 0:
        return Refusal("bg-1.1-air-on-convoy", "on-board", unit=label(unit))
    if state.exploiting and state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-exploit", "out-of-supply", unit=label(unit))
    if state.exploiting and state.advanced and state.bad[atlas().map[state.place[unit]]]:
        return Refusal("bg-5.4-bad-exploit", "bad-weather-exploitation")
    return None


def fly_offers(m: BKPlay, major: int) -> list[Offer]:
    state, found = m.state, atlas()

    def ids() -> list[str]:
        units = [u for u in units_of_role(state, major) if found.type[u] == AIR and why_not_fly(m, u) is None]
        if state.exploiting:
            units = [u for u in units if fly_targets(m, u)]
        return [uid(u) for u in units]

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_fly(m, unit) if unit >= 0 and found.type[unit] == AIR else None

    def why_space(ident: str, value: str) -> Refusal | None:
        unit, space = found.unit_of[ident], found.space_of.get(value)
        if space is None:
            return None
        from .reach import can_land

        if flight(state, state.nation[unit], state.place[unit], air_range(state, unit)).get(space) is None:
            return Refusal("bg-6.4.1-air", "out-of-range", unit=label(unit), space=name(space),
                           range=air_range(state, unit))  # fmt: skip
        if is_hostile(state, state.nation[unit], space) or found.is_sea[space]:
            return why_not_mission(m, unit, space)
        return can_land(m, unit, space)

    return [
        Offer(
            Fly,
            Field("unit", "unit", Lazy(ids, why=why_unit)),
            Field(
                "to",
                "space",
                lambda u: OneOf(found.names(fly_targets(m, found.unit_of[u])), why=lambda v: why_space(u, v)),
            ),
            rule="bg-6.4.1-air",
        )
    ]


def take_fly(m: BKPlay, action: Fly) -> None:
    state, found = m.state, atlas()
    unit, to = found.unit_of[action.unit], found.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@fly"))
    state.flags[unit] |= MOVED
    if not found.is_sea[to] and is_friendly(state, state.nation[unit], to):
        put(state, unit, to)
    else:
        send(state, unit, to)


# ---- Task Forces, bombing, declarations ---------------------------------------------------------------------------
def support_targets(m: BKPlay, unit: int) -> list[int]:
    """Land areas next to a Task Force that its side attacks. [bg-6.5.3-tf-land] [bg-6.4.3f-contagion] [bg-10.1-pin]"""
    state, found = m.state, atlas()
    zone, nation = state.place[unit], state.nation[unit]
    if why_not_support(m, unit) is not None:
        return []
    return [
        s for s in found.coast[zone]
        if is_hostile(state, nation, s) and (_is_under_attack(state, s) or has_enemy(state, nation, s))
        and why_not_cooperate(m, unit, s) is None
    ]  # fmt: skip


def why_not_support(m: BKPlay, unit: int) -> Refusal | None:
    state = m.state
    zone = state.place[unit]
    if state.exploiting:
        return Refusal("bg-6.7-support", "no-tf-support")
    if state.flags[unit] & FOUGHT or zone in state.sea_battles:
        return Refusal("bg-10.1-pin", "one-combat", unit=label(unit))
    if state.mission[unit] >= 0:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    if is_handicapped(state, state.nation[unit], zone):
        return Refusal("bg-6.4.3f-contagion", "double-range", space=name(zone))
    return None


def is_handicapped(state: BKState, nation: int, zone: int) -> bool:
    """A ship that used double range binds all friends in its seazone. [bg-6.4.3f-contagion] [bg-6.4.3f-duration]"""
    side = state.side[nation]
    return any(state.flags[u] & DOUBLE and state.side[state.nation[u]] == side for u in state.here[zone])


def support_offers(m: BKPlay, major: int) -> list[Offer]:
    state, found = m.state, atlas()
    if not _may_fight(state, major):
        return []

    def units() -> list[str]:
        return [uid(u) for u in units_of_role(state, major) if found.type[u] == TF and support_targets(m, u)]

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_support(m, unit) if unit >= 0 and found.type[unit] == TF else None

    return [
        Offer(
            Support,
            Field("unit", "unit", Lazy(units, why=why_unit)),
            Field("to", "space", lambda u: OneOf(found.names(support_targets(m, found.unit_of[u])))),
            rule="bg-6.5.3-tf-land",
        )
    ]


def _may_fight(state: BKState, major: int) -> bool:
    return bool(state.war[major])


def take_support(m: BKPlay, action: Support) -> None:
    state, found = m.state, atlas()
    send(state, found.unit_of[action.unit], found.space_of[action.to])


def bomb_targets(m: BKPlay, unit: int) -> list[int]:
    """Enemy areas with production in range. [bg-6.5.6-hit] [bg-6.5.6-cap] [bg-6.5.6-tf]"""
    from .economy import area_value

    state, found = m.state, atlas()
    nation = state.nation[unit]
    if found.type[unit] == AIR and why_not_fly(m, unit) is not None:
        return []
    if found.type[unit] == TF:
        reached = dict.fromkeys(found.coast[state.place[unit]]) if why_not_support(m, unit) is None else {}
    else:
        reached = dict.fromkeys(flight(state, nation, state.place[unit], air_range(state, unit)))
    return [
        s for s in reached
        if not found.is_sea[s] and is_hostile(state, nation, s) and not _is_under_attack(state, s)
        and (area_value(state, s, state.control[s]) > 0 or found.germany_only[s])
        and not any(state.mission[u] == s and not state.flags[u] & BOMBER for u in units_on_missions(state))
    ]  # fmt: skip


def units_on_missions(state: BKState) -> list[int]:
    return list(state.abroad)


def bomb_offers(m: BKPlay, major: int) -> list[Offer]:
    state, found = m.state, atlas()
    if not state.advanced or state.exploiting or not _may_fight(state, major):
        return []

    def units() -> list[str]:
        return [uid(u) for u in units_of_role(state, major) if found.type[u] == AIR and bomb_targets(m, u)]

    return [
        Offer(
            Bomb,
            Field("unit", "unit", Lazy(units)),
            Field("to", "space", lambda u: OneOf(found.names(bomb_targets(m, found.unit_of[u])))),
            rule="bg-6.5.6-hit",
        )
    ]


def take_bomb(m: BKPlay, action: Bomb) -> None:
    state, found = m.state, atlas()
    unit = found.unit_of[action.unit]
    send(state, unit, found.space_of[action.to])
    state.flags[unit] |= MOVED | BOMBER


def station_offers(m: BKPlay, major: int) -> list[Offer]:
    """Optional 9.1: an aircraft watches a seazone until the end of its side's next movement phase. [bg-opt-9.1]"""
    state, found = m.state, atlas()
    if not m.option("aircraft-searches") or state.exploiting:
        return []
    units = [u for u in units_of_role(state, major) if found.type[u] == AIR and why_not_fly(m, u) is None]
    if not units:
        return []

    def zones(ident: str) -> OneOf:
        unit = found.unit_of[ident]
        reached = flight(state, state.nation[unit], state.place[unit], air_range(state, unit))
        return OneOf(found.names([s for s in reached if found.is_sea[s]]))

    return [
        Offer(
            Station,
            Field("unit", "unit", OneOf([uid(u) for u in units])),
            Field("to", "space", zones),
            rule="bg-opt-9.1",
        )
    ]


def take_station(m: BKPlay, action: Station) -> None:
    state, found = m.state, atlas()
    unit = found.unit_of[action.unit]
    send(state, unit, found.space_of[action.to])
    state.flags[unit] |= MOVED | STATIONED
    state.due[unit] = state.turn * 2 + state.second


def declare_offers(m: BKPlay, major: int) -> list[Offer]:
    """[bg-8.4-dow]"""
    found = atlas()

    def targets() -> list[str]:
        near = sorted(n for n in neighbours_of(m, major) if n >= 0)
        return [found.nation_ids[n] for n in near if why_not_declare(m.state, major, n) is None]

    def why(value: str) -> Refusal | None:
        nation = found.nation_of.get(value)
        return None if nation is None else why_not_open(m, major, nation)

    return [
        Offer(
            Declare,
            Field("country", "choice", Lazy(targets, why=why)),
            rule="bg-8.4-dow",
        )
    ]


def why_not_open(m: BKPlay, major: int, nation: int) -> Refusal | None:
    """War is declared on whom one can attack now: by a unit next to his ground, a ship beside his coast or his ships,
    an
    aircraft in range. [bg-8.4-dow]"""
    refused = why_not_declare(m.state, major, nation)
    if refused is not None:
        return refused
    if nation in neighbours_of(m, major):
        return None
    return Refusal("bg-8.4-dow", "out-of-touch", country=f"@{atlas().nation_ids[nation]}")


def neighbours_of(m: BKPlay, major: int) -> set[int]:
    """Nations within one step of a major's units."""
    key = ("neighbours", major)
    if key not in m.cache:
        state, found = m.state, atlas()
        touched: set[int] = set()
        for space in {state.place[u] for u in units_of_role(state, major)}:
            if found.is_sea[space]:
                touched.update(state.control[s] for s in found.coast[space])
                touched.update(state.nation[u] for u in state.here[space])
            else:
                touched.update(state.control[s] for s in found.land_next[space])
                for zone in found.coast[space]:
                    touched.update(state.nation[u] for u in state.here[zone])
        m.cache[key] = touched
    known: set[int] = m.cache[key]
    return known


def take_declare(m: BKPlay, major: int, action: Declare) -> None:
    declare(m, major, atlas().nation_of[action.country])


__all__ = ["NAVAL_HQ", "commander_for", "label", "uid"]
