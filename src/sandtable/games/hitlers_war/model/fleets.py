"""The fleet counters of the optional naval action: their nations, names and sides, and the coasts they can use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sandtable.core import Names

from .atlas import ATLAS, SIDES, side_number

_RULES: Mapping[str, Any] = ATLAS.rules["fleets"]
NATIONS: Final[tuple[str, ...]] = tuple(_RULES["counters"])
NATION_OF: Final = tuple(n for n, name in enumerate(NATIONS) for _ in range(_RULES["counters"][name]))
"""Per fleet counter: its nation."""
NAMES: Final = tuple(
    f"{_RULES['names'][name]} {number + 1}" for name in NATIONS for number in range(_RULES["counters"][name])
)
FLEET_NAMES: Final = Names.of(NAMES)
INDEX: Final = {name: number for number, name in enumerate(NAMES)}
SIDE_OF: Final = tuple(side_number(_RULES["sides"][NATIONS[n]]) for n in NATION_OF)
FLEETS_OF: Final = tuple(tuple(f for f, owner in enumerate(SIDE_OF) if owner == side) for side in range(len(SIDES)))
"""Per side: its fleet counters."""
COUNTERS_OF: Final = tuple(tuple(f for f, own in enumerate(NATION_OF) if own == n) for n in range(len(NATIONS)))
"""Per nation: its fleet counters."""
NOWHERE, RAID_BOX = -1, -2
PORT, SEA, SUPPORT, RAIDER = range(4)
"""What a fleet does: it is in port, at sea, supports an invasion from its port, or puts out from it to raid."""
RADIUS: Final[int] = ATLAS.tables["fleets"]["sea_radius"]
"""Hexes that a fleet sails from its port."""
HULLS: Final = 100
"""Unfinished ships of a side are numbered from its number times this."""
LAKES: Final = ATLAS.seas.index("soviet_lakes")
SHIP_WATERS: Final = tuple(tuple(w for w in row if ATLAS.waters[w][1] != LAKES) for row in ATLAS.waters_of)
"""Per space: its waters that fleets use. Not the lakes, so that Leningrad is a Baltic port.  [hw-fleetmove-8]"""
SHIP_SEAS: Final = tuple(frozenset(ATLAS.waters[w][1] for w in row) for row in SHIP_WATERS)
"""Per space: the seas of these waters."""
STATIONS: Final = frozenset(x for x in range(ATLAS.hex_count) if SHIP_WATERS[x])
"""Hexes where a fleet may stand at sea: open sea and coast."""
_COLOURS = tuple(frozenset(_RULES["colours"][name]) for name in NATIONS)
HARBOURS: Final = tuple(
    tuple(
        x
        for x in ATLAS.land
        if SHIP_WATERS[x] and (not colours or ATLAS.countries[ATLAS.country_of[x]].colour in colours)
    )
    for colours in _COLOURS
)
"""Per nation: coasts of the countries whose ports its fleets may use, anchors or not.  [hw-nav-4]"""
