"""Which units can be given an order in a step: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Refusal

from .air import (
    pinned,
)
from .atlas import ATLAS
from .kinds import GROUND
from .roster import roster
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

    __slots__ = ("_fronts", "_ground", "_m", "_power", "air", "bombers", "decks", "fighters", "patrol", "ships",
                 "subs", "transports")  # fmt: skip

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self._m, self._power, self._fronts = m, power, fronts
        self._ground: list[int] | None = None
        state, units = m.state, roster(m)
        self.air: list[int] = []
        self.bombers: list[int] = []
        self.fighters: list[int] = []
        self.subs: list[int] = []
        self.transports: list[int] = []
        self.decks: list[int] = []
        self.ships: dict[int, list[int]] = {}
        self.patrol: dict[int, list[int]] = {}
        base, kinds, spaces = K.base, state.kind, state.space
        bomber, fighter, carrier = K.bomber, K.fighter, K.carrier
        for unit in self._able(units.air[power], MOVED | SURPRISED):
            ship = state.cargo_of[unit]
            if ship >= 0:
                if kinds[ship] == carrier:
                    self.decks.append(unit)
                continue
            self.air.append(unit)
            what = base[kinds[unit]]
            if what == bomber:
                self.bombers.append(unit)
            elif what == fighter:
                self.fighters.append(unit)
        for unit in self._able(units.naval[power], MOVED | SURPRISED):
            kind, space = kinds[unit], spaces[unit]
            self.ships.setdefault(space, []).append(unit)
            if not K.must_avoid[kind]:
                if not state.flags[unit] & RAIDER:
                    self.patrol.setdefault(space, []).append(unit)
            elif K.submerged[kind]:
                self.subs.append(unit)
            else:
                self.transports.append(unit)

    def _able(self, units: Sequence[int], barred: int) -> list[int]:
        """Units on the board, without these flags, that began the turn on one of the fronts."""
        state, fronts = self._m.state, self._fronts
        here, chosen = _fronts_flags(fronts), state.front_choice
        spaces, flags, home = state.space, state.flags, state.home
        if not chosen:
            return [u for u in units if spaces[u] >= 0 and not flags[u] & barred and here[home[u]]]
        return [
            u for u in units if spaces[u] >= 0 and not flags[u] & barred
            and (chosen[u] in fronts if u in chosen else here[home[u]])
        ]  # fmt: skip

    @property
    def ground(self) -> list[int]:
        """Ground units on land, looked for when somebody asks."""
        if self._ground is None:
            cargo_of = self._m.state.cargo_of
            able = self._able(roster(self._m).ground[self._power], MOVED | SURPRISED | CUT_OFF)
            self._ground = [u for u in able if cargo_of[u] < 0]
        return self._ground

    def airborne(self) -> list[int]:
        """Airborne units on land."""
        kinds, cargo_of = self._m.state.kind, self._m.state.cargo_of
        drops = [u for u in roster(self._m).ground[self._power] if K.drop[kinds[u]] and cargo_of[u] < 0]
        return self._able(drops, MOVED | SURPRISED | CUT_OFF)


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
