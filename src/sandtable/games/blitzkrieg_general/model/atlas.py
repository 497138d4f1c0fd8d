"""The board, the counters, the countries, the cards and the printed tables as integers, read once from
data/atlas.json."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

HOME: Final = Path(__file__).parents[1]

# ---- classes of units, in the order of the battle chart's symbols
INF, ARM, HQ, NAVAL_HQ, AIR, TF, CONVOY, SUB = range(8)
TYPES: Final = ("inf", "arm", "hq", "naval_hq", "air", "tf", "conv", "sub")
LENT: Final = ("US", "F")
"""Marks of counters that another country may build."""
LAND_TYPES: Final = frozenset((INF, ARM, HQ, NAVAL_HQ))
SHIP_TYPES: Final = frozenset((TF, CONVOY, SUB))

# ---- kinds of spaces
AREA, ISLAND, SEA = range(3)

# ---- borders between areas: bits
RIVER, MOUNTAIN_BORDER, SWAMP_BORDER, FORTRESS_SIDE = 1, 2, 4, 8

AXIS, ALLIES = 0, 1
SIDES: Final = ("axis", "allies")
MAJORS: Final = ("germany", "italy", "japan", "be", "usa", "ussr", "france", "china")
GERMANY, ITALY, JAPAN, BE, USA, USSR, FRANCE, CHINA = range(8)


class Kind:
    """One kind of counter: all its copies are alike."""

    __slots__ = ("back", "build_quarters", "cost", "front", "id", "nation", "repair_cost", "tag", "type", "units")

    def __init__(self, ident: str, nation: int, kind: int, front: int, back: int | None, tag: str) -> None:
        self.id, self.nation, self.type, self.front, self.back, self.tag = ident, nation, kind, front, back, tag
        self.units: list[int] = []
        self.cost = self.build_quarters = self.repair_cost = 0


class Atlas:
    """All that never changes. Spaces, nations, units and cards are numbered; `*_ids` turn numbers into names."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._nations(data)
        self._spaces(data)
        self._links(data)
        self._units(data)
        self._cards(data)
        self._tables(data)

    def _nations(self, data: dict[str, Any]) -> None:
        countries = data["countries"]
        self.nation_ids: tuple[str, ...] = (*MAJORS, *(n for n in countries if n not in MAJORS))
        self.nation_of: dict[str, int] = {n: i for i, n in enumerate(self.nation_ids)}
        self.everybody = (1 << len(self.nation_ids)) - 1
        """All nations, as bits."""
        self.vichy_nation = self.nation_of["vichy_france"]
        self.trust_nation = self.nation_of["usa_trust"]
        self.poland = self.nation_of["poland"]
        self.bnl = self.nation_of["bnl"]
        self.bulgaria = self.nation_of["bulgaria"]
        self.axis_minors = tuple(self.nation_of[n] for n, c in countries.items() if c["kind"] == "axis_minor")
        self.is_country = [countries[n]["kind"] in ("major", "axis_minor", "neutral") for n in self.nation_ids]
        self.boss = {SIDES.index(countries[n]["boss_of"]): self.nation_of[n] for n in MAJORS if countries[n]["boss_of"]}
        self.british_homes: tuple[str, ...] = tuple(countries["be"]["homes"])
        self.home_letter = [countries["be"]["homes"][home]["letter"] or "" for home in self.british_homes]
        self.rail_homes = tuple(countries["be"]["rail_where"])
        self.peace_production = {USSR: int(countries["ussr"]["peace_production"])}

    def _spaces(self, data: dict[str, Any]) -> None:
        spaces = data["spaces"]
        self.space_ids: tuple[str, ...] = tuple(spaces)
        self.space_names = ["@" + ident for ident in self.space_ids]
        """Spaces as facts of events and refusals."""
        self.space_of: dict[str, int] = {s: i for i, s in enumerate(spaces)}
        rows = list(spaces.values())
        self.count = len(rows)
        self.kind = [{"area": AREA, "island": ISLAND, "seazone": SEA}[row["kind"]] for row in rows]
        self.is_sea = [kind == SEA for kind in self.kind]
        self.map = [0 if row["map"] == "europe" else 1 for row in rows]
        self.owner = [self.nation_of[row["owner"]] if row["owner"] else -1 for row in rows]
        """Whose it is at the start of 1939; -1 at sea."""
        self.home_of = [self.nation_of[row["home_of"]] if row["home_of"] else -1 for row in rows]
        self.british_home = [
            self.british_homes.index(row["british_home"]) if row["british_home"] else -1 for row in rows
        ]
        self.terrain = [row["terrain"] or "sea" for row in rows]
        self.left = [row["production"][0] if row["production"] else 0 for row in rows]
        self.right = [row["production"][1] if row["production"] else 0 for row in rows]
        self.has_production = [row["production"] is not None for row in rows]
        self.germany_only = [bool(row["germany_only"]) for row in rows]
        self.be_pacific = [bool(row["be_pacific"]) for row in rows]
        self.stack_limit = [row["stacking_limit"] or 0 for row in rows]
        self.desert_limit = [row["desert_land_limit"] or 0 for row in rows]
        self.point_island = [bool(row["no_production_island"]) for row in rows]
        self.land = [s for s in range(self.count) if not self.is_sea[s] and rows[s].get("enterable", True)]
        self.of_land = itemgetter(*self.land)
        """Of a list over spaces the entries of the areas."""
        self.point_islands = [s for s in self.land if self.point_island[s]]
        """Islands that count for victory only."""
        self.producing = [s for s in self.land if not self.germany_only[s] and (self.left[s] or self.right[s])]
        self.producing_owner = tuple(self.owner[s] for s in self.producing)
        self.of_producing = itemgetter(*self.producing)
        """Of a list over spaces the entries of those that produce."""
        own: dict[int, int] = {}
        for s in self.producing:
            own[self.owner[s]] = own.get(self.owner[s], 0) + self.left[s]
        self.own_production = list(own.items())
        """What every country gets from all that is its own."""
        self.be_pacific_points = sum(self.left[s] for s in self.producing if self.owner[s] == BE and self.be_pacific[s])
        self.soviet_home_points = sum(self.left[s] for s in self.producing if self.home_of[s] == USSR == self.owner[s])
        self.ore_for_germany = [s for s in self.land if self.germany_only[s]]
        self.industry = [*self.producing, *self.ore_for_germany]
        self.of_industry = itemgetter(*self.industry)
        self.always_gives = [
            self.germany_only[s] or bool(self.left[s] and self.right[s] and not self.be_pacific[s])
            for s in range(self.count)
        ]
        """Areas that give something whoever holds them, be it to Germany only."""
        self.seas = [s for s in range(self.count) if self.is_sea[s]]
        self.of_seas = itemgetter(*self.seas)
        """Of a list over spaces the entries of the seazones."""
        self.all_seas = _bits(self.seas)
        self.bit = [1 << s for s in range(self.count)]
        """Each space as a bit."""
        self.closed_space = [not row.get("enterable", True) for row in rows]
        self.closed_spaces = [s for s in range(self.count) if self.closed_space[s]]
        self.is_limited = [bool(self.stack_limit[s] or self.desert_limit[s]) for s in range(self.count)]
        """Whether only so many units of a side may be there."""
        nations = len(self.nation_ids)
        self.areas_of: list[list[int]] = [[] for _ in range(nations)]
        self.homes: list[list[int]] = [[] for _ in range(nations)]
        for s in range(self.count):
            if self.owner[s] >= 0:
                self.areas_of[self.owner[s]].append(s)
        countries = data["countries"]
        for n, name in enumerate(self.nation_ids):
            row = countries[name]
            names = row["home_areas"] if row["kind"] == "major" else row.get("areas", ())
            self.homes[n] = [self.space_of[s] for s in names]
        self.sources = [
            s
            for s in self.land
            if self.has_production[s]
            and (self.home_of[s] >= 0 or (self.owner[s] >= 8 and s in self.homes[self.owner[s]]))
        ]
        self.sources_of = [_bits(s for s in self.sources if self.owner[s] == n) for n in range(nations)]
        """By country the areas that supply its side, as bits."""
        self.has_limited_home = [any(self.is_limited[s] for s in homes) for homes in self.homes]
        self.nurseries = [
            homes if n >= 8 else [s for s in homes if self.has_production[s]] for n, homes in enumerate(self.homes)
        ]
        """By country the home areas in which its units appear: of a major those with production."""
        self.home_areas_set = [frozenset(home) for home in self.homes]
        self.british_areas = [[s for s in self.homes[BE] if self.british_home[s] == h] for h in range(5)]
        self.british_nurseries = [[s for s in areas if self.has_production[s]] for areas in self.british_areas]
        self.bnl_islands = [self.space_of[s] for s in countries["bnl"]["colonies"]]
        self.africa = frozenset(self.space_of[s] for s in data["africa"])

    def _links(self, data: dict[str, Any]) -> None:
        n = self.count
        self.land_next: list[list[int]] = [[] for _ in range(n)]
        self.sea_next: list[list[int]] = [[] for _ in range(n)]
        self.coast: list[list[int]] = [[] for _ in range(n)]
        """From an area its seazones, from a seazone its areas."""
        self.air_next: list[list[int]] = [[] for _ in range(n)]
        self.twin = [-1] * n
        """An island's own seazone and the other way round: one printed space."""
        self.border: dict[int, int] = {}
        self.fortress_at = [-1] * n
        self.gate_of: dict[int, str] = {}
        self.forbidden_coast: set[int] = set()
        self.map_switch: set[int] = set()
        for link in data["links"]:
            a, b = self.space_of[link["a"]], self.space_of[link["b"]]
            self._link(a, b, link)
        self.gates: dict[str, dict[str, Any]] = {
            name: {**gate, "areas": [self.space_of[s] for s in gate["control_areas"]]}
            for name, gate in data["gates"].items()
        }
        self.gated = sorted({(min(pair), max(pair)) for pair in (divmod(key, n) for key in self.gate_of)})
        """Sea links that can be closed."""
        self.gated_by: dict[tuple[int, int], int] = {}
        """By the first link of each gate all its links, as bits over `gated`."""
        first: dict[str, tuple[int, int]] = {}
        for number, (a, b) in enumerate(self.gated):
            link = first.setdefault(self.gate_of[a * n + b], (a, b))
            self.gated_by[link] = self.gated_by.get(link, 0) | 1 << number
        self.joined = [_bits((*self.land_next[s], *self.sea_next[s], *self.coast[s])) for s in range(n)]
        """Spaces beside each space over land and water, as bits."""
        self.longest_flight = 1 + int(data["units"]["types"]["air"]["move"])
        """The range of an aircraft with Long Range."""
        farthest = 2 * self.longest_flight
        self.air_steps = [self._air_steps(s, farthest) for s in range(n)]
        """Spaces that an aircraft could reach at the most, with Long Range and twice the range."""
        self.within_flight = [
            [_bits(s for s, far in steps.items() if far <= most) for most in range(farthest + 1)]
            for steps in self.air_steps
        ]
        """By start and number of steps the spaces that near, as bits."""
        self.own_zones = [[s] if self.is_sea[s] else self.coast[s] for s in range(n)]
        """A seazone itself, or the zones beside an area."""
        self.beside_coast = [_bits(spaces) for spaces in self.coast]
        self.one_march = [_bits(spaces) for spaces in self.land_next]
        self.two_marches = [
            self.one_march[s] | _bits(t for mid in self.land_next[s] for t in self.land_next[mid]) for s in range(n)
        ]
        self.within_marches = [[s for s in range(n) if self.two_marches[space] >> s & 1] for space in range(n)]
        self.sea_steps = [self._sea_steps(z) if self.is_sea[z] else {} for z in range(n)]
        """Zones to every other zone, gates and Cape Magellan left aside."""
        self.magellan = [(self.space_of[link["a"]], self.space_of[link["b"]]) for link in data["optional_links"]]

    def _air_steps(self, start: int, most: int) -> dict[int, int]:
        """Spaces within so many steps by air, whoever holds them; an island and its zone are one space."""
        steps, frontier = {start: 0}, [start]
        if self.twin[start] >= 0:
            steps[self.twin[start]] = 0
            frontier.append(self.twin[start])
        for step in range(1, most + 1):
            following = []
            for here in frontier:
                for there in self.air_next[here]:
                    for space in (there, self.twin[there]):
                        if space >= 0 and space not in steps:
                            steps[space] = step
                            following.append(space)
            frontier = following
        return steps

    def _sea_steps(self, start: int) -> dict[int, int]:
        steps, frontier = {start: 0}, [start]
        while frontier:
            following = []
            for here in frontier:
                for there in self.sea_next[here]:
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        following.append(there)
            frontier = following
        return steps

    def _link(self, a: int, b: int, link: dict[str, Any]) -> None:
        n, kind = self.count, link["kind"]
        forbidden = "forbidden" in link["borders"]
        pairs = (a * n + b, b * n + a)
        if kind == "land":
            if not forbidden:
                self.land_next[a].append(b)
                self.land_next[b].append(a)
            bits = 0
            for name in link["borders"]:
                bits |= {"river": RIVER, "mountain": MOUNTAIN_BORDER, "swamp": SWAMP_BORDER}.get(name, 0)
            for pair in pairs:
                self.border[pair] = bits
            if link["fortress_side"]:
                fort = self.space_of[link["fortress_defender"]]
                self.border[(b if fort == a else a) * n + fort] |= FORTRESS_SIDE
        elif kind == "sea":
            self.sea_next[a].append(b)
            self.sea_next[b].append(a)
            if link["gate"]:
                for pair in pairs:
                    self.gate_of[pair] = link["gate"]
        else:
            self.coast[a].append(b)
            self.coast[b].append(a)
            if link["forbidden_coast"]:
                self.forbidden_coast.update(pairs)
            if link["same_space"]:
                self.twin[a], self.twin[b] = b, a
        if link["map_switch"]:
            self.map_switch.update(pairs)
        if not (self.closed_space[a] or self.closed_space[b]):
            self.air_next[a].append(b)
            self.air_next[b].append(a)

    def _units(self, data: dict[str, Any]) -> None:
        self.kinds: list[Kind] = []
        self.kind_of_unit: list[Kind] = []
        self.unit_ids: list[str] = []
        rows = data["units"]["types"]
        for name, mix in data["units"]["counter_mix"].items():
            for row in mix:
                tag = row["tag"] or ""
                kind = TYPES.index(row["type"])
                ident = "-".join(x for x in (name, row["type"], str(row["front"]), tag.replace(" ", "").lower()) if x)
                self._add(Kind(ident, self.nation_of[name], kind, row["front"], row["back"], tag), row["count"], rows)
        self.rating: dict[int, int] = {}
        self.hq_named: dict[str, int] = {}
        self.hq_names = frozenset(row["name"].lower() for row in data["units"]["hqs"])
        for row in data["units"]["hqs"]:
            kind = NAVAL_HQ if row["naval"] else HQ
            made = Kind(row["name"].lower(), self.nation_of[row["country"]], kind, 0, None, "")
            self._add(made, 1, rows)
            self.unit_ids[-1] = made.id
            self.rating[len(self.unit_ids) - 1] = row["rating"]
            self.hq_named[row["name"]] = len(self.unit_ids) - 1
        self.naval_rating = {hq: rating for hq, rating in self.rating.items() if self.kind_of_unit[hq].type == NAVAL_HQ}
        self.units = len(self.unit_ids)
        self.unit_of: dict[str, int] = {ident: i for i, ident in enumerate(self.unit_ids)}
        self.kind_ids = {kind.id: kind for kind in self.kinds}
        self.labels = ["@" + kind.id for kind in self.kind_of_unit]
        """Units as facts of events and refusals: the names of their kinds."""
        self.type = [kind.type for kind in self.kind_of_unit]
        self.front = [kind.front for kind in self.kind_of_unit]
        self.back = [-1 if kind.back is None else kind.back for kind in self.kind_of_unit]
        self.printed_nation = [kind.nation for kind in self.kind_of_unit]
        self.printed_nations = tuple(self.printed_nation)
        self.tag = [kind.tag for kind in self.kind_of_unit]
        self.is_land = [kind in LAND_TYPES for kind in self.type]
        self.is_ship = [kind in SHIP_TYPES for kind in self.type]
        self.is_task_force = [kind == TF for kind in self.type]
        self.is_sub = [kind == SUB for kind in self.type]
        self.is_escort = [kind in (TF, CONVOY) for kind in self.type]
        self.is_air = [kind == AIR for kind in self.type]
        self.is_hq = [kind in (HQ, NAVAL_HQ) for kind in self.type]
        posts: dict[tuple[Any, ...], int] = {}
        self.post = [
            posts.setdefault((kind.tag if kind.nation == BE else "", kind.type in SHIP_TYPES), len(posts))
            for kind in self.kind_of_unit
        ]
        """Units of a nation with the same number arrive in the same places."""
        self.post_by_arm = [
            posts.setdefault((kind.tag if kind.nation == BE else "", kind.type), len(posts))
            for kind in self.kind_of_unit
        ]
        """The same where only so many units of an arm may be in a home area."""
        self.is_orange = [kind.tag == "orange" for kind in self.kind_of_unit]
        self.range = [rows[TYPES[kind]]["move"] for kind in self.type]
        self.shots = [rows[TYPES[kind]]["shots"] for kind in self.type]
        self.units_of_printed: list[list[int]] = [[] for _ in self.nation_ids]
        for u, made in enumerate(self.kind_of_unit):
            self.units_of_printed[made.nation].append(u)
        self.counters = [(n, self._by_arm(units)) for n, units in enumerate(self.units_of_printed) if units]
        """By country its counters: all, land units, all but ships, aircraft, ships, Task Forces."""
        self.counters_of_arm = [
            [(n, arms[arm]) for n, arms in self.counters if arms[arm]] for arm in range(len(self.counters[0][1]))
        ]
        self.rank = [0] * self.units
        """The place of each counter among all, country by country."""
        for place, unit in enumerate(u for _, arms in self.counters for u in arms[0]):
            self.rank[unit] = place
        self.kinds_of: list[list[Kind]] = [
            [k for k in self.kinds if k.nation == n] for n in range(len(self.nation_ids))
        ]
        self.lendable = [[k for k in kinds if k.tag in LENT or k.type == AIR] for kinds in self.kinds_of]
        """By country the kinds that another country may build."""

    def _by_arm(self, units: list[int]) -> tuple[list[int], ...]:
        return (
            units,
            [u for u in units if self.is_land[u]],
            [u for u in units if not self.is_ship[u]],
            [u for u in units if self.is_air[u]],
            [u for u in units if self.is_ship[u]],
            [u for u in units if self.type[u] == TF],
        )

    def _add(self, kind: Kind, copies: int, rows: dict[str, Any]) -> None:
        row = rows[TYPES[kind.type]]
        kind.build_quarters = row["build_quarters"]
        steps = kind.front - (kind.back or 0)
        if isinstance(row["cost"], int):
            kind.cost, kind.repair_cost = row["cost"], row["repair"]
        elif kind.type in (HQ, NAVAL_HQ):
            kind.cost, kind.repair_cost = 1, 0
        else:
            factor = 1 if kind.type == INF else 2
            kind.cost, kind.repair_cost = factor * kind.front, factor * steps
        self.kinds.append(kind)
        for copy in range(1, copies + 1):
            kind.units.append(len(self.unit_ids))
            self.unit_ids.append(f"{kind.id}-{copy}")
            self.kind_of_unit.append(kind)

    def _cards(self, data: dict[str, Any]) -> None:
        self.cards: list[dict[str, Any]] = sorted(data["cards"], key=lambda card: int(card["number"]))
        self.card_ids: list[str] = [card["id"] for card in self.cards]
        self.card_of: dict[str, int] = {ident: i for i, ident in enumerate(self.card_ids)}
        self.card_cost = [int(card["cost"]) for card in self.cards]
        self.card_buyers = [frozenset(MAJORS.index(b) for b in card["buyers"]) for card in self.cards]
        self.card_users = [frozenset(MAJORS.index(b) for b in card["users"]) for card in self.cards]
        self.coup_target = [self.nation_of[card["coup"]["target"]] if card["coup"] else -1 for card in self.cards]
        self.returns = [card["after_use"].startswith("return") for card in self.cards]
        self.permanent = [card["after_use"] == "permanent" for card in self.cards]

    def _tables(self, data: dict[str, Any]) -> None:
        self.turns: tuple[str, ...] = tuple(data["timetable"]["turns"])
        self.turn_of: dict[str, int] = {turn: i for i, turn in enumerate(self.turns)}
        self.quarter = [int(turn[0]) for turn in self.turns]
        self.year = [1900 + int(turn[2:]) for turn in self.turns]
        names = ("europe", "pacific")
        self.weather = [
            [[data["weather_table"][m][str(q)][str(d)] == "bad" for d in range(1, 7)] for q in range(1, 5)]
            for m in names
        ]
        self.search = data["search_table"]["columns"]
        self.us_entry = data["timetable"]["us_entry_advanced"]
        self.victory = data["timetable"]["victory"]
        self.research = data["research"]
        self.achievements: tuple[str, ...] = tuple(data["research"]["achievements"])
        self.advance_bit = {name: bit for bit, name in enumerate(self.achievements)}
        self.deliveries = [
            (self.nation_of[row["giver"]], self.nation_of[row["receiver"]], row["bp"]) for row in data["deliveries"]
        ]
        self.rail_upgrade = data["units"]["rail_upgrade"]
        self.cooperation = {frozenset(MAJORS.index(name) for name in pair) for pair in data["cooperation"]["pairs"]}
        self.fixed = {row["id"]: self.turn_of[row["quarter"]] for row in data["timetable"]["fixed"]}
        terrain = data["terrain_effects"]
        self.terrain_effects: dict[str, dict[str, Any]] = {
            name: row["effects"] for name, row in terrain.items() if isinstance(row, dict) and "effects" in row
        }
        self.border_effects: dict[str, dict[str, Any]] = {
            name: row["effects"] for name, row in terrain["borders"].items()
        }
        self.out_of_supply = int(terrain["out_of_supply"]["all_factors"])
        self.bad_weather = terrain["bad_weather"]

    def names_of(self, units: list[int]) -> list[str]:
        return list(map(self.unit_ids.__getitem__, units))

    def names(self, spaces: list[int] | tuple[int, ...]) -> list[str]:
        return list(map(self.space_ids.__getitem__, spaces))


def _bits(spaces: Iterable[int]) -> int:
    out = 0
    for space in spaces:
        out |= 1 << space
    return out


@cache
def atlas() -> Atlas:
    """The one atlas; made when first asked for."""
    data = json.loads((HOME / "data" / "atlas.json").read_text(encoding="utf-8"))
    data["africa"] = json.loads((HOME / "data" / "rules.json").read_text(encoding="utf-8"))["africa"]
    return Atlas(data)
