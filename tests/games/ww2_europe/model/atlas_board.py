"""The board of World War II in Europe as the proofs read it: links, distances, ship costs, stacks."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tests.atlas.faults import Atlas, components

ALL_KINDS = ("land", "sea", "coast")
Units = Mapping[str, Any]


class Board:
    """The atlas with its look-up tables."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.spaces = atlas["spaces"]
        self.links = atlas["links"]
        self.units = atlas["units"]
        self.powers = atlas["powers"]
        self.minors = atlas["minors"]
        self.setups = atlas["setups"]
        self.rules = atlas["special_rules"]
        by_kind: dict[str, list[str]] = defaultdict(list)
        for space, v in self.spaces.items():
            by_kind[v["kind"]].append(space)
        self.land, self.seas, self.ports = by_kind["land"], by_kind["sea"], by_kind["port"]
        self.near: dict[str, dict[str, Any]] = {s: {} for s in self.spaces}
        for link in self.links:
            self.near[link["a"]][link["b"]] = link
            self.near[link["b"]][link["a"]] = link
        by_class: dict[str, set[str]] = defaultdict(set)
        for unit, v in self.units.items():
            by_class[v["class"]].add(unit)
        self.ground, self.air, self.naval = by_class["ground"], by_class["air"], by_class["naval"]
        self.sea_control = {u for u, v in self.units.items() if "sea_control" in v.get("abilities", [])}
        self.anti_submarine = {u for u, v in self.units.items() if "asw" in v.get("abilities", [])}

    def by(self, space: str, *kinds: str) -> Iterator[str]:
        """Neighbours across links of the given kinds."""
        return (other for other, link in self.near[space].items() if link["kind"] in kinds)

    def parts(self, spaces: Collection[str], *kinds: str) -> list[set[str]]:
        """The connected parts of the spaces, largest first."""
        return components(spaces, lambda space: self.by(space, *kinds))

    def distance(self, a: str, b: str, kinds: Collection[str] = ("sea",)) -> int | None:
        """Spaces from one to the other."""
        far, queue = {a: 0}, deque([a])
        while queue:
            x = queue.popleft()
            if x == b:
                return far[x]
            for y in self.by(x, *kinds):
                if y not in far:
                    far[y] = far[x] + 1
                    queue.append(y)
        return None

    def within(self, a: str, b: str, most: int, kinds: Collection[str] = ("land",)) -> bool:
        """Whether b is at most so many spaces from a."""
        far = self.distance(a, b, kinds)
        return far is not None and far <= most

    def penalty(self, space: str, control: Mapping[str, Units], *, asw_only: bool = False) -> int:
        """Extra points an enemy ship pays to leave a sea space beside these sea-control units."""
        extra = 0
        for place, units in control.items():
            if place == space or space not in self.near[place]:
                continue
            for unit, number in units.items():
                if unit not in self.sea_control or (asw_only and unit not in self.anti_submarine):
                    continue
                afloat = self.spaces[place]["kind"] == "port" and unit in self.naval
                ashore = self.spaces[place]["kind"] == "land" and unit in self.air
                extra += number if afloat or ashore else 0
        return extra

    def step_cost(self, a: str, b: str, control: Mapping[str, Units], *, asw_only: bool = False) -> int:
        """What a ship pays to go on from a to b."""
        cost = int(self.near[a][b]["cost"])
        if self.spaces[a]["kind"] == "sea":
            cost += self.penalty(a, control, asw_only=asw_only)
        return cost

    def ship_cost(
        self, a: str, b: str, control: Mapping[str, Units] | None = None, friendly: Collection[str] = ()
    ) -> int:
        """Cheapest voyage between two ports, through other ports only where they are friendly."""
        best, heap = {a: 0}, [(0, a)]
        while heap:
            cost, x = heapq.heappop(heap)
            if x == b:
                return cost
            if cost > best[x]:
                continue
            for y in self.by(x, "sea"):
                if self.spaces[y]["kind"] == "port" and y != b and y not in friendly:
                    continue
                total = cost + self.step_cost(x, y, control or {})
                if total < best.get(y, total + 1):
                    best[y] = total
                    heapq.heappush(heap, (total, y))
        raise ValueError(f"no voyage from {a} to {b}")

    def reach(self, start: str, points: int, stop: Collection[str] = ()) -> set[str]:
        """Land spaces that a ground unit can enter; it stops where enemy ground units stand."""
        far, queue = {start: 0}, deque([start])
        while queue:
            x = queue.popleft()
            if x in stop and x != start:
                continue
            for y in self.by(x, "land"):
                if y not in far and far[x] < points:
                    far[y] = far[x] + 1
                    queue.append(y)
        return set(far)

    def stack_points(self, units: Units, kind: Collection[str]) -> int:
        """Stack points of the units of one class."""
        return sum(self.units[u]["stack"] * n for u, n in units.items() if u in kind)

    def stacks(self, scenario: str) -> Iterator[tuple[str, str, Units]]:
        """Power, space and units of every stack at the start, minor allies and Vichy included."""
        record = self.setups[scenario]
        for power, places in record["units"].items():
            yield from ((power, space, units) for space, units in places.items())
        for minor in record["minor_ally_units"].values():
            yield from ((minor["power"], space, units) for space, units in minor["units"].items())
        if "vichy_units" in record:
            places = [*self.atlas["vichy_setup"]["units"].items(), *record["vichy_units"]["naval"].items()]
            yield from (("vichy_france", space, units) for space, units in places)

    def group(self, power: str, scenario: str) -> str:
        """Who stands together: the belligerents of a side, else each neutral and Vichy alone."""
        if power == "vichy_france":
            return power
        side = str(self.powers[power]["side"])
        return side if power in self.setups[scenario]["at_war"][side] else power

    def is_friendly(self, power: str, owner: str, scenario: str) -> bool:
        """Whether units of the power may stand where the owner controls."""
        if owner == power:
            return True
        if "vichy_france" in (owner, power) or owner == "neutral":
            return False
        return self.group(owner, scenario) == self.group(power, scenario)

    def sea_control_of(self, scenario: str, powers: Collection[str]) -> dict[str, Counter[str]]:
        """Sea-control units of the powers, by space."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for power, space, units in self.stacks(scenario):
            if power in powers:
                for unit, number in units.items():
                    if unit in self.sea_control:
                        found[space][unit] += number
        return found
