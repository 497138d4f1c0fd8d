"""The orders of the Movement phase as offers: marches, flights, patrols, raids, transports, drops, launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.core import Field, Late, Offer, OneOf, Refusal, Subsets

from ..facts.access import air_net, no_exits, sea_net
from ..facts.convoys import convoy_spaces
from ..facts.fronts import on_fronts
from ..facts.lanes import Net, Reach
from ..facts.names import unit_name, unit_of
from ..facts.roster import roster, units_of_power
from ..facts.whereabouts import whereabouts
from ..model.actions import Drop, Escort, Ferry, Fly, Launch, MakeRaider, March, Patrol, Raid, Sail
from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND
from ..model.state import MOVED, ORDER_HUNT, RAIDER, RAIDING, SURPRISED, M, W2State
from .air import (
    drop_planes,
    drop_refusal,
    drop_targets,
    flight_budget,
    flight_routes,
    launch_routes,
    pinned,
    raid_spaces,
)
from .land import march_routes
from .movers import Movers, idle_refusal
from .pact import NEED, garrison
from .routes import GroupOffer, Lazy, Picked, Routes, Rule, allowed, spaces_where
from .sea import SHIP_RADIUS, cargo_refusal, full_refusal, landing_refusal, sea_ways, ship_routes

A = ATLAS
K = ATLAS.kinds


def units_where(
    m: M,
    units: Sequence[int],
    rule: Rule = allowed,
    why: Callable[[int], Refusal | None] | None = None,
) -> Picked:
    """Units by name that a rule lets through."""
    return Units(m.state, units, rule, why)


class Units(Picked):
    """Units by name."""

    __slots__ = ("_state",)

    def __init__(
        self, state: W2State, universe: Sequence[int], rule: Rule, why: Callable[[int], Refusal | None] | None
    ) -> None:
        self.universe, self.rule, self._why, self._state = universe, rule, why, state

    def _name(self, thing: int) -> str:
        return unit_name(self._state, thing)

    def _number(self, name: str) -> int:
        return unit_of(self._state, name)


def idle_field(m: M, units: Sequence[int], fronts: tuple[int, ...]) -> Field:
    """Units that can be given an order; of any other the rule says why not."""
    return Field("unit", "unit", units_where(m, units, allowed, lambda unit: idle_refusal(m.state, unit, fronts)))


def lazy_units(m: M, units: Callable[[], Sequence[int]], name: str = "unit") -> Field:
    return Field(name, "unit", Lazy(lambda: units_where(m, units())))


def patrol_bases(m: M, sorts: Movers) -> dict[int, list[int]]:
    """What can patrol, by base: warships, and planes that nobody holds down."""
    bases, spaces = sorts.patrol, m.state.space
    for unit in sorts.air:
        bases.setdefault(spaces[unit], []).append(unit)
    return bases


def march_offer(m: M, power: int, sorts: Movers, fronts: tuple[int, ...]) -> Offer:
    return Late(March, _march_fields, m, power, sorts, fronts, rule="w2e-movement-path")


def _march_fields(m: M, power: int, sorts: Movers, fronts: tuple[int, ...]) -> tuple[Field, ...]:
    dead_ends, spaces = no_exits(m.state, power), m.state.space  # who is aboard a ship is not on land
    movers = [u for u in sorts.ground if spaces[u] not in dead_ends]
    paths = Field("path", "path", lambda name: march_routes(m, unit_of(m.state, name)))
    return idle_field(m, movers, fronts), paths


def fly_offer(m: M, sorts: Movers) -> Offer:
    return Late(Fly, _fly_fields, m, sorts, rule="w2e-move-target")


def _fly_fields(m: M, sorts: Movers) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", units_where(m, sorts.air, lambda unit: pinned(m, unit))),
        Field("path", "path", lambda name: flight_routes(m, unit_of(m.state, name), True)),
    )


def group_offer(m: M, power: int, act: type[Patrol] | type[Sail], sorts: Movers) -> Offer:
    """Units of one base go the same way: to patrol a water, or to move."""
    return GroupOffer(act, _group_fields, m, power, sorts, act is Patrol, rule="w2e-sea-choice")


def _group_fields(m: M, power: int, sorts: Movers, patrol: bool) -> tuple[Field, ...]:
    state = m.state
    bases = patrol_bases(m, sorts) if patrol else sorts.ships

    def paths(name: str) -> Routes:
        base = A.index[name]
        if A.is_land[base]:
            weakest = min(bases[base], key=lambda u: K.movement[state.kind[u]])
            return flight_routes(m, weakest, False)
        return ship_routes(m, power, base, patrol)

    def held(base: int) -> Refusal | None:
        """Enemy planes hold all planes of a base or none."""
        return pinned(m, bases[base][0]) if A.is_land[base] else None

    def able(base: int) -> list[int]:
        return bases[base] if held(base) is None else []

    return (
        Field("base", "space", spaces_where(list(bases), held)),
        Field("path", "path", paths),
        Field("units", "units", lambda base, path: Subsets([unit_name(state, u) for u in able(A.index[base])], 1)),
    )


def raid_offer(m: M, power: int, sorts: Movers) -> Offer:
    """Strategic Warfare.  [w2e-strategic-targets] [w2e-unit-bomber-strategic] [w2e-unit-sub-strategic]"""
    return Late(Raid, _raid_fields, m, power, sorts, rule="w2e-strategic-targets")


def _raid_fields(m: M, power: int, sorts: Movers) -> tuple[Field, ...]:
    state, side, units = m.state, A.side[power], sorts.hunters
    convoys = convoy_spaces(state, side)
    factories = raid_spaces(m.state, power)

    def no_target(space: int) -> Refusal:
        return Refusal("w2e-strategic-targets", space=f"@{A.names[space]}")

    def paths(name: str) -> Routes:
        unit = unit_of(state, name)
        if K.cls[state.kind[unit]] == AIR:
            routes = flight_routes(m, unit, True)
            routes.ways = net_ways(air_net(state, power), routes.start, routes.budget)
            routes.limit_to(frozenset((*factories, *convoys)), no_target)
            return routes
        routes = ship_routes(m, power, state.space[unit], True)
        routes.ways = net_ways(sea_net(state, power), routes.start, routes.budget)
        routes.limit_to(convoys, no_target)
        return routes

    def targets(name: str, path: tuple[str, ...]) -> OneOf:
        end = A.index[path[-1]] if path else state.space[unit_of(state, name)]
        if A.is_land[end]:
            return OneOf([A.names[end]])
        return OneOf([f"convoy {number}" for number in convoys[end]])

    def no_raid(unit: int) -> Refusal | str | None:
        """Why a unit cannot raid: held at its base, or nothing in reach."""
        start = state.space[unit]
        near: Reach
        if K.cls[state.kind[unit]] == AIR:
            held = pinned(m, unit)
            if held is not None:
                return held
            near = air_net(state, power).reach(start, flight_budget(state, unit))
            if not near.keys().isdisjoint(factories):
                return None
        else:
            near = sea_net(state, power).reach(start, SHIP_RADIUS)
        return "no-target" if near.keys().isdisjoint(convoys) else None

    def why(unit: int) -> Refusal | None:
        return no_target(state.space[unit]) if unit in units else None

    return (
        Field("unit", "unit", units_where(m, units, no_raid, why)),
        Field("path", "path", paths),
        Field("target", "choice", targets),
    )


def net_ways(net: Net, start: int, budget: int) -> Callable[[], Reach]:
    """The cheapest ways over a net within a budget, looked for when somebody asks."""
    return lambda: net.reach(start, budget)


def raids_of(m: M, side: int) -> frozenset[int]:
    """Spaces in which bombers of a side raid: they are where their paths end."""
    ends = {task.end for task in m.state.tasks if task.order == ORDER_HUNT and task.side == side}
    return frozenset(end for end in ends if _is_raided(m, end, side))


def has_raids(m: M, side: int) -> bool:
    """Whether bombers of a side raid anywhere."""
    for task in m.state.tasks:
        if task.order == ORDER_HUNT and task.side == side and _is_raided(m, task.path[-1], side):
            return True
    return False


def _is_raided(m: M, space: int, side: int) -> bool:
    state = m.state
    flags, kinds, powers = state.flags, state.kind, state.power
    for u in whereabouts(state).rows[space]:
        if flags[u] & RAIDING and K.cls[kinds[u]] == AIR and A.side[powers[u]] == side:
            return True
    return False


def escort_offer(m: M, side: int, sorts: Movers) -> Offer:
    """Fighters go with bombers.  [w2e-unit-fighter-escort]"""
    return Late(Escort, _escort_fields, m, side, sorts, rule="w2e-unit-fighter-escort")


def _escort_fields(m: M, side: int, sorts: Movers) -> tuple[Field, ...]:
    raids, units = raids_of(m, side), sorts.fighters

    def not_there(space: int) -> Refusal:
        return Refusal("w2e-unit-fighter-escort", space=f"@{A.names[space]}")

    def paths(name: str) -> Routes:
        unit = unit_of(m.state, name)
        routes = flight_routes(m, unit, True)
        routes.ways = net_ways(air_net(m.state, m.state.power[unit]), routes.start, routes.budget)
        routes.limit_to(raids, not_there)
        return routes

    def too_far(unit: int) -> Refusal | str | None:
        near = air_net(m.state, m.state.power[unit]).reach(m.state.space[unit], flight_budget(m.state, unit))
        return pinned(m, unit) or ("too-far" if near.keys().isdisjoint(raids) else None)

    def why(unit: int) -> Refusal | None:
        return not_there(m.state.space[unit]) if unit in units else None

    return Field("unit", "unit", units_where(m, units, too_far, why)), Field("path", "path", paths)


def ferry_offer(m: M, power: int, sorts: Movers, fronts: tuple[int, ...]) -> Offer:
    """A transport carries a unit.  [w2e-transport-procedure]"""
    return Late(Ferry, _ferry_fields, m, power, sorts, fronts, rule="w2e-transport-procedure")


def _ferry_fields(m: M, power: int, sorts: Movers, fronts: tuple[int, ...]) -> tuple[Field, ...]:
    state, group, ships = m.state, A.group[power], sorts.transports

    def ways(ship: str) -> Reach:
        return sea_ways(m, power, state.space[unit_of(state, ship)], SHIP_RADIUS)

    def load_waters(ship: str, load: int) -> list[int]:
        reach = ways(ship)
        return [w for w in A.coast[state.space[load]] if w in reach]

    def cargoes(ship: str) -> Picked:
        flags, spaces, units, shores = state.flags, state.space, roster(state), ways(ship).shores
        near = [
            u for p in A.group_powers[group] for u in (*units.ground[p], *units.air[p])
            if spaces[u] in shores and not flags[u] & (MOVED | SURPRISED)
        ]  # fmt: skip

        def rule(unit: int) -> Refusal | str | None:
            """These have not moved: all else that can keep them from getting an order is the front."""
            return cargo_refusal(m, unit, group) or (None if on_fronts(state, unit, fronts) else "other-front")

        def why(unit: int) -> Refusal | None:
            return cargo_refusal(m, unit, group) or idle_refusal(state, unit, fronts)

        return units_where(m, near, rule, why)

    def paths(ship: str, load: str, water: str) -> Routes:
        start = A.index[water]
        routes = ship_routes(m, power, start, False, SHIP_RADIUS - ways(ship)[start])
        routes.empty_allowed = True
        unit = unit_of(state, load)
        fits: dict[int, bool] = {}

        def fit(space: int, land: int) -> bool:
            if land not in fits:
                fits[land] = landing_refusal(m, unit, space, land) is None
            return fits[land]

        def stop(space: int) -> Refusal | None:
            if any(fit(space, land) for land in A.coast[space]):
                return None
            return Refusal("w2e-transport-procedure", "no-landing", space=f"@{A.names[space]}")

        routes.stop = stop
        return routes

    def shores(ship: str, load: str, water: str, path: tuple[str, ...]) -> Picked:
        end = A.index[path[-1]] if path else A.index[water]
        unit = unit_of(state, load)
        return spaces_where(A.coast[end], lambda land: landing_refusal(m, unit, end, land))

    def loaded(ship: int) -> Refusal | None:
        return full_refusal(m, ship)

    return (
        Field("transport", "unit", units_where(m, ships, loaded, lambda unit: idle_refusal(state, unit, fronts))),
        Field("cargo", "unit", cargoes),
        Field("load", "space", lambda ship, load: spaces_where(load_waters(ship, unit_of(state, load)))),
        Field("path", "path", paths),
        Field("to", "space", shores),
    )


def airborne_offer(m: M, sorts: Movers) -> Offer:
    return Late(Drop, lambda: drop_fields(m, sorts.airborne), rule="w2e-unit-airborne-drop")


def drop_fields(m: M, units: Sequence[int]) -> tuple[Field, ...]:
    state = m.state
    planes: dict[str, list[str]] = {}

    def bombers(name: str, to: str) -> OneOf:
        """Where there are none the draw comes back here again and again."""
        if name not in planes:
            planes[name] = drop_planes(m, unit_of(state, name))
        return OneOf(planes[name])

    def no_drop(unit: int) -> Refusal | None:
        found = drop_refusal(m, unit)
        if found is None and not drop_targets(m, unit):
            found = Refusal("w2e-unit-airborne-drop", "drop-base", space=f"@{A.names[state.space[unit]]}")
        return found

    return (
        Field("unit", "unit", units_where(m, units, no_drop)),
        Field("to", "space", lambda name: OneOf([A.names[s] for s in drop_targets(m, unit_of(state, name))])),
        Field("bomber", "unit", bombers),
    )


def launch_offer(m: M, decks: Sequence[int]) -> Offer:
    return Late(Launch, _launch_fields, m, decks, rule="w2e-unit-carrier-extended")


def _launch_fields(m: M, decks: Sequence[int]) -> tuple[Field, ...]:
    return (
        Field("unit", "unit", units_where(m, decks)),
        Field("path", "path", lambda name: launch_routes(m, unit_of(m.state, name))),
    )


def make_raider_offer(m: M, sorts: Movers) -> Offer:
    """One German battleship or cruiser a turn.  [w2e-special-raiders]"""
    state = m.state

    def ships() -> list[int]:
        if any(flags & RAIDER for flags in state.flags):
            return []
        return [u for group in sorts.ships.values() for u in group if state.kind[u] in (K.battleship, K.cruiser)]

    return Late(MakeRaider, lambda: (lazy_units(m, ships),), rule="w2e-special-raiders")


def pact_movers(m: M, fronts: tuple[int, ...]) -> list[int]:
    """Soviet units that may move although the USSR is neutral.  [w2e-pact-moves]"""
    state = m.state
    near = {there for s in A.pact_soviet for there, _, _ in A.land_links[s]} | set(A.pact_soviet)
    near |= {there for s in tuple(near) for there, _, _ in A.land_links[s]}
    return [
        u for u in units_of_power(state, A.ussr)
        if K.cls[state.kind[u]] == GROUND and state.space[u] in near and idle_refusal(state, u, fronts) is None
        and next(iter(march_routes(m, u)), None) is not None
    ]  # fmt: skip


def pact_open(m: M) -> bool:
    """Whether the neutral USSR still has something to do under the pact."""
    state = m.state
    if any(state.owner[s] != A.ussr for s in A.pact_soviet):
        return True
    return garrison(m, A.ussr) < NEED
