"""Proofs of the atlas of Hitler's War: grid, named hexes, production, seas, land and set-ups."""

from __future__ import annotations

from itertools import combinations, pairwise

from tests.atlas.faults import Check, Proofs, components
from tests.games.hitlers_war.model import atlas_facts as facts
from tests.games.hitlers_war.model.atlas_board import Board, Edge
from tests.games.hitlers_war.model.atlas_proofs_charts import charts


def grid(board: Board, check: Check) -> None:
    """Ids, neighbours and hexsides fit the printed grid."""
    for h, record in board.hexes.items():
        check(h == f"{record['row']}{record['number']}", f"hex {h} is numbered {record['row']}{record['number']}")
        check(record["kind"] in ("land", "coast", "sea"), f"hex {h} has the kind {record['kind']}")
        for n in board.near[h]:
            check(h in board.near[n], f"{h} touches {n} but not the other way round")
    seen: set[Edge] = set()
    for e in board.atlas["hexsides"]:
        a, b, name = e["a"], e["b"], f"hexside {e['a']}-{e['b']}"
        check(frozenset((a, b)) not in seen, f"{name} is listed twice")
        seen.add(frozenset((a, b)))
        check(a in board.hexes and b in board.near.get(a, []), f"{name} lies between hexes that do not touch")
        check(e["kind"] in ("sea", "partial", "crossing", "land"), f"{name} has the kind {e['kind']}")
        kinds = {board.hexes[a]["kind"], board.hexes[b]["kind"]}
        check("sea" not in kinds, f"{name} borders open sea, needs no entry")
        watered = kinds == {"coast"} or e.get("sea") == "soviet_lakes"
        check(watered or e["kind"] == "land", f"{name} is drawn as {e['kind']} inland")
    for chain in facts.ADJACENT_CHAINS:
        for a, b in pairwise(chain.split()):
            check(b in board.near[a], f"{a} and {b} must touch")


def named_hexes(board: Board, check: Check) -> None:
    """Hexes that the rulebook names are there, with the country, coast, port, capital and depot it gives them."""
    for h in f"{facts.HEXES_IN_THE_TEXT} {facts.MAP_LABELS}".split():
        check(h in board.hexes, f"{h} is named in the text and not on the map")
    for country, hexes in facts.COUNTRY_HEXES.items():
        for h in hexes.split():
            check(board.hexes.get(h, {}).get("country") == country, f"{h} must belong to {country}")
            check(h in board.countries[country]["hexes"], f"{h} is missing from the list of {country}")
    for country, record in board.countries.items():
        members = {h for h, v in board.hexes.items() if v["country"] == country}
        check(
            members == set(record["hexes"]),
            f"{country}: its list and the map differ by {members ^ set(record['hexes'])}",
        )
    for h in facts.RED_SEA_HEXES.split():
        check(board.hexes[h]["kind"] == "sea" and board.hexes[h]["seas"] == ["red_persian"], f"{h} lies in the Red Sea")
    for h in facts.COAST_HEXES.split():
        check(board.hexes[h]["kind"] == "coast", f"{h} must be a coast hex")
    for h, name in facts.CAPITALS.items():
        check(board.hexes[h]["capital"] == name, f"{h} must be the capital {name}")
    depots = sorted(h for h, v in board.hexes.items() if v.get("lend_lease"))
    check(depots == sorted(facts.LEND_LEASE_DEPOTS.split()), f"lend-lease depots are {depots}")
    for h in facts.PORTS.split():
        check(board.hexes[h]["port"], f"{h} must be a port")
    check(board.hexes["H4"].get("port_capacity") == 3, "Gibraltar H4 holds three fleet points")
    check(board.hexes["J11"].get("ship_exit_only") == "I12", "ships leave Taranto J11 only to I12")
    for h in facts.CLEAR_HEXES.split():
        check(board.hexes[h]["terrain"] == "clear", f"{h} must be clear: its worked example has no mountain modifier")
    italy = sorted(facts.COUNTRY_HEXES["italy"].split())
    check(sorted(board.countries["italy"]["surrender"]["hexes"]) == italy, "Italy surrenders by its whole mainland")
    for neutral in ("switzerland", "saudi_arabia"):
        record = board.countries[neutral]
        check(
            record["colour"] == "gray" and record["surrender"]["type"] == "never", f"{neutral} stays neutral for ever"
        )
    pair = set(board.countries["great_britain"]["surrender"]["hexes"])
    check(pair == set(facts.BRITISH_PAIR.split()), f"Britain surrenders by {facts.BRITISH_PAIR}, not {pair}")
    gates = {g["name"]: g["controlling"] for g in board.atlas["sea_borders"] if g["name"] in facts.SEA_GATES}
    check(gates == facts.SEA_GATES, f"the sea borders are controlled from {gates}")


