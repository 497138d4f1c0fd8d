"""Every invariant of a sound state, each with the words that say what is wrong."""

from __future__ import annotations

from ..facts.production import area_value, is_on_peace_footing
from ..model.atlas import ATLAS, BE, CONVOY, FRANCE, GERMANY, JAPAN, MAJORS, NAVAL_HQ, SEA, USA, USSR
from ..model.state import AT_WAR, BUILDING, CONQUERED, NEUTRAL, OFF_THE_MAP, STATIONED, BKState
from ..model.tables import LIMITS


def faults(state: BKState) -> list[str]:
    return [
        *_units(state), *_mix(state), *_cargo(state), *_nations(state), *_flags(state), *_mixing(state),
        *_cards(state),
    ]  # fmt: skip


def _over_sea(state: BKState, unit: int) -> bool:
    return state.mission[unit] >= 0 and ATLAS.is_sea[state.mission[unit]]


def _mix(state: BKState) -> list[str]:
    """The counters of each kind are those of the mix, each once, and serve whom they may serve. [bg-7.6-full-units]"""
    out = []
    if len(state.place) != ATLAS.units or len(state.here) != ATLAS.count:
        out.append(f"{len(state.place)} counters on {len(state.here)} spaces")
    for kind in ATLAS.kinds:
        places = [state.place[u] for u in kind.units]
        if min(places) < 0 and (nowhere := [place for place in places if place < 0 and place not in OFF_THE_MAP]):
            out.append(f"of {len(places)} counters {kind.id} {len(nowhere)} are nowhere")
    serving = (ATLAS.vichy_nation, BE, USA)
    for unit, (nation, printed) in enumerate(zip(state.nation, ATLAS.printed_nation, strict=True)):
        if nation != printed and not (printed == FRANCE and nation in serving):
            out.append(f"{ATLAS.unit_ids[unit]} serves {ATLAS.nation_ids[nation]}")
    return out


def _flags(state: BKState) -> list[str]:
    """The production flags, counted area by area: not with the sums that set them. [bg-6.8-production]
    [bg-7.6.4-cancel]"""
    out = []
    yields = [0] * len(MAJORS)
    for space in ATLAS.land:
        for major in _may_gain(state, space):
            yields[major] += _yield(state, major, space)
    for major, name in enumerate(MAJORS):
        if state.standing[major] == CONQUERED:
            shown = 0
        elif major == USA and state.standing[USA] == NEUTRAL:
            shown = state.bonus[USA] + (state.us_level if state.advanced else LIMITS["us_basic"])
        else:
            shown = state.bonus[major] + yields[major]
            if major == USSR and is_on_peace_footing(state, USSR):
                shown += ATLAS.peace_production[USSR]
            shown += sum(p for kept, (_, to, p) in zip(state.deliveries, ATLAS.deliveries, strict=True)
                         if kept and to == major)  # fmt: skip
        if state.production[major] != max(0, shown):
            out.append(f"{name}'s flag stands at {state.production[major]}, the map says {max(0, shown)}")
    return out


def _may_gain(state: BKState, space: int) -> set[int]:
    """The majors to whom an area can give anything: its master, Germany and Japan."""
    master = state.master[state.control[space]]
    return {GERMANY, JAPAN, master} if master >= 0 else {GERMANY, JAPAN}


def _yield(state: BKState, major: int, space: int) -> int:
    """What one area adds to a major's flag."""
    holder = state.control[space]
    if ATLAS.germany_only[space]:
        same = state.side[holder] == state.side[GERMANY] and state.standing[holder] == AT_WAR
        return ATLAS.right[space] if major == GERMANY and same else 0
    in_trust = holder in (ATLAS.trust_nation, ATLAS.bnl) and space in ATLAS.bnl_islands
    if major == JAPAN and state.trust_to_japan and in_trust:
        return ATLAS.right[space]
    if state.master[holder] != major or (holder >= 8 and state.standing[holder] != AT_WAR):
        return 0
    if major == USSR and ATLAS.home_of[space] == USSR and is_on_peace_footing(state, USSR):
        return 0
    return area_value(state, space, holder)


def _units(state: BKState) -> list[str]:
    out = []
    seen: dict[int, int] = {}
    for space, units in enumerate(state.here):
        for unit in units:
            if unit in seen:
                out.append(f"{ATLAS.unit_ids[unit]} lies in {ATLAS.space_ids[seen[unit]]} and {ATLAS.space_ids[space]}")
            seen[unit] = space
            if state.place[unit] != space:
                out.append(f"{ATLAS.unit_ids[unit]} lies in {ATLAS.space_ids[space]} but says {state.place[unit]}")
    carriers, missions, flags = state.carrier, state.mission, state.flags
    for unit, place in enumerate(state.place):
        if place < 0:
            if place not in OFF_THE_MAP or unit in seen:
                out.append(f"{ATLAS.unit_ids[unit]} is in no place: {place}")
            if missions[unit] >= 0 or carriers[unit] >= 0 or unit in state.lent:
                out.append(f"{ATLAS.unit_ids[unit]} is off the map but has a task")
            if place == BUILDING and state.due[unit] < 0:
                out.append(f"{ATLAS.unit_ids[unit]} is in production but never due")
        else:
            if carriers[unit] < 0 and unit not in seen:
                out.append(f"{ATLAS.unit_ids[unit]} is lost between the spaces")
            if carriers[unit] < 0 and (ATLAS.kind[place] == SEA) != ATLAS.is_ship[unit]:
                out.append(f"{ATLAS.unit_ids[unit]} cannot be in {ATLAS.space_ids[place]}")
            if state.standing[state.nation[unit]] == CONQUERED:
                out.append(f"{ATLAS.unit_ids[unit]} fights for a conquered country")
        if state.abroad.get(unit, -1) != missions[unit]:
            out.append(f"{ATLAS.unit_ids[unit]} does not know its mission")
        if state.flipped[unit] and ATLAS.back[unit] < 0:
            out.append(f"{ATLAS.unit_ids[unit]} has no back")
        if flags[unit] & STATIONED and not (place >= 0 and ATLAS.is_air[unit] and _over_sea(state, unit)):
            out.append(f"{ATLAS.unit_ids[unit]} watches no seazone")
    return out


