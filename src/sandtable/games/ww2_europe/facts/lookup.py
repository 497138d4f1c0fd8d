"""Questions about a position that every chapter asks: who is where, whose land it is, what one may use."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, count

from ..model.atlas import ATLAS, DESERT, FACTORY, IMPASSABLE, MAJOR_FLAG, MINOR_FLAG, NEUTRAL, NO_FLAG, NOBODY
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.state import AT_WAR, DEAD, GONE, IN_CONVOY, M, W2State, changed
from .control import friends
from .roster import enrol, places, roster
from .whereabouts import index

A = ATLAS
K = ATLAS.kinds


# ---- names at the edges
def unit_name(state: W2State, unit: int) -> str:
    """What actions call a unit: 'tank#17'."""
    return _written(state.kind[unit], unit)


@functools.lru_cache(maxsize=1 << 14)
def _written(kind: int, unit: int) -> str:
    return f"{K.names[kind]}#{unit}"


@functools.lru_cache(maxsize=1 << 14)
def _read(name: str) -> tuple[int, int]:
    """The kind and the number in a unit's name; (-1, -1) where it is no such name."""
    kind, _, number = name.partition("#")
    if not number.isdecimal() or len(number) > 6 or kind not in K.index:
        return NOBODY, NOBODY
    return K.index[kind], int(number)


def unit_of(state: W2State, name: str) -> int:
    """The unit of that name; -1 where there is none."""
    kind, unit = _read(name)
    kinds = state.kind
    return unit if unit < len(kinds) and kinds[unit] == kind and state.space[unit] != DEAD else NOBODY


def names_of(state: W2State, units: Iterable[int]) -> tuple[str, ...]:
    kinds = state.kind
    return tuple([_written(kinds[unit], unit) for unit in units])


def path_names(path: Iterable[int]) -> tuple[str, ...]:
    """A path for the log: names to be translated."""
    return tuple([A.told[space] for space in path])


def shown(path: Iterable[str]) -> tuple[str, ...]:
    """A path of an action for the log."""
    return tuple([f"@{name}" for name in path])


# ---- who is where
def at(m: M) -> list[list[int]]:
    """Per space the units in it, cargo included; kept true by `put`."""
    return index(m).rows


CARRIES = tuple(K.base[kind] == K.transport or wing > 0 for kind, wing in enumerate(K.air_wing))
"""Kinds of ships that may have something aboard."""


def put(m: M, unit: int, space: int) -> None:
    """Move a unit and whatever it carries."""
    state = m.state
    if CARRIES[state.kind[unit]]:
        shift(m, unit, space)
    else:
        (m.cache.get("at") or index(m)).move(unit, space)
        state.space[unit] = space
    touch(m)


def shift(m: M, unit: int, space: int) -> None:
    """The same for one of many units: who is done with all of them must `touch` before he asks anything."""
    state, where = m.state, index(m)
    if CARRIES[state.kind[unit]]:
        for load in cargo(m, unit):
            where.move(load, space)
            state.space[load] = space
    where.move(unit, space)
    state.space[unit] = space


def cargo(m: M, ship: int) -> list[int]:
    """What a ship carries: cargo is where its ship is."""
    state = m.state
    aboard = state.cargo_of
    return [unit for unit in index(m).at(state.space[ship]) if aboard[unit] == ship]


def side_of(state: W2State, unit: int) -> int:
    return A.side[state.power[unit]]


def ground_of_side(m: M, space: int, side: int) -> list[int]:
    state, cls = m.state, K.cls
    return [
        u for u in at(m)[space] if cls[state.kind[u]] == GROUND and A.side[state.power[u]] == side
        and state.cargo_of[u] < 0
    ]  # fmt: skip


def has_ground(m: M, space: int, side: int) -> bool:
    """Whether a side has a ground unit in a land space: nothing on land is cargo."""
    return index(m).ground[side][space] > 0


