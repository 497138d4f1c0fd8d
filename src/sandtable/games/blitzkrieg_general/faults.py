"""Every invariant of a sound state, each with the words that say what is wrong."""

from __future__ import annotations

from .atlas import MAJORS, SEA, atlas
from .economy import potential
from .state import AT_WAR, BUILDING, CONQUERED, POOL, REMOVED, BKState


def faults(state: BKState) -> list[str]:
    return [*_units(state), *_cargo(state), *_nations(state), *_mixing(state), *_cards(state)]


def _units(state: BKState) -> list[str]:
    found, out = atlas(), []
    seen: dict[int, int] = {}
    for space, units in enumerate(state.here):
        for unit in units:
            if unit in seen:
                out.append(f"{found.unit_ids[unit]} lies in {found.space_ids[seen[unit]]} and {found.space_ids[space]}")
            seen[unit] = space
            if state.place[unit] != space:
                out.append(f"{found.unit_ids[unit]} lies in {found.space_ids[space]} but says {state.place[unit]}")
    for unit, place in enumerate(state.place):
        ident = found.unit_ids[unit]
        if place >= 0 and state.carrier[unit] < 0 and unit not in seen:
            out.append(f"{ident} is lost between the spaces")
        if place < 0 and (place not in (POOL, REMOVED, BUILDING) or unit in seen):
            out.append(f"{ident} is in no place: {place}")
        if place >= 0 and state.carrier[unit] < 0 and (found.kind[place] == SEA) != found.is_ship[unit]:
            out.append(f"{ident} cannot be in {found.space_ids[place]}")
        if state.abroad.get(unit, -1) != state.mission[unit]:
            out.append(f"{ident} does not know its mission")
        if state.flipped[unit] and found.back[unit] < 0:
            out.append(f"{ident} has no back")
        if place < 0 and (state.mission[unit] >= 0 or state.carrier[unit] >= 0):
            out.append(f"{ident} is off the map but has a task")
        if place >= 0 and state.standing[state.nation[unit]] == CONQUERED:
            out.append(f"{ident} fights for a conquered country")
    return out


def _cargo(state: BKState) -> list[str]:
    found, out = atlas(), []
    for ship, loads in state.cargo.items():
        ident = found.unit_ids[ship]
        if state.place[ship] < 0:
            out.append(f"{ident} carries units but is not on the map")
        full = sum(1 for u in loads if not state.flipped[u])
        if len(loads) > 2 or (full and len(loads) > 1):
            out.append(f"{ident} is overloaded with {[found.unit_ids[u] for u in loads]}")
        for unit in loads:
            if state.carrier[unit] != ship or state.place[unit] != state.place[ship]:
                out.append(f"{found.unit_ids[unit]} does not sail with {ident}")
            if found.is_ship[unit]:
                out.append(f"{ident} carries a ship")
    for unit, ship in enumerate(state.carrier):
        if ship >= 0 and unit not in state.cargo.get(ship, ()):
            out.append(f"{found.unit_ids[unit]} is on board of nobody")
    return out


def _nations(state: BKState) -> list[str]:
    found, out = atlas(), []
    names = found.nation_ids
    for a in range(len(names)):
        for b in range(len(names)):
            if state.war[a] >> b & 1:
                if not state.war[b] >> a & 1:
                    out.append(f"{names[a]} fights {names[b]} alone")
                gone = CONQUERED in (state.standing[a], state.standing[b])
                if state.side[a] >= 0 and state.side[a] == state.side[b] and not gone:
                    out.append(f"{names[a]} and {names[b]} fight on the same side")
    out += [f"nobody controls {found.space_ids[s]}" for s in found.land if not 0 <= state.control[s] < len(names)]
    for major, name in enumerate(MAJORS):
        if state.production[major] != potential(state, major):
            out.append(f"{name}'s flag stands at {state.production[major]}, the map says {potential(state, major)}")
        if min(state.points[major], state.saved[major], state.rail_left[major]) < 0:
            out.append(f"{name} has less than nothing")
        if not 0 <= state.numbers[major] <= found.research["max_number"]:
            out.append(f"{name} has {state.numbers[major]} research numbers")
    return out


def _mixing(state: BKState) -> list[str]:
    """Between the action segments no area holds both sides. [bg-6.8-no-mixing-land] [bg-basic-6.4-no-mixing]"""
    if not state.stack or type(state.stack[-1]).__name__ not in ("Production", "CardPhase", "Research"):
        return []
    found, out = atlas(), []
    for space, units in enumerate(state.here):
        if len(units) < 2 or (state.advanced and found.is_sea[space]):
            continue
        nations = {state.nation[u] for u in units}
        if any(state.war[a] >> b & 1 for a in nations for b in nations):
            out.append(f"both sides are in {found.space_ids[space]}")
    for unit, mission in enumerate(state.mission):
        if mission >= 0 and not found.is_ship[unit] and not state.flags[unit] & _STATIONED:
            out.append(f"{found.unit_ids[unit]} never came home from {found.space_ids[mission]}")
    return out


_STATIONED = 1 << 9


def _cards(state: BKState) -> list[str]:
    """[bg-4.1-deck] every card is in exactly one place."""
    if not state.advanced:
        return []
    found = atlas()
    out: list[str] = []
    places: dict[int, int] = {}
    hands = [card for hand in state.hands for card in hand]
    held = [card for card in (*state.drawn, *state.offered) if card >= 0]
    for card in (*state.deck, *hands, *state.table, *state.out, *held):
        places[card] = places.get(card, 0) + 1
    if -1 in places:
        return out
    for card, ident in enumerate(found.card_ids):
        if places.get(card, 0) != 1:
            out.append(f"the card {ident} is in {places.get(card, 0)} places")
    return out


__all__ = ["AT_WAR", "faults"]
