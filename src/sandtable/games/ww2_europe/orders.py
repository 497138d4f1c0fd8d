"""The Movement phase: who may move when, and the orders that can be given."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal, Subsets, Where

from .actions import Drop, Escort, Ferry, Fly, Launch, MakeRaider, March, MoveLeader, Patrol, Raid, Sail
from .air import (
    air_net,
    convoy_spaces,
    drop,
    drop_planes,
    drop_refusal,
    drop_targets,
    flight_budget,
    flight_routes,
    launch_routes,
    new_task,
    pinned,
    raid_spaces,
)
from .atlas import ATLAS, NOBODY
from .events import Moved, Noted, Ordered
from .kinds import AIR, BASE, GROUND
from .land import enter, march_routes
from .leaders import march as march_leader
from .leaders import march_offers
from .lookup import at, path_names, put, shown, unit_name, unit_of, units_of_power
from .politics import reinforce_surprise
from .routes import GroupOffer, Lazy, Routes, to_indices
from .sea import SHIP_RADIUS, cargo_refusal, ferry, landing_refusal, sea_net, sea_ways, ship_routes
from .state import (
    AT_WAR,
    CUT_OFF,
    IN_CONVOY,
    LAUNCHED,
    MOVED,
    ORDER_HUNT,
    ORDER_MOVE,
    ORDER_PATROL,
    RAIDER,
    RAIDING,
    SURPRISED,
    M,
)
from .steps import SideStep

A = ATLAS
K = ATLAS.kinds


def on_fronts(m: M, unit: int, fronts: tuple[int, ...]) -> bool:
    """Whether a unit began the turn on one of these fronts.  [w2e-initiative-advantage] [w2e-multi-front-port]"""
    state = m.state
    chosen = state.front_choice.get(unit)
    where = A.front_of[state.home[unit]]
    return chosen in fronts if chosen is not None else any(front in fronts for front in where)


def idle_refusal(m: M, unit: int, fronts: tuple[int, ...]) -> Refusal | None:
    """Why a unit can be given no order in this step.

    [w2e-surprise-move] [w2e-cutoff-move] [w2e-movement-order] [w2e-convoy-units-no-patrol]
    """
    state = m.state
    flags, kind = state.flags[unit], state.kind[unit]
    name = f"@{K.names[kind]}"
    if state.space[unit] == IN_CONVOY:
        return Refusal("w2e-convoy-units-no-patrol", unit=name)
    if flags & MOVED:
        return Refusal("w2e-movement-path", "has-moved", unit=name)
    if flags & SURPRISED:
        return Refusal("w2e-surprise-move", unit=name)
    if flags & CUT_OFF and K.cls[kind] == GROUND:
        return Refusal("w2e-cutoff-move", unit=name)
    if not on_fronts(m, unit, fronts):
        return Refusal("w2e-movement-order", "other-front", unit=name)
    return None


class Sorted:
    """A power's units that can still be given an order in this step, by what they are."""

    __slots__ = ("air", "airborne", "bombers", "decks", "fighters", "ground", "patrol", "ships", "subs", "transports")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        state = m.state
        self.ground: list[int] = []
        self.airborne: list[int] = []
        self.air: list[int] = []
        self.bombers: list[int] = []
        self.fighters: list[int] = []
        self.subs: list[int] = []
        self.transports: list[int] = []
        self.decks: list[int] = []
        self.ships: dict[int, list[int]] = {}
        self.patrol: dict[int, list[int]] = {}
        base, cls = K.base, K.cls
        here = _fronts_flags(fronts)
        chosen = state.front_choice
        rows = zip(state.power, state.space, state.flags, state.kind, state.cargo_of, state.home, strict=True)
        for unit, (owner, space, flags, kind, ship, home) in enumerate(rows):
            if owner != power or space < 0 or flags & (MOVED | SURPRISED):
                continue
            what = cls[kind]
            if what == BASE or (flags & CUT_OFF and what == GROUND):
                continue
            if unit in chosen:
                if chosen[unit] not in fronts:
                    continue
            elif not here[home]:
                continue
            if what == GROUND:
                if ship < 0:
                    self.ground.append(unit)
                    if K.drop[kind]:
                        self.airborne.append(unit)
            elif what == AIR:
                if ship >= 0:
                    if state.kind[ship] == K.carrier:
                        self.decks.append(unit)
                    continue
                self.air.append(unit)
                if base[kind] == K.bomber:
                    self.bombers.append(unit)
                elif base[kind] == K.fighter:
                    self.fighters.append(unit)
            else:
                self.ships.setdefault(space, []).append(unit)
                if not K.must_avoid[kind]:
                    if not flags & RAIDER:
                        self.patrol.setdefault(space, []).append(unit)
                elif K.submerged[kind]:
                    self.subs.append(unit)
                else:
                    self.transports.append(unit)


