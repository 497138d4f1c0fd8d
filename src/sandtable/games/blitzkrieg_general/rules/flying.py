"""6.4.4 and 6.5.6: aircraft, Task Forces that support, bombing missions, and declarations of war."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.columns import put

from ..facts.attacks import attacked_on_foot
from ..facts.ground import OWN_SKY, is_friendly, sky
from ..facts.politics import friends
from ..facts.production import worth_bombing
from ..facts.reach import air_range, bases, flight, neighbours
from ..facts.units import counters, nations_in, on_map
from ..model import events as ev
from ..model.actions import Bomb, Declare, Fly, Station, Support
from ..model.atlas import AIR, ATLAS, AXIS, TF, USA, USSR, label, name, ones, unit_id
from ..model.state import (
    AT_WAR,
    BOMBER,
    DOUBLE,
    FOUGHT,
    MOVED,
    OUT,
    STATIONED,
    BKState,
    M,
    enemies_at,
    has_enemy,
    is_hostile,
    mark,
    move_unit,
    send,
)
from .conquest import relocate_violators
from .movement import moved_already, on_board, one_combat
from .politics import declare, may_fight_at_all, why_not_declare
from .stacking import why_not_cooperate, why_not_land


# ---- flying -------------------------------------------------------------------------------------------------------
def fly_targets(state: BKState, unit: int) -> list[int]:
    """Return the bases and missions of an aircraft. [bg-6.4.1-air] [bg-6.4.2-double] [bg-6.7-support]"""
    nation, start, steps = state.nation[unit], state.place[unit], air_range(state, unit)
    reached: Iterable[int] = flight(state, nation, start, steps)
    here, war, nations, over = state.here, state.war[nation], nations_in(state), sky(state, nation)
    attacked = attacked_on_foot(state)
    if state.exploiting:
        reached = [s for s in reached if s in attacked or s in state.sea_battles]
    # only where the enemy stands, or where friends attack enemy ground, is there anything to ask
    out = [
        s
        for s in reached
        if ((nations[here[s]] & war and over[s] != OWN_SKY) or s in attacked)
        and s != start
        and why_not_mission(state, unit, s) is None
    ]
    if state.exploiting:
        return out
    near = bases(state, unit, start, steps)
    far = bases(state, unit, start, 2 * steps, True)
    goals = dict.fromkeys((*out, *near, *far))
    goals.pop(start, None)
    return list(goals)


def why_not_mission(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse a mission where an aircraft has nothing to attack. [bg-6.4-phasing-first] [bg-6.4.3e-air-help]
    [bg-6.7-support]"""
    nation = state.nation[unit]
    if state.standing[nation] != AT_WAR and not state.war[nation]:
        return Refusal("bg-8.2-neutral-units", "neutral-major", country=f"@{ATLAS.nation_ids[nation]}")
    if ATLAS.is_sea[space]:
        if state.exploiting and space not in state.sea_battles:
            return Refusal("bg-6.7-support", "support-only", space=name(space))
        enemies = enemies_at(state, nation, space)
        if not enemies:
            return _nothing_to_attack(space)
        if space in state.sea_battles:
            if state.sea_battles[space] & 1:
                return why_not_cooperate(state, unit, space)
            return not_found(space)
        own_ships = any(state.side[state.nation[u]] == state.phasing for u in state.here[space])
        if state.advanced and own_ships:
            return not_found(space)
        return why_not_cooperate(state, unit, space)
    if is_friendly(state, nation, space) or not is_hostile(state, nation, space):
        return Refusal("bg-8.1-neutral-area", "nothing-to-attack", space=name(space))
    joined = space in attacked_on_foot(state)
    if state.exploiting and not joined:
        return Refusal("bg-6.7-support", "support-only", space=name(space))
    if joined or has_enemy(state, nation, space):
        return why_not_cooperate(state, unit, space)
    return _nothing_to_attack(space)


def _nothing_to_attack(space: int) -> Refusal:
    return Refusal("bg-6.4-phasing-first", "nothing-to-attack", space=name(space))


def _grounded(state: BKState, major: int) -> list[int]:
    """Aircraft that `why_not_fly` does not refuse, but for the exploitation phase."""
    place, flags, carrier = state.place, state.flags, state.carrier
    mine, used = counters(state, "aircraft")[major], MOVED | STATIONED | FOUGHT
    return [u for u in mine if place[u] >= 0 and not flags[u] & used and carrier[u] < 0]


