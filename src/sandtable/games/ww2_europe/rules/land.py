"""Land Movement: where a ground unit may go, what it costs, and what happens to land that is entered."""

from __future__ import annotations

import functools

from sandtable.core import Refusal

from ..facts.control import control
from ..facts.lookup import (
    GROUND_LIMIT,
    HEAVY,
    at,
    can_stand,
    control_changed,
    control_side,
    ground_room,
    has_ground,
    is_active,
    remove,
    unit_name,
)
from ..facts.whereabouts import index
from ..model.atlas import ATLAS, DESERT, MOUNTAIN, NEUTRAL, NOBODY, OWNERS, WOODLAND
from ..model.events import Captured, Lost
from ..model.kinds import BASE
from ..model.state import AT_WAR, M, W2State, changed
from .leaders_phase import kill_leaders
from .routes import Routes
from .weather import in_russian_winter

A = ATLAS
K = ATLAS.kinds
_COLOURS = {
    "grey": "germany", "light green": "italy", "blue": "france", "tan": "great_britain", "green": "usa",
    "brown": "ussr",
}  # fmt: skip
COLOUR = tuple(
    A.power_index.get(_COLOURS.get((row["colour"] or "").split(" (")[0], ""), NOBODY)
    for row in A.data["spaces"].values()
)
"""Per land space the power in whose colour it is printed, -1 for the cream of the neutrals."""


def points(m: M, unit: int) -> int:
    """A ground unit's Movement Points this phase.  [w2e-winter-move]"""
    state = m.state
    if A.side[state.power[unit]] == 0 and in_russian_winter(state, state.space[unit]):
        return min(int(A.rules["russian_winter"]["axis_ground_movement"]), K.movement[state.kind[unit]])
    return K.movement[state.kind[unit]]


_ROUGH = int(A.rules["movement_cost"]["enemy_woodland_tank_mech"])


def entry_cost(state: W2State, kind: int, space: int, side: int, border: int) -> int:
    """Points to cross a border into a space.  [w2e-border-black] [w2e-terrain-woodland] [w2e-terrain-mountain]"""
    if HEAVY[kind] and A.terrain[space] & (WOODLAND | MOUNTAIN) and control_side(state, space) == 1 - side:
        return max(border, _ROUGH)
    return border


def may_not_enter(state: W2State, power: int, space: int, *, blitz: bool = False) -> Refusal | None:
    """Politics: whose land a power's ground units may enter at all."""
    return _stranger(state, power, state.owner[space], space)


def _stranger(state: W2State, power: int, owner: int, space: int) -> Refusal | None:
    """Why a power may not enter a space if that is an owner's."""
    side = A.side[power]
    if state.status[power] != AT_WAR:
        if power == A.ussr and state.pact and (space in A.pact_soviet or owner == power):
            return None
        return Refusal("w2e-pact-moves", space=f"@{A.names[space]}")
    if power in (A.germany, A.italy) and state.pact and space in A.pact_soviet:
        return Refusal("w2e-pact-partition", space=f"@{A.names[space]}")
    if owner == power:
        return None
    if not is_active(state, owner):
        return Refusal("w2e-neutral-no-entry", space=f"@{A.names[space]}")
    if A.side[owner] == side and A.group[owner] != A.group[power]:
        return Refusal("w2e-ussr-separate", space=f"@{A.names[space]}")
    return None


_IN_PACT = frozenset(A.pact_soviet)
_PLAIN_LAND = next(space for space in A.land if space not in _IN_PACT)
"""Some land that the pact does not name."""
_BESIDE = tuple(frozenset(there for there, _, _ in row) for row in A.land_links)
"""Per space the land beside it."""


def shut_land(m: M, power: int) -> frozenset[int]:
    """Land that politics keeps a power's ground units out of, by the rule itself."""
    return control(m).fact(("shut-land", power, m.state.pact), _shut_land, m, power)


