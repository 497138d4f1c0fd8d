"""Return to Port/Land: which bases are open, and which ships and planes have to go to one."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.columns import put

from ..facts.control import control_group, held_at_war, is_friendly
from ..facts.convoys import convoy_of
from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..facts.strongpoints import airbases, friendly_ports, open_bases
from ..facts.whereabouts import cargo
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Moved
from ..model.kinds import AIR, BASE, NAVAL
from ..model.state import HOME_BOUND, IN_CONVOY, LAUNCHED, MOVED, ON_DECK, RAIDER, M
from ..model.units import mark, put_aboard
from .air import air_distances
from .sea import sea_ways
from .stacking import air_limit, ground_room
from .terrain import can_stand
from .units import place, settle

A = ATLAS
K = ATLAS.kinds


def deck_room(m: M, ship: int) -> int:
    """Planes a carrier can still take; a damaged one takes none.  [w2e-unit-carrier-wing] [w2e-unit-carrier-armor]"""
    state = m.state
    if state.space[ship] == NOBODY or state.damage[ship]:
        return 0
    return K.air_wing[state.kind[ship]] - len(cargo(state, ship))


def lift_off(m: M, ship: int) -> list[int]:
    """The planes aboard a carrier take off and fly by themselves; return them.

    They join a battle after its first round. They also leave a carrier that is damaged, and need another base.
    [w2e-unit-carrier-extended] [w2e-unit-carrier-armor]
    """
    state = m.state
    planes = cargo(state, ship) if K.air_wing[state.kind[ship]] else []
    for plane in planes:
        if state.space[ship] == IN_CONVOY:  # it is in every space of the route: they leave from the nearer end
            convoy = convoy_of(state, state.convoy[ship])
            assert convoy is not None
            place(state, plane, convoy.route[0])
        put_aboard(state, plane, NOBODY)
        state.home = put(state.home, plane, ON_DECK - ship)
        mark(state, plane, LAUNCHED | MOVED)
    return planes


def home_is_open(m: M, unit: int) -> bool:
    """Whether the space a unit began the turn in can still take it."""
    state = m.state
    home = state.home[unit]
    if home <= ON_DECK:
        ship = ON_DECK - home
        return state.kind[ship] == K.carrier and state.power[ship] == state.power[unit] and deck_room(m, ship) > 0
    if home < 0:
        return False
    return bool(open_bases(state, K.cls[state.kind[unit]], state.power[unit]) >> home & 1)


def other_bases(m: M, unit: int, besides: int = NOBODY) -> list[str]:
    """Return the bases that a unit may go to instead of its own; carriers are named as units.

    They are the nearest ones in range. One that has to retreat from the space it began the turn in may choose among
    all in range, and so may a raider.  [w2e-stage4] [w2e-retreat-started-there] [w2e-special-raiders]
    """
    state = m.state
    power, kind, here = state.power[unit], state.kind[unit], state.space[unit]
    if K.cls[kind] == NAVAL:
        ways = sea_ways(m, power, here, K.movement[kind])
        ports = friendly_ports(state, power)
        reached = {A.names[s]: spent for s, spent in ways.items() if ports >> s & 1 and s != besides}
    else:
        far = air_distances(m, power, (here,), K.movement[kind])
        bases = open_bases(state, AIR, power) & held_at_war(state)
        reached = {A.names[s]: spent for s, spent in far.items() if bases >> s & 1 and s != besides}
        if K.base[kind] in (K.fighter, K.tac_bomber):
            for ship in roster(state).carriers[power]:
                space = state.space[ship]
                if space in far and A.is_water[space] and deck_room(m, ship) > 0:
                    reached[unit_name(state, ship)] = far[space]
    if not reached:
        return []
    if state.flags[unit] & RAIDER or state.home[unit] == besides:
        return sorted(reached)
    least = min(reached.values())
    return sorted(name for name, spent in reached.items() if spent == least)


def dock(m: M, unit: int, base: str) -> None:
    """The unit lands or docks: in a space, or on a carrier that is named as a unit."""
    state = m.state
    if "#" in base:
        ship = unit_of(state, base)
        settle(state, unit, state.space[ship])
        put_aboard(state, unit, ship)
    else:
        settle(state, unit, A.index[base])
    state.flags = put(state.flags, unit, state.flags[unit] & ~LAUNCHED | HOME_BOUND)


def restless(m: M, cls: int, open_to: Sequence[int]) -> list[int]:
    """Return ships or planes that are not at home, still have an order, or whose home cannot take them any more.

    `open_to` are the bases that are open to each owner, as sets of bits.
    """
    s = m.state
    spaces, home, tasks, aboard, powers = s.space, s.home, s.task, s.cargo_of, s.power
    return [
        u for u in roster(s).every[cls]
        if spaces[u] >= 0 and aboard[u] < 0
        and (spaces[u] != home[u] or tasks[u] >= 0 or not open_to[powers[u]] >> spaces[u] & 1)
    ]  # fmt: skip


def land_at_home(m: M) -> None:
    """Cargo that came back with its transport goes ashore in the port, if there is room.  [w2e-transport-procedure]"""
    state = m.state
    for ship in sorted({*state.cargo_of} - {NOBODY}):
        space = state.space[ship]
        if state.kind[ship] != K.transport or space < 0 or A.land_of_port[space] < 0:
            continue
        land = A.land_of_port[space]
        for unit in cargo(state, ship):
            power, kind = state.power[unit], state.kind[unit]
            if not is_friendly(state, land, power) or control_group(state, land) != A.group[power]:
                continue
            if K.cls[kind] == AIR:
                room = air_limit(state, land) > 0
            elif K.cls[kind] == BASE:
                room = not airbases(state) >> land & 1
            else:
                room = can_stand(kind, land) and ground_room(state, land, A.side[power]) >= K.stack[kind]
            if room:
                put_aboard(state, unit, NOBODY)
                settle(state, unit, land)
                m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[power]}", path=(f"@{A.names[land]}",)))
