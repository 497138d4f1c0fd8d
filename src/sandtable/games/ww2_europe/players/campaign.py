"""The war on land: where to attack with whom, who stays on guard, where the rest go."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from sandtable.core import Action

from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..facts.supply_net import supply_net
from ..model.actions import Fly, March
from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND
from ..model.state import NEUTRAL_POWER, M
from ..rules.air import flight_routes, pinned
from ..rules.blitz import blitz_routes
from ..rules.land import march_routes
from ..rules.pact import NEED
from ..rules.stacking import ground_room
from .aims import prize, pull
from .chances import Chance, Chances, power
from .sight import Sight, names, paths_of, rate

A = ATLAS
K = ATLAS.kinds
Path = tuple[int, ...]
_ENOUGH = 2.0
"""Superiority by the square law at which the exact odds are asked for."""
_SEABORNE = 1 / 3
"""The least threat to a coast while the enemy has ships to land from."""
_WEIGHTY = 3
"""Land of less value is not guarded against landings."""
_COASTS = [space for space in A.land if A.coast[space] and A.value[space] >= _WEIGHTY]
_WING = 1.5
"""How much more a plane cares to be near the front than those on foot."""
_FEW = 2
"""Those on foot who go before the first plane does."""


def enemy_transports(sight: Sight) -> bool:
    """Whether the enemy has ships to land from."""
    state = sight.state
    return any(
        state.kind[u] == K.transport and state.space[u] >= 0
        for p in A.side_powers[1 - sight.side] for u in roster(sight.m.state).naval[p]
    )  # fmt: skip


_AFAR, _ON_FOOT = (1.0, 1.0, 0.8, 0.5), (1.0, 0.8, 0.3, 0.1)
"""How much an enemy counts who is so many steps from a capital, and how much one who goes a step a season."""
_FULL = 7.0
"""Hits in a round of the largest force that can be brought into one space."""
_FIRST, _GIVEN_UP = 2.5, 0.1
"""How much more land counts that is to be held, and how little that is given up."""
PACT = 40.0
"""What a unit is worth that the pact wants in Poland."""
_FAST = 2
"""The steps of those who drive."""


def far_threat(sight: Sight, capital: int) -> float:
    """The hits in a round of the enemies who could come before a capital within a few seasons, as many as fit."""
    known = sight.enemy.far
    if capital not in known:
        known[capital] = min(_FULL, _around(sight, capital, 1 - sight.side))
    return known[capital]


def screen(sight: Sight, capital: int) -> float:
    """The hits in a round of the own troops around a capital, counted in the same way."""
    known = sight.own.near
    if capital not in known:
        known[capital] = _around(sight, capital, sight.side)
    return known[capital]


def _around(sight: Sight, capital: int, side: int) -> float:
    total, level, seen = 0.0, [capital], {capital}
    for share, slow in zip(_AFAR, _ON_FOOT, strict=True):
        onward = [t for s in level for t, _, _ in A.land_links[s]]
        level = [s for s in dict.fromkeys(onward) if s not in seen]
        seen.update(level)
        for space in level:
            for unit in (*sight.ground[side].get(space, ()), *sight.air[side].get(space, ())):
                hits = rate(sight.state, unit, space, defending=False)
                total += hits * (share if K.movement[sight.state.kind[unit]] > 1 else slow)
    return total


class Doctrine(msgspec.Struct, frozen=True):
    """How a power wages war on land."""

    sure: float = 0.8
    """The chance at which no more are sent into an attack."""
    fair: float = 0.58
    """The least chance at which an attack is made,"""
    bold: float = 0.4
    """and for a capital."""
    hold: float = 0.9
    """Share of the enemy's strength that holds a space well enough."""
    lure: float = 0.10
    """How much the way to a goal counts beside what is in danger."""
    greed: float = 1.0
    """How much ground is worth beside troops."""
    many: float = 0.0
    """How many units a landing wants; 0: as many as usual."""
    all_in: bool = False
    """Whether nobody is kept back but who guards a capital."""
    aim: int = -1
    """Land that draws more than usual; -1: none."""
    force: float = 1.0
    """How much more."""
    keep: tuple[int, ...] = ()
    """Own land that is held before anything else."""
    leave: tuple[int, ...] = ()
    """Own land that is given up."""


