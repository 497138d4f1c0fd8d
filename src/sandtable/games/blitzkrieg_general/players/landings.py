"""Landings in force: several convoys with the best troops strike together at the industry of an enemy's home.

By the basic rules any enemy ship in its zone keeps a landing off. Where there is none, the strongest that can be spared
are loaded, taken within reach in one quarter if need be, and set ashore together when the exact odds are good and what
stands next door could not throw them out again.
"""

from __future__ import annotations

from collections.abc import Collection

from sandtable.core import Action

from ..facts.duels import Soldier, win_chance
from ..facts.gates import is_gate_closed
from ..model.actions import Form, Halt, Load, Sail, Unload
from ..model.atlas import ARM, ATLAS, CONVOY, INF, MAJORS, USA
from ..model.state import AT_WAR, at_war, has_enemy
from ..rules.naval import ready_ships
from .goals import INDUSTRY, can_spare
from .scene import Scene

_STRIKE, _ENOUGH = 0.7, 0.93
"""The chance at which the troops go ashore; the one at which no more are loaded."""
_HOLD = 0.75
"""Share of the power next door that the troops must have to stay."""
_STAY = 0.5
"""Share of the power that threatens an area that stays behind there."""

Berth = tuple[int, int, int]
"""A convoy, where it takes its unit aboard, the unit."""


def targets(scene: Scene) -> list[int]:
    """Industry of enemy homes on the coasts of the own map, the richest first."""
    state, found = scene.state, scene.found
    board = found.map[found.homes[scene.me][0]]
    out = [
        area for area in found.land
        if found.left[area] >= INDUSTRY and found.coast[area] and found.map[area] == board and scene.hostile(area)
        and 0 <= found.home_of[area] < len(MAJORS) and state.side[found.home_of[area]] != scene.side
    ]  # fmt: skip
    return sorted(out, key=lambda s: (-found.left[s], s))


