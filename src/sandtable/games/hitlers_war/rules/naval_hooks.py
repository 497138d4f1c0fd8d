"""Where the optional naval action reaches into other chapters: ports that fall, invasions, raiders on shipping.

Without the option nothing happens here. The chapters of the fleets build on those that ask here, so they are only
looked up when they are needed.
"""

from __future__ import annotations

from sandtable.core import Step

from ..model.atlas import ATLAS
from ..model.state import Playing, War, has_fleets_on_map
from .naval import fleets


def replaces_naval_fire(s: War) -> bool:
    """With fleets on the map, interceptions take the place of the simple naval fire.  [hw-atsea-3]"""
    return has_fleets_on_map(s)


def in_port(s: War, space: int) -> list[int]:
    """Fleets in the port of a space.  [hw-fleetmove-6]"""
    return [fleet for fleet, at in enumerate(s.fleet_at) if at == space and s.fleet_state[fleet] != fleets.SEA]


def expelled(m: Playing, space: int, thrown_out: list[int]) -> list[Step]:
    """Ships thrown out of a port that has fallen look for another at once.  [hw-fleetmove-6]"""
    from .naval.harbours import HomeToPort

    return [HomeToPort(tuple(thrown_out))] if thrown_out else []


def interceptions(m: Playing) -> list[Step]:
    """Supporting fleets, fleets at sea against the invasions, support fire.  [hw-atsea-3] [hw-atsea-4]"""
    from .naval.interception import FleetSupport, Interceptions, SupportFleets

    return [SupportFleets(), Interceptions(), FleetSupport()]


def invasions_over(s: War) -> None:
    if s.escorting:
        from .naval.interception import release

        release(s)


def stranded(m: Playing) -> list[Step]:
    """Fleets whose ports changed hands without a fight.  [hw-fleetmove-6]"""
    from .naval.harbours import Stranded

    return [Stranded()] if has_fleets_on_map(m.state) else []


def raiders_on_shipping(m: Playing) -> list[Step]:
    """Raiding ships attack the America traffic like U-boats, separately.  [hw-raid-1] [hw-raid-2]"""
    from .strategic.convoys import RaiderStrike

    return [RaiderStrike()] if fleets.raiding(m.state) else []


def raiding_strength(s: War) -> int:
    """Ships in the raid box count three times.  [hw-raid-2]"""
    return int(ATLAS.tables["fleets"]["raid_multiplier"]) * sum(fleets.strength(s, f) for f in fleets.raiding(s))
