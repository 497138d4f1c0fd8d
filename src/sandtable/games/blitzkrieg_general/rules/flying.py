"""6.4.4 and 6.5.6: aircraft, Task Forces that support, bombing missions, and declarations of war."""

from __future__ import annotations

from functools import reduce
from itertools import compress
from operator import or_

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.offers import Late

from ..facts.relations import ENEMY_SKY, OWN_SKY, ground, relations, roster
from ..model import events as ev
from ..model.actions import Bomb, Declare, Fly, Station, Support
from ..model.atlas import AIR, TF, atlas
from ..model.state import (
    AT_WAR,
    BOMBER,
    DOUBLE,
    FOUGHT,
    MOVED,
    OFF_THE_MAP,
    OUT,
    STATIONED,
    BKPlay,
    BKState,
    aircraft_of,
    changed,
    enemies_at,
    has_enemy,
    is_friendly,
    is_hostile,
    occupied,
    put,
    send,
    task_forces_of,
)
from .economy import area_value
from .lazy import Lazy
from .movement import label, uid
from .politics import declare, may_fight_at_all, why_not_declare
from .reach import air_range, bases, can_land, flight, name, why_not_cooperate


# ---- flying -------------------------------------------------------------------------------------------------------
def fly_targets(m: BKPlay, unit: int) -> list[int]:
    """Bases and missions of an aircraft. [bg-6.4.1-air] [bg-6.4.2-double] [bg-6.7-support]"""
    state = m.state
    nation, start, steps = state.nation[unit], state.place[unit], air_range(state, unit)
    key = ("fly", nation, start, steps)  # what flies from one base has the same goals
    if key in m.cache:
        known: list[int] = m.cache[key]
        return known
    reached = flight(state, nation, start, steps)
    here, war, nations, sky = state.here, state.war[nation], roster(state).nations, ground(state).sky(nation)
    attacked = attacked_on_foot(m)
    # only where the enemy stands, or where friends attack his ground, is there anything to ask
    out = [
        s
        for s in reached
        if ((nations[here[s]] & war and sky[s] != OWN_SKY) or s in attacked)
        and s != start
        and why_not_mission(m, unit, s) is None
    ]
    if not state.exploiting:
        near = bases(m, unit, start, steps)
        far = bases(m, unit, start, 2 * steps, True)
        goals = dict.fromkeys((*out, *near, *far))
        goals.pop(start, None)
        out = list(goals)
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
    joined = space in attacked_on_foot(m)
    if state.exploiting and not joined:
        return Refusal("bg-6.7-support", "support-only", space=name(space))
    if joined or has_enemy(state, nation, space):
        return why_not_cooperate(m, unit, space)
    return Refusal("bg-6.4-phasing-first", "nothing-to-attack", space=name(space))


def attacked_on_foot(m: BKPlay) -> set[int]:
    """Areas that land units of the phasing side attack, on foot or from the sea."""
    known: set[int] | None = m.cache.get("on-foot")
    if known is None:
        state = m.state
        depends_on = (state.here, state.nation, state.side, state.control, state.invasions, state.phasing)
        known = m.cache["on-foot"] = m.kept("on-foot", depends_on, lambda: _attacked_on_foot(state))
    return known


def _attacked_on_foot(state: BKState) -> set[int]:
    here, armies, ours = state.here, roster(state).armies, relations(state).members(state.phasing)
    foreign = ground(state).held_by(atlas().everybody & ~ours)
    return {*[s for s in occupied(here, foreign) if armies[here[s]] & ours], *state.invasions}


def _can_be_supported(m: BKPlay) -> bool:
    """Whether there is any battle that aircraft could join in the exploitation phase. [bg-6.7-support]"""
    return bool(m.state.sea_battles or attacked_on_foot(m))


def _grounded(state: BKState, major: int) -> list[int]:
    """Aircraft that `why_not_fly` does not refuse, but for the exploitation phase."""
    place, flags, carrier = state.place, state.flags, state.carrier
    mine, used = roster(state).aircraft[major], MOVED | STATIONED
    return [u for u in mine if place[u] >= 0 and not flags[u] & used and carrier[u] < 0]


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
    return [Late(Fly, _fly_fields, m, major, rule="bg-6.4.1-air")]


def _fly_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def ids() -> list[str]:
        if state.exploiting and not _can_be_supported(m):
            return []
        units = _grounded(state, major)
        if state.exploiting:
            units = [u for u in units if why_not_fly(m, u) is None and fly_targets(m, u)]
        return found.names_of(units)

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_fly(m, unit) if unit >= 0 and found.type[unit] == AIR else None

    def why_space(ident: str, value: str) -> Refusal | None:
        unit, space = found.unit_of[ident], found.space_of.get(value)
        if space is None:
            return None
        if flight(state, state.nation[unit], state.place[unit], air_range(state, unit)).get(space) is None:
            return Refusal("bg-6.4.1-air", "out-of-range", unit=label(unit), space=name(space),
                           range=air_range(state, unit))  # fmt: skip
        if is_hostile(state, state.nation[unit], space) or found.is_sea[space]:
            return why_not_mission(m, unit, space)
        return can_land(m, unit, space)

    return (
        Field("unit", "unit", Lazy(ids, why=why_unit)),
        Field(
            "to",
            "space",
            lambda u: OneOf(found.names(fly_targets(m, found.unit_of[u])), why=lambda v: why_space(u, v)),
        ),
    )


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
        if is_hostile(state, nation, s) and (s in attacked_on_foot(m) or has_enemy(state, nation, s))
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
    if not _may_fight(m.state, major):
        return []
    return [Late(Support, _support_fields, m, major, rule="bg-6.5.3-tf-land")]


