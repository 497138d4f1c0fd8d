"""The plan of a Movement Phase: garrisons first, then open cities, then attacks, then everybody else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from sandtable.core import Action
from sandtable.core.bits import bits, mask_of
from sandtable.core.play import Play
from sandtable.players.guard import guarded

from ..facts.control import owned
from ..facts.distance import distances
from ..facts.stacking import broken_limit
from ..model.atlas import ASSAULT, ATLAS, MOBILE, NOBODY
from ..model.state import MOVED
from ..rules.combat import column_of, percentile, sf_support
from .lore import EASY, lurkers, prey_of, quarry
from .orders import Orders
from .scene import CAPITAL, Scene

_REICH = ATLAS.country_number[ATLAS.rules["victory"]["reich_power"]]
_SF_CHANCE = 2 / 3
"""About how often special forces get through."""
_CROWDED = 9.0
"""What it costs to stay where the stack is too large: somebody there would be disbanded."""
_STARVED = 0.3
"""What it costs to end a move out of supply."""


_POST = 4
"""Defence that a post in a fortified line wants."""
_TREASURE = 10
"""Victory points from which a unit is fetched even when nobody could come at once."""


class Onslaught:
    """An attack that is meant to be made."""

    __slots__ = ("column", "gain", "nation", "orders", "table", "target")

    def __init__(
        self, target: int, nation: int, table: str, column: int, gain: float, orders: dict[int, tuple[int, bool]]
    ) -> None:
        self.target, self.nation, self.table, self.column, self.gain = target, nation, table, column, gain
        self.orders = orders
        """Unit -> (hex to attack from, by rail)."""


class Marching(Orders):
    """Where everybody goes this phase."""

    def __init__(self, scene: Scene, air: Mapping[int, tuple[int, int]] | None = None) -> None:
        """`air`: airstrikes that are to come, by target hex: (country, factor). Those on the map are seen anyway."""
        super().__init__(scene)
        self.air = dict(air or {})
        self.attacks: list[Onslaught] = []
        self.teams = len(sf_support(self.m, self.side))

    # ---- the whole of it
    def plan(self) -> list[Action]:
        """All moves, in an order in which they can be made.

        What the enemy can reach depends on where the own zones of control are after the moves. So a plan is looked at
        as if it were carried out; for each city that would lie open one unit is told to hold it, and the rest is
        planned again.
        """
        before = self.mark()

        def order(pins: Mapping[int, tuple[int, bool]]) -> list[Action]:
            self.go_back(before)
            for unit, (at, rail) in pins.items():
                if unit in self.free:
                    self.give(unit, at, rail)
            self.order_all()
            return self.actions()

        return guarded(order, lambda _, pins: {} if self.scene.final else self.holders(pins))

    def order_all(self) -> None:
        """Orders for everybody who has none yet."""
        if not self.scene.final:
            self.man_posts()
        self.garrison()
        self.walk_in()
        self.assemble()
        if self.scene.doctrine.raid and not self.scene.final:
            self.claim()
        if self.scene.doctrine.cling:
            self.cling()
        self.march()

    def needed(self) -> set[int]:
        """Units that would take a city or attack, were nobody sent anywhere else."""
        before = self.mark()
        self.order_all()
        take = self.scene.stakes.take
        found = {unit for unit, (at, _) in self.orders.items() if at in take}
        found.update(*(attack.orders for attack in self.attacks))
        self.go_back(before)
        return found

    # ---- the enemy's answer
    def holders(self, pins: Mapping[int, tuple[int, bool]]) -> dict[int, tuple[int, bool]]:
        """For each city that the plan would leave open to the enemy: the cheapest unit that can hold it, and how."""
        scene, state = self.scene, self.m.state
        where = list(state.where)
        for unit, (at, _) in self.orders.items():
            where[unit] = at
        after = Scene(Play(self.m.game, msgspec.structs.replace(state, where=tuple(where)), self.m.dice),
                      self.side, scene.doctrine)  # fmt: skip
        found: dict[int, tuple[int, bool]] = {}
        for at, worth in sorted(scene.stakes.keep.items(), key=lambda item: (-item[1], item[0])):
            if worth < 1 or scene.foes(at):
                continue
            wall = sum(after.defense(unit) for unit in after.known.stack(at))
            if after.holds(at, wall, worth):
                continue
            if not wall and not after.can_be_entered(at):
                continue
            able = [
                unit
                for unit in self.origin
                if unit not in pins and unit not in found and self.orders.get(unit, (at, False))[0] != at
                and not self.is_post(unit, worth) and not state.flags[unit] & MOVED
                and (scene.reach(unit) | self.rails(unit)) >> at & 1
                and not broken_limit([*after.known.stack(at), unit], at)
            ]  # fmt: skip
            if able:
                best = min(
                    able,
                    key=lambda u: (
                        self.origin[u] != at, self.opens_line(u, (*pins, *found)),
                        scene.attack(u) - 2 * scene.defense(u), u,
                    ),
                )  # fmt: skip
                found[best] = (at, not scene.reach(best) >> at & 1)
        return found

    def opens_line(self, unit: int, gone: Collection[int]) -> bool:
        """Whether nobody else is left in a fortified line when a unit and those already gone have left it."""
        at = self.origin[unit]
        stays = (other for other in self.scene.known.stack(at) if other != unit and other not in gone)
        own = self.m.state.side[ATLAS.country_of[at]] == self.side
        return bool(ATLAS.trenches >> at & 1) and own and not any(ATLAS.is_land[other] for other in stays)

    def is_post(self, unit: int, worth: float) -> bool:
        """Whether a unit is the only one that is to end in a city of at least that worth."""
        at = self.orders[unit][0] if unit in self.orders else NOBODY
        return self.scene.stakes.keep.get(at, 0.0) >= worth and self.placed.get(at) == [unit]

    def is_last(self, unit: int, worth: float) -> bool:
        """Whether a unit is the only one in a city of at least that worth."""
        at = self.origin[unit]
        stays = (*self.waiting.get(at, ()), *self.placed.get(at, ()))
        return self.scene.stakes.keep.get(at, 0.0) >= worth and all(other == unit for other in stays)

    def mark(self) -> tuple[Any, ...]:
        return (*super().mark(), self.teams)

    def go_back(self, marked: tuple[Any, ...]) -> None:
        super().go_back(marked[:-1])
        self.teams, self.attacks = marked[-1], []

    # ---- garrisons
    def garrison(self) -> None:
        """Cities the enemy could walk into or storm next turn are held; so is every objective that must be occupied."""
        scene, state = self.scene, self.m.state
        for at, worth in sorted(scene.stakes.keep.items(), key=lambda item: (-item[1], item[0])):
            must_stand = bool(
                ATLAS.reich_objectives >> at & 1
                and state.side[_REICH] == self.side
                and state.side[ATLAS.country_of[at]] == 1 - self.side
            )
            here = [unit for unit in self.waiting.get(at, ()) if unit in self.free]
            placed = self.placed.get(at, ()) if scene.doctrine.spare else ()
            if not scene.can_be_entered(at):
                if placed:
                    continue
                careful = worth >= CAPITAL and self.watched(at)
                if careful and not here and worth >= _TREASURE:
                    self._man(at, worth, here, 0.5, must_stand)
                elif here and (must_stand or careful):
                    self.give(min(here, key=lambda unit: (scene.attack(unit), unit)), at)
                continue
            wall = sum(scene.defense(unit) for unit in scene.known.stack(at) if ATLAS.units[unit].static)
            need = scene.doctrine.guard * self.danger(at) / 2.0 - wall
            if placed and (need := need - sum(map(scene.defense, placed))) <= 0:
                continue
            self._man(at, worth, here, max(need, 0.5 if worth < 3 else 1.0), must_stand)

    def man_posts(self) -> None:
        """Who stands in a fortified line before an enemy country stays; a port is not left to the enemy's ships."""
        scene, state = self.scene, self.m.state
        foes = [country for country, who in enumerate(state.side) if who == 1 - self.side]
        if scene.doctrine.ahead:
            foes += {ATLAS.units[unit].country for unit in lurkers(self.m, self.side)}
        for at in bits(scene.known.occupied[self.side] & ATLAS.trenches):
            here = [unit for unit in self.waiting.get(at, ()) if unit in self.free]
            near = {ATLAS.country_of[there] for there in bits(ATLAS.zone[at])}
            if not here or state.side[ATLAS.country_of[at]] != self.side or near.isdisjoint(foes):
                continue
            wall = sum(scene.defense(unit) for unit in scene.known.stack(at) if ATLAS.units[unit].static)
            for unit in sorted(here, key=lambda unit: (scene.attack(unit), unit)):
                if wall >= _POST or not self.may_stay(unit):
                    break
                self.give(unit, at)
                wall += scene.defense(unit)
        if not any(ATLAS.units[unit].country in foes for unit in ATLAS.transports):
            return
        for at, worth in sorted(scene.stakes.keep.items()):
            if ATLAS.ports >> at & 1 and not scene.known.stack(at):
                self._man(at, worth, (), 0.5, False)
            elif ATLAS.ports >> at & 1:
                here = [unit for unit in self.waiting.get(at, ()) if unit in self.free]
                if here and not any(ATLAS.units[unit].static for unit in scene.known.stack(at)):
                    self.give(min(here, key=lambda unit: (scene.attack(unit), unit)), at)

    def watched(self, at: int) -> bool:
        """Whether an enemy is near enough for the doctrine to leave nothing open."""
        distance = self.scene.doctrine.watch
        where = self.m.state.where
        near = [*self.scene.theirs, *(lurkers(self.m, self.side) if self.scene.doctrine.wary else ())]
        return bool(distance) and not self.scene.final and any(distances(at)[where[unit]] <= distance for unit in near)

    def _man(self, at: int, worth: float, here: Iterable[int], need: float, must_stand: bool) -> None:
        """Put units into a city until they are strong enough."""
        scene = self.scene
        for unit in sorted(here, key=lambda unit: (-scene.defense(unit) + scene.attack(unit) / 2, unit)):
            if need <= 0:
                return
            if not self.may_stay(unit):
                continue
            self.give(unit, at)
            need -= scene.defense(unit)
        if need <= 0 or (worth < 3 and self.placed.get(at)):
            return
        near = [
            unit
            for unit in self.free
            if (scene.reach(unit) | self.rails(unit)) >> at & 1
            and not (scene.doctrine.spare and self.is_last(unit, worth))
        ]
        for unit in sorted(near, key=lambda unit: (scene.attack(unit) - 2 * scene.defense(unit), unit)):
            if need <= 0:
                return
            if must_stand and ATLAS.units[unit].country != _REICH:
                continue
            if self.fits(unit, at):
                self.give(unit, at, rail=not scene.reach(unit) >> at & 1)
                need -= scene.defense(unit)

    # ---- open cities
    def walk_in(self) -> None:
        """What nobody defends is taken by the least unit that can get there."""
        scene = self.scene
        for at, worth in sorted(scene.stakes.take.items(), key=lambda item: (-item[1], item[0])):
            if scene.foes(at) or worth <= 0.3:
                continue
            reich = ATLAS.reich_objectives >> at & 1 and worth == 2
            able = [
                unit
                for unit in self.free
                if scene.reach(unit) >> at & 1 and self.fits(unit, at)
                and (not reich or ATLAS.units[unit].country == _REICH)
            ]  # fmt: skip
            if able:
                risky = self.danger(at) > 0
                best = min(able, key=lambda u: (-scene.defense(u) if risky else scene.attack(u), u))
                self.give(best, at)

    # ---- attacks
    def assemble(self) -> None:
        """The best attack first, then the best with what is left."""
        scene = self.scene
        options: dict[tuple[int, int], Onslaught] = {}
        stale = {(target, nation) for target in bits(scene.targets()) for nation in self._nations(target)}
        while True:
            for key in stale:
                found = self.best_attack(*key)
                if found is None:
                    options.pop(key, None)
                else:
                    options[key] = found
            if not options:
                return
            key = max(options, key=lambda key: (options[key].gain, -key[0], -key[1]))
            chosen = options.pop(key)
            for unit, (at, rail) in chosen.orders.items():
                self.give(unit, at, rail)
            self.attacks.append(chosen)
            self.teams = max(0, self.teams - 1)
            for other in [other for other in options if other[0] == chosen.target]:
                del options[other]
            filled = {at for at, _ in chosen.orders.values()}
            stale = {
                other
                for other, option in options.items()
                if option.orders.keys() & chosen.orders.keys() or filled & {at for at, _ in option.orders.values()}
            }

    def _nations(self, target: int) -> list[int]:
        """Countries of ours that may attack a hex."""
        state = self.m.state
        home = ATLAS.country_of[target]
        neutral = home != NOBODY and state.side[home] == NOBODY
        return [
            country
            for country, who in enumerate(state.side)
            if who == self.side and (not neutral or home in ATLAS.countries[country].invades)
        ]

    def best_attack(self, target: int, nation: int) -> Onslaught | None:
        """The strongest sensible force of a nation against a hex, with what it can expect."""
        scene = self.scene
        around = ATLAS.zone[target] & ~scene.known.occupied[1 - self.side]
        around &= ~sum(1 << at for at in bits(around) if self.is_by_the_way(at, target))
        able: list[tuple[int, int, int]] = []
        for unit in ATLAS.countries[nation].units:
            if unit in self.free and (factor := scene.attack(unit)):
                spots = scene.reach(unit) & around
                trains = 0 if spots else self.rails(unit) & around
                if spots or trains:
                    able.append((factor, unit, spots or trains))
        if not able:
            return None
        able.sort(key=lambda item: (-item[0], item[1]))
        return self._gather(target, nation, able)

    def is_by_the_way(self, at: int, target: int) -> bool:
        """Whether an attack from a hex would make an enemy of a neutral that it is not meant for."""
        return self.scene.neutral(at) and ATLAS.country_of[at] != ATLAS.country_of[target]

    def _gather(self, target: int, nation: int, able: list[tuple[int, int, int]]) -> Onslaught | None:
        """Add unit after unit; keep the force at which the expected gain was best."""
        scene = self.scene
        foes = scene.foes(target)
        defense = sum(scene.defense(foe) for foe in foes)
        country, shift = self.air.get(target, (NOBODY, 0))
        lift = shift if country == nation else scene.air_over(nation, target)
        tables = [ASSAULT] if any(ATLAS.units[foe].fort for foe in foes) else [ASSAULT, MOBILE]
        orders: dict[int, tuple[int, bool]] = {}
        spread: dict[int, list[int]] = {}
        attack, covered, alpine = 0, 0, False
        best: Onslaught | None = None
        before = -1
        trains = self.trains[nation]
        for place, (factor, unit, spots) in enumerate(able):
            at = self._spot(unit, target, spots, spread)
            if at == NOBODY:
                continue
            rail = not scene.reach(unit) >> at & 1
            if rail:
                if trains <= 0:
                    continue
                trains -= 1
            orders[unit] = (at, rail)
            spread.setdefault(at, []).append(unit)
            attack += factor
            alpine = alpine or ATLAS.units[unit].alpine
            covered |= 1 << at | ATLAS.zone[at]
            closed = not ATLAS.zone[target] & scene.known.open & ~covered
            column = (
                column_of(percentile(attack, defense))
                - scene.terrain(target, alpine, foes)
                + lift
                + (1 if closed else 0)
            )
            column -= scene.river(target, list(spread))
            if column == before and place + 1 < len(able):
                continue
            before = column
            best = self._better(best, target, nation, column, closed, orders, tables)
        return best if best is not None and best.gain > scene.doctrine.bold else None

    def _better(
        self, best: Onslaught | None, target: int, nation: int, column: int, closed: bool,
        orders: dict[int, tuple[int, bool]], tables: list[str],
    ) -> Onslaught | None:  # fmt: skip
        scene = self.scene
        clash = scene.clash(target, closed)
        units = tuple(orders)
        cost = scene.doctrine.swarm * len(units)
        teams = 0 if scene.neutral(target) else self.teams  # invaded, it is an enemy even if they are needed elsewhere
        for table in tables:
            if table == MOBILE and not any(ATLAS.units[unit].mechanized for unit in units):
                continue
            gain = clash.worth(units, table, column) - cost
            if teams:
                helped = clash.worth(units, table, column + 1) - cost
                gain = max(gain, _SF_CHANCE * helped + (1 - _SF_CHANCE) * gain)
            if best is None or gain > best.gain:
                best = Onslaught(target, nation, table, column, gain, dict(orders))
        return best

    def _spot(self, unit: int, target: int, spots: int, spread: Mapping[int, list[int]]) -> int:
        """A hex to attack from: where it stands, else dry ground, else the hex with most room."""
        here = self.origin[unit]
        if spots >> here & 1 and self.may_stay(unit, spread.get(here, ())):
            return here
        chosen, least = NOBODY, (9, 9, 0)
        for at in bits(spots):
            if not self.fits(unit, at):
                continue
            with_us = spread.get(at, ())
            waiting = [other for other in self.waiting.get(at, ()) if other != unit and other not in with_us]
            room = len(with_us) + len(waiting) + len(self.placed.get(at, ()))
            face = ATLAS.units[unit]
            if with_us and (face.army or ATLAS.units[with_us[0]].army or ATLAS.marshes >> at & 1 or room >= 3):
                continue
            key = (1 if (at, target) in ATLAS.wet_sides else 0, room, at)
            if key < least:
                chosen, least = at, key
        return chosen

    def claim(self) -> None:
        """An easy neutral is entered before the enemy invades it, who then gets no points for its cities, and when a
        city in it is left to whoever walks in next turn."""
        scene = self.scene
        bound = {ATLAS.country_of[at] for at, units in self.placed.items() if units}
        bound |= {ATLAS.country_of[attack.target] for attack in self.attacks}
        left_open = {ATLAS.country_of[at] for at in scene.stakes.take if not scene.known.stack(at)}
        wanted = quarry(self.m, self.side, scene.doctrine) & (prey_of(self.m, 1 - self.side) | left_open) & EASY
        for country in sorted(wanted - bound):
            inside = mask_of(at for at in range(ATLAS.hex_count) if ATLAS.country_of[at] == country)
            choices = [
                (self.score(unit, at), unit, at)
                for unit in sorted(self.free)
                if country in ATLAS.countries[ATLAS.units[unit].country].invades
                for at in bits(scene.reach(unit) & inside)
                if self.fits(unit, at)
            ]
            if choices:
                _, unit, at = max(choices)
                self.give(unit, at)

    def cling(self) -> None:
        """A country surrenders only when all its cities are the enemy's beyond dispute: one unit nearby disputes it."""
        scene, state = self.scene, self.m.state
        lost = owned(state, 1 - self.side)
        for country, who in enumerate(state.side):
            face = ATLAS.countries[country]
            if who != self.side or not face.surrenders or state.fallen[country] or not face.cities:
                continue
            if face.cities & ~lost:
                continue
            near = face.cities
            for city in bits(face.cities):
                near |= ATLAS.zone[city]
            if any(near >> at & 1 for at, units in self.placed.items() if units):
                continue
            choices = [
                (self.score(unit, at) - (scene.attack(unit) / 10), unit, at)
                for unit in sorted(self.free)
                for at in bits(scene.reach(unit) & near)
                if at == self.origin[unit] or self.fits(unit, at)
            ]
            if choices:
                _, unit, at = max(choices)
                self.give(unit, at)

    # ---- everybody else
    def march(self) -> None:
        """The rest goes where it is of most use: towards what can be taken, or to what must be kept."""
        scene = self.scene
        for unit in sorted(self.free, key=lambda unit: (-scene.attack(unit), unit)):
            here, best = self.origin[unit], self.origin[unit]
            stay = most = self.score(unit, here) + 0.02 if self.may_stay(unit) else -_CROWDED
            for at in bits(scene.reach(unit)):
                if at != here and not scene.neutral(at) and self.fits(unit, at):
                    value = self.score(unit, at)
                    if value > most:
                        best, most = at, value
            rail, train = best, most + 0.12
            for at in bits(self.rails(unit)):
                if not scene.neutral(at) and self.fits(unit, at):
                    value = self.score(unit, at)
                    if value > train:
                        rail, train = at, value
            if rail != best:
                self.give(unit, rail, rail=True)
            else:
                self.give(unit, best if most > stay else here)

    def score(self, unit: int, at: int) -> float:
        """How good it is to end the move in a hex without attacking."""
        scene, doctrine = self.scene, self.scene.doctrine
        factor, strength = scene.attack(unit), scene.defense(unit)
        value = doctrine.push * scene.lure[at] * (factor + 1) / 5 + doctrine.hold * 0.5 * scene.home[at]
        threat = self.danger(at)
        if threat:
            others = sum(scene.defense(other) for other in self.placed.get(at, ()) if other != unit)
            wall = sum(scene.defense(o) for o in scene.known.stack(at) if ATLAS.units[o].static)
            ground = scene.terrain(at, False, [unit])
            odds = threat / max(1, strength + others + wall) / (1 + 0.35 * ground)
            value -= scene.worth(unit) * 0.5 * max(0.0, min(1.0, (odds - 1.2) / 3))
            value += 0.03 * ground + (0.1 if wall > 1 else 0.0)
        if not self.fed(unit) >> at & 1:
            value -= _STARVED * scene.scale
        return value
