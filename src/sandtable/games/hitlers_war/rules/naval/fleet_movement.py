"""Optional naval action: the fleets' part of the movement phase."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandtable.core import Field, Named, Offer, OneOf, Refusal, Step, Subsets
from sandtable.core.columns import put

from ...model.actions import GoRaiding, Sail
from ...model.atlas import ATLAS, AXIS, SPACES
from ...model.fleets import (
    FLEET_NAMES,
    FLEETS_OF,
    HARBOURS,
    INDEX,
    NAMES,
    NATION_OF,
    NOWHERE,
    PORT,
    RAIDER,
    SEA,
    SIDE_OF,
)
from ...model.state import M, War, has_fleets_on_map, space_name
from . import fleets, harbours
from .battle import Engage
from .harbours import (
    TO_PORT,
    TO_SEA,
    HomeToPort,
    not_that_fleet,
    points_fields,
    receivers,
    unmoved,
    why_not_to_port,
    why_not_to_sea,
)
from .raid import RaidOut, why_no_raider

_NONE_LEFT = Offer(Sail, Refusal("hw-fleetmove-2", "hw-no-fleet-left"), rule="hw-fleetmove-2")


def home_to_port(m: M) -> list[Step]:
    """At the start of movement all ships at sea and on raid return to port; every point gets a new move.

    [hw-fleetmove-1] [hw-raid-8] [hw-atsea-1]
    """
    s = m.state
    if not has_fleets_on_map(s):
        return []
    s.fleet_moved = (0,) * len(s.fleet_moved)
    out = tuple(f for f in FLEETS_OF[s.side] if s.fleet_at[f] != NOWHERE and s.fleet_state[f] == SEA)
    return [HomeToPort(out)] if out else []


def why_no_move(s: War, fleet: int) -> Refusal | None:
    """Why a fleet does not sail now.  [hw-fleetmove-2]"""
    if s.fleet_at[fleet] < 0 or s.fleet_state[fleet] != PORT or fleets.is_idle(s, fleet):
        return Refusal("hw-fleetmove-2", "hw-fleet-not-ready", fleet=NAMES[fleet])
    if not any(unmoved(s, fleet)):
        return Refusal("hw-fleetmove-2", "hw-fleet-moved", fleet=NAMES[fleet])
    return None


def _candidates(s: War, fleet: int, how: str) -> Sequence[int]:
    """Places that ships could go to: ports of the nation, or hexes within the fleet's range."""
    ways = fleets.ways_of(s, fleet, s.fleet_at[fleet])
    if how == TO_SEA:
        return ways.stations
    return [x for x in HARBOURS[NATION_OF[fleet]] if x in ways.hexes and s.owner[x] == SIDE_OF[fleet]]


def why_not_there(s: War, fleet: int, number: int, how: str, space: int) -> Refusal | None:
    """Why ships of a fleet cannot go to a place in this way."""
    refusal = why_not_to_port(s, fleet, number, space) if how == TO_PORT else why_not_to_sea(s, fleet, space)
    if refusal is not None:
        return refusal
    if receivers(s, fleet, number, space, PORT if how == TO_PORT else SEA):
        return None
    return Refusal("hw-fleetmove-5", "hw-no-fleet-counter", fleet=NAMES[fleet], to=space_name(space))


def _goals(s: War, fleet: int, number: int, how: str) -> Named:
    why = partial(why_not_there, s, fleet, number, how)
    return Named(_candidates(s, fleet, how), SPACES, why, why)


def movement_offers(m: M, side: int) -> list[Offer]:
    """Ships sail, each point once; Axis fleets may go raiding.  [hw-fleetmove-2] [hw-raid-1]"""
    s = m.state
    if not has_fleets_on_map(s):
        return []
    out: list[Offer] = []
    mine = [f for f in FLEETS_OF[side] if why_no_move(s, f) is None]
    out.append(Offer(Sail, lambda: _sail_fields(s, side, mine), rule="hw-fleetmove-2") if mine else _NONE_LEFT)
    if side == AXIS:
        raiders = [NAMES[f] for f in FLEETS_OF[AXIS] if why_no_raider(s, f) is None]
        if raiders:
            out.append(Offer(GoRaiding, lambda: _raider_fields(raiders), rule="hw-raid-1"))
    return out


def _raider_fields(raiders: list[str]) -> tuple[Field, ...]:
    return (Field("fleets", "units", Subsets(raiders, least=1)),)


def _sail_fields(s: War, side: int, mine: list[int]) -> tuple[Field, ...]:
    def why_fleet(fleet: int) -> Refusal | None:
        return why_no_move(s, fleet) if SIDE_OF[fleet] == side else not_that_fleet(fleet)

    def hows(name: str, a: int, b: int) -> OneOf:
        fit = [how for how in (TO_PORT, TO_SEA) if next(iter(_goals(s, INDEX[name], a + b, how)), None)]
        return OneOf(fit, lambda how: Refusal("hw-fleetmove-5", "hw-no-counter-left", fleet=name))

    def spaces(name: str, a: int, b: int, how: str) -> Named:
        return _goals(s, INDEX[name], a + b, how)

    def into(name: str, a: int, b: int, how: str, to: str) -> Named:
        found = receivers(s, INDEX[name], a + b, ATLAS.index[to], PORT if how == TO_PORT else SEA)
        return Named(found, FLEET_NAMES, why=not_that_fleet)

    ships, carriers = points_fields(s, free=False)
    return (
        Field("fleet", "unit", Named(mine, FLEET_NAMES, why=why_fleet)),
        ships,
        carriers,
        Field("how", "choice", hows),
        Field("to", "space", spaces),
        Field("into", "unit", into),
    )


def take_movement(m: M, action: object) -> bool:
    s = m.state
    if isinstance(action, Sail):
        fleet = INDEX[action.fleet]
        origin = s.fleet_at[fleet]
        stays = origin == ATLAS.index[action.to] and action.how == TO_PORT
        into = harbours.sail(m, action, counts=not stays)
        if action.how == TO_SEA and fleets.enemies_at_sea(s, SIDE_OF[fleet], s.fleet_at[into]):
            m.push(Engage(into, origin))
    elif isinstance(action, GoRaiding):
        raiders = tuple(INDEX[name] for name in action.fleets)
        for fleet in raiders:
            s.fleet_state = put(s.fleet_state, fleet, RAIDER)
        m.push(RaidOut(raiders))
    else:
        return False
    return True
