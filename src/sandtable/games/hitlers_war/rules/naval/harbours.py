"""Optional naval action: ships on their way to port or out to sea, and fleets that must find a port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core import Field, Named, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import put

from ...facts.seaways import blockade
from ...model.actions import Sail
from ...model.atlas import ATLAS, SPACES
from ...model.events import Sailed, ShipsLost
from ...model.fleets import (
    COUNTERS_OF,
    FLEET_NAMES,
    FLEETS_OF,
    HARBOURS,
    INDEX,
    NAMES,
    NATION_OF,
    NOWHERE,
    PORT,
    RADIUS,
    SEA,
    SIDE_OF,
    STATIONS,
)
from ...model.state import M, War, enemies, has_fleets_on_map, role_of, space_name
from . import fleets

TO_PORT, TO_SEA = "port", "sea"


# ---- rules
def why_not_to_port(s: War, fleet: int, number: int, space: int) -> Refusal | None:
    """Why so many ship points of a fleet cannot put in somewhere.

    [hw-fleetmove-2] [hw-fleetmove-3] [hw-nav-2] [hw-nav-4]
    """
    refusal = fleets.why_no_port(s, fleet, space)
    if refusal is not None:
        return refusal
    here = s.fleet_at[fleet] == space and s.fleet_state[fleet] != SEA
    if not here and fleets.room(s, space) < number:
        return Refusal("hw-nav-2", "hw-port-full", room=fleets.room(s, space), **_named(fleet, space))
    if not here and s.fleet_at[fleet] != space and space in blockade(s, SIDE_OF[fleet]):
        return Refusal("hw-atsea-2", "hw-sea-blocked", **_named(fleet, space))
    if space not in fleets.ways_of(s, fleet, s.fleet_at[fleet]).hexes:
        return Refusal("hw-fleetmove-3", "hw-no-sea-way", **_named(fleet, space))
    return None


def _named(fleet: int, space: int) -> dict[str, str]:
    """What a refusal calls a fleet and the place it cannot go to."""
    return {"fleet": NAMES[fleet], "to": space_name(space)}


def why_not_to_sea(s: War, fleet: int, space: int) -> Refusal | None:
    """Why ships of a fleet in port cannot be placed at sea somewhere.  [hw-fleetmove-2] [hw-fleetmove-3]"""
    if space not in STATIONS:
        return Refusal("hw-fleetmove-2", "hw-not-at-sea", **_named(fleet, space))
    sailed = fleets.ways_of(s, fleet, s.fleet_at[fleet]).hexes.get(space)
    if sailed is None:
        return Refusal("hw-fleetmove-3", "hw-no-sea-way", **_named(fleet, space))
    if sailed > RADIUS:
        return Refusal("hw-fleetmove-3", "hw-fleet-range", reach=RADIUS, sailed=sailed, **_named(fleet, space))
    if space not in s.fleet_at:
        return None
    for foe in enemies(s, SIDE_OF[fleet]):
        for other in FLEETS_OF[foe]:
            if s.fleet_at[other] == space and s.fleet_state[other] != SEA:
                return Refusal("hw-fleetmove-3", "hw-enemy-port", foe=NAMES[other], **_named(fleet, space))
    return None


def ports(s: War, fleet: int, number: int) -> list[int]:
    """Ports that take so many points of a fleet."""
    return list(_ports(s, fleet, number))


def _ports(s: War, fleet: int, number: int) -> Iterator[int]:
    reach, side = fleets.ways_of(s, fleet, s.fleet_at[fleet]).hexes, SIDE_OF[fleet]
    own = (x for x in HARBOURS[NATION_OF[fleet]] if s.owner[x] == side and x in reach)
    return (x for x in own if why_not_to_port(s, fleet, number, x) is None)


def receivers(s: War, fleet: int, number: int, space: int, state: int) -> list[int]:
    """Counters of the same nation that can hold points in a place: the fleet itself if it goes whole, fleets there,
    counters not in use.  [hw-nav-3] [hw-fleetmove-4] [hw-fleetmove-5]"""
    places, states = s.fleet_at, s.fleet_state
    found = [
        other
        for other in COUNTERS_OF[NATION_OF[fleet]]
        if other != fleet and (places[other] == NOWHERE or (places[other] == space and states[other] == state))
    ]
    same_place = s.fleet_at[fleet] == space and s.fleet_state[fleet] == state
    return [fleet, *found] if number == fleets.strength(s, fleet) and not same_place else found


def berths(s: War, fleet: int, number: int, space: int) -> list[int]:
    """Counters that can take points that must put in; where none is left, the fleet itself goes with all that fit,
    and the rest is lost.  [hw-fleetmove-1]"""
    found = receivers(s, fleet, number, space, PORT)
    return found or [fleet] * (number == min(fleets.strength(s, fleet), fleets.room(s, space)))


def can_put_in(s: War, fleet: int) -> bool:
    """Whether any point of a fleet finds a port."""
    whole = fleets.strength(s, fleet)
    return any(berths(s, fleet, n, x) for x in _ports(s, fleet, 1) for n in {1, min(whole, fleets.room(s, x))})


def unmoved(s: War, fleet: int) -> tuple[int, int]:
    """Capital ships and carriers of a fleet that have not had their move.  [hw-fleetmove-2]"""
    return s.ships[fleet] - s.fleet_moved[2 * fleet], s.carriers[fleet] - s.fleet_moved[2 * fleet + 1]


def _handed(row: tuple[int, ...], fleet: int, into: int, number: int) -> tuple[int, ...]:
    row = put(row, fleet, row[fleet] - number)
    return put(row, into, row[into] + number)


def sail(m: M, action: Sail, *, counts: bool) -> int:
    """Carry out a move of ships; returns the fleet they are in now."""
    s = m.state
    fleet, into, to = INDEX[action.fleet], INDEX[action.into], ATLAS.index[action.to]
    state = PORT if action.how == TO_PORT else SEA
    if into != fleet:
        s.ships = _handed(s.ships, fleet, into, action.ships)
        s.carriers = _handed(s.carriers, fleet, into, action.carriers)
    else:
        left_out = (s.ships[fleet] - action.ships, s.carriers[fleet] - action.carriers)
        s.ships, s.carriers = put(s.ships, fleet, action.ships), put(s.carriers, fleet, action.carriers)
        for number, kind in zip(left_out, ("@capital_ship", "@carrier"), strict=True):
            if number:
                m.emit(ShipsLost(fleet=action.fleet, kind=kind, number=number))
    fleets.station(s, into, to, state)
    if counts:
        s.fleet_moved = put(s.fleet_moved, 2 * into, s.fleet_moved[2 * into] + action.ships)
        s.fleet_moved = put(s.fleet_moved, 2 * into + 1, s.fleet_moved[2 * into + 1] + action.carriers)
    fleets.remove_if_sunk(s, fleet)
    number = action.ships + action.carriers
    m.emit(Sailed(fleet=action.into, ships=number, to=action.to, at_sea=state == SEA))
    return into


def not_that_fleet(fleet: int) -> Refusal:
    """[hw-nav-3]"""
    return Refusal("hw-nav-3", "hw-not-that-fleet", fleet=NAMES[fleet])


def points_fields(s: War, *, free: bool) -> tuple[Field, Field]:
    """How many capital ships and carriers: at least one point of either."""

    def most(name: str) -> tuple[int, int]:
        fleet = INDEX[name]
        return (s.ships[fleet], s.carriers[fleet]) if free else unmoved(s, fleet)

    def capital(name: str) -> Numbers:
        ships, carriers = most(name)
        return Numbers(0 if carriers else 1, ships)

    def flat(name: str, ships: int) -> Numbers:
        return Numbers(0 if ships else 1, most(name)[1])

    return Field("ships", "number", capital), Field("carriers", "number", flat)


class HomeToPort(Step, frozen=True, tag="home-to-port"):
    """Fleets that must put in: from sea at the start of movement, after a lost battle, or out of a lost port.

    The owner chooses; points without a port or above its room are eliminated.
    [hw-fleetmove-1] [hw-fleetmove-6] [hw-raid-4] [hw-raid-8] [hw-navbattle-2]
    """

    rule = "hw-fleetmove-1"

    fleets: tuple[int, ...]

    def waiting(self, s: War) -> list[int]:
        return [
            f for f in self.fleets if s.fleet_at[f] != NOWHERE and (s.fleet_state[f] == SEA or fleets.homeless(s, f))
        ]

    def run(self, m: M) -> None:
        s = m.state
        for fleet in self.waiting(s):
            if not can_put_in(s, fleet):
                sink(m, fleet)
        if not self.waiting(s):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(SIDE_OF[self.waiting(m.state)[0]]),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        waiting = self.waiting(s)
        mine = [f for f in waiting if SIDE_OF[f] == SIDE_OF[waiting[0]]]
        ships, carriers = points_fields(s, free=True)

        def spaces(name: str, a: int, b: int, how: str) -> Named:
            fleet = INDEX[name]
            fit = [x for x in ports(s, fleet, a + b) if berths(s, fleet, a + b, x)]
            return Named(fit, SPACES, why=lambda to: why_not_to_port(s, fleet, a + b, to))

        def into(name: str, a: int, b: int, how: str, to: str) -> Named:
            return Named(berths(s, INDEX[name], a + b, ATLAS.index[to]), FLEET_NAMES, why=not_that_fleet)

        return [
            Offer(
                Sail,
                Field("fleet", "unit", Named(mine, FLEET_NAMES)),
                ships,
                carriers,
                Field("how", "choice", OneOf((TO_PORT,))),
                Field("to", "space", spaces),
                Field("into", "unit", into),
                rule=self.rule,
            )
        ]

    def take(self, m: M, role: str, action: Sail) -> None:
        m.replace(self)
        sail(m, action, counts=False)


def sink(m: M, fleet: int) -> None:
    """A fleet without a port is eliminated.  [hw-fleetmove-1]"""
    s = m.state
    m.emit(ShipsLost(fleet=NAMES[fleet], kind="@capital_ship", number=fleets.strength(s, fleet)))
    s.ships = put(s.ships, fleet, 0)
    s.carriers = put(s.carriers, fleet, 0)
    fleets.remove_if_sunk(s, fleet)


def stranded(s: War) -> list[Step]:
    """What follows when ports may have changed hands without a fight; nothing without fleets on the map."""
    return [Stranded()] if has_fleets_on_map(s) else []


class Stranded(Step, frozen=True, tag="stranded"):
    """Ports that changed hands without a fight, by surrender or isolation, send their fleets away too.

    [hw-fleetmove-6]
    """

    rule = "hw-fleetmove-6"

    def run(self, m: M) -> None:
        s = m.state
        lost = [f for f in range(len(s.fleet_at)) if fleets.homeless(s, f)]
        m.replace(*(HomeToPort(tuple(f for f in lost if SIDE_OF[f] == side)) for side in {SIDE_OF[f] for f in lost}))