def _shut_land(m: M, power: int) -> frozenset[int]:
    """The rule looks at who owns land, and at the land that the pact names."""
    state, held = m.state, control(m)

    def strangers() -> tuple[tuple[int, ...], tuple[int, ...]]:
        def shut_out(space: int) -> tuple[int, ...]:
            return tuple(owner for owner in OWNERS if _stranger(state, power, owner, space) is not None)

        return shut_out(_PLAIN_LAND), shut_out(A.pact_soviet[0])

    plain, in_pact = m.kept(("strangers", power), (state.status, state.pact), strangers)
    shut = frozenset().union(*(held.lands[owner] for owner in plain))
    return shut - _IN_PACT | {s for s in _IN_PACT if held.owner[s] in in_pact}


_WATERS = frozenset(space for space, is_land in enumerate(A.is_land) if not is_land)


def no_exits(m: M, power: int) -> frozenset[int]:
    """Where ground units cannot march from: land with none beside it that a power may enter, and all water."""
    return _no_exits(shut_land(m, power))


@functools.lru_cache(maxsize=1024)
def _no_exits(shut: frozenset[int]) -> frozenset[int]:
    """Most land that changes hands is open to both sides as before, so the same land is shut again and again."""
    return _WATERS.union([s for s in A.land if _BESIDE[s] <= shut])


def may_leave(m: M, unit: int, here: int, spent: int) -> bool:
    """Enemy ground units stop a ground unit.  [w2e-ground-stop-enemy]"""
    state = m.state
    power = state.power[unit]
    if not has_ground(m, here, 1 - A.side[power]):
        return True
    return here == state.home[unit] and not spent and state.status[power] != AT_WAR


BORDER = {(here, there): cost for here, row in enumerate(A.land_links) for there, cost, _ in row}


def step_refusal(m: M, unit: int, here: int, there: int, spent: int) -> Refusal | None:
    """Why a ground unit may not take this step of its path; None where it may."""
    state = m.state
    power, kind, side = state.power[unit], state.kind[unit], A.side[state.power[unit]]
    border = BORDER.get((here, there), NOBODY)
    if border < 0:
        return Refusal("w2e-unit-ground", "not-adjacent", here=f"@{A.names[here]}", there=f"@{A.names[there]}")
    if not may_leave(m, unit, here, spent):
        return Refusal("w2e-ground-stop-enemy", space=f"@{A.names[here]}")
    politics = may_not_enter(state, power, there)
    if politics is not None:
        return politics
    if not can_stand(kind, there):
        rule = "w2e-terrain-desert" if A.terrain[there] & DESERT else "w2e-terrain-impassable"
        return Refusal(rule, space=f"@{A.names[there]}")
    cost = entry_cost(state, kind, there, side, border)
    if spent + cost > points(m, unit):
        return Refusal("w2e-movement-path", need=spent + cost, have=points(m, unit))
    if K.stack[kind] > ground_room(m, there, side):
        return Refusal("w2e-stack-ground", space=f"@{A.names[there]}")
    return None


def roads(m: M, power: int, kind: int) -> dict[int, list[tuple[int, int]]]:
    """The spaces whose `_roads_from` are known: these hang on control and on what the pact says alone.

    Terrain hinders tanks and mech and nobody else.
    """
    return control(m).fact(("roads", power, HEAVY[kind], m.state.pact), dict)


def _roads_from(m: M, power: int, kind: int, here: int) -> list[tuple[int, int]]:
    """The land beside a space that politics and terrain let a power's units of a kind enter, and what that costs."""
    shut, side = shut_land(m, power), A.side[power]
    beside = [(there, cost) for there, cost, _ in A.land_links[here] if there not in shut]
    if HEAVY[kind]:
        beside = [(s, entry_cost(m.state, kind, s, side, cost)) for s, cost in beside if can_stand(kind, s)]
    return beside


