"""Amphibious Attack: bombardment, shore defence, going ashore, the supply depot."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.columns import put

from ..facts.control import control_side
from ..facts.landings import bound_for, landing_units
from ..facts.whereabouts import at, has_ground
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import GROUND, NAVAL, T_GROUND, T_SHIP, T_SUB, T_TANK, T_TRANSPORT, T_UBOAT
from ..model.state import AMPHIBIOUS, HOME_BOUND, MOVED, NEWLY_LANDED, SURPRISED, M
from ..model.units import mark, put_aboard
from .fire import Shot
from .land import enter
from .stacking import ground_room
from .units import place

A = ATLAS
K = ATLAS.kinds


def landing_ships(m: M, space: int, side: int) -> list[int]:
    """All ships of the side in the waters from which the landing comes."""
    state = m.state
    waters = dict.fromkeys(state.space[state.cargo_of[u]] for u in landing_units(state, space, side))
    return [
        u for water in waters for u in at(state, water)
        if K.cls[state.kind[u]] == NAVAL and A.side[state.power[u]] == side and not state.flags[u] & HOME_BOUND
    ]  # fmt: skip


def bombard_shots(m: M, space: int, side: int, ships: Sequence[int]) -> list[Shot]:
    """One ship for each landing unit, the best guns first; none against a fortress.

    [w2e-stage3-bombard] [w2e-amphibious-bombard] [w2e-fortress-immune] [w2e-stage3-battleships]
    """
    state = m.state
    if state.fortress[space]:
        return []
    guns = sorted((u for u in ships if K.bombardment[state.kind[u]]), key=lambda u: -K.bombardment[state.kind[u]])
    most = len(landing_units(state, space, side)) * int(A.rules["shore_bombardment"]["ships_per_amphibious_unit"])
    return [Shot(u, K.bombardment[state.kind[u]], T_GROUND | T_TANK) for u in guns[:most]]


def defence_shots(m: M, defenders: Sequence[int]) -> list[Shot]:
    """Two dice for each artillery against the ships.  [w2e-stage3-shore-defense] [w2e-unit-artillery-shore]"""
    state, rule = m.state, A.rules["shore_defense"]
    mask = T_SHIP | T_TRANSPORT | T_SUB | T_UBOAT
    return [
        Shot(u, int(rule["hit"]), mask)
        for u in defenders if K.anti_tank[state.kind[u]] for _ in range(int(rule["dice"]))
    ]  # fmt: skip


def go_ashore(m: M, unit: int, space: int) -> None:
    state = m.state
    put_aboard(state, unit, NOBODY)
    state.came = put(state.came, unit, NOBODY)
    mark(state, unit, NEWLY_LANDED | MOVED)
    place(state, unit, space)


def unload(m: M, space: int, side: int) -> list[int]:
    """The landing troops go ashore into the battle.  [w2e-amphibious]"""
    landed = landing_units(m.state, space, side)
    for unit in landed:
        go_ashore(m, unit, space)
        mark(m.state, unit, AMPHIBIOUS)
    return landed


def quiet_landings(m: M) -> None:
    """Cargo whose coast is friendly goes ashore without a fight; what finds no room sails home."""
    state = m.state
    for unit, space in bound_for(state):
        ship = state.cargo_of[unit]
        if ship < 0 or state.space[unit] < 0 or state.flags[ship] & HOME_BOUND or state.kind[ship] != K.transport:
            continue
        side = A.side[state.power[unit]]
        ground = K.cls[state.kind[unit]] == GROUND
        hostile = has_ground(state, space, 1 - side)
        enemy = control_side(state, space) == 1 - side
        if hostile or (enemy and (not ground or _enemy_units(m, space, side))):
            continue
        if ground and ground_room(state, space, side) < K.stack[state.kind[unit]]:
            continue
        go_ashore(m, unit, space)
        if ground and enemy:
            mark(state, unit, AMPHIBIOUS)
            enter(m, unit, space)
            state.landed_on = put(state.landed_on, space, state.power[unit])
        elif ground and _is_attacked(m, space):
            mark(state, unit, SURPRISED)


def _enemy_units(m: M, space: int, side: int) -> bool:
    return any(A.side[m.state.power[u]] == 1 - side for u in at(m.state, space))


def _is_attacked(m: M, space: int) -> bool:
    return A.minor_of[space] in m.state.attacked
