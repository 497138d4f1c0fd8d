"""The board of Munich War as the proofs read it: neighbours, hexsides, rail, cities, stacking and supply."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from tests.atlas.faults import Atlas, flood

Edge = tuple[str, str]
EVEN = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
ODD = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


@cache
def around(hex_id: str) -> tuple[str, ...]:
    """The six ids around a hex, on the map or not: even columns stand half a hex higher."""
    column, row = int(hex_id[:2]), int(hex_id[2:])
    return tuple(f"{column + dc:02d}{row + dr:02d}" for dc, dr in (ODD if column % 2 else EVEN))


@cache
def corners(edge: Edge) -> frozenset[frozenset[str]]:
    """The two ends of a hexside, each named by the three hexes that meet there."""
    a, b = edge
    return frozenset(frozenset((a, b, c)) for c in around(a) if c in around(b))


def distance(a: str, b: str) -> int:
    """Hexes from one to the other."""

    def cube(hex_id: str) -> tuple[float, float]:
        column, row = int(hex_id[:2]), int(hex_id[2:])
        height = row - (0 if column % 2 else 0.5)
        return column, height - column / 2

    (q1, r1), (q2, r2) = cube(a), cube(b)
    return int(max(abs(q1 - q2), abs(r1 - r2), abs(q1 + r1 - q2 - r2)))


def pair(a: str, b: str) -> Edge:
    return (a, b) if a < b else (b, a)


class Board:
    """The atlas with its look-up tables."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.hexes = atlas["hexes"]
        self.tables = atlas["tables"]
        self.countries = atlas["countries"]
        self.units = {u["id"]: u for u in atlas["units"]}
        self.rail = {pair(*e) for e in atlas["rail"]}
        self.sides = {pair(s["a"], s["b"]): s["kind"] for s in atlas["hexsides"]}
        self.land = {h for h, v in self.hexes.items() if v["kind"] in ("land", "coast")}
        self.near = {h: [n for n in around(h) if n in self.hexes] for h in self.hexes}
        self.rail_from: dict[str, set[str]] = defaultdict(set)
        for a, b in self.rail:
            self.rail_from[a].add(b)
            self.rail_from[b].add(a)
        self.cities = {v["city"]["name"]: h for h, v in self.hexes.items() if v["city"]}

    def is_wet(self, a: str, b: str) -> bool:
        """Nobody walks across."""
        return self.sides.get(pair(a, b)) in ("all_sea", "lake")

    def stacks(self, units: Iterable[dict[str, Any]]) -> bool:
        """One static unit; one army or three smaller mobile units, all of one nation."""
        everyone = list(units)
        mobile = [u for u in everyone if not u["static"]]
        armies = [u for u in mobile if u["size"] == "XXXX"]
        room = (not armies and len(mobile) <= 3) or (len(armies) == len(mobile) == 1)
        return len(everyone) - len(mobile) <= 1 and room and len({u["country"] for u in mobile}) <= 1

    def out_of_supply(self, scenario: dict[str, Any]) -> Iterator[str]:
        """Mobile units of belligerents that start without supply, with their hex."""
        side = dict.fromkeys(scenario["axis"], "axis") | dict.fromkeys(scenario["allied"], "allied")
        if "Poland" in side:
            side["Danzig"] = side["Poland"]
        places = {k: p["hex"] for k, p in scenario["setup"].items() if self.units[k]["country"] in side}
        held: dict[str, set[str]] = {"axis": set(), "allied": set()}
        zones: dict[str, set[str]] = {"axis": set(), "allied": set()}
        for key, h in places.items():
            owner = side[self.units[key]["country"]]
            held[owner].add(h)
            if self.units[key]["zoc"]:
                zones[owner] |= {
                    n
                    for n in self.near[h]
                    if n in self.land and self.hexes[n]["country"] in side and not self.is_wet(h, n)
                }
        forts = {places[k] for k in places if self.units[k]["type"] == "fortification"}

        def open_to(me: str) -> Callable[[str], bool]:
            foe = "allied" if me == "axis" else "axis"
            return lambda h: (
                h in self.land
                and side.get(self.hexes[h]["country"]) == me
                and h not in held[foe]
                and (h not in zones[foe] or h in held[me])
            )

        ways = {me: open_to(me) for me in held}
        for key, h in places.items():
            unit = self.units[key]
            if not unit["static"] and h not in forts and not self._traces(unit, h, ways[side[unit["country"]]]):
                yield f"{key} in {h}"

    def _traces(self, unit: dict[str, Any], start: str, is_open: Callable[[str], bool]) -> bool:
        country = unit["country"]

        def feeds(h: str) -> bool:
            city = self.hexes[h]["city"]
            return bool(city) and self.hexes[h]["country"] == country and (city["capital"] or city["mobilization"])

        def can_enter(h: str, n: str) -> bool:
            if self.is_wet(h, n) or not is_open(n):
                return False
            by_rail = self.hexes[h]["rail"] and self.hexes[n]["rail"]
            return self.hexes[n]["terrain"] != "mountain" or unit["type"] == "alpine" or by_rail

        reach = ring = {start}
        for _ in range(unit["full"]["move"]):
            ring = {n for h in ring for n in self.near[h] if n not in reach and can_enter(h, n)}
            reach = reach | ring
        if any(feeds(h) for h in reach):
            return True
        line = flood(
            [h for h in reach if self.hexes[h]["rail"]], lambda h: (n for n in self.rail_from[h] if is_open(n))
        )
        return any(feeds(h) or self._is_western_port(h, country) for h in line)

    def _is_western_port(self, h: str, country: str) -> bool:
        city = self.hexes[h]["city"]
        west = country in ("Great Britain", "France")
        return west and bool(city) and city["port"] and "North Sea" in self.hexes[h]["sea_area"]
