"""4.1 and the scenario cards: the map, the counters and the politics at the start."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.columns import put
from sandtable.core.data import OptionValue

from ..model.atlas import ALLIES, ATLAS, AXIS, BE, MAJORS, SIDES
from ..model.printed import Listed, ScenarioCard
from ..model.state import AT_WAR, BUILDING, CONQUERED, NEUTRAL, POOL, REMOVED, BKState, move_unit
from .economy import refresh_production
from .politics import fight_of, set_up_minor, set_war, take_counters


def blank(scenario: str, options: Mapping[str, OptionValue]) -> BKState:
    """Return an empty board: every counter in the tray, every area its owner's. [bg-6.8-initial] [bg-1.0-sides]"""
    units, nations = ATLAS.units, len(ATLAS.nation_ids)
    countries = ATLAS.data.countries
    sides = {"axis": AXIS, "allies": ALLIES, "neutral": -1}
    state = BKState(
        scenario=scenario,
        options=options,
        advanced=scenario.endswith("advanced"),
        nation=ATLAS.printed_nation,
        place=(POOL,) * units,
        flipped=(0,) * units,
        carrier=(-1,) * units,
        flags=(0,) * units,
        due=(-1,) * units,
        origin=(-1,) * units,
        mission=(-1,) * units,
        start=(-1,) * units,
        spent=(0,) * units,
        here=((),) * ATLAS.count,
        control=tuple(ATLAS.owner),
        master=tuple(n if n < 8 else -1 for n in range(nations)),
        side=tuple(sides[countries[name].side] for name in ATLAS.nation_ids),
        standing=(NEUTRAL,) * nations,
        war=(0,) * nations,
        war_since=(-1,) * nations,
    )
    state.side = put(state.side, ATLAS.poland, -1)
    state.master = put(state.master, ATLAS.vichy_nation, MAJORS.index(countries["vichy_france"].handled_by))
    state.side = put(state.side, ATLAS.vichy_nation, -1)
    return state


def begin(scenario: str, options: Mapping[str, OptionValue]) -> BKState:
    """Return a scenario set up. [bg-4.1-setup-simultaneous] [bg-4.1-markers] [bg-4.1-initial-production]
    [bg-scn39-general]"""
    state = blank(scenario, options)
    data = ATLAS.set_up(scenario)
    state.turn = ATLAS.turn_of[data.start]
    _politics(state, data)
    for space, nation in data.control_changes.items():
        state.control = put(state.control, ATLAS.space_of[space], ATLAS.nation_of[nation])
    state.island_owner = state.control
    _forces(state, data)
    # in 1941 every orange Soviet counter has been out, so red ones may be built. [bg-scn39-ussr-orange]
    state.orange_done = all(state.place[u] != POOL for u in range(ATLAS.units) if ATLAS.is_orange[u])
    _economy(state, data)
    _cards(state, data)
    return state


def _politics(state: BKState, data: ScenarioCard) -> None:
    """[bg-1.0-war-1939] [bg-1.0-neutral-pairs-1939] [bg-1.0-start-neutrals] [bg-scn41-politics] [bg-scn41-greece-yu]"""
    for name, since in data.at_war_since.items():
        nation = ATLAS.nation_of[name]
        state.standing = put(state.standing, nation, AT_WAR)
        state.war_since = put(state.war_since, nation, ATLAS.turn_of[since])
    for name in data.conquered:
        state.standing = put(state.standing, ATLAS.nation_of[name], CONQUERED)
        if ATLAS.nation_of[name] >= 8:
            state.side = put(state.side, ATLAS.nation_of[name], ALLIES)
    if "poland" not in data.conquered:
        state.side = put(state.side, ATLAS.poland, state.side[BE])
    joined = data.joined
    for master, minors in joined.items():
        for name in minors:
            minor = ATLAS.nation_of[name]
            state.side = put(state.side, minor, state.side[ATLAS.nation_of[master]])
            state.master = put(state.master, minor, ATLAS.nation_of[master])
            state.standing = put(state.standing, minor, AT_WAR)
            state.war_since = put(state.war_since, minor, state.turn)
    for a, b in data.wars:
        if state.side[ATLAS.nation_of[a]] != state.side[ATLAS.nation_of[b]]:
            set_war(state, ATLAS.nation_of[a], ATLAS.nation_of[b])
    for minors in joined.values():
        for name in minors:
            fight_of(state, ATLAS.nation_of[name])
    if data.peace:
        state.peace = ATLAS.nation_of[data.peace.card_player]
    state.fortress = not data.maginot_fortress_destroyed
    if "french_vichy_surrender" in data.cards_in_effect:
        state.vichy = state.french_fell = True
    if "poland" in data.conquered:
        state.pact = 2
    for name in (*data.conquered, *(n for ns in joined.values() for n in ns)):
        state.attacked |= 1 << ATLAS.nation_of[name]


