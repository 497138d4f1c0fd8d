"""Proofs of the atlas of World War II in Europe: spaces, links, fronts, powers, the pact and Vichy."""

from __future__ import annotations

from collections import Counter

from tests.atlas.faults import Check, Proofs, crossings
from tests.games.ww2_europe.model import atlas_facts as facts
from tests.games.ww2_europe.model.atlas_board import Board
from tests.games.ww2_europe.model.atlas_proofs_examples import EXAMPLE_THEMES
from tests.games.ww2_europe.model.atlas_proofs_setups import SETUP_THEMES

FIELDS = {
    "name", "kind", "fronts", "country", "colour", "homeland", "control", "value", "feature", "flag", "terrain",
    "port_of", "multi_front", "blue_border", "lat", "lon", "evidence",
}  # fmt: skip
LINK_ENDS = {
    "land": ({"land"},),
    "sea": ({"sea"}, {"port", "sea"}, {"port"}),
    "coast": ({"land", "sea"}, {"land", "port"}),
}


def links(board: Board, check: Check) -> None:
    """Every link joins two spaces that fit it, once, at the right price."""
    seen = set()
    for link in board.links:
        a, b, name = link["a"], link["b"], f"link {link['a']}-{link['b']}"
        check(a in board.spaces and b in board.spaces and a != b, f"{name} ends nowhere")
        check((frozenset((a, b)), link["kind"]) not in seen, f"{name} is listed twice")
        seen.add((frozenset((a, b)), link["kind"]))
        check(link["cost"] == (5 if link["border"] == "blue" else 1), f"{name} costs {link['cost']}, line 96")
        check(link["evidence"].startswith(("rulebook", "reconstructed", "ruling")), f"{name} carries no evidence")
        ends = {board.spaces[a]["kind"], board.spaces[b]["kind"]}
        check(ends in LINK_ENDS[link["kind"]], f"{name} is a {link['kind']} link between {ends}")
        if link["kind"] == "land":
            abroad = board.spaces[a]["country"] != board.spaces[b]["country"]
            check((link["border"] == "national") == abroad, f"{name}: national borders lie between countries, line 71")
        for gate in link.get("gate", []):
            check(board.spaces[gate]["kind"] == "land", f"{name} has its gate in {gate}")
    for port in board.ports:
        land = board.spaces[port]["port_of"]
        check(board.spaces[land]["port"] == port and land in board.near[port], f"{port} is not joined to {land}")
        outlets = [n for n in board.near[port] if board.spaces[n]["kind"] == "sea"]
        check(outlets, f"{port} opens to no sea, line 125")
    for land in board.land:
        touches = any(board.spaces[n]["kind"] == "sea" for n in board.by(land, "coast"))
        coastal = "coast" in board.spaces[land]["terrain"]
        check(touches == coastal or board.spaces[land]["blue_border"], f"{land}: its coast and its seas differ")


def connections(board: Board, check: Check) -> None:
    """What hangs together, and which straits have only one door."""
    check(len(board.parts(list(board.spaces), "land", "sea", "coast")) == 1, "the map falls apart")
    water = board.parts(board.seas + board.ports, "sea")
    check(len(water) == 1, f"the seas fall apart: {[sorted(part) for part in water[1:]]}")
    for a, b in crossings(board.spaces, [link for link in board.links if link["kind"] == "land"]):
        check(False, f"the land links {a} and {b} cross")
    continent = board.parts(board.land, "land")[0]
    for city in ("berlin", "paris", "rome", "moscow", "cairo", "tripoli"):
        check(city in continent, f"{city} does not hang together with Europe, Asia and Africa")
    check(90 <= len(board.land) <= 150 and 45 <= len(board.seas) <= 70, "the grain of the map")
    open_sea = board.parts([s for s in board.seas if s != "red_sea"], "sea")
    for a, b, port in (("alboran_sea", "portuguese_coast", "Gibraltar"), ("aegean_n", "black_sea_w", "Istanbul")):
        check(not any({a, b} <= part for part in open_sea), f"{a} and {b} meet only in {port}'s port, line 174")
    door = board.near["kattegat"].get("western_baltic", {})
    check(
        door.get("gate") == ["copenhagen", "goteborg"], "the Danish strait is the second door of the Baltic, line 273"
    )
    canal = board.near["egyptian_sea"].get("red_sea", {})
    suez = canal.get("features") == ["canal"] and set(canal.get("gate", [])) == {"suez", "jerusalem"}
    check(suez, "the Suez canal joins two seas, line 1513")


