"""The Events: what happened, as plain data for the log."""

from __future__ import annotations

from sandtable.core import Event


class TurnBegan(Event, frozen=True, tag="turn"):
    turn: str


class PlayerTurnBegan(Event, frozen=True, tag="player-turn"):
    side: str


class Moved(Event, frozen=True, tag="moved"):
    army: str
    to: str


class PointsMoved(Event, frozen=True, tag="points-moved"):
    army: str
    number: int
    kind: str
    into: str
    to: str


class Converted(Event, frozen=True, tag="converted"):
    army: str
    number: int


class Raised(Event, frozen=True, tag="raised"):
    """Points came into play: by set-up, build, or a country's entry."""

    army: str
    at: str
    kind: str
    number: int


class Announced(Event, frozen=True, tag="announced"):
    army: str
    target: str


class Fired(Event, frozen=True, tag="fired"):
    """One roll on the Firepower Table."""

    by: str
    at: str
    strength: int
    die: int
    modified: int
    losses: int


class FiredBack(Fired, frozen=True, tag="fired-back"):
    """A defensive assault: the space fires at those who attack it."""


class PointLost(Event, frozen=True, tag="point-lost"):
    unit: str
    kind: str


class ArmyGone(Event, frozen=True, tag="army-gone"):
    """An army left the map, with whatever strength it still had."""

    army: str
    points: int = 0


class ArmyLost(ArmyGone, frozen=True, tag="army-lost"):
    """An army was eliminated with strength still in it."""


class Absorbed(Event, frozen=True, tag="absorbed"):
    at: str
    number: int


class Advanced(Event, frozen=True, tag="advanced"):
    army: str
    to: str
    needed: int
    modified: int


class Repulsed(Event, frozen=True, tag="repulsed"):
    army: str
    to: str
    needed: int
    modified: int


class Captured(Event, frozen=True, tag="captured"):
    at: str
    side: str


class Retreated(Event, frozen=True, tag="retreated"):
    army: str
    to: str


class Defected(Event, frozen=True, tag="defected"):
    """A hex without supply changed hands."""

    at: str
    side: str


class Joined(Event, frozen=True, tag="joined"):
    country: str
    side: str


class Surrendered(Event, frozen=True, tag="surrendered"):
    country: str


class Budget(Event, frozen=True, tag="budget"):
    side: str
    points: int


class Built(Event, frozen=True, tag="built"):
    side: str
    item: str
    number: int


class Repaired(Event, frozen=True, tag="repaired"):
    at: str
    number: int


class Devastated(Event, frozen=True, tag="devastated"):
    at: str
    number: int


class Lent(Event, frozen=True, tag="lent"):
    number: int


class Peace(Event, frozen=True, tag="peace"):
    accepted: bool


class Researched(Event, frozen=True, tag="researched"):
    side: str
    item: str
    result: str


class MoraleChanged(Event, frozen=True, tag="morale"):
    country: str
    change: int
    now: int


class ShippingLost(Event, frozen=True, tag="shipping-lost"):
    points: int


class SeaBattle(Event, frozen=True, tag="sea-battle"):
    side: str
    lost: int


class Partisan(Event, frozen=True, tag="partisan"):
    at: str
    won: bool


class LeaderShown(Event, frozen=True, tag="leader-shown"):
    army: str
    leader: bool


class LeaderLost(Event, frozen=True, tag="leader-lost"):
    army: str


# ---- ships (optional rules)
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


EVENTS: tuple[type[Event], ...] = (
    TurnBegan, PlayerTurnBegan, Moved, PointsMoved, Converted, Raised, Announced, Fired, FiredBack, PointLost,
    ArmyGone, ArmyLost, Absorbed,
    Advanced, Repulsed, Captured, Retreated, Defected, Joined, Surrendered, Budget, Built, Repaired, Devastated, Lent,
    Peace, Researched, MoraleChanged, ShippingLost, SeaBattle, Partisan, LeaderShown, LeaderLost,
    Sailed, FleetsMet, BattleWon, ShipsLost, Chased, Raiding, ShipBegun,
)  # fmt: skip
