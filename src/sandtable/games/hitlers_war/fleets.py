"""Optional naval action: fleets on the map, their movement, and what they block."""

from __future__ import annotations

from sandtable.core import Step

from .state import Playing, War


def hostile_spaces(s: War, side: int) -> frozenset[int]:
    """Sea hexes and coasts that enemy fleets at sea close to a side's routes.  [hw-atsea-2]"""
    return frozenset()


def home_to_port(m: Playing) -> list[Step]:
    """At the start of movement all ships at sea return to port.  [hw-fleetmove-1] [hw-raid-8]"""
    return []
