"""Sea Movement: paths of ships, patrols, transports and their cargo."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put, put_all

from ..facts.access import sea_net_from
from ..facts.control import control_side, gate_shut, is_friendly
from ..facts.lanes import Reach
from ..facts.whereabouts import cargo, has_ground
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import AIR, GROUND
from ..model.state import AMPHIBIOUS, CARRIED, MOVED, ORDER_MOVE, M, W2State
from ..model.units import mark, put_aboard, set_out
from .air import new_task, over_refusal
from .land import may_not_enter, shared_refusal
from .routes import Routes
from .stacking import crowded
from .terrain import terrain_refusal

A = ATLAS
K = ATLAS.kinds


def radius(kind: int) -> int:
    """Return how far out a ship goes in the Movement phase: the points must bring it home as well."""
    return K.movement[kind] // int(A.house["radius"]["way_out_share"])


SHIP_RADIUS = radius(K.destroyer)


def sea_step_refusal(state: W2State, power: int, here: int, there: int, base: int = NOBODY) -> Refusal | None:
    """Why a ship that lies in a base may not go from one water to the next: it passes friendly ports only.

    [w2e-port-two-spaces] [w2e-multi-front-port] [w2e-strait-naval] [w2e-terrain-canal]
    """
    link = next((row for row in A.sea_links[here] if row[0] == there), None)
    if link is None:
        return Refusal("w2e-naval-general", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
    if A.is_port[here] and here != base and not is_friendly(state, here, power):
        rule = "w2e-multi-front-port" if A.multi_front[here] else "w2e-port-two-spaces"
        return Refusal(rule, "through-port", space=f"@{A.names[here]}")
    if gate_shut(state, link[2], A.side[power]):
        rule = "w2e-terrain-canal" if link[2] in A.canals else "w2e-strait-naval"
        return Refusal(rule, "gate-shut", space=f"@{A.names[there]}")
    return over_refusal(state, power, there)


def ship_routes(m: M, power: int, base: int, patrol: bool, *, start: int = NOBODY, budget: int = SHIP_RADIUS) -> Routes:
    """Return the paths that ships in a base may declare, or go on with from another water.

    Only a patrol may end in an enemy port.
    """
    state = m.state
    start = base if start < 0 else start

    def stop(space: int) -> Refusal | None:
        if not patrol and A.is_port[space] and not is_friendly(state, space, power):
            return Refusal("w2e-port-two-spaces", space=f"@{A.names[space]}")
        return None

    def why_not(here: int, there: int, spent: int) -> Refusal | None:
        found = sea_step_refusal(state, power, here, there, base)
        if found is None:
            cost = next(row[1] for row in A.sea_links[here] if row[0] == there)
            found = Refusal("w2e-movement-path", "sea-radius", need=spent + cost, have=budget)
        return found

    return Routes(start, budget, sea_net_from(state, power, base).lanes, stop, why_not, empty_allowed=patrol)


# ---- transports ----------------------------------------------------------------------------------------------------
def sea_ways(m: M, power: int, start: int, budget: int) -> Reach:
    """Return the waters within the budget of a ship that lies there."""
    return sea_net_from(m.state, power, start).reach(start, budget)


def full_refusal(m: M, ship: int) -> Refusal | None:
    """A transport has one load; one that it could not land is still aboard.  [w2e-unit-transport-cargo]"""
    if not cargo(m.state, ship):
        return None
    return Refusal("w2e-unit-transport-cargo", "has-load", unit=f"@{K.names[m.state.kind[ship]]}")


def cargo_refusal(m: M, unit: int, group: int) -> Refusal | None:
    """Why a unit cannot be loaded in the Movement phase.

    [w2e-transport-procedure] [w2e-unit-transport-cargo]
    """
    state = m.state
    kind = state.kind[unit]
    if A.group[state.power[unit]] != group:
        return Refusal("w2e-ussr-separate", space="")
    if state.cargo_of[unit] >= 0 or not (K.cls[kind] == GROUND or K.base[kind] == K.fighter):
        return Refusal("w2e-unit-transport-cargo", unit=f"@{K.names[kind]}")
    if K.cls[kind] == GROUND and has_ground(state, state.space[unit], 1 - A.side[state.power[unit]]):
        return Refusal("w2e-ground-stop-enemy", space=f"@{A.names[state.space[unit]]}")
    return None


def landing_refusal(m: M, unit: int, water: int, space: int) -> Refusal | None:
    """Why a unit cannot be put ashore there.  [w2e-amphibious] [w2e-terrain-desert]"""
    state = m.state
    power, kind, side = state.power[unit], state.kind[unit], A.side[state.power[unit]]
    if space not in A.coast[water]:
        return Refusal("w2e-transport-procedure", "not-coast", space=f"@{A.names[space]}")
    politics = may_not_enter(state, power, space)
    if politics is not None:
        return politics
    hostile = control_side(state, space) == 1 - side or has_ground(state, space, 1 - side)
    if K.cls[kind] == AIR:
        if hostile:
            return Refusal("w2e-amphibious", "fighter-landing")
        return None
    return (
        shared_refusal(state, power, space)
        or terrain_refusal(kind, space)
        or crowded(state, space, side, K.stack[kind])
    )


def ferry(m: M, ship: int, unit: int, path: tuple[int, ...], to: int) -> None:
    """Load, sail, and wait beside the coast; the landing comes after the sea battles.  [w2e-cargo-status]"""
    state = m.state
    side = A.side[state.power[ship]]
    hostile = control_side(state, to) == 1 - side or has_ground(state, to, 1 - side)
    mark(state, unit, MOVED | AMPHIBIOUS if hostile and K.cls[state.kind[unit]] == GROUND else MOVED)
    set_out(state, [ship], CARRIED)
    put_aboard(state, unit, ship)
    state.task = put(state.task, ship, new_task(m, side, ORDER_MOVE, path, to))
    state.space = put_all(state.space, (ship, unit), path[-1])