def spaces(board: Board, check: Check) -> None:
    """Every space is complete; every name of the text is on the map and says where it comes from."""
    for space, v in board.spaces.items():
        check(set(v) >= FIELDS, f"{space} lacks {sorted(FIELDS - set(v))}")
        check(v["kind"] in ("land", "sea", "port"), f"{space} has the kind {v['kind']}")
        check(
            v["fronts"] and set(v["fronts"]) <= set(board.atlas["fronts"]), f"{space} lies on the fronts {v['fronts']}"
        )
        check(v["kind"] == "port" or v["port_of"] is None, f"{space} is no port")
    names = {v["name"] for v in board.spaces.values()}
    for name in facts.NAMED_SPACES + facts.OTHER_NAMES:
        check(name in names, f"{name} is named in the text and not on the map")
    for space in board.land:
        v = board.spaces[space]
        check((v["value"] > 0) == (v["feature"] != "none"), f"{space}: only a factory or NRZ has money, line 104")
        if v["name"] in facts.NAMED_SPACES:
            check(v["evidence"]["name"].startswith("rulebook line"), f"{space} does not say where its name comes from")
    check(board.spaces["krakow"]["feature"] == "nrz", "Krakow is an NRZ, line 116")
    for name in ("budapest", "warsaw"):
        check(board.spaces[name]["flag"] == "minor", f"{name} is a Minor Flag space, line 1670")


def fronts(board: Board, check: Check) -> None:
    """An odd number of fronts with initiative on each, and three ports that lie on two."""
    found = board.atlas["fronts"]
    two = {s for s, v in board.spaces.items() if len(v["fronts"]) == 2}
    check(two == facts.TWO_FRONT_PORTS, f"two-front ports are {sorted(two)}, line 814")
    check(two == {s for s, v in board.spaces.items() if v["multi_front"]}, "two-front ports and their marks differ")
    check(set(found) >= facts.NAMED_FRONTS, "the fronts of the text, line 873")
    check(len(found) % 2 == 1, f"{len(found)} fronts: an odd number settles who is player A, line 823")
    for front, v in found.items():
        for kind, listed in (("land", v["land"]), ("sea", v["sea"])):
            there = {
                s for s, x in board.spaces.items() if front in x["fronts"] and (x["kind"] == "land") == (kind == "land")
            }
            check(set(listed) <= there, f"front {front} lists {sorted(set(listed) - there)}, which lie elsewhere")
            missing = {s for s in there if board.spaces[s]["kind"] == kind} - set(listed)
            check(not missing, f"front {front} does not list {sorted(missing)}")
        for scenario in board.setups:
            check(v["initiative"][scenario] in ("axis", "allies"), f"{front}: nobody has the initiative in {scenario}")


def powers(board: Board, check: Check) -> None:
    """Homelands, flags, colours, sides and minors."""
    check(set(board.powers) == set(facts.POWERS), "six majors, line 5")
    flags = [s for s in board.land if board.spaces[s]["flag"] == "major"]
    check(len(flags) == 6, f"Major Flag spaces are {flags}, line 84")
    for power, v in board.powers.items():
        home = [s for s in board.land if board.spaces[s]["homeland"] == power]
        check(v["homeland"] == home, f"{power}: its homeland list and the map differ")
        check(v["capital"] in home and v["capital"] in flags, f"{power}: {v['capital']} is its Major Flag space")
        yards = [s for s in home if board.spaces[s]["feature"] == "factory" and board.spaces[s]["port"]]
        check(yards, f"{power}: no homeland port with a factory, line 1552")
        lines = tuple(f"rulebook line {n}" for n in facts.POWER_LINES[power])
        cited = (v["evidence"]["colour"], v["evidence"]["side"])
        check(cited == lines, f"{power}: colour and side come from {cited}")
        check(v["side"] == facts.SIDES[power], f"{power} is on the side {v['side']}")
        check(v["colour"] == facts.COLOURS.get(power, v["colour"]), f"{power} is {v['colour']}")
        value = sum(board.spaces[s]["value"] for s in home)
        check(value == facts.HOMELAND_VALUES[power], f"{power}: its homeland is worth {value}")
    for minor, v in board.minors.items():
        check(set(v["spaces"]) | set(v["neutral_forces"]) <= set(board.spaces), f"{minor} names unknown spaces")
        capital = v["capital"]
        check(capital is None or board.spaces[capital]["flag"] == "minor", f"{minor}: {capital} is no Minor Flag space")
        own = [s for s in board.land if board.spaces[s]["country"] == minor]
        check(not own or set(own) == set(v["spaces"]), f"{minor}: its list and the map differ")
    worth: Counter[str] = Counter()
    for space in board.land:
        country = board.spaces[space]["country"]
        worth[country] += board.spaces[space]["value"]
        check(country in board.minors or country in board.powers, f"{space} belongs to {country}, which is nobody")
    for country, value in worth.items():
        wanted = facts.COUNTRY_VALUES.get(country, 0)
        check(value == wanted, f"the spaces of {country} are worth {value}, not {wanted}")