def _forces(state: BKState, data: ScenarioCard) -> None:
    """[bg-scn39-b-notation] [bg-scn39-ger] [bg-scn41-ger-west] and the other lists of forces."""
    placed = [
        (listed, _owner(name, listed), ATLAS.space_of[row.space], -1)
        for name, rows in data.set_up.items()
        for row in rows
        for listed in row.units
    ]
    take_counters(state, placed)
    for minors in data.joined.values():
        for name in minors:
            nation = ATLAS.nation_of[name]
            if name not in data.set_up and not any(state.place[u] >= 0 for u in ATLAS.units_of_printed[nation]):
                set_up_minor(state, nation)
    first = 0 if data.first_turn_reinforcements.startswith(data.start) else 1
    coming = [(row, ATLAS.turn_of[row.quarter]) for rows in data.reinforcements.values() for row in rows]
    take_counters(
        state,
        [
            (listed, ATLAS.nation_of[listed.nation], BUILDING, turn)
            for row, turn in coming
            if turn >= state.turn + first
            for listed in row.units
        ],
    )
    on_map_or_due = {u for u in ATLAS.rating if state.place[u] != POOL}
    for name, why in data.hqs_off_map.items():
        unit = ATLAS.hq_named[name]
        if "left the game" in why and unit not in on_map_or_due:
            move_unit(state, unit, REMOVED)


def _owner(country: str, listed: Listed) -> int:
    """The nation for which a counter in a country's list serves: French counters may serve Vichy."""
    vichy = ATLAS.vichy_nation
    return vichy if ATLAS.nation_of[country] == vichy else ATLAS.nation_of[listed.nation]


def _economy(state: BKState, data: ScenarioCard) -> None:
    """[bg-scn39-rail] [bg-scn39-production] [bg-scn39-us-production] [bg-scn41-production] [bg-7.2-start]
    [bg-scn41-rail]"""
    for name, points in data.rail.items():
        state.rail = put(state.rail, MAJORS.index(name), points if isinstance(points, int) else points["peace"])
    level = data.production["usa"]
    state.us_level = level if isinstance(level, int) else level["advanced"]
    state.be_pacific = data.be_pacific_active
    in_force = data.deliveries_in_force
    state.deliveries = tuple(ATLAS.nation_ids[giver] in in_force for giver, _, _ in ATLAS.deliveries)
    state.embargo = "embargo_usa_japan" in data.cards_removed
    state.initiative = SIDES.index(data.initiative_previous or data.initiative)
    for name, number in data.research_numbers.items():
        state.numbers = put(state.numbers, MAJORS.index(name), number if state.advanced else 0)
    if state.advanced:
        for what, names in data.research_achievements.items():
            for name in names:
                who = MAJORS.index(name)
                state.advances = put(state.advances, who, state.advances[who] | 1 << ATLAS.advance_bit[what])
    refresh_production(state)


def _cards(state: BKState, data: ScenarioCard) -> None:
    """Every card has its place; the deck is shuffled when the match starts. [bg-scn41-cards-hand]
    [bg-scn41-cards-effect]
    [bg-scn41-cards-out] [bg-scn41-peace]"""
    if not state.advanced:
        return
    placed: set[int] = set()
    for name, cards in data.cards_in_hand.items():
        for card in cards:
            number = ATLAS.card_of[card]
            who = MAJORS.index(name)
            state.hands = put(state.hands, who, (*state.hands[who], number))
            placed.add(number)
    for card in data.cards_in_effect:
        number = ATLAS.card_of[card]
        state.table = {**state.table, number: min(ATLAS.card_users[number])}
        placed.add(number)
    for card in data.cards_removed:
        state.out = (*state.out, ATLAS.card_of[card])
        placed.add(ATLAS.card_of[card])
    for card in data.cards_suspended:
        state.table = {**state.table, ATLAS.card_of[card]: state.peace}
        placed.add(ATLAS.card_of[card])
    state.deck = tuple(number for number in range(len(ATLAS.cards)) if number not in placed)
