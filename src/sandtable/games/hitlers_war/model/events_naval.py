"""The Events of the optional rules for ships."""

from __future__ import annotations

from sandtable.core import Event


class Sailed(Event, frozen=True, tag="sailed"):
    fleet: str
    ships: int
    to: str
    at_sea: bool


class FleetsMet(Event, frozen=True, tag="fleets-met"):
    fleet: str
    foe: str


class BattleWon(Event, frozen=True, tag="battle-won"):
    fleet: str


class ShipsLost(Event, frozen=True, tag="ships-lost"):
    fleet: str
    kind: str
    number: int


class Chased(Event, frozen=True, tag="chased"):
    fleet: str
    raider: str
    modified: int
    found: bool


class Raiding(Event, frozen=True, tag="raiding"):
    fleet: str


class ShipBegun(Event, frozen=True, tag="ship-begun"):
    side: str
    item: str
    left: str


NAVAL_EVENTS: tuple[type[Event], ...] = (Sailed, FleetsMet, BattleWon, ShipsLost, Chased, Raiding, ShipBegun)
