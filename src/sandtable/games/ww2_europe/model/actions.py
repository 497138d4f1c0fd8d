"""The Actions: everything a power can choose, with ids as people know them."""

from __future__ import annotations

from sandtable.core import Action


class Done(Action, frozen=True, tag="done"):
    """Nothing more in this step."""


class Declare(Action, frozen=True, tag="declare"):
    """Announce an attack on a neutral country or major power."""

    country: str


class March(Action, frozen=True, tag="march"):
    """A ground unit goes along a declared path."""

    unit: str
    path: tuple[str, ...]


class Fly(Action, frozen=True, tag="fly"):
    """An air unit goes to a land space to fight there."""

    unit: str
    path: tuple[str, ...]


class Patrol(Action, frozen=True, tag="patrol"):
    """Units of one space go the same path and patrol its end."""

    base: str
    path: tuple[str, ...]
    units: tuple[str, ...]


class Sail(Action, frozen=True, tag="sail"):
    """Ships of one port go the same path and avoid battle."""

    base: str
    path: tuple[str, ...]
    units: tuple[str, ...]


class Launch(Action, frozen=True, tag="launch"):
    """A carrier's plane takes off along the carrier's path and patrols a water or attacks a land space."""

    unit: str
    path: tuple[str, ...]


class Raid(Action, frozen=True, tag="raid"):
    """Strategic Warfare by a bomber or submarine against a factory, resource zone or convoy ('convoy 3')."""

    unit: str
    path: tuple[str, ...]
    target: str


class Escort(Action, frozen=True, tag="escort"):
    """A fighter escorts a raid."""

    unit: str
    path: tuple[str, ...]


class Ferry(Action, frozen=True, tag="ferry"):
    """A transport sails to a water beside the cargo, loads it, goes on along the path and unloads it."""

    transport: str
    cargo: str
    load: str
    path: tuple[str, ...]
    to: str


class Drop(Action, frozen=True, tag="drop"):
    """An airborne unit drops on an enemy space, carried by a bomber or (with '') by abstract planes."""

    unit: str
    to: str
    bomber: str


class MakeRaider(Action, frozen=True, tag="make-raider"):
    """This turn's German raider."""

    unit: str


class ChooseFront(Action, frozen=True, tag="choose-front"):
    """On which front a ship in a two-front port works this turn."""

    unit: str
    front: str


class ChooseBattle(Action, frozen=True, tag="choose-battle"):
    """Which battle comes next."""

    space: str


class Combine(Action, frozen=True, tag="combine"):
    """All task forces look for the enemy as one."""


class Separate(Action, frozen=True, tag="separate"):
    """Each task force looks for the enemy by itself."""


class ChooseConvoy(Action, frozen=True, tag="choose-convoy"):
    """Which of the convoys found is attacked."""

    convoy: str


class Fight(Action, frozen=True, tag="fight"):
    """Stay and fight, or fight on."""


class GiveBattle(Action, frozen=True, tag="give-battle"):
    """These ships fight in their port; the others slip away."""

    units: tuple[str, ...]


class Evade(Action, frozen=True, tag="evade"):
    """Slip away in port."""


class Abort(Action, frozen=True, tag="abort"):
    """These units turn back before the battle or rather than go on."""

    units: tuple[str, ...]


class Retreat(Action, frozen=True, tag="retreat"):
    """All units leave the battle; ground units to this space."""

    to: str


class Lose(Action, frozen=True, tag="lose"):
    """The unit that takes the next hit."""

    unit: str


class Arrive(Action, frozen=True, tag="arrive"):
    """In which round an air unit joins a sea battle (advanced naval rules)."""

    unit: str
    round: int


class Night(Action, frozen=True, tag="night"):
    """Whether a night battle is wanted (advanced naval rules)."""

    wanted: bool


class PlaceDepot(Action, frozen=True, tag="place-depot"):
    """Put a supply depot on the space just taken."""

    power: str


class TakeControl(Action, frozen=True, tag="take-control"):
    """Which power takes a space or a fallen enemy's land."""

    power: str


class Divert(Action, frozen=True, tag="divert"):
    """Where a ship or plane goes that has lost its base."""

    to: str


class Reinforce(Action, frozen=True, tag="reinforce"):
    """Radar: a fighter next door joins the defence against a raid."""

    unit: str


class Rocket(Action, frozen=True, tag="rocket"):
    """A rocket strike."""

    launch: str
    target: str


class Rail(Action, frozen=True, tag="rail"):
    """Redeploy a ground unit or airbase."""

    unit: str
    to: str


