"""What follows from a position by the rulebook: control, ways over land, sea and air, supply, income. L is its line."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from sandtable.core import Difference, RuleId

from ..model.atlas import (
    ALLIES,
    ATLAS,
    AXIS,
    DESERT,
    FACTORY,
    IMPASSABLE,
    MAJOR_FLAG,
    MINOR_FLAG,
    MOUNTAIN,
    NEUTRAL,
    NO_FLAG,
    NOBODY,
    WOODLAND,
)
from ..model.calendar import turn_name
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.state import AT_WAR, DASH, GONE, IN_CONVOY, ORDER_MOVE, RAIDING, W2State

A = ATLAS
K = ATLAS.kinds
LAND_LIMIT = 10
SEA_POINTS = 10
_SOVIETS, _WEST = 2, 1
Link = tuple[int, int]
"""Where a step leads, and what it costs."""


def differ(what: str, rule: RuleId, engine: Any, referee: Any) -> Iterator[Difference]:
    if engine != referee:
        yield Difference(what, rule, str(engine), str(referee))


def names(spaces: Iterable[int]) -> str:
    return ", ".join(sorted(A.names[space] for space in spaces)) or "nothing"


def is_heavy(kind: int) -> bool:
    """Tanks and mech need open country (L236, L244, L250, L257)."""
    return K.base[kind] in (K.tank, K.mech)


class Position:
    """A state, and what the rules say about it."""

    def __init__(self, state: W2State) -> None:
        self.state = state
        self.rows: dict[int, list[int]] = {}
        for unit, space in enumerate(state.space):
            if space >= 0 and state.cargo_of[unit] < 0:
                self.rows.setdefault(space, []).append(unit)

    # ---- who is where
    def units(self, space: int, side: int, cls: int) -> list[int]:
        state = self.state
        return [
            u for u in self.rows.get(space, ())
            if A.side[state.power[u]] == side and K.cls[state.kind[u]] == cls
        ]  # fmt: skip

    def points(self, space: int, side: int) -> int:
        """Stack Points of a side's ground units."""
        return sum(K.stack[self.state.kind[u]] for u in self.units(space, side, GROUND))

    def name(self, unit: int) -> str:
        return f"{K.names[self.state.kind[unit]]}#{unit}"

    def number(self, name: str) -> int:
        return int(name.split("#")[1])

    def landing(self, space: int) -> list[int]:
        """Ground units on transports that are to land in a space."""
        state = self.state
        found = []
        for unit, ship in enumerate(state.cargo_of):
            if ship >= 0 and state.space[unit] >= 0 and state.task[ship] >= 0 and K.cls[state.kind[unit]] == GROUND:
                task = state.tasks[state.task[ship]]
                if task.order == ORDER_MOVE and task.target == space:
                    found.append(unit)
        return found

    # ---- whose
    def in_war(self, owner: int) -> bool:
        return owner != NEUTRAL and owner != NOBODY and self.state.status[owner] == AT_WAR

    def owner(self, space: int) -> int:
        """Who controls a land space, or the land space of a port."""
        land = A.land_at[space]
        return self.state.owner[land] if land >= 0 else NOBODY

    def side(self, space: int) -> int:
        """The side that controls land or a port; NOBODY for neutrals and the open sea."""
        owner = self.owner(space)
        return A.side[owner] if self.in_war(owner) else NOBODY

    def friendly(self, space: int, power: int) -> bool:
        """L34, L127, L1753: one's own, and what one's allies hold; Soviets and western Allies keep apart."""
        owner = self.owner(space)
        if owner in (NOBODY, power):
            return True
        return self.in_war(owner) and self.in_war(power) and A.group[owner] == A.group[power]

    def is_strange(self, owner: int, power: int) -> bool:
        """L1753: the land of the Soviets for the western Allies, and the other way round."""
        return {A.group[owner], A.group[power]} == {_WEST, _SOVIETS}

    def may_enter(self, power: int, space: int) -> bool:
        """L1726, L1748, L1753, L1789: politics lets a power's ground units into a land space."""
        state, owner = self.state, self.state.owner[space]
        if state.status[power] != AT_WAR:
            mine = owner == power or space in A.pact_soviet
            return power == A.ussr and state.pact and mine and A.side[owner] != AXIS
        if A.side[power] == AXIS and state.pact and space in A.pact_soviet and A.side[owner] != AXIS:
            return False
        return owner == power or (self.in_war(owner) and not self.is_strange(owner, power))

    def may_pass(self, power: int, space: int) -> bool:
        """L1753, L1789: planes may fly over a space, ships sail into it."""
        owner = self.owner(space)
        return owner in (NOBODY, power) or (self.in_war(owner) and not self.is_strange(owner, power))

    def is_winter(self) -> bool:
        return turn_name(self.state).startswith("winter")

    def frozen(self, side: int, space: int) -> bool:
        """L1693: Axis units on brown land in winter."""
        return side == AXIS and space in A.brown and self.is_winter()

    def shared(self, power: int, space: int) -> bool:
        """L1753 and ruling 74: ground units of the separate ally attack there."""
        held = self.units(space, AXIS, GROUND) or self.units(space, AXIS, AIR)
        if A.side[power] != ALLIES or self.side(space) != AXIS or not held:
            return False
        there = [*self.units(space, ALLIES, GROUND), *self.landing(space)]
        return any(self.is_strange(self.state.power[u], power) for u in there)

    # ---- ways
    def marches(self, unit: int, barred: Callable[[int], bool] = lambda space: False) -> dict[int, int]:
        """L834 to L869: where a ground unit can march to, with the points that takes; some land may be barred."""
        state, start = self.state, self.state.space[unit]
        kind, power = state.kind[unit], state.power[unit]
        side = A.side[power]
        most = 1 if self.frozen(side, start) else K.movement[kind]

        def steps(here: int) -> Iterator[Link]:
            held = bool(self.units(here, 1 - side, GROUND))
            if held and not (here == start and state.status[power] != AT_WAR):
                return
            for there, border, _ in A.land_links[here]:
                if not self.may_enter(power, there) or self.shared(power, there) or barred(there):
                    continue
                terrain = A.terrain[there]
                if is_heavy(kind) and terrain & (IMPASSABLE | DESERT):
                    continue
                if not A.blue[there] and self.points(there, side) + K.stack[kind] > LAND_LIMIT:
                    continue
                rough = is_heavy(kind) and terrain & (WOODLAND | MOUNTAIN) and self.side(there) == 1 - side
                yield there, max(2, border) if rough else border

        found = spread(start, most, steps)
        del found[start]
        return found

    def fits(self, unit: int, space: int) -> bool:
        """L290: ten Stack Points for each side, those counted that are about to land."""
        state = self.state
        side = A.side[state.power[unit]]
        coming = [u for u in self.landing(space) if A.side[state.power[u]] == side and u != unit]
        total = self.points(space, side) + sum(K.stack[state.kind[u]] for u in coming) + K.stack[state.kind[unit]]
        return A.blue[space] or total <= LAND_LIMIT

    def flights(self, power: int, start: int, most: int, over: Callable[[int], bool] | None = None) -> dict[int, int]:
        """L397: where a plane gets to with so many points."""
        free = over or (lambda space: self.may_pass(power, space))

        def steps(here: int) -> Iterator[Link]:
            yield from ((there, cost) for there, cost in A.air_links[here] if free(there))

        return spread(start, most, steps)

    def gate_open(self, gate: Collection[int], side: int) -> bool:
        """L273, L287: no bank of a strait or canal is the enemy's."""
        return all(self.side(bank) != 1 - side for bank in gate)

    def sailings(self, power: int, start: int, most: int, base: int) -> dict[int, int]:
        """L126, L174, L273: where a ship of a base gets to in the Movement phase."""
        side = A.side[power]

        def steps(here: int) -> Iterator[Link]:
            if A.is_port[here] and here != base and not self.friendly(here, power):
                return
            for there, cost, gate in A.sea_links[here]:
                if self.may_pass(power, there) and self.gate_open(gate, side):
                    yield there, cost

        return spread(start, most, steps)

    def sea_control(self, water: int, side: int, *, asw: bool) -> int:
        """L1463: extra points to leave a water for the enemy of a side's Sea Control units."""
        state, total = self.state, 0
        for unit, space in enumerate(state.space):
            kind, power = state.kind[unit], state.power[unit]
            if space < 0 or A.side[power] != side or not K.sea_control[kind] or not self.in_war(power):
                continue
            if asw and not K.asw[kind]:
                continue
            if K.cls[kind] == NAVAL or state.cargo_of[unit] >= 0:
                near = A.is_port[space] and any(there == water for there, _, _ in A.sea_links[space])
            else:
                near = A.is_land[space] and not A.is_port[water] and water in A.coast[space]
            total += near
        return total

    def voyages(self, unit: int) -> set[int]:
        """L1429 to L1486: the ports that a ship can be redeployed to for one point."""
        state = self.state
        power, kind, start = state.power[unit], state.kind[unit], state.space[unit]
        side = A.side[power]

        def toll(water: int) -> int:
            if state.flags[unit] & DASH or (A.is_port[water] and self.friendly(water, power)):
                return 0
            return self.sea_control(water, 1 - side, asw=K.submerged[kind])

        def steps(here: int) -> Iterator[Link]:
            extra = toll(here)
            for there, cost, gate in A.sea_links[here]:
                if A.is_port[there] and (not self.friendly(there, power) or self.is_watched(there, 1 - side)):
                    continue
                if self.gate_open(gate, side):
                    yield there, cost + extra

        found = spread(start, SEA_POINTS, steps)
        return {space for space in found if A.is_port[space] and space != start}

    def is_watched(self, port: int, side: int) -> bool:
        """L165: a side's ships with Sea Control lie in a port."""
        return any(K.sea_control[self.state.kind[u]] for u in self.units(port, side, NAVAL))

    # ---- land that hangs together
    def parts(self, group: int, *, without: int = 0) -> dict[int, int]:
        """L1616: per land space of a group that no enemy ground unit occupies the part of the land it is in."""
        side = AXIS if group == AXIS else ALLIES
        usable = {
            space for space in A.land
            if self.in_war(self.state.owner[space]) and A.group[self.state.owner[space]] == group
            and not self.units(space, 1 - side, GROUND) and not A.terrain[space] & without
        }  # fmt: skip
        found: dict[int, int] = {}
        for space in sorted(usable):
            if space not in found:
                queue = [space]
                for here in queue:
                    found[here] = space
                    queue += [t for t, _, _ in A.land_links[here] if t in usable and t not in found and t not in queue]
        return found

    def rails(self, unit: int) -> set[int]:
        """L1405: friendly land that a ground unit can be redeployed to."""
        state, start = self.state, self.state.space[unit]
        kind, power = state.kind[unit], state.power[unit]
        side = A.side[power]
        parts = self.parts(A.group[power], without=DESERT if is_heavy(kind) else 0)
        mine = {parts[start]} if start in parts else {parts[t] for t, _, _ in A.land_links[start] if t in parts}
        limited = side == AXIS and self.rail_left() <= 0
        found = set()
        for space, part in parts.items():
            if part not in mine or space == start or not self.friendly(space, power):
                continue
            if is_heavy(kind) and A.terrain[space] & (IMPASSABLE | DESERT):
                continue
            if limited and (space in A.brown or start in A.brown):
                continue
            if A.blue[space] or self.points(space, side) + K.stack[kind] <= LAND_LIMIT:
                found.add(space)
        return found

    def rail_left(self) -> int:
        """L1711, L1716: ground units that the Axis may still redeploy inside the USSR."""
        return (5 if self.is_winter() else 10) - self.state.rail_in_ussr

    def is_airfield(self, space: int) -> bool:
        """L109, L186, L221, L387, L688: a land space can base planes."""
        state = self.state
        if A.blue[space] or state.fortress[space] or self.flag(space) != NO_FLAG:
            return True
        if A.feature[space] == FACTORY and state.damaged[space] != GONE:
            return True
        return any(K.cls[state.kind[u]] == BASE for u in self.rows.get(space, ()))

    def flag(self, space: int) -> int:
        """L224: a captured flag works no more; Vichy's works where there is a Vichy France."""
        state = self.state
        vichy = state.vichy or state.patron[A.vichy] != NOBODY
        if state.lost_flag[space] or (space == A.minor_capital[A.vichy] and not vichy):
            return NO_FLAG
        return A.flag[space]

    def country(self, space: int) -> str:
        vichy = self.state.vichy or self.state.patron[A.vichy] != NOBODY
        return A.minors[A.vichy] if vichy and space in A.minor_spaces[A.vichy] else A.country[space]

    # ---- supply and money
    def heads(self, parts: dict[int, int]) -> set[int]:
        """Parts of the land with a Major Flag that works (L1626)."""
        return {part for space, part in parts.items() if self.flag(space) == MAJOR_FLAG}

    def shipped(self, group: int, parts: dict[int, int], heads: set[int]) -> set[int]:
        """Parts that convoys join to one of the heads, whatever room they have (L1618)."""
        found = set(heads)
        lines = [
            {parts[A.land_of_port[port]] for port in convoy.route if A.land_of_port[port] in parts}
            for convoy in self.state.convoys if A.group[convoy.power] == group and self.transports(convoy.number)
        ]  # fmt: skip
        for _ in lines:
            for called in lines:
                if called & found:
                    found |= called
        return found

    def transports(self, number: int) -> int:
        state = self.state
        return sum(
            state.convoy[u] == number and state.kind[u] == K.transport
            for u, space in enumerate(state.space) if space == IN_CONVOY
        )  # fmt: skip

    def capacity(self, group: int) -> int:
        """L569: ten dollars or Stack Points for each transport."""
        return sum(10 * self.transports(c.number) for c in self.state.convoys if A.group[c.power] == group)

    def supply(self, group: int) -> tuple[set[int], set[int], int]:
        """Units that are surely supplied, units that surely are not, and what flags give to some of the others."""
        state = self.state
        parts = self.parts(group)
        heads = self.heads(parts)
        reached = self.shipped(group, parts, heads)
        fed: set[int] = set()
        unfed: set[int] = set()
        weight: dict[tuple[int, str], list[int]] = {}
        for space, row in self.rows.items():
            if not A.is_land[space]:
                continue
            for unit in row:
                if K.cls[state.kind[unit]] != GROUND or A.group[state.power[unit]] != group:
                    continue
                if state.fortress[space] or state.depot[space] or parts.get(space, NOBODY) in heads:
                    fed.add(unit)
                else:
                    weight.setdefault((parts.get(space, NOBODY), self.country(space)), []).append(unit)
        given = 0
        for (part, country), units in weight.items():
            total = sum(K.stack[state.kind[u]] for u in units)
            flagged = part != NOBODY and any(
                self.flag(space) == MINOR_FLAG and self.country(space) == country and parts[space] == part
                for space in parts
            )
            if flagged and total <= 10:
                fed.update(units)
            elif not flagged and part not in reached:
                unfed.update(units)
            elif flagged:
                given += 10
        return fed, unfed, given

    def income(self, power: int) -> tuple[int, int]:
        """L1582: what a power collects over land, and what at most with its convoys."""
        state = self.state
        parts = self.parts(A.group[power])
        homes = {
            part for space, part in parts.items()
            if A.homeland[space] == power and A.feature[space] == FACTORY and state.owner[space] == power
        }  # fmt: skip
        near = far = 0
        reached = self.shipped(A.group[power], parts, homes)
        for space, part in parts.items():
            if state.owner[space] == power and not state.damaged[space] and not state.no_income[space]:
                near += A.value[space] if part in homes else 0
                far += A.value[space] if part not in homes and part in reached else 0
        return (near, near + min(far, self.capacity(A.group[power]))) if homes else (0, 0)

    def raid_free(self, unit: int) -> bool:
        """L900 and the ruling on raids: no enemy plane that flew there to fight holds a plane down."""
        state = self.state
        enemies = self.units(state.space[unit], 1 - A.side[state.power[unit]], AIR)
        return all(state.flags[u] & RAIDING for u in enemies)


def spread(start: int, most: int, steps: Callable[[int], Iterator[Link]]) -> dict[int, int]:
    """The points to everything within so many of them."""
    found: dict[int, int] = {}
    queue = [(0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if here in found:
            continue
        found[here] = spent
        for there, cost in steps(here):
            if spent + cost <= most and there not in found:
                heapq.heappush(queue, (spent + cost, there))
    return found
