"""Landings and land battles: who is about to land where, and where both sides stand."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from operator import or_

from sandtable.core.facts import fact

from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY
from ..model.kinds import BASE, GROUND
from ..model.state import HOME_BOUND, ORDER_MOVE, RAIDING, W2State
from .control import control_side
from .lanes import LAND, spaces_in
from .roster import roster
from .whereabouts import at, spaces_of, whereabouts

A = ATLAS
K = ATLAS.kinds
_BUSY = RAIDING | HOME_BOUND
_UNITS = ("space", "kind", "power", "cargo_of", "flags", "task", "tasks")


@fact(*_UNITS)
def bound_for(s: W2State) -> list[tuple[int, int]]:
    """Return the cargo on ships that lie off a coast to land it, each with that land."""
    found: list[tuple[int, int]] = []
    for task in s.tasks:
        if task.order == ORDER_MOVE and task.target >= 0:
            for unit in at(s, task.end):
                ship = s.cargo_of[unit]
                if ship >= 0 and s.task[ship] == task.number:
                    found.append((unit, task.target))
    return sorted(found)


@fact(*_UNITS)
def claimed(s: W2State, side: int) -> Mapping[int, int]:
    """Return the Stack Points of ground units that a side's ships are about to land, by where."""
    found: dict[int, int] = {}
    for unit, space in bound_for(s):
        if A.side[s.power[unit]] == side and K.cls[s.kind[unit]] == GROUND:
            found[space] = found.get(space, 0) + K.stack[s.kind[unit]]
    return found


def landing_units(s: W2State, space: int, side: int) -> list[int]:
    """Return the ground units on transports that lie off this coast."""
    return [
        unit for unit, target in bound_for(s)
        if target == space and A.side[s.power[unit]] == side and K.cls[s.kind[unit]] == GROUND
        and not s.flags[s.cargo_of[unit]] & HOME_BOUND
    ]  # fmt: skip


def fighters_in(s: W2State, space: int) -> tuple[list[int], list[int]]:
    """Return the units of both sides that fight in a land space."""
    found: tuple[list[int], list[int]] = ([], [])
    for unit in at(s, space):
        side, busy = A.side[s.power[unit]], s.flags[unit] & _BUSY
        if side < 0 or s.cargo_of[unit] >= 0 or K.cls[s.kind[unit]] == BASE:
            continue
        if not busy or (busy == HOME_BOUND and s.home[unit] == space):
            found[side].append(unit)
    return found


@fact(*_UNITS, "home", "owner", "status")
def land_battles(s: W2State) -> Mapping[int, int]:
    """Return the land in which both sides stand or are about to land, with the attacker.  [w2e-battle-trigger]"""
    found: dict[int, int] = {}
    coasts = {task.target for task in s.tasks if task.order == ORDER_MOVE and task.target >= 0}
    shared = LAND
    for side in (AXIS, ALLIES):
        planes = [spaces_of(s, roster(s).air[power]) for power in A.side_powers[side]]
        shared &= functools.reduce(or_, planes, whereabouts(s).troops[side])
    for space in sorted(coasts.union(spaces_in(shared))):
        side = control_side(s, space)
        if side == NOBODY or not A.is_land[space]:
            continue
        both = fighters_in(s, space)
        here = both[1 - side] or (space in coasts and landing_units(s, space, 1 - side))
        if here and both[side]:
            found[space] = 1 - side
    return found