class Rebase(Action, frozen=True, tag="rebase"):
    """Redeploy an air unit to a base or carrier."""

    unit: str
    to: str


class Steam(Action, frozen=True, tag="steam"):
    """Redeploy a ship."""

    unit: str
    to: str


class Ship(Action, frozen=True, tag="ship"):
    """Redeploy a unit by transport: load, voyage, unload; the transport ends in a port."""

    transport: str
    cargo: str
    to: str


class RemoveDepot(Action, frozen=True, tag="remove-depot"):
    """Give up a supply depot."""

    space: str


class PortAttack(Action, frozen=True, tag="port-attack"):
    """A once-per-game attack on a ship in port: sneak attack, midget submarines, frogmen."""

    force: str
    unit: str
    target: str


class Dash(Action, frozen=True, tag="dash"):
    """Channel Dash: this ship ignores Movement Penalties this turn."""

    unit: str


class MoveLeader(Action, frozen=True, tag="move-leader"):
    """A general goes to a land space, an admiral to a ship."""

    leader: str
    to: str


class Command(Action, frozen=True, tag="command"):
    """Which of several generals of one rank commands a space this turn."""

    space: str
    leader: str


class StartConvoy(Action, frozen=True, tag="start-convoy"):
    """Draw a route between two ports with a first transport; `via` bends the line."""

    transport: str
    origin: str
    goal: str
    via: str


class JoinConvoy(Action, frozen=True, tag="join-convoy"):
    unit: str
    convoy: str


class LeaveConvoy(Action, frozen=True, tag="leave-convoy"):
    unit: str
    port: str


class CancelConvoy(Action, frozen=True, tag="cancel-convoy"):
    convoy: str
    port: str


class Reroute(Action, frozen=True, tag="reroute"):
    convoy: str
    via: str


class Place(Action, frozen=True, tag="place"):
    """Put a finished unit on the board."""

    unit: str
    space: str


class Buy(Action, frozen=True, tag="buy"):
    """Order units of one kind; `special` marks special forces."""

    kind: str
    special: bool


class BuyFortress(Action, frozen=True, tag="buy-fortress"):
    space: str


class BuyDepot(Action, frozen=True, tag="buy-depot"):
    """Buy a supply depot for a later landing."""


class BuyPoint(Action, frozen=True, tag="buy-point"):
    """Buy one Redeployment Point."""


class Repair(Action, frozen=True, tag="repair"):
    """Repair a damaged factory or resource zone."""

    space: str


class RepairShip(Action, frozen=True, tag="repair-ship"):
    """Commit to the repair of a battleship or carrier."""

    unit: str


class Give(Action, frozen=True, tag="give"):
    """Give money to an ally."""

    to: str
    dollars: int


class SetAside(Action, frozen=True, tag="set-aside"):
    """The USA puts money aside for the Pacific."""

    dollars: int


class Ration(Action, frozen=True, tag="ration"):
    """How many dollars a convoy carries; the rest of its room is for supply."""

    convoy: str
    dollars: int


class Starve(Action, frozen=True, tag="starve"):
    """A unit that gets no supply where there is not enough for all."""

    unit: str


class Research(Action, frozen=True, tag="research"):
    """Work on a technology."""

    tech: str


class Scrap(Action, frozen=True, tag="scrap"):
    """Remove a unit that has no room or has to go."""

    unit: str


class Answer(Action, frozen=True, tag="answer"):
    """Accept or refuse an armistice."""

    accept: bool


class Intern(Action, frozen=True, tag="intern"):
    """Where a French ship goes under the armistice."""

    unit: str
    port: str


ACTIONS: tuple[type[Action], ...] = (
    Done, Declare, March, Fly, Patrol, Sail, Launch, Raid, Escort, Ferry, Drop, MakeRaider, ChooseFront,
    ChooseBattle, Combine, Separate, ChooseConvoy, Fight, GiveBattle, Evade, Abort, Retreat, Lose, Arrive, Night,
    PlaceDepot, TakeControl, Divert, Reinforce, Rocket, Rail, Rebase, Steam, Ship, RemoveDepot, PortAttack, Dash,
    MoveLeader, Command, StartConvoy, JoinConvoy, LeaveConvoy, CancelConvoy, Reroute, Place, Buy, BuyFortress, BuyDepot,
    BuyPoint, Repair, RepairShip, Give, SetAside, Ration, Starve, Research, Scrap, Answer, Intern,
)  # fmt: skip
