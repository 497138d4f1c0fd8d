"""Everything a player can do, in the order of the sequence of play. Ids are those of counters, hexes and countries."""

from __future__ import annotations

from sandtable.core import Action


# ---- set-up (3)
class Place(Action, frozen=True, tag="place"):
    """Set a unit up in a hex (or in the box 'available' or 'eliminated'), full or reduced."""

    unit: str
    to: str
    strength: str


class DefaultSetup(Action, frozen=True, tag="default-setup"):
    """Set the whole country up as the default has it."""


# ---- mobilization (7, 20)
class Ground(Action, frozen=True, tag="ground"):
    """Keep an air unit on the ground because of storms."""

    unit: str


class Arrive(Action, frozen=True, tag="arrive"):
    """Deploy a scheduled reinforcement."""

    unit: str
    to: str


class Mobilize(Action, frozen=True, tag="mobilize"):
    """Spend points on a unit of the Reinforcement Display."""

    unit: str


class Refit(Action, frozen=True, tag="refit"):
    """Spend points to bring a reduced unit back to full strength."""

    unit: str


class Done(Action, frozen=True, tag="done"):
    """Nothing more in this segment."""


# ---- air (16)
class Launch(Action, frozen=True, tag="launch"):
    """Fly an air unit from a city to a target hex; its mission stays undeclared."""

    unit: str
    base: str
    target: str


class Intercept(Action, frozen=True, tag="intercept"):
    """Fly an airstrike against an enemy air unit on the map."""

    unit: str
    base: str
    target: str


class Fight(Action, frozen=True, tag="fight"):
    """Resolve the interception combat in this hex next."""

    target: str


class Bomb(Action, frozen=True, tag="bomb"):
    """Terror bomb the 'city' or the 'units' in the hex an airstrike is over."""

    unit: str
    aim: str


class Hit(Action, frozen=True, tag="hit"):
    """Choose the enemy unit that terror bombing reduces."""

    unit: str


# ---- movement (8, 16.10, 18.2)
class Move(Action, frozen=True, tag="move"):
    """Move a unit by the cheapest way; it may go on from there with what is left."""

    unit: str
    to: str


class Rail(Action, frozen=True, tag="rail"):
    """Move a unit by railroad within its country."""

    unit: str
    to: str


class LeaveMap(Action, frozen=True, tag="leave-map"):
    """Take a Soviet unit off the east edge by railroad."""

    unit: str


class EnterMap(Action, frozen=True, tag="enter-map"):
    """Bring a Soviet unit back by railroad."""

    unit: str
    to: str


class Ship(Action, frozen=True, tag="ship"):
    """Carry units by sea."""

    marker: str
    port: str
    units: tuple[str, ...]
    to: str


class Assault(Action, frozen=True, tag="assault"):
    """Take Marines to sea before an enemy coast that they must attack this turn."""

    marker: str
    port: str
    units: tuple[str, ...]
    target: str
    sea: str


class Airlift(Action, frozen=True, tag="airlift"):
    """Fly a land unit to a friendly city."""

    lift: str
    unit: str
    to: str


# ---- combat (11 to 13)
class SupplyPort(Action, frozen=True, tag="supply-port"):
    """Put an amphibious marker into a port to supply attacks from in and around it."""

    marker: str
    port: str


class Attack(Action, frozen=True, tag="attack"):
    """Attack a hex with units of one nation on one of the two combat results tables."""

    target: str
    nation: str
    table: str
    units: tuple[str, ...]


class Support(Action, frozen=True, tag="support"):
    """Add an air, a naval and a special forces marker to the attack ('' for none)."""

    air: str
    naval: str
    sf: str


class Lose(Action, frozen=True, tag="lose"):
    """Choose one of my units to take a step loss."""

    unit: str


class Retreat(Action, frozen=True, tag="retreat"):
    """Retreat a unit along this path."""

    unit: str
    path: tuple[str, ...]


class Stand(Action, frozen=True, tag="stand"):
    """Ignore the retreat with the help of a fortification."""

    unit: str


class Advance(Action, frozen=True, tag="advance"):
    """Advance a unit after combat: into the hex, or through it into a second one."""

    unit: str
    path: tuple[str, ...]


class Disband(Action, frozen=True, tag="disband"):
    """Eliminate a unit of an overstacked hex."""

    unit: str


ACTIONS: tuple[type[Action], ...] = (
    Place, DefaultSetup, Ground, Arrive, Mobilize, Refit, Done, Launch, Intercept, Fight, Bomb, Hit, Move, Rail,
    LeaveMap, EnterMap, Ship, Assault, Airlift, SupplyPort, Attack, Support, Lose, Retreat, Stand, Advance, Disband,
)  # fmt: skip
