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
    W2State,
)

A = ATLAS
K = ATLAS.kinds


def on_fronts(m: M, unit: int, fronts: tuple[int, ...]) -> bool:
    """Whether a unit began the turn on one of these fronts.  [w2e-initiative-advantage] [w2e-multi-front-port]"""
    state = m.state
    chosen = state.front_choice.get(unit)
    return chosen in fronts if chosen is not None else _fronts_flags(fronts)[state.home[unit]]


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


_BARRED_AFLOAT = MOVED | SURPRISED
_BARRED_ASHORE = MOVED | SURPRISED | CUT_OFF
"""Flags of units that get no orders: ships and planes, ground units."""


class Sorted:
    """A power's units that can still be given an order in this step, by what they are; listed when somebody asks."""

    __slots__ = ("_afloat", "_fronts", "_ground", "_m", "_planes", "_power", "_units")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self._m, self._power, self._fronts, self._units = m, power, fronts, roster(m)
        self._ground: list[int] | None = None
        self._afloat: list[int] | None = None
        self._planes: list[int] | None = None

    # ---- whether there are any
    @property
    def can_fly(self) -> bool:
        """Whether any plane on land can be given an order."""
        return self._any(self._units.air[self._power])

    @property
    def can_bomb(self) -> bool:
        return self._any(self._units.of_kind(self._power, K.bomber))

    @property
    def can_escort(self) -> bool:
        return self._any(self._units.of_kind(self._power, K.fighter))

    @property
    def can_drop(self) -> bool:
        return self._any(self._units.drops[self._power], _BARRED_ASHORE)

    @property
    def can_sail(self) -> bool:
        return self._any(self._units.naval[self._power])

    @property
    def can_patrol(self) -> bool:
        """Whether any warship can be given an order."""
        return self._any(self._units.warships[self._power])

    @property
    def can_dive(self) -> bool:
        return self._any(self._units.submarines[self._power])

    @property
    def can_ferry(self) -> bool:
        return self._any(self._units.ferries[self._power])

    def _any(self, units: Sequence[int], barred: int = _BARRED_AFLOAT) -> bool:
        """Whether any of these that are nobody's cargo can be given an order: mostly the first one asked can."""
        state = self._m.state
        spaces, flags, aboard, home = state.space, state.flags, state.cargo_of, state.home
        fronts, chosen = self._fronts, state.front_choice
        here = _fronts_flags(fronts)
        for u in units:
            if (
                spaces[u] >= 0 and not flags[u] & barred and aboard[u] < 0
                and (chosen[u] in fronts if u in chosen else here[home[u]])
            ):  # fmt: skip
                return True
        return False

    # ---- who they are
    @property
    def planes(self) -> list[int]:
        if self._planes is None:
            self._planes = self._able(self._units.air[self._power], _BARRED_AFLOAT)
        return self._planes

    @property
    def air(self) -> list[int]:
        """Planes on land."""
        aboard = self._m.state.cargo_of
        return [u for u in self.planes if aboard[u] < 0]

    @property
    def decks(self) -> list[int]:
        """Planes on carriers."""
        if not self._units.carriers[self._power]:
            return []
        kinds, aboard, carrier = self._m.state.kind, self._m.state.cargo_of, K.carrier
        return [u for u in self.planes if aboard[u] >= 0 and kinds[aboard[u]] == carrier]

    @property
    def afloat(self) -> list[int]:
        if self._afloat is None:
            self._afloat = self._able(self._units.naval[self._power], _BARRED_AFLOAT)
        return self._afloat

    @property
    def bombers(self) -> list[int]:
        """Bombers on land, improved ones too."""
        return self._ashore(self._units.of_kind(self._power, K.bomber), _BARRED_AFLOAT)

    @property
    def fighters(self) -> list[int]:
        return self._ashore(self._units.of_kind(self._power, K.fighter), _BARRED_AFLOAT)

    @property
    def ships(self) -> dict[int, list[int]]:
        """Ships by where they are."""
        return self._by_space(self.afloat)

    @property
    def patrol(self) -> dict[int, list[int]]:
        """Ships that may patrol, by where they are."""
        flags = self._m.state.flags
        able = self._able(self._units.warships[self._power], _BARRED_AFLOAT)
        return self._by_space([u for u in able if not flags[u] & RAIDER])

    @property
    def subs(self) -> list[int]:
        return self._able(self._units.submarines[self._power], _BARRED_AFLOAT)

    @property
    def transports(self) -> list[int]:
        return self._able(self._units.ferries[self._power], _BARRED_AFLOAT)

    @property
    def hunters(self) -> list[int]:
        """Bombers, submarines and raiders: what Strategic Warfare is made with."""
        found = [*self.bombers, *self.subs]
        if self._m.option("raiders"):
            flags = self._m.state.flags
            found += [u for ships in self.ships.values() for u in ships if flags[u] & RAIDER]
        return found

    def _by_space(self, units: Sequence[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        spaces = self._m.state.space
        for unit in units:
            space = spaces[unit]
            if space in found:
                found[space].append(unit)
            else:
                found[space] = [unit]
        return found

    def _able(self, units: Sequence[int], barred: int) -> list[int]:
        return able_units(self._m.state, units, barred, self._fronts)

    def _ashore(self, units: Sequence[int], barred: int) -> list[int]:
        """Those that are nobody's cargo."""
        cargo_of = self._m.state.cargo_of
        return [u for u in self._able(units, barred) if cargo_of[u] < 0]

    @property
    def ground(self) -> list[int]:
        """Ground units on land."""
        if self._ground is None:
            self._ground = self._ashore(self._units.ground[self._power], _BARRED_ASHORE)
        return self._ground

    @property
    def airborne(self) -> list[int]:
        """Airborne units on land."""
        return self._ashore(self._units.drops[self._power], _BARRED_ASHORE)


def able_units(state: W2State, units: Sequence[int], barred: int, fronts: tuple[int, ...]) -> list[int]:
    """Units on the board, without these flags, that began the turn on one of the fronts."""
    here, chosen = _fronts_flags(fronts), state.front_choice
    spaces, flags, home = state.space, state.flags, state.home
    if not chosen:
        return [u for u in units if spaces[u] >= 0 and not flags[u] & barred and here[home[u]]]
    return [
        u for u in units if spaces[u] >= 0 and not flags[u] & barred
        and (chosen[u] in fronts if u in chosen else here[home[u]])
    ]  # fmt: skip


@functools.cache
def _fronts_flags(fronts: tuple[int, ...]) -> tuple[bool, ...]:
    """Per space whether it lies on one of the fronts."""
    wanted = frozenset(fronts)
    return tuple(not wanted.isdisjoint(found) for found in A.front_of)


def free(m: M, planes: Sequence[int]) -> list[int]:
    """Planes that no enemy planes hold at their base."""
    return [u for u in planes if pinned(m, u) is None]


def sorted_units(m: M, power: int, fronts: tuple[int, ...]) -> Sorted:
    key = ("sorted", power, fronts)
    found: Sorted | None = m.cache.get(key)
    if found is None:
        found = m.cache[key] = Sorted(m, power, fronts)
    return found
