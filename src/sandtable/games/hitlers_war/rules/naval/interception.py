"""Optional naval action: fleets at sea against invasions, and the fleets that support them."""

from __future__ import annotations

from sandtable.core.columns import put

from ...model.atlas import ATLAS
from ...model.fleets import PORT, SHIP_SEAS
from ...model.state import INVASION, War, armies_of
from ..routes import open_sea_links

_PER_LINK = 32
"""Room for every fleet in the key of a hexside that drew fire."""


def invaders(s: War) -> list[int]:
    return [a for a in armies_of(s.side) if s.mode[a] == INVASION and s.target[a] >= 0]


def supporters(s: War, army: int) -> list[int]:
    """Fleets that go with an invading army."""
    return [f for f, escorted in sorted(s.escorting.items()) if escorted == army]


def route_seas(s: War, army: int) -> frozenset[int]:
    """Seas in which an invasion's route crosses open water."""
    links = [ATLAS.links[n] for n in open_sea_links(s.routes.get(army, ()))]
    return frozenset(ATLAS.waters[w][1] for link in links for w in (link.a, link.b))


def sides_left(s: War, fleet: int, army: int) -> list[int]:
    """Open-sea sides of a route in the fleet's own sea at which it has not fired.  [hw-atsea-3] [hw-navfire-6]"""
    seas = SHIP_SEAS[s.fleet_at[fleet]]
    left: list[int] = []
    for number in open_sea_links(s.routes.get(army, ())):
        link = ATLAS.links[number]
        if ATLAS.waters[link.a][1] in seas and ATLAS.waters[link.b][1] in seas:
            left.extend([number] * (link.length - s.fired_sides.get(number * _PER_LINK + fleet, 0)))
    return left


def release(s: War) -> None:
    """When the invasions are over their supporting fleets lie in the ports they came from.  [hw-atsea-4]"""
    for fleet in s.escorting:
        s.fleet_state = put(s.fleet_state, fleet, PORT)
    s.escorting = {}
