"""The board, the counters and the charts, read once and turned into integers (chapters 1, 2 and the printed tables).

A set of hexes is one number (see hexsets.py): columns lie STRIDE bits apart with empty bits between them, so that
nothing runs over the board's edge.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sandtable.board import distance
from sandtable.core import Names
from sandtable.core.bits import bits, mask_of

from .hexsets import Edges, shifted

HOME = Path(__file__).parents[1]
STRIDE = 25
_FIRST_COLUMN = 9
AXIS, ALLIES = 0, 1
NOBODY = -1
SIDES = ("axis", "allies")
PHASES = ("mobilization", "air", "movement", "combat", "return", "surrender")
"""The phases of a player turn, in order.  [mw-4.0-order]"""
MECHANIZED, FOOT, ALPINE = 0, 1, 2
"""How terrain treats a unit."""
ASSAULT, MOBILE = "assault", "mobile"
_PROHIBITED_SIDES = ("all_sea", "lake")


class Unit:
    """One counter as printed."""

    __slots__ = ("air", "alpine", "army", "attack", "bombardment", "combat", "country", "defense", "flak", "fort",
                 "id", "index", "land", "lift", "marines", "mechanized", "mobile", "move", "name", "optional",
                 "pursuit", "range", "reduced", "sf", "size", "start", "static", "steps", "strike", "success",
                 "terrain", "transport", "type", "vp")  # fmt: skip

    def __init__(self, index: int, raw: Mapping[str, Any], country: int, points: Mapping[str, Any]) -> None:
        full, small = raw["full"], raw["reduced"] or raw["full"]
        kind, kind_of = raw["kind"], raw["type"]
        self.index, self.id, self.name, self.country = index, str(raw["id"]), str(raw["name"]), country
        self.type, self.size, self.steps = str(kind_of), str(raw.get("size") or ""), int(raw["steps"])
        self.start, self.reduced, self.optional = raw["start"], bool(raw["setup_reduced"]), bool(raw["optional"])
        self.land, self.air, self.sf = kind == "land", kind == "air", kind == "sf"
        self.strike, self.lift = kind_of == "airstrike", kind_of == "airlift"
        self.transport = kind_of == "naval_transport"
        self.fort, self.flak = kind_of == "fortification", bool(raw.get("flak"))
        self.static = bool(raw.get("static"))
        self.mobile = self.land and not self.static
        self.mechanized = raw["cls"] == "mechanized"
        self.alpine, self.marines, self.army = kind_of == "alpine", kind_of == "marines", self.size == "XXXX"
        self.terrain = MECHANIZED if self.mechanized else ALPINE if self.alpine else FOOT
        self.move = int(full.get("move", 0))
        # Indexed by the steps left: a unit without steps has no strength.
        self.attack = _by_steps(self.steps, full.get("attack", 0), small.get("attack", 0))
        self.defense = _by_steps(self.steps, full.get("defense", 0), small.get("defense", 0))
        self.combat = _by_steps(self.steps, full.get("combat", 0), small.get("combat", 0))
        self.pursuit = _by_steps(self.steps, full.get("pursuit", 0), small.get("pursuit", 0))
        self.range, self.bombardment = int(full.get("range", 0)), int(full.get("bombardment", 0))
        self.success = tuple(full.get("success", ()))
        self.vp = 0
        if self.air:
            self.vp = int(points["eliminated_air"])
        elif self.mechanized and self.size in ("XXX", "XXXX"):
            self.vp = int(points["eliminated_mechanized_army_or_corps"])


def _by_steps(steps: int, full: int, reduced: int) -> tuple[int, ...]:
    return (0, int(reduced), int(full)) if steps == 2 else (0, int(full), int(full))


class Country:
    """A country as the tables have it."""

    __slots__ = ("capital", "cities", "edge", "hexes", "index", "invades", "mobilization", "name", "off_map",
                 "rail_capacity", "receives", "surrenders", "units")  # fmt: skip

    def __init__(self, index: int, raw: Mapping[str, Any]) -> None:
        self.index, self.name = index, str(raw["name"])
        self.capital = NOBODY
        self.mobilization: tuple[int, ...] = ()
        self.cities = self.hexes = self.edge = 0
        self.off_map, self.receives = int(raw["off_map_rp"]), bool(raw["receives_rp"])
        self.rail_capacity = int(raw["rail_capacity"])
        self.surrenders = tuple(raw["surrender_range"] or ())
        self.invades: frozenset[int] = frozenset()
        self.units: tuple[int, ...] = ()


class Plan:
    """A scenario: who stands where in politics, for how long, and the default set-up."""

    __slots__ = ("deployer", "id", "intervention", "neutral", "setup", "sides", "turns")

    def __init__(self, raw: Mapping[str, Any], atlas: Atlas) -> None:
        number = atlas.country_number
        self.id, self.turns = int(raw["id"]), int(raw["turns"])
        self.sides = (
            tuple(number[name] for name in raw["axis"]),
            tuple(number[name] for name in raw["allied"]),
        )
        later = raw["intervention"]
        self.intervention = (
            tuple(number[name] for name in later["axis"]),
            tuple(number[name] for name in later["allied"]),
        )
        self.neutral = tuple(number[name] for name in raw["neutral_at_start"])
        self.deployer = {number[name]: AXIS if by == "axis" else ALLIES for name, by in raw["deployed_by"].items()}
        self.setup = {
            atlas.unit_number[unit]: (atlas.hex_number[at["hex"]], bool(at["reduced"]))
            for unit, at in raw["setup"].items()
        }


class Atlas:
    """All that never changes."""

    def __init__(self, raw: Mapping[str, Any], rules: Mapping[str, Any]) -> None:
        self.rules = rules
        self.tables: Mapping[str, Any] = raw["tables"]
        self.optional: Mapping[str, Any] = raw["optional_rules"]
        self._read_hexes(raw)
        self._read_sides(raw)
        self._read_countries(raw)
        self._read_units(raw)
        self._read_seas()
        self._read_costs()
        self._read_after_combat()
        self.plans = {plan["id"]: Plan(plan, self) for plan in raw["scenarios"]}
        self.by_die = {int(die): int(plan) for die, plan in self.tables["scenario_determination"].items()}
        self.turn_names: tuple[str, ...] = tuple(self.tables["turn_track"])
        self.columns = [column["min"] for column in self.tables["crt_columns"]]
        self.column_names: tuple[str, ...] = tuple(column["name"] for column in self.tables["crt_columns"])
        self.crt = {ASSAULT: _rows(self.tables["crt_assault"]), MOBILE: _rows(self.tables["crt_mobile"])}
        self.interception, self.terror = _rows(self.tables["interception"]), _rows(self.tables["terror"])

    # ---- the map
    def _read_hexes(self, raw: Mapping[str, Any]) -> None:
        hexes = raw["hexes"]
        self.hex_number = {
            name: (face["col"] - _FIRST_COLUMN) * STRIDE + face["row"]
            for name, face in hexes.items()
            if face["kind"] != "offmap"
        }
        self.hex_count = max(self.hex_number.values()) + 1
        self.hex_name = [""] * self.hex_count
        self.faces: list[Mapping[str, Any] | None] = [None] * self.hex_count
        for name, at in self.hex_number.items():
            self.hex_name[at], self.faces[at] = name, hexes[name]
        self.board = mask_of(self.hex_number.values())
        self.sea_hexes = self._where(lambda face: face["kind"] == "sea")
        self.land = self.board & ~self.sea_hexes
        self.coast = self._where(lambda face: face["kind"] == "coast")
        self.cities = self._where(lambda face: bool(face["city"]))
        self.ports = self._where(lambda face: bool(face["city"]) and face["city"]["port"])
        self.fort_symbols = self._where(lambda face: bool(face["fort_symbol"]))
        self.trenches = self._where(lambda face: face["entrenchment"])
        self.mountains = self._where(lambda face: face["terrain"] == "mountain")
        self.marshes = self._where(lambda face: face["terrain"] == "marsh")
        self.rough = self._where(lambda face: face["terrain"] in ("rough", "mountain"))
        self.reich_objectives = self._where(lambda face: bool(face["city"]) and face["city"]["reich_objective"])
        self.east_rail = self._where(lambda face: face["east_edge_rail"])
        self.entry_edges = self._where(lambda face: face["map_edge_entry"])
        self.no_setup = self._where(lambda face: face["country"] == "Danzig")
        letters = self.rules["victory"]["mannerheim"]
        self.mannerheim = self._where(lambda face: bool(face["fort_symbol"]) and face["fort_symbol"]["id"] == letters)
        tec = self.tables["tec"]
        self.terrain_shift = [0] * self.hex_count
        self.alpine_shift = [0] * self.hex_count
        for at in bits(self.land):
            row = tec[self.face(at)["terrain"]]
            self.terrain_shift[at] = row["shift"]
            self.alpine_shift[at] = row.get("shift_vs_alpine", row["shift"])

    def face(self, at: int) -> Mapping[str, Any]:
        found = self.faces[at]
        assert found is not None
        return found

    def _where(self, test: Any) -> int:
        return mask_of(at for at, face in enumerate(self.faces) if face is not None and test(face))

    def neighbours(self, at: int) -> int:
        return self._around[at]

    def distance(self, here: int, there: int) -> int:
        """In hexes."""
        return distance(_axial(here), _axial(there))

    def ring(self, start: int, distance: int) -> int:
        """All hexes of the board that are so many hexes away."""
        q, r = _axial(start)
        found = 0
        for right in range(-distance, distance + 1):
            for down in range(max(-distance, -distance - right), min(distance, distance - right) + 1):
                if max(abs(right), abs(down), abs(right + down)) == distance:
                    row, column = r + down + (q + right) // 2, q + right - _FIRST_COLUMN
                    if 0 <= row < STRIDE and column >= 0:
                        found |= 1 << column * STRIDE + row
        return found & self.board

    def _read_sides(self, raw: Mapping[str, Any]) -> None:
        even = mask_of(at for at in bits(self.board) if (at // STRIDE + _FIRST_COLUMN) % 2 == 0)
        odd = self.board & ~even
        self.even_columns, self.odd_columns = even, odd
        steps = [(1, self.board), (-1, self.board), (STRIDE, self.board), (-STRIDE, self.board),
                 (STRIDE - 1, even), (-STRIDE - 1, even), (STRIDE + 1, odd), (-STRIDE + 1, odd)]  # fmt: skip
        self.all_edges: Edges = tuple((shift, _back(self.board, shift) & origins) for shift, origins in steps)
        self._around = [shifted(1 << at, self.all_edges) if self.faces[at] else 0 for at in range(self.hex_count)]
        number = self.hex_number
        self.hexside: dict[tuple[int, int], str] = {}
        for side in raw["hexsides"]:
            if side["a"] in number and side["b"] in number:
                a, b = number[side["a"]], number[side["b"]]
                self.hexside[a, b] = self.hexside[b, a] = side["kind"]
        self.rail_links: set[tuple[int, int]] = set()
        for first, second in raw["rail"]:
            a, b = number[first], number[second]
            self.rail_links |= {(a, b), (b, a)}
        self.rail = mask_of(a for a, _ in self.rail_links)
        self.rail_next = [0] * self.hex_count
        """By hex: the hexes next to it along the railroad."""
        for a, b in self.rail_links:
            self.rail_next[a] |= 1 << b
        self.land_edges = self.edges_where(
            lambda a, b: self.land >> a & self.land >> b & 1 and self.hexside.get((a, b)) not in _PROHIBITED_SIDES
        )
        self.rail_edges = self.edges_where(lambda a, b: (a, b) in self.rail_links)
        # A zone of control does not cross an all-sea or lake hexside.
        self.zone = [shifted(1 << at, self.land_edges) if self.faces[at] else 0 for at in range(self.hex_count)]
        self.wet_sides = {pair for pair, kind in self.hexside.items() if kind in ("river", "bridge")}

    def edges_where(self, test: Any) -> Edges:
        """The steps (a, b) that pass the test, as shifts."""
        out = []
        for shift, origins in self.all_edges:
            kept = mask_of(at for at in bits(origins) if test(at, at + shift))
            if kept:
                out.append((shift, kept))
        return tuple(out)

    # ---- countries and counters
    def _read_countries(self, raw: Mapping[str, Any]) -> None:
        names = [name for name in raw["countries"] if name != "Danzig"]
        self.country_number = {name: place for place, name in enumerate(names)}
        self.countries = [Country(place, raw["countries"][name]) for name, place in self.country_number.items()]
        self.country_of = [NOBODY] * self.hex_count
        danzig = self.country_number["Poland"]  # the Free City is closed while Poland is neutral and then is Polish
        for at in bits(self.land):
            name = self.face(at)["country"]
            self.country_of[at] = danzig if name == "Danzig" else self.country_number[name]
        for country in self.countries:
            source = raw["countries"][country.name]
            if source["capital_hex"]:
                country.capital = self.hex_number[source["capital_hex"]]
            country.mobilization = tuple(self.hex_number[name] for name in source["mobilization_hexes"])
            country.cities = mask_of(at for at in (country.capital, *country.mobilization) if at != NOBODY)
            country.hexes = mask_of(at for at in bits(self.land) if self.country_of[at] == country.index)
            country.edge = country.hexes & self.entry_edges if source["map_edge_reinforcement"] else 0
            country.invades = frozenset(self.country_number[name] for name in source.get("may_invade", ()))
        self.rail_home = [self.country_of[at] if self.rail >> at & 1 else NOBODY for at in range(self.hex_count)]
        self.key_cities = functools.reduce(lambda a, c: a | c.cities, self.countries, 0)

    def _read_units(self, raw: Mapping[str, Any]) -> None:
        points = self.tables["victory_points"]
        self.units = [
            Unit(place, unit, self.country_number[unit["country"]], points) for place, unit in enumerate(raw["units"])
        ]
        self.unit_number = {unit.id: unit.index for unit in self.units}
        for country in self.countries:
            country.units = tuple(unit.index for unit in self.units if unit.country == country.index)
        self.land_units = tuple(unit.index for unit in self.units if unit.land)
        self.mobile_units = tuple(unit.index for unit in self.units if unit.mobile)
        self.support_units = tuple(unit.index for unit in self.units if not unit.land)
        self.transports = tuple(unit.index for unit in self.units if unit.transport)
        self.lifts = tuple(unit.index for unit in self.units if unit.lift)
        self.special_forces = tuple(unit.index for unit in self.units if unit.sf)
        self.air_units = tuple(unit.index for unit in self.units if unit.air)
        self.is_land = [unit.land for unit in self.units]

    def _read_seas(self) -> None:
        """Per country: (hexes of the sea, the hex whose loss shuts it or NOBODY)."""
        named: dict[str, int] = {}
        for at in bits(self.board):
            for sea in self.face(at)["sea_area"]:
                named[sea] = named.get(sea, 0) | 1 << at
        self.seas: dict[int, list[tuple[str, int, int]]] = {}
        self.fire_only = [0] * len(self.countries)
        """[mw-18.1-c] By country: coasts of no friendly sea that its fleets may bombard all the same."""
        for row in self.rules["sea"]:
            hexes = named[row["sea"]]
            if "only" in row:
                hexes = mask_of(self.hex_number[name] for name in row["only"])
            if row.get("fire_only"):
                self.fire_only[self.country_number[row["country"]]] |= hexes
                continue
            shut = self.hex_number[row["shut_by"]] if "shut_by" in row else NOBODY
            self.seas.setdefault(self.country_number[row["country"]], []).append((row["sea"], hexes, shut))

    def _read_costs(self) -> None:
        """[mw-table-tec] Steps by their cost in half movement factors, per terrain class and weather."""
        tec = self.tables["tec"]
        cold = [self.countries[self.country_number[name]] for name in self.rules["storm"]["countries"]]
        stormy = functools.reduce(lambda hexes, country: hexes | country.hexes, cold, 0)
        words = ("mech", "nonmech", "alpine")

        def cost(kind: int, storm: bool, a: int, b: int) -> int | None:
            if not (self.land >> a & self.land >> b & 1) or self.hexside.get((a, b)) in _PROHIBITED_SIDES:
                return None
            snow = storm and stormy >> b & 1
            if (a, b) in self.rail_links:
                return int(2 * (tec["storm"]["road_ussr"] if snow else tec["railroad"]["mech"]))
            terrain = self.face(b)["terrain"]
            row = tec[terrain]
            factor = row.get(words[kind], row["nonmech"])
            if factor is None:
                return None
            if snow and f"{terrain}_ussr" in tec["storm"]:
                factor = max(factor, tec["storm"][f"{terrain}_ussr"])
            side = self.hexside.get((a, b))
            if side in ("river", "bridge"):
                factor += tec["river"]["extra_mech" if kind == MECHANIZED else "extra_nonmech"]
            return int(2 * factor)

        self.trench_cost = 2 * int(tec["entrenchment"]["extra_cost_enemy"])
        self.moves: dict[tuple[int, bool], tuple[tuple[int, int, Edges], ...]] = {}
        """By terrain class and weather: (cost, hexes it can be paid in, steps), cheapest first."""
        self.ways_in: dict[tuple[int, bool], list[tuple[tuple[int, int], ...]]] = {}
        """By terrain class and weather, for each hex: (hex next to it, half factors from there)."""
        self.ways_out: dict[tuple[int, bool], list[tuple[tuple[int, int], ...]]] = {}
        """The same the other way round, for each hex: (half factors, the hexes they lead to), cheapest first."""
        self.enterable: dict[int, Edges] = {}
        for kind in (MECHANIZED, FOOT, ALPINE):
            for storm in (False, True):
                found: dict[int, dict[int, int]] = {}
                ways: list[list[tuple[int, int]]] = [[] for _ in range(self.hex_count)]
                for shift, origins in self.all_edges:
                    for at in bits(origins & self.land & _back(self.land, shift)):
                        price = cost(kind, storm, at, at + shift)
                        if price is not None:
                            row = found.setdefault(price, {})
                            row[shift] = row.get(shift, 0) | 1 << at
                            ways[at + shift].append((at, price))
                self.ways_in[kind, storm] = [tuple(sorted(row)) for row in ways]
                self.ways_out[kind, storm] = _by_price(ways)
                self.moves[kind, storm] = tuple(
                    (price, functools.reduce(lambda a, b: a | b, found[price].values()), tuple(found[price].items()))
                    for price in sorted(found)
                )
            paid: dict[int, int] = {}
            for _, _, steps in self.moves[kind, False]:
                for shift, origins in steps:
                    paid[shift] = paid.get(shift, 0) | origins
            self.enterable[kind] = tuple((shift, paid[shift]) for shift, _ in self.all_edges if shift in paid)
        self.near = {kind: [shifted(1 << at, edges) for at in range(self.hex_count)]
                     for kind, edges in self.enterable.items()}  # fmt: skip
        """By terrain class, for each hex: the hexes next to it that can be entered from there."""

    def _read_after_combat(self) -> None:
        """[mw-19.0-mountain-b] Where advances and retreats can go: no railroad takes them into mountains."""
        self.after_combat = {
            kind: near if kind == ALPINE else [hexes & ~self.mountains for hexes in near]
            for kind, near in self.near.items()
        }
        """By terrain class, for each hex: the hexes next to it."""

    def step_cost(self, kind: int, storm: bool, a: int, b: int) -> int | None:
        """Half factors that a step takes; None where there is no way."""
        return dict(self.ways_in[kind, storm][b]).get(a)


def _by_price(ways_in: list[list[tuple[int, int]]]) -> list[tuple[tuple[int, int], ...]]:
    out: list[dict[int, int]] = [{} for _ in ways_in]
    for there, row in enumerate(ways_in):
        for here, price in row:
            out[here][price] = out[here].get(price, 0) | 1 << there
    return [tuple(sorted(row.items())) for row in out]


def _rows(table: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """A chart by die: row 0 stays empty."""
    return [(), *(tuple(table["rows"][str(die)]) for die in range(1, 7))]


def _back(mask: int, shift: int) -> int:
    return mask >> shift if shift > 0 else mask << -shift


def _axial(at: int) -> tuple[int, int]:
    column, row = at // STRIDE + _FIRST_COLUMN, at % STRIDE
    return column, row - column // 2


@functools.cache
def atlas() -> Atlas:
    """The atlas, read once."""
    raw = json.loads((HOME / "data" / "atlas.json").read_text(encoding="utf-8"))
    rules = tomllib.loads((HOME / "data" / "rules.toml").read_text(encoding="utf-8"))
    return Atlas(raw, rules)


ATLAS = atlas()
COUNTRY = tuple(unit.country for unit in ATLAS.units)
"""By unit: its country."""
IDS = tuple(unit.id for unit in ATLAS.units)
OFF_MAP_COUNTRY = ATLAS.country_number[ATLAS.rules["off_map_rail"]["country"]]
"""The country with railroads off the map.  [mw-8.6.1-a]"""
HEXES = Names(ATLAS.hex_name.__getitem__, ATLAS.hex_number.get)


def hex_name(at: int) -> str:
    return ATLAS.hex_name[at]


def names_of(path: Iterable[int]) -> tuple[str, ...]:
    """Hexes in the order given, by name."""
    return tuple([ATLAS.hex_name[at] for at in path])