def _cargo(state: BKState) -> list[str]:
    out = []
    for ship, loads in state.cargo.items():
        ident = ATLAS.unit_ids[ship]
        if state.place[ship] < 0:
            out.append(f"{ident} carries units but is not on the map")
        if not loads or (ATLAS.type[ship] != CONVOY and any(ATLAS.type[u] != NAVAL_HQ for u in loads)):
            out.append(f"{ident} cannot carry {[ATLAS.unit_ids[u] for u in loads]}")
        full = sum(1 for u in loads if not state.flipped[u])
        if full and state.flipped[ship] and ATLAS.type[ship] == CONVOY:
            out.append(f"{ident} is damaged and carries a full unit")
        if len(loads) > 2 or (full and len(loads) > 1):
            out.append(f"{ident} is overloaded with {[ATLAS.unit_ids[u] for u in loads]}")
        for unit in loads:
            if state.carrier[unit] != ship or state.place[unit] != state.place[ship]:
                out.append(f"{ATLAS.unit_ids[unit]} does not sail with {ident}")
            if ATLAS.is_ship[unit]:
                out.append(f"{ident} carries a ship")
    for unit, ship in enumerate(state.carrier):
        if ship >= 0 and unit not in state.cargo.get(ship, ()):
            out.append(f"{ATLAS.unit_ids[unit]} is on board of nobody")
    return out


def _nations(state: BKState) -> list[str]:
    out = []
    names = ATLAS.nation_ids
    for a in range(len(names)):
        for b in range(len(names)):
            if state.war[a] >> b & 1:
                if not state.war[b] >> a & 1:
                    out.append(f"{names[a]} fights {names[b]} alone")
                gone = CONQUERED in (state.standing[a], state.standing[b])
                if state.side[a] >= 0 and state.side[a] == state.side[b] and not gone:
                    out.append(f"{names[a]} and {names[b]} fight on the same side")
    out += [f"nobody controls {ATLAS.space_ids[s]}" for s in ATLAS.land if not 0 <= state.control[s] < len(names)]
    for major, name in enumerate(MAJORS):
        if min(state.points[major], state.saved[major], state.rail_left[major]) < 0:
            out.append(f"{name} has less than nothing")
        if not 0 <= state.numbers[major] <= ATLAS.research["max_number"]:
            out.append(f"{name} has {state.numbers[major]} research numbers")
    return out


def _stay(state: BKState, space: int) -> bool:
    """Whether the ships of a seazone could not fire at each other, so that both sides stay. [bg-6.5.2-zero]

    A ship may have been repaired since the battle, so its weaker side counts.
    """
    weather = ATLAS.bad_weather["ships"] if state.bad[ATLAS.map[space]] else 0
    return bool(ATLAS.is_sea[space]) and all(ATLAS.back[unit] + weather <= 0 for unit in state.here[space])


def _mixing(state: BKState) -> list[str]:
    """Between the action segments no area holds both sides. [bg-6.8-no-mixing-land] [bg-basic-6.4-no-mixing]"""
    if not state.stack or type(state.stack[-1]).__name__ not in ("Production", "CardPhase", "Research"):
        return []
    out = []
    for space, units in enumerate(state.here):
        if len(units) < 2 or (state.advanced and ATLAS.is_sea[space]):
            continue
        nations = {state.nation[u] for u in units}
        if any(state.war[a] >> b & 1 for a in nations for b in nations) and not _stay(state, space):
            out.append(f"both sides are in {ATLAS.space_ids[space]}")
    for unit, mission in enumerate(state.mission):
        if mission >= 0 and not ATLAS.is_ship[unit] and not state.flags[unit] & STATIONED:
            out.append(f"{ATLAS.unit_ids[unit]} never came home from {ATLAS.space_ids[mission]}")
    return out


def _cards(state: BKState) -> list[str]:
    """[bg-4.1-deck] every card is in exactly one place."""
    if not state.advanced:
        return []
    out: list[str] = []
    places: dict[int, int] = {}
    hands = [card for hand in state.hands for card in hand]
    held = [card for card in (*state.drawn, *state.offered) if card >= 0]
    for card in (*state.deck, *hands, *state.table, *state.out, *held):
        places[card] = places.get(card, 0) + 1
    if -1 in places:
        return out
    for card, ident in enumerate(ATLAS.card_ids):
        if places.get(card, 0) != 1:
            out.append(f"the card {ident} is in {places.get(card, 0)} places")
    return out
