"""Land Movement: where a ground unit may go, what it costs, and what happens to land that is entered."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put, put_all

from ..facts.access import entry_bar, shut_land
from ..facts.control import control_side
from ..facts.landings import bound_for, claimed
from ..facts.names import unit_name
from ..facts.whereabouts import at, ground_of_side, has_air, has_ground, whereabouts
from ..facts.winter import in_russian_winter
from ..model.atlas import ALLIES, ATLAS, AXIS, MOUNTAIN, NEUTRAL, NOBODY, WOODLAND
from ..model.events import Captured, Lost
from ..model.kinds import BASE
from ..model.state import AT_WAR, M, W2State
from .leaders import kill_leaders
from .routes import Routes
from .stacking import GROUND_LIMIT, crowded
from .terrain import HEAVY, can_stand, terrain_refusal
from .units import remove

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


def points(s: W2State, unit: int) -> int:
    """Return a ground unit's Movement Points this phase.  [w2e-winter-move]"""
    most = K.movement[s.kind[unit]]
    return min(_WINTER, most) if in_russian_winter(s, A.side[s.power[unit]], s.space[unit]) else most


_WINTER = int(A.rules["russian_winter"]["axis_ground_movement"])
_ROUGH = int(A.rules["movement_cost"]["enemy_woodland_tank_mech"])


def entry_cost(s: W2State, kind: int, space: int, side: int, border: int) -> int:
    """Return the points to cross a border into a space.

    [w2e-border-black] [w2e-terrain-woodland] [w2e-terrain-mountain]
    """
    if HEAVY[kind] and A.terrain[space] & (WOODLAND | MOUNTAIN) and control_side(s, space) == 1 - side:
        return max(border, _ROUGH)
    return border


def may_not_enter(s: W2State, power: int, space: int) -> Refusal | None:
    """Why politics keeps a power's ground units out of a space."""
    rule = entry_bar(s, power, s.owner[space], space)
    return Refusal(rule, space=A.told[space]) if rule else None


def shared_refusal(s: W2State, power: int, space: int) -> Refusal | None:
    """Why a power's ground units may not join a fight: Soviets and western Allies attack no space together.

    One of them would control it, and the other's units may not be there. Of an empty space who comes first has it.
    [w2e-ussr-separate]
    """
    held = has_ground(s, space, AXIS) or has_air(s, space, AXIS)
    if A.side[power] != ALLIES or control_side(s, space) != AXIS or not held:
        return None
    landing = [unit for unit, target in bound_for(s) if target == space and A.side[s.power[unit]] == ALLIES]
    if all(A.group[s.power[unit]] == A.group[power] for unit in (*ground_of_side(s, space, ALLIES), *landing)):
        return None
    return Refusal("w2e-ussr-separate", "shared-attack", space=A.told[space])


def may_leave(s: W2State, unit: int, here: int, spent: int) -> bool:
    """Whether a ground unit may march on: enemy ground units stop it.  [w2e-ground-stop-enemy]"""
    power = s.power[unit]
    if not has_ground(s, here, 1 - A.side[power]):
        return True
    return here == s.home[unit] and not spent and s.status[power] != AT_WAR


BORDER = {(here, there): cost for here, row in enumerate(A.land_links) for there, cost, _ in row}


def step_refusal(s: W2State, unit: int, here: int, there: int, spent: int) -> Refusal | None:
    """Why a ground unit may not take this step of its path; None where it may."""
    power, kind, side = s.power[unit], s.kind[unit], A.side[s.power[unit]]
    border = BORDER.get((here, there), NOBODY)
    if border < 0:
        return Refusal("w2e-unit-ground", "not-adjacent", here=A.told[here], there=A.told[there])
    if not may_leave(s, unit, here, spent):
        return Refusal("w2e-ground-stop-enemy", space=A.told[here])
    found = may_not_enter(s, power, there) or shared_refusal(s, power, there) or terrain_refusal(kind, there)
    if found is not None:
        return found
    need = spent + entry_cost(s, kind, there, side, border)
    if need > points(s, unit):
        return Refusal("w2e-movement-path", need=need, have=points(s, unit))
    return crowded(s, there, side, K.stack[kind], passing=True)


