"""Amphibious invasions on their way: how strong navies and coasts are, and where they fire.

Chapters 'Naval Fire' and 'Coastal Airpower' of the Fall of Germany, with what Campaign Game II changes in them.
"""

from __future__ import annotations

from functools import partial

from ..model.atlas import ALLIES, ATLAS, NOBODY, SIDES
from ..model.state import War
from . import routes
from .routes import open_sea_links
from .sealift import ATLANTIC, RED

_CHART = ATLAS.tables["naval_fire"]
FIXED: int = _CHART["fixed_strength"]
COAST: int = _CHART["coastal_air"]
COAST_OFF_MAP: int = _CHART["coastal_air_offmap_vs_axis"]


def naval_strength(s: War, side: int) -> int:
    """Firepower of a side's navy: always six for the Allies; in Campaign II the fleet that is at sea.

    [hw-navfire-2] [hw-c2-navfire-1] [hw-c2-navfire-2] [hw-c2-navfire-3]
    """
    if s.setting.technology:
        return s.at_sea[side]
    return FIXED if side == ALLIES else 0


def firing_seas(side: int) -> tuple[int, ...]:
    """Where a navy fires: the Atlantic, and for the Allies the Red Sea complex.  [hw-navfire-1] [hw-fleet-2]"""
    return (ATLANTIC, RED) if side == ALLIES else (ATLANTIC,)


def fired_at(side: int, link: int) -> int:
    """The entry of a link in `fired_sides` for a side's navy."""
    return link * len(SIDES) + side


def sides_left(s: War, side: int, army: int) -> list[int]:
    """Open-sea sides of an invader's route at which a navy may still fire; those that no other invader sails first.

    [hw-navfire-2] [hw-navfire-6]
    """
    left = routes.sides_left(s, army, firing_seas(side), partial(fired_at, side))
    others = {n for a, route in s.routes.items() if a != army for n in open_sea_links(route)}
    return sorted(left, key=lambda number: number in others)


# ---- coastal air power
def has_coastal_air(s: War, space: int) -> bool:
    """Whether a coast has air power against its invaders: nothing next to it was theirs before the phase began.

    [hw-coastair-1] [hw-coastair-2] [hw-coastair-5] [hw-coastair-6]
    """
    if s.owner[space] in (NOBODY, s.side) or s.before[space] == NOBODY or space in s.strafed:
        return False
    return not any(s.before[x] == s.side for x in ATLAS.around[space])
