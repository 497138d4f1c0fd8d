"""What must always hold, in whatever position random play may reach."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.strongpoints import air_room
from ..model.atlas import ATLAS, NEUTRAL, NOBODY
from ..model.calendar import turn_track
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.state import AT_WAR, BOX, DEAD, HOME_BOUND, IN_CONVOY, OUT, W2State
from .combat import is_caught
from .stacking import port_limit

A = ATLAS
K = ATLAS.kinds
LIMIT = int(A.limit["ground"])


def faults(state: W2State) -> Sequence[str]:
    """Return every invariant that does not hold."""
    found: list[str] = []
    _units(state, found)
    _stacks(state, found)
    _land(state, found)
    _powers(state, found)
    _convoys(state, found)
    _cargo(state, found)
    _orders(state, found)
    _bases(state, found)
    return found


def _units(state: W2State, found: list[str]) -> None:
    kinds, spaces, powers = state.kind, state.space, state.power
    size, cls = len(A.names), K.cls
    for unit, space in enumerate(spaces):
        if space == DEAD:
            continue
        kind, power = kinds[unit], powers[unit]
        what = cls[kind]
        name = f"{K.names[kind]}#{unit}"
        if power < NEUTRAL and state.status[power] == OUT:
            found.append(f"{name} belongs to a power that is out")
        if state.damage[unit] and state.damage[unit] >= K.hits[kind]:
            found.append(f"{name} has more damage than it can bear")
        ship = state.cargo_of[unit]
        if ship >= 0:
            if spaces[ship] != space or cls[kinds[ship]] != NAVAL:
                found.append(f"{name} is not with the ship that carries it")
            elif kinds[ship] not in (K.transport, K.carrier):
                found.append(f"{name} is carried by a ship that carries nothing")
            continue
        if space == IN_CONVOY:
            if what != NAVAL or state.convoy[unit] < 0:
                found.append(f"{name} is in no convoy")
            continue
        if space < 0:
            if not BOX - max(K.build_time) <= space <= BOX:
                found.append(f"{name} is nowhere")
            continue
        if space >= size:
            found.append(f"{name} is off the board")
        elif A.is_land[space]:
            if what == NAVAL:
                found.append(f"{name} is a ship on land")
        elif what in (GROUND, BASE):
            found.append(f"{name} walks on water at {A.names[space]}")
        elif what == AIR and state.task[unit] < 0 and state.home[unit] >= 0 and A.is_water[state.home[unit]]:
            found.append(f"{name} lives over the sea")


def _stacks(state: W2State, found: list[str]) -> None:
    """Ten Stack Points of ground units for each side, at every moment."""
    load: dict[tuple[int, int], int] = {}
    for unit, space in enumerate(state.space):
        if space >= 0 and state.cargo_of[unit] < 0 and K.cls[state.kind[unit]] == GROUND:
            key = (space, A.side[state.power[unit]])
            load[key] = load.get(key, 0) + K.stack[state.kind[unit]]
    for (space, side), total in load.items():
        if total > LIMIT and not A.blue[space] and side >= 0:
            found.append(f"{total} Stack Points of one side in {A.names[space]}")


def _land(state: W2State, found: list[str]) -> None:
    for space in range(len(A.names)):
        owner = state.owner[space]
        if A.is_land[space]:
            if not 0 <= owner <= NEUTRAL:
                found.append(f"nobody controls {A.names[space]}")
            elif owner < NEUTRAL and state.status[owner] == OUT:
                found.append(f"{A.names[space]} belongs to a power that is out")
        elif owner != NOBODY:
            found.append(f"water at {A.names[space]} is controlled")
    if len(state.initiative) != len(A.fronts):
        found.append("a front has no initiative marker")
    for front, side in enumerate(state.initiative):
        if side not in (0, 1):
            found.append(f"no initiative on {A.fronts[front]}")


def _powers(state: W2State, found: list[str]) -> None:
    for power, name in enumerate(A.powers):
        if state.money[power] < 0:
            found.append(f"{name} has {state.money[power]} dollars")
        if not 0 <= state.rps[power] <= A.limits[power]["redeployment_points"]:
            found.append(f"{name} has {state.rps[power]} Redeployment Points")
        if state.rps_used[power] > max(state.rps[power], 0) + A.limits[power]["redeployment_points"]:
            found.append(f"{name} used too many Redeployment Points")
        if state.given[power] > A.rules["give_money_max"] or state.received[power] > A.rules["give_money_max"]:
            found.append(f"{name} gave or got too much")
    if not 0 <= state.turn < len(turn_track(state.scenario)):
        found.append(f"there is no turn {state.turn}")


def _convoys(state: W2State, found: list[str]) -> None:
    numbers = {convoy.number for convoy in state.convoys}
    if len(numbers) != len(state.convoys):
        found.append("two convoys have one number")
    for unit, number in enumerate(state.convoy):
        if number >= 0 and number not in numbers:
            found.append(f"unit {unit} sails in a convoy that is gone")
        elif number >= 0 and state.space[unit] != IN_CONVOY:
            found.append(f"unit {unit} is of a convoy and not in it")
    for convoy in state.convoys:
        ends = convoy.route[0], convoy.route[-1]
        if any(not A.is_port[end] for end in ends):
            found.append(f"convoy {convoy.number} does not run from port to port")


def _cargo(state: W2State, found: list[str]) -> None:
    """A transport has one load, a carrier no more planes than its air wing, and nothing else has either."""
    loads: dict[int, list[int]] = {}
    for unit, ship in enumerate(state.cargo_of):
        if ship >= 0 and state.space[unit] != DEAD:
            loads.setdefault(ship, []).append(unit)
    for ship, units in loads.items():
        kind = state.kind[ship]
        name = f"{K.names[kind]}#{ship}"
        if state.space[ship] == DEAD:
            found.append(f"{name} is sunk and still carries something")
        elif kind == K.carrier:
            if len(units) > K.air_wing[kind]:
                found.append(f"{name} has {len(units)} planes aboard")
            if any(K.base[state.kind[u]] not in (K.fighter, K.tac_bomber) for u in units):
                found.append(f"{name} carries what is no plane of a carrier")
        elif len(units) > 1:
            found.append(f"{name} has {len(units)} loads")
        if any(A.group[state.power[u]] != A.group[state.power[ship]] for u in units):
            found.append(f"{name} carries a stranger")


def _orders(state: W2State, found: list[str]) -> None:
    """Whoever has an order has a path of the turn, and lies somewhere on it or is home from it."""
    for unit, number in enumerate(state.task):
        if number < 0 or state.space[unit] == DEAD:
            continue
        name = f"{K.names[state.kind[unit]]}#{unit}"
        if number >= len(state.tasks):
            found.append(f"{name} follows an order that nobody gave")
        elif state.tasks[number].side != A.side[state.power[unit]]:
            found.append(f"{name} follows an order of the enemy")
        elif K.cls[state.kind[unit]] in (GROUND, BASE):
            found.append(f"{name} is on land and has an order at sea")


def _bases(state: W2State, found: list[str]) -> None:
    """Before the declarations of a turn every ship lies in a port and every plane on land of its own group."""
    if not state.stack or state.stack[-1].__struct_config__.tag != "declarations":  # type: ignore[attr-defined]
        return
    for unit, space in enumerate(state.space):
        power = state.power[unit]
        if space < 0 or state.cargo_of[unit] >= 0 or power == NEUTRAL or state.status[power] != AT_WAR:
            continue
        what = K.cls[state.kind[unit]]
        land = A.land_of_port[space] if what == NAVAL else space
        if land < 0 or not A.is_land[land]:
            found.append(f"{K.names[state.kind[unit]]}#{unit} has no base")
            continue
        owner = state.owner[land]
        if owner == NEUTRAL and state.vichy and what in (GROUND, BASE):
            continue  # an armistice gives it this turn to leave
        if what == GROUND and is_caught(state, land):
            continue  # it stands in a country that has just been attacked and will have to fight
        if owner >= NEUTRAL or A.group[owner] != A.group[power]:
            found.append(f"{K.names[state.kind[unit]]}#{unit} stands on land that is not its own")
    for space in set(A.ports) - _refuges(state):
        if is_caught(state, A.land_of_port[space]):
            continue  # the fleet of a small country that has just joined finds more room at the end of the turn
        load = [0, 0]
        for unit, where in enumerate(state.space):
            if where == space and K.cls[state.kind[unit]] == NAVAL and state.power[unit] < NEUTRAL:
                load[A.side[state.power[unit]]] += K.stack[state.kind[unit]]
        if max(load) > port_limit(state, space) and state.turn:
            found.append(f"{max(load)} Stack Points of ships in {A.names[space]}")
    _air_bases(state, found)


def _refuges(state: W2State) -> set[int]:
    """Bases that took in who lost their own to an armistice this turn: they may be crowded until its end."""
    return {space for space, flags in zip(state.space, state.flags, strict=True) if flags & HOME_BOUND}


def _air_bases(state: W2State, found: list[str]) -> None:
    """After the limits of the last turn were enforced no base holds more planes than it can."""
    if not state.turn:
        return
    load: dict[tuple[int, int], int] = {}
    bases, refuges = set(), _refuges(state)
    for unit, space in enumerate(state.space):
        if space < 0 or state.cargo_of[unit] >= 0 or state.power[unit] == NEUTRAL:
            continue
        what = K.cls[state.kind[unit]]
        if what == BASE:
            bases.add(space)
        elif what == AIR and space not in refuges:
            key = (space, A.side[state.power[unit]])
            load[key] = load.get(key, 0) + K.stack[state.kind[unit]]
    for (space, _), total in load.items():
        if A.is_land[space] and total > air_room(state, space, space in bases):
            found.append(f"{total} Stack Points of planes in {A.names[space]}")