def production(board: Board, check: Check) -> None:
    """Points on the map add up to what the rulebook says each side starts with."""
    hexes, scenarios = board.hexes, board.scenarios
    for h in facts.PRODUCTION_HEXES.split():
        check(hexes[h]["production"] >= 1, f"{h} must have production")
    for h in facts.SINGLE_POINTS.split():
        check(hexes[h]["production"] == 1, f"{h} must have one point, has {hexes[h]['production']}")
    check(hexes["O10"]["production"] >= facts.DEVASTATED_IN_O10, "three points can be devastated in O10")
    for h, record in hexes.items():
        check(0 <= record["production"] <= 16, f"{h} produces {record['production']}")
        check(record["kind"] != "sea" or not record["production"], f"sea hex {h} has production")
    for country, record in board.countries.items():
        if record["hexes"]:
            total = board.country_production(country)
            check(
                total == record["production"],
                f"{country}: its hexes make {total}, its record says {record['production']}",
            )
        else:
            box_points = [b["production"] for b in board.boxes.values() if b["country"] == country]
            check(box_points == [record["production"]], f"{country}: its box makes {box_points}")
    check(board.country_production("germany") == 16, f"Germany makes {board.country_production('germany')}, not 16")
    italy = board.country_production("italy", "sicily", "sardinia", "libya", "albania")
    check(italy == 7, f"Italy makes {italy}, not 7")
    check(board.country_production("france", "corsica") == 7, "France must make 7")
    for box, points in facts.BOX_PRODUCTION.items():
        check(board.boxes[box]["production"] == points, f"{box} must make {points}")
    later = board.boxes["siberia"]["production_from_spring_1943"]
    check(later == facts.SIBERIA_FROM_SPRING_1943, f"Siberia makes {later} from spring 1943")
    for scenario, stated in facts.PRODUCTION_AT_START.items():
        check(scenarios[scenario]["production"] == stated, f"{scenario} states {scenarios[scenario]['production']}")
        for a, b in combinations(scenarios[scenario]["friendly"], 2):
            both = board.friendly(scenario, a) & board.friendly(scenario, b)
            check(not both, f"{scenario}: {sorted(both)} are friendly to {a} and to {b}")
    french = scenarios["barbarossa"]["devastation"]["france"]["default"]
    lost = {**scenarios["barbarossa"]["devastation"]["hexes"], **dict.fromkeys(french, 1)}
    check(board.production(french) == 3, "three French points are devastated in 1941")
    for h in board.countries["yugoslavia"]["hexes"] + board.countries["greece"]["hexes"]:
        check(lost.get(h, 0) == hexes[h]["production"], f"{h} must start 1941 wholly devastated")
    axis41 = board.production(board.friendly("barbarossa", "axis"), lost)
    check(axis41 == 34, f"Barbarossa: the Axis makes {axis41}, not 34")
    soviet41 = board.production(board.friendly("barbarossa", "soviet"))
    check(soviet41 == 16, f"Barbarossa: the Soviets make {soviet41}, not 16")
    fall, lost44 = "fall-of-germany", scenarios["fall-of-germany"]["devastation"]["hexes"]
    for side, stated_points, boxes in (
        ("axis", 30, 0), ("soviet", 23, later), ("allied", 35, board.box_production(fall, "allied")),
    ):  # fmt: skip
        points = board.production(board.friendly(fall, side), lost44) + boxes
        check(points == stated_points, f"1944: {side} makes {points}, not {stated_points}")
    check(sorted(lost44) == sorted(facts.DEVASTATED_1944.split()), f"1944: devastated are {sorted(lost44)}")
    for h, points in lost44.items():
        whole = facts.DEVASTATED_IN_O10 if h == "O10" else hexes[h]["production"]
        check(points == whole, f"1944: {h} loses {points}, not {whole}")
    for scenario in ("campaign-1", "campaign-2"):
        check(board.production(board.friendly(scenario, "axis")) == 16, f"{scenario}: the Axis makes 16")
        check(
            board.production(board.friendly(scenario, "soviet")) >= 8, f"{scenario}: the Soviets reach their limit of 8"
        )
        allied = board.production(board.friendly(scenario, "allied")) + board.box_production(scenario, "allied")
        check(allied == 23, f"{scenario}: the Allies make {allied}, not 23")