def has_air(m: M, space: int, side: int) -> bool:
    """Whether a side has a plane that is not aboard a ship in a space."""
    if not index(m).planes(side) >> space & 1:
        return False
    state, cls = m.state, K.cls
    return A.is_land[space] or any(
        cls[state.kind[u]] == AIR and A.side[state.power[u]] == side and state.cargo_of[u] < 0 for u in at(m)[space]
    )


def units_of_power(m: M, power: int) -> list[int]:
    """Units of a power on the board, in convoys and aboard ships included."""
    space = m.state.space
    return [u for u in roster(m).of[power] if space[u] >= 0 or space[u] == IN_CONVOY]


def depots_on_board(m: M, power: int) -> list[int]:
    """Land of a power on which its supply depots lie."""
    depot, owner = m.state.depot, m.state.owner
    return [space for space in m.kept("depots", (depot,), lambda: places(depot, 1)) if owner[space] == power]


def stores(m: M) -> int:
    """The spaces with a fortress or a supply depot, as a set of bits."""
    fortress, depot = m.state.fortress, m.state.depot
    return m.kept("stores", (fortress, depot), lambda: _bits(fortress) | _bits(depot))


def _bits(column: Iterable[int]) -> int:
    """The spaces with an entry in a column, as a set of bits."""
    return sum(1 << space for space in compress(count(), column))


def new_unit(m: M, kind: int, power: int, space: int, flags: int = 0) -> int:
    """Put a new unit on the board or into a build box, in the first free slot."""
    where = index(m)
    dead = where.off[-DEAD]
    before = roster(m)
    unit = fill_slot(m.state, dead[0] if dead else NOBODY, kind, power, space, flags)
    enrol(m, before, unit)
    where.recruit(unit, space, m.state.kind, m.state.power)
    touch(m)
    return unit


def add_unit(state: W2State, kind: int, power: int, space: int, flags: int = 0) -> int:
    """The same while a position is set up and nobody has asked yet who is where."""
    slot = state.space.index(DEAD) if DEAD in state.space else NOBODY
    return fill_slot(state, slot, kind, power, space, flags)


def fill_slot(state: W2State, unit: int, kind: int, power: int, space: int, flags: int = 0) -> int:
    """Make a slot that is free, or a new one, hold a unit; which slot it is."""
    if unit < 0:
        state.kind, state.power, state.home = (*state.kind, kind), (*state.power, power), (*state.home, space)
        state.came, state.convoy = (*state.came, NOBODY), (*state.convoy, NOBODY)
        state.damage = (*state.damage, 0)
        state.space.append(space)
        state.cargo_of.append(NOBODY)
        state.task.append(NOBODY)
        state.flags.append(flags)
        return len(state.kind) - 1
    state.kind = changed(state.kind, unit, kind)
    state.power = changed(state.power, unit, power)
    state.space[unit] = space
    state.home = changed(state.home, unit, space)
    state.came = changed(state.came, unit, NOBODY)
    state.cargo_of[unit] = NOBODY
    state.convoy = changed(state.convoy, unit, NOBODY)
    state.task[unit] = NOBODY
    state.damage = changed(state.damage, unit, 0)
    state.flags[unit] = flags
    return unit


def remove(m: M, unit: int) -> list[int]:
    """Take a unit off the board with all that it carries; which units went."""
    state = m.state
    gone = [unit]
    if CARRIES[state.kind[unit]]:
        for load in cargo(m, unit):
            gone.extend(remove(m, load))
    index(m).move(unit, DEAD)
    state.space[unit] = DEAD
    state.cargo_of[unit] = NOBODY
    state.convoy = changed(state.convoy, unit, NOBODY)
    state.task[unit] = NOBODY
    state.came = changed(state.came, unit, NOBODY)
    state.flags[unit] = 0
    state.damage = changed(state.damage, unit, 0)
    touch(m)
    return gone


