"""Orders for a Movement Phase: who is free, who goes where, and what an order may be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.core import Action

from ..facts.railroads import rail_reach
from ..facts.stacking import broken_limit
from ..facts.supply import lines, trace_length
from ..model.actions import Move, Rail
from ..model.atlas import ATLAS, hex_name
from ..model.hexsets import flood
from ..model.state import MOVED
from ..rules.railroads import why_not_rail
from .scene import Scene


class Orders:
    """Where everybody stands, what has been ordered so far, and what can still be."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.m, self.side = scene, scene.m, scene.side
        state = self.m.state
        self.free = {unit for unit in scene.mine if not state.flags[unit] & MOVED}
        self.origin = {unit: state.where[unit] for unit in scene.mine}
        self.placed: dict[int, list[int]] = {}
        """Hex -> units that are to end there."""
        self.waiting: dict[int, list[int]] = {}
        """Hex -> units in it that have no orders yet."""
        for unit in scene.mine:
            spot = self.waiting if unit in self.free else self.placed
            spot.setdefault(self.origin[unit], []).append(unit)
        self.orders: dict[int, tuple[int, bool]] = {}
        self.trains = [
            country.rail_capacity - used for country, used in zip(ATLAS.countries, state.rail_used, strict=True)
        ]
        self._rails: dict[int, int] = {}
        self._fed: dict[tuple[int, int], int] = {}
        self._dangers: dict[int, int] = {}

    def actions(self) -> list[Action]:
        peaceful: list[Action] = []
        invasions: list[Action] = []
        for unit, (at, rail) in self.orders.items():
            if at == self.origin[unit]:
                continue
            order = Rail if rail else Move
            (invasions if self.scene.neutral(at) else peaceful).append(order(ATLAS.units[unit].id, hex_name(at)))
        return peaceful + invasions

    # ---- small questions
    def rails(self, unit: int) -> int:
        """Hexes a unit can get to by railroad."""
        found = self._rails.get(unit)
        if found is None:
            found = rail_reach(self.m.state, unit) if why_not_rail(self.m, unit) is None else 0
            self._rails[unit] = found
        return found if self.trains[ATLAS.units[unit].country] > 0 else 0

    def fed(self, unit: int) -> int:
        """Hexes in which a unit would be in supply, near enough."""
        face = ATLAS.units[unit]
        length = trace_length(self.m.state, unit)
        key = (face.country * 4 + face.terrain, length)
        found = self._fed.get(key)
        if found is None:
            known = self.scene.known
            inside = known.open & ~known.occupied[1 - self.side]
            blocked = known.zoc[1 - self.side] & ~known.occupied[self.side]
            goals = lines(self.m.state, face.country)
            inner = flood(goals, ATLAS.enterable[face.terrain], inside & ~blocked, length - 1)
            found = flood(inner, ATLAS.enterable[face.terrain], inside, 1) | goals
            self._fed[key] = found
        return found

    def danger(self, at: int) -> int:
        found = self._dangers.get(at)
        if found is None:
            found = self._dangers[at] = self.scene.danger(at)
        return found

    def fits(self, unit: int, at: int) -> bool:
        """Whether a unit may end its move in a hex, as far as the plan goes."""
        others = [*self.placed.get(at, ()), *(other for other in self.waiting.get(at, ()) if other != unit)]
        if not others:
            return not (ATLAS.marshes >> at & 1 and any(ATLAS.units[o].static for o in self.scene.known.stack(at)))
        if ATLAS.marshes >> at & 1 or len(others) >= int(ATLAS.tables["stacking"]["other_mobile"]):
            return False
        face = ATLAS.units[unit]
        first = ATLAS.units[others[0]]
        return first.country == face.country and not face.army and not first.army

    def may_stay(self, unit: int, company: Iterable[int] = ()) -> bool:
        """Whether a unit may end its move where it stands, beside those that are to end there and some company."""
        at = self.origin[unit]
        static = [other for other in self.scene.known.stack(at) if ATLAS.units[other].static]
        return not broken_limit([*static, *self.placed.get(at, ()), *company, unit], at)

    def mark(self) -> tuple[Any, ...]:
        """What was ordered so far, to go back to."""
        return (
            set(self.free), {at: list(units) for at, units in self.placed.items()},
            {at: list(units) for at, units in self.waiting.items()}, dict(self.orders), list(self.trains),
        )  # fmt: skip

    def go_back(self, marked: tuple[Any, ...]) -> None:
        """Forget what was ordered since."""
        free, placed, waiting, orders, trains = marked
        self.free, self.orders, self.trains = set(free), dict(orders), list(trains)
        self.placed = {at: list(units) for at, units in placed.items()}
        self.waiting = {at: list(units) for at, units in waiting.items()}

    def give(self, unit: int, at: int, rail: bool = False) -> None:
        """This unit ends its move there."""
        self.free.discard(unit)
        start = self.origin[unit]
        if unit in self.waiting.get(start, ()):
            self.waiting[start].remove(unit)
        self.placed.setdefault(at, []).append(unit)
        self.orders[unit] = (at, rail)
        if rail:
            self.trains[ATLAS.units[unit].country] -= 1
