"""Flights: where air units may go and come back from, raids, escorts, air drops."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.access import air_net, landing_grounds, passage_bar, shut_land
from ..facts.control import control_side, land_of_side
from ..facts.names import unit_name
from ..facts.strongpoints import flag_at
from ..facts.whereabouts import at, has_ground, planes_at
from ..facts.winter import in_russian_winter
from ..model.atlas import ATLAS, FACTORY, NOBODY
from ..model.kinds import BASE
from ..model.state import CUT_OFF, DROPPED, GONE, MOVED, ORDER_HUNT, RAIDING, SURPRISED, M, Task, W2State
from ..model.units import set_out
from .land import enter, may_not_enter, shared_refusal
from .routes import Routes
from .stacking import air_limit, crowded, stack_sum
from .units import place

A = ATLAS
K = ATLAS.kinds


_WATERS = frozenset(space for space, is_land in enumerate(A.is_land) if not is_land)


def over_refusal(state: W2State, power: int, space: int) -> Refusal | None:
    """Why a plane may not fly over (or a ship enter) a space: neutral land and ports, and the separate ally's."""
    land = A.land_at[space]
    rule = passage_bar(state, power, state.owner[land]) if land >= 0 else ""
    return Refusal(rule, space=A.told[space]) if rule else None


_WAY_OUT = tuple(points // int(A.house["radius"]["way_out_share"]) for points in K.movement)


def flight_budget(state: W2State, unit: int) -> int:
    """Return half the points: the other half brings it home.  [w2e-air-return-range]"""
    return _WAY_OUT[state.kind[unit]]


def pinned(s: W2State, unit: int) -> Refusal | None:
    """Why a plane cannot leave a base that enemy planes attack; ground units and raids do not hold it.

    [w2e-ex-tobruk]
    """
    space = s.space[unit]
    if all(s.flags[enemy] & RAIDING for enemy in planes_at(s, space, 1 - A.side[s.power[unit]])):
        return None
    return Refusal("w2e-ground-stop-enemy", "air-pinned", space=A.told[space])


def flight_routes(m: M, unit: int, over_land: bool) -> Routes:
    """Return the paths an air unit may declare: to a land space, or (a patrol) to a water."""
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
            return Refusal("w2e-air-general", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
        found = over_refusal(state, power, there)
        if found is None and spent + cost > flight_budget(state, unit):
            found = Refusal("w2e-air-return-range", need=2 * (spent + cost), have=K.movement[state.kind[unit]])
        return found

    net, start, budget = air_net(state, power), state.space[unit], flight_budget(state, unit)
    routes = Routes(start, budget, net.lanes, stop, why_not)
    routes.near = lambda: net.reach(start, budget)
    routes.goals = landing_grounds(state, power) if over_land else _WATERS
    return routes


# ---- carriers ------------------------------------------------------------------------------------------------------
def carrier_path(state: W2State, ship: int) -> tuple[int, ...]:
    """Return where a carrier is this turn: its declared path, or its port."""
    task = state.task[ship]
    return state.tasks[task].path if task >= 0 else (state.space[ship],)


def air_distances(m: M, power: int, starts: Iterable[int], budget: int) -> dict[int, int]:
    """Return the points from the nearest of the starts to every space within the budget."""
    best = dict.fromkeys(starts, 0)
    net = air_net(m.state, power)
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
    lanes = air_net(state, power).lanes

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
            return Refusal("w2e-air-general", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
        found = over_refusal(state, power, there)
        need = spent + cost + air_distances(m, power, deck, points).get(there, points + 1)
        return found or Refusal("w2e-air-return-range", need=need, have=points)

    return Routes(NOBODY, points, links, stop, why_not)


# ---- raids ---------------------------------------------------------------------------------------------------------
_FEATURED = frozenset(space for space in A.land if A.feature[space])


def raid_spaces(s: W2State, power: int) -> list[int]:
    """Return enemy factories and resource zones that still have a value.  [w2e-strategic-targets]"""
    enemy = _FEATURED & land_of_side(s, 1 - A.side[power])
    return sorted([space for space in enemy - shut_land(s, power) if s.damaged[space] != GONE])


# ---- air drops -----------------------------------------------------------------------------------------------------
def drop_refusal(m: M, unit: int) -> Refusal | None:
    """Why an airborne unit cannot be dropped from where it is.

    [w2e-unit-airborne-drop] [w2e-cutoff-move] [w2e-ground-stop-enemy]
    """
    state = m.state
    space = state.space[unit]
    if state.flags[unit] & CUT_OFF:
        return Refusal("w2e-cutoff-move", unit=K.told[state.kind[unit]])
    if has_ground(state, space, 1 - A.side[state.power[unit]]):
        return Refusal("w2e-ground-stop-enemy", space=A.told[space])
    if not (
        A.feature[space] == FACTORY or flag_at(state, space) or state.fortress[space]
        or any(K.cls[state.kind[u]] == BASE for u in at(state, space))
    ):  # fmt: skip
        return Refusal("w2e-unit-airborne-drop", "drop-base", space=f"@{A.names[space]}")
    return _too_cold(state, unit, space)


def _too_cold(s: W2State, unit: int, space: int) -> Refusal | None:
    """Why winter forbids a drop from or into a space.  [w2e-winter-move]"""
    cold = in_russian_winter(s, A.side[s.power[unit]], space)
    return Refusal("w2e-winter-move", "winter-drop") if cold else None


def drop_targets(m: M, unit: int) -> list[int]:
    """Return enemy land within reach of a drop."""
    s = m.state
    power, kind = s.power[unit], s.kind[unit]
    near = air_net(s, power).reach(s.space[unit], K.drop_range[kind])
    enemy = land_of_side(s, 1 - A.side[power]) - shut_land(s, power)
    return [space for space in sorted(enemy.intersection(near)) if room_for_drop(s, unit, space) is None]


def room_for_drop(s: W2State, unit: int, space: int) -> Refusal | None:
    """Why an airborne unit cannot be dropped into a space."""
    power = s.power[unit]
    return (
        shared_refusal(s, power, space)
        or _too_cold(s, unit, space)
        or crowded(s, space, A.side[power], K.stack[s.kind[unit]])
    )


def target_refusal(m: M, unit: int, space: int) -> Refusal | None:
    """Why an airborne unit cannot be dropped there: no enemy land, politics, too far, winter, no room."""
    s = m.state
    power, kind = s.power[unit], s.kind[unit]
    if not A.is_land[space] or control_side(s, space) != 1 - A.side[power]:
        found = over_refusal(s, power, space)
        return found or Refusal("w2e-unit-airborne-drop", "no-enemy-land", space=A.told[space])
    if space not in air_net(s, power).reach(s.space[unit], K.drop_range[kind]):
        return Refusal("w2e-unit-airborne-drop", "drop-range", space=A.told[space], most=K.drop_range[kind])
    return may_not_enter(s, power, space) or room_for_drop(s, unit, space)


def drop_planes(m: M, unit: int) -> list[str]:
    """How the drop can fly: '' where the base has ten points of free room for planes, or a bomber standing there."""
    state = m.state
    space, power = state.space[unit], state.power[unit]
    planes = planes_at(state, space, A.side[power])
    free = air_limit(state, space) - stack_sum(state, planes)
    found = [""] if free >= K.drop_stack[state.kind[unit]] else []
    found += [
        unit_name(state, u) for u in planes
        if K.base[state.kind[u]] == K.bomber and state.power[u] == power and not state.flags[u] & (MOVED | SURPRISED)
    ]  # fmt: skip
    return found


def drop(m: M, unit: int, space: int, bomber: int) -> None:
    """The airborne comes down; a bomber that carried it goes along and may not fire."""
    state = m.state
    set_out(state, (unit, bomber) if bomber >= 0 else (unit,), DROPPED)
    state.came = put(state.came, unit, NOBODY)
    place(state, unit, space)
    if bomber >= 0:
        place(state, bomber, space)
    enter(m, unit, space)


def hunters(m: M) -> frozenset[int]:
    """Return the sides that have declared Strategic Warfare this turn."""
    return frozenset([task.side for task in m.state.tasks if task.order == ORDER_HUNT])


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
