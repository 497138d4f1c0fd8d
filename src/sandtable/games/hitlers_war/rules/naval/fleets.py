"""Optional naval action: fleets on the map. Nations and their counters, ports, the ways of ships.

Chapters 'The Fleets', 'Fleet Movement' and what 'Fleets At Sea' block; the steps stand in files of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from sandtable.core import Refusal
from sandtable.core.columns import lacking, put

from ...facts.territory import SAIL, held_by
from ...model.atlas import ATLAS, NOBODY, side_number
from ...model.state import War, enemies, has_carriers, space_name

_RULES: Mapping[str, Any] = ATLAS.rules["fleets"]
_CHART: Mapping[str, Any] = ATLAS.tables["fleets"]
NATIONS: Final[tuple[str, ...]] = tuple(_RULES["counters"])
NATION_OF: Final = tuple(n for n, name in enumerate(NATIONS) for _ in range(_RULES["counters"][name]))
"""Per fleet counter: its nation."""
NAMES: Final = tuple(
    f"{_RULES['names'][name]} {number + 1}" for name in NATIONS for number in range(_RULES["counters"][name])
)
INDEX: Final = {name: number for number, name in enumerate(NAMES)}
SIDE_OF: Final = tuple(side_number(_RULES["sides"][NATIONS[n]]) for n in NATION_OF)
NOWHERE, RAID_BOX = -1, -2
PORT, SEA, SUPPORT, RAIDER = range(4)
"""What a fleet does: lies in port, is at sea, supports an invasion from its port, puts out from it to raid."""
RADIUS: Final[int] = _CHART["sea_radius"]
PLENTY: Final = 1 << 20
_GIBRALTAR = ATLAS.place("gibraltar")
_GIBRALTAR_ROOM, _COAST_ROOM = int(_RULES["gibraltar"]), int(_CHART["other_coast_capacity"])
_TARANTO, _TARANTO_EXIT = ATLAS.place("taranto"), ATLAS.place("taranto_exit")
_LAKES = ATLAS.seas.index("soviet_lakes")
_ITALY = NATIONS.index("italy")
_DOORS = tuple(ATLAS.waters_of[x][0] for x in ATLAS.spaces(_RULES["raid_doors"]))
_COLOURS = tuple(frozenset(_RULES["colours"][name]) for name in NATIONS)


_SHIP_WATERS: Final = tuple(tuple(w for w in row if ATLAS.waters[w][1] != _LAKES) for row in ATLAS.waters_of)


def waters_for_ships(space: int) -> tuple[int, ...]:
    """Waters of a space that fleets use: not the lakes, so that Leningrad is a Baltic port.  [hw-fleetmove-8]"""
    return _SHIP_WATERS[space]


COASTS: Final = tuple(x for x in ATLAS.land if waters_for_ships(x))
STATIONS: Final = tuple(x for x in range(ATLAS.hex_count) if waters_for_ships(x))
"""Hexes where a fleet may stand at sea: open sea and coast."""
IS_STATION: Final = frozenset(STATIONS)
HARBOURS: Final = tuple(
    tuple(x for x in COASTS if not colours or ATLAS.countries[ATLAS.country_of[x]].colour in colours)
    for colours in _COLOURS
)
"""Per nation: coasts of the countries whose ports its fleets may use, anchors or not.  [hw-nav-4]"""
_OPEN_TO: Final = tuple(frozenset(spaces) for spaces in HARBOURS)
_FLEETS_OF: Final = tuple(tuple(f for f, owner in enumerate(SIDE_OF) if owner == side) for side in range(3))


COUNTERS_OF: Final = tuple(
    tuple(f for f, owner in enumerate(NATION_OF) if owner == nation) for nation in range(len(NATIONS))
)
"""Per nation: its fleet counters."""


# ---- fleets
def fleets_of(side: int) -> tuple[int, ...]:
    return _FLEETS_OF[side]


def strength(s: War, fleet: int) -> int:
    """All ship points of a fleet: capital ships and carriers.  [hw-carrier-1]"""
    return s.ships[fleet] + s.carriers[fleet]


def at_sea(s: War, side: int) -> list[int]:
    """Fleets of a side in sea hexes and off coasts; those in the raid box are not on the map.  [hw-fleetmove-7]"""
    return [f for f in fleets_of(side) if s.fleet_at[f] >= 0 and s.fleet_state[f] == SEA]


def enemies_at_sea(s: War, side: int, space: int) -> list[int]:
    return [f for foe in enemies(s, side) for f in at_sea(s, foe) if s.fleet_at[f] == space]


def hostile_spaces(s: War, side: int) -> frozenset[int]:
    """Sea hexes and coasts that enemy fleets at sea close to a side's routes.  [hw-atsea-2]"""
    return _hostile(s.fleet_at, s.fleet_state, tuple(enemies(s, side)))