@functools.cache
def _fronts_flags(fronts: tuple[int, ...]) -> tuple[bool, ...]:
    """Per space whether it lies on one of the fronts."""
    return tuple(any(front in fronts for front in found) for found in A.front_of)


def _free(m: M, planes: Sequence[int]) -> list[int]:
    """Planes that no enemy planes hold at their base."""
    return [u for u in planes if pinned(m, u) is None]


def sorted_units(m: M, power: int, fronts: tuple[int, ...]) -> Sorted:
    key = ("sorted", power, fronts)
    found: Sorted | None = m.cache.get(key)
    if found is None:
        found = m.cache[key] = Sorted(m, power, fronts)
    return found


class Movement(SideStep, frozen=True, tag="movement"):
    """One of the three parts of the phase: A where he has initiative, B everywhere, A where B has it.

    [w2e-movement-order]
    """

    rule = "w2e-movement-order"
    fronts: tuple[int, ...] = ()

    def powers(self, m: M) -> list[int]:
        found = super().powers(m)
        state = m.state
        ussr = A.ussr
        if A.side[ussr] == self.side and state.status[ussr] == 0 and state.pact and pact_open(m):
            found.append(ussr)
        return found

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        state = m.state
        if state.status[power] != AT_WAR:
            movers = _lazy_units(m, lambda: pact_movers(m, self.fronts))
            paths = Field("path", "path", lambda name: march_routes(m, unit_of(state, name)))
            return [Offer(March, movers, paths, rule="w2e-pact-moves")]
        sorts = sorted_units(m, power, self.fronts)
        offers = [march_offer(m, sorts.ground, self.fronts)]
        if sorts.air:
            offers.append(_fly_offer(m, sorts.air))
        if sorts.patrol or sorts.air:
            offers.append(_group_offer(m, power, Patrol, _patrol_bases(m, sorts), patrol=True))
        if sorts.ships:
            offers.append(_group_offer(m, power, Sail, sorts.ships, patrol=False))
        raiders = [*sorts.bombers, *sorts.subs, *_raiders(m, sorts)]
        if raiders:
            offers.append(_raid_offer(m, power, raiders))
        if sorts.fighters and any(task.order == ORDER_HUNT for task in state.tasks) and _raids_of(m, self.side):
            offers.append(_escort_offer(m, sorts.fighters))
        if sorts.transports:
            offers.append(_ferry_offer(m, power, sorts.transports, self.fronts))
        if sorts.airborne:
            offers.append(drop_offer(m, sorts.airborne))
        if sorts.decks:
            offers.append(_launch_offer(m, sorts.decks))
        if power == A.germany and m.option("raiders"):
            offers.append(_make_raider_offer(m, sorts))
        offers += march_offers(m, power, self.fronts)
        return offers

    def act(self, m: M, power: int, action: Any) -> None:
        if isinstance(action, MoveLeader):
            march_leader(m, power, action)
            return
        for name in getattr(action, "units", None) or (getattr(action, "unit", ""),):
            unit = unit_of(m.state, name)
            if unit >= 0 and len(A.front_of[m.state.home[unit]]) > 1:
                allowed = [f for f in A.front_of[m.state.home[unit]] if f in self.fronts]
                m.state.front_choice.setdefault(unit, allowed[0])
        carry_out(m, power, action)


# ---- the offers ----------------------------------------------------------------------------------------------------
def _unit_field(m: M, units: Sequence[int], fronts: tuple[int, ...] | None = None, name: str = "unit") -> Field:
    state = m.state

    def why(value: Any) -> Refusal | None:
        unit = unit_of(state, value) if isinstance(value, str) else NOBODY
        if unit < 0:
            return None
        return idle_refusal(m, unit, fronts) if fronts is not None else None

    return Field(name, "unit", Lazy(lambda: OneOf([unit_name(state, u) for u in units], why)))


