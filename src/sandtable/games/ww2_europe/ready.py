"""Which units can be given an order in a step: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Refusal

from .air import (
    pinned,
)
from .atlas import ATLAS
from .kinds import AIR, BASE, GROUND
from .state import (
    CUT_OFF,
    IN_CONVOY,
    MOVED,
    RAIDER,
    SURPRISED,
    M,
)

A = ATLAS
K = ATLAS.kinds



def on_fronts(m: M, unit: int, fronts: tuple[int, ...]) -> bool:
    """Whether a unit began the turn on one of these fronts.  [w2e-initiative-advantage] [w2e-multi-front-port]"""
    state = m.state
    chosen = state.front_choice.get(unit)
    where = A.front_of[state.home[unit]]
    return chosen in fronts if chosen is not None else any(front in fronts for front in where)


def idle_refusal(m: M, unit: int, fronts: tuple[int, ...]) -> Refusal | None:
    """Why a unit can be given no order in this step.

    [w2e-surprise-move] [w2e-cutoff-move] [w2e-movement-order] [w2e-convoy-units-no-patrol]
    """
    state = m.state
    flags, kind = state.flags[unit], state.kind[unit]
    name = f"@{K.names[kind]}"
    if state.space[unit] == IN_CONVOY:
        return Refusal("w2e-convoy-units-no-patrol", unit=name)
    if flags & MOVED:
        return Refusal("w2e-movement-path", "has-moved", unit=name)
    if flags & SURPRISED:
        return Refusal("w2e-surprise-move", unit=name)
    if flags & CUT_OFF and K.cls[kind] == GROUND:
        return Refusal("w2e-cutoff-move", unit=name)
    if not on_fronts(m, unit, fronts):
        return Refusal("w2e-movement-order", "other-front", unit=name)
    return None


class Sorted:
    """A power's units that can still be given an order in this step, by what they are."""

    __slots__ = ("air", "airborne", "bombers", "decks", "fighters", "ground", "patrol", "ships", "subs", "transports")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        state = m.state
        self.ground: list[int] = []
        self.airborne: list[int] = []
        self.air: list[int] = []
        self.bombers: list[int] = []
        self.fighters: list[int] = []
        self.subs: list[int] = []
        self.transports: list[int] = []
        self.decks: list[int] = []
        self.ships: dict[int, list[int]] = {}
        self.patrol: dict[int, list[int]] = {}
        base, cls = K.base, K.cls
        here = _fronts_flags(fronts)
        chosen = state.front_choice
        rows = zip(state.power, state.space, state.flags, state.kind, state.cargo_of, state.home, strict=True)
        for unit, (owner, space, flags, kind, ship, home) in enumerate(rows):
            if owner != power or space < 0 or flags & (MOVED | SURPRISED):
                continue
            what = cls[kind]
            if what == BASE or (flags & CUT_OFF and what == GROUND):
                continue
            if unit in chosen:
                if chosen[unit] not in fronts:
                    continue
            elif not here[home]:
                continue
            if what == GROUND:
                if ship < 0:
                    self.ground.append(unit)
                    if K.drop[kind]:
                        self.airborne.append(unit)
            elif what == AIR:
                if ship >= 0:
                    if state.kind[ship] == K.carrier:
                        self.decks.append(unit)
                    continue
                self.air.append(unit)
                if base[kind] == K.bomber:
                    self.bombers.append(unit)
                elif base[kind] == K.fighter:
                    self.fighters.append(unit)
            else:
                self.ships.setdefault(space, []).append(unit)
                if not K.must_avoid[kind]:
                    if not flags & RAIDER:
                        self.patrol.setdefault(space, []).append(unit)
                elif K.submerged[kind]:
                    self.subs.append(unit)
                else:
                    self.transports.append(unit)


@functools.cache
def _fronts_flags(fronts: tuple[int, ...]) -> tuple[bool, ...]:
    """Per space whether it lies on one of the fronts."""
    return tuple(any(front in fronts for front in found) for found in A.front_of)


def free(m: M, planes: Sequence[int]) -> list[int]:
    """Planes that no enemy planes hold at their base."""
    return [u for u in planes if pinned(m, u) is None]


def sorted_units(m: M, power: int, fronts: tuple[int, ...]) -> Sorted:
    key = ("sorted", power, fronts)
    found: Sorted | None = m.cache.get(key)
    if found is None:
        found = m.cache[key] = Sorted(m, power, fronts)
    return found