@lru_cache(maxsize=2048)
def _hostile(fleet_at: tuple[int, ...], fleet_state: tuple[int, ...], foes: tuple[int, ...]) -> frozenset[int]:
    afloat = [f for foe in foes for f in fleets_of(foe) if fleet_at[f] >= 0 and fleet_state[f] == SEA]
    return frozenset(fleet_at[f] for f in afloat)


def in_port(s: War, space: int) -> list[int]:
    """Fleets in the port of a space.  [hw-fleetmove-6]"""
    return [fleet for fleet, at in enumerate(s.fleet_at) if at == space and s.fleet_state[fleet] != SEA]


def seas_of(space: int) -> frozenset[int]:
    return frozenset(ATLAS.waters[w][1] for w in waters_for_ships(space))


def change(s: War, fleet: int, kind: str, by: int) -> None:
    """A fleet gets or loses ships of one kind."""
    if kind == "carrier":
        s.carriers = put(s.carriers, fleet, s.carriers[fleet] + by)
    else:
        s.ships = put(s.ships, fleet, s.ships[fleet] + by)


def station(s: War, fleet: int, at: int, state: int) -> None:
    """A fleet is there now, in port or at sea."""
    s.fleet_at = put(s.fleet_at, fleet, at)
    s.fleet_state = put(s.fleet_state, fleet, state)


def remove_if_sunk(s: War, fleet: int) -> bool:
    """An empty fleet leaves play and may come back later.  [hw-fleetmove-4]"""
    if strength(s, fleet) or s.fleet_at[fleet] == NOWHERE:
        return False
    station(s, fleet, NOWHERE, PORT)
    s.fleet_moved = (*s.fleet_moved[: 2 * fleet], 0, 0, *s.fleet_moved[2 * fleet + 2 :])
    s.escorting = lacking(s.escorting, fleet)
    return True


# ---- ports
def capacity(space: int) -> int:
    """Ship points a port holds: any number at an anchor, three at Gibraltar, one elsewhere.

    [hw-nav-2] [hw-map-anchor]
    """
    if space == _GIBRALTAR:
        return _GIBRALTAR_ROOM
    return PLENTY if ATLAS.port[space] else _COAST_ROOM


def room(s: War, space: int) -> int:
    """Ship points that still fit into a port."""
    if space not in s.fleet_at:
        return capacity(space)
    held, places, after = 0, s.fleet_at, 0
    for _ in range(places.count(space)):
        fleet = places.index(space, after)
        if s.fleet_state[fleet] != SEA:
            held += strength(s, fleet)
        after = fleet + 1
    return capacity(space) - held


def why_no_port(s: War, fleet: int, space: int) -> Refusal | None:
    """Why a fleet may not use a port: it is unfriendly, or another country's.  [hw-nav-2] [hw-nav-4]"""
    if s.owner[space] == SIDE_OF[fleet] and space in _OPEN_TO[NATION_OF[fleet]]:
        return None
    names = {"fleet": NAMES[fleet], "at": space_name(space)}
    if not waters_for_ships(space) or ATLAS.is_sea[space]:
        return Refusal("hw-nav-2", "hw-no-harbour", **names)
    if s.owner[space] != SIDE_OF[fleet]:
        return Refusal("hw-nav-4", "hw-port-unfriendly", **names)
    return Refusal("hw-nav-4", "hw-port-foreign", **names)


def is_idle(s: War, fleet: int) -> bool:
    """Italian fleets wait in their unaligned ports until Italy joins."""
    return NATION_OF[fleet] == _ITALY and s.fleet_at[fleet] >= 0 and s.owner[s.fleet_at[fleet]] == NOBODY


def homeless(s: War, fleet: int) -> bool:
    """A fleet that lies in a port it may no longer use.  [hw-fleetmove-6]"""
    at = s.fleet_at[fleet]
    if at < 0 or s.fleet_state[fleet] == SEA or is_idle(s, fleet):
        return False
    return why_no_port(s, fleet, at) is not None