def touch(m: M) -> None:
    """Something changed: all derived facts but the index of who is where and who holds what are made anew."""
    cache = m.cache
    where, held = cache.get("at"), cache.get("control")
    if len(cache) > (where is not None) + (held is not None):
        cache.clear()
        if where is not None:
            cache["at"] = where
        if held is not None:
            cache["control"] = held


def control_changed(m: M) -> None:
    """Land changed hands, or a power entered or left the war."""
    m.cache.pop("control", None)
    touch(m)


# ---- whose land
def is_active(state: W2State, power: int) -> bool:
    return power < NEUTRAL and state.status[power] == AT_WAR


LAND_AT = tuple(space if A.is_land[space] else A.land_of_port[space] for space in range(len(A.names)))
"""Per space the land space of a port, or the land space itself; -1 at sea."""


def land_at(space: int) -> int:
    """The land space of a port, or the land space itself; -1 at sea."""
    return LAND_AT[space]


def control_side(state: W2State, space: int) -> int:
    """The side that controls a land space or a port; -1 for neutral land, neutral majors and the open sea."""
    land = LAND_AT[space]
    if land < 0:
        return NOBODY
    return control_side_of(state, state.owner[land])


def control_side_of(state: W2State, owner: int) -> int:
    """The side that what an owner holds counts for; -1 where he is not in the war."""
    return A.side[owner] if owner < NEUTRAL and state.status[owner] == AT_WAR else NOBODY


def control_group(state: W2State, space: int) -> int:
    """The group (axis, west, soviet) that controls a land space or port; -1 for neutrals."""
    land = LAND_AT[space]
    return control_group_of(state, state.owner[land]) if land >= 0 else NOBODY


def control_group_of(state: W2State, owner: int) -> int:
    """The group that what an owner holds counts for; -1 where he is not in the war."""
    return A.group[owner] if owner < NEUTRAL and state.status[owner] == AT_WAR else NOBODY


def is_friendly(state: W2State, space: int, power: int) -> bool:
    """Land or port that the power may use: its own group's.  [w2e-ussr-separate]"""
    land = LAND_AT[space]
    if land < 0:
        return True
    return is_friend(state, state.owner[land], power)


def is_friend(state: W2State, owner: int, power: int) -> bool:
    """Whether a power may use what an owner holds."""
    return owner in friends(state.status, power)


def active_powers(state: W2State, side: int) -> tuple[int, ...]:
    """The powers of a side that are in the war, the speaker first."""
    return _active(state.status, side)


@functools.lru_cache(maxsize=1024)
def _active(status: tuple[int, ...], side: int) -> tuple[int, ...]:
    return tuple(power for power in A.side_powers[side] if status[power] == AT_WAR)


def speaker(state: W2State, side: int) -> int:
    """The power that answers for a side; the other side's where nobody of it is in the war."""
    found = active_powers(state, side) or active_powers(state, 1 - side)
    return found[0] if found else A.side_powers[side][0]


def spokesman(state: W2State, units: Iterable[int], side: int) -> int:
    """The power that decides for a mixed stack: the foremost of those with units in it."""
    there = {state.power[unit] for unit in units}
    return next((p for p in A.side_powers[side] if p in there), speaker(state, side))


# ---- stacking
def stack_sum(state: W2State, units: Iterable[int]) -> int:
    return sum(K.stack[state.kind[u]] for u in units)


GROUND_LIMIT = int(A.limit["ground"])


def ground_room(m: M, space: int, side: int) -> int:
    """Stack Points of ground units that still fit on land.  [w2e-stack-ground] [w2e-blue-stacking]"""
    return 10**6 if A.blue[space] else GROUND_LIMIT - index(m).ground[side][space]


_WITH_VICHY = tuple(
    A.minors[A.vichy] if space in A.minor_spaces[A.vichy] else country for space, country in enumerate(A.country)
)


def vichy_is(state: W2State) -> bool:
    """Whether there is a Vichy France, neutral or as somebody's ally: an armistice makes it.

    [w2e-armistice-french-vichy]
    """
    return state.vichy or state.patron[A.vichy] != NOBODY


