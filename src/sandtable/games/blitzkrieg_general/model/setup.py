"""4.1 and the scenario cards: the map, the counters and the politics at the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core.data import OptionValue

from ..rules.economy import refresh_production
from ..rules.politics import fight_of, set_up_minor, set_war, take_counters
from .atlas import ALLIES, AXIS, BE, MAJORS, USA, atlas
from .state import AT_WAR, BUILDING, CONQUERED, NEUTRAL, POOL, BKState, changed, put

SCENARIOS = ("1939-basic", "1939-advanced", "1941-advanced")


def blank(scenario: str, options: Mapping[str, OptionValue]) -> BKState:
    """An empty board: every counter in the tray, every area its owner's. [bg-6.8-initial] [bg-1.0-sides]"""
    found = atlas()
    units, nations = found.units, len(found.nation_ids)
    countries = found.data["countries"]
    sides = {"axis": AXIS, "allies": ALLIES, "neutral": -1}
    state = BKState(
        scenario=scenario,
        options=options,
        advanced=scenario.endswith("advanced"),
        nation=tuple(found.printed_nation),
        place=[POOL] * units,
        flipped=(0,) * units,
        carrier=(-1,) * units,
        flags=[0] * units,
        due=(-1,) * units,
        origin=(-1,) * units,
        mission=(-1,) * units,
        start=(-1,) * units,
        spent=(0,) * units,
        here=[()] * found.count,
        control=tuple(found.owner),
        master=tuple(n if n < 8 else -1 for n in range(nations)),
        side=tuple(sides[countries[name]["side"]] for name in found.nation_ids),
        standing=(NEUTRAL,) * nations,
        war=(0,) * nations,
        war_since=(-1,) * nations,
    )
    state.side = changed(state.side, found.poland, -1)
    state.master = changed(state.master, found.vichy_nation, MAJORS.index(countries["vichy_france"]["handled_by"]))
    state.side = changed(state.side, found.vichy_nation, -1)
    return state


def begin(scenario: str, options: Mapping[str, OptionValue]) -> BKState:
    """Set a scenario up. [bg-4.1-setup-simultaneous] [bg-4.1-markers] [bg-4.1-initial-production] [bg-scn39-general]"""
    found = atlas()
    state = blank(scenario, options)
    data: dict[str, Any] = found.data["setups"][scenario.split("-")[0]]
    state.turn = found.turn_of[data["start"]]
    _politics(state, data)
    for space, nation in data["control_changes"].items():
        state.control = changed(state.control, found.space_of[space], found.nation_of[nation])
    state.island_owner = state.control
    _forces(state, data)
    # in 1941 every orange Soviet counter has been out, so red ones may be built. [bg-scn39-ussr-orange]
    state.orange_done = all(state.place[u] != POOL for u in range(found.units) if found.is_orange[u])
    _economy(state, data)
    _cards(state, data)
    return state


def _politics(state: BKState, data: dict[str, Any]) -> None:
    """[bg-1.0-war-1939] [bg-1.0-neutral-pairs-1939] [bg-1.0-start-neutrals] [bg-scn41-politics] [bg-scn41-greece-yu]"""
    found = atlas()
    for name, since in data["at_war_since"].items():
        nation = found.nation_of[name]
        state.standing = changed(state.standing, nation, AT_WAR)
        state.war_since = changed(state.war_since, nation, found.turn_of[since])
    for name in data.get("conquered", ()):
        state.standing = changed(state.standing, found.nation_of[name], CONQUERED)
        if found.nation_of[name] >= 8:
            state.side = changed(state.side, found.nation_of[name], ALLIES)
    if found.nation_of["poland"] not in (found.nation_of[n] for n in data.get("conquered", ())):
        state.side = changed(state.side, found.poland, state.side[BE])
    joined = data.get("joined", {})
    for master, minors in joined.items():
        for name in minors:
            minor = found.nation_of[name]
            state.side = changed(state.side, minor, state.side[found.nation_of[master]])
            state.master = changed(state.master, minor, found.nation_of[master])
            state.standing = changed(state.standing, minor, AT_WAR)
            state.war_since = changed(state.war_since, minor, state.turn)
    for a, b in data["wars"]:
        if state.side[found.nation_of[a]] != state.side[found.nation_of[b]]:
            set_war(state, found.nation_of[a], found.nation_of[b])
    for minors in joined.values():
        for name in minors:
            fight_of(state, found.nation_of[name])
    if data.get("peace"):
        state.peace = found.nation_of[data["peace"]["card_player"]]
    state.fortress = not data.get("maginot_fortress_destroyed", False)
    if "french_vichy_surrender" in data["cards_in_effect"]:
        state.vichy = state.french_fell = True
    if "poland" in data.get("conquered", ()):
        state.pact = 2
    for name in (*data.get("conquered", ()), *(n for ns in joined.values() for n in ns)):
        state.attacked |= 1 << found.nation_of[name]
    if joined.get("be"):
        state.yugoslavia_since = -1


