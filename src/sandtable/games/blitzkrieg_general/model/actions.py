"""The Actions: one concrete choice each. Fields are ids of spaces, units, kinds of counters, countries and cards."""

from __future__ import annotations

from sandtable.core import Action


class Done(Action, frozen=True, tag="done"):
    """I have finished with this phase."""


# ---- moving
class Place(Action, frozen=True, tag="place"):
    """Put an arriving unit on the map."""

    unit: str
    to: str


class Shift(Action, frozen=True, tag="shift"):
    """Historical option: change where a unit starts."""

    unit: str
    to: str


class Railroad(Action, frozen=True, tag="rail"):
    """Move a unit by rail with a point of the country's own capacity."""

    unit: str
    to: str


class Rebase(Action, frozen=True, tag="rebase"):
    unit: str
    to: str


class March(Action, frozen=True, tag="march"):
    """Move a land unit. `via` is the area from which it enters its destination."""

    unit: str
    to: str
    via: str


class Fly(Action, frozen=True, tag="fly"):
    """Move an aircraft to a base or on a mission."""

    unit: str
    to: str


class Support(Action, frozen=True, tag="support"):
    """Send a Task Force into the land combat next to its seazone."""

    unit: str
    to: str


class Bomb(Action, frozen=True, tag="bomb"):
    """Send an aircraft (or a Task Force as escort) on a strategic bombardment."""

    unit: str
    to: str


class DropAtom(Action, frozen=True, tag="drop-atom"):
    """Send an aircraft with the atomic bomb."""

    unit: str
    to: str


class FireV(Action, frozen=True, tag="fire-v"):
    """Fire the V-weapons of a country at an area; with the bomb where it has both."""

    to: str
    atom: bool


class Form(Action, frozen=True, tag="form"):
    """Form a group of ships that sails together."""

    zone: str
    ships: tuple[str, ...]


class Sail(Action, frozen=True, tag="sail"):
    """The group sails on into the next seazone."""

    to: str


class Halt(Action, frozen=True, tag="halt"):
    """The group stays where it is."""


class Wait(Action, frozen=True, tag="wait"):
    """The group breaks its voyage here, to be taken up by other ships of its own country or of an associate."""

    country: str


class Load(Action, frozen=True, tag="load"):
    """Take a unit on board, from land or from another convoy."""

    convoy: str
    unit: str


class Unload(Action, frozen=True, tag="unload"):
    """Put a unit ashore; into an enemy area it is an invasion."""

    unit: str
    to: str


class Declare(Action, frozen=True, tag="declare"):
    """Declare war."""

    country: str


class Reserve(Action, frozen=True, tag="reserve"):
    """Move a unit into an attacked space as a reserve or in reaction to an invasion."""

    unit: str
    to: str


class React(Action, frozen=True, tag="react"):
    """Fly an aircraft, or send a Task Force, into an attacked space."""

    unit: str
    to: str


class NavalReact(Action, frozen=True, tag="naval-react"):
    """Send a ship against an invasion fleet."""

    unit: str
    to: str


# ---- fighting
class Attack(Action, frozen=True, tag="attack"):
    """Fight this battle next."""

    space: str


class Engage(Action, frozen=True, tag="engage"):
    """Having found the enemy: fight, or let them go."""

    fight: bool


class Dive(Action, frozen=True, tag="dive"):
    """Keep submarines out of the battle, unless they are found."""

    dive: bool


class Join(Action, frozen=True, tag="join"):
    """Aircraft that come to the help of an intercepted group."""

    units: tuple[str, ...]


class Assign(Action, frozen=True, tag="assign"):
    """Put a unit into another segment of the battle chart, or aim it at another kind of target."""

    unit: str
    target: str


class Ready(Action, frozen=True, tag="ready"):
    """The units are where they are to fight."""


class TakeHit(Action, frozen=True, tag="take-hit"):
    unit: str


class Retreat(Action, frozen=True, tag="retreat"):
    """Retreat everything, retreat only aircraft and Task Forces, or fight on."""

    what: str


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Where a retreating or returning unit goes."""

    unit: str
    to: str


class Govern(Action, frozen=True, tag="govern"):
    """Which participant controls an area that several took."""

    country: str


class Liberate(Action, frozen=True, tag="liberate"):
    """Free the country whose home area was retaken, or keep the production (optional rule)."""

    free: bool


# ---- economy
class Build(Action, frozen=True, tag="build"):
    kind: str


class Repair(Action, frozen=True, tag="repair"):
    unit: str


class BuildRail(Action, frozen=True, tag="build-rail"):
    """Optional: one more point of rail capacity."""


class LendTo(Action, frozen=True, tag="lend-to"):
    country: str


class Merge(Action, frozen=True, tag="merge"):
    """Optional: two reduced units become one full unit."""

    unit: str
    other: str


class Split(Action, frozen=True, tag="split"):
    """Optional: a full unit becomes two reduced ones."""

    unit: str


# ---- cards, research, politics
class Buy(Action, frozen=True, tag="buy"):
    card: str


class OfferCard(Action, frozen=True, tag="offer-card"):
    country: str


class ReturnCard(Action, frozen=True, tag="return-card"):
    """Put the drawn card under the deck."""


class PlayCard(Action, frozen=True, tag="play-card"):
    """Play a card. `on` names what it is played on where the card leaves a choice, else it is empty."""

    card: str
    on: str


class Relocate(Action, frozen=True, tag="relocate"):
    """Espionage: move an own unit."""

    unit: str
    to: str


class Disband(Action, frozen=True, tag="disband"):
    """National War: turn an orange unit into build points."""

    unit: str


class Drop(Action, frozen=True, tag="drop"):
    """Para Troops: fly an infantry unit into an area."""

    aircraft: str
    unit: str
    to: str


class Favour(Action, frozen=True, tag="favour"):
    """Elite Troops: give a unit +1."""

    unit: str


class Raise(Action, frozen=True, tag="raise"):
    """Partisans: put the own flag into an area."""

    area: str


class BuyNumber(Action, frozen=True, tag="buy-number"):
    """Buy the next research number."""


class Announce(Action, frozen=True, tag="announce"):
    """Announce a research roll."""


class Achieve(Action, frozen=True, tag="achieve"):
    what: str


class Initiate(Action, frozen=True, tag="initiate"):
    """Optional: choose which side acts first."""

    side: str


class Ally(Action, frozen=True, tag="ally"):
    """Optional: choose an alliance at set-up."""

    side: str


class Station(Action, frozen=True, tag="station"):
    """Optional: post an aircraft over a seazone to search it."""

    unit: str
    to: str


class GiveUp(Action, frozen=True, tag="give-up"):
    """Optional: the holder of its coup card lets an attacked neutral surrender."""

    card: str


ACTIONS: tuple[type[Action], ...] = (
    Done, Place, Shift, Railroad, Rebase, March, Fly, Support, Bomb, DropAtom, FireV, Form, Sail, Halt, Wait, Load,
    Unload, Declare, Reserve, React, NavalReact, Attack, Engage, Dive, Join, Assign, Ready, TakeHit, Retreat, Withdraw,
    Govern, Liberate, Build, Repair, BuildRail, LendTo, Merge, Split, Buy, OfferCard, ReturnCard, PlayCard, Relocate,
    Disband, Drop, Favour, Raise, BuyNumber, Announce, Achieve, Initiate, Ally, Station, GiveUp,
)  # fmt: skip
