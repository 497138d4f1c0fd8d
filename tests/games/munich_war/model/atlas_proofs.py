"""Proofs of the atlas of Munich War: grid, named places, home replacements, rail, rivers and territory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial

from tests.atlas.faults import Check, Proofs, components, flood
from tests.games.munich_war.model import atlas_facts as facts
from tests.games.munich_war.model.atlas_board import Board, Edge, corners, distance, pair
from tests.games.munich_war.model.atlas_proofs_forces import FORCE_THEMES


def grid(board: Board, check: Check) -> None:
    """Ids, neighbours and hexsides fit the printed grid."""
    for column in range(10, 46):
        for row in range(1, 23 if column % 2 else 24):
            check(f"{column:02d}{row:02d}" in board.hexes, f"hex {column:02d}{row:02d} is missing")
    for h, v in board.hexes.items():
        check(h == f"{v['col']:02d}{v['row']:02d}", f"hex {h} is numbered {v['col']}, {v['row']}")
        check(1 <= v["row"] <= (22 if v["col"] % 2 else 23), f"hex {h} lies below the map")
        for n in board.near[h]:
            check(h in board.near[n] and distance(h, n) == 1, f"{h} touches {n} but not the other way round")
        check(v["kind"] in ("land", "coast", "sea", "offmap"), f"hex {h} has the kind {v['kind']}")
        check(v["evidence"], f"hex {h} carries no evidence")
        if h in board.land:
            check(v["country"] in board.countries, f"hex {h} belongs to {v['country']}")
            check(v["terrain"] in ("clear", "forest", "rough", "mountain", "marsh"), f"hex {h} is {v['terrain']}")
        else:
            check(v["country"] is None and v["city"] is None, f"hex {h} is water and has a country or a city")
        check(v["kind"] != "coast" or v["sea_area"], f"coast {h} touches no sea area")
        around_it = {sea for n in board.near[h] for sea in board.hexes[n]["sea_area"]}
        check(v["kind"] != "coast" or set(v["sea_area"]) <= around_it, f"coast {h} lies on no water of {v['sea_area']}")
        check(v["rail"] == (h in board.rail_from), f"hex {h}: its rail mark and the rail links differ")


def hexsides(board: Board, check: Check) -> None:
    """Rivers run in one line, bridges stand where rail crosses a river, nothing crosses open water."""
    check(len(board.sides) == len(board.atlas["hexsides"]), "a hexside is listed twice")
    check(len(board.rail) == len(board.atlas["rail"]), "a rail link is listed twice")
    rivers: dict[str, set[Edge]] = defaultdict(set)
    for side in board.atlas["hexsides"]:
        a, b = pair(side["a"], side["b"])
        name, kind = f"hexside {a}-{b}", side["kind"]
        check(b in board.near[a], f"{name} lies between hexes that do not touch")
        check(a in board.land and b in board.land, f"{name} borders open water, needs no entry")
        check(kind in ("river", "bridge", "lake", "all_sea"), f"{name} has the kind {kind}")
        if kind in ("river", "bridge"):
            rivers[side["name"]].add((a, b))
            check((kind == "bridge") == ((a, b) in board.rail), f"{name} is a {kind}: rail and bridge must go together")
    for river, edges in rivers.items():
        parts = components(edges, partial(_meeting, edges))
        pieces = 2 if river in facts.RIVERS_IN_TWO_PIECES else 1
        check(len(parts) == pieces, f"{river} flows in {len(parts)} pieces: {[sorted(p) for p in parts[1:]]}")
    for a, b in board.rail:
        check(b in board.near[a] and a in board.land and b in board.land, f"rail {a}-{b} does not join two land hexes")
        check(not board.is_wet(a, b), f"rail {a}-{b} crosses water")


def _meeting(edges: set[Edge], edge: Edge) -> Iterator[Edge]:
    """Hexsides of a river that meet one of it in a corner."""
    return (other for other in edges if corners(other) & corners(edge))


def places(board: Board, check: Check) -> None:
    """Cities, coasts, edges and forts that the rulebook names."""
    hexes, city = board.hexes, board.cities
    for name, h in facts.CITY_HEXES.items():
        check(city.get(name) == h, f"{name} must be in {h}")
    check(hexes["2814"]["fort_symbol"] is None, "Breslau 2814 has no fortification symbol")
    check(
        hexes["1712"]["entrenchment"] and hexes["1712"]["country"] == "Germany", "Aachen 1712 is entrenched and German"
    )
    south = {h for h in board.land if "Mediterranean Sea" in hexes[h]["sea_area"]}
    check(south == facts.MEDITERRANEAN_COAST, f"the Mediterranean coast is {sorted(south)}")
    edge = {h for h in board.land if hexes[h]["map_edge_entry"]}
    italy = {h for h in edge if hexes[h]["country"] == "Italy"}
    check(italy == facts.ITALIAN_EDGE, f"Italy enters at {sorted(italy)}")
    on_edge = {hexes[h]["country"] for h in edge}
    for country in facts.COUNTRIES_ON_THE_EDGE:
        check(country in on_edge, f"{country} must reach the map edge")
    for country in facts.COUNTRIES_OFF_THE_EDGE:
        check(country not in on_edge, f"{country} must not reach the map edge")
    for h in edge:
        check(hexes[h]["map_edge"], f"{h} lets units in and lies on no edge")
    east = [h for h, v in hexes.items() if v["east_edge_rail"]]
    check(len(east) >= 3, "the Soviet east edge needs rail hexes")
    for h in east:
        fits = hexes[h]["country"] == "Soviet Union" and hexes[h]["rail"] and "E" in hexes[h]["map_edge"]
        check(fits, f"{h} is no Soviet rail hex on the east edge")
    check(hexes["3005"]["kind"] == "sea", "Gotland 3005 is ignored")
    for name, country in {"Konigsberg": "Germany", "Danzig": "Danzig", "Zara": "Italy", "Antwerp": "Belgium"}.items():
        check(hexes[city[name]]["country"] == country, f"{name} must belong to {country}")
    lines = [h for h, v in hexes.items() if v["fort_symbol"] and v["fort_symbol"]["id"] == "ML"]
    fits = len(lines) == 1 and hexes[lines[0]]["country"] == "Finland" and city["Leningrad"] in board.near[lines[0]]
    check(fits, f"the Mannerheim Line {lines} is Finnish and touches Leningrad")
    seas = {s for v in hexes.values() for s in v["sea_area"]}
    check(seas >= facts.SEA_AREAS, f"the sea areas are {sorted(seas)}")
    objectives = [v["city"]["name"] for v in hexes.values() if v["city"] and v["city"]["reich_objective"]]
    check(len(objectives) == facts.REICH_OBJECTIVES, f"Reich objectives are {objectives}")
    for name in facts.CITIES_ON_THE_MAP.split():
        check(name in city, f"{name} must be on the map")
    for name in facts.CITIES_OFF_THE_MAP.split():
        check(name not in city, f"{name} must be off the map")
    forts = Counter(v["country"] for v in hexes.values() if v["fort_symbol"])
    for country, number in facts.FORT_SYMBOLS.items():
        check(forts[country] >= number, f"{country} has {forts[country]} fort symbols for {number} forts")
    for h, v in hexes.items():
        check(not v["fort_symbol"] or v["terrain"] != "mountain", f"the fort symbol in {h} stands in mountains")
        port = v["city"] and v["city"]["port"]
        check(not port or (v["kind"] == "coast" and v["sea_area"]), f"the port in {h} lies on no coast")
    check(hexes[city["Antwerp"]]["city"]["port"] and "North Sea" in hexes[city["Antwerp"]]["sea_area"], "14.2: Antwerp")
    check("North Sea" in board.countries["Great Britain"]["friendly_seas"], "14.2: British ships hold the North Sea")
    dover, calais = city["Dover"], city["Calais"]
    check(calais not in board.near[dover] or board.sides.get(pair(dover, calais)) == "all_sea", "the Channel is sea")


def replacements(board: Board, check: Check) -> None:
    """Capitals and mobilization hexes give each country the replacement points, rail and surrender of the charts."""
    hexes = board.hexes
    railed = {hexes[h]["country"] for h in board.rail_from}
    for country, record in board.countries.items():
        cities = {h: v["city"] for h, v in hexes.items() if v["city"] and v["country"] == country}
        capitals = [h for h, c in cities.items() if c["capital"]]
        mobilization = sorted(h for h, c in cities.items() if c["mobilization"])
        points = 0 if country in facts.WITHOUT_RP else len(capitals) + len(mobilization)
        check(points == facts.HOME_RP.get(country, 0), f"{country} has {points} home RP")
        check(record["on_map_rp"] == facts.HOME_RP.get(country, 0), f"{country} records {record['on_map_rp']} home RP")
        check(record["off_map_rp"] == facts.OFF_MAP_RP.get(country, 0), f"{country}: {record['off_map_rp']} off-map RP")
        capital = [record["capital_hex"]] if record["capital_hex"] else []
        check(capitals == capital, f"{country}: the capital stands in {capitals}, its record says {capital}")
        check(mobilization == sorted(record["mobilization_hexes"]), f"{country} mobilizes in {mobilization}")
        for h in capitals + mobilization:
            check(h in board.rail_from or country not in railed, f"{cities[h]['name']} {h} has no railroad")
        in_play = country in facts.HOME_RP or country in facts.SURRENDER
        capacity = facts.RAIL_CAPACITY.get(country, 1) if in_play else 0
        check(record["rail_capacity"] == capacity, f"{country} moves {record['rail_capacity']} units by rail")
        limit = facts.SURRENDER.get(country)
        dice = list(range(1, limit + 1)) if limit else None
        check(record["surrender_range"] == dice, f"{country} surrenders on {record['surrender_range']}")
        check(board.tables["surrender"].get(country) == dice, f"the chart: {country} surrenders on {dice}")
    chart = {c: n for c, n in board.tables["off_map_rp"].items() if c != "evidence"}
    check(chart == facts.OFF_MAP_RP, f"off-map RP are {chart}")
    chart = {c: n for c, n in board.tables["rail_capacity"].items() if c != "evidence"}
    check(chart == facts.RAIL_CAPACITY | {"other": 1}, f"rail capacities are {chart}")


def territory(board: Board, check: Check) -> None:
    """Each country is one piece and has one rail net; East Prussia is the exception."""
    country_of = {h: board.hexes[h]["country"] for h in board.land}
    for country in board.countries:
        railed = {h for h in board.rail_from if country_of.get(h) == country}
        parts = components(railed, lambda h: board.rail_from[h])
        if country == "Germany":
            parts = [part for part in parts if board.cities["Konigsberg"] not in part]
        check(not railed or len(parts) == 1, f"the rail net of {country} lies in {len(parts)} pieces")
        ground = {h for h, c in country_of.items() if c == country}
        pieces = components(ground, lambda h: (n for n in board.near[h] if not board.is_wet(h, n)))
        allowed = facts.TERRITORY_PIECES.get(country, 1)
        check(len(pieces) <= allowed, f"{country} lies in {len(pieces)} pieces: {[sorted(p)[:4] for p in pieces]}")
    joined = flood([board.cities["Berlin"]], lambda h: board.rail_from[h])
    for name in facts.CITIES_JOINED_TO_BERLIN.split():
        check(board.cities[name] in joined, f"no railway from Berlin to {name}")


PROOFS = Proofs(
    "munich_war",
    Board,
    {
        "grid": grid,
        "hexsides": hexsides,
        "places": places,
        "replacements": replacements,
        "territory": territory,
        **FORCE_THEMES,
    },
)
