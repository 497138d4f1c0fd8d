"""The board and its fixed facts as numbers: spaces, borders, fronts, powers, countries, tables."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from sandtable.core import Names

from .kinds import Kinds

HOME = Path(__file__).parents[1]
AXIS, ALLIES = 0, 1
SIDES = ("axis", "allies")
NEUTRAL = 6
"""The owner of neutral land, and of units that belong to nobody who plays."""
NOBODY = -1
OWNERS = range(NEUTRAL + 1)
"""All to whom land may belong."""
LAND_KIND, SEA_KIND, PORT_KIND = range(3)
NO_FEATURE, RIVER, STRAIT, CANAL = range(4)
_FEATURES = {"river": RIVER, "strait": STRAIT, "canal": CANAL}
WOODLAND, MOUNTAIN, IMPASSABLE, DESERT = 1, 2, 4, 8
_TERRAIN = {"woodland": WOODLAND, "mountains": MOUNTAIN, "impassable_mountains": IMPASSABLE, "desert": DESERT}
NO_FLAG, MINOR_FLAG, MAJOR_FLAG = range(3)
FACTORY, RESOURCE = 1, 2


class Atlas:
    """All that never changes, by number. Names come in and go out at the edges."""

    def __init__(self, data: dict[str, Any], rules: dict[str, Any]) -> None:
        self.data = data
        self.rules = data["special_rules"]
        self.house = rules
        """Rulings that are numbers or lists and stand in no printed table."""
        self._powers(data["powers"])
        self._spaces(data["spaces"])
        self._links(data["links"])
        self._countries(data["minors"], data["powers"])
        self.kinds = Kinds(data["units"], data["tech_units"])
        self.fronts = tuple(data["fronts"])
        self.front_index = {name: number for number, name in enumerate(self.fronts)}
        self.front_of = tuple(
            tuple(self.front_index[name] for name in row["fronts"]) for row in data["spaces"].values()
        )
        self.front_land = tuple(
            tuple(s for s in self.land if number in self.front_of[s]) for number in range(len(self.fronts))
        )
        self.front_spaces = tuple(
            tuple(s for s in range(len(self.names)) if number in self.front_of[s]) for number in range(len(self.fronts))
        )
        self._tables()

    # ---- who
    def _powers(self, powers: dict[str, Any]) -> None:
        self.powers = tuple(powers)
        self.power_index = {name: number for number, name in enumerate(self.powers)}
        self.side = (*(SIDES.index(row["side"]) for row in powers.values()), NOBODY)
        self.germany, self.italy, self.france = (self.power_index[name] for name in ("germany", "italy", "france"))
        self.britain, self.usa, self.ussr = (self.power_index[name] for name in ("great_britain", "usa", "ussr"))
        self.group = (*(2 if number == self.ussr else self.side[number] for number in range(len(self.powers))), NOBODY)
        """Axis 0, western Allies 1, Soviets 2: who may use whose land."""
        self.group_powers = tuple(
            tuple(number for number in range(len(self.powers)) if self.group[number] == group) for group in range(3)
        )
        self.side_powers = tuple(
            tuple(self.power_index[name] for name in self.house["speakers"][side]) for side in SIDES
        )
        self.limits = tuple(row["limits"] for row in powers.values())
        self.forces = tuple({row["id"]: row for row in powers[name]["special_forces"]} for name in powers)

    # ---- where
    def _spaces(self, spaces: dict[str, Any]) -> None:
        self.names = tuple(spaces)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.told = tuple(f"@{name}" for name in self.names)
        """Spaces as events and refusals name them."""
        rows = list(spaces.values())
        self.space_kind = tuple({"land": LAND_KIND, "sea": SEA_KIND, "port": PORT_KIND}[row["kind"]] for row in rows)
        self.land = tuple(n for n, kind in enumerate(self.space_kind) if kind == LAND_KIND)
        self.ports = tuple(n for n, kind in enumerate(self.space_kind) if kind == PORT_KIND)
        self.is_land = tuple(kind == LAND_KIND for kind in self.space_kind)
        self.is_port = tuple(kind == PORT_KIND for kind in self.space_kind)
        self.is_water = tuple(kind != LAND_KIND for kind in self.space_kind)
        self.land_of_port = tuple(self.index[row["port_of"]] if row["port_of"] else NOBODY for row in rows)
        self.land_at = tuple(n if self.is_land[n] else self.land_of_port[n] for n in range(len(rows)))
        """Per space the land space of a port, or the land space itself; -1 at sea."""
        self.port_of_land = tuple(self.index[row["port"]] if row["port"] else NOBODY for row in rows)
        self.value = tuple(int(row["value"]) for row in rows)
        self.feature = tuple({"factory": FACTORY, "nrz": RESOURCE}.get(row["feature"], 0) for row in rows)
        self.flag = tuple({"major": MAJOR_FLAG, "minor": MINOR_FLAG}.get(row["flag"], NO_FLAG) for row in rows)
        self.terrain = tuple(sum(_TERRAIN.get(name, 0) for name in row["terrain"]) for row in rows)
        self.homeland = tuple(self.power_index.get(row["homeland"] or "", NOBODY) for row in rows)
        self.blue = tuple(bool(row["blue_border"]) for row in rows)
        self.multi_front = tuple(bool(row["multi_front"]) for row in rows)
        self.capital = tuple(self.index[self.data["powers"][name]["capital"]] for name in self.powers)

    def _links(self, links: list[dict[str, Any]]) -> None:
        feature = [next((_FEATURES[f] for f in row["features"] if f in _FEATURES), NO_FEATURE) for row in links]
        gate = [tuple(self.index[name] for name in row.get("gate", ())) for row in links]
        size = len(self.names)
        land: list[list[tuple[int, int, int]]] = [[] for _ in range(size)]
        sea: list[list[tuple[int, int, tuple[int, ...]]]] = [[] for _ in range(size)]
        air: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        coast: list[list[int]] = [[] for _ in range(size)]
        self.crossing: dict[tuple[int, int], int] = {}
        for number, row in enumerate(links):
            a, b, cost = self.index[row["a"]], self.index[row["b"]], row["cost"]
            for here, there in ((a, b), (b, a)):
                air[here].append((there, cost))
                if row["kind"] == "land":
                    land[here].append((there, cost, feature[number]))
                    self.crossing[here, there] = feature[number]
                elif row["kind"] == "sea":
                    sea[here].append((there, cost, gate[number]))
                else:
                    coast[here].append(there)
        self.land_links = tuple(tuple(row) for row in land)
        self.sea_links = tuple(tuple(row) for row in sea)
        self.air_links = tuple(tuple(row) for row in air)
        self.coast = tuple(tuple(row) for row in coast)
        """Per land space the waters that touch it, per water the land it touches."""

    def _countries(self, minors: dict[str, Any], powers: dict[str, Any]) -> None:
        self.minors = tuple(minors)
        self.minor_index = {name: number for number, name in enumerate(self.minors)}
        rows = list(minors.values())
        self.minor_spaces = tuple(tuple(self.index[s] for s in row["spaces"]) for row in rows)
        self.minor_capital = tuple(self.index[row["capital"]] if row["capital"] else NOBODY for row in rows)
        self.minor_forces = tuple(row["neutral_forces"] for row in rows)
        self.minor_joins = tuple(row.get("joins", {}).get("when", "") for row in rows)
        self.vichy = self.minor_index["vichy_france"]
        vichy = minors["vichy_france"]
        self.colonies = tuple(self.minor_index[name] for name in vichy["colonies_attacked_separately"])
        self.minor_of = [NOBODY] * len(self.names)
        for number, spaces in enumerate(self.minor_spaces):
            if number != self.vichy:
                for space in spaces:
                    self.minor_of[space] = number
        self.country = tuple(row["country"] for row in self.data["spaces"].values())

    def _tables(self) -> None:
        found = self.rules["interception"]
        self.interception = tuple(found[str(distance)] for distance in range(6))
        self.limit = self.rules["stack_limits"]
        self.brown = frozenset(s for s in self.land if self.homeland[s] == self.ussr)
        pact = self.rules["pact"]
        self.pact_german = tuple(self.index[name] for name in pact["german_spaces"])
        self.pact_soviet = tuple(self.index[name] for name in pact["soviet_spaces"])
        poland = self.minor_spaces[self.minor_index["poland"]]
        self.poland = poland
        self.techs = tuple(self.data["tech"]["technologies"])
        self.tech_index = {name: number for number, name in enumerate(self.techs)}
        self.tech_of_kind: dict[int, tuple[int, ...]] = {
            self.kinds.index[name]: tuple(self.tech_index[tech] for tech in needs)
            for name, needs in self.house["unlocks"].items()
        }
        """Which technologies an improved kind of unit needs."""
        self.leaders = tuple(
            (self.power_index[power], row) for power, body in self.data["powers"].items() for row in body["leaders"]
        )
        self.leader_names = tuple(row["name"] for _, row in self.leaders)


def load() -> Atlas:
    """The atlas from the data files."""
    data = json.loads((HOME / "data" / "atlas.json").read_text(encoding="utf-8"))
    rules = tomllib.loads((HOME / "data" / "rules.toml").read_text(encoding="utf-8"))
    return Atlas(data, rules)


ATLAS = load()
SPACES, POWERS = Names.of(ATLAS.names), Names.of(ATLAS.powers)
"""What actions call spaces and powers."""
