"""Proofs of the set-ups, counters, cards and charts of Blitzkrieg General."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any

from tests.atlas.faults import Check, Proof
from tests.games.blitzkrieg_general.model import atlas_facts as facts
from tests.games.blitzkrieg_general.model import atlas_facts_cards as cards_of
from tests.games.blitzkrieg_general.model.atlas_board import Board

HEADQUARTERS = ("hq", "naval_hq")
Unit = dict[str, Any]
Line = tuple[str, str]


def written(unit: Unit) -> str:
    """A unit in the notation of the scenario cards, without its number."""
    if unit["type"] in HEADQUARTERS:
        return f"HQ {unit['name']}"
    names = {"inf": "Inf", "arm": "Arm", "air": "Air", "tf": "TF", "sub": "Sub", "conv": "Conv"}
    text = names[unit["type"]] + ("" if unit["type"] == "conv" else f" {unit['front']}")
    return text + ("(B)" if unit["flipped"] else "") + (f"({unit['tag']})" if unit.get("tag") else "")


def card_lines(text: str) -> Counter[Line]:
    """Units of a scenario card by place or quarter."""
    found: Counter[Line] = Counter()
    for entry in text.split("; "):
        place, units = entry.split(": ")
        for unit in units.split(", "):
            number, name = re.fullmatch(r"(?:(\d+) )?(.+)", unit).groups()  # type: ignore[union-attr]
            found[place, name] += int(number or 1)
    return found


def atlas_lines(rows: list[dict[str, Any]], key: str) -> Counter[Line]:
    """The same for rows of the atlas."""
    found: Counter[Line] = Counter()
    for row in rows:
        for unit in row["units"]:
            found[row[key], written(unit)] += unit["n"]
    return found


def set_ups(board: Board, check: Check) -> None:
    """Every line of the scenario cards, and nothing else."""
    for rows, wanted, key, title in (
        (board.setups["1939"]["set_up"], cards_of.SET_UP_1939, "space", "1939"),
        (board.setups["1941"]["set_up"], cards_of.SET_UP_1941, "space", "1941"),
        (board.setups["1939"]["reinforcements"], cards_of.REINFORCEMENTS_1939, "quarter", "1939 reinforcements"),
        (board.setups["1941"]["reinforcements"], cards_of.REINFORCEMENTS_1941, "quarter", "1941 reinforcements"),
        (board.atlas["neutral_setups"], cards_of.ON_ENTRY, "space", "on entry"),
    ):
        check({n for n, r in rows.items() if r} == set(wanted), f"{title}: the countries are {sorted(rows)}")
        for nation, text in wanted.items():
            card, atlas = card_lines(text), atlas_lines(rows[nation], key)
            check(card == atlas, f"{title}, {nation}: too many {dict(atlas - card)}, missing {dict(card - atlas)}")
            for row in rows[nation]:
                nations = {u["nation"] for u in row["units"]}
                check(nations == {nation.replace("vichy_france", "france")} or nations == {nation},
                      f"{title}: {row[key]} of {nation} holds units of {nations}")  # fmt: skip
    for scenario in board.setups.values():
        rail = {c: n for c, n in scenario["rail"].items() if c != "france"}
        check(rail == facts.RAIL, f"{scenario['start']}: rail capacities are {rail}, line 7168")
    later = board.setups["1941"]
    check(later["research_numbers"] == facts.RESEARCH_NUMBERS_1941, f"1941: {later['research_numbers']}, line 7468")
    check(later["research_achievements"] == facts.RESEARCH_1941, f"1941: {later['research_achievements']}, line 7460")


def counters(board: Board, check: Check) -> None:
    """Every unit of a set-up exists as a counter, stands on the right ground and within the limits."""
    mix, types = board.atlas["units"]["counter_mix"], board.atlas["units"]["types"]
    hqs = {h["name"]: h for h in board.atlas["units"]["hqs"]}
    for nation, rows in mix.items():
        for row in rows:
            back = facts.BACKS.get((row["type"], row["front"]), row["back"])
            check(row["back"] == back, f"{nation}: the back of {row['type']} {row['front']} is {row['back']}")

    def exists(unit: Unit, where: str) -> None:
        name = f"{where}: {unit['nation']} {written(unit)}"
        check(unit["type"] in types and unit["n"] >= 1, f"{name}, no such unit")
        if unit["type"] in HEADQUARTERS:
            hq = hqs.get(unit["name"], {})
            check(hq.get("country") == unit["nation"], f"{name}, no such headquarters")
            check(hq.get("naval") == (unit["type"] == "naval_hq"), f"{name}: naval or not")
            return
        rows = [r for r in mix[unit["nation"]] if (r["type"], r["front"]) == (unit["type"], unit["front"])]
        check(rows, f"{name}, no such counter")
        shown = unit["front"] if not unit["flipped"] else rows[0]["back"] if rows else None
        check(unit["strength"] == shown, f"{name} shows {unit['strength']}, not {shown}")

    for title, scenario in board.setups.items():
        used: Counter[tuple[str, str, int, str | None]] = Counter()
        deserts: Counter[str] = Counter()
        rows = [(n, r, r["space"]) for n, rs in scenario["set_up"].items() for r in rs]
        rows += [(n, r, None) for n, rs in scenario["reinforcements"].items() for r in rs]
        for nation, row, space in rows:
            for unit in row["units"]:
                exists(unit, f"{title} {space or row['quarter']}")
                if unit["type"] not in HEADQUARTERS:
                    used[unit["nation"], unit["type"], unit["front"], unit.get("tag")] += unit["n"]
                elif space is None:
                    continue
            if space is None:
                check(row["quarter"] in board.atlas["timetable"]["turns"], f"{title}: {nation} in {row['quarter']}")
                continue
            _ground(board, check, title, space, row["units"])
            if board.spaces[space]["terrain"] == "desert":
                deserts[space] += sum(u["n"] for u in row["units"] if u["type"] in ("inf", "arm"))
        for (nation, kind, front, tag), number in used.items():
            limit = _counters(mix[nation], nation, kind, front, tag)
            check(number <= limit, f"{title}: {nation} needs {number} {kind} {front} {tag or ''}, has {limit}")
        for space, number in deserts.items():
            check(number <= facts.DESERT_LIMIT, f"{title}: {number} land units in the desert of {space}")
        _headquarters(check, title, scenario, set(hqs))
    for country, rows_ in board.atlas["neutral_setups"].items():
        for row in rows_:
            space = row["space"]
            for unit in row["units"]:
                exists(unit, f"on entry {space}")
            _ground(board, check, "on entry", space, row["units"])
            if board.spaces[space]["kind"] == "seazone":
                coast = any(board.joined(space, a, "coast") for a in board.countries[country]["areas"])
                check(coast, f"{country} sets up ships in {space}, off no coast of its own")
            else:
                check(board.spaces[space]["owner"] == country, f"{country} sets up abroad in {space}")
    total = sum(row["count"] for rows in mix.values() for row in rows) + len(hqs)
    check(total <= facts.UNIT_COUNTERS_AT_MOST, f"{total} unit counters leave no room for flags, line 1086")
    orange: Counter[tuple[str, int]] = Counter()
    for row in board.setups["1941"]["set_up"]["ussr"]:
        for unit in row["units"]:
            if unit.get("tag") == "orange":
                orange[unit["type"], unit["front"]] += unit["n"]
    made = Counter({(r["type"], r["front"]): r["count"] for r in mix["ussr"] if r["tag"] == "orange"})
    check(orange == made, f"1941: orange counters on the map {dict(orange)}, made {dict(made)}")
    for name, rating in facts.HQ_RATING.items():
        check(hqs[name]["rating"] == rating, f"{name} commands {hqs[name]['rating']}, not {rating}")
    for name, rating in facts.HQ_RATING_AT_LEAST.items():
        check(hqs[name]["rating"] >= rating, f"{name} commands {hqs[name]['rating']}, at least {rating}")
    quarters = {kind: types[kind]["build_quarters"] for kind in facts.BUILD_QUARTERS}
    check(quarters == facts.BUILD_QUARTERS, f"build times are {quarters}")
    costs = {kind: types[kind]["cost"] for kind in facts.COSTS}
    check(costs == facts.COSTS, f"costs are {costs}, line 852")


def _ground(board: Board, check: Check, title: str, space: str, units: list[Unit]) -> None:
    types = board.atlas["units"]["types"]
    check(space in board.spaces, f"{title}: {space} is no space")
    for unit in units:
        if unit["type"] not in HEADQUARTERS:
            ship = types[unit["type"]]["cls"] == "ship"
            at_sea = board.spaces[space]["kind"] == "seazone"
            check(ship == at_sea, f"{title}: {unit['nation']} {written(unit)} cannot stand in {space}")
    limit = board.spaces[space]["stacking_limit"]
    if limit:
        land = sum(u["n"] for u in units if types[u["type"]]["cls"] == "land")
        air = sum(u["n"] for u in units if u["type"] == "air")
        check(max(land, air) <= limit, f"{title}: {space} holds {limit}, not {land} land and {air} air units")


def _counters(rows: list[dict[str, Any]], nation: str, kind: str, front: int, tag: str | None) -> int:
    """Counters that a line of a set-up may use; Soviet colours count, French marks do not."""
    fitting = [r for r in rows if (r["type"], r["front"]) == (kind, front)]
    if nation == "ussr":
        colour = (tag or "red").split()[0]
        fitting = [r for r in fitting if (r["tag"] or "red").split()[0] == colour]
    elif nation != "france":
        fitting = [r for r in fitting if r["tag"] == tag]
    return sum(r["count"] for r in fitting)


def _headquarters(check: Check, title: str, scenario: dict[str, Any], everyone: set[str]) -> None:
    """Each headquarters is on the map, due, or accounted for."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in ("set_up", "reinforcements"):
        for rows in scenario[key].values():
            found[key] |= {u["name"] for r in rows for u in r["units"] if u["type"] in HEADQUARTERS}
    away = set(scenario["hqs_off_map"])
    places = [found["set_up"], found["reinforcements"], away]
    check(sum(map(len, places)) == len(set().union(*places)), f"{title}: a headquarters is in two places")
    check(set().union(*places) == everyone, f"{title}: headquarters {sorted(everyone ^ set().union(*places))}")
    check(title != "1941" or "Gort" in away, "1941: Gort is rebuilt, line 5978")


