"""The Actions of the optional rules for ships: naval action, ship builds, carriers."""

from __future__ import annotations

from sandtable.core import Action


class Sail(Action, frozen=True, tag="sail"):
    """Move ships of a fleet to a port or out to sea, into a fleet counter there."""

    fleet: str
    ships: int
    carriers: int
    how: str
    to: str
    into: str


class GoRaiding(Action, frozen=True, tag="go-raiding"):
    """Send Axis fleets out into the raid box."""

    fleets: tuple[str, ...]


class Chase(Action, frozen=True, tag="chase"):
    """Let a fleet at sea search for one that goes raiding."""

    fleet: str
    raider: str


class Fight(Action, frozen=True, tag="fight"):
    """Attack an enemy fleet at sea."""

    fleet: str
    foe: str


class Support(Action, frozen=True, tag="support"):
    """Let a fleet in port go with an invasion that starts there."""

    fleet: str
    army: str


class Intercept(Action, frozen=True, tag="intercept"):
    """Attack the fleets that support an invasion."""

    fleet: str
    army: str


class Meet(Action, frozen=True, tag="meet"):
    """Choose the supporting fleet that takes the battle."""

    fleet: str


class Shell(Action, frozen=True, tag="shell"):
    """Fire with a fleet at sea on an invading army, once for each of so many open-sea hexsides."""

    fleet: str
    army: str
    shots: int


class ShellCoast(Action, frozen=True, tag="shell-coast"):
    """Fire with a supporting fleet into the invasion's target."""

    fleet: str


class LayDown(Action, frozen=True, tag="lay-down"):
    """Begin a ship and pay for it, in full or in part."""

    item: str
    pay: int


class PayHull(Action, frozen=True, tag="pay-hull"):
    """Pay on an unfinished ship."""

    hull: str
    pay: int


class Commission(Action, frozen=True, tag="commission"):
    """Assign a finished ship to a fleet in port."""

    fleet: str
    at: str


NAVAL_ACTIONS: tuple[type[Action], ...] = (
    Sail, GoRaiding, Chase, Fight, Support, Intercept, Meet, Shell, ShellCoast, LayDown, PayHull, Commission,
)  # fmt: skip