# ---- the ways of ships
def _ship_links(water: int) -> tuple[tuple[int, int, int, int, bool, int], ...]:
    """Where ships sail from a water: the other water, both spaces, the gate, whether both must be friendly, hexes."""
    space, sea = ATLAS.waters[water]
    found = []
    for there, here, other, gate, guarded, length, _ in SAIL[water]:
        if _LAKES in (sea, ATLAS.waters[there][1]):
            continue
        if _TARANTO in (space, other) and space != other and _TARANTO_EXIT not in (space, other):
            continue
        found.append((there, here, other, gate, guarded, max(1, length) if other != space else 0))
    for canal, *joined in ATLAS.canals:
        if space == canal and sea in joined:
            found.extend((ATLAS.water_index[canal, x], space, space, canal, False, 0) for x in joined if x != sea)
    return tuple(found)


_SHIP_LINKS: Final = tuple(_ship_links(water) for water in range(len(ATLAS.waters)))


_MATTERS: Final = sum(
    255 << 8 * space
    for space in {
        space
        for links in _SHIP_LINKS
        for _, here, there, gate, guarded, _ in links
        for space in ((here, there) if guarded else ()) + ((gate,) if gate >= 0 else ())
    }
)
"""As bytes in a row: the spaces that can close a way to ships."""


@lru_cache(maxsize=4096)
def ways(side: int, owner: bytes, start: int, barred: frozenset[int]) -> dict[int, int]:
    """Every space that ships can get to from one, and the hexes they sail; an enemy fleet's hex ends the way.

    Partial and crossing sides need friendly hexes, sea borders their controlling hex; the Kiel canal joins its two
    seas, Taranto has one exit.  [hw-fleetmove-3] [hw-fleetmove-8] [hw-atsea-2] [hw-nav-1]
    """
    return _ways(_gatekeepers(held_by(side, owner)), start, barred)


def _gatekeepers(mine: bytes) -> bytes:
    """The same with nothing said of spaces whose holder does not matter to ships."""
    return (int.from_bytes(mine, "little") & _MATTERS).to_bytes(len(mine), "little")


@lru_cache(maxsize=8192)
def _ways(mine: bytes, start: int, barred: frozenset[int]) -> dict[int, int]:
    first = _DOORS if start == RAID_BOX else waters_for_ships(start)
    best: dict[int, int] = dict.fromkeys(first, 0)
    by_hexes: list[list[int]] = [list(first)]
    """Waters reached, by the hexes sailed to them."""
    sailed = 0
    while sailed < len(by_hexes):
        for water in by_hexes[sailed]:
            if best[water] < sailed or (ATLAS.waters[water][0] in barred and ATLAS.waters[water][0] != start):
                continue
            for there, here, space, gate, guarded, hexes in _SHIP_LINKS[water]:
                new = sailed + hexes
                if new >= best.get(there, PLENTY) or (gate >= 0 and not mine[gate]):
                    continue
                if guarded and not ((mine[here] or here == start) and (mine[space] or space == start)):
                    continue
                best[there] = new
                while len(by_hexes) <= new:
                    by_hexes.append([])
                by_hexes[new].append(there)
        sailed += 1
    spaces: dict[int, int] = {}
    for water, hexes in best.items():
        space = ATLAS.waters[water][0]
        if hexes < spaces.get(space, PLENTY):
            spaces[space] = hexes
    return spaces


def ways_of(s: War, fleet: int, start: int) -> dict[int, int]:
    side = SIDE_OF[fleet]
    return ways(side, s.owner, start, hostile_spaces(s, side))


# ---- set-up
def start_fleets(s: War) -> None:
    """The ships of the optional set-up, all in port but one raider; carriers only with their own rule.

    [hw-nav-6] [hw-carrier-7]
    """
    count = len(NATION_OF)
    s.fleet_at, s.fleet_state = (NOWHERE,) * count, (PORT,) * count
    s.ships, s.carriers, s.fleet_moved = (0,) * count, (0,) * count, (0,) * (2 * count)
    for nation, name in enumerate(NATIONS):
        counters = [fleet for fleet, own in enumerate(NATION_OF) if own == nation]
        for fleet, row in zip(counters, _RULES["start"][name], strict=False):
            at, state = (RAID_BOX, SEA) if row.get("raid") else (ATLAS.index[row["port"]], PORT)
            station(s, fleet, at, state)
            s.ships = put(s.ships, fleet, int(row["ships"]))
            s.carriers = put(s.carriers, fleet, int(row.get("carriers", 0)) if has_carriers(s) else 0)


def raiding(s: War) -> list[int]:
    """Fleets in the raid box.  [hw-raid-1]"""
    return [fleet for fleet, at in enumerate(s.fleet_at) if at == RAID_BOX]


def raiding_strength(s: War) -> int:
    """Ships in the raid box count three times.  [hw-raid-2]"""
    return int(_CHART["raid_multiplier"]) * sum(strength(s, fleet) for fleet in raiding(s))
