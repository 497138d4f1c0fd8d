"""The Actions: every concrete choice of the game, in the words of the rulebook."""

from __future__ import annotations

from sandtable.core import Action

Points = tuple[tuple[str, int], ...]
"""How many of each kind: (('infantry', 3), ('mechanized', 1))."""


class Done(Action, frozen=True, tag="done"):
    """Finish this phase or stop choosing."""


# ---- set-up
class Place(Action, frozen=True, tag="place"):
    """Put strength points of the free set-up into an army in a friendly space."""

    points: Points
    at: str
    army: str


class PlaceDefault(Action, frozen=True, tag="place-default"):
    """Take the prepared set-up for everything that is not placed yet."""


class Ruin(Action, frozen=True, tag="ruin"):
    """Choose a French production point that stays devastated for good."""

    at: str


# ---- movement
class March(Action, frozen=True, tag="march"):
    """Move a whole army."""

    army: str
    to: str


class Transfer(Action, frozen=True, tag="transfer"):
    """Move strength points of one army into another army of the side."""

    army: str
    points: Points
    into: str


class Detach(Action, frozen=True, tag="detach"):
    """Move strength points of one army into a newly created army."""

    army: str
    points: Points
    to: str
    new: str


class Convert(Action, frozen=True, tag="convert"):
    """Turn amphibious points into infantry for good."""

    army: str
    number: int


class MoveHome(Action, frozen=True, tag="move-home"):
    """Move home forces inside their country."""

    at: str
    number: int
    to: str


class MoveLeader(Action, frozen=True, tag="move-leader"):
    """Give a revealed leader to another army."""

    army: str
    to: str


class MoveMissile(Action, frozen=True, tag="move-missile"):
    """Move a missile counter."""

    counter: str
    to: str


class Sortie(Action, frozen=True, tag="sortie"):
    """Send capital ships from port to sea."""

    number: int


class PutIn(Action, frozen=True, tag="put-in"):
    """Bring capital ships home to port."""

    number: int


class Dive(Action, frozen=True, tag="dive"):
    """Send U-boats from port to sea."""

    number: int


class Surface(Action, frozen=True, tag="surface"):
    """Bring U-boats home to port."""

    number: int


# ---- combat
class Attack(Action, frozen=True, tag="attack"):
    """Name an army and the adjacent hex it attacks."""

    army: str
    target: str


class Invade(Action, frozen=True, tag="invade"):
    """Name an army, the hex it invades from the sea, and its sea route."""

    army: str
    target: str
    route: tuple[str, ...]


class DefensiveAssault(Action, frozen=True, tag="defend"):
    """Fire on the attackers of a hex with some of the armies, forts and home forces in it."""

    at: str
    units: tuple[str, ...]
    air: int


class Assault(Action, frozen=True, tag="assault"):
    """Fire from one hex on the target of the armies named."""

    at: str
    target: str
    units: tuple[str, ...]
    air: int


class Advance(Action, frozen=True, tag="advance"):
    """Try to enter the target, dropping some paratroop points."""

    army: str
    paradrop: int


class Exploit(Action, frozen=True, tag="exploit"):
    """Go on attacking with an army that advanced."""

    army: str
    target: str


class Lose(Action, frozen=True, tag="lose"):
    """Remove one strength point: an army's, or a hex's own (fort, home forces)."""

    unit: str
    kind: str


class Retreat(Action, frozen=True, tag="retreat"):
    """Move a displaced army out of its lost hex."""

    army: str
    to: str


class NavalFire(Action, frozen=True, tag="naval-fire"):
    """Fire with the fleet at an invading army, once for each of so many open-sea hexsides."""

    army: str
    shots: int


class SupportFire(Action, frozen=True, tag="support-fire"):
    """Fire with the fleet at an invasion target on the Atlantic."""

    target: str


class CoastalAir(Action, frozen=True, tag="coastal-air"):
    """Fire at one invading army from the coast."""

    target: str
    army: str


# ---- production
class Build(Action, frozen=True, tag="build"):
    """Build strength points into an army."""

    kind: str
    at: str
    army: str
    number: int


class Fortify(Action, frozen=True, tag="fortify"):
    """Build fort points."""

    at: str
    number: int


class Dismantle(Action, frozen=True, tag="dismantle"):
    """Give up a fort."""

    at: str


class Repair(Action, frozen=True, tag="repair"):
    """Repair devastated production points."""

    at: str
    number: int


class Lend(Action, frozen=True, tag="lend"):
    """Give production points to the Soviet side."""

    number: int


class Produce(Action, frozen=True, tag="produce"):
    """Build points that go straight into a box: ships, U-boats, A.S.W., air defence, bombers, escorts."""

    item: str
    number: int


class Ship(Action, frozen=True, tag="ship"):
    """Buy trans-Atlantic shipping."""

    number: int


class BuildMissile(Action, frozen=True, tag="build-missile"):
    """Build missile points into a counter."""

    counter: str
    at: str
    number: int


class Arm(Action, frozen=True, tag="arm"):
    """Build atomic bombs for the bombers or a missile counter."""

    carrier: str
    number: int


class Partisans(Action, frozen=True, tag="partisans"):
    """Pay for a partisan attack on a hex."""

    at: str


class TradeEscort(Action, frozen=True, tag="trade-escort"):
    """Exchange an escort for one point of a side's air defence."""

    against: str


# ---- research
class Invest(Action, frozen=True, tag="invest"):
    """Pay for research on an item."""

    item: str
    number: int


class Test(Action, frozen=True, tag="test"):
    """Roll for an item's research."""

    item: str


# ---- strategic warfare
class Bomb(Action, frozen=True, tag="bomb"):
    """Send the bombers against a side's industry or a country's morale, with some atomic bombs aboard."""

    against: str
    aim: str


class Launch(Action, frozen=True, tag="launch"):
    """Fire missiles of a counter at a side's industry or a country's morale."""

    counter: str
    number: int
    against: str
    aim: str


class Strike(Action, frozen=True, tag="strike"):
    """Choose a production point to devastate."""

    at: str


class Drop(Action, frozen=True, tag="drop"):
    """Drop an atomic bomb on a hex."""

    carrier: str
    at: str


# ---- politics
class Accept(Action, frozen=True, tag="accept"):
    """Answer the Soviet offer of surrender."""

    terms: bool


class Settle(Action, frozen=True, tag="settle"):
    """Place one point of a country's home forces."""

    at: str


class Assign(Action, frozen=True, tag="assign"):
    """Put a leader marker face down with an army."""

    army: str


# ---- ships (optional rules)
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


ACTIONS: tuple[type[Action], ...] = (
    Done, Place, PlaceDefault, Ruin, March, Transfer, Detach, Convert, MoveHome, MoveLeader, MoveMissile, Sortie, PutIn,
    Dive, Surface, Attack, Invade, DefensiveAssault, Assault, Advance, Exploit, Lose, Retreat, NavalFire, SupportFire,
    CoastalAir, Build, Fortify, Dismantle, Repair, Lend, Produce, Ship, BuildMissile, Arm, Partisans, TradeEscort,
    Invest, Test, Bomb, Launch, Strike, Drop, Accept, Settle, Assign,
    Sail, GoRaiding, Chase, Fight, Support, Intercept, Meet, Shell, ShellCoast, LayDown, PayHull, Commission,
)  # fmt: skip