def flag_at(state: W2State, space: int) -> int:
    """The flag that works in a space: one that was captured does not, Vichy's only where there is a Vichy France.

    [w2e-flag-capture] [w2e-minor-flag-supply]
    """
    if state.lost_flag[space] or (space == A.minor_capital[A.vichy] and not vichy_is(state)):
        return NO_FLAG
    return A.flag[space]


def country_of(state: W2State, space: int) -> str:
    """The country within whose borders a land space lies; Vichy France, where it is, is not France."""
    return countries(state)[space]


def countries(state: W2State) -> Sequence[str]:
    """The same of all spaces."""
    return _WITH_VICHY if vichy_is(state) else A.country


def airbases(m: M) -> frozenset[int]:
    """Where airbases lie."""
    state, pick = m.state, roster(m).pick("every", BASE)
    spaces, aboard = pick(state.space), pick(state.cargo_of)
    ashore = (space for space, ship in zip(spaces, aboard, strict=True) if ship < 0)
    return m.kept("airbases", (spaces, aboard), lambda: frozenset(ashore))


def air_limit(m: M, space: int, power: int) -> int:
    """Stack Points of planes that a land space can base for a side.  [w2e-stack-air] [w2e-factory-air]"""
    return air_room(m.state, space, space in airbases(m))


_AIR, _MAJOR, _MINOR, _FORTRESS, _AIRBASE = (
    int(A.limit[name]) for name in ("air", "air_major_flag", "air_minor_flag", "fortress_air", "airbase_air")
)


def air_room(state: W2State, space: int, airbase: bool) -> int:
    """The same, told whether there is an airbase."""
    if A.blue[space]:
        return 10**6
    flag = flag_at(state, space) if A.flag[space] else NO_FLAG
    room = 0
    if A.feature[space] == FACTORY and state.damaged[space] != GONE:
        room = _AIR
    if flag == MAJOR_FLAG:
        room = _MAJOR
    elif flag == MINOR_FLAG:
        room = max(room, _MINOR)
    if state.fortress[space]:
        room += _FORTRESS
    if airbase:
        room += _AIRBASE
    return room


def planes_at(m: M, space: int, side: int) -> list[int]:
    state = m.state
    return [
        u for u in at(m)[space] if K.cls[state.kind[u]] == AIR and state.cargo_of[u] < 0
        and A.side[state.power[u]] == side
    ]  # fmt: skip


def port_limit(state: W2State, port: int) -> int:
    """Stack Points of ships that a port can base.  [w2e-stack-naval]"""
    land = A.land_of_port[port]
    if A.blue[land] or (A.homeland[land] >= 0 and A.homeland[land] == state.owner[land]):
        return 10**6
    return int(A.limit["naval_port"]) + (int(A.limit["fortress_naval"]) if state.fortress[land] else 0)


def ships_at(m: M, port: int, side: int) -> list[int]:
    state = m.state
    return [u for u in at(m)[port] if K.cls[state.kind[u]] == NAVAL and A.side[state.power[u]] == side]


# ---- borders
HEAVY = tuple(base in (K.tank, K.mech) for base in K.base)
"""Kinds of unit that need open country."""


def can_stand(kind: int, space: int) -> bool:
    """Whether terrain lets a kind of ground unit stop in a space.  [w2e-terrain-desert] [w2e-terrain-impassable]"""
    return not (HEAVY[kind] and A.terrain[space] & (IMPASSABLE | DESERT))


def gate_shut(state: W2State, gate: tuple[int, ...], side: int) -> bool:
    """A strait or canal with an enemy bank lets no ship through.  [w2e-strait-naval] [w2e-terrain-canal]"""
    return any(control_side(state, land) == 1 - side for land in gate)


def each(units: Iterable[int], state: W2State, cls: int) -> Iterator[int]:
    return (u for u in units if K.cls[state.kind[u]] == cls)
