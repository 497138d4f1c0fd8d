"""Proofs of the worked examples and of the unit chart of World War II in Europe."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

from tests.atlas.faults import Check, Proof, flood
from tests.games.ww2_europe.model import atlas_facts as facts
from tests.games.ww2_europe.model.atlas_board import ALL_KINDS, Board


def land_examples(board: Board, check: Check) -> None:
    """Movement, attack, supply and redeployment as the text plays them."""
    near, spaces, units = board.near, board.spaces, board.units
    check(board.distance("hamburg", "liege", ("land",)) == 2, "Hamburg to Liege is 2 spaces, line 875")
    check("liege" in near["frankfurt"], "Frankfurt to Liege is 1 space, line 876")
    check(units["tank"]["movement"] == 2, "the Frankfurt tank has 1 point left in Liege, line 881")
    check(not {"woodland", "mountains"} & set(spaces["liege"]["terrain"]), "Liege costs a tank 1 point, line 881")
    blocked = board.reach("frankfurt", 2, stop={"liege", "strasbourg", "sedan"})
    check("liege" in blocked and "sedan" not in blocked, "Sedan cannot be reached past the Belgians, line 877")
    check("sedan" not in near["frankfurt"], "Frankfurt does not touch Sedan, line 877")
    check({"brussels", "sedan"} <= set(near["liege"]), "Brussels and Sedan can reinforce Liege, line 893")
    check(
        "tobruk" in near["bir_el_gubi"] and "bir_el_gubi" in near["halfaya"], "Halfaya - Bir el Gubi - Tobruk, line 903"
    )
    check(board.distance("halfaya", "tobruk", ("land",)) == 2, "Halfaya to Tobruk is 2 spaces, line 903")
    there_and_back = 2 * (board.distance("halfaya", "tobruk", ALL_KINDS) or 99)
    check(there_and_back <= units["fighter"]["movement"], "the Halfaya fighter gets home, line 853")
    check({"benghazi", "el_agheila"} & set(near["tobruk"]), "Tobruk is attacked from the west, line 898")
    check("el_agheila" in near["bir_el_gubi"], "Bir el Gubi is attacked from the west, line 898")
    check("desert" not in spaces["tobruk"]["terrain"], "a tank attacks Tobruk, line 898")
    for a, b, line in (("munich", "prague", 1421), ("prague", "warsaw", 1422), ("warsaw", "kiev", 1423)):
        hop = board.within(a, b, units["fighter"]["movement"]) and spaces[b]["feature"] == "factory"
        check(hop, f"a fighter hops from {a} to a base in {b}, line {line}")
    axis = {
        "warsaw", "krakow", "bratislava", "budapest", "vienna", "munich", "trieste", "zagreb", "genoa", "rome",
        "naples", "taranto", "berlin", "stettin",
    }  # fmt: skip

    def traced(goal: str, allowed: set[str]) -> bool:
        return goal in flood(["warsaw"], lambda s: (n for n in board.by(s, "land") if n in allowed))

    check(not traced("berlin", axis), "Allied spaces bar the way from Warsaw to Berlin, line 1677")
    check(not traced("rome", axis) and traced("rome", axis | {"bern"}), "Switzerland alone bars Rome, line 1677")
    check(traced("trieste", axis) and spaces["trieste"]["port"], "the port of Trieste can be reached, line 1680")
    check("london" in near["bristol"], "Bristol traces to London, line 651")
    check(spaces["vigo"]["value"] + spaces["salamanca"]["value"] == 4, "$4 of Spain, line 647")
    check("vigo" in near["salamanca"], "Salamanca traces to Vigo, line 647")
    home = board.powers["france"]["homeland"]
    six = any(
        spaces[a]["port"]
        and 6 in {spaces[a]["value"], *(spaces[a]["value"] + spaces[b]["value"] for b in near[a] if b in home)}
        for a in home
    )
    check(six, "$6 of France with a port, line 661")


def sea_examples(board: Board, check: Check) -> None:
    """Convoys, sea control, interception and the carriers of the text."""
    near, cost = board.near, board.ship_cost
    serves = set(near["tunis"]) & set(near["naples"]) & set(board.seas)
    check(serves, "one transport space serves Tunis and Naples, line 591")
    shared = "western_approaches" in near["vigo_port"] and "western_approaches" in near["bristol_port"]
    check(shared and board.distance("vigo_port", "bristol_port") == 2, "Vigo-Bristol lies in 3 spaces, line 659")
    capacity = board.rules["convoy"]["transport_capacity"]
    check(capacity == 10, f"a transport carries {capacity}, not 10, line 666")
    carrier = any(board.distance("gibraltar_port", sea) == 5 for sea in board.seas)
    check(carrier, "a carrier goes 5 spaces out of Gibraltar, line 556")
    find = board.rules["interception"]
    check([find[str(n)] for n in facts.INTERCEPTION] == list(facts.INTERCEPTION.values()), "interception, line 993")
    check(board.distance("gibraltar_port", "tyrrhenian") == 3, "Gibraltar is 3 from the patrol, line 966")
    check(board.distance("oran_port", "tyrrhenian") == 2, "Oran is 2 from the patrol, line 969")
    british = [p for p in board.ports if board.spaces[p]["country"] in ("great_britain", "gibraltar", "malta")]
    far = {s: Counter(board.distance(p, s) for p in british) for s in board.seas}
    check(any(c[2] >= 1 and c[4] >= 2 for c in far.values()), "a space with forces 2 and twice 4 away, line 2284")
    check(
        near["usa_port"]["western_atlantic"]["cost"] == 5 and board.spaces["usa"]["blue_border"],
        "leaving the USA, line 1441",
    )
    legs = cost("usa_port", "gibraltar_port"), cost("gibraltar_port", "malta_port")
    whole = cost("usa_port", "malta_port", friendly={"gibraltar_port"})
    check(max(legs) <= 10 < whole, f"USA-Gibraltar-Malta costs {legs}, in one go {whole}, line 1440")
    hamburg = board.atlas["worked_examples"]["hamburg_brest"]["sea_control"]
    check(board.step_cost("hamburg_port", "north_sea", hamburg) == 1, "Hamburg to the North Sea costs 1, line 1475")
    check(board.step_cost("north_sea", "english_channel", hamburg) == 8, "the next step costs 8, line 1477")
    submarine = board.step_cost("north_sea", "english_channel", hamburg, asw_only=True)
    check(submarine == 7, f"a submarine pays {submarine}, not 7, line 1491")
    check("north_sea" in near["manchester"], "Manchester lies on the North Sea, line 1480")
    check(cost("hamburg_port", "brest_port", hamburg, {"brussels_port"}) > 10, "Hamburg-Brest is too far, line 1481")
    by_brussels = cost("hamburg_port", "brussels_port", hamburg), cost("brussels_port", "brest_port", hamburg)
    check(max(by_brussels) <= 10, f"by way of Brussels it costs {by_brussels}, line 1482")
    bristol = board.atlas["worked_examples"]["bristol_alexandria"]["sea_control"]
    check(set(bristol) == {"brest_port", "genoa_port", "sicily", "taranto_port"}, "who controls the sea, line 1502")
    ports = ("bristol_port", "gibraltar_port", "malta_port", "alexandria_port")
    costs = [cost(a, b, bristol) for a, b in pairwise(ports)]
    check(costs == [5, 8, 4], f"Bristol-Gibraltar-Malta-Alexandria costs {costs}, line 1503")
    for a, b in (("london_port", "cherbourg_port"), ("bristol_port", "brest_port"), ("usa_port", "glasgow_port")):
        check(cost(a, b) <= 10, f"a convoy can run from {a} to {b}, line 631")
    italian = [
        cost("gibraltar_port", "malta_port", board.sea_control_of(scenario, ("italy", "germany")))
        for scenario in ("fall-1939", "spring-1941")
    ]
    check(italian[0] == 10 < italian[1], f"Gibraltar-Malta costs {italian}: open in 1939, shut in 1941")


def mediterranean_battle(board: Board, check: Check) -> None:
    """The long example of five crossing fleets: its spaces, paths and the order of its battles."""
    example = board.atlas["worked_examples"]["mediterranean_A_to_E"]
    a, b, c, d, e, sixth = (example[key] for key in ("A", "B", "C", "D", "E", "sixth_space"))
    check((a, c, e) == ("genoa_port", "malta_port", "tripoli_port"), "A, C and E are Genoa, Malta, Tripoli, line 1149")
    for port, far in (
        ("taranto_port", 1),
        ("genoa_port", 1),
        ("tripoli_port", 2),
        ("oran_port", 2),
        ("gibraltar_port", 3),
    ):
        check(board.distance(port, b) == far, f"{port} is {far} from B, lines 2442-2448")
    italian = {
        "TF1": ["taranto_port", b, c], "TF2": ["taranto_port", b], "TF3": [a, b], "TF4": [e, d, b],
        "fighter of Tripoli": ["tripoli", e, c], "fighter of Rome": ["rome", b],
    }  # fmt: skip
    british = {
        "X": ["gibraltar_port", "alboran_sea", "balearic_sea", b], "Z": ["oran_port", "balearic_sea", b],
        "Y": ["oran_port", "balearic_sea", "gulf_of_lion", a], "fighter of Tunis": ["tunis", d, e], "Malta": [c],
    }  # fmt: skip
    everyone = {**italian, **british}
    for name, path in everyone.items():
        for x, y in pairwise(path):
            check(y in board.near[x], f"{name} cannot go from {x} to {y}, line 1064")
        if name.startswith("fighter"):
            home = 2 * (len(path) - 1) <= board.units["fighter"]["movement"]
            check(home, f"the {name} cannot get home, line 853")
    water = {s for path in italian.values() for s in path if board.spaces[s]["kind"] != "land"}
    check(water == {a, b, c, d, e, sixth} and len(water) == 6, f"the Italians pass six sea spaces, not {sorted(water)}")
    at = {s: {name for name, path in italian.items() if s in path} for s in water}
    check(at[b] == {"TF1", "TF2", "TF3", "TF4", "fighter of Rome"}, "who is at B, line 1091")
    check(
        at[e] == {"TF4", "fighter of Tripoli"} and at[a] == {"TF3"} and at[d] == {"TF4"}, "who is at A, D, E, line 1094"
    )
    crossed = water & {s for path in british.values() for s in path}
    check(crossed == {a, b, c, d, e}, f"the paths cross in {sorted(crossed)}, line 1104")
    before: dict[str, set[str]] = defaultdict(set)
    for path in everyone.values():
        met = [s for s in path if s in (a, b, c, e)]
        for i, s in enumerate(met):
            before[s] |= set(met[:i])
    check(before[b] == {a, e} and before[c] == {b, e}, "B waits for A and E, C for B and E, line 1137")


def unit_chart(board: Board, check: Check) -> None:
    """The numbers of units and technologies that the prose fixes."""
    units, tech = board.units, board.atlas["tech_units"]
    for unit, numbers in facts.UNIT_FACTS.items():
        for field, (value, line) in numbers.items():
            check(
                units[unit].get(field) == value,
                f"{unit}: {field} is {units[unit].get(field)}, line {line} says {value}",
            )
    for unit, stated in facts.TECH_UNIT_FACTS.items():
        for field, value in stated.items():
            check(tech[unit].get(field) == value, f"{unit}: {field} is {tech[unit].get(field)}, not {value}")
        added = tech[unit]["cost"] - units[tech[unit]["base"]]["cost"]
        check(added == (10 if unit == "long_range_heavy_bomber" else 5), f"{unit} adds ${added} to its base, line 1892")
    check(units["fighter"]["movement"] < 6 and units["bomber"]["movement"] < 8, "long range is longer, line 1890")
    check(board.sea_control == facts.SEA_CONTROL, f"Sea Control units are {sorted(board.sea_control)}, line 421")
    check(board.anti_submarine == facts.ANTI_SUBMARINE, f"ASW units are {sorted(board.anti_submarine)}, line 413")
    for bonus in ("river", "strait", "coast", "canal"):
        check(board.rules["terrain"][bonus].get("if"), f"the {bonus} bonus carries its condition, line 269")
    rules = board.rules
    check(rules["initiative"]["not_counted"], "initiative that is not counted, line 1609")
    check(rules["captured_flag"]["loses_functions_for_good"], "captured flags, line 1609")
    check(rules["multi_front_port"], "two-front ports, line 1609")
    worth = {
        u: (-units[u]["cost"], units[u]["combat"] * units[u].get("dice", 1) / units[u]["stack"], 1 / units[u]["stack"],
            units[u]["movement"])
        for u in ("infantry", "mech", "artillery", "tank")
    }  # fmt: skip
    for x, mine in worth.items():
        for y, other in worth.items():
            beaten = x != y and all(o >= m for m, o in zip(mine, other, strict=True))
            check(
                not beaten or "anti_tank" in units[x]["abilities"], f"{y} beats {x} in price, fire, bodies and movement"
            )


EXAMPLE_THEMES: dict[str, Proof] = {
    "land examples": land_examples,
    "sea examples": sea_examples,
    "Mediterranean battle": mediterranean_battle,
    "unit chart": unit_chart,
}
