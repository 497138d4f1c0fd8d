"""Interceptions (optional naval action): which fleets can support an invasion, and which can fire at it."""

from __future__ import annotations

from functools import partial

from sandtable.core.columns import put

from ...model.atlas import ATLAS
from ...model.fleets import PORT, SHIP_SEAS
from ...model.state import INVASION, War, armies_of
from .. import routes
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


def fired_at(fleet: int, link: int) -> int:
    """The entry of a link in `fired_sides` for a fleet."""
    return link * _PER_LINK + fleet


def sides_left(s: War, fleet: int, army: int) -> list[int]:
    """Open-sea sides of a route in the fleet's own sea at which it has not fired.  [hw-atsea-3] [hw-navfire-6]"""
    return routes.sides_left(s, army, SHIP_SEAS[s.fleet_at[fleet]], partial(fired_at, fleet))


def release(s: War) -> None:
    """When the invasions are over, their supporting fleets are in the ports they came from.  [hw-atsea-4]"""
    for fleet in s.escorting:
        s.fleet_state = put(s.fleet_state, fleet, PORT)
    s.escorting = {}
