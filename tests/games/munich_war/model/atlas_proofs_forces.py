"""Proofs of the counters, scenarios, set-ups and charts of Munich War."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

from tests.atlas.faults import Check, Proof
from tests.games.munich_war.model import atlas_facts as facts
from tests.games.munich_war.model.atlas_board import Board, distance


def counters(board: Board, check: Check) -> None:
    """The counters are those of the deployment table, and their two sides make sense."""
    units = board.units
    check(len(units) == len(board.atlas["units"]), "a unit id is used twice")
    total = len(board.atlas["units"]) + len(board.atlas["markers"])
    check(total == facts.COUNTERS, f"{total} counters, not {facts.COUNTERS}")
    check(set(board.atlas["deployment"]) == set(facts.DEPLOYMENT), "deployment lists other countries than the table")
    for country, (on_map, available, reinforcement, reduced) in facts.DEPLOYMENT.items():
        record = board.atlas["deployment"][country]
        for start, wanted in (("map", on_map), ("available", available), ("reinforcement", reinforcement)):
            listed = {k: n for k, n in record[start].items() if n}
            check(listed == wanted, f"{country} {start}: deployment lists {listed}")
            made = Counter(u["type"] for u in units.values() if u["country"] == country and u["start"] == start)
            check(made == Counter(wanted), f"{country} {start}: the counters are {dict(made)}")
        marked = sum(1 for u in units.values() if u["country"] == country and u["setup_reduced"])
        check(marked == reduced, f"{country}: {marked} units start reduced, not {reduced}")
    optional = {u["id"] for u in units.values() if u["optional"]}
    check(optional == facts.OPTIONAL_UNITS, f"optional units are {sorted(optional)}")
    for name, unit in units.items():
        full, weak = unit["full"], unit["reduced"]
        if unit["kind"] == "land":
            check((unit["steps"] == 2) == (weak is not None), f"{name}: steps and sides differ")
            check(unit["static"] == (full["move"] == 0), f"{name}: static units do not move, others do")
            check(not unit["setup_reduced"] or unit["steps"] == 2, f"{name}: starts reduced, so it needs two steps")
            check(not full["pursuit"] or unit["cls"] == "mechanized", f"{name}: only mechanized units pursue")
            if weak:
                loss = weak["attack"] <= full["attack"] and weak["defense"] < full["defense"]
                check(loss and weak["move"] == full["move"], f"{name}: the reduced side is not weaker")
        if unit["kind"] == "air":
            check(full["combat"] in (0, 1, 2) and full["range"] > 0, f"{name}: air factors {full}")
    land = [u for u in units.values() if u["kind"] == "land"]
    german = any(u["full"]["attack"] == 1 for u in land if u["country"] == "Germany")
    check(german, "11.15: a German unit attacks with 1")
    czech = any(u["full"]["defense"] == 2 for u in land if u["country"] == "Czechoslovakia")
    check(czech, "11.13: a Czech unit defends with 2")
    wall = units["CZ-1"]["full"]["defense"] + units["CZ-F1"]["full"]["defense"]
    check(wall == 10, f"11.15: a Czech army on its fort defends with {wall}, not 10")
    check({3, 4} <= {u["full"]["move"] for u in land}, "14.3: units move 3 and 4")
    check(any(u["full"]["range"] == 6 for u in units.values() if u["kind"] == "air"), "16.3: an air unit flies 6")
    check((units["PL-A1"]["full"]["combat"], units["GE-L1"]["full"]["combat"]) == (1, 2), "16.6: air factors 1 and 2")
    for base, unit in (("Warsaw", "PL-A1"), ("Berlin", "GE-L1")):
        far = distance(board.cities[base], board.cities["Konigsberg"])
        check(far <= units[unit]["full"]["range"], f"16.6: {unit} cannot fly the {far} hexes from {base} to Konigsberg")
    stacks = [
        board.stacks(units[k] for k in names.split()) for names in ("CZ-1 CZ-F1", "GE-01 GE-02 GE-OQ", "IT-1 GE-OQ")
    ]
    check(all(stacks), "9.0: these units may stack")
    check(not board.stacks([units["IT-1"], units["IT-ALP"]]), "9.0: an army stacks with no other mobile unit")
    check(not board.stacks([units["GE-01"], units["IT-ALP"]]), "9.0: two nations do not stack")


def scenarios(board: Board, check: Check) -> None:
    """Sides, interventions and length of the five scenarios, and a status for every country."""
    found = {s["name"]: s for s in board.atlas["scenarios"]}
    check(list(found) == list(facts.SCENARIOS), f"the scenarios are {list(found)}")
    for name, (die, axis, allied, axis_later, allied_later, turns) in facts.SCENARIOS.items():
        s = found[name]
        lists = [s["axis"], s["allied"], s["intervention"]["axis"], s["intervention"]["allied"]]
        wanted = [text.split(", ") for text in (axis, allied, axis_later, allied_later)]
        check(lists == wanted, f"{name}: sides and interventions are {lists}")
        check((s["die"], s["turns"]) == (die, turns), f"{name}: die {s['die']}, {s['turns']} turns")
        deployer = "allied" if name == "Intermarium" else "axis"
        check(s["deployed_by"]["Finland"] == deployer, f"{name}: Finland is deployed by {s['deployed_by']['Finland']}")
        luxembourg = "Luxembourg" in s["neutral_at_start"] and "Luxembourg" not in s["not_in_play"]
        check(luxembourg, f"{name}: Luxembourg may be invaded (5.5)")
        polish = "Poland" in s["axis"] + s["allied"]
        check(("Danzig" in s["not_in_play"]) != polish, f"{name}: Danzig is Polish once Poland is belligerent (5.6)")
        status = {*s["axis"], *s["allied"], *s["neutral_at_start"], *s["not_in_play"], "Danzig"}
        check(status == set(board.countries), f"{name}: no status for {sorted(status ^ set(board.countries))}")


def set_ups(board: Board, check: Check) -> None:
    """The suggested set-ups are complete and legal, and everybody starts in supply."""
    for scenario in board.atlas["scenarios"]:
        places, title = scenario["setup"], f"scenario {scenario['id']}"
        at: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for key, place in places.items():
            unit, h, name = board.units[key], place["hex"], f"{title}: {key} in {place['hex']}"
            check(h in board.land, f"{name}, not a land hex")
            if h in board.land:
                check(place["reduced"] == unit["setup_reduced"], f"{name}: reduced or not")
                _place(board, check, unit, h, name)
                at[h].append(unit)
        for h, units in at.items():
            check(board.stacks(units), f"{title}: {h} is overstacked with {[u['id'] for u in units]}")
            check(board.hexes[h]["terrain"] != "marsh" or len(units) == 1, f"{title}: {h} is marsh, one unit at most")
        guns = {places[k]["hex"] for k in places if board.units[k]["type"] == "aaa"}
        check(board.cities["Ruhr"] in guns, f"{title}: no flak in the Ruhr")
        for city in ("Berlin", "Hamburg", "Bremen", "Wilhelmshaven", "Budapest"):
            check(board.cities[city] in at, f"{title}: nobody in {city}")
        for country in scenario["countries_on_map"]:
            own = [u for u in board.units.values() if u["country"] == country]
            missing = {u["id"] for u in own if u["start"] == "map"} - set(places)
            check(not missing, f"{title}: {country} does not set up {sorted(missing)}")
            missing = {u["id"] for u in own if u["start"] != "map"} - set(scenario["boxes"])
            check(not missing, f"{title}: {country} has no box for {sorted(missing)}")
        strangers = [k for k in places if board.units[k]["country"] not in scenario["countries_on_map"]]
        check(not strangers, f"{title}: {strangers} belong to countries that are not on the map")
        check(not set(places) & set(scenario["boxes"]), f"{title}: a unit is on the map and in a box")
        for unit_and_hex in board.out_of_supply(scenario):
            check(False, f"{title}: {unit_and_hex} starts out of supply")


def _place(board: Board, check: Check, unit: dict[str, Any], h: str, name: str) -> None:
    ground = board.hexes[h]
    check(ground["country"] == unit["country"], f"{name}, which belongs to {ground['country']}")
    if ground["terrain"] == "mountain":
        check(unit["type"] == "alpine" or (not unit["static"] and ground["rail"]), f"{name}, which is mountain")
    if unit["type"] == "fortification":
        symbol = ground["fort_symbol"]
        check(symbol is not None, f"{name}, which has no fortification symbol")
        check(symbol and symbol["id"] in ("CZ", "FR", unit["name"]), f"{name}, which belongs to another fort")
    if unit["type"] == "aaa":
        city = ground["city"]
        check(city and (unit["id"] != "GB-ADC" or city["name"] == "London"), f"{name}: flak stands in its city")
    if unit["country"] == "Germany" and unit["type"] == "second_line":
        border = any(board.hexes[n]["country"] == "France" for n in board.near[h])
        check(border, f"{name}: the second line stands on the French border")


def charts(board: Board, check: Check) -> None:
    """Combat, air and event charts: full, monotone, and true to the worked examples."""
    tables, columns = board.tables, board.tables["crt_columns"]
    check([c["name"] for c in columns] == facts.CRT_COLUMNS, "the combat columns")
    rank = {result: i for i, result in enumerate(tables["crt_rank"])}
    for name, ranks, width in (
        ("crt_assault", rank, 9),
        ("crt_mobile", rank, 9),
        ("interception", {r: i for i, r in enumerate(tables["interception"]["rank"])}, 3),
        ("terror", {r: i for i, r in enumerate(tables["terror"]["rank"])}, 3),
    ):
        rows = tables[name]["rows"]
        check(sorted(rows) == list("123456") and {len(r) for r in rows.values()} == {width}, f"{name}: six full rows")
        for die in "123456":
            for a, b in pairwise(rows[die]):
                check(ranks[a] <= ranks[b], f"{name} die {die}: {a} before {b}")
            for a, b in zip(rows[die], rows[str(min(6, int(die) + 1))], strict=True):
                check(ranks[a] <= ranks[b], f"{name} die {die}: {a} above {b}")
    used = {name: {r for row in tables[name]["rows"].values() for r in row} for name in ("crt_assault", "crt_mobile")}
    check(used["crt_assault"] == facts.ASSAULT_RESULTS, f"assault results {sorted(used['crt_assault'])}")
    check(used["crt_mobile"] >= facts.MOBILE_RESULTS, f"mobile results {sorted(used['crt_mobile'])}")
    check(used["crt_assault"] | used["crt_mobile"] <= set(tables["combat_results"]), "every result is explained")
    for name in ("interception", "terror"):
        cells = {r for row in tables[name]["rows"].values() for r in row}
        check(cells == set(tables[name]["rank"]), f"{name} uses every result")
    losses = [_assault_losses(tables, column) for column in range(9)]
    for (attack1, defence1), (attack2, defence2) in pairwise(losses):
        check(attack1 >= attack2 and defence1 <= defence2, f"better odds must not cost more: {losses}")
    check(losses[5][1] >= 2 * losses[5][0], "an assault at 300 per cent is clearly good")
    _combat_examples(board, check)
    check({e["event"]: e["die"] for e in tables["events"]} == facts.EVENTS, "the events by die")
    check(tables["victory_points"]["cities"] == facts.VICTORY_POINTS, "victory points of cities")
    levels = [(level["min"], level["max"]) for level in tables["victory_points"]["levels"]]
    check(levels == facts.VICTORY_LEVELS, f"victory levels {levels}")


def _assault_losses(tables: dict[str, Any], column: int) -> tuple[int, int]:
    """Steps lost over all six dice by three two-step attackers and one two-step defender."""
    attack = defence = 0
    for die in "123456":
        result = tables["combat_results"][tables["crt_assault"]["rows"][die][column]]
        steps = result.get("attacker_reduce", 0)
        if result.get("attacker_eliminate"):
            attack += 6
        elif isinstance(steps, str):
            attack += 3 if steps == "all" else 1
        else:
            attack += steps + result.get("attacker_reduce_mechanized", 0)
        defence += 2 if result.get("defender_eliminate") else 1 if result.get("defender_reduce") else 0
    return attack, defence


def _combat_examples(board: Board, check: Check) -> None:
    tables = board.tables
    columns, shifts, terrain = tables["crt_columns"], tables["shifts"], tables["tec"]

    def column(attack: int, defence: int, shift: int = 0) -> str:
        percent = attack * 100 // defence
        raw = next(i for i, c in enumerate(columns) if c["max"] is None or percent <= c["max"])
        return str(columns[max(0, min(8, raw + shift))]["name"])

    check(column(20, 13) == "150-199" and column(10, 12) == "50-99", "11.9: 20 against 13, 10 against 12")
    check(column(6, 2, -shifts["left"]["some_attackers_out_of_supply"]) == "200-299", "11.13: the example")
    check(column(1, 10, 2 + shifts["right"]["sf"] - 1) == "100-149", "11.15: the example")
    check(1 in tables["interception"]["columns"], "16.6: a column for +1")
    check(terrain["entrenchment"]["shift"] == 1, "11.12: entrenchments shift one column")
    for ground in ("rough", "mountain"):
        shift = (terrain[ground]["shift"], terrain[ground]["shift_vs_alpine"])
        check(shift == (2, 1), f"19.0: {ground} shifts two columns, one against alpine units")
    check(terrain["mountain"]["mech"] is None and terrain["mountain"]["alpine"], "14.3: mountains stop vehicles only")


FORCE_THEMES: dict[str, Proof] = {"counters": counters, "scenarios": scenarios, "set-ups": set_ups, "charts": charts}