def march_routes(m: M, unit: int) -> Routes:
    """Return the paths a ground unit may declare.  [w2e-movement-path] [w2e-ground-stop-enemy]"""
    s = m.state
    side, kind, power = A.side[s.power[unit]], s.kind[unit], s.power[unit]
    stack, most, shut = K.stack[kind], points(s, unit), shut_land(s, power)
    crowd, enemy, landing = whereabouts(s).ground[side], whereabouts(s).ground[1 - side], claimed(s, side)

    def links(here: int, spent: int) -> list[tuple[int, int]]:
        """Return the steps that `step_refusal` has nothing against; the cheapest questions come first."""
        if spent >= most or (enemy[here] and not may_leave(s, unit, here, spent)):
            return []
        beside = [
            (there, cost) for there, cost, _ in A.land_links[here]
            if there not in shut and (crowd[there] + stack <= GROUND_LIMIT or A.blue[there])
            and not (side == ALLIES and (crowd[there] or there in landing) and shared_refusal(s, power, there))
        ]  # fmt: skip
        if HEAVY[kind]:
            beside = [(t, entry_cost(s, kind, t, side, cost)) for t, cost in beside if can_stand(kind, t)]
        return [(there, cost) for there, cost in beside if spent + cost <= most]

    def stop(space: int) -> Refusal | None:
        if s.status[power] != AT_WAR and space not in A.pact_soviet:
            return Refusal("w2e-pact-moves", space=A.told[space])
        return crowded(s, space, side, stack) if space in landing else None

    def why_not(here: int, there: int, spent: int) -> Refusal | None:
        return step_refusal(s, unit, here, there, spent)

    return Routes(s.space[unit], most, links, stop, why_not)


# ---- control -------------------------------------------------------------------------------------------------------
def new_owner(state: W2State, space: int, captor: int) -> int:
    """Return who controls land that a power takes.  [w2e-control-ally-colour] [w2e-ussr-control]"""
    colour = COLOUR[space]
    if captor == A.ussr or colour < 0 or colour == captor:
        return captor
    if state.status[colour] == AT_WAR and A.group[colour] == A.group[captor]:
        return colour
    return captor


def set_owner(m: M, space: int, power: int) -> None:
    """Pass control of land to a power, or to the neutrals.  [w2e-control-marker]"""
    m.state.owner = put_all(m.state.owner, (space,), power)
    m.emit(Captured(space=A.told[space], power=f"@{A.powers[power]}" if power < NEUTRAL else "@neutral"))


def raze(s: W2State, space: int) -> None:
    """The enemy takes a land space: its fortress, depot and flag are gone for good.

    [w2e-flag-capture] [w2e-supply-captured] [w2e-fortress-rules] [w2e-depot-placement]
    """
    if s.fortress[space]:
        s.fortress, s.lost_fortress = put(s.fortress, space, 0), put(s.lost_fortress, space, 1)
    s.depot = put(s.depot, space, 0)
    if A.flag[space]:
        s.lost_flag = put(s.lost_flag, space, 1)


def capture(m: M, space: int, captor: int) -> None:
    """A power's ground unit takes a land space; enemy airbases there are gone.  [w2e-unit-airbase-rules]"""
    state = m.state
    old = state.owner[space]
    enemy = A.side[captor] != A.side[old] if old < NEUTRAL else True
    if enemy:
        raze(state, space)
        for unit in at(state, space):
            if K.cls[state.kind[unit]] == BASE and A.side[state.power[unit]] != A.side[captor]:
                m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}",
                            why="w2e-unit-airbase-rules"))  # fmt: skip
                remove(state, unit)
        kill_leaders(m, space, 1 - A.side[captor])
    set_owner(m, space, new_owner(state, space, captor))


def enter(m: M, unit: int, space: int) -> None:
    """A ground unit has entered land: an enemy space that nobody occupies is taken at once.

    Planes do not stop it, but they occupy their base: it has to be won in battle.
    [w2e-control-rights] [w2e-attacker-defender]
    """
    state = m.state
    power = state.power[unit]
    if state.owner[space] == power:
        return
    if state.status[power] != AT_WAR:
        cede(m, space)
        return
    side = A.side[power]
    held = has_ground(state, space, 1 - side) or has_air(state, space, 1 - side)
    if control_side(state, space) == 1 - side and not held:
        capture(m, space, power)


def cede(m: M, space: int) -> None:
    """The pact gives the USSR a space without a battle; the minor's units there are interned.  [w2e-pact-partition]"""
    state = m.state
    for unit in at(state, space):
        if state.power[unit] != A.ussr and state.cargo_of[unit] < 0:
            owner = state.power[unit]
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[owner]}" if owner < NEUTRAL else "@neutral",
                        why="w2e-pact-partition"))  # fmt: skip
            remove(state, unit)
    if A.flag[space]:
        state.lost_flag = put(state.lost_flag, space, 1)
    set_owner(m, space, A.ussr)
    give_up(state, A.minor_of[space])


def give_up(s: W2State, minor: int) -> None:
    """A neutral minor whose last land the pact has given away joins nobody any more."""
    if s.patron[minor] == NOBODY and all(s.owner[space] != NEUTRAL for space in A.minor_spaces[minor]):
        s.patron = put(s.patron, minor, NEUTRAL)
