"""Flights: where air units may go and come back from, raids, escorts, air drops."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from sandtable.core import Refusal

from ..facts.control import control
from ..facts.lanes import AIR_CHART, Net
from ..facts.lookup import (
    LAND_AT,
    air_limit,
    at,
    control_side,
    flag_at,
    ground_room,
    has_air,
    planes_at,
    put,
    stack_sum,
    unit_name,
)
from ..model.atlas import ATLAS, FACTORY, NEUTRAL, NOBODY, OWNERS
from ..model.kinds import BASE
from ..model.state import AT_WAR, CUT_OFF, DROPPED, GONE, MOVED, ORDER_HUNT, SURPRISED, M, Task, W2State, changed
from .land import enter, may_not_enter, shut_land
from .routes import Routes
from .weather import in_russian_winter

A = ATLAS
K = ATLAS.kinds


_ALL_LAND = frozenset(A.land)
_WATERS = frozenset(space for space, is_land in enumerate(A.is_land) if not is_land)


def barred(status: tuple[int, ...], power: int, owner: int) -> str:
    """The rule that keeps a power out of what an owner controls; '' where it may fly and sail.

    [w2e-neutral-no-entry] [w2e-ussr-separate]
    """
    if owner == power:
        return ""
    if owner == NEUTRAL or status[owner] != AT_WAR:
        return "w2e-neutral-no-entry"
    mine, other = A.group[power], A.group[owner]
    return "w2e-ussr-separate" if mine != other and 2 in (mine, other) and 0 not in (mine, other) else ""


def over_refusal(state: W2State, power: int, space: int) -> Refusal | None:
    """Why a plane may not fly over (or a ship enter) a space: neutral land and ports, and the separate ally's."""
    land = LAND_AT[space]
    if land < 0:
        return None
    rule = barred(state.status, power, state.owner[land])
    return Refusal(rule, space=f"@{A.names[space]}") if rule else None


def barred_spaces(m: M, power: int) -> int:
    """The spaces a power may not fly over or sail into, as a set of bits."""
    held = control(m)
    return held.held_by(_barring(held.status, power))


@functools.lru_cache(maxsize=1024)
def _barring(status: tuple[int, ...], power: int) -> tuple[int, ...]:
    """The owners who keep a power out."""
    return tuple(owner for owner in OWNERS if barred(status, power, owner))


def air_net(m: M, power: int) -> Net:
    """Where a power's planes may fly."""
    known = control(m).air
    found = known[power]
    if found is None:
        found = known[power] = AIR_CHART.net(barred_spaces(m, power), power)
    return found


