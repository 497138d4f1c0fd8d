"""The movement at sea of one phase: troops over the water, landings, and fleets that look for a fight they can win."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from math import fsum

from sandtable.core import Action

from ..facts.gates import is_gate_closed
from ..facts.ground import may_enter
from ..model.actions import Form, Halt, Load, Sail, Unload
from ..model.atlas import ATLAS, CONVOY, SUB, TF
from ..model.state import has_enemy
from ..rules.cargo import nearby, why_not_load
from ..rules.naval import ready_ships
from .chances import compare
from .goals import Goal, goals, guard, pull_at
from .scene import Scene

_GAIN = 1.4
"""How much better a place over the water must be than the one a unit stands in."""
_LANDING, _BATTLE = 0.75, 0.35
"""The chance at which a landing is made; the share of hits left for which a fleet attacks."""


class Shipping:
    """Plans the naval phase for one major."""

    def __init__(self, scene: Scene, busy: Collection[int] = ()) -> None:
        """`busy`: ships that have other orders."""
        self.scene = scene
        found, state = scene.found, scene.state
        self.orders: list[Action] = []
        self.zones = {
            found.space_of[zone]: [found.unit_of[u] for u in ids if found.unit_of[u] not in busy]
            for zone, ids in ready_ships(scene.state, scene.me).items()
        }
        self.loaded: set[int] = set()
        self.range = ATLAS.ship_range
        self.state = state
        self._waiting: dict[int, float] = {}
        self._pulls: dict[int, float] = {}

    @cached_property
    def wanted(self) -> list[Goal]:
        """What draws troops over the water, with those who are there already."""
        out = goals(self.scene)
        for goal in out:
            if goal.hold:
                goal.assigned += self.scene.troops(goal.space)
        return out

    def pull(self, area: int) -> float:
        """How strongly an area draws troops over the water, with those who are on the way."""
        if area not in self._pulls:
            self._pulls[area] = pull_at(self.wanted, area)
        return self._pulls[area]

    def plan(self) -> list[Action]:
        for zone, ships in self.zones.items():
            if not ships:
                continue
            left = self.transport(zone, ships)
            left = self.hunt(zone, left)
            self.fetch(zone, left)
        return self.orders

    # ---- ways
    def ways(self, zone: int, ships: list[int], most: int, hunting: bool = False) -> dict[int, list[int]]:
        """Zones in range with the way there, clear of enemies but for the last of a hunt."""
        found, state = self.scene.found, self.state
        nation = state.nation[ships[0]]
        sub = found.type[ships[0]] == SUB
        out: dict[int, list[int]] = {zone: []}
        frontier = [zone]
        for _ in range(most):
            following = []
            for here in frontier:
                for there in found.sea_next[here]:
                    if there in out or is_gate_closed(state, nation, here, there, sub):
                        continue
                    enemy = has_enemy(state, nation, there)
                    if enemy and not hunting:
                        continue
                    out[there] = [*out[here], there]
                    if not enemy:
                        following.append(there)
            frontier = following
        return out

    # ---- troops
    def transport(self, zone: int, ships: list[int]) -> list[int]:
        """Load what is worth more elsewhere, and bring it there together. Returns the ships that have no part in it."""
        scene, found, state = self.scene, self.scene.found, self.state
        convoys = [u for u in ships if found.type[u] == CONVOY]
        if not convoys:
            return ships
        aboard = {c: list(state.cargo.get(c, ())) for c in convoys}
        full = [c for c in convoys if aboard[c]]
        empty = [c for c in convoys if not aboard[c]]
        loads: list[tuple[int, int]] = [(c, u) for c in full for u in aboard[c]]
        units = self.spare(zone, empty)
        if not units and not loads:
            return ships
        ways = self.ways(zone, convoys, 2 * self.range)
        cargo = [u for _, u in loads] + units[: len(empty)]
        target = self.destination(zone, ways, cargo, bool(loads))
        if target is None:
            return ships
        area, way = target
        group = list(full)
        orders: list[Action] = []
        for convoy in empty:
            unit = next(
                (u for u in units if u not in self.loaded and why_not_load(scene.state, convoy, u) is None), None
            )
            if unit is None:
                continue
            self.loaded.add(unit)
            group.append(convoy)
            loads.append((convoy, unit))
            orders.append(Load(found.unit_ids[convoy], found.unit_ids[unit]))
        if not group:
            return ships
        if scene.hostile(area):
            group += [u for u in ships if found.type[u] == TF]
        names = tuple(found.unit_ids[u] for u in ships if u in group)
        self.orders.append(Form(found.space_ids[zone], names))
        self.orders += orders
        self.orders += [Sail(found.space_ids[z]) for z in way]
        self.orders += [Unload(found.unit_ids[u], found.space_ids[area]) for _, u in loads]
        self.orders.append(Halt())
        for goal in self.wanted:
            if goal.roads[area][goal.space] <= 2:
                goal.assigned += scene.total(u for _, u in loads)
        self._pulls.clear()
        return [u for u in ships if u not in group]

    def spare(self, zone: int, empty: list[int]) -> list[int]:
        """Land units and aircraft beside the zone that their areas can do without, the strongest first."""
        scene, found, state = self.scene, self.scene.found, self.state
        if not empty:
            return []
        out: list[int] = []
        gone: set[int] = set(self.loaded)
        units = [
            u for u in nearby(scene.state, empty[0])
            if state.master[state.nation[u]] == scene.me and state.carrier[u] < 0 and u not in self.loaded
            and found.is_land[u] and not found.is_hq[u] and why_not_load(scene.state, empty[0], u) is None
        ]  # fmt: skip
        for unit in sorted(units, key=lambda u: (-scene.power(u), u)):
            start = state.place[unit]
            stay = [u for u in scene.friends(start) if found.is_land[u] and u != unit and u not in gone]
            need = max(0.6 * scene.threat(start), guard(scene, start))
            if scene.vital(start) and scene.total(stay) < need:
                continue
            gone.add(unit)
            out.append(unit)
        return out

    def destination(
        self, zone: int, ways: dict[int, list[int]], cargo: list[int], afloat: bool
    ) -> tuple[int, list[int]] | None:
        """The coast where the cargo is worth most."""
        scene, found, state = self.scene, self.scene.found, self.state
        if not cargo:
            return None
        nation = state.nation[cargo[0]]
        here = min((self.pull(state.place[u]) for u in cargo if state.carrier[u] < 0), default=0.0)
        soldiers_at = [u for u in cargo if found.is_land[u]]
        best: tuple[float, int, list[int]] | None = None
        for there, way in ways.items():
            for area in found.coast[there]:
                if found.closed_space[area] or not may_enter(state, nation, area):
                    continue
                if scene.friendly(area) and not scene.contested(area):
                    score = self.pull(area)
                    if not afloat and (not way and area in {state.place[u] for u in cargo}):
                        continue
                elif scene.hostile(area) and len(way) <= self.range:
                    score = self.landing(area, there, soldiers_at)
                else:
                    continue
                if score > (0.0 if afloat else _GAIN * here + 0.15) and (best is None or score > best[0]):
                    best = (score, area, way)
        return (best[1], best[2]) if best is not None else None

    def landing(self, area: int, zone: int, cargo: list[int]) -> float:
        """What an invasion is worth: nothing where it would fail, or where the troops would be thrown out again."""
        scene, found, state = self.scene, self.scene.found, self.state
        if state.advanced and (zone * found.count + area in found.forbidden_coast):
            return 0.0
        foes = scene.enemies(area)
        team = [scene.soldier(u, area, -1, True) for u in cargo]
        if state.advanced:
            team = [(now // 2, then // 2, dice, steps) for now, then, dice, steps in team]
        power = scene.total(cargo)
        if foes and scene.chance(team, [scene.soldier(u, area, -1, False) for u in foes]) < _LANDING:
            return 0.0
        if scene.threat(area) > 1.6 * power + 0.5:
            return 0.0
        return scene.worth(area) + self.pull(area) * 0.3

    # ---- fleets
    def hunt(self, zone: int, ships: list[int]) -> list[int]:
        """Warships attack what they can beat, convoys of the enemy by preference."""
        scene, found, state = self.scene, self.scene.found, self.state
        war = [u for u in ships if found.type[u] in (TF, SUB)]
        if not war or not scene.state.war[scene.me]:
            return ships
        power, steps = scene.total(war), scene.steps(war)
        best: tuple[float, list[int]] | None = None
        for there, way in self.ways(zone, war, self.range, hunting=True).items():
            foes = [u for u in state.here[there] if found.is_ship[u] and state.war[scene.me] >> state.nation[u] & 1]
            if not foes or not way:
                continue
            left = compare(power, steps, scene.total(foes), scene.steps(foes))
            prize = left * (1 + fsum(3.0 if u in state.cargo else 1.0 for u in foes))
            if left >= _BATTLE and (best is None or prize > best[0]):
                best = (prize, way)
        if best is None:
            return ships
        self.orders.append(Form(found.space_ids[zone], tuple(found.unit_ids[u] for u in war)))
        self.orders += [Sail(found.space_ids[z]) for z in best[1]]
        self.orders.append(Halt())
        return [u for u in ships if u not in war]

    def fetch(self, zone: int, ships: list[int]) -> None:
        """Empty convoys go where troops wait for them."""
        found, state = self.scene.found, self.state
        convoys = [u for u in ships if found.type[u] == CONVOY and u not in state.cargo]
        if not convoys:
            return
        ways = self.ways(zone, convoys, 2 * self.range)
        best = max(ways, key=lambda z: (self.waiting(z) - 0.1 * len(ways[z]), -z))
        if ways[best] and self.waiting(best) > self.waiting(zone) + 1:
            self.orders.append(Form(found.space_ids[zone], tuple(found.unit_ids[u] for u in convoys)))
            self.orders += [Sail(found.space_ids[z]) for z in ways[best]]
            self.orders.append(Halt())

    def waiting(self, zone: int) -> float:
        """Own troops beside a zone with nothing to do there, less the convoys that are there already."""
        if zone in self._waiting:
            return self._waiting[zone]
        scene, found, state = self.scene, self.scene.found, self.state
        out = 0.0
        for area in found.coast[zone]:
            if not scene.friendly(area) or scene.threat(area) > 0:
                continue
            mine = [u for u in scene.friends(area) if found.is_land[u] and state.master[state.nation[u]] == scene.me]
            out += max(0, len(mine) - 1)
        there = [
            u for u in scene.friends(zone) if found.type[u] == CONVOY and state.master[state.nation[u]] == scene.me
        ]
        out -= len(there)
        self._waiting[zone] = out
        return out
