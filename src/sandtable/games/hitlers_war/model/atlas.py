"""The board and its fixed facts as whole numbers: spaces, countries, hexsides, waters. Made once, never changed.

Spaces are the hexes of the map followed by the off-map boxes that can hold armies. `waters` are pairs of a space and
a sea: a sea hex has one, a coastal hex one for each sea it touches, so that passing from one sea to another is a link
of its own, which the holder of its gate can close.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from sandtable.board import distance, neighbours
from sandtable.core import Names

HOME: Final = Path(__file__).parents[1]
AXIS, SOVIET, ALLIES, NOBODY, CLOSED, WATER = range(6)
"""Who holds a space: three sides, nobody yet, nobody ever, and the sea."""
SIDES: Final = ("axis", "soviet", "allies")
CHART_SIDES: Final = ("axis", "soviet", "allied")
"""What the charts call the sides."""
ENEMIES: Final = ((SOVIET, ALLIES), (AXIS,), (AXIS,))
INF, MECH, AIR, PARA, AMPH = range(5)
KINDS: Final = ("infantry", "mechanized", "tac_air", "paratroop", "amphibious")
ARMIES: Final = 12
PLAIN, PARTIAL, CROSSING, FULL_SEA = range(4)
"""Kinds of hexside: land, land and sea, a strait with an arrow, nothing but sea."""
GATE = 4
"""A link between the two waters of one space, or over a sea border."""


def side_number(name: str) -> int:
    """Return the number of a side, by the name of its role or of the charts."""
    return CHART_SIDES.index(name) if name in CHART_SIDES else SIDES.index(name)


class Link:
    """One step of a sea route between two waters."""

    __slots__ = ("a", "b", "gate", "kind", "length", "number")

    def __init__(self, a: int, b: int, kind: int, length: int, gate: int = -1) -> None:
        self.a, self.b, self.kind, self.length, self.gate = a, b, kind, length, gate
        self.number = -1


class Country:
    """A country: its spaces, capitals, colour and home forces."""

    __slots__ = ("capitals", "colour", "home_forces", "index", "mainland", "name", "parent", "spaces")

    def __init__(self, index: int, name: str, data: dict[str, Any], spaces: tuple[int, ...], capitals: tuple[int, ...],
                 home_forces: int) -> None:  # fmt: skip
        self.index, self.name, self.spaces, self.capitals = index, name, spaces, capitals
        self.colour: str = data["colour"]
        self.home_forces = home_forces
        self.parent = index
        """The country it belongs to or follows in politics: itself for most."""
        self.mainland: tuple[int, ...] = spaces


class Atlas:
    """Everything printed on the board."""

    def __init__(self, folder: Path) -> None:
        data: dict[str, Any] = json.loads((folder / "atlas.json").read_text(encoding="utf-8"))
        self.rules: dict[str, Any] = tomllib.loads((folder / "rules.toml").read_text(encoding="utf-8"))
        self.tables: dict[str, Any] = data["tables"]
        self.scenarios: dict[str, Any] = data["scenarios"]
        hexes: dict[str, Any] = data["hexes"]
        boxes = {name: box for name, box in data["boxes"].items() if box["country"]}
        self.names: tuple[str, ...] = (*hexes, *boxes)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.hex_count = len(hexes)
        every = [*hexes.values(), *boxes.values()]
        self.is_sea = tuple(one["kind"] == "sea" for one in every)
        self.is_box = tuple(number >= self.hex_count for number in range(len(every)))
        self.mountain = tuple(one.get("terrain") == "mountain" for one in every)
        self.production = tuple(int(one["production"]) for one in every)
        self.port = tuple(bool(one.get("port")) for one in every)
        self.depot = tuple(bool(one.get("lend_lease")) for one in every)
        self.title = tuple(str(one.get("name") or name) for name, one in zip(self.names, every, strict=True))
        self.land = tuple(number for number in range(len(every)) if not self.is_sea[number])
        self._read_countries(data["countries"], every)
        self._read_sides(data, boxes)
        self._read_waters(data, every)
        self.turns: tuple[str, ...] = ("", *(row["name"] for row in self.tables["time_record"]))
        """Names of the seasons; the first is number 1."""
        self.winter: tuple[bool, ...] = (False, *(row["season"] == "winter" for row in self.tables["time_record"]))
        self.turn_number = {name: number for number, name in enumerate(self.turns)}
        self.army_names: tuple[str, ...] = tuple(name for side in CHART_SIDES for name in self.tables["armies"][side])
        self.army_index = {name: number for number, name in enumerate(self.army_names)}

    # ---- reading
    def _read_countries(self, countries: dict[str, Any], every: list[dict[str, Any]]) -> None:
        forces = self.tables["unaligned_forces"]
        self.countries: list[Country] = []
        self.country_index = {name: number for number, name in enumerate(countries)}
        for name, data in countries.items():
            spaces = tuple(self.index[at] for at in (*data["hexes"], *data.get("boxes", ())))
            home = int(forces.get(name, {}).get("infantry", 0))
            capitals = tuple(self.index[at] for at in data["capitals"])
            self.countries.append(Country(self.country_index[name], name, data, spaces, capitals, home))
        for name, data in countries.items():
            parent = data.get("part_of") or data.get("ally_of")
            if parent:
                self.countries[self.country_index[name]].parent = self.country_index[parent]
        self.country_of = tuple(self.country_index[one["country"]] if one["country"] else -1 for one in every)
        """Per space: the country it belongs to; -1 at sea."""
        self.group_of = tuple(self.countries[c].parent if c >= 0 else -1 for c in self.country_of)
        """Per space: the country that decides for it in politics."""
        self.groups: dict[int, tuple[int, ...]] = {
            c.index: tuple(x for other in self.countries if other.parent == c.index for x in other.spaces)
            for c in self.countries
            if c.parent == c.index
        }

    def _read_sides(self, data: dict[str, Any], boxes: dict[str, Any]) -> None:
        printed = {frozenset((self.index[side["a"]], self.index[side["b"]])): side["kind"] for side in data["hexsides"]}
        words = {"partial": PARTIAL, "crossing": CROSSING, "sea": FULL_SEA}
        around = neighbours(self._axial)
        around.extend([] for _ in boxes)
        self.hexside: dict[tuple[int, int], int] = {}
        for x in range(self.hex_count):
            for y in around[x]:
                kind = words.get(printed.get(frozenset((x, y)), ""), PLAIN)
                if self.is_sea[x] or self.is_sea[y]:
                    kind = FULL_SEA
                self.hexside[x, y] = kind
        for name, box in boxes.items():
            for hex_name in box.get("adjacent_hexes", ()):
                x, y = self.index[name], self.index[hex_name]
                around[x].append(y)
                around[y].append(x)
                self.hexside[x, y] = self.hexside[y, x] = PLAIN
        self.around = tuple(tuple(row) for row in around)
        """Per space: every neighbour, over land or sea."""

        def by(kinds: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
            return tuple(tuple(y for y in row if self.hexside[x, y] in kinds) for x, row in enumerate(self.around))

        self.walk = by((PLAIN, PARTIAL, CROSSING))
        """Where strength points may go on foot."""
        self.step = by((PLAIN, PARTIAL))
        """Where armies may attack and retreat everywhere: over land."""
        self.strait = by((CROSSING,))
        self.retreat_box = tuple(x < self.hex_count or bool(boxes[self.names[x]].get("retreat_allowed"))
                                 for x in range(len(self.names)))  # fmt: skip

    def _read_waters(self, data: dict[str, Any], every: list[dict[str, Any]]) -> None:
        self.seas: tuple[str, ...] = tuple(data["seas"])
        sea_index = {name: number for number, name in enumerate(self.seas)}
        touching: list[list[int]] = [[sea_index[sea] for sea in one["seas"]] for one in every]
        own_sea: dict[frozenset[int], int] = {}
        for side in data["hexsides"]:
            if "sea" in side:
                a, b, sea = self.index[side["a"]], self.index[side["b"]], sea_index[side["sea"]]
                own_sea[frozenset((a, b))] = sea
                for x in (a, b):
                    if sea not in touching[x]:
                        touching[x].append(sea)
        self.waters: list[tuple[int, int]] = [(x, sea) for x, seas in enumerate(touching) for sea in seas]
        self.water_index = {water: number for number, water in enumerate(self.waters)}
        self.waters_of = tuple(tuple(self.water_index[x, sea] for sea in seas) for x, seas in enumerate(touching))
        self.links: list[Link] = []
        borders: dict[frozenset[int], int] = {}
        for border in data["sea_borders"]:
            gate = self.index[border["controlling"]]
            for a, b in border["hexsides"]:
                borders[frozenset((self.index[a], self.index[b]))] = gate
            if not border.get("ships_only"):
                self._gate_inside(gate, [sea_index[sea] for sea in border["between"]])
        self.canals = tuple(
            (self.index[border["controlling"]], *(sea_index[sea] for sea in border["between"]))
            for border in data["sea_borders"]
            if border.get("ships_only")
        )
        """Passages for ships alone: (space, sea, sea)."""
        for (x, y), kind in self.hexside.items():
            if x < y and kind != PLAIN:
                self._link_over(x, y, kind, touching, own_sea, borders)
        for arrow in data["sea_arrows"]:
            sea = sea_index[arrow["sea"]]
            a, b = self.water_index[self.index[arrow["from"]], sea], self.water_index[self.index[arrow["to"]], sea]
            self.links.append(Link(a, b, FULL_SEA, int(arrow["length"])))
        self.sail: list[list[tuple[int, Link]]] = [[] for _ in self.waters]
        for number, link in enumerate(self.links):
            link.number = number
            self.sail[link.a].append((link.b, link))
            self.sail[link.b].append((link.a, link))

    def _gate_inside(self, gate: int, seas: list[int]) -> None:
        """A space that touches both seas has a gate between its two waters."""
        waters = [self.water_index[gate, sea] for sea in seas if (gate, sea) in self.water_index]
        if len(waters) == 2:
            self.links.append(Link(waters[0], waters[1], GATE, 0, gate))

    def _link_over(self, x: int, y: int, kind: int, touching: list[list[int]], own_sea: dict[frozenset[int], int],
                   borders: dict[frozenset[int], int]) -> None:  # fmt: skip
        pair = frozenset((x, y))
        length = 1 if kind == FULL_SEA else 0
        shared = [own_sea[pair]] if pair in own_sea else [sea for sea in touching[x] if sea in touching[y]]
        for sea in shared:
            self.links.append(Link(self.water_index[x, sea], self.water_index[y, sea], kind, length))
        if not shared and pair in borders:
            a, b = self.water_index[x, touching[x][0]], self.water_index[y, touching[y][0]]
            self.links.append(Link(a, b, kind, length, borders[pair]))

    # ---- asking
    def spaces(self, names: list[str] | tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.index[name] for name in names)

    def place(self, name: str) -> int:
        """A space that the rules name."""
        return self.index[self.rules["places"][name]]

    def turn(self, event: str) -> int:
        """The season in which something dated happens."""
        return self.turn_number[self.rules["time"][event]]

    @cached_property
    def _axial(self) -> list[tuple[int, int]]:
        """Rows are letters from the south, and every second row sits half a hex further east."""
        rows = [(ord(name[0]) - ord("A") + 1, int(name[1:])) for name in self.names[: self.hex_count]]
        return [(number + row // 2, -row) for row, number in rows]

    @cache  # noqa: B019 (there is one atlas)
    def within(self, space: int, reach: int) -> tuple[int, ...]:
        """Every hex at most so many hexes away, counted over land and sea."""
        if self.is_box[space]:
            return (space,)
        here = self._axial[space]
        return tuple(other for other, there in enumerate(self._axial) if distance(here, there) <= reach)

    def distance(self, a: int, b: int) -> int:
        """Hexes between two hexes of the map."""
        return distance(self._axial[a], self._axial[b])


ATLAS: Final = Atlas(HOME / "data")
FIREPOWER: Final[tuple[tuple[int, ...], ...]] = (
    (),
    *((0, *ATLAS.tables["firepower"]["cells"][str(die)]) for die in range(1, 8)),
)
"""Losses by modified die (1 to 7) and firing strength (0 to 10)."""
_CELLS = ATLAS.tables["advance"]["cells"]
ADVANCE: Final[tuple[tuple[int, ...], ...]] = tuple(
    (*(int(_CELLS[str(mech)][str(k)]) for k in range(11)), int(_CELLS[str(mech)]["friendly"])) for mech in range(11)
)
"""Highest die that succeeds, by strength (0 to 10) and defence (0 to 10; the last column is a friendly hex)."""
FRIENDLY_COLUMN: Final = 11
STACK: Final[int] = ATLAS.tables["limits"]["stacking"]
FORTS: Final[int] = ATLAS.tables["limits"]["forts_per_side"]
MISSILES: Final[int] = ATLAS.tables["limits"]["missile_counters"]
GARRISON: Final[int] = ATLAS.tables["limits"]["garrison"]
SPACES: Final = Names.of(ATLAS.names)
ARMY_NAMES: Final = Names.of(ATLAS.army_names)
KIND: Final = {name: number for number, name in enumerate(KINDS)}


def losses_for(strength: int, modified: int) -> int:
    """Losses on the table; the die counts as 1 below 1 and as 7 above 7.  [hw-firepower-table]
    [hw-firepower-note-die]"""
    return FIREPOWER[min(max(modified, 1), 7)][strength]