def not_found(zone: int) -> Refusal:
    """Refuse help where nobody of the side has found the enemy. [bg-6.4.3e-air-help]"""
    return Refusal("bg-6.4.3e-air-help", "not-found", space=name(zone))


def _base(state: BKState, unit: int) -> tuple[int, int, int]:
    """What the goals of an aircraft depend on."""
    return state.nation[unit], state.place[unit], air_range(state, unit)


def _by_base(state: BKState, units: list[int]) -> dict[tuple[int, int, int], int]:
    """One aircraft of each base: all others there have the same goals."""
    return {_base(state, unit): unit for unit in reversed(units)}


def why_not_fly(state: BKState, unit: int) -> Refusal | None:
    """Refuse an aircraft that may not fly now. [bg-6.4.1-once] [bg-10.1-pin] [bg-1.1-air-on-convoy]
    [bg-6.4.3b-unload]"""
    if state.flags[unit] & (MOVED | STATIONED):
        return moved_already(unit)
    if state.flags[unit] & FOUGHT:
        return one_combat(unit)
    if state.carrier[unit] >= 0:
        return on_board(unit)
    if state.exploiting and state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-exploit", "out-of-supply", unit=label(unit))
    if state.exploiting and state.advanced and state.bad[ATLAS.map[state.place[unit]]]:
        return Refusal("bg-5.4-bad-exploit", "bad-weather-exploitation")
    return None


def fly_offers(m: M, major: int) -> list[Offer]:
    return [Offer(Fly, lambda: _fly_fields(m.state, major), rule="bg-6.4.1-air")]


