"""The orders of the Movement phase as offers: marches, flights, patrols, raids, transports, drops, launches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal, Subsets, Where

from .actions import Drop, Escort, Ferry, Fly, Launch, MakeRaider, March, Raid
from .air import (
    air_net,
    convoy_spaces,
    drop_planes,
    drop_refusal,
    drop_targets,
    flight_budget,
    flight_routes,
    launch_routes,
    pinned,
    raid_spaces,
)
from .atlas import ATLAS, NOBODY
from .kinds import AIR, GROUND
from .land import march_routes
from .lookup import at, unit_name, unit_of, units_of_power
from .ready import Sorted, free, idle_refusal
from .roster import roster
from .routes import GroupOffer, Lazy, Routes
from .sea import SHIP_RADIUS, cargo_refusal, landing_refusal, sea_net, sea_ways, ship_routes
from .state import (
    RAIDER,
    RAIDING,
    M,
)

A = ATLAS
K = ATLAS.kinds


def unit_field(
    m: M, units: Callable[[], Sequence[int]], fronts: tuple[int, ...] | None = None, name: str = "unit"
) -> Field:
    state = m.state

    def why(value: Any) -> Refusal | None:
        unit = unit_of(state, value) if isinstance(value, str) else NOBODY
        if unit < 0:
            return None
        return idle_refusal(m, unit, fronts) if fronts is not None else None

    return Field(name, "unit", Lazy(lambda: OneOf([unit_name(state, u) for u in units()], why)))


def lazy_units(m: M, units: Callable[[], Sequence[int]], name: str = "unit") -> Field:
    return Field(name, "unit", Lazy(lambda: OneOf([unit_name(m.state, u) for u in units()])))


def patrol_bases(m: M, sorts: Sorted) -> dict[int, list[int]]:
    """What can patrol, by base: warships, and planes that nobody holds down."""
    bases = dict(sorts.patrol)
    for unit in sorts.air:
        bases[m.state.space[unit]] = [*bases.get(m.state.space[unit], ()), unit]
    return bases


def march_offer(m: M, units: Callable[[], Sequence[int]], fronts: tuple[int, ...]) -> Offer:
    return Offer(
        March,
        unit_field(m, units, fronts),
        Field("path", "path", lambda name: march_routes(m, unit_of(m.state, name))),
        rule="w2e-movement-path",
    )


def fly_offer(m: M, units: Sequence[int]) -> Offer:
    return Offer(
        Fly,
        lazy_units(m, lambda: free(m, units)),
        Field("path", "path", lambda name: flight_routes(m, unit_of(m.state, name), True)),
        rule="w2e-move-target",
    )


def group_offer(m: M, power: int, act: type[Any], bases: dict[int, list[int]], patrol: bool) -> Offer:
    state = m.state

    def paths(name: str) -> Routes:
        base = A.index[name]
        if A.is_land[base]:
            able_now = free(m, bases[base]) or bases[base]
            weakest = min(able_now, key=lambda u: K.movement[state.kind[u]])
            return flight_routes(m, weakest, False)
        return ship_routes(m, power, base, patrol)

    def able(base: int) -> list[int]:
        return free(m, bases[base]) if A.is_land[base] else bases[base]

    return GroupOffer(
        act,
        Field("base", "space", Lazy(lambda: OneOf([A.names[b] for b in bases if able(b)]))),
        Field("path", "path", paths),
        Field("units", "units", lambda base, path: Subsets([unit_name(state, u) for u in able(A.index[base])], 1)),
        rule="w2e-sea-choice",
    )


def raiders(m: M, sorts: Sorted) -> list[int]:
    return [u for ships in sorts.ships.values() for u in ships if m.state.flags[u] & RAIDER]


def raid_offer(m: M, power: int, units: Sequence[int]) -> Offer:
    """Strategic Warfare.  [w2e-strategic-targets] [w2e-unit-bomber-strategic] [w2e-unit-sub-strategic]"""
    state, side = m.state, A.side[power]
    convoys = convoy_spaces(state, side)
    factories = FactoryList(m, power)

    def paths(name: str) -> Routes:
        unit = unit_of(state, name)
        if K.cls[state.kind[unit]] == AIR:
            goals = frozenset((*factories, *convoys))
            routes = flight_routes(m, unit, True)

            def land_or_convoy(space: int) -> Refusal | None:
                return None if space in goals else Refusal("w2e-strategic-targets", space=f"@{A.names[space]}")

            routes.stop = land_or_convoy
            return routes
        routes = ship_routes(m, power, state.space[unit], True)

        def at_convoy(space: int) -> Refusal | None:
            return None if space in convoys else Refusal("w2e-strategic-targets", space=f"@{A.names[space]}")

        routes.stop = at_convoy
        return routes

    def targets(name: str, path: tuple[str, ...]) -> OneOf:
        end = A.index[path[-1]] if path else state.space[unit_of(state, name)]
        if A.is_land[end]:
            return OneOf([A.names[end]])
        return OneOf([f"convoy {number}" for number in convoys[end]])

    def can_raid(unit: int) -> bool:
        start = state.space[unit]
        if K.cls[state.kind[unit]] == AIR:
            if pinned(m, unit) is not None:
                return False
            near = air_net(state, power).distances(start, flight_budget(state, unit))
            return any(s in near for s in factories) or any(s in near for s in convoys)
        ways = sea_net(state, power).ways(start, SHIP_RADIUS)
        return any(s in ways for s in convoys)

    return Offer(
        Raid,
        lazy_units(m, lambda: [u for u in units if can_raid(u)]),
        Field("path", "path", paths),
        Field("target", "choice", targets),
        rule="w2e-strategic-targets",
    )


class FactoryList:
    """Raid targets on land, found when first asked for."""

    __slots__ = ("_found", "m", "power")

    def __init__(self, m: M, power: int) -> None:
        self.m, self.power = m, power
        self._found: list[int] | None = None

    def __iter__(self) -> Iterator[int]:
        if self._found is None:
            self._found = raid_spaces(self.m, self.power)
        return iter(self._found)


def raids_of(m: M, side: int) -> list[int]:
    """Spaces in which bombers of a side raid."""
    state = m.state
    return [state.space[u] for u in roster(m).side_air[side] if state.flags[u] & RAIDING and state.space[u] >= 0]


def escort_offer(m: M, fighters: Sequence[int]) -> Offer:
    """Fighters go with bombers.  [w2e-unit-fighter-escort]"""
    side = A.side[m.state.power[fighters[0]]]
    raids = frozenset(raids_of(m, side))

    def paths(name: str) -> Routes:
        routes = flight_routes(m, unit_of(m.state, name), True)
        routes.stop = lambda s: None if s in raids else Refusal("w2e-unit-fighter-escort", space=f"@{A.names[s]}")
        return routes

    def reaches(unit: int) -> bool:
        near = air_net(m.state, m.state.power[unit]).distances(m.state.space[unit], flight_budget(m.state, unit))
        return any(space in near for space in raids)

    able = lazy_units(m, lambda: [u for u in free(m, fighters) if reaches(u)])
    return Offer(Escort, able, Field("path", "path", paths), rule="w2e-unit-fighter-escort")


def ferry_offer(m: M, power: int, ships: Sequence[int], fronts: tuple[int, ...]) -> Offer:
    """A transport carries a unit.  [w2e-transport-procedure]"""
    state, group = m.state, A.group[power]

    def ways(ship: str) -> dict[int, tuple[int, tuple[int, ...]]]:
        key = ("ways", ship)
        if key not in m.cache:
            m.cache[key] = sea_ways(state, power, state.space[unit_of(state, ship)], SHIP_RADIUS)
        found: dict[int, tuple[int, tuple[int, ...]]] = m.cache[key]
        return found

    def load_waters(ship: str, load: int) -> list[int]:
        near = A.coast[state.space[load]]
        return [w for w in near if w in ways(ship)]

    def cargoes(ship: str) -> OneOf:
        shores = dict.fromkeys(land for water in ways(ship) for land in A.coast[water])
        found = [
            unit_name(state, u) for land in shores for u in at(m)[land]
            if cargo_refusal(m, u, group) is None and idle_refusal(m, u, fronts) is None
        ]  # fmt: skip

        def why(value: Any) -> Refusal | None:
            unit = unit_of(state, value) if isinstance(value, str) else NOBODY
            return None if unit < 0 else cargo_refusal(m, unit, group) or idle_refusal(m, unit, fronts)

        return OneOf(found, why)

    def paths(ship: str, load: str, water: str) -> Routes:
        start = A.index[water]
        routes = ship_routes(m, power, start, False, SHIP_RADIUS - ways(ship)[start][0])
        routes.empty_allowed = True
        unit = unit_of(state, load)

        def stop(space: int) -> Refusal | None:
            if any(landing_refusal(m, unit, space, land) is None for land in A.coast[space]):
                return None
            return Refusal("w2e-transport-procedure", "no-landing", space=f"@{A.names[space]}")

        routes.stop = stop
        return routes

    def shores(ship: str, load: str, water: str, path: tuple[str, ...]) -> Where:
        end = A.index[path[-1]] if path else A.index[water]
        unit = unit_of(state, load)
        return Where(
            [A.names[land] for land in A.coast[end]], lambda land: landing_refusal(m, unit, end, A.index[land])
        )

    return Offer(
        Ferry,
        unit_field(m, lambda: ships, fronts, "transport"),
        Field("cargo", "unit", cargoes),
        Field(
            "load", "space",
            lambda ship, load: OneOf([A.names[w] for w in load_waters(ship, unit_of(state, load))]),
        ),
        Field("path", "path", paths),
        Field("to", "space", shores),
        rule="w2e-transport-procedure",
    )  # fmt: skip


def drop_offer(m: M, units: Sequence[int]) -> Offer:
    state = m.state
    return Offer(
        Drop,
        lazy_units(m, lambda: [u for u in units if drop_refusal(m, u) is None and drop_targets(m, u)]),
        Field("to", "space", lambda name: OneOf([A.names[s] for s in drop_targets(m, unit_of(state, name))])),
        Field("bomber", "unit", lambda name, to: OneOf(drop_planes(m, unit_of(state, name)))),
        rule="w2e-unit-airborne-drop",
    )


def launch_offer(m: M, decks: Sequence[int]) -> Offer:
    return Offer(
        Launch,
        unit_field(m, lambda: decks),
        Field("path", "path", lambda name: launch_routes(m, unit_of(m.state, name))),
        rule="w2e-unit-carrier-extended",
    )


def make_raider_offer(m: M, sorts: Sorted) -> Offer:
    """One German battleship or cruiser a turn.  [w2e-special-raiders]"""
    state = m.state

    def ships() -> list[int]:
        if any(flags & RAIDER for flags in state.flags):
            return []
        return [u for group in sorts.ships.values() for u in group if state.kind[u] in (K.battleship, K.cruiser)]

    return Offer(MakeRaider, unit_field(m, ships), rule="w2e-special-raiders")


def pact_movers(m: M, fronts: tuple[int, ...]) -> list[int]:
    """Soviet units that may move although the USSR is neutral.  [w2e-pact-moves]"""
    state = m.state
    key = ("pact", fronts)
    if key in m.cache:
        known: list[int] = m.cache[key]
        return known
    near = {there for s in A.pact_soviet for there, _, _ in A.land_links[s]} | set(A.pact_soviet)
    near |= {there for s in tuple(near) for there, _, _ in A.land_links[s]}
    found = m.cache[key] = [
        u for u in units_of_power(m, A.ussr)
        if K.cls[state.kind[u]] == GROUND and state.space[u] in near and idle_refusal(m, u, fronts) is None
        and next(iter(march_routes(m, u)), None) is not None
    ]  # fmt: skip
    return found


def pact_open(m: M) -> bool:
    """Whether the neutral USSR still has something to do under the pact."""
    state = m.state
    if any(state.owner[s] != A.ussr for s in A.pact_soviet):
        return True
    return _soviet_garrison(m) < _garrison_need()


def _garrison_need() -> int:
    return int(A.rules["pact"]["ground_sp_in_poland_each"])


def _soviet_garrison(m: M) -> int:
    state = m.state
    return sum(
        K.stack[state.kind[u]] for u in units_of_power(m, A.ussr)
        if state.space[u] in A.poland and K.cls[state.kind[u]] == GROUND
    )  # fmt: skip
