"""Fleets on the map (optional naval action): their strength, ports and ways.

Chapters 'The Fleets', 'Fleet Movement' and what 'Fleets At Sea' block.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sandtable.core import Refusal
from sandtable.core.columns import lacking, put

from ...facts.seaways import Ways, blockade, seaways
from ...model.atlas import ATLAS, NOBODY
from ...model.fleets import (
    FLEETS_OF,
    HARBOURS,
    NAMES,
    NATION_OF,
    NATIONS,
    NOWHERE,
    PORT,
    RAID_BOX,
    SEA,
    SHIP_WATERS,
    SIDE_OF,
)
from ...model.places import GIBRALTAR
from ...model.state import War, enemies, space_name

_RULES: Mapping[str, Any] = ATLAS.rules["fleets"]
_CHART: Mapping[str, Any] = ATLAS.tables["fleets"]
_PLENTY: Final = 1 << 20
_GIBRALTAR_ROOM, _COAST_ROOM = int(_RULES["gibraltar"]), int(_CHART["other_coast_capacity"])
_ITALY = NATIONS.index("italy")
_OPEN_TO: Final = tuple(frozenset(spaces) for spaces in HARBOURS)


# ---- fleets
def strength(s: War, fleet: int) -> int:
    """All ship points of a fleet: capital ships and carriers.  [hw-carrier-1]"""
    return s.ships[fleet] + s.carriers[fleet]


def at_sea(s: War, side: int) -> list[int]:
    """Fleets of a side in sea hexes and off coasts; those in the raid box are not on the map.  [hw-fleetmove-7]"""
    return [f for f in FLEETS_OF[side] if s.fleet_at[f] >= 0 and s.fleet_state[f] == SEA]


def enemies_at_sea(s: War, side: int, space: int) -> list[int]:
    return [f for foe in enemies(s, side) for f in at_sea(s, foe) if s.fleet_at[f] == space]


def in_port(s: War, space: int) -> list[int]:
    """Fleets in the port of a space.  [hw-fleetmove-6]"""
    return [fleet for fleet, at in enumerate(s.fleet_at) if at == space and s.fleet_state[fleet] != SEA]


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
    if space == GIBRALTAR:
        return _GIBRALTAR_ROOM
    return _PLENTY if ATLAS.port[space] else _COAST_ROOM


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
    if not SHIP_WATERS[space] or ATLAS.is_sea[space]:
        return Refusal("hw-nav-2", "hw-no-harbour", **names)
    if s.owner[space] != SIDE_OF[fleet]:
        return Refusal("hw-nav-4", "hw-port-unfriendly", **names)
    return Refusal("hw-nav-4", "hw-port-foreign", **names)


def is_idle(s: War, fleet: int) -> bool:
    """Italian fleets wait in their unaligned ports until Italy joins."""
    return NATION_OF[fleet] == _ITALY and s.fleet_at[fleet] >= 0 and s.owner[s.fleet_at[fleet]] == NOBODY


def homeless(s: War, fleet: int) -> bool:
    """Whether a fleet is in a port that it may no longer use.  [hw-fleetmove-6]"""
    at = s.fleet_at[fleet]
    if at < 0 or s.fleet_state[fleet] == SEA or is_idle(s, fleet):
        return False
    return why_no_port(s, fleet, at) is not None


def ways_of(s: War, fleet: int, start: int) -> Ways:
    """Where ships of a fleet get to from a place."""
    side = SIDE_OF[fleet]
    return seaways(s)[side].ways(start, blockade(s, side))


def raiding(s: War) -> list[int]:
    """Fleets in the raid box.  [hw-raid-1]"""
    return [fleet for fleet, at in enumerate(s.fleet_at) if at == RAID_BOX]


def raiding_strength(s: War) -> int:
    """Ships in the raid box count three times.  [hw-raid-2]"""
    return int(_CHART["raid_multiplier"]) * sum(strength(s, fleet) for fleet in raiding(s))


def carrier_air(s: War, army: int) -> int:
    """Tac air that supporting carriers lend to an invading army, a point for each; it cannot be lost.

    [hw-carrier-5]
    """
    return sum(s.carriers[fleet] for fleet, escorted in s.escorting.items() if escorted == army)