def _support_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def units() -> list[str]:
        return [uid(u) for u in task_forces_of(state, major) if support_targets(m, u)]

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_support(m, unit) if unit >= 0 and found.type[unit] == TF else None

    return (
        Field("unit", "unit", Lazy(units, why=why_unit)),
        Field("to", "space", lambda u: OneOf(found.names(support_targets(m, found.unit_of[u])))),
    )


def _may_fight(state: BKState, major: int) -> bool:
    return bool(state.war[major])


def take_support(m: BKPlay, action: Support) -> None:
    state, found = m.state, atlas()
    send(state, found.unit_of[action.unit], found.space_of[action.to])


def bomb_targets(m: BKPlay, unit: int) -> list[int]:
    """Enemy areas with production in range. [bg-6.5.6-hit] [bg-6.5.6-cap] [bg-6.5.6-tf]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if found.type[unit] == TF:
        worth = _worth_bombing(m, nation)
        return [s for s in found.coast[state.place[unit]] if s in worth] if why_not_support(m, unit) is None else []
    if why_not_fly(m, unit) is not None:
        return []
    return _bombs_from(m, nation, state.place[unit], air_range(state, unit))


def _bombs_from(m: BKPlay, nation: int, base: int, steps: int) -> list[int]:
    """The same for all aircraft of a base."""
    worth = _worth_bombing(m, nation)
    return [s for s in flight(m.state, nation, base, steps) if s in worth]


def _worth_bombing(m: BKPlay, nation: int) -> set[int]:
    """Enemy areas with production that nobody attacks in another way."""
    key = ("bomb", nation)
    if key not in m.cache:
        state = m.state
        joined = {target for u, target in state.abroad.items() if not state.flags[u] & BOMBER}
        m.cache[key] = _enemy_industry(state, nation) - joined - attacked_on_foot(m)
    known: set[int] = m.cache[key]
    return known


def _enemy_industry(state: BKState, nation: int) -> frozenset[int]:
    """Enemy areas that give anything, remembered while nothing changes hands."""
    on, key = ground(state), (nation, state.be_pacific)
    known = on.industry.get(key)
    if known is None:
        found = atlas()
        known = on.industry[key] = frozenset(
            s for s in compress(found.industry, found.of_industry(on.sky(nation).translate(_OVER_ENEMIES)))
            if found.always_gives[s] or area_value(state, s, state.control[s]) > 0
        )  # fmt: skip
    return known


_OVER_ENEMIES = bytes(code == ENEMY_SKY for code in range(256))


def units_on_missions(state: BKState) -> list[int]:
    return list(state.abroad)


def bomb_offers(m: BKPlay, major: int) -> list[Offer]:
    state = m.state
    if not state.advanced or state.exploiting or not _may_fight(state, major):
        return []
    return [Late(Bomb, _bomb_fields, m, major, rule="bg-6.5.6-hit")]


def _bomb_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def units() -> list[str]:
        place, nation = state.place, state.nation
        near: dict[tuple[int, int, int], bool] = {}
        out = []
        for unit in _grounded(state, major):
            start = (nation[unit], place[unit], air_range(state, unit))
            if start not in near:  # the same for all aircraft of a base
                near[start] = not _worth_bombing(m, start[0]).isdisjoint(flight(state, *start))
            if near[start]:
                out.append(unit)
        return found.names_of(out)

    return (
        Field("unit", "unit", Lazy(units)),
        Field("to", "space", lambda u: OneOf(found.names(bomb_targets(m, found.unit_of[u])))),
    )


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
    units = [u for u in aircraft_of(state, major) if why_not_fly(m, u) is None]
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
    state.due = changed(state.due, unit, state.turn * 2 + state.second)


def declare_offers(m: BKPlay, major: int) -> list[Offer]:
    """[bg-8.4-dow]"""
    return [Late(Declare, _declare_fields, m, major, rule="bg-8.4-dow")]


def _declare_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    found = atlas()

    def targets() -> list[str]:
        state = m.state
        if may_fight_at_all(state, major) is not None:
            return []
        # enemies and fellow belligerents need not be asked about
        near = neighbours_of(m, major) & ~(state.war[major] | relations(state).friends(major))
        nations = [n for n in range(near.bit_length()) if near >> n & 1]
        return [found.nation_ids[n] for n in nations if why_not_declare(state, major, n) is None]

    def why(value: str) -> Refusal | None:
        nation = found.nation_of.get(value)
        return None if nation is None else why_not_open(m, major, nation)

    return (Field("country", "choice", Lazy(targets, why=why)),)


def why_not_open(m: BKPlay, major: int, nation: int) -> Refusal | None:
    """War is declared on whom one can attack now: by a unit next to his ground, a ship beside his coast or his ships,
    an
    aircraft in range. [bg-8.4-dow]"""
    refused = why_not_declare(m.state, major, nation)
    if refused is not None:
        return refused
    if neighbours_of(m, major) >> nation & 1:
        return None
    return Refusal("bg-8.4-dow", "out-of-touch", country=f"@{atlas().nation_ids[nation]}")


def neighbours_of(m: BKPlay, major: int) -> int:
    """Nations within one step of a major's units, as bits."""
    key = ("neighbours", major)
    if key not in m.cache:
        state, found = m.state, atlas()
        mine = roster(state)
        spaces = set(map(state.place.__getitem__, mine.all[major])).difference(OFF_THE_MAP)
        zones = set().union(*map(found.own_zones.__getitem__, spaces))
        near = map(mine.nations.__getitem__, set(map(state.here.__getitem__, zones)))
        m.cache[key] = reduce(or_, (*map(ground(state).beside.__getitem__, spaces), *near), 0)
    known: int = m.cache[key]
    return known


def take_declare(m: BKPlay, major: int, action: Declare) -> None:
    declare(m, major, atlas().nation_of[action.country])
