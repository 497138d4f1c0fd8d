"""The board, the counters, the countries, the cards and the printed tables as integers and columns over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, Final

from .printed import PRINTED, Arm, Gate, Link, Printed, ScenarioCard
from .tables import AFRICA

# ---- classes of units, in the order of the battle chart's symbols
INF, ARM, HQ, NAVAL_HQ, AIR, TF, CONVOY, SUB = range(8)
TYPES: Final = ("inf", "arm", "hq", "naval_hq", "air", "tf", "conv", "sub")
LENT: Final = ("US", "F")
"""Marks of counters that another country may build."""
LAND_TYPES: Final = frozenset((INF, ARM, HQ, NAVAL_HQ))
SHIP_TYPES: Final = frozenset((TF, CONVOY, SUB))

# ---- kinds of spaces
AREA, ISLAND, SEA = range(3)
KINDS: Final = ("area", "island", "seazone")

# ---- borders between areas: bits
RIVER, MOUNTAIN_BORDER, SWAMP_BORDER, FORTRESS_SIDE = 1, 2, 4, 8
BORDERS: Final = {"river": RIVER, "mountain": MOUNTAIN_BORDER, "swamp": SWAMP_BORDER, "forbidden": 0}

AXIS, ALLIES = 0, 1
SIDES: Final = ("axis", "allies")
MAPS: Final = ("europe", "pacific")
MAJORS: Final = ("germany", "italy", "japan", "be", "usa", "ussr", "france", "china")
GERMANY, ITALY, JAPAN, BE, USA, USSR, FRANCE, CHINA = range(8)


class Kind:
    """One kind of counter: all its copies are alike."""

    __slots__ = ("back", "build_quarters", "cost", "front", "id", "nation", "repair_cost", "tag", "type", "units")

    def __init__(self, ident: str, nation: int, kind: int, front: int, back: int | None, tag: str, arm: Arm) -> None:
        self.id, self.nation, self.type, self.front, self.back, self.tag = ident, nation, kind, front, back, tag
        self.units: list[int] = []
        self.build_quarters = arm.build_quarters
        if isinstance(arm.cost, int) and isinstance(arm.repair, int):
            self.cost, self.repair_cost = arm.cost, arm.repair
        elif kind in (HQ, NAVAL_HQ):
            self.cost, self.repair_cost = 1, 0
        else:
            factor = 1 if kind == INF else 2
            self.cost, self.repair_cost = factor * front, factor * (front - (back or 0))


class Atlas:
    """All that never changes. Spaces, nations, units and cards are numbered; `*_ids` turn numbers into names."""

    def __init__(self, data: Printed) -> None:
        self.data = data
        self._nations(data)
        self._spaces(data)
        self._industry()
        self._homes(data)
        self._links(data)
        self._distances()
        self._counters(data)
        self._units(data)
        self._cards(data)
        self._tables(data)

    def _nations(self, data: Printed) -> None:
        countries = data.countries
        self.nation_ids: tuple[str, ...] = (*MAJORS, *(n for n in countries if n not in MAJORS))
        self.nation_of: dict[str, int] = {n: i for i, n in enumerate(self.nation_ids)}
        self.everybody = (1 << len(self.nation_ids)) - 1
        """All nations, as bits."""
        self.vichy_nation = self.nation_of["vichy_france"]
        self.trust_nation = self.nation_of["usa_trust"]
        self.poland = self.nation_of["poland"]
        self.yugoslavia = self.nation_of["yugoslavia"]
        self.bnl = self.nation_of["bnl"]
        self.bulgaria = self.nation_of["bulgaria"]
        self.axis_minors = tuple(self.nation_of[n] for n, c in countries.items() if c.kind == "axis_minor")
        self.boss = {SIDES.index(boss): n for n, name in enumerate(MAJORS) if (boss := countries[name].boss_of)}
        self.british_homes: tuple[str, ...] = tuple(countries["be"].homes)
        self.home_letter = [home.letter or "" for home in countries["be"].homes.values()]
        self.rail_homes = countries["be"].rail_where
        self.uk = self.british_homes.index("uk")
        self.peace_production = {USSR: int(countries["ussr"].peace_production)}

    def _spaces(self, data: Printed) -> None:
        self.space_ids: tuple[str, ...] = tuple(data.spaces)
        self.space_names = ["@" + ident for ident in self.space_ids]
        """Spaces as facts of events and refusals."""
        self.space_of: dict[str, int] = {s: i for i, s in enumerate(data.spaces)}
        rows = list(data.spaces.values())
        spaces = range(len(rows))
        self.count = len(rows)
        self.kind = [KINDS.index(row.kind) for row in rows]
        self.is_sea = [kind == SEA for kind in self.kind]
        self.map = [MAPS.index(row.map) for row in rows]
        self.owner = [self.nation_of[row.owner] if row.owner else -1 for row in rows]
        """Whose it is at the start of 1939; -1 at sea."""
        self.home_of = [self.nation_of[row.home_of] if row.home_of else -1 for row in rows]
        self.british_home = [self.british_homes.index(row.british_home) if row.british_home else -1 for row in rows]
        self.terrain = [row.terrain or "sea" for row in rows]
        self.left = [row.production[0] if row.production else 0 for row in rows]
        self.right = [row.production[1] if row.production else 0 for row in rows]
        self.has_production = [row.production is not None for row in rows]
        self.germany_only = [row.germany_only for row in rows]
        self.be_pacific = [row.be_pacific for row in rows]
        self.stack_limit = [row.stacking_limit or 0 for row in rows]
        self.desert_limit = [row.desert_land_limit or 0 for row in rows]
        self.is_limited = [bool(self.stack_limit[s] or self.desert_limit[s]) for s in spaces]
        """Whether only so many units of a side may be there."""
        self.closed_space = [not row.enterable for row in rows]
        self.closed_spaces = [s for s in spaces if self.closed_space[s]]
        self.land = [s for s in spaces if not self.is_sea[s] and not self.closed_space[s]]
        self.of_land = itemgetter(*self.land)
        """Of a column over spaces the entries of the areas."""
        self.seas = [s for s in spaces if self.is_sea[s]]
        self.of_seas = itemgetter(*self.seas)
        """Of a column over spaces the entries of the seazones."""
        self.all_seas = bits_of(self.seas)
        self.bit = [1 << s for s in spaces]
        """Each space as a bit."""
        self.point_islands = [s for s in self.land if rows[s].no_production_island]
        """Islands that count for victory only."""
        self.indochine = self.space_of["indochine"]
        self.western_poland = self.space_of["western_poland"]
        self.africa = frozenset(self.space_of[s] for s in AFRICA)

    def _industry(self) -> None:
        """What produces, and for whom."""
        self.producing = [s for s in self.land if not self.germany_only[s] and (self.left[s] or self.right[s])]
        self.producing_owner = tuple(self.owner[s] for s in self.producing)
        self.of_producing = itemgetter(*self.producing)
        """Of a column over spaces the entries of those that produce."""
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

    def _homes(self, data: Printed) -> None:
        """Whose home is where, and what it is good for."""
        countries = [data.countries[name] for name in self.nation_ids]
        nations = range(len(countries))
        self.areas_of = [[s for s in range(self.count) if self.owner[s] == n] for n in nations]
        self.homes = [
            [self.space_of[s] for s in (country.home_areas if country.kind == "major" else country.areas)]
            for country in countries
        ]
        self.home_areas_set = [frozenset(home) for home in self.homes]
        self.has_limited_home = [any(self.is_limited[s] for s in homes) for homes in self.homes]
        sources = [
            s
            for s in self.land
            if self.has_production[s]
            and (self.home_of[s] >= 0 or (self.owner[s] >= 8 and s in self.homes[self.owner[s]]))
        ]
        self.sources_of = [bits_of(s for s in sources if self.owner[s] == n) for n in nations]
        """By country the areas that supply its side, as bits."""
        self.nurseries = [
            homes if n >= 8 else [s for s in homes if self.has_production[s]] for n, homes in enumerate(self.homes)
        ]
        """By country the home areas in which its units appear: of a major those with production."""
        self.british_areas = [
            [s for s in self.homes[BE] if self.british_home[s] == home] for home in range(len(self.british_homes))
        ]
        self.british_nurseries = [[s for s in areas if self.has_production[s]] for areas in self.british_areas]
        self.bnl_islands = [self.space_of[s] for s in data.countries["bnl"].colonies]

    def _links(self, data: Printed) -> None:
        n = self.count
        self.land_next: list[list[int]] = [[] for _ in range(n)]
        self.sea_next: list[list[int]] = [[] for _ in range(n)]
        self.coast: list[list[int]] = [[] for _ in range(n)]
        """From an area its seazones, from a seazone its areas."""
        self.air_next: list[list[int]] = [[] for _ in range(n)]
        self.twin = [-1] * n
        """An island's own seazone and the other way round: one printed space."""
        self.border: dict[int, int] = {}
        self.gate_of: dict[int, str] = {}
        self.forbidden_coast: set[int] = set()
        for link in data.links:
            self._link(self.space_of[link.a], self.space_of[link.b], link)
        self.gates: dict[str, Gate] = data.gates
        self.gate_areas = {name: [self.space_of[s] for s in gate.control_areas] for name, gate in data.gates.items()}
        self.gated = sorted({(min(pair), max(pair)) for pair in (divmod(key, n) for key in self.gate_of)})
        """Sea links that can be closed."""
        self.gated_by: dict[tuple[int, int], int] = {}
        """By the first link of each gate all its links, as bits over `gated`."""
        first: dict[str, tuple[int, int]] = {}
        for number, (a, b) in enumerate(self.gated):
            pair = first.setdefault(self.gate_of[a * n + b], (a, b))
            self.gated_by[pair] = self.gated_by.get(pair, 0) | 1 << number
        self.magellan = [(self.space_of[link.a], self.space_of[link.b]) for link in data.optional_links]

    def _link(self, a: int, b: int, link: Link) -> None:
        n = self.count
        pairs = (a * n + b, b * n + a)
        if link.kind == "land":
            if "forbidden" not in link.borders:
                _join(self.land_next, a, b)
            for pair in pairs:
                self.border[pair] = sum(BORDERS[name] for name in link.borders)
            if link.fortress_side and link.fortress_defender:
                fort = self.space_of[link.fortress_defender]
                self.border[(b if fort == a else a) * n + fort] |= FORTRESS_SIDE
        elif link.kind == "sea":
            _join(self.sea_next, a, b)
            if link.gate:
                self.gate_of |= dict.fromkeys(pairs, link.gate)
        else:
            _join(self.coast, a, b)
            if link.forbidden_coast:
                self.forbidden_coast.update(pairs)
            if link.same_space:
                self.twin[a], self.twin[b] = b, a
        if not (self.closed_space[a] or self.closed_space[b]):
            _join(self.air_next, a, b)

    def _distances(self) -> None:
        """What is within one or a few steps."""
        spaces = range(self.count)
        self.joined = [bits_of((*self.land_next[s], *self.sea_next[s], *self.coast[s])) for s in spaces]
        """Spaces beside each space over land and water, as bits."""
        self.longest_flight = 1 + self.data.units.types["air"].move
        """The range of an aircraft with Long Range."""
        farthest = 2 * self.longest_flight
        air_steps = [self._air_steps(s, farthest) for s in spaces]
        self.within_flight = [
            [bits_of(s for s, far in steps.items() if far <= most) for most in range(farthest + 1)]
            for steps in air_steps
        ]
        """By start and number of steps the spaces that near, as bits."""
        self.own_zones = [[s] if self.is_sea[s] else self.coast[s] for s in spaces]
        """A seazone itself, or the zones beside an area."""
        self.areas_beside = [bits_of(self.coast[s] if self.is_sea[s] else self.land_next[s]) for s in spaces]
        """The areas next to a space, as bits: over land from an area, over the coast from a zone."""
        self.beside_coast = [bits_of(beside) for beside in self.coast]
        self.one_march = [bits_of(beside) for beside in self.land_next]
        self.two_marches = [
            self.one_march[s] | bits_of(t for mid in self.land_next[s] for t in self.land_next[mid]) for s in spaces
        ]
        self.within_marches = [[s for s in spaces if self.two_marches[space] >> s & 1] for space in spaces]
        self.sea_steps = [self._sea_steps(z) if self.is_sea[z] else {} for z in spaces]
        """Zones to every other zone, gates and Cape Magellan left aside."""

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

    def _counters(self, data: Printed) -> None:
        """The kinds of counters and all their copies."""
        self.kinds: list[Kind] = []
        self.kind_of_unit: list[Kind] = []
        self.unit_ids: list[str] = []
        arms = data.units.types
        for name, mix in data.units.counter_mix.items():
            for row in mix:
                tag = row.tag or ""
                ident = "-".join(x for x in (name, row.type, str(row.front), tag.replace(" ", "").lower()) if x)
                kind = Kind(
                    ident, self.nation_of[name], TYPES.index(row.type), row.front, row.back, tag, arms[row.type]
                )
                self._add(kind, [f"{ident}-{copy}" for copy in range(1, row.count + 1)])
        self.rating: dict[int, int] = {}
        self.hq_named: dict[str, int] = {}
        for leader in data.units.hqs:
            number, type_ = len(self.unit_ids), NAVAL_HQ if leader.naval else HQ
            ident = leader.name.lower()
            self._add(Kind(ident, self.nation_of[leader.country], type_, 0, None, "", arms[TYPES[type_]]), [ident])
            self.rating[number], self.hq_named[leader.name] = leader.rating, number
        self.naval_rating = {hq: rating for hq, rating in self.rating.items() if self.kind_of_unit[hq].type == NAVAL_HQ}
        self.kind_ids = {kind.id: kind for kind in self.kinds}
        self.kinds_of = [[k for k in self.kinds if k.nation == n] for n in range(len(self.nation_ids))]
        self.lendable = [[k for k in kinds if k.tag in LENT or k.type == AIR] for kinds in self.kinds_of]
        """By country the kinds that another country may build."""

    def _add(self, kind: Kind, units: list[str]) -> None:
        self.kinds.append(kind)
        kind.units.extend(range(len(self.unit_ids), len(self.unit_ids) + len(units)))
        self.unit_ids += units
        self.kind_of_unit += [kind] * len(units)

    def _units(self, data: Printed) -> None:
        """Columns over units."""
        kinds = self.kind_of_unit
        self.units = len(self.unit_ids)
        self.unit_of: dict[str, int] = {ident: i for i, ident in enumerate(self.unit_ids)}
        self.labels = ["@" + kind.id for kind in kinds]
        """Units as facts of events and refusals: the names of their kinds."""
        self.type = [kind.type for kind in kinds]
        self.front = [kind.front for kind in kinds]
        self.back = [-1 if kind.back is None else kind.back for kind in kinds]
        self.printed_nation = tuple(kind.nation for kind in kinds)
        self.tag = [kind.tag for kind in kinds]
        self.is_land = [kind in LAND_TYPES for kind in self.type]
        self.is_ship = [kind in SHIP_TYPES for kind in self.type]
        self.is_task_force = [kind == TF for kind in self.type]
        self.is_sub = [kind == SUB for kind in self.type]
        self.is_convoy = [kind == CONVOY for kind in self.type]
        self.convoys = [unit for unit, kind in enumerate(self.type) if kind == CONVOY]
        self.is_escort = [kind in (TF, CONVOY) for kind in self.type]
        self.is_air = [kind == AIR for kind in self.type]
        self.is_hq = [kind in (HQ, NAVAL_HQ) for kind in self.type]
        self.is_orange = [kind.tag == "orange" for kind in kinds]
        self.range = [data.units.types[TYPES[kind]].move for kind in self.type]
        self.shots = [data.units.types[TYPES[kind]].shots for kind in self.type]
        self.ship_range = data.units.types["conv"].move
        """Zones that ships sail without using double range: all types alike."""
        posts: dict[tuple[Any, ...], int] = {}
        home = [kind.tag if kind.nation == BE else "" for kind in kinds]
        ships = self.is_ship
        self.post = [posts.setdefault((home[u], ships[u]), len(posts)) for u in range(self.units)]
        """Units of a nation with the same number arrive in the same places."""
        self.post_by_arm = [posts.setdefault((home[u], self.type[u]), len(posts)) for u in range(self.units)]
        """The same where only so many units of an arm may be in a home area."""
        self.units_of_printed = [
            [u for u in range(self.units) if kinds[u].nation == n] for n in range(len(self.nation_ids))
        ]
        by_country = [(n, units) for n, units in enumerate(self.units_of_printed) if units]
        self.counters_of_arm = {
            arm: [(n, mine) for n, units in by_country if (mine := [u for u in units if belongs(u)])]
            for arm, belongs in (
                ("all", lambda u: True),
                ("land", self.is_land.__getitem__),
                ("ashore", lambda u: not ships[u]),
                ("aircraft", self.is_air.__getitem__),
                ("ships", ships.__getitem__),
                ("task_forces", self.is_task_force.__getitem__),
            )
        }
        """By arm the counters of every country that has any."""
        in_order = [u for _, units in by_country for u in units]
        self.rank = [in_order.index(u) for u in range(self.units)]
        """The place of each counter among all, country by country."""

    def _cards(self, data: Printed) -> None:
        self.cards = sorted(data.cards, key=lambda card: card.number)
        self.card_ids: list[str] = [card.id for card in self.cards]
        self.card_of: dict[str, int] = {ident: i for i, ident in enumerate(self.card_ids)}
        self.card_cost = [card.cost for card in self.cards]
        self.card_buyers = [frozenset(map(MAJORS.index, card.buyers)) for card in self.cards]
        self.card_users = [frozenset(map(MAJORS.index, card.users)) for card in self.cards]
        self.coup_target = [self.nation_of[card.coup.target] if card.coup else -1 for card in self.cards]
        self.returns = [card.after_use.startswith("return") for card in self.cards]
        self.permanent = [card.after_use == "permanent" for card in self.cards]

    def _tables(self, data: Printed) -> None:
        self.turns: tuple[str, ...] = tuple(data.timetable["turns"])
        self.turn_of: dict[str, int] = {turn: i for i, turn in enumerate(self.turns)}
        first = data.setups["1939"]
        self.first_turn, self.first_weather = self.turn_of[first.start], int(first.weather["die"])
        """The quarter in which the war begins, with its weather as given."""
        self.quarter = [int(turn[0]) for turn in self.turns]
        self.year = [1900 + int(turn[2:]) for turn in self.turns]
        self.weather = [
            [[data.weather_table[m][str(q)][str(d)] == "bad" for d in range(1, 7)] for q in range(1, 5)] for m in MAPS
        ]
        self.search = data.search_table["columns"]
        self.us_entry = data.timetable["us_entry_advanced"]
        self.victory = data.timetable["victory"]
        self.research = data.research
        self.achievements: tuple[str, ...] = tuple(data.research["achievements"])
        self.advance_bit = {name: bit for bit, name in enumerate(self.achievements)}
        self.deliveries = [(self.nation_of[row.giver], self.nation_of[row.receiver], row.bp) for row in data.deliveries]
        self.rail_upgrade = data.units.rail_upgrade
        soviet = data.setups["1939"].rail["ussr"]
        assert isinstance(soviet, dict)
        self.soviet_war_rail = soviet["war_with_germany"] - soviet["peace"]
        """What the Soviet rail capacity gains by the war with Germany."""
        self.cooperation = {frozenset(map(MAJORS.index, pair)) for pair in data.cooperation["pairs"]}
        self.fixed = {row["id"]: self.turn_of[row["quarter"]] for row in data.timetable["fixed"]}
        terrain = data.terrain_effects
        self.terrain_effects: dict[str, dict[str, Any]] = {
            name: row["effects"] for name, row in terrain.items() if isinstance(row, dict) and "effects" in row
        }
        self.border_effects: dict[str, dict[str, Any]] = {
            name: row["effects"] for name, row in terrain["borders"].items()
        }
        self.out_of_supply = int(terrain["out_of_supply"]["all_factors"])
        self.bad_weather = {what: int(points) for what, points in terrain["bad_weather"].items() if what != "evidence"}

    def set_up(self, scenario: str) -> ScenarioCard:
        """The card of a scenario: the basic and the advanced game of a year share it."""
        return self.data.setups[scenario.split("-")[0]]

    def names_of(self, units: Iterable[int]) -> list[str]:
        return list(map(self.unit_ids.__getitem__, units))

    def names(self, spaces: Iterable[int]) -> list[str]:
        return list(map(self.space_ids.__getitem__, spaces))


def _join(neighbours: list[list[int]], a: int, b: int) -> None:
    neighbours[a].append(b)
    neighbours[b].append(a)


def bits_of(numbers: Iterable[int]) -> int:
    """Return spaces or nations as bits of one number."""
    out = 0
    for number in numbers:
        out |= 1 << number
    return out


def ones(bits: int) -> list[int]:
    """Return the numbers of the bits that are set, the highest first."""
    out = []
    while bits:
        number = bits.bit_length() - 1
        bits ^= 1 << number
        out.append(number)
    return out


ATLAS: Final = Atlas(PRINTED)


def unit_id(unit: int) -> str:
    return ATLAS.unit_ids[unit]


def label(unit: int) -> str:
    """Return a unit as a fact of an event: the name of its kind."""
    return ATLAS.labels[unit]


def name(space: int) -> str:
    """Return a space as a fact of an event."""
    return ATLAS.space_names[space]


def labels(units: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(ATLAS.labels.__getitem__, units))