def cards(board: Board, check: Check) -> None:
    """Fifty-five cards, each complete and in one place; coups cover every roll."""
    deck = board.atlas["cards"]
    known = {c["id"]: c for c in deck}
    total = sum(c["count"] for c in deck)
    check(len(deck) == len(known) == total == facts.CARDS, f"{total} cards, {len(known)} names, line 1097")
    for card in deck:
        full = isinstance(card["cost"], int) and all(card[k] for k in ("effect", "timing", "after_use", "buyers"))
        check(full, f"the card {card['id']} is not complete")
        if card["coup"]:
            parts = [range(card["coup"][k][0], card["coup"][k][1] + 1) for k in ("success", "no_effect", "counter")]
            rolls = sorted(n for part in parts for n in part)
            check(rolls == list(range(2, 13)), f"the coup {card['id']} covers {rolls}")
            check(card["coup"]["target"] in board.countries, f"the coup {card['id']} aims at {card['coup']['target']}")
    coups = sum(bool(c["coup"]) for c in deck)
    check(coups == facts.COUP_CARDS, f"{coups} coup cards, not {facts.COUP_CARDS}")
    for name, cost in facts.CARD_COSTS.items():
        check(known[name]["cost"] == cost, f"{name} costs {known[name]['cost']}, not {cost}")
    for title, scenario in board.setups.items():
        hands = scenario["cards_in_hand"]
        gone = [*(c for hand in hands.values() for c in hand), *scenario["cards_in_effect"], *scenario["cards_removed"]]
        gone += scenario.get("cards_suspended", [])
        check(set(gone) <= set(known), f"{title}: unknown cards {sorted(set(gone) - set(known))}")
        check(len(gone) == len(set(gone)), f"{title}: a card is in two places")
        check(
            scenario["deck_size"] == facts.CARDS - len(gone), f"{title}: the deck holds {scenario['deck_size']} cards"
        )
        for major, hand in hands.items():
            for card in hand:
                holder = major in known[card]["buyers"] + known[card]["users"]
                check(holder, f"{title}: {major} may not hold {card}")
        drawn = set(gone) & facts.DRAWN_IN_THE_TUTORIAL
        check(title != "1941" or not drawn, f"1941: {sorted(drawn)} must be in the deck, line 5917")


