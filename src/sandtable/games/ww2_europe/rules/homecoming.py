"""Stage 4, Return to Port/Land: every ship and plane goes back to where it began, or to the closest base."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.columns import put

from ..facts.control import control_group, held_at_war, is_friendly
from ..facts.lanes import LAND, PORTS, spaces_in
from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..facts.strongpoints import friendly_ports, open_bases
from ..facts.whereabouts import at, cargo, whereabouts
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Moved
from ..model.kinds import AIR, BASE, NAVAL
from ..model.state import HOME_BOUND, LAUNCHED, RAIDER, M
from ..model.units import put_aboard
from .air import air_distances
from .sea import sea_ways
from .stacking import air_limit, ground_room
from .terrain import can_stand
from .units import settle

A = ATLAS
K = ATLAS.kinds

ON_DECK = -100
"""The home of a launched plane is ON_DECK minus its carrier."""


def deck_room(m: M, ship: int) -> int:
    """Planes a carrier can still take; a damaged one takes none.  [w2e-unit-carrier-wing] [w2e-unit-carrier-armor]"""
    state = m.state
    if state.space[ship] == NOBODY or state.damage[ship]:
        return 0
    return K.air_wing[state.kind[ship]] - len(cargo(state, ship))


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


def closest_bases(m: M, unit: int, besides: int = NOBODY) -> list[str]:
    """The nearest bases in range; carriers are named as units.  [w2e-stage4]"""
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
    if state.flags[unit] & RAIDER:
        return sorted(reached)  # a raider may end the turn in another port  [w2e-special-raiders]
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
    """Ships or planes that are not at home, still have an order, or whose home cannot take them any more.

    `open_to` are the bases that are open to each owner, as sets of bits.
    """
    state, where, units = m.state, whereabouts(m.state), roster(m.state).every[cls]
    spaces, home, tasks, aboard, powers, kinds = (
        state.space, state.home, state.task, state.cargo_of, state.power, state.kind
    )  # fmt: skip
    found = [u for u in units if spaces[u] != home[u]]
    if state.tasks:
        found += [u for u in units if tasks[u] >= 0]
    for power, bases in enumerate(open_to):
        shut = (where.ships_of(power) & PORTS if cls == NAVAL else where.planes_of(power) & LAND) & ~bases
        if shut:  # who is at sea has no home there
            for space in spaces_in(shut):
                found += [u for u in where.rows[space] if powers[u] == power and K.cls[kinds[u]] == cls]
    return sorted({u for u in found if spaces[u] >= 0 and aboard[u] < 0})


def land_at_home(m: M) -> None:
    """Cargo that came back with its transport goes ashore in the port, if there is room.  [w2e-transport-procedure]"""
    state, where = m.state, whereabouts(m.state)
    aboard, ships = state.cargo_of, {state.cargo_of[base] for base in roster(state).every[BASE]}
    for port in spaces_in((where.forces(0) | where.forces(1)) & PORTS):  # airbases are no forces
        ships.update([aboard[unit] for unit in where.rows[port]])
    for ship in sorted(ships - {NOBODY}):
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
                room = not any(K.cls[state.kind[u]] == BASE for u in at(state, land))
            else:
                room = can_stand(kind, land) and ground_room(state, land, A.side[power]) >= K.stack[kind]
            if room:
                put_aboard(state, unit, NOBODY)
                settle(state, unit, land)
                m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[power]}", path=(f"@{A.names[land]}",)))
