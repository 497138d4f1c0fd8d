"""Amphibious Attack: bombardment, shore defence, going ashore, the supply depot."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.columns import put

from ..facts.control import control_group, control_side
from ..facts.landings import bound_for, landing_units
from ..facts.whereabouts import at, has_air, has_ground
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import GROUND, NAVAL, T_GROUND, T_SHIP, T_SUB, T_TANK, T_TRANSPORT, T_UBOAT
from ..model.state import AMPHIBIOUS, HOME_BOUND, MOVED, M
from ..model.units import put_aboard
from .fire import Shot
from .land import enter
from .politics import reinforce_surprise
from .stacking import ground_room
from .units import place

A = ATLAS
K = ATLAS.kinds


def landing_ships(m: M, space: int, side: int) -> list[int]:
    """Return all ships of the side in the waters from which the landing comes."""
    state = m.state
    waters = dict.fromkeys(state.space[state.cargo_of[u]] for u in landing_units(state, space, side))
    return [
        u for water in waters for u in at(state, water)
        if K.cls[state.kind[u]] == NAVAL and A.side[state.power[u]] == side and not state.flags[u] & HOME_BOUND
    ]  # fmt: skip


def bombard_shots(m: M, space: int, side: int, ships: Sequence[int]) -> list[Shot]:
    """Return one ship for each landing unit, the best guns first; none against a fortress.

    [w2e-stage3-bombard] [w2e-amphibious-bombard] [w2e-fortress-immune] [w2e-stage3-battleships]
    """
    state = m.state
    if state.fortress[space]:
        return []
    guns = sorted((u for u in ships if K.bombardment[state.kind[u]]), key=lambda u: -K.bombardment[state.kind[u]])
    most = len(landing_units(state, space, side)) * int(A.rules["shore_bombardment"]["ships_per_amphibious_unit"])
    return [Shot(u, K.bombardment[state.kind[u]], T_GROUND | T_TANK) for u in guns[:most]]


def defence_shots(m: M, defenders: Sequence[int]) -> list[Shot]:
    """Return two dice for each artillery against the ships.  [w2e-stage3-shore-defense] [w2e-unit-artillery-shore]"""
    state, rule = m.state, A.rules["shore_defense"]
    mask = T_SHIP | T_TRANSPORT | T_SUB | T_UBOAT
    return [
        Shot(u, int(rule["hit"]), mask)
        for u in defenders if K.anti_tank[state.kind[u]] for _ in range(int(rule["dice"]))
    ]  # fmt: skip


def go_ashore(m: M, unit: int, space: int, *, attacks: bool) -> None:
    """A unit leaves its transport; on land that the enemy controls or occupies it attacks.  [w2e-amphibious]"""
    state = m.state
    put_aboard(state, unit, NOBODY)
    state.came = put(state.came, unit, NOBODY)
    state.flags = put(state.flags, unit, state.flags[unit] & ~AMPHIBIOUS | MOVED | (AMPHIBIOUS if attacks else 0))
    place(state, unit, space)
    reinforce_surprise(m, unit, space)


def unload(m: M, space: int, side: int) -> list[int]:
    """The landing troops go ashore into the battle.  [w2e-amphibious]"""
    landed = landing_units(m.state, space, side)
    for unit in landed:
        go_ashore(m, unit, space, attacks=True)
    return landed


def quiet_landings(m: M) -> list[tuple[int, int]]:
    """Cargo goes ashore where it need not win the land first; what finds no room sails home.

    Own land under attack is reinforced before the battle. Return the enemy land that was taken, with the side.
    [w2e-transport-procedure] [w2e-battle-units]
    """
    state = m.state
    taken: dict[tuple[int, int], None] = {}
    for unit, space in bound_for(state):
        ship = state.cargo_of[unit]
        if ship < 0 or state.space[unit] < 0 or state.flags[ship] & HOME_BOUND or state.kind[ship] != K.transport:
            continue
        power = state.power[unit]
        side, ground = A.side[power], K.cls[state.kind[unit]] == GROUND
        fight = has_ground(state, space, 1 - side)
        enemy = control_side(state, space) == 1 - side
        if not enemy and control_group(state, space) != A.group[power]:
            continue
        if (not ground and (enemy or fight)) or (enemy and (fight or has_air(state, space, 1 - side))):
            continue
        if ground and ground_room(state, space, side) < K.stack[state.kind[unit]]:
            continue
        go_ashore(m, unit, space, attacks=ground and (enemy or fight))
        if enemy:
            enter(m, unit, space)
            taken[space, side] = None
    return list(taken)
