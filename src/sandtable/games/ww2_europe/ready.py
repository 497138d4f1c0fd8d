"""Which units can be given an order in a step: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Refusal

from .air import (
    pinned,
)
from .atlas import ATLAS
from .kinds import GROUND, NAVAL
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


PATROLS = frozenset(kind for kind, shy in enumerate(K.must_avoid) if K.cls[kind] == NAVAL and not shy)
SUBS = frozenset(kind for kind, shy in enumerate(K.must_avoid) if shy and K.submerged[kind])
TRANSPORTS = frozenset(kind for kind, shy in enumerate(K.must_avoid) if shy and not K.submerged[kind])
"""Kinds of ships: those that seek battle, and those that must avoid it."""


class Sorted:
    """A power's units that can still be given an order in this step, by what they are."""

    __slots__ = ("_fronts", "_ground", "_m", "_power", "afloat", "air", "decks", "kinds_afloat")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self._m, self._power, self._fronts = m, power, fronts
        self._ground: list[int] | None = None
        state, units = m.state, roster(m)
        kinds, aboard, carrier = state.kind, state.cargo_of, K.carrier
        planes = self._able(units.air[power], MOVED | SURPRISED)
        self.air = [u for u in planes if aboard[u] < 0]
        """Planes on land."""
        self.decks = [u for u in planes if aboard[u] >= 0 and kinds[aboard[u]] == carrier]
        """Planes on carriers."""
        self.afloat = self._able(units.naval[power], MOVED | SURPRISED)
        self.kinds_afloat = {kinds[u] for u in self.afloat}

    @property
    def bombers(self) -> list[int]:
        """Bombers on land, improved ones too."""
        return self._planes(K.bomber)

    @property
    def fighters(self) -> list[int]:
        return self._planes(K.fighter)

    def _planes(self, base: int) -> list[int]:
        kinds, base_of = self._m.state.kind, K.base
        return [u for u in self.air if base_of[kinds[u]] == base]

    @property
    def ships(self) -> dict[int, list[int]]:
        """Ships by where they are."""
        return self._by_space(self.afloat)

    @property
    def patrol(self) -> dict[int, list[int]]:
        """Ships that may patrol, by where they are."""
        flags = self._m.state.flags
        return self._by_space([u for u in self._of_kinds(PATROLS) if not flags[u] & RAIDER])

    @property
    def subs(self) -> list[int]:
        return self._of_kinds(SUBS)

    @property
    def transports(self) -> list[int]:
        return self._of_kinds(TRANSPORTS)

    def _of_kinds(self, wanted: frozenset[int]) -> list[int]:
        kinds = self._m.state.kind
        return [u for u in self.afloat if kinds[u] in wanted]

    @property
    def hunters(self) -> list[int]:
        """Bombers, submarines and raiders: what Strategic Warfare is made with."""
        flags = self._m.state.flags
        raiders = [u for ships in self.ships.values() for u in ships if flags[u] & RAIDER]
        return [*self.bombers, *self.subs, *raiders]

    def _by_space(self, units: Sequence[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        spaces = self._m.state.space
        for unit in units:
            found.setdefault(spaces[unit], []).append(unit)
        return found

    def _able(self, units: Sequence[int], barred: int) -> list[int]:
        return able_units(self._m.state, units, barred, self._fronts)

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
        cargo_of = self._m.state.cargo_of
        drops = self._able(roster(self._m).drops[self._power], MOVED | SURPRISED | CUT_OFF)
        return [u for u in drops if cargo_of[u] < 0]


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
