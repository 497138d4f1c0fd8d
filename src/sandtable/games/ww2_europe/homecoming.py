"""Stage 4, Return to Port/Land: every ship and plane goes back to where it began, or to the closest base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from .actions import Divert
from .air import air_distances
from .atlas import ATLAS, NOBODY
from .events import Lost, Moved, Withdrew
from .kinds import AIR, BASE, NAVAL
from .lookup import (
    air_limit,
    at,
    can_stand,
    cargo,
    control_group,
    ground_room,
    is_friendly,
    put,
    remove,
    unit_name,
    vichy_is,
)
from .roster import roster
from .sea import sea_ways
from .state import HOME_BOUND, IN_CONVOY, LAUNCHED, RAIDER, M, changed

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
    if K.cls[state.kind[unit]] == NAVAL:
        return is_friendly(state, home, state.power[unit]) and control_group(state, home) != NOBODY
    return is_friendly(state, home, state.power[unit]) and air_limit(m, home, state.power[unit]) > 0


def closest_bases(m: M, unit: int, besides: int = NOBODY) -> list[str]:
    """The nearest bases in range; carriers are named as units.  [w2e-stage4]"""
    state = m.state
    power, kind, here = state.power[unit], state.kind[unit], state.space[unit]
    if K.cls[kind] == NAVAL:
        ways = sea_ways(m, power, here, K.movement[kind])
        reached = {
            A.names[s]: spent for s, spent in ways.items()
            if A.land_of_port[s] >= 0 and s != besides and is_friendly(state, s, power)
        }  # fmt: skip
    else:
        far = air_distances(m, power, (here,), K.movement[kind])
        reached = {
            A.names[s]: spent for s, spent in far.items()
            if A.is_land[s] and s != besides and is_friendly(state, s, power) and control_group(state, s) != NOBODY
            and air_limit(m, s, power) > 0
        }  # fmt: skip
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


def open_homes(m: M) -> dict[tuple[int, int, int], bool]:
    """Per (space, power, class) whether it can take its units home, as far as that was asked since it last changed."""
    state = m.state
    bases = tuple(state.space[u] for u in roster(m).bases)
    depends_on = (state.owner, state.status, state.lost_flag, state.damaged, state.fortress, vichy_is(state), bases)
    return m.kept("open-homes", depends_on, dict)


def land_at_home(m: M) -> None:
    """Cargo that came back with its transport goes ashore in the port, if there is room.  [w2e-transport-procedure]"""
    state = m.state
    for ship in sorted({ship for ship in state.cargo_of if ship >= 0}):
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
        units = roster(m)
        known = open_homes(m)
        spaces, aboard, flags, powers, tasks = state.space, state.cargo_of, state.flags, state.power, state.task
        for cls, class_units in ((NAVAL, units.all_naval), (AIR, units.all_air)):
            homes = state.home
            restless = [
                u for u in class_units
                if (space := spaces[u]) >= 0 and aboard[u] < 0
                and (space != homes[u] or tasks[u] >= 0 or not known.get((space, powers[u], cls)))
            ]  # fmt: skip
            for unit in restless:
                space = spaces[unit]
                if space < 0 or aboard[unit] >= 0:
                    continue
                if space == homes[unit]:
                    if flags[unit] & HOME_BOUND:
                        tasks[unit] = NOBODY
                        continue
                    key = (space, powers[unit], cls)
                    if key not in known:
                        known[key] = home_is_open(m, unit)
                    if known[key]:
                        tasks[unit] = NOBODY
                        continue
                depth = len(state.stack)
                send_home(m, unit, NOBODY)
                homes = state.home
                if len(state.stack) > depth:
                    return  # the diverted unit first, then the rest
        land_at_home(m)
        state.tasks = ()
        state.task[:] = [NOBODY] * len(state.task)
        m.pop()
