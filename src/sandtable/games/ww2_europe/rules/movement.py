"""The orders of the Movement phase as offers: marches, flights, patrols, raids, escorts, drops, launches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sandtable.core import Field, Named, Offer, OneOf, Refusal, Subsets

from ..facts.access import air_net, no_exits, sea_net_from
from ..facts.convoys import convoy_name, convoy_spaces
from ..facts.lanes import Net, Reach
from ..facts.names import names_of, space_choice, unit_choice, unit_of
from ..facts.roster import units_of_power
from ..facts.whereabouts import at
from ..model.actions import Drop, Escort, Fly, Launch, MakeRaider, March, Patrol, Raid, Sail
from ..model.atlas import ATLAS, AXIS
from ..model.kinds import AIR, GROUND
from ..model.state import ORDER_HUNT, RAIDER, RAIDING, M
from .air import (
    drop_planes,
    drop_refusal,
    drop_targets,
    flight_budget,
    flight_routes,
    launch_routes,
    pinned,
    raid_spaces,
    target_refusal,
)
from .land import march_routes
from .movers import Movers, idle_refusal
from .pact import NEED, garrison
from .routes import Routes
from .sea import SHIP_RADIUS, ship_routes

A = ATLAS
K = ATLAS.kinds


def march_offer(m: M, power: int, movers: Movers, fronts: tuple[int, ...]) -> Offer:
    """Ground units march.  [w2e-movement-path]"""
    s = m.state

    def fields() -> tuple[Field, ...]:
        dead_ends = no_exits(s, power)  # who is aboard a ship is not on land
        free = [u for u in movers.ground if s.space[u] not in dead_ends]
        return (
            Field("unit", "unit", unit_choice(s, free, why=lambda unit: idle_refusal(s, unit, fronts))),
            Field("path", "path", lambda name: march_routes(m, unit_of(s, name))),
        )

    return Offer(March, fields, rule="w2e-movement-path")


def _no_order(m: M, movers: Movers) -> Callable[[int], Refusal | None]:
    """Return a function that says why a unit can be given no order in this step."""
    return lambda unit: idle_refusal(m.state, unit, movers.fronts)


def fly_offer(m: M, movers: Movers) -> Offer:
    """Planes fly to land.  [w2e-move-target]"""
    s = m.state

    def fields() -> tuple[Field, ...]:
        return (
            Field("unit", "unit", unit_choice(s, movers.air, lambda unit: pinned(s, unit), _no_order(m, movers))),
            Field("path", "path", lambda name: flight_routes(m, unit_of(s, name), True)),
        )

    return Offer(Fly, fields, rule="w2e-move-target")


def group_offer(m: M, power: int, act: type[Patrol] | type[Sail], movers: Movers) -> Offer:
    """Units of one base go the same way: to patrol a water, or to move.  [w2e-sea-choice]"""
    return Offer(act, lambda: _group_fields(m, power, movers, act is Patrol), rule="w2e-sea-choice")


def patrol_bases(m: M, movers: Movers) -> dict[int, list[int]]:
    """Return what can patrol, by base: warships, and planes."""
    bases = movers.patrol
    for unit in movers.air:
        bases.setdefault(m.state.space[unit], []).append(unit)
    return bases


def _group_fields(m: M, power: int, movers: Movers, patrol: bool) -> tuple[Field, ...]:
    s = m.state
    bases = patrol_bases(m, movers) if patrol else movers.ships

    def paths(name: str) -> Routes:
        base = A.index[name]
        if A.is_land[base]:
            return flight_routes(m, min(bases[base], key=lambda u: K.movement[s.kind[u]]), False)
        return ship_routes(m, power, base, patrol)

    def held(base: int) -> Refusal | None:
        """Enemy planes hold all planes of a base or none."""
        return pinned(s, bases[base][0]) if A.is_land[base] else None

    def able(name: str) -> Subsets:
        base = A.index[name]
        return Subsets(names_of(s, bases[base] if held(base) is None else ()), 1)

    return (
        Field("base", "space", space_choice(list(bases), held)),
        Field("path", "path", paths),
        Field("units", "units", able, first=1),
    )


# ---- Strategic Warfare
def raid_offer(m: M, power: int, movers: Movers) -> Offer:
    """Raids.  [w2e-strategic-targets] [w2e-unit-bomber-strategic] [w2e-unit-sub-strategic]"""
    return Offer(Raid, lambda: _raid_fields(m, power, movers), rule="w2e-strategic-targets")


def _raid_fields(m: M, power: int, movers: Movers) -> tuple[Field, ...]:
    s = m.state
    convoys, factories = convoy_spaces(s, A.side[power]), raid_spaces(s, power)

    def no_target(space: int) -> Refusal:
        return Refusal("w2e-strategic-targets", space=A.told[space])

    def paths(name: str) -> Routes:
        unit = unit_of(s, name)
        if K.cls[s.kind[unit]] == AIR:
            routes = flight_routes(m, unit, True)
            routes.ways = net_ways(air_net(s, power), routes.start, routes.budget)
            routes.limit_to(frozenset((*factories, *convoys)), no_target)
            return routes
        routes = ship_routes(m, power, s.space[unit], True)
        routes.ways = net_ways(sea_net_from(s, power, routes.start), routes.start, routes.budget)
        routes.limit_to(convoys, no_target)
        return routes

    def targets(name: str, path: tuple[str, ...]) -> OneOf:
        end = A.index[path[-1]] if path else s.space[unit_of(s, name)]
        return OneOf([A.names[end]] if A.is_land[end] else [convoy_name(number) for number in convoys[end]])

    def no_raid(unit: int) -> Refusal | None:
        """Why a unit cannot raid: held at its base, or nothing in reach."""
        start = s.space[unit]
        near: Reach
        if K.cls[s.kind[unit]] == AIR:
            held = pinned(s, unit)
            if held is not None:
                return held
            near = air_net(s, power).reach(start, flight_budget(s, unit))
            if not near.keys().isdisjoint(factories):
                return None
        else:
            near = sea_net_from(s, power, start).reach(start, SHIP_RADIUS)
        return no_target(start) if near.keys().isdisjoint(convoys) else None

    return (
        Field("unit", "unit", unit_choice(s, movers.hunters, no_raid, _no_order(m, movers))),
        Field("path", "path", paths),
        Field("target", "choice", targets),
    )


def net_ways(net: Net, start: int, budget: int) -> Callable[[], Reach]:
    """Return a function that finds the cheapest ways over a net within a budget."""
    return lambda: net.reach(start, budget)


def raids_of(m: M, side: int) -> Iterator[int]:
    """Return the spaces in which bombers of a side raid: they are where their paths end."""
    for task in m.state.tasks:
        if task.order == ORDER_HUNT and task.side == side and _is_raided(m, task.end, side):
            yield task.end


def _is_raided(m: M, space: int, side: int) -> bool:
    s = m.state
    return any(
        s.flags[u] & RAIDING and K.cls[s.kind[u]] == AIR and A.side[s.power[u]] == side for u in at(s, space)
    )  # fmt: skip


def escort_offer(m: M, side: int, movers: Movers) -> Offer:
    """Fighters go with bombers.  [w2e-unit-fighter-escort]"""
    return Offer(Escort, lambda: _escort_fields(m, side, movers), rule="w2e-unit-fighter-escort")


def _escort_fields(m: M, side: int, movers: Movers) -> tuple[Field, ...]:
    s, raids = m.state, frozenset(raids_of(m, side))

    def not_there(space: int) -> Refusal:
        return Refusal("w2e-unit-fighter-escort", space=A.told[space])

    def paths(name: str) -> Routes:
        unit = unit_of(s, name)
        routes = flight_routes(m, unit, True)
        routes.ways = net_ways(air_net(s, s.power[unit]), routes.start, routes.budget)
        routes.limit_to(raids, not_there)
        return routes

    def too_far(unit: int) -> Refusal | None:
        near = air_net(s, s.power[unit]).reach(s.space[unit], flight_budget(s, unit))
        return pinned(s, unit) or (not_there(s.space[unit]) if near.keys().isdisjoint(raids) else None)

    return Field("unit", "unit", unit_choice(s, movers.fighters, too_far, _no_order(m, movers))), Field(
        "path", "path", paths
    )


# ---- drops, launches, raiders
def airborne_offer(m: M, movers: Movers) -> Offer:
    """Airborne units are dropped.  [w2e-unit-airborne-drop]"""
    return Offer(Drop, lambda: drop_fields(m, movers.airborne), rule="w2e-unit-airborne-drop")


def drop_fields(m: M, airborne: Sequence[int]) -> tuple[Field, ...]:
    """Return the fields of a drop of some airborne units."""
    s = m.state

    def no_drop(unit: int) -> Refusal | None:
        found = drop_refusal(m, unit)
        if found is None and not drop_targets(m, unit):
            found = Refusal("w2e-unit-airborne-drop", "no-drop-target", space=A.told[s.space[unit]])
        return found

    def targets(name: str) -> Named:
        unit = unit_of(s, name)
        return space_choice(drop_targets(m, unit), why=lambda space: target_refusal(m, unit, space))

    return (
        Field("unit", "unit", unit_choice(s, airborne, no_drop)),
        Field("to", "space", targets),
        Field("bomber", "unit", lambda name: OneOf(drop_planes(m, unit_of(s, name))), first=1),
    )


def launch_offer(m: M, decks: Sequence[int]) -> Offer:
    """Planes leave their carriers.  [w2e-unit-carrier-extended]"""
    s = m.state

    def fields() -> tuple[Field, ...]:
        return (
            Field("unit", "unit", unit_choice(s, decks)),
            Field("path", "path", lambda name: launch_routes(m, unit_of(s, name))),
        )

    return Offer(Launch, fields, rule="w2e-unit-carrier-extended")


def make_raider_offer(m: M, movers: Movers) -> Offer:
    """One German battleship or cruiser a turn.  [w2e-special-raiders]"""
    s = m.state

    def fields() -> tuple[Field, ...]:
        taken = any(flags & RAIDER for flags in s.flags)
        ships = [u for group in movers.ships.values() for u in group if s.kind[u] in (K.battleship, K.cruiser)]
        return (Field("unit", "unit", unit_choice(s, () if taken else ships)),)

    return Offer(MakeRaider, fields, rule="w2e-special-raiders")


# ---- the pact
_PACT_LAND = frozenset(A.pact_soviet)
_BESIDE_PACT = _PACT_LAND.union(*(tuple(there for there, _, _ in A.land_links[space]) for space in _PACT_LAND))
_NEAR_PACT = _BESIDE_PACT.union(*(tuple(there for there, _, _ in A.land_links[space]) for space in _BESIDE_PACT))
"""Land within two steps of what the pact gives the USSR."""


def pact_offer(m: M, fronts: tuple[int, ...]) -> Offer:
    """The neutral USSR moves into the land that the pact gives it.  [w2e-pact-moves]"""
    s = m.state

    def fields() -> tuple[Field, ...]:
        return (
            Field("unit", "unit", unit_choice(s, pact_movers(m, fronts))),
            Field("path", "path", lambda name: march_routes(m, unit_of(s, name))),
        )

    return Offer(March, fields, rule="w2e-pact-moves")


def pact_movers(m: M, fronts: tuple[int, ...]) -> list[int]:
    """Return the Soviet units that may move although the USSR is neutral.  [w2e-pact-moves]"""
    s = m.state
    return [
        u for u in units_of_power(s, A.ussr)
        if K.cls[s.kind[u]] == GROUND and s.space[u] in _NEAR_PACT and idle_refusal(s, u, fronts) is None
        and march_routes(m, u).lead_anywhere()
    ]  # fmt: skip


def pact_open(m: M) -> bool:
    """Whether the neutral USSR still has something to do under the pact: what Germany was given is lost to it."""
    owner = m.state.owner
    wanted = any(owner[space] != A.ussr and A.side[owner[space]] != AXIS for space in A.pact_soviet)
    return wanted or (garrison(m, A.ussr) < NEED and any(owner[space] == A.ussr for space in A.poland))