def charts(board: Board, check: Check) -> None:
    """Weather, search, war dates and who may declare war."""
    weather, columns = board.atlas["weather_table"], board.atlas["search_table"]["columns"]
    for chart, quarter, die, result in facts.WEATHER:
        found = weather[chart][quarter][die]
        check(found == result, f"weather: {chart} quarter {quarter} die {die} is {found}")
    for chart in ("europe", "pacific"):
        for quarter in "1234":
            row = weather[chart][quarter]
            check(sorted(row) == list("123456"), f"weather: {chart} quarter {quarter} has six dice")
            check(set(row.values()) <= {"good", "bad"}, f"weather: {chart} quarter {quarter} is good or bad")
    for quarter in "14":
        bad = sum(v == "bad" for v in weather["europe"][quarter].values())
        check(bad >= 4, f"weather: European quarter {quarter} is mostly bad")
    check(columns["cv_air_search_ships"]["good"] == 8, "carriers and aircraft find on 8, line 5694")
    check(columns["cv_air_search_ships"]["bonus"] == {"radar": 2}, "radar adds 2, line 5694")
    for column, roll, bonus, is_found, line in facts.SEARCHES:
        finds = roll <= columns[column]["good"] + bonus
        check(finds == is_found, f"search: {column} with {roll} and a bonus of {bonus}, line {line}")
    for column, v in columns.items():
        check(v["bad"] < v["good"], f"search: bad weather makes {column} worse")
    turns = board.atlas["timetable"]["turns"]
    for title, scenario in board.setups.items():
        at_war = {c for pair in scenario["wars"] for c in pair if board.countries[c]["kind"] == "major"}
        check(at_war <= set(scenario["at_war_since"]), f"{title}: war dates of {sorted(at_war)}")
        for country, turn in scenario["at_war_since"].items():
            check(turns.index(turn) <= turns.index(scenario["start"]), f"{title}: {country} at war since {turn}")
    limits = board.atlas["declaration_limits"]
    limited = {c for limit in limits for c in limit["who"]}
    check(limited >= facts.DECLARATION_LIMITS, f"declarations of war are limited for {sorted(limited)}")
    for limit in limits:
        check(limit["evidence"].startswith("rulebook"), f"the limit of {limit['who']} names no line")


FORCE_THEMES: dict[str, Proof] = {"set-ups": set_ups, "counters": counters, "cards": cards, "charts": charts}
