"""Sea Movement: paths of ships, patrols, transports and their cargo."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.control import control, strangers
from ..facts.lanes import PORTS, SEA_CHART, Net, Reach, shut_exits, shut_gates
from ..facts.lookup import (
    active_powers,
    can_stand,
    cargo,
    control_side,
    gate_shut,
    ground_room,
    has_ground,
    is_friendly,
    put,
    stack_sum,
)
from ..model.atlas import ATLAS, PORT_KIND
from ..model.kinds import AIR, GROUND
from ..model.state import AMPHIBIOUS, CARRIED, CUT_OFF, MOVED, ORDER_MOVE, SURPRISED, M, W2State
from .air import barred_spaces, new_task, over_refusal
from .interception import bound_for
from .land import may_not_enter
from .routes import Routes

A = ATLAS
K = ATLAS.kinds


def radius(kind: int) -> int:
    """How far out a ship goes in the Movement phase: the points must bring it home as well."""
    return K.movement[kind] // int(A.house["radius"]["way_out_share"])


SHIP_RADIUS = radius(K.destroyer)


def sea_step_refusal(state: W2State, power: int, here: int, there: int) -> Refusal | None:
    """Why a ship may not go from one water to the next.

    [w2e-port-two-spaces] [w2e-multi-front-port] [w2e-strait-naval] [w2e-terrain-canal]
    """
    link = next((row for row in A.sea_links[here] if row[0] == there), None)
    if link is None:
        return Refusal("w2e-naval-general", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
    if A.space_kind[here] == PORT_KIND and not is_friendly(state, here, power):
        rule = "w2e-multi-front-port" if A.multi_front[here] else "w2e-port-two-spaces"
        return Refusal(rule, "through-port", space=f"@{A.names[here]}")
    if gate_shut(state, link[2], A.side[power]):
        rule = "w2e-terrain-canal" if A.names[link[2][0]] == "suez" else "w2e-strait-naval"
        return Refusal(rule, "gate-shut", space=f"@{A.names[there]}")
    return over_refusal(state, power, there)


def sea_net(m: M, power: int) -> Net:
    """Where a power's ships may sail in the Movement phase, by the same rules as `sea_step_refusal`."""
    known = control(m).sea
    found = known[power]
    if found is None:
        found = known[power] = _sea_net(m, power)
    return found


def _sea_net(m: M, power: int) -> Net:
    held = control(m)
    strange = held.held_by(strangers(held.status, power))
    hostile = held.held_by(active_powers(m.state, 1 - A.side[power]))
    shut = (barred_spaces(m, power) & PORTS) | shut_exits(strange & PORTS) | shut_gates(hostile)
    return SEA_CHART.net(shut, ("sea", power))


def ship_routes(m: M, power: int, start: int, patrol: bool, budget: int = SHIP_RADIUS) -> Routes:
    """The paths ships may declare. Only a patrol may end in an enemy port."""
    state = m.state

    def stop(space: int) -> Refusal | None:
        if not patrol and A.space_kind[space] == PORT_KIND and not is_friendly(state, space, power):
            return Refusal("w2e-port-two-spaces", space=f"@{A.names[space]}")
        return None

    def why_not(here: int, there: int, spent: int) -> Refusal | None:
        found = sea_step_refusal(state, power, here, there)
        if found is None:
            cost = next(row[1] for row in A.sea_links[here] if row[0] == there)
            found = Refusal("w2e-movement-path", "sea-radius", need=spent + cost, have=budget)
        return found

    return Routes(start, budget, sea_net(m, power).lanes, stop, why_not, empty_allowed=patrol)


# ---- transports ----------------------------------------------------------------------------------------------------
def sea_ways(m: M, power: int, start: int, budget: int) -> Reach:
    """The waters within the budget."""
    return sea_net(m, power).reach(start, budget)


def full_refusal(m: M, ship: int) -> Refusal | None:
    """A transport has one load; one that it could not land is still aboard.  [w2e-unit-transport-cargo]"""
    if not cargo(m, ship):
        return None
    return Refusal("w2e-unit-transport-cargo", "has-load", unit=f"@{K.names[m.state.kind[ship]]}")


def cargo_refusal(m: M, unit: int, group: int) -> Refusal | None:
    """Why a unit cannot be loaded in the Movement phase.

    [w2e-transport-procedure] [w2e-unit-transport-cargo]
    """
    state = m.state
    kind, flags = state.kind[unit], state.flags[unit]
    if A.group[state.power[unit]] != group:
        return Refusal("w2e-ussr-separate", space="")
    if state.cargo_of[unit] >= 0 or not (K.cls[kind] == GROUND or K.base[kind] == K.fighter):
        return Refusal("w2e-unit-transport-cargo", unit=f"@{K.names[kind]}")
    if flags & (MOVED | CUT_OFF | SURPRISED):
        return Refusal("w2e-transport-procedure", "cannot-load", unit=f"@{K.names[kind]}")
    if K.cls[kind] == GROUND and has_ground(m, state.space[unit], 1 - A.side[state.power[unit]]):
        return Refusal("w2e-ground-stop-enemy", space=f"@{A.names[state.space[unit]]}")
    return None


def landing_room(m: M, space: int, side: int) -> int:
    """Stack Points that still fit, landings already declared counted."""
    state, room = m.state, ground_room(m, space, side)
    if room <= 0 or not state.tasks:
        return room
    here = [u for u, target in bound_for(m) if target == space and A.side[state.power[u]] == side]
    return room - stack_sum(state, here)


def landing_refusal(m: M, unit: int, water: int, space: int) -> Refusal | None:
    """Why a unit cannot be put ashore there.  [w2e-amphibious] [w2e-terrain-desert]"""
    state = m.state
    power, kind, side = state.power[unit], state.kind[unit], A.side[state.power[unit]]
    if space not in A.coast[water]:
        return Refusal("w2e-transport-procedure", "not-coast", space=f"@{A.names[space]}")
    politics = may_not_enter(state, power, space)
    if politics is not None:
        return politics
    hostile = control_side(state, space) == 1 - side or has_ground(m, space, 1 - side)
    if K.cls[kind] == AIR:
        if hostile:
            return Refusal("w2e-amphibious", "fighter-landing")
        return None
    if not can_stand(kind, space):
        return Refusal("w2e-terrain-desert", space=f"@{A.names[space]}")
    if K.stack[kind] > landing_room(m, space, side):
        return Refusal("w2e-stack-ground", space=f"@{A.names[space]}")
    return None


def ferry(m: M, ship: int, unit: int, path: tuple[int, ...], to: int) -> None:
    """Load, sail, and wait beside the coast; the landing comes after the sea battles.  [w2e-cargo-status]"""
    state = m.state
    side = A.side[state.power[ship]]
    put(m, unit, state.space[ship])
    state.cargo_of[unit] = ship
    state.flags[unit] |= MOVED
    if K.cls[state.kind[unit]] == GROUND and (control_side(state, to) == 1 - side or has_ground(m, to, 1 - side)):
        state.flags[unit] |= AMPHIBIOUS
    state.flags[ship] |= MOVED | CARRIED
    state.task[ship] = new_task(m, side, ORDER_MOVE, path, to)
    put(m, ship, path[-1])
