"""6.4.1 and 6.4.3: which ships may sail, and where a group of ships may go."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal

from ..facts.command import naval_commander
from ..facts.gates import is_gate_closed
from ..facts.units import on_map
from ..model.atlas import ATLAS, CONVOY, USA, label, name, unit_id
from ..model.state import FOUGHT, MOVED, NEUTRAL, BKState, enemies_at, has_enemy, mark_all, nonzero
from .movement import moved_already
from .search import watchers
from .stacking import why_not_cooperate


# ---- which ships may sail -----------------------------------------------------------------------------------------
def why_not_sail(state: BKState, unit: int) -> Refusal | None:
    """Refuse a ship that may not sail now. [bg-6.4.1-once] [bg-scn39-usa-ships] [bg-scn41-usa-ships] [bg-6.7-ships]"""
    if state.flags[unit] & MOVED:
        return moved_already(unit)
    if state.nation[unit] == USA and state.standing[USA] == NEUTRAL and ATLAS.type[unit] != CONVOY:
        return Refusal("bg-scn39-usa-ships", "usa-ships", unit=label(unit))
    if state.exploiting and naval_commander(state, unit) < 0:
        return Refusal("bg-6.7-ships", "no-naval-hq", unit=label(unit))
    return None


def ready_ships(state: BKState, major: int) -> dict[str, list[str]]:
    """Return the ships of a major that may sail, and those of associates that wait for it, by zone."""
    zones: dict[str, list[str]] = {}
    stormy = state.bad if state.exploiting and state.advanced else (0, 0)
    flags, place = state.flags, state.place
    if state.exploiting and all(state.carrier[hq] < 0 for hq in ATLAS.naval_rating):
        return {}  # in the exploitation phase ships follow a Naval HQ at sea
    lent = [u for u, leader in state.lent.items() if leader == major and place[u] >= 0]
    for unit in (*on_map(state, major, "ships"), *lent):
        # most have sailed already: no need to ask for the reason
        if not flags[unit] & MOVED and not stormy[ATLAS.map[place[unit]]] and why_not_sail(state, unit) is None:
            zones.setdefault(ATLAS.space_ids[place[unit]], []).append(unit_id(unit))
    return zones


def call_it_a_day(state: BKState) -> None:
    """Ships that waited in vain for others have moved all the same."""
    mark_all(state, [u for u in nonzero(state.spent) if ATLAS.is_ship[u] and state.place[u] >= 0], MOVED)
    state.lent = {}


# ---- where a group may go -----------------------------------------------------------------------------------------
def has_foes(state: BKState, ships: Sequence[int], zone: int) -> bool:
    """Return whether a zone holds ships that fight any of these."""
    return any(has_enemy(state, state.nation[u], zone) for u in ships)


def seekers(state: BKState, ships: Sequence[int]) -> list[int]:
    """Return the enemies in its zone, and by optional 9.1 over it, that may search for a group which sails on: neither
    they nor the group have fought in this phase. [bg-6.4.3d-case1] [bg-6.4.3d-case3] [bg-6.4.3d-may-search]
    [bg-10.1-pin] [bg-opt-9.1]"""
    zone, flags = state.place[ships[0]], state.flags
    fresh = {state.nation[u] for u in ships if not flags[u] & FOUGHT}
    there = [u for n in fresh for u in (*enemies_at(state, n, zone), *watchers(state, zone, n))]
    return [u for u in dict.fromkeys(there) if not flags[u] & FOUGHT]


def why_not_sail_to(state: BKState, ships: Sequence[int], used: int, to: int) -> Refusal | None:
    """Refuse a zone to a group that has sailed so far. [bg-6.4.1-ships] [bg-6.4.3f-double] [bg-6.4.3f-slip]
    [bg-basic-6.1.2] [bg-basic-6.1.4-auto-battle] [bg-6.4.3f-caught]"""
    zone, single = state.place[ships[0]], ATLAS.ship_range
    if to not in ATLAS.sea_next[zone] and not is_magellan(state, used, zone, to):
        return Refusal("bg-6.2-adjacent", "not-adjacent", space=name(to))
    if not state.advanced and used and has_foes(state, ships, zone):
        return Refusal("bg-basic-6.1.4-auto-battle", "must-fight", space=name(zone))
    if any(state.mission[c] >= 0 for u in ships for c in state.cargo.get(u, ())):
        return Refusal("bg-6.5.4-origin", "landing-announced")
    fought = any(state.flags[u] & FOUGHT for u in ships)
    most = single if fought else 2 * single
    if used >= most:
        rule = "bg-6.4.3f-caught" if fought else "bg-6.4.1-ships"
        return Refusal(rule, "out-of-range", unit=label(ships[0]), space=name(to), range=most)
    if used >= single and not state.advanced and has_foes(state, ships, to):
        return Refusal("bg-basic-6.1.2", "double-range-attack", space=name(to))
    for unit in ships:
        if is_gate_closed(state, state.nation[unit], zone, to, ATLAS.is_sub[unit]):
            gate = ATLAS.gate_of[zone * ATLAS.count + to]
            return Refusal(f"bg-6.4.3c-{_GATE_RULES.get(gate, gate)}", "gate-closed", gate=f"@gate-{gate}")
        refused = why_not_cooperate(state, unit, to)
        if refused is not None:
            return refused
    if state.exploiting and state.advanced:
        if state.bad[ATLAS.map[to]]:
            return Refusal("bg-5.4-bad-exploit", "bad-weather-exploitation")
        if ATLAS.map[zone] != ATLAS.map[to] and state.bad[0] != state.bad[1]:
            return Refusal("bg-5.4-map-switch", "weather-differs")
    return None


_GATE_RULES = {"western_turkey": "turkey"}


def is_magellan(state: BKState, used: int, zone: int, to: int) -> bool:
    """Return whether a group may go round Cape Magellan with the whole double range (optional 9.6). [bg-opt-9.6]"""
    if not state.options.get("cape-magellan") or used or state.exploiting:
        return False
    return (zone, to) in ATLAS.magellan or (to, zone) in ATLAS.magellan


def onward(state: BKState, ships: Sequence[int], used: int) -> list[int]:
    """Return the zones that a group may sail to next."""
    zone = state.place[ships[0]]
    around = list(ATLAS.sea_next[zone])
    if state.options.get("cape-magellan"):
        around += [b if a == zone else a for a, b in ATLAS.magellan if zone in (a, b)]
    return [to for to in around if why_not_sail_to(state, ships, used, to) is None]