def _lazy_units(m: M, units: Callable[[], Sequence[int]], name: str = "unit") -> Field:
    return Field(name, "unit", Lazy(lambda: OneOf([unit_name(m.state, u) for u in units()])))


def _patrol_bases(m: M, sorts: Sorted) -> dict[int, list[int]]:
    """What can patrol, by base: warships, and planes that nobody holds down."""
    bases = dict(sorts.patrol)
    for unit in sorts.air:
        bases[m.state.space[unit]] = [*bases.get(m.state.space[unit], ()), unit]
    return bases


def march_offer(m: M, units: Sequence[int], fronts: tuple[int, ...] | None = None) -> Offer:
    return Offer(
        March,
        _unit_field(m, units, fronts),
        Field("path", "path", lambda name: march_routes(m, unit_of(m.state, name))),
        rule="w2e-movement-path",
    )


def _fly_offer(m: M, units: Sequence[int]) -> Offer:
    return Offer(
        Fly,
        _lazy_units(m, lambda: _free(m, units)),
        Field("path", "path", lambda name: flight_routes(m, unit_of(m.state, name), True)),
        rule="w2e-move-target",
    )


def _group_offer(m: M, power: int, act: type[Any], bases: dict[int, list[int]], patrol: bool) -> Offer:
    state = m.state

    def paths(name: str) -> Routes:
        base = A.index[name]
        if A.is_land[base]:
            free = _free(m, bases[base]) or bases[base]
            weakest = min(free, key=lambda u: K.movement[state.kind[u]])
            return flight_routes(m, weakest, False)
        return ship_routes(m, power, base, patrol)

    def able(base: int) -> list[int]:
        return _free(m, bases[base]) if A.is_land[base] else bases[base]

    return GroupOffer(
        act,
        Field("base", "space", Lazy(lambda: OneOf([A.names[b] for b in bases if able(b)]))),
        Field("path", "path", paths),
        Field("units", "units", lambda base, path: Subsets([unit_name(state, u) for u in able(A.index[base])], 1)),
        rule="w2e-sea-choice",
    )


def _raiders(m: M, sorts: Sorted) -> list[int]:
    return [u for ships in sorts.ships.values() for u in ships if m.state.flags[u] & RAIDER]


def _raid_offer(m: M, power: int, units: Sequence[int]) -> Offer:
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
        _lazy_units(m, lambda: [u for u in units if can_raid(u)]),
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


def _raids_of(m: M, side: int) -> list[int]:
    """Spaces in which bombers of a side raid."""
    state = m.state
    return [
        state.space[u] for u, flags in enumerate(state.flags)
        if flags & RAIDING and state.space[u] >= 0 and A.side[state.power[u]] == side and K.cls[state.kind[u]] == AIR
    ]  # fmt: skip


def _escort_offer(m: M, fighters: Sequence[int]) -> Offer:
    """Fighters go with bombers.  [w2e-unit-fighter-escort]"""
    side = A.side[m.state.power[fighters[0]]]
    raids = frozenset(_raids_of(m, side))

    def paths(name: str) -> Routes:
        routes = flight_routes(m, unit_of(m.state, name), True)
        routes.stop = lambda s: None if s in raids else Refusal("w2e-unit-fighter-escort", space=f"@{A.names[s]}")
        return routes

    def reaches(unit: int) -> bool:
        near = air_net(m.state, m.state.power[unit]).distances(m.state.space[unit], flight_budget(m.state, unit))
        return any(space in near for space in raids)

    free = _lazy_units(m, lambda: [u for u in _free(m, fighters) if reaches(u)])
    return Offer(Escort, free, Field("path", "path", paths), rule="w2e-unit-fighter-escort")


def _ferry_offer(m: M, power: int, ships: Sequence[int], fronts: tuple[int, ...]) -> Offer:
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
        _unit_field(m, ships, fronts, "transport"),
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
        _lazy_units(m, lambda: [u for u in units if drop_refusal(m, u) is None and drop_targets(m, u)]),
        Field("to", "space", lambda name: OneOf([A.names[s] for s in drop_targets(m, unit_of(state, name))])),
        Field("bomber", "unit", lambda name, to: OneOf(drop_planes(m, unit_of(state, name)))),
        rule="w2e-unit-airborne-drop",
    )


def _launch_offer(m: M, decks: Sequence[int]) -> Offer:
    return Offer(
        Launch,
        _unit_field(m, decks),
        Field("path", "path", lambda name: launch_routes(m, unit_of(m.state, name))),
        rule="w2e-unit-carrier-extended",
    )


