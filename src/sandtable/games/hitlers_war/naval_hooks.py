"""Where the optional naval action reaches into other chapters: ports that fall, invasions, raiders on shipping.

Without the option nothing happens here.
"""

from __future__ import annotations

from sandtable.core import Step

from .state import Playing, War


def replaces_naval_fire(s: War) -> bool:
    """With fleets on the map, interceptions take the place of the simple naval fire.  [hw-atsea-3]"""
    return bool(s.options.get("naval_action"))


def in_port(s: War, space: int) -> list[int]:
    """Fleets in the port of a space.  [hw-fleetmove-6]"""
    return [fleet for fleet, at in enumerate(s.fleet_at) if at == space and s.fleet_state[fleet] == 0]


def expelled(m: Playing, space: int, fleets: list[int]) -> list[Step]:
    """Ships thrown out of a port that has fallen.  [hw-fleetmove-6]"""
    return []


def interceptions(m: Playing) -> list[Step]:
    """Fleets at sea against invasions.  [hw-atsea-3] [hw-atsea-4]"""
    return []


def raiders_on_shipping(m: Playing) -> list[Step]:
    """Raiding ships attack the America traffic.  [hw-raid-1]"""
    return []


def raiding_strength(s: War) -> int:
    """Ships in the raid box count three times.  [hw-raid-2]"""
    return 0