def seas(board: Board, check: Check) -> None:
    """Each sea hangs together and meets the next only at its border; coasts and inland hexes know their water."""
    waters = {s: set(v["hexes"]) for s, v in board.atlas["seas"].items() if v.get("hexes")}
    for sea, hexes in waters.items():
        own = {h for h, v in board.hexes.items() if v["kind"] == "sea" and sea in v["seas"]}
        check(own == hexes, f"{sea}: its list and the map differ by {sorted(own ^ hexes)}")
        parts, left = [], set(hexes)
        while left:
            part = board.sea_flood(min(left), full_sides_only=True) & hexes
            parts.append(part)
            left -= part
        if sea == "red_persian":
            split = len(parts) == 2 and any("A18" in p for p in parts) and any("C22" in p for p in parts)
            check(split, "Red Sea and Persian Gulf are two waters joined by arrows")
        else:
            check(len(parts) == 1, f"{sea} falls into {len(parts)} parts: {[sorted(p) for p in parts[1:]]}")
        reached = board.sea_flood(min(hexes))
        for other, others in waters.items():
            check(other == sea or not others & reached, f"{sea} leaks into {other}")
    ocean = board.sea_flood("M2", through_gates=True)
    for sea in ("mediterranean", "baltic", "black"):
        check(waters[sea] <= ocean, f"{sea} cannot be reached through its border")
    check("D16" in ocean, "Suez joins the Red Sea to the Mediterranean")
    for h, record in board.hexes.items():
        if record["kind"] == "coast":
            touched = {
                s
                for n in board.near[h]
                if board.hexes[n]["kind"] == "sea" or board.side(h, n) != "land"
                for s in board.hexes[n]["seas"]
            }
            check(
                record["seas"] and set(record["seas"]) <= touched,
                f"coast {h} claims {record['seas']}, touches {touched}",
            )
        if record["kind"] == "land":
            dry = not record["seas"] and all(board.hexes[n]["kind"] != "sea" for n in board.near[h])
            check(dry, f"inland hex {h} touches water")


def routes(board: Board, check: Check) -> None:
    """Voyages and distances of the worked examples."""

    def full_sea(path: str) -> int:
        return sum(board.side(a, b) == "sea" for a, b in pairwise(path.split()))

    check(full_sea("A18 B17 C17 D16 D15") == 4, "line 614: four full-sea hexsides on the way to Suez")
    check(full_sea("S10 S9 S8 S7") == 3, "line 642: three full-sea hexsides from S10 to S7")
    check(board.side("H10", "I11") == "sea", "line 672: H10-I11 is sea, Sicily to Salerno")
    check(board.side("J11", "I12") in ("partial", "sea"), "Taranto J11 opens to I12")
    arrows = {(a["from"], a["to"]): a["length"] for a in board.atlas["sea_arrows"]}
    for ends, length in facts.ARROW_LENGTHS.items():
        check(arrows.get(ends) == length, f"the arrow {ends[0]}-{ends[1]} must be {length} long")
    for end, length in facts.ARROW_ENDS.items():
        check(board.hexes[end]["kind"] == "sea", f"{end} must be sea: an arrow ends there")
        check(
            [n for (_, to), n in arrows.items() if to == end] == [length], f"the arrow to {end} must be {length} long"
        )
    check(board.hexes["Q10"]["seas"] == ["atlantic", "baltic"], "Kiel Q10 lies on both seas")
    check("baltic" in board.hexes["T15"]["seas"], "Leningrad T15 lies on the Baltic")
    distance, ring = {"Q10": 0}, ["Q10"]
    for h in ring:
        for n, _, _ in board.sea_steps(h):
            if n not in distance and "atlantic" in board.hexes[n]["seas"]:
                distance[n] = distance[h] + 1
                ring.append(n)
    check(distance["F2"] + 35 + 65 > 105, f"line 620: Kiel to India is {distance['F2']} + 100 hexsides")
    pocket = {h: board.hexes[h]["production"] for h in ("P14", "P15", "N14", "N15")}
    check(pocket == {"P14": 0, "P15": 0, "N14": 0, "N15": 1}, f"line 398: production of the two pockets {pocket}")
    for a, b in (("P14", "P15"), ("N14", "N15"), ("O12", "P11"), ("O11", "O12")):
        check(board.side(a, b) == "land", f"{a}-{b} must be a land side")