def _make_raider_offer(m: M, sorts: Sorted) -> Offer:
    """One German battleship or cruiser a turn.  [w2e-special-raiders]"""
    state = m.state
    ships = [
        u for group in sorts.ships.values() for u in group if state.kind[u] in (K.battleship, K.cruiser)
    ]
    if any(flags & RAIDER for flags in state.flags):
        ships = []
    return Offer(MakeRaider, _unit_field(m, ships), rule="w2e-special-raiders")


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


# ---- carrying them out ---------------------------------------------------------------------------------------------
def march(m: M, unit: int, path: tuple[int, ...]) -> None:
    state = m.state
    state.flags[unit] |= MOVED
    for here, there in zip((state.space[unit], *path), path, strict=False):
        state.came[unit] = here
        put(m, unit, there)
        enter(m, unit, there)
        reinforce_surprise(m, unit, there)
    m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", path=path_names(path)))


def _order(m: M, power: int, units: Sequence[int], path: tuple[int, ...], order: int, target: int = -1) -> None:
    state = m.state
    for unit in units:
        state.task[unit] = new_task(m, A.side[power], order, path, target)
        state.flags[unit] |= MOVED
        put(m, unit, path[-1])
    names = tuple(unit_name(state, u) for u in units)
    m.emit(Ordered(power=f"@{A.powers[power]}", order=("@order-move", "@order-patrol", "@order-hunt")[order],
                   units=names, path=path_names(path)))  # fmt: skip


def carry_out(m: M, power: int, action: Any) -> None:
    """What an order does at once."""
    state = m.state
    if isinstance(action, March):
        march(m, unit_of(state, action.unit), to_indices(action.path))
        return
    if isinstance(action, Ferry):
        ship, load = unit_of(state, action.transport), unit_of(state, action.cargo)
        way = sea_ways(state, power, state.space[ship], SHIP_RADIUS)[A.index[action.load]][1]
        path = (*way, *to_indices(action.path))
        ferry(m, ship, load, path, A.index[action.to])
        m.emit(Ordered(power=f"@{A.powers[power]}", order="@order-ferry", units=(action.transport, action.cargo),
                       path=shown((*(A.names[s] for s in path), action.to))))  # fmt: skip
        return
    if isinstance(action, (Patrol, Sail)):
        units = [unit_of(state, name) for name in action.units]
        path = (A.index[action.base], *to_indices(action.path))
        _order(m, power, units, path, ORDER_PATROL if isinstance(action, Patrol) else ORDER_MOVE)
        return
    unit = unit_of(state, action.unit)
    if isinstance(action, Fly):
        state.flags[unit] |= MOVED
        put(m, unit, A.index[action.path[-1]])
        reinforce_surprise(m, unit, A.index[action.path[-1]])
        m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))
    elif isinstance(action, Launch):
        _launch(m, power, unit, to_indices(action.path))
    elif isinstance(action, Raid):
        target = int(action.target.split()[1]) if action.target.startswith("convoy ") else A.index[action.target]
        state.flags[unit] |= RAIDING
        _order(m, power, [unit], (state.space[unit], *to_indices(action.path)), ORDER_HUNT, target)
    elif isinstance(action, Escort):
        state.flags[unit] |= RAIDING | MOVED
        put(m, unit, A.index[action.path[-1]])
        m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))
    elif isinstance(action, Drop):
        bomber = unit_of(state, action.bomber) if action.bomber else NOBODY
        drop(m, unit, A.index[action.to], bomber)
        m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown((action.to,))))
    elif isinstance(action, MakeRaider):
        state.flags[unit] |= RAIDER
        m.emit(Noted(note="@note-raider", power=f"@{A.powers[power]}", place=action.unit))


def _launch(m: M, power: int, unit: int, path: tuple[int, ...]) -> None:
    """The plane leaves the deck: from now on it is no cargo and flies by itself."""
    state = m.state
    ship = state.cargo_of[unit]
    state.cargo_of[unit] = NOBODY
    state.home[unit] = -100 - ship
    state.flags[unit] |= MOVED | LAUNCHED
    if A.is_land[path[-1]]:
        put(m, unit, path[-1])
    else:
        state.task[unit] = new_task(m, A.side[power], ORDER_PATROL, path)
        put(m, unit, path[-1])
    m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[power]}", path=path_names(path)))