def _fly_fields(state: BKState, major: int) -> tuple[Field, ...]:

    def ids() -> list[str]:
        if state.exploiting and not (state.sea_battles or attacked_on_foot(state)):
            return []  # there is no battle to support. [bg-6.7-support]
        units = _grounded(state, major)
        if state.exploiting:
            units = [u for u in units if why_not_fly(state, u) is None]
            goals = {base: bool(fly_targets(state, u)) for base, u in _by_base(state, units).items()}
            units = [u for u in units if goals[_base(state, u)]]
        return ATLAS.names_of(units)

    def why_unit(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit < 0 or state.place[unit] < 0 or ATLAS.type[unit] != AIR:
            return None
        refused = why_not_fly(state, unit)
        if refused is None and state.exploiting:
            refused = Refusal("bg-6.7-support", "nothing-to-support", unit=label(unit))
        return refused

    def why_space(ident: str, value: str) -> Refusal | None:
        unit, space = ATLAS.unit_of[ident], ATLAS.space_of.get(value)
        if space is None:
            return None
        if flight(state, state.nation[unit], state.place[unit], air_range(state, unit)).get(space) is None:
            return _too_far(state, unit, space)
        if is_hostile(state, state.nation[unit], space) or ATLAS.is_sea[space]:
            return why_not_mission(state, unit, space)
        return why_not_land(state, unit, space)

    return (
        Field("unit", "unit", OneOf(ids(), why=why_unit)),
        Field(
            "to",
            "space",
            lambda u: OneOf(ATLAS.names(fly_targets(state, ATLAS.unit_of[u])), why=lambda v: why_space(u, v)),
        ),
    )


def _too_far(state: BKState, unit: int, space: int) -> Refusal:
    far = air_range(state, unit)
    return Refusal("bg-6.4.1-air", "out-of-range", unit=label(unit), space=name(space), range=far)


def take_fly(m: M, action: Fly) -> None:
    state = m.state
    unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
    m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@fly"))
    mark(state, unit, MOVED)
    if not ATLAS.is_sea[to] and is_friendly(state, state.nation[unit], to):
        move_unit(state, unit, to)
    else:
        send(state, unit, to)


# ---- Task Forces, bombing, declarations ---------------------------------------------------------------------------
def support_targets(state: BKState, unit: int) -> list[int]:
    """Return the land areas next to a Task Force that its side attacks. [bg-6.5.3-tf-land] [bg-6.4.3f-contagion]
    [bg-10.1-pin]"""
    zone, nation = state.place[unit], state.nation[unit]
    if why_not_support(state, unit) is not None:
        return []
    return [
        s for s in ATLAS.coast[zone]
        if is_hostile(state, nation, s) and (s in attacked_on_foot(state) or has_enemy(state, nation, s))
        and why_not_cooperate(state, unit, s) is None
    ]  # fmt: skip


def why_not_support(state: BKState, unit: int) -> Refusal | None:
    zone = state.place[unit]
    if state.flags[unit] & FOUGHT or zone in state.sea_battles:
        return one_combat(unit)
    if state.mission[unit] >= 0:
        return moved_already(unit)
    if is_handicapped(state, state.nation[unit], zone):
        return Refusal("bg-6.4.3f-contagion", "double-range", space=name(zone))
    return None


def is_handicapped(state: BKState, nation: int, zone: int) -> bool:
    """Return whether a ship that used double range binds all friends in its seazone. [bg-6.4.3f-contagion]
    [bg-6.4.3f-duration]"""
    side = state.side[nation]
    return any(state.flags[u] & DOUBLE and state.side[state.nation[u]] == side for u in state.here[zone])


def support_offers(m: M, major: int) -> list[Offer]:
    if not _may_fight(m.state, major):
        return []
    if m.state.exploiting:
        return [Offer(Support, Refusal("bg-6.7-support", "no-tf-support"), rule="bg-6.7-support")]
    return [Offer(Support, lambda: _support_fields(m.state, major), rule="bg-6.5.3-tf-land")]


def _support_fields(state: BKState, major: int) -> tuple[Field, ...]:

    def units() -> list[str]:
        return [unit_id(u) for u in on_map(state, major, "task_forces") if support_targets(state, u)]

    def why_unit(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit < 0 or state.place[unit] < 0 or ATLAS.type[unit] != TF:
            return None
        refused = why_not_support(state, unit)
        return refused or Refusal("bg-6.5.3-tf-land", "nothing-to-support", unit=label(unit))

    def why_space(ident: str, value: str) -> Refusal | None:
        unit, space = ATLAS.unit_of[ident], ATLAS.space_of.get(value)
        if space is None:
            return None
        if space not in ATLAS.coast[state.place[unit]]:
            return Refusal("bg-6.5.3-tf-land", "not-adjacent", space=name(space))
        return why_not_cooperate(state, unit, space) or _nothing_to_attack(space)

    return (
        Field("unit", "unit", OneOf(units(), why=why_unit)),
        Field(
            "to",
            "space",
            lambda u: OneOf(ATLAS.names(support_targets(state, ATLAS.unit_of[u])), why=lambda v: why_space(u, v)),
        ),
    )


def _may_fight(state: BKState, major: int) -> bool:
    return bool(state.war[major])


def take_support(m: M, action: Support) -> None:
    state = m.state
    send(state, ATLAS.unit_of[action.unit], ATLAS.space_of[action.to])


def bomb_targets(state: BKState, unit: int) -> list[int]:
    """Return the enemy areas with production in range; a Task Force goes only with bombers, as their escort.
    [bg-6.5.6-hit] [bg-6.5.6-cap] [bg-6.5.6-tf]"""
    nation, base = state.nation[unit], state.place[unit]
    worth = worth_bombing(state, nation)
    if ATLAS.type[unit] == TF:
        raided = {target for u, target in state.abroad.items() if state.flags[u] & BOMBER and ATLAS.is_air[u]}
        near = [s for s in ATLAS.coast[base] if s in worth and s in raided]
        return near if why_not_support(state, unit) is None else []
    if why_not_fly(state, unit) is not None:
        return []
    return [s for s in flight(state, nation, base, air_range(state, unit)) if s in worth]


def bomb_offers(m: M, major: int) -> list[Offer]:
    state = m.state
    if not state.advanced or not _may_fight(state, major):
        return []
    if state.exploiting:
        return [Offer(Bomb, Refusal("bg-6.7-support", "no-bombing-now"), rule="bg-6.7-support")]
    return [Offer(Bomb, lambda: _bomb_fields(m.state, major), rule="bg-6.5.6-hit")]


def _bomb_fields(state: BKState, major: int) -> tuple[Field, ...]:

    def units() -> list[str]:
        mine = _grounded(state, major)
        goals = {base: bool(bomb_targets(state, u)) for base, u in _by_base(state, mine).items()}
        escorts = [u for u in on_map(state, major, "task_forces") if state.abroad and bomb_targets(state, u)]
        return ATLAS.names_of([*(u for u in mine if goals[_base(state, u)]), *escorts])

    def why_unit(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit < 0 or state.place[unit] < 0:
            return None
        if ATLAS.type[unit] == TF:
            return why_not_support(state, unit) or Refusal("bg-6.5.6-tf", "only-escort", unit=label(unit))
        return why_not_fly(state, unit) if ATLAS.type[unit] == AIR else None

    def why_space(ident: str, value: str) -> Refusal | None:
        unit, space = ATLAS.unit_of[ident], ATLAS.space_of.get(value)
        if space is None:
            return None
        if not is_hostile(state, state.nation[unit], space):
            return _nothing_to_attack(space)
        if space not in worth_bombing(state, state.nation[unit]):
            return Refusal("bg-6.5.6-cap", "nothing-to-bomb", space=name(space))
        if ATLAS.type[unit] == TF:
            return Refusal("bg-6.5.6-tf", "only-escort", unit=label(unit))
        return _too_far(state, unit, space)

    return (
        Field("unit", "unit", OneOf(units(), why=why_unit)),
        Field(
            "to",
            "space",
            lambda u: OneOf(ATLAS.names(bomb_targets(state, ATLAS.unit_of[u])), why=lambda v: why_space(u, v)),
        ),
    )


def take_bomb(m: M, action: Bomb) -> None:
    state = m.state
    unit = ATLAS.unit_of[action.unit]
    send(state, unit, ATLAS.space_of[action.to])
    mark(state, unit, MOVED | BOMBER)


def station_offers(m: M, major: int) -> list[Offer]:
    """Return the offer to let an aircraft watch a seazone (optional 9.1) until the end of its side's next movement
    phase. [bg-opt-9.1]"""
    state = m.state
    if not m.option("aircraft-searches") or state.exploiting:
        return []
    units = [u for u in on_map(state, major, "aircraft") if why_not_fly(state, u) is None]
    if not units:
        return []

    def zones(ident: str) -> OneOf:
        unit = ATLAS.unit_of[ident]
        reached = flight(state, state.nation[unit], state.place[unit], air_range(state, unit))
        return OneOf(ATLAS.names([s for s in reached if ATLAS.is_sea[s]]))

    return [
        Offer(
            Station,
            Field("unit", "unit", OneOf([unit_id(u) for u in units])),
            Field("to", "space", zones),
            rule="bg-opt-9.1",
        )
    ]


def take_station(m: M, action: Station) -> None:
    state = m.state
    unit = ATLAS.unit_of[action.unit]
    send(state, unit, ATLAS.space_of[action.to])
    mark(state, unit, MOVED | STATIONED)
    state.due = put(state.due, unit, state.turn * 2 + state.second)


def declare_offers(m: M, major: int) -> list[Offer]:
    """[bg-8.4-dow]"""
    return [Offer(Declare, lambda: _declare_fields(m.state, major), rule="bg-8.4-dow")]


def _declare_fields(state: BKState, major: int) -> tuple[Field, ...]:
    def targets() -> list[str]:
        if may_fight_at_all(state, major) is not None:
            return []
        # enemies and fellow belligerents need not be asked about
        near = (neighbours(state, major) | _anytime(state, major)) & ~(state.war[major] | friends(state, major))
        return [ATLAS.nation_ids[n] for n in reversed(ones(near)) if why_not_declare(state, major, n) is None]

    def why(value: str) -> Refusal | None:
        nation = ATLAS.nation_of.get(value)
        return None if nation is None else why_not_open(state, major, nation)

    return (Field("country", "country", OneOf(targets(), why=why)),)


def why_not_open(state: BKState, major: int, nation: int) -> Refusal | None:
    """Refuse a declaration of war on a country out of touch: a unit must be next to its ground, or a ship beside its
    coast or its ships. [bg-8.4-dow] [bg-8.4-axis-free]"""
    refused = why_not_declare(state, major, nation)
    if refused is not None:
        return refused
    if (neighbours(state, major) | _anytime(state, major)) >> nation & 1:
        return None
    return Refusal("bg-8.4-dow", "out-of-touch", country=f"@{ATLAS.nation_ids[nation]}")


def _anytime(state: BKState, major: int) -> int:
    """The majors, as bits, on whom a major may declare war wherever its units are: an Axis major at war on the USSR and
    the USA. [bg-8.4-axis-free]"""
    axis = state.side[major] == AXIS
    return 1 << USSR | 1 << USA if axis else 0


def take_declare(m: M, major: int, action: Declare) -> None:
    """Declare war. Under a Soviet-Japanese peace new enemies of one partner leave the other's areas.
    [bg-8.2-ussr-japan]"""
    declare(m, major, ATLAS.nation_of[action.country])
    if m.state.peace >= 0:
        relocate_violators(m)