CAPTAIN = Doctrine()


class _Room(dict[int, int]):
    """Per land space the room that is left in it: at first what the rules say, then as ordered."""

    def __init__(self, m: M, side: int) -> None:
        self.m, self.side = m, side

    def __missing__(self, space: int) -> int:
        found = self[space] = ground_room(self.m.state, space, self.side)
        return found


class Campaign:
    """One power's orders on land in one part of the Movement or Blitzkrieg phase."""

    def __init__(
        self, sight: Sight, ground: Iterable[int], planes: Iterable[int], chances: Chances, *, blitz: bool,
        doctrine: Doctrine = CAPTAIN,
    ) -> None:  # fmt: skip
        self.sight, self.m, self.state, self.doctrine = sight, sight.m, sight.state, doctrine
        self.side, self.blitz, self.chances = sight.side, blitz, chances
        self.free = [u for u in ground if not (blitz and K.drop[self.state.kind[u]])]
        self.planes = [u for u in planes if pinned(self.m.state, u) is None]
        self.pull = pull(sight, doctrine.aim, doctrine.force, self.focus(sight))
        self.orders: list[Action] = []
        self.room = _Room(self.m, self.side)
        self.left = {s: list(units) for s, units in sight.ground[self.side].items()}
        """Who stays where as far as decided, per space."""
        self._guards: dict[int, float] = {}
        self._flights: dict[tuple[int, int, int], dict[int, Path]] = {}
        self._routes: dict[tuple[int, int], dict[int, Path]] = {}
        watching = sight.power == A.germany and self.state.pact and self.state.status[A.ussr] == NEUTRAL_POWER
        self.pact_guard = NEED if watching and not blitz else 0
        """Stack Points that the pact wants in Poland."""
        self.threats = dict(sight.threat)
        for capital in A.capital:
            if sight.holder[capital] == self.side:
                self.threats[capital] = max(self.threats.get(capital, 0.0), far_threat(sight, capital))
        if enemy_transports(sight):
            for space in _COASTS:
                if sight.holder[space] == self.side:
                    self.threats[space] = max(self.threats.get(space, 0.0), _SEABORNE)

    def focus(self, sight: Sight) -> float:
        """Return how much more than usual Paris and Berlin draw the troops."""
        return 1.0

    # ---- ways
    def reach(self, unit: int) -> dict[int, Path]:
        if not self.blitz:
            return self.sight.reach(unit)
        key = (self.state.space[unit], self.state.kind[unit])
        if key not in self._routes:
            self._routes[key] = paths_of(blitz_routes(self.m, unit))
        return self._routes[key]

    def flights(self, unit: int) -> dict[int, Path]:
        key = (self.state.space[unit], K.movement[self.state.kind[unit]], self.state.power[unit])
        if key not in self._flights:
            self._flights[key] = paths_of(flight_routes(self.m, unit, True))
        return self._flights[key]

    # ---- guards
    def need(self, space: int) -> float:
        """Return the hits in a round that must stay in a space."""
        threat = self.threats.get(space, 0.0)
        if space in A.capital or space in self.doctrine.keep:
            return max(1 / 3, 0.6 * threat)
        if space in self.doctrine.leave:
            return 0.0
        return min(threat, 1 / 3) if A.value[space] or threat else 0.0

    def guard(self, unit: int, space: int) -> float:
        """Return what a unit counts for in holding a space; in a capital every body counts, walls or not."""
        if space in A.capital:
            return K.stack[self.state.kind[unit]] / 3
        return rate(self.state, unit, space, defending=True)

    def guards(self, unit: int, space: int) -> float:
        """Return what those count for who stay in a space beside a unit."""
        here = self.left.get(space, ())
        if unit in here:
            return math.fsum(self.guard(u, space) for u in here if u != unit)
        found = self._guards.get(space)
        if found is None:
            found = self._guards[space] = math.fsum(self.guard(u, space) for u in here)
        return found

    def in_poland(self, unit: int) -> int:
        """Return the power's own Stack Points in Poland without one unit; who walks does not count those who drive.

        So infantry comes until it is enough, and then tanks may leave.
        """
        state, mine = self.state, self.sight.power
        there = (u for s in A.poland for u in self.left.get(s, ()) if u != unit and state.power[u] == mine)
        slow = unit >= 0 and K.movement[state.kind[unit]] < _FAST
        return sum(K.stack[state.kind[u]] for u in there if not slow or K.movement[state.kind[u]] < _FAST)

    def watches(self, unit: int, space: int) -> bool:
        """Whether the pact wants a unit in a space."""
        return self.pact_guard > 0 and space in A.pact_german and self.in_poland(unit) < self.pact_guard

    def may_leave(self, unit: int, space: int, target: int) -> bool:
        """Whether those who stay are enough of a guard; nobody guards against who is attacked by all."""
        need = self.need(space)
        if self.pact_guard and space in A.poland and self.in_poland(unit) < self.pact_guard:
            return False
        if need <= 0:
            return True
        if space not in A.capital and target >= 0:
            others = [t for t, _, _ in A.land_links[space] if t != target and self.sight.ground[1 - self.side].get(t)]
            if not others:
                return True
        guard = math.fsum(self.guard(u, space) for u in self.left.get(space, ()) if u != unit)
        return guard >= need - 1e-9

    def in_need(self) -> bool:
        """Whether any space may be in such need of men that even a guard leaves for it."""
        return self.pact_guard > 0

    def urgent(self, here: int, space: int) -> bool:
        """Whether a space is in such need of men that even a guard may leave for it."""
        return here not in A.poland and here not in A.capital and self.watches(-1, space)

    # ---- attacks
    def attack_all(self) -> None:
        """Go for the best targets one after the other with what they need."""
        targets: dict[int, list[int]] = {}
        for unit in self.free:
            for space in self.reach(unit):
                if self.sight.holder[space] == 1 - self.side:
                    targets.setdefault(space, []).append(unit)
        gains = {space: prize(self.sight, space) + self.doctrine.lure * self.pull.get(space, 0.0) for space in targets}
        if self.doctrine.aim in gains:
            gains[self.doctrine.aim] *= self.doctrine.force

        def merit(space: int) -> float:
            foes = self.sight.foes(space)
            wall = power(self.m, space, foes, defending=True, blitz=self.blitz)
            return gains[space] / (2.0 + math.sqrt(wall))

        for space in sorted(targets, key=lambda s: (-merit(s), s)):
            able = [u for u in targets[space] if u in self.free]
            if able:
                self.attack(space, able, gains[space])

    def ranked(self, units: Sequence[int], target: int) -> list[int]:
        """Return those on foot first: tanks and mech are kept for the blitz where they are not needed."""
        state, fronts = self.state, self.state.initiative

        def key(unit: int) -> tuple[float, int]:
            kind = state.kind[unit]
            leads = fronts[A.front_of[state.home[unit]][0]] == self.side if state.home[unit] >= 0 else False
            kept = 1.0 if K.blitz[kind] and leads and not self.blitz else 0.0
            strength = rate(state, unit, target, defending=False) / K.stack[kind]
            return (kept - strength / 10, unit)

        return sorted(units, key=key)

    def attack(self, target: int, able: Sequence[int], gain: float) -> None:
        state, m = self.state, self.m
        foes = self.sight.foes(target)
        there = self.sight.mine(target)
        if not foes:
            if there:
                return
            self.walk_in(target, able)
            return
        walkers = iter(self.ranked(able, target))
        flyers = [u for u in self.planes if target in self.flights(u) and K.base[state.kind[u]] != K.bomber]
        flyers.sort(key=lambda u: (-K.vs_ground[state.kind[u]], u))
        if self.blitz:
            flyers = [u for u in flyers if K.blitz[state.kind[u]]]
        wings = iter(flyers)
        force, room, chance = list(there), self.room[target], None
        wall = power(m, target, foes, defending=True, blitz=self.blitz)
        removed: list[int] = []
        on_foot = sum(K.cls[state.kind[u]] == GROUND for u in there)
        while True:
            ways = self.ways(force, target) if on_foot > 1 else set[int]()
            wide = wall * (1.4 if len(ways) == 1 and ways != {0} else 1.0)
            if on_foot > 1 and power(self.m, target, force, defending=False) > _ENOUGH * wide:
                chance = self.odds(target, force, foes)
                if self.is_enough(target, force, chance):
                    break
            unit: int | None = next(wings, None) if on_foot >= _FEW else None
            if unit is None:
                unit = next((u for u in walkers if self.may_join(u, target, room)), None)
                if unit is not None:
                    room -= K.stack[state.kind[unit]]
                    on_foot += 1
                    self.left[state.space[unit]].remove(unit)
                    removed.append(unit)
            if unit is None:
                unit = next(wings, None)
            if unit is None or not on_foot:
                break
            force.append(unit)
        if on_foot and len(force) > len(there):
            if chance is None or chance.win < self.doctrine.sure:
                chance = self.odds(target, force, foes)
            if self.worth_it(chance, gain, target):
                self.launch(target, force, there)
                return
        for gone in removed:
            self.left[state.space[gone]].append(gone)

    def walk_in(self, target: int, able: Sequence[int]) -> None:
        """The cheapest who can be spared takes what nobody defends."""
        for unit in sorted(able, key=lambda u: (K.cost[self.state.kind[u]], u)):
            if self.may_leave(unit, self.state.space[unit], target):
                self.march(unit, self.reach(unit)[target])
                return

    def may_join(self, unit: int, target: int, room: int) -> bool:
        return K.stack[self.state.kind[unit]] <= room and self.may_leave(unit, self.state.space[unit], target)

    def ways(self, force: Sequence[int], target: int) -> set[int]:
        found = set()
        for unit in force:
            if K.cls[self.state.kind[unit]] == GROUND:
                if self.state.space[unit] == target:
                    found.add(A.crossing.get((self.state.came[unit], target), 0))
                else:
                    path = self.reach(unit)[target]
                    before = path[-2] if len(path) > 1 else self.state.space[unit]
                    found.add(A.crossing.get((before, target), 0))
        return found

    def odds(self, target: int, force: Sequence[int], foes: Sequence[int]) -> Chance:
        ways = self.ways(force, target) or {0}
        return self.chances.attack(self.m, target, self.side, force, foes, ways, blitz=self.blitz)

    def worth_it(self, chance: Chance, gain: float, target: int) -> bool:
        least = self.doctrine.bold if target in A.capital else self.doctrine.fair
        return chance.win >= least and self.doctrine.greed * chance.win * gain + chance.theirs > chance.ours

    def is_enough(self, target: int, force: Sequence[int], chance: Chance) -> bool:
        """Whether no more are sent into an attack."""
        return chance.win >= self.doctrine.sure

    def launch(self, target: int, force: Sequence[int], there: Sequence[int]) -> None:
        for unit in force:
            if unit not in there and K.cls[self.state.kind[unit]] == GROUND:
                self.march(unit, self.reach(unit)[target])
        for unit in force:
            if unit not in there and K.cls[self.state.kind[unit]] == AIR:
                self.planes.remove(unit)
                self.orders.append(Fly(unit_name(self.state, unit), names(self.flights(unit)[target])))

    def march(self, unit: int, path: Path) -> None:
        self.orders.append(March(unit_name(self.state, unit), names(path)))
        self.free.remove(unit)
        self.shift(unit, path[-1])

    def shift(self, unit: int, end: int) -> None:
        """Note that a unit will be elsewhere."""
        start, stack = self.state.space[unit], K.stack[self.state.kind[unit]]
        if unit in self.left.get(start, ()):
            self.left[start].remove(unit)
        self.changed()
        self.room[start] += stack
        self.room[end] -= stack
        if self.sight.holder[end] == self.side:
            self.left.setdefault(end, []).append(unit)

    def changed(self) -> None:
        """Somebody has been ordered elsewhere."""
        self._guards.clear()

    # ---- help
    def help_all(self) -> None:
        """Planes to where the enemy has come in."""
        for space in sorted(self.sight.ground[1 - self.side], key=lambda s: (-self.sight.keep(s), s)):
            if self.sight.holder[space] != self.side or not self.left.get(space):
                continue
            foes = self.sight.foes(space)
            need = 1.3 * power(self.m, space, foes, defending=False)
            force = self.sight.mine(space)
            flyers = [u for u in self.planes if space in self.flights(u) and self.state.space[u] != space]
            for unit in sorted(flyers, key=lambda u: (-K.vs_ground[self.state.kind[u]], u)):
                if power(self.m, space, force, defending=True) >= need:
                    break
                force.append(unit)
                self.planes.remove(unit)
                self.orders.append(Fly(unit_name(self.state, unit), names(self.flights(unit)[space])))

    # ---- the rest
    def keeps(self, space: int) -> float:
        """Return what losing a space of one's own would cost, as ordered."""
        found = self.sight.keep(space)
        if space in self.doctrine.keep:
            return _FIRST * found
        return _GIVEN_UP * found if space in self.doctrine.leave else found

    def score(self, unit: int, space: int) -> float:
        """Return what a unit is good for in a space, given who else stays there."""
        threat, found = self.threats.get(space, 0.0), self.doctrine.lure * self.pull.get(space, 0.0)
        if self.pact_guard and self.watches(unit, space):
            found += PACT
        if threat > 0:
            others = self.guards(unit, space)
            own, full = self.guard(unit, space), self.doctrine.hold * threat
            found += self.keeps(space) * (min(1.0, (others + own) / full) - min(1.0, others / full))
        return found

    def shelter(self, unit: int, space: int) -> float:
        """Return what a plane is good for at a base: near the goals, but not alone in front of the enemy."""
        found = _WING * 0.1 * self.pull.get(space, 0.0)
        if self.threats.get(space, 0.0) > 0 and not self.left.get(space):
            found -= K.cost[self.state.kind[unit]]
        return found

    def shift_all(self) -> None:
        """Whoever is left goes where it is of most use: to what is in danger, or on towards the goals."""
        part = supply_net(self.m.state, A.group[self.sight.power]).part
        for unit in sorted(self.free, key=lambda u: (self.pull.get(self.state.space[u], 0.0), u)):
            here = self.state.space[unit]
            if not self.may_leave(unit, here, -1):
                continue
            best, path = self.score(unit, here) + 0.2, None
            for space, way in sorted(self.reach(unit).items()):
                own = self.sight.holder[space] == self.side and part[space] == part[here]
                if own and self.room[space] >= K.stack[self.state.kind[unit]]:
                    score = self.score(unit, space)
                    if score > best:
                        best, path = score, way
            if path is not None:
                self.march(unit, path)

    def partition(self) -> None:
        """The neutral USSR takes what the pact gives it, all at once, and puts the garrison into Poland."""
        wanted = {s for s in A.pact_soviet if self.state.owner[s] != A.ussr}
        while wanted:
            found: tuple[int, int, int, Path] | None = None
            for unit in self.free:
                for way in march_routes(self.m, unit):
                    path = tuple(A.index[name] for name in way)
                    gain = (len(wanted.intersection(path)), -K.cost[self.state.kind[unit]], -unit, path)
                    if gain[0] and (found is None or gain > found):
                        found = gain
            if found is None:
                break
            wanted.difference_update(found[3])
            self.march(-found[2], found[3])
        state, mine = self.state, self.sight.power
        stood = [u for s in A.poland for u in self.sight.ground[self.side].get(s, ()) if state.power[u] == mine]
        here = sum(K.stack[state.kind[u]] for u in stood if u in self.left[state.space[u]])
        moved = [(unit_of(self.state, order.unit), order.path) for order in self.orders if isinstance(order, March)]
        here += sum(K.stack[self.state.kind[u]] for u, path in moved if A.index[path[-1]] in A.poland)
        for unit in sorted(self.free, key=lambda u: (K.cost[self.state.kind[u]], u)):
            ways = {s: way for s, way in self.reach(unit).items() if s in A.poland and s in A.pact_soviet}
            if here >= NEED or self.state.space[unit] in A.poland or not ways:
                continue
            here += K.stack[self.state.kind[unit]]
            self.march(unit, ways[max(ways, key=lambda s: (self.room[s], s))])