def land(board: Board, check: Check) -> None:
    """The mainland, the islands, and countries that hang together."""
    dry = {h for h, v in board.hexes.items() if v["kind"] != "sea"}
    main = board.land_flood("P10", dry)
    for h in facts.MAINLAND.split():
        check(h in main, f"{h} cannot be reached from Berlin by land")
    islands = dry - main
    check(islands == set(facts.ISLANDS.split()), f"islands differ: {sorted(islands ^ set(facts.ISLANDS.split()))}")
    apart = {"germany": {"Q13"}, "great_britain": {"U7"}}
    for country, record in board.countries.items():
        hexes = set(record["hexes"])
        if hexes:
            parts = components(hexes, lambda h: (k for k in board.near[h] if board.side(h, k) != "sea"))
            rest = set().union(*parts[1:])
            check(rest == apart.get(country, set()), f"{country} falls apart: {sorted(rest)}")
    edge = set(board.boxes["siberia"]["adjacent_hexes"])
    check(
        edge == {h for h in board.countries["soviet_union"]["hexes"] if h.endswith("22")}, "Siberia touches column 22"
    )
    check(board.land_flood("Q17", set(board.countries["soviet_union"]["hexes"])) & edge, "Moscow reaches Siberia")
    both = board.friendly("barbarossa", "axis") | board.friendly("barbarossa", "soviet")
    check({"P14", "Q15", "Q16", "Q17"} <= board.land_flood("P12", both), "Warsaw to Moscow by land")
    block = board.land_flood("P10", board.friendly("barbarossa", "axis"))
    for h in ("P13", "O14", "N13", "L14", "N7", "J11"):
        check(h in block, f"{h} hangs together with Berlin in 1941")


def set_ups(board: Board, check: Check) -> None:
    """Every set-up line of the rulebook, legal where it stands."""
    for scenario, record in board.scenarios.items():
        check((record["first_turn"], record["last_turn"]) == facts.TURNS[scenario], f"{scenario}: first and last turn")
        check({record["first_turn"], record["last_turn"]} <= set(board.turns), f"{scenario}: turns on the time record")
        stack: dict[str, int] = {}
        for side, armies in record["armies"].items():
            own = board.friendly(scenario, side)
            if isinstance(armies, dict):
                forces = {k: v for k, v in armies.items() if k != "free"}
                check(forces == facts.FREE_FORCES[side], f"{scenario}: {side} places {forces}")
                continue
            lines = [
                (a["hex"], a["infantry"], a["mechanized"], a.get("tac_air", 0), a.get("amphibious", 0)) for a in armies
            ]
            check(lines == facts.ARMIES[scenario][side], f"{scenario}: {side} sets up {lines}")
            check(len(armies) <= 12, f"{scenario}: {side} has {len(armies)} armies")
            for a in armies:
                name = f"{scenario}: {a['name']} in {a['hex']}"
                check(a["hex"] in board.hexes or a["hex"] in board.boxes, f"{name}, no such place")
                if a["hex"] in board.hexes:
                    check(a.get("unaligned") or a["hex"] in own, f"{name}, which is not friendly")
                    points = a["infantry"] + a["mechanized"] + a.get("amphibious", 0)
                    stack[a["hex"]] = stack.get(a["hex"], 0) + points
        forts = {side: dict(lines) for side, lines in record["forts"].items()}
        check(forts == facts.FORTS[scenario], f"{scenario}: forts {forts}")
        for side, sites in forts.items():
            check(len(sites) <= 7, f"{scenario}: {side} has {len(sites)} forts")
            for h, points in sites.items():
                check(h in board.friendly(scenario, side), f"{scenario}: fort {h} does not stand on {side} ground")
                stack[h] = stack.get(h, 0) + points
        for h, points in stack.items():
            check(points <= 10, f"{scenario}: {points} points in {h}")
    soviet = board.friendly("barbarossa", "soviet")
    for army in board.scenarios["barbarossa"]["armies"]["axis"]:
        h = army["hex"]
        front = any(board.side(h, n) == "land" and n in soviet for n in board.near[h])
        check(front, f"Barbarossa: {army['name']} in {h} does not face the Soviets")
    _areas(board, check)
    _soviet_limits(board, check)