_WAY_OUT = tuple(points // int(A.house["radius"]["way_out_share"]) for points in K.movement)


def flight_budget(state: W2State, unit: int) -> int:
    """Half the points: the other half brings it home.  [w2e-air-return-range]"""
    return _WAY_OUT[state.kind[unit]]


def pinned(m: M, unit: int) -> Refusal | None:
    """A plane that shares its base with enemy planes cannot leave; ground units do not hold it.  [w2e-ex-tobruk]"""
    state = m.state
    if has_air(m, state.space[unit], 1 - A.side[state.power[unit]]):
        return Refusal("w2e-ground-stop-enemy", "air-pinned", space=f"@{A.names[state.space[unit]]}")
    return None


def flight_routes(m: M, unit: int, over_land: bool) -> Routes:
    """The paths an air unit may declare: to a land space, or (a patrol) to a water."""
    state = m.state
    power, side = state.power[unit], A.side[state.power[unit]]

    def stop(space: int) -> Refusal | None:
        if A.is_land[space] != over_land:
            return Refusal("w2e-air-general", "wrong-element", space=f"@{A.names[space]}")
        if over_land and control_side(state, space) == 1 - side:
            return may_not_enter(state, power, space)
        return None

    def why_not(here: int, there: int, spent: int) -> Refusal | None:
        cost = next((c for s, c in A.air_links[here] if s == there), NOBODY)
        if cost < 0:
            return Refusal("w2e-unit-ground", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
        found = over_refusal(state, power, there)
        if found is None and spent + cost > flight_budget(state, unit):
            found = Refusal("w2e-air-return-range", need=2 * (spent + cost), have=K.movement[state.kind[unit]])
        return found

    net, start, budget = air_net(m, power), state.space[unit], flight_budget(state, unit)
    routes = Routes(start, budget, net.lanes, stop, why_not)
    routes.near = lambda: net.reach(start, budget)
    routes.goals = landing_grounds(m, power) if over_land else _WATERS
    return routes


def landing_grounds(m: M, power: int) -> frozenset[int]:
    """The land in which a power's planes may end a flight: all but enemy land that its troops may not enter."""
    return control(m).fact(("landing-grounds", power, m.state.pact), _landing_grounds, m, power)


def _landing_grounds(m: M, power: int) -> frozenset[int]:
    return _ALL_LAND - (shut_land(m, power) & control(m).land_of_side(1 - A.side[power]))


# ---- carriers ------------------------------------------------------------------------------------------------------
def carrier_path(state: W2State, ship: int) -> tuple[int, ...]:
    """Where a carrier is this turn: its declared path, or its port."""
    task = state.task[ship]
    return state.tasks[task].path if task >= 0 else (state.space[ship],)


def air_distances(m: M, power: int, starts: Iterable[int], budget: int) -> dict[int, int]:
    """Points from the nearest of the starts to every space within the budget."""
    best = dict.fromkeys(starts, 0)
    net = air_net(m, power)
    if len(best) == 1:
        return net.reach(next(iter(best)), budget)
    queue = list(best)
    for here in queue:
        for cost, near in net.lanes[here]:
            total = best[here] + cost
            for there in near if total <= budget else ():
                if total < best.get(there, 1 << 30):
                    best[there] = total
                    queue.append(there)
    return best


def launch_routes(m: M, unit: int) -> Routes:
    """A carrier's plane: the path begins with a space of the carrier's path; it must be able to land on that path.

    [w2e-unit-carrier-extended] [w2e-ex-carrier-launch] [w2e-ex-carrier-follow]
    """
    state = m.state
    power, ship = state.power[unit], state.cargo_of[unit]
    deck = carrier_path(state, ship)
    points = K.movement[state.kind[unit]]
    back = air_distances(m, power, deck, points // 2)  # what is farther from the deck than half of them is too far
    lanes = air_net(m, power).lanes

    def links(here: int, spent: int) -> list[tuple[int, int]]:
        if here == NOBODY:
            return [(space, 0) for space in dict.fromkeys(deck)]
        return [(t, c) for c, near in lanes[here] for t in near if spent + c + back.get(t, 1 << 20) <= points]

    def stop(space: int) -> Refusal | None:
        if A.is_land[space] and control_side(state, space) != 1 - A.side[power]:
            return Refusal("w2e-air-general", "wrong-element", space=f"@{A.names[space]}")
        return may_not_enter(state, power, space) if A.is_land[space] else None

    def why_not(here: int, there: int, spent: int) -> Refusal | None:
        if here == NOBODY:
            return Refusal("w2e-unit-carrier-extended", "launch-space", space=f"@{A.names[there]}")
        cost = next((c for s, c in A.air_links[here] if s == there), NOBODY)
        if cost < 0:
            return Refusal("w2e-unit-ground", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
        found = over_refusal(state, power, there)
        need = spent + cost + air_distances(m, power, deck, points).get(there, points + 1)
        return found or Refusal("w2e-air-return-range", need=need, have=points)

    return Routes(NOBODY, points, links, stop, why_not)


# ---- raids ---------------------------------------------------------------------------------------------------------
_FEATURED = frozenset(space for space in A.land if A.feature[space])


def raid_spaces(m: M, power: int) -> list[int]:
    """Enemy factories and resource zones that still have a value.  [w2e-strategic-targets]"""
    state, held = m.state, control(m)

    def make() -> list[int]:
        enemy = _FEATURED & held.land_of_side(1 - A.side[power])
        return sorted([s for s in enemy - shut_land(m, power) if state.damaged[s] != GONE])

    return m.kept(("raid-spaces", power), (held, state.pact, state.damaged), make)


def convoy_spaces(m: M, side: int) -> dict[int, list[int]]:
    """Per space the enemy convoys whose route runs through it."""
    convoys = m.state.convoys

    def make() -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for convoy in convoys:
            if A.side[convoy.power] != side:
                for space in dict.fromkeys(convoy.route):
                    found.setdefault(space, []).append(convoy.number)
        return found

    return m.kept(("convoy-spaces", side), (convoys,), make)


# ---- air drops -----------------------------------------------------------------------------------------------------
def drop_refusal(m: M, unit: int) -> Refusal | None:
    """Why an airborne unit cannot be dropped from where it is.  [w2e-unit-airborne-drop] [w2e-cutoff-move]"""
    state = m.state
    space = state.space[unit]
    if state.flags[unit] & CUT_OFF:
        return Refusal("w2e-cutoff-move", unit=K.names[state.kind[unit]])
    if not (
        A.feature[space] == FACTORY or flag_at(state, space) or state.fortress[space]
        or any(K.cls[state.kind[u]] == BASE for u in at(m)[space])
    ):  # fmt: skip
        return Refusal("w2e-unit-airborne-drop", "drop-base", space=f"@{A.names[space]}")
    if A.side[state.power[unit]] == 0 and in_russian_winter(state, space):
        return Refusal("w2e-winter-move", "winter-drop")
    return None


def drop_targets(m: M, unit: int) -> list[int]:
    """Enemy land within reach of a drop."""
    key = ("drop-targets", unit)
    found: list[int] | None = m.cache.get(key)
    if found is None:
        power, kind = m.state.power[unit], m.state.kind[unit]
        near = air_net(m, power).reach(m.state.space[unit], K.drop_range[kind])
        enemy = control(m).land_of_side(1 - A.side[power]) - shut_land(m, power)
        lands = sorted(enemy.intersection(near))
        found = m.cache[key] = [space for space in lands if room_for_drop(m, unit, space) is None]
    return found


def room_for_drop(m: M, unit: int, space: int) -> Refusal | None:
    state = m.state
    if A.side[state.power[unit]] == 0 and in_russian_winter(state, space):
        return Refusal("w2e-winter-move", "winter-drop")
    if ground_room(m, space, A.side[state.power[unit]]) < K.stack[state.kind[unit]]:
        return Refusal("w2e-stack-ground", space=f"@{A.names[space]}")
    return None


def drop_planes(m: M, unit: int) -> list[str]:
    """How the drop can fly: '' where the base has ten points of free room for planes, or a bomber standing there."""
    state = m.state
    space, power = state.space[unit], state.power[unit]
    planes = planes_at(m, space, A.side[power])
    free = air_limit(m, space, power) - stack_sum(state, planes)
    found = [""] if free >= K.drop_stack[state.kind[unit]] else []
    found += [
        unit_name(state, u) for u in planes
        if K.base[state.kind[u]] == K.bomber and state.power[u] == power and not state.flags[u] & (MOVED | SURPRISED)
    ]  # fmt: skip
    return found


def drop(m: M, unit: int, space: int, bomber: int) -> None:
    """The airborne comes down; a bomber that carried it goes along and may not fire."""
    state = m.state
    state.flags[unit] |= MOVED | DROPPED
    state.came = changed(state.came, unit, NOBODY)
    put(m, unit, space)
    if bomber >= 0:
        state.flags[bomber] |= MOVED | DROPPED
        put(m, bomber, space)
    enter(m, unit, space)


def hunters(m: M) -> frozenset[int]:
    """The sides that have declared Strategic Warfare this turn."""
    tasks = m.state.tasks
    if not tasks:
        return frozenset()
    return m.kept("hunters", (tasks,), lambda: frozenset(task.side for task in tasks if task.order == ORDER_HUNT))


def new_task(m: M, side: int, order: int, path: tuple[int, ...], target: int = -1, base: int = 0) -> int:
    """Declare a path. Units that go the same way from the same space with the same order are one Task Force.

    [w2e-task-force]
    """
    state = m.state
    for number, task in enumerate(state.tasks):
        if task.path == path and (task.side, task.order, task.target, task.base) == (side, order, target, base):
            return number
    state.tasks = (*state.tasks, Task(side, order, path, len(state.tasks), base, target))
    return len(state.tasks) - 1
