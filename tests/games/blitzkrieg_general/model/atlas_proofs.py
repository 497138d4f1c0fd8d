"""Proofs of the atlas of Blitzkrieg General: the graph of spaces, the forced geography and production."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.atlas.faults import Check, Proofs, components, crossings
from tests.games.blitzkrieg_general.model import atlas_facts as facts
from tests.games.blitzkrieg_general.model.atlas_board import Board, by_land, by_sea
from tests.games.blitzkrieg_general.model.atlas_proofs_forces import FORCE_THEMES
from tests.games.blitzkrieg_general.model.atlas_proofs_tutorial import TUTORIAL_THEMES

EVIDENCE = ("rulebook", "reconstructed", "derived", "no ")


def links(board: Board, check: Check) -> None:
    """Every link joins two spaces that fit it, once, with known borders and gates."""
    seen = set()
    for link in board.links:
        a, b, name = link["a"], link["b"], f"link {link['a']}-{link['b']}"
        check(frozenset((a, b)) not in seen and a != b, f"{name} is listed twice")
        seen.add(frozenset((a, b)))
        zones = [board.spaces[s]["kind"] == "seazone" for s in (a, b)]
        fits = {"land": not any(zones), "sea": all(zones), "coast": zones[0] != zones[1]}
        check(fits.get(link["kind"]), f"{name} is a {link['kind']} link between {zones}")
        borders = link["borders"]
        check(set(borders) <= {"river", "mountain", "swamp", "forbidden"}, f"{name} has the borders {borders}")
        check(link["border"] == (borders[0] if borders else None), f"{name}: border and borders differ")
        check(link["map_switch"] == (board.spaces[a]["map"] != board.spaces[b]["map"]), f"{name}: the map switch mark")
        check(link["gate"] is None or link["gate"] in board.atlas["gates"], f"{name} has the gate {link['gate']}")
        check("rulebook" in link["evidence"] or "reconstructed" in link["evidence"], f"{name} carries no evidence")
        check(not link["forbidden_coast"] or link["kind"] == "coast", f"{name}: only a coast can be forbidden")
    for gate, v in board.atlas["gates"].items():
        a, b = v["link"]
        check(board.near[a].get(b, {}).get("gate") == gate, f"the gate {gate} must stand between {a} and {b}")
        check(sum(link["gate"] == gate for link in board.links) == 1, f"the gate {gate} stands on several links")
        check(set(v["control_areas"]) <= set(board.spaces), f"the gate {gate} is held from {v['control_areas']}")
    for chart in ("europe", "pacific"):
        for kind in ("land", "sea"):
            on_it = [k for k in board.links if k["kind"] == kind and not k["map_switch"]]
            on_it = [k for k in on_it if board.spaces[k["a"]]["map"] == chart]
            for one, other in crossings(board.spaces, on_it):
                check(False, f"the {kind} links {one} and {other} cross")


def spaces(board: Board, check: Check) -> None:
    """Every space is complete and touches another; islands lie in their own zone."""
    names = {(v["name"], v["kind"]) for v in board.spaces.values()}
    check(len(names) == len(board.spaces), "two spaces of one kind share a name")
    for s, v in board.spaces.items():
        check(v["kind"] in ("area", "seazone", "island"), f"{s} has the kind {v['kind']}")
        check(v["map"] in ("europe", "pacific"), f"{s} lies on the map {v['map']}")
        check(isinstance(v["lat"], int | float) and isinstance(v["lon"], int | float), f"{s} has no place")
        check(board.near[s], f"{s} touches nothing")
        check(v["owner"] is None or v["owner"] in board.countries, f"{s} belongs to {v['owner']}")
        check(all(e.startswith(EVIDENCE) for e in v["evidence"].values()), f"{s} carries the evidence {v['evidence']}")
        if v["kind"] == "seazone":
            continue
        check(v["terrain"] in board.atlas["terrain_effects"], f"{s} is {v['terrain']}")
        pair = v["production"]
        fits = pair is None or (len(pair) == 2 and all(isinstance(n, int) and n >= 0 for n in pair))
        check(fits, f"{s} produces {pair}")
        if v["kind"] == "island":
            check(board.near[s].get(f"sea_{s}", {}).get("same_space"), f"{s} does not lie in its own zone")
            check(v["no_production_island"] == (pair is None), f"{s}: its production and the island list differ")


def geography(board: Board, check: Check) -> None:
    """Land masses, islands, forbidden borders and insets as the rulebook describes them."""
    near, where = board.near, board.spaces
    check(len(board.distances(board.zones[0], by_sea)) == len(board.zones), "a seazone cannot be reached")
    dry = [s for s in board.areas if s != "switzerland"]
    masses = components(dry, lambda s: (n for n, link in near[s].items() if by_land(link)))
    wanted = [set(text.split()) for text in facts.LAND_MASSES]
    for mass in wanted:
        check(mass in masses, f"{sorted(mass)} must be a land mass of its own")
    for s in facts.OLD_WORLD.split():
        check(s in masses[0], f"{s} does not hang together with the Old World")
    large = [m for m in masses if len(m) > 1 or where[min(m)]["kind"] == "area"]
    check(len(large) == len(wanted) + 1, f"land masses: {[sorted(m) for m in large[1:]]}")
    for mass in masses:
        coast = any(link["kind"] == "coast" for s in mass for link in near[s].values())
        check(coast, f"the land mass of {min(mass)} has no coast")
    limit = where["midway_islands"]["stacking_limit"]
    check(limit == facts.MIDWAY_LIMIT, f"Midway holds {limit}, line 1265")
    for s, v in where.items():
        desert = facts.DESERT_LIMIT if v["terrain"] == "desert" else None
        check(v["desert_land_limit"] == desert, f"{s} holds {v['desert_land_limit']} as a desert, line 7259")
    for a, b, line in facts.FORBIDDEN_BORDERS:
        check("forbidden" in near[a][b]["borders"], f"{a}-{b} is closed, line {line}")
    check(all("forbidden" in k["borders"] for k in near["switzerland"].values()), "Switzerland is closed, line 100")
    check(not board.joined("voronesh", "kharkov"), "Voronesh and Kharkov meet only in a corner, line 354")
    check(set(near["voronesh"]) & set(near["kharkov"]), "a third area touches Voronesh and Kharkov, line 354")
    for a, b in facts.OFF_MAP_SEA_LINKS:
        check(board.joined(a, b, "sea"), f"{a}-{b} runs off the map, line 73")
    inset = {s for s, v in where.items() if v["inset_east_africa"]}
    doors = {s for k in board.links if (k["a"] in inset) != (k["b"] in inset) for s in (k["a"], k["b"])} - inset
    check(doors == facts.EAST_AFRICA_DOORS, f"the East Africa strip opens to {sorted(doors)}, line 109")
    coasts = {s for k in board.links if k["forbidden_coast"] for s in (k["a"], k["b"]) if where[s]["kind"] == "area"}
    check(coasts == facts.FORBIDDEN_COASTS, f"forbidden coasts are {sorted(coasts)}, line 1357")
    walls = {s for k in board.links if k["fortress_side"] for s in (k["a"], k["b"])}
    check({"maginot", "western_germany"} <= walls, "the Maginot line faces Western Germany")
    for s in facts.NO_MAGINOT_FORTRESS:
        open_side = board.joined("maginot", s) and not near["maginot"][s]["fortress_side"]
        check(open_side, f"the Maginot line does not face {s}, line 1383")
    japanese, allied = facts.JAPANESE_ISLANDS.split(), facts.ALLIED_ISLANDS.split()
    found = {s for s, v in where.items() if v["no_production_island"]}
    check(found == {*japanese, *allied}, f"islands without production are {sorted(found)}")
    for s in japanese:
        check(where[s]["owner"] == "japan", f"{s} starts Japanese")
    for s in allied:
        check(where[s]["owner"] in ("usa", "be", "bnl"), f"{s} starts Allied")


def strategy(board: Board, check: Check) -> None:
    """Oceans are as wide as the game needs them."""
    for a in ("usa_west", "canada_west"):
        far = board.crossing(a, "southern_japan"), board.crossing("southern_japan", a)
        check(far == (4, 4), f"an invasion from {a} to Japan crosses {far} zones")
    check(
        board.crossing("usa_west", "northern_japan") == 4, "an invasion from the USA to Northern Japan crosses 4 zones"
    )
    for a, zones in (("hawaiian_islands", 3), ("midway_islands", 2), ("mariana_islands", 1)):
        check(board.crossing(a, "southern_japan") == zones, f"{a} is {zones} zones from Japan")
    for a, b in (
        ("usa_east", "england"),
        ("usa_east", "morocco"),
        ("usa_west", "hawaiian_islands"),
        ("western_germany", "norway"),
    ):
        check(board.crossing(a, b) <= 3, f"{a}-{b} can be crossed in one move")
    check(board.distance("sea_mariana_islands", "sea_hawaiian_islands", by_sea) == 3, "the Marianas strike Hawaii")
    check(board.joined("sea_formosa", "sea_philippines", "sea"), "Formosa is one zone from the Philippines")
    for a, b in (("southern_chinese_sea", "indochine"), ("southern_chinese_sea", "malaya"), ("channel", "england"),
                 ("channel", "normandy")):  # fmt: skip
        check(board.joined(a, b, "coast"), f"{a} lies off {b}")
    far_east = ("vladivostok", "east_siberia", "jablonovy", "irkutsk", "n_siberia")
    check(sum(board.spaces[s]["production"][1] for s in far_east) >= 5, "7.6.3: the Far East can lose 5 points")
    most = sum(max(v["production"]) for v in board.spaces.values() if v["production"]) + 15
    check(most > 131, f"131 Allied points must be attainable, {most} are")


def _is_owned_by(country: str, _: str, space: dict[str, Any]) -> bool:
    return bool(space["owner"] == country)


def production(board: Board, check: Check) -> None:
    """Areas, deliveries and control add up to the production of both scenarios, and to every step of the tutorials."""
    where, setups = board.spaces, board.setups
    for country, points in facts.OWN_PRODUCTION_1939.items():
        made = board.left_production(partial(_is_owned_by, country))
        check(made == points, f"{country} makes {made} in its own areas, not {points}")
    for country in board.countries:
        pairs = [v["production"] for v in where.values() if v["owner"] == country and v["production"]]
        total = [sum(column) for column in zip(*pairs, strict=True)] or [0, 0]
        wanted_total = facts.COUNTRY_TOTALS.get(country, [0, 0])
        check(total == wanted_total, f"the areas of {country} make {total}, not {wanted_total}")
    british = board.left_production(lambda s, v: v["owner"] == "be" and not v["be_pacific"])
    check(british == facts.BE_PRODUCTION, f"the British Empire makes {british} without the Pacific, line 4502")
    pacific = board.left_production(lambda s, v: v["be_pacific"])
    check(pacific == facts.BE_PACIFIC_PRODUCTION, f"Australia, India and Burma make {pacific}, line 6889")
    for s, v in where.items():
        home = v["british_home"] in ("india", "australia") or s == "burma"
        check(not v["be_pacific"] or home, f"{s} is no part of the British Pacific production")
    check(board.countries["ussr"]["peace_production"] == facts.USSR_PEACE, "the USSR makes 11 in peace, line 904")
    delivered = {(d["giver"], d["receiver"]): d["bp"] for d in board.atlas["deliveries"]}
    check(delivered == facts.DELIVERIES, f"deliveries are {delivered}, line 917")
    for area, pair in facts.AREA_PRODUCTION.items():
        check(where[area]["production"] == pair, f"{area} makes {where[area]['production']}, not {pair}")
    for area in facts.NO_PRODUCTION.split():
        check(where[area]["production"] is None, f"{area} makes nothing: no total changes when it is taken")
    for area in facts.PRODUCING_HOMES.split():
        makes = where[area]["production"] and where[area]["production"][0] > 0 and where[area]["home_of"]
        check(makes, f"{area} is a home area with production")
    check(where["baltic"]["production"][1] == 1 and where["baltic"]["germany_only"], "Baltic for Germany, line 4852")
    check(where["iraq"]["production"][0] == 1, "the coup in Iraq wins 1, line 5543")
    for line, area, changes in facts.TUTORIAL_CHANGES:
        left, right = where[area]["production"]
        check(set(changes.values()) <= {-left, right}, f"{area} makes {left}/{right}, line {line} changes {changes}")
    for scenario, wanted in (("1939", facts.PRODUCTION_1939), ("1941", facts.PRODUCTION_1941)):
        record = setups[scenario]
        owners, friends = (board.owners, {}) if scenario == "1939" else (board.owners_1941, facts.ASSOCIATES)
        for country, points in wanted.items():
            made = _production(board, country, owners, friends, pacific=record["be_pacific_active"])
            made += board.deliveries(country, record["deliveries_in_force"])
            check(made == points, f"{scenario}: {country} makes {made} from control and deliveries, not {points}")
            check(
                record["production"][country] == points, f"{scenario}: the card gives {country} {record['production']}"
            )
        check(set(record["deliveries_in_force"]) <= {g for g, _ in facts.DELIVERIES}, f"{scenario}: unknown deliveries")
    check(setups["1941"]["production"] == facts.CARD_1941, f"1941: {setups['1941']['production']}, line 7456")
    # Seven turn ends, Italy, Indochine and three neutrals attacked.
    check(setups["1941"]["production"]["usa"] == 7 + 1 + 1 + 3, "1941: the entry rules give the USA 12")


def _production(
    board: Board, country: str, owners: dict[str, str | None], friends: dict[str, str], *, pacific: bool
) -> int:
    total = 0
    for s, v in board.spaces.items():
        owner = owners.get(s)
        if not v["production"] or friends.get(owner or "", owner) != country:
            continue
        if (v["germany_only"] and country != "germany") or (v["be_pacific"] and not pacific):
            continue
        total += v["production"][0 if v["owner"] == owner else 1]
    return total


def ownership(board: Board, check: Check) -> None:
    """Spaces and countries tell the same story of homes, colonies and neutrals."""
    where = board.spaces
    for country, v in board.countries.items():
        owned = {s for s in where if where[s]["owner"] == country}
        if v["kind"] == "major":
            home, colonies = set(v["home_areas"]), set(v["colonies"])
            check({s for s in where if where[s]["home_of"] == country} == home, f"home areas of {country}")
            check(owned == home | colonies and not home & colonies, f"colonies of {country}")
            check(any(where[s]["production"] for s in home), f"{country} has no home area with production")
        if v["kind"] in ("neutral", "axis_minor"):
            check(v["areas"] and set(v["areas"]) <= owned, f"areas of {country}: {v['areas']}")
            placed = country in board.atlas["neutral_setups"] or v.get("units_none") or country == "poland"
            check(placed, f"{country} has no set-up")
    for home, v in board.countries["be"]["homes"].items():
        areas = {s for s in where if where[s]["british_home"] == home}
        check(areas == set(v["areas"]), f"the British home {home} is {sorted(areas)}")
        check(any(where[s]["production"] for s in areas), f"the British home {home} makes nothing")
        coast = any(k["kind"] == "coast" for s in areas for k in board.near[s].values())
        check(coast, f"the British home {home} has no coast")
    for area, owner in board.setups["1941"]["control_changes"].items():
        check(area in where and owner in board.countries, f"1941: {area} belongs to {owner}")


PROOFS = Proofs(
    "blitzkrieg_general",
    Board,
    {
        "spaces": spaces,
        "geography": geography,
        "production": production,
        "ownership": ownership,
        **FORCE_THEMES,
        **TUTORIAL_THEMES,
        "strategy": strategy,
        "links": links,
    },
)