def march_routes(m: M, unit: int) -> Routes:
    """The paths a ground unit may declare.  [w2e-movement-path] [w2e-ground-stop-enemy]"""
    state = m.state
    side, kind, power = A.side[state.power[unit]], state.kind[unit], state.power[unit]
    stack, most = K.stack[kind], points(m, unit)
    crowd, enemy, known = index(m).ground[side], index(m).ground[1 - side], roads(m, power, kind)

    def links(here: int, spent: int) -> list[tuple[int, int]]:
        """The steps that `step_refusal` has nothing against, asked in the order of what they cost to ask."""
        if spent >= most or (enemy[here] and not may_leave(m, unit, here, spent)):
            return []
        beside = known.get(here)
        if beside is None:
            beside = known[here] = _roads_from(m, power, kind, here)
        return [
            (there, cost) for there, cost in beside
            if spent + cost <= most and (crowd[there] + stack <= GROUND_LIMIT or A.blue[there])
        ]  # fmt: skip

    def stop(space: int) -> Refusal | None:
        if state.status[power] != AT_WAR and space not in A.pact_soviet:
            return Refusal("w2e-pact-moves", space=f"@{A.names[space]}")
        return None

    def why_not(here: int, there: int, spent: int) -> Refusal | None:
        return step_refusal(m, unit, here, there, spent)

    return Routes(state.space[unit], most, links, stop, why_not)


# ---- control -------------------------------------------------------------------------------------------------------
def new_owner(state: W2State, space: int, captor: int) -> int:
    """Who controls land that a power takes.  [w2e-control-ally-colour] [w2e-ussr-control]"""
    colour = COLOUR[space]
    if captor == A.ussr or colour < 0 or colour == captor:
        return captor
    if state.status[colour] == AT_WAR and A.group[colour] == A.group[captor]:
        return colour
    return captor


def set_owner(m: M, space: int, power: int) -> None:
    """Control passes; what stands there and belonged to the old owner is lost.  [w2e-control-marker]"""
    state = m.state
    state.owner[space] = power
    control_changed(m)
    m.emit(Captured(space=f"@{A.names[space]}", power=f"@{A.powers[power]}" if power < NEUTRAL else "@neutral"))


def capture(m: M, space: int, captor: int) -> None:
    """A power's ground unit takes a land space: forts, depots, airbases and flags are gone.

    [w2e-flag-capture] [w2e-supply-captured] [w2e-fortress-rules] [w2e-unit-airbase-rules] [w2e-depot-placement]
    """
    state = m.state
    old = state.owner[space]
    enemy = A.side[captor] != A.side[old] if old < NEUTRAL else True
    if enemy:
        state.fortress = changed(state.fortress, space, 0)
        state.depot = changed(state.depot, space, 0)
        if A.flag[space]:
            state.lost_flag = changed(state.lost_flag, space, 1)
        for unit in list(at(m)[space]):
            if K.cls[state.kind[unit]] == BASE and A.side[state.power[unit]] != A.side[captor]:
                m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}",
                            why="w2e-unit-airbase-rules"))  # fmt: skip
                remove(m, unit)
        for power, capital in enumerate(A.capital):
            if capital == space and A.side[power] != A.side[captor]:
                state.conquerors = changed(state.conquerors, power, captor)
        kill_leaders(m, space, 1 - A.side[captor])
    set_owner(m, space, new_owner(state, space, captor))


def enter(m: M, unit: int, space: int) -> None:
    """A ground unit has entered land: an undefended enemy space is taken at once.  [w2e-control-rights]"""
    state = m.state
    power = state.power[unit]
    if state.owner[space] == power:
        return
    if state.status[power] != AT_WAR:
        cede(m, space)
        return
    side = A.side[power]
    if control_side(state, space) == 1 - side and not has_ground(m, space, 1 - side):
        capture(m, space, power)


def cede(m: M, space: int) -> None:
    """The pact gives the USSR a space without a battle; the minor's units there are interned.  [w2e-pact-partition]"""
    state = m.state
    for unit in list(at(m)[space]):
        if state.power[unit] != A.ussr and state.cargo_of[unit] < 0:
            owner = state.power[unit]
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[owner]}" if owner < NEUTRAL else "@neutral",
                        why="w2e-pact-partition"))  # fmt: skip
            remove(m, unit)
    if A.flag[space]:
        state.lost_flag = changed(state.lost_flag, space, 1)
    minor = A.minor_of[space]
    if (
        minor >= 0
        and state.patron[minor] == NOBODY
        and all(state.owner[s] != NEUTRAL or s == space for s in A.minor_spaces[minor])
    ):
        state.patron = changed(state.patron, minor, NEUTRAL)
    set_owner(m, space, A.ussr)