def pact_and_vichy(board: Board, check: Check) -> None:
    """Who gets which spaces of Poland, the Baltic and France."""
    pact, vichy = board.rules["pact"], board.atlas["vichy_setup"]
    check(pact["german_spaces"] == facts.PACT_GERMAN, f"the pact gives Germany {pact['german_spaces']}, line 1726")
    check(
        set(pact["soviet_spaces"]) == facts.PACT_SOVIET, f"the pact gives the USSR {pact['soviet_spaces']}, line 1726"
    )
    check(set(pact["germany_may_not_enter"]) == facts.PACT_SOVIET, "Germany keeps out of the Soviet spaces")
    poland = {*facts.PACT_GERMAN, "brest_litovsk", "vilna", "lvov"}
    check(set(board.minors["poland"]["spaces"]) == poland, "Poland is six spaces, three a side, line 1726")
    west, east = {*facts.PACT_GERMAN, "konigsberg"}, facts.PACT_SOVIET
    border = {frozenset((a, b)) for a in west for b in board.by(a, "land") if b in east}
    check({frozenset(x) for x in pact["partition_line"]} == border, "the partition line is the border of the two lists")
    check(vichy["german_controlled"] == facts.OCCUPIED_FRANCE, "the occupied zone, line 1925")
    check(vichy["units"] == facts.VICHY_FORCES, f"Vichy's forces are {vichy['units']}, line 1946")
    ports = [board.spaces[p]["name"] for p in vichy["naval_ports"]]
    check(ports == facts.VICHY_PORTS, f"Vichy's ports are {ports}, line 1954")
    settled = {*vichy["german_controlled"], *vichy["vichy_controlled"]}
    check(settled >= set(board.powers["france"]["homeland"]), "every French homeland space is settled, line 1925")
    blue = {s for s in board.land if board.spaces[s]["colour"].startswith("blue")}
    rest = blue - set(vichy["german_controlled"])
    check(set(vichy["vichy_controlled"]) == rest, "all other blue spaces go to Vichy, line 1927")
    control = board.setups["spring-1941"]["control"]
    for owner, listed in (("germany", vichy["german_controlled"]), ("vichy_france", vichy["vichy_controlled"])):
        for space in listed:
            check(control[space] == owner, f"spring 1941: {space} belongs to {control[space]}, not {owner}")
    colonies = set(board.minors["vichy_france"]["colonies_attacked_separately"])
    check(colonies == facts.VICHY_COLONIES, f"colonies are {sorted(colonies)}, line 1936")


def dates(board: Board, check: Check) -> None:
    """Turn tracks, entry dates and the pace of research."""
    check(set(board.setups) == {"fall-1939", "spring-1941"}, "both scenarios, line 13")
    for name, record in board.setups.items():
        track = record["turn_track"]
        fits = track[0] == f"{record['season']} {record['year']}" and track[-1] == "summer 1945"
        check(fits and len(track) == record["turns"], f"{name}: the turns to summer 1945, line 1862")
    when = Counter(event["when"] for event in board.atlas["events"])
    check(when["spring 1940"] and when["spring 1942"], "Italy enters in 1940, USA and USSR in 1942, line 1774")
    tech = board.atlas["tech"]
    check(set(tech["technologies"]) == facts.TECHNOLOGIES, "ten technologies, line 1871")
    check(tech["target"] == facts.TECHNOLOGY_TARGET, f"the target is {tech['target']}, line 1871")
    for scenario, players in (("fall-1939", 6), ("spring-1941", 5)):
        start = tech["start"][scenario]
        check(len(start) == players, f"{scenario}: start numbers for {sorted(start)}")
        for power, numbers in start.items():
            full = set(numbers) == facts.TECHNOLOGIES and all(
                0 <= n <= facts.TECHNOLOGY_TARGET for n in numbers.values()
            )
            check(full, f"{scenario}: start numbers of {power}")
    track = board.setups["fall-1939"]["turn_track"]
    for (power, item), due in facts.TECHNOLOGY_DATES.items():
        turn = track.index("spring 1942" if power == "usa" else "fall 1939")
        missing = facts.TECHNOLOGY_TARGET - tech["start"]["fall-1939"][power][item]
        arrives = turn + -(-missing * 2 // 7)
        check(track[arrives] in due, f"{power} gets {item} in {track[arrives]}")


PROOFS = Proofs(
    "ww2_europe",
    Board,
    {
        "links": links,
        "spaces": spaces,
        "connections": connections,
        "fronts": fronts,
        "powers": powers,
        "pact and Vichy": pact_and_vichy,
        "dates": dates,
        **EXAMPLE_THEMES,
        **SETUP_THEMES,
    },
)
