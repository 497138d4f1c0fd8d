"""Stage 4, Return to Port/Land: every ship and plane goes back to where it began, or to the closest base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from ..facts.control import control, friends
from ..facts.lanes import LAND, PORTS, spaces_in
from ..facts.lookup import (
    air_limit,
    air_room,
    airbases,
    at,
    can_stand,
    cargo,
    control_group,
    ground_room,
    is_friendly,
    put,
    remove,
    shift,
    touch,
    unit_name,
    vichy_is,
)
from ..facts.roster import places, roster
from ..facts.whereabouts import index
from ..model.actions import Divert
from ..model.atlas import ATLAS, FACTORY, NOBODY, OWNERS
from ..model.events import Lost, Moved, Withdrew
from ..model.kinds import AIR, BASE, NAVAL
from ..model.state import AT_WAR, GONE, HOME_BOUND, IN_CONVOY, LAUNCHED, RAIDER, M, W2State, changed
from .air import air_distances
from .sea import sea_ways

A = ATLAS
K = ATLAS.kinds
ON_DECK = -100
"""The home of a launched plane is ON_DECK minus its carrier."""


def deck_room(m: M, ship: int) -> int:
    """Planes a carrier can still take; a damaged one takes none.  [w2e-unit-carrier-wing] [w2e-unit-carrier-armor]"""
    state = m.state
    if state.space[ship] == NOBODY or state.damage[ship]:
        return 0
    return K.air_wing[state.kind[ship]] - len(cargo(m, ship))


def home_is_open(m: M, unit: int) -> bool:
    """Whether the space a unit began the turn in can still take it."""
    state = m.state
    home = state.home[unit]
    if home <= ON_DECK:
        ship = ON_DECK - home
        return state.kind[ship] == K.carrier and state.power[ship] == state.power[unit] and deck_room(m, ship) > 0
    if home < 0:
        return False
    return bool(open_bases(m, K.cls[state.kind[unit]], state.power[unit]) >> home & 1)


def airfields(m: M) -> int:
    """The land that can base planes at all, as a set of bits: where `air_limit` is not 0."""
    state, bases = m.state, airbases(m)
    gone = m.kept("gone", (state.damaged,), lambda: places(state.damaged, GONE))  # damage alone shuts no airfield
    depends_on = (gone, state.lost_flag, state.fortress, vichy_is(state))
    plain = m.kept("airfields", depends_on, lambda: _fields_without_airbases(state))
    return plain | m.kept("airbase-land", (bases,), lambda: LAND & sum([1 << space for space in bases if space >= 0]))


_FIELDS = frozenset(space for space in A.land if A.blue[space] or A.feature[space] == FACTORY or A.flag[space])
"""Land that may have room for planes without a fortress or an airbase."""


def _fields_without_airbases(state: W2State) -> int:
    candidates = _FIELDS.union(places(state.fortress, 1))
    return sum([1 << space for space in candidates if air_room(state, space, False) > 0])


def open_bases(m: M, cls: int, power: int) -> int:
    """The ports or the land that a power's ships or planes may begin and end a turn in, as a set of bits."""
    return friendly_ports(m, power) & _at_war(m) if cls == NAVAL else friendly_bases(m, power) & airfields(m)


def all_friendly_bases(m: M) -> list[int]:
    """Per owner the land and ports that he may use, as a set of bits."""
    held = control(m)
    return held.fact("friendly", lambda: [held.held_by(friends(held.status, power)) for power in OWNERS])


def friendly_bases(m: M, power: int) -> int:
    """The land and ports that a power may use, as a set of bits."""
    return all_friendly_bases(m)[power]


def friendly_ports(m: M, power: int) -> int:
    return friendly_bases(m, power) & PORTS


def _at_war(m: M) -> int:
    """The land and ports of powers that are in the war, as a set of bits."""
    held = control(m)
    return held.fact("at-war", lambda: held.held_by(p for p, status in enumerate(held.status) if status == AT_WAR))


def closest_bases(m: M, unit: int, besides: int = NOBODY) -> list[str]:
    """The nearest bases in range; carriers are named as units.  [w2e-stage4]"""
    state = m.state
    power, kind, here = state.power[unit], state.kind[unit], state.space[unit]
    if K.cls[kind] == NAVAL:
        ways = sea_ways(m, power, here, K.movement[kind])
        ports = friendly_ports(m, power)
        reached = {A.names[s]: spent for s, spent in ways.items() if ports >> s & 1 and s != besides}
    else:
        far = air_distances(m, power, (here,), K.movement[kind])
        bases = open_bases(m, AIR, power) & _at_war(m)
        reached = {A.names[s]: spent for s, spent in far.items() if bases >> s & 1 and s != besides}
        if K.base[kind] in (K.fighter, K.tac_bomber):
            for space, spent in far.items():
                for ship in at(m)[space] if A.is_water[space] else ():
                    if state.kind[ship] == K.carrier and state.power[ship] == power and deck_room(m, ship) > 0:
                        reached[unit_name(state, ship)] = spent
    if not reached:
        return []
    if state.flags[unit] & RAIDER:
        return sorted(reached)  # a raider may end the turn in another port  [w2e-special-raiders]
    least = min(reached.values())
    return sorted(name for name, spent in reached.items() if spent == least)