def _forces(state: BKState, data: dict[str, Any]) -> None:
    """[bg-scn39-b-notation] [bg-scn39-ger] [bg-scn41-ger-west] and the other lists of forces."""
    found = atlas()
    for name, rows in data["set_up"].items():
        nation = found.nation_of[name]
        for row in rows:
            for entry in row["units"]:
                printed = found.nation_of[entry["nation"]]
                owner = nation if name == "vichy_france" else printed
                take_counters(state, entry, owner, found.space_of[row["space"]])
    for minors in data.get("joined", {}).values():
        for name in minors:
            nation = found.nation_of[name]
            if name not in data["set_up"] and not any(state.place[u] >= 0 for u in found.units_of_printed[nation]):
                set_up_minor(state, nation)
    first = 0 if data["first_turn_reinforcements"].startswith("2/41") else 1
    for rows in data["reinforcements"].values():
        for row in rows:
            turn = found.turn_of[row["quarter"]]
            if turn < state.turn + first:
                continue
            for entry in row["units"]:
                take_counters(state, entry, found.nation_of[entry["nation"]], BUILDING, turn)
    on_map_or_due = {u for u in found.rating if state.place[u] != POOL}
    for name, why in data["hqs_off_map"].items():
        unit = found.hq_named[name]
        if "left the game" in why and unit not in on_map_or_due:
            put(state, unit, -2)


def _economy(state: BKState, data: dict[str, Any]) -> None:
    """[bg-scn39-rail] [bg-scn39-production] [bg-scn39-us-production] [bg-scn41-production] [bg-7.2-start]
    [bg-scn41-rail]"""
    found = atlas()
    for name, points in data["rail"].items():
        state.rail = changed(state.rail, MAJORS.index(name), points if isinstance(points, int) else points["peace"])
    level = data["production"]["usa"]
    state.us_level = level if isinstance(level, int) else level["advanced"]
    state.be_pacific = data["be_pacific_active"]
    in_force = data["deliveries_in_force"]
    state.deliveries = tuple(found.nation_ids[giver] in in_force for giver, _, _ in found.deliveries)
    state.embargo = "embargo_usa_japan" in data["cards_removed"]
    state.initiative = {"axis": AXIS, "allies": ALLIES}[data.get("initiative_previous", data["initiative"])]
    for name, number in data["research_numbers"].items():
        state.numbers = changed(state.numbers, MAJORS.index(name), number if state.advanced else 0)
    if state.advanced:
        for what, names in data["research_achievements"].items():
            for name in names:
                who = MAJORS.index(name)
                state.advances = changed(state.advances, who, state.advances[who] | 1 << found.achievements.index(what))
    refresh_production(state)


def _cards(state: BKState, data: dict[str, Any]) -> None:
    """Every card has its place; the deck is shuffled when the match starts. [bg-scn41-cards-hand]
    [bg-scn41-cards-effect]
    [bg-scn41-cards-out] [bg-scn41-peace]"""
    if not state.advanced:
        return
    found = atlas()
    placed: set[int] = set()
    for name, cards in data["cards_in_hand"].items():
        for card in cards:
            number = found.card_of[card]
            who = MAJORS.index(name)
            state.hands = changed(state.hands, who, (*state.hands[who], number))
            placed.add(number)
    for card in data["cards_in_effect"]:
        number = found.card_of[card]
        state.table = {**state.table, number: min(found.card_users[number])}
        placed.add(number)
    for card in data["cards_removed"]:
        state.out = (*state.out, found.card_of[card])
        placed.add(found.card_of[card])
    for card in data.get("cards_suspended", ()):
        state.table = {**state.table, found.card_of[card]: state.peace}
        placed.add(found.card_of[card])
    state.deck = tuple(number for number in range(len(found.cards)) if number not in placed)


def american_start(state: BKState) -> bool:
    """Until it is at war the USA moves no ships but convoys. [bg-scn39-usa-ships] [bg-scn41-usa-ships]"""
    return state.standing[USA] == NEUTRAL
