"""5.2: which units arrive now, and where each may be put."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, BE
from ..model.state import BUILDING, CONQUERED, BKState, british_home_of, has_enemy
from .stacking import is_full
from .units import nations_in

FRESH = -2
"""The `start` of a unit that has arrived in this reinforcement phase."""


@fact(
    "place", "due", "turn", "nation", "standing", "master", "control", "here", "war", "side", "start", "advanced",
    "options", "invasions", "cargo", "mission",
)  # fmt: skip
def arrivals(s: BKState) -> dict[int, dict[int, list[int]]]:
    """Return by major the units that are due and have a place, its minors' included, each with its places.
    [bg-7.6.6-durations]"""
    due: dict[int, dict[int, list[int]]] = {}
    known: dict[tuple[int, int, int], list[int]] = {}  # units of a kind find the same places, Free French others
    for unit in _due(s):
        nation = s.nation[unit]
        if s.standing[nation] == CONQUERED:
            continue
        key = (
            nation,
            ATLAS.printed_nation[unit],
            (ATLAS.post_by_arm if ATLAS.has_limited_home[nation] else ATLAS.post)[unit],
        )
        if key not in known:
            known[key] = placements(s, unit)
        if known[key]:
            due.setdefault(s.master[nation], {})[unit] = known[key]
    return due


def _due(s: BKState) -> list[int]:
    """Units on the production chart whose quarter has come, in the order of the mix."""
    place, due, now, unit = s.place, s.due, s.turn, -1
    out = []
    for _ in range(place.count(BUILDING)):
        unit = place.index(BUILDING, unit + 1)
        if 0 <= due[unit] <= now:
            out.append(unit)
    return out


def placements(s: BKState, unit: int) -> list[int]:
    """Return where an arriving unit may be put. [bg-5.2-ships] [bg-5.2-ships-contested]"""
    nation = s.nation[unit]
    if ATLAS.is_ship[unit]:
        homes = ATLAS.british_areas[british_home_of(unit)] if _is_british(s, unit) else ATLAS.homes[nation]
        zones = dict.fromkeys(zone for home in homes if s.control[home] == nation for zone in ATLAS.coast[home])
        free = [zone for zone in zones if not has_enemy(s, nation, zone)]
        return free or list(zones)
    limited = ATLAS.is_limited
    spaces = [home for home in _homes(s, unit) if not (limited[home] and is_full(s, unit, home))]
    return _isolated(s, nation, spaces) if s.options.get("isolated-areas") else spaces


def _is_british(s: BKState, unit: int) -> bool:
    """Whether a counter belongs to one of the British home countries. [bg-5.2-british-placement]
    [bg-basic-5.2-british]"""
    return s.nation[unit] == BE and ATLAS.printed_nation[unit] == BE and s.advanced


def _homes(s: BKState, unit: int) -> list[int]:
    """Home areas in which a unit may appear. [bg-5.2-major-placement] [bg-5.2-minor-placement]
    [bg-5.2-no-abbrev-areas] [bg-5.2-home-area]"""
    nation = s.nation[unit]
    if nation == ATLAS.vichy_nation:
        return [area for area in ATLAS.land if s.control[area] == nation]
    homes = ATLAS.british_nurseries[british_home_of(unit)] if _is_british(s, unit) else ATLAS.nurseries[nation]
    control, here, war, nations = s.control, s.here, s.war[nation], nations_in(s)
    return [home for home in homes if control[home] == nation and not nations[here[home]] & war]


def _isolated(s: BKState, nation: int, spaces: list[int]) -> list[int]:
    """Optional 9.8: one unit a turn into a home area cut off from the others. [bg-opt-9.8]"""
    if len(ATLAS.homes[nation]) == 1:
        return spaces
    homes, out = ATLAS.home_areas_set[nation], []
    for space in spaces:
        joined = any(there in homes and s.control[there] == nation for there in ATLAS.land_next[space])
        if joined or not any(s.start[u] == FRESH for u in s.here[space]):
            out.append(space)
    return out or spaces