def settle(m: M, unit: int, base: str) -> None:
    """The unit lands or docks."""
    state = m.state
    if "#" in base:
        ship = int(base.split("#")[1])
        put(m, unit, state.space[ship])
        state.cargo_of[unit] = ship
        state.home = changed(state.home, unit, state.space[ship])
    else:
        put(m, unit, A.index[base])
        state.home = changed(state.home, unit, A.index[base])
    state.flags[unit] &= ~LAUNCHED
    state.flags[unit] |= HOME_BOUND


def send_home(m: M, unit: int, space: int) -> None:
    """Back to where it began the turn; if that is lost, or is the space it must leave, to another base."""
    state = m.state
    if state.space[unit] == IN_CONVOY:
        state.flags[unit] |= HOME_BOUND  # it sails on with its convoy
        return
    home = state.home[unit]
    raider = state.flags[unit] & RAIDER
    if home_is_open(m, unit) and home != space and not raider:
        if home <= ON_DECK:
            ship = ON_DECK - home
            where = state.home[ship] if state.home[ship] >= 0 else state.space[ship]
            settle(m, unit, unit_name(state, ship))
            put(m, unit, state.space[ship])
            state.home = changed(state.home, unit, where)
        else:
            settle(m, unit, A.names[home])
        state.task[unit] = NOBODY
        return
    state.task[unit] = NOBODY
    m.push(Diverted(unit, space))


class Diverted(Step, frozen=True, tag="diverted"):
    """A ship or plane without its base looks for the closest one; without any in range it is lost.

    [w2e-stage4] [w2e-retreat-started-there]
    """

    rule = "w2e-stage4"
    unit: int
    leaving: int = NOBODY

    def run(self, m: M) -> None:
        state = m.state
        if state.space[self.unit] < 0:
            m.pop()
            return
        bases = closest_bases(m, self.unit, self.leaving)
        if len(bases) > 1:
            return
        m.pop()
        if bases:
            settle(m, self.unit, bases[0])
        else:
            owner = f"@{A.powers[state.power[self.unit]]}"
            m.emit(Lost(unit=unit_name(state, self.unit), power=owner, why="w2e-stage4"))
            remove(m, self.unit)

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[m.state.power[self.unit]],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Divert, Field("to", "choice", OneOf(closest_bases(m, self.unit, self.leaving))), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        m.emit(Withdrew(side=f"@{role}", space=f"@{A.names[m.state.space[self.unit]]}", to=action.to))
        settle(m, self.unit, action.to)


def restless(m: M, cls: int, open_to: Sequence[int]) -> list[int]:
    """Ships or planes that are not at home, still have an order, or whose home cannot take them any more.

    `open_to` are the bases that are open to each owner, as sets of bits.
    """
    state, where, units = m.state, index(m), roster(m).table("every")[cls]
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
    state, where = m.state, index(m)
    aboard, ships = state.cargo_of, {state.cargo_of[base] for base in roster(m).bases}
    for port in spaces_in((where.forces(0) | where.forces(1)) & PORTS):  # airbases are no forces
        ships.update([aboard[unit] for unit in where.rows[port]])
    for ship in sorted(ships - {NOBODY}):
        space = state.space[ship]
        if state.kind[ship] != K.transport or space < 0 or A.land_of_port[space] < 0:
            continue
        land = A.land_of_port[space]
        for unit in cargo(m, ship):
            power, kind = state.power[unit], state.kind[unit]
            if not is_friendly(state, land, power) or control_group(state, land) != A.group[power]:
                continue
            if K.cls[kind] == AIR:
                room = air_limit(m, land, power) > 0
            elif K.cls[kind] == BASE:
                room = not any(K.cls[state.kind[u]] == BASE for u in at(m)[land])
            else:
                room = can_stand(kind, land) and ground_room(m, land, A.side[power]) >= K.stack[kind]
            if room:
                state.cargo_of[unit] = NOBODY
                state.home = changed(state.home, unit, land)
                put(m, unit, land)
                m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[power]}", path=(f"@{A.names[land]}",)))


class ReturnHome(Step, frozen=True, tag="return-home"):
    """Stage 4 for all units that went out.  [w2e-stage4]"""

    rule = "w2e-stage4"

    def run(self, m: M) -> None:
        state = m.state
        spaces, aboard, flags, tasks, powers = state.space, state.cargo_of, state.flags, state.task, state.power
        for cls in (NAVAL, AIR):
            usable = PORTS & _at_war(m) if cls == NAVAL else airfields(m)
            friendly = all_friendly_bases(m)
            bases = [theirs & usable for theirs in friendly]
            for unit in restless(m, cls, bases):
                space, home = spaces[unit], state.home[unit]
                if space < 0 or aboard[unit] >= 0:
                    continue
                is_open = home >= 0 and bases[powers[unit]] >> home & 1
                if space == home and (is_open or flags[unit] & HOME_BOUND):
                    tasks[unit] = NOBODY
                    continue
                # in a neutral's own port
                at_anchor = space == home and (friendly[powers[unit]] & PORTS) >> space & 1
                if (is_open or at_anchor) and not flags[unit] & RAIDER:
                    if not at_anchor:
                        shift(m, unit, home)
                    flags[unit] = flags[unit] & ~LAUNCHED | HOME_BOUND
                    tasks[unit] = NOBODY
                    continue
                depth = len(state.stack)
                touch(m)
                send_home(m, unit, NOBODY)
                if len(state.stack) > depth:
                    m.step.run(m)
                    if len(state.stack) > depth:
                        return  # its owner chooses a base for the diverted unit first, then the rest
        touch(m)
        land_at_home(m)
        state.tasks = ()
        state.task[:] = [NOBODY] * len(state.task)
        m.pop()