def _areas(board: Board, check: Check) -> None:
    axis41, areas44 = board.scenarios["barbarossa"]["friendly"]["axis"], board.scenarios["fall-of-germany"]["friendly"]
    for named, area, what in (
        (facts.AXIS_COUNTRIES_1941, axis41, "Axis 1941"),
        (facts.AXIS_COUNTRIES_1944, areas44["axis"], "Axis 1944"),
        (facts.ALLIED_COUNTRIES_1944, areas44["allied"], "Allies 1944"),
    ):
        missing = set(named.split()) - set(area["countries"])
        check(not missing, f"{what}: {sorted(missing)} missing from the friendly areas")
    closed = set(board.scenarios["fall-of-germany"]["neutral_closed"])
    check(closed >= facts.CLOSED_1944, f"1944: closed countries are {sorted(closed)}, line 811")
    for country, record in board.tables["unaligned_forces"].items():
        points = facts.HOME_FORCES.get(country, 2)
        check(record["infantry"] == points, f"home forces of {country} are {record['infantry']}, not {points}")
    brown = {c for c, v in board.countries.items() if v["colour"] == "brown"}
    check(brown <= set(areas44["allied"]["countries"]), "Allies 1944: all brown countries")
    check(areas44["axis"]["hexes"] == facts.AXIS_HEXES_1944.split(), "Axis 1944: single hexes")
    check(areas44["soviet"]["except"] == facts.AXIS_HEXES_1944.split()[4:], "Soviets 1944: all but the Axis hexes")
    check(areas44["allied"]["hexes"] == facts.ALLIED_ITALY_1944.split(), "Allies 1944: southern Italy")
    for scenario in ("campaign-1", "campaign-2"):
        friendly = board.scenarios[scenario]["friendly"]
        check(friendly["axis"]["countries"] == ["germany"], f"{scenario}: Germany alone is Axis")
        check(friendly["soviet"]["countries"] == ["soviet_union"], f"{scenario}: the Soviet Union alone is Soviet")
        allied = {c for c, v in board.countries.items() if v["colour"] in ("brown", "light_green")}
        check(set(friendly["allied"]["countries"]) == allied, f"{scenario}: brown and green countries are Allied")


def _soviet_limits(board: Board, check: Check) -> None:
    for scenario in ("campaign-1", "campaign-2"):
        record = board.scenarios[scenario]
        limit = record["soviet_mobilization"]
        longer = limit["extended_if_soviet_attacks_outside_baltic"]
        plain = limit["cap"] == 8 and "Spring 1942" in limit["lifts"] and longer["axis_hexes_in_su"] == 5
        check(plain, f"{scenario}: Soviet production is limited to 8 until Spring 1942")
        check(
            board.turns.index(longer["or_turn"]) > board.turns.index("Spring 1942")
            and 8 in facts.TIME_NOTES[longer["or_turn"]],
            f"{scenario}: the longer limit must outlast the one it extends",
        )
        for key in ("placement", "lend_lease", "winter_rule", "us_growth", "crossing_combat"):
            check(key in record, f"{scenario} inherits {key}")


def supply(board: Board, check: Check) -> None:
    """Who traces a route at the start, and where the Allies can sail."""
    allied_seas, soviet_seas = ("atlantic", "mediterranean", "red_persian"), ("black", "caspian")
    lost = board.without_supply("barbarossa", "axis", ())
    check(lost == set(facts.FAR_SHORES.split()), f"Barbarossa: the Axis holds {sorted(lost)} without a route")
    armies = {a["hex"] for a in board.scenarios["barbarossa"]["armies"]["axis"]}
    check(not armies & lost, "Barbarossa: an Axis army starts without supply")
    norway = board.without_supply("barbarossa", "axis", ("baltic",))
    check("T10" not in norway and "baltic" in board.hexes["T10"]["seas"], "line 1501: Norway has a port on the Baltic")
    expected: tuple[tuple[str, str, tuple[str, ...], set[str]], ...] = (
        ("barbarossa", "soviet", (), set()),
        ("fall-of-germany", "axis", ("baltic",), {"G14"}),
        ("fall-of-germany", "soviet", soviet_seas, set()),
        ("fall-of-germany", "allied", allied_seas, set()),
        ("campaign-1", "axis", ("baltic",), set()),
        ("campaign-1", "soviet", soviet_seas, set()),
        ("campaign-1", "allied", allied_seas, set()),
    )
    for scenario, side, open_seas, cut_off in expected:
        found = board.without_supply(scenario, side, open_seas)
        check(found == cut_off, f"{scenario}: {side} without supply in {sorted(found)}")
    sailing39 = board.sails_to("P7", board.friendly("campaign-1", "allied"), allied_seas)
    for goal in ("F3", "D14", "O8"):
        check(goal in sailing39, f"1939: no Allied voyage from P7 to {goal}")
    own44 = board.friendly("fall-of-germany", "allied") | {"us", "canada", "british_africa", "india"}
    sailing44 = board.sails_to("P7", own44, allied_seas)
    for goal in ("N5", "N6", "O7", "L8", "us"):
        check(goal in sailing44, f"1944: no Allied voyage from P7 to {goal}")


PROOFS = Proofs(
    "hitlers_war",
    Board,
    {
        "grid": grid,
        "named hexes": named_hexes,
        "production": production,
        "charts": charts,
        "set-ups": set_ups,
        "land": land,
        "routes": routes,
        "seas": seas,
        "supply": supply,
    },
)