class Landings:
    """The landings of one major in one naval phase."""

    def __init__(self, scene: Scene, busy: Collection[int] = ()) -> None:
        """`busy`: ships that have other orders."""
        self.scene = scene
        self.single = ATLAS.ship_range
        self.ships: set[int] = set()
        """Ships that have their orders."""
        self.units: set[int] = set()
        """Units that have theirs."""
        self.known: dict[int, dict[int, list[int]]] = {}
        state, found = scene.state, scene.found
        self.convoys = [
            (found.space_of[zone], unit)
            for zone, ids in ready_ships(scene.state, scene.me).items()
            for unit in map(found.unit_of.__getitem__, ids)
            if found.type[unit] == CONVOY and not state.flipped[unit] and unit not in busy
        ]

    def plan(self) -> list[Action]:
        state = self.scene.state
        if state.advanced or state.exploiting or state.standing[self.scene.me] != AT_WAR or len(self.convoys) < 2:
            return []
        orders: list[Action] = []
        for area in targets(self.scene):
            orders += self.strike(area) or self.approach(area)
            if len(self.free()) < 2:
                break
        return orders

    def free(self) -> list[tuple[int, int]]:
        """Convoys without orders and where they are."""
        return [(zone, convoy) for zone, convoy in self.convoys if convoy not in self.ships]

    def strike(self, area: int) -> list[Action]:
        """Ashore at once, if enough can get there."""
        scene, found = self.scene, self.scene.found
        if not scene.hostile(area):
            return []
        for off in found.coast[area]:
            force = self.gather(off, area, self.single)
            if force and self.chance(force, area) >= _STRIKE and self.stays(force, area):
                return self.carry_out(force, off, area)
        return []

    def approach(self, area: int) -> list[Action]:
        """To a quiet zone from where the coast is within reach next quarter."""
        found = self.scene.found
        best: tuple[int, int, int, list[Berth]] | None = None
        near = {zone: len(way) for off in found.coast[area] for zone, way in self.ways(off).items()}
        for stage, distance in near.items():
            if not 0 < distance <= self.single or self.barred(stage):
                continue
            force = self.gather(stage, area, 2 * self.single)
            if not force or self.chance(force, area) < _STRIKE or not self.stays(force, area):
                continue
            key = (-distance, len(force), -stage)
            if best is None or key > best[:3]:
                best = (*key, force)
        return [] if best is None else self.carry_out(best[3], -best[2], -1)

    def stays(self, force: list[Berth], area: int) -> bool:
        scene = self.scene
        return scene.total(unit for _, _, unit in force) >= _HOLD * scene.threat(area)

    def chance(self, force: list[Berth], area: int) -> float:
        scene = self.scene
        team = [scene.soldier(unit, area, -1, True) for _, _, unit in force]
        return win_chance(team, self.defenders(area))

    def defenders(self, area: int) -> list[Soldier]:
        """Who stands there, and the aircraft next door that will help."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        foes = [u for u in state.here[area] if state.side[state.nation[u]] != scene.side]
        foes += [
            u for s in found.land_next[area] for u in state.here[s]
            if found.is_air[u] and state.side[state.nation[u]] != scene.side
        ]  # fmt: skip
        return [scene.soldier(u, area, -1, False) for u in foes]

    # ---- who goes
    def gather(self, zone: int, area: int, most: int) -> list[Berth]:
        """The strongest that convoys can bring to a zone within so many zones, no more than are needed."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        berths: list[tuple[float, int, Berth]] = []
        for start, convoy in self.free():
            aboard = state.cargo.get(convoy, ())
            if aboard:
                way = self.ways(start).get(zone)
                if way is not None and len(way) <= most and found.is_land[aboard[0]] and not found.is_hq[aboard[0]]:
                    berths.append((scene.power(aboard[0]) + 1.0, len(way), (convoy, start, aboard[0])))
                continue
            for port, there in self.ways(start).items():
                way = self.ways(port).get(zone)
                if way is None or len(there) + len(way) > most or self.barred(port):
                    continue
                berths += [(scene.power(u), len(there) + len(way), (convoy, port, u)) for u in self.troops(port)]
        force: list[Berth] = []
        ships: set[int] = set()
        units: set[int] = set()
        for _, _, (convoy, port, unit) in sorted(berths, key=lambda b: (-b[0], b[1], b[2])):
            if convoy in ships or unit in units or unit in self.units:
                continue
            if unit not in state.cargo.get(convoy, ()) and not can_spare(scene, unit, units | self.units, _STAY):
                continue
            force.append((convoy, port, unit))
            ships.add(convoy)
            units.add(unit)
            if self.chance(force, area) >= _ENOUGH and self.stays(force, area):
                break
        return force

    def troops(self, zone: int) -> list[int]:
        scene, state, found = self.scene, self.scene.state, self.scene.found
        return [
            u for area in found.coast[zone] if scene.friendly(area) and not scene.contested(area)
            for u in state.here[area]
            if found.type[u] in (INF, ARM) and state.nation[u] == scene.me and not state.flipped[u]
        ]  # fmt: skip

    # ---- ways
    def ways(self, zone: int) -> dict[int, list[int]]:
        """Zones in double range with the way there, clear of ships that are or will be enemies."""
        if zone not in self.known:
            state, found = self.scene.state, self.scene.found
            out: dict[int, list[int]] = {zone: []}
            frontier = [zone]
            for _ in range(2 * self.single):
                following = []
                for here in frontier:
                    for there in found.sea_next[here]:
                        closed = is_gate_closed(state, self.scene.me, here, there, False)
                        if there not in out and not closed and not self.barred(there):
                            out[there] = [*out[here], there]
                            following.append(there)
                frontier = following
            self.known[zone] = out
        return self.known[zone]

    def barred(self, zone: int) -> bool:
        scene, state = self.scene, self.scene.state
        if has_enemy(state, scene.me, zone):
            return True
        return not at_war(state, scene.me, USA) and any(state.nation[u] == USA for u in state.here[zone])

    def carry_out(self, force: list[Berth], zone: int, area: int) -> list[Action]:
        found, state = self.scene.found, self.scene.state
        ids, orders = found.space_ids, list[Action]()
        for convoy, port, unit in force:
            self.ships.add(convoy)
            self.units.add(unit)
            start = state.place[convoy]
            orders.append(Form(ids[start], (found.unit_ids[convoy],)))
            orders += [Sail(ids[z]) for z in self.ways(start)[port]]
            if unit not in state.cargo.get(convoy, ()):
                orders.append(Load(found.unit_ids[convoy], found.unit_ids[unit]))
            orders += [Sail(ids[z]) for z in self.ways(port)[zone]]
            if area >= 0:
                orders.append(Unload(found.unit_ids[unit], ids[area]))
            orders.append(Halt())
        return orders
