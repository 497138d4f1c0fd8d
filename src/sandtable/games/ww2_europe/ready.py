"""Which units can be given an order in a step: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Refusal

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
    return chosen in fronts if chosen is not None else _fronts_flags(fronts)[state.home[unit]]


def idle_refusal(m: M, unit: int, fronts: tuple[int, ...]) -> Refusal | None:
    """Why a unit can be given no order in this step.

    [w2e-surprise-move] [w2e-cutoff-move] [w2e-movement-order] [w2e-convoy-units-no-patrol]
    """
    state = m.state
    flags, kind = state.flags[unit], state.kind[unit]
    name = K.told[kind]
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


def able(m: M, units: Sequence[int], fronts: tuple[int, ...], barred: int) -> list[int]:
    """Those of some units on the board that began the turn on one of these fronts and have none of the barring flags.

    One of them must be that they have moved: of those that have the fronts are not asked.
    """
    state = m.state
    spaces, flags, home, chosen = state.space, state.flags, state.home, state.front_choice
    if _is_everywhere(fronts):
        return [u for u in units if not flags[u] & barred and spaces[u] >= 0]
    here = _fronts_flags(fronts)
    return [
        u for u in units
        if not flags[u] & barred and spaces[u] >= 0 and (chosen[u] in fronts if u in chosen else here[home[u]])
    ]  # fmt: skip


_BARRED = (*(_BARRED_AFLOAT,) * 7, _BARRED_ASHORE)
"""For each of the sorts of units that a roster tells apart the flags that keep them from getting orders."""


_PART_OF = (-1, -1, 1, 1, 0, 0, 1, -1)
"""For each of them the sort that it is a part of, -1 where there is none: where no plane is free no bomber is."""


class Sorted:
    """A power's units that can still be given an order in this step, by what they are; listed when somebody asks."""

    __slots__ = ("_afloat", "_fronts", "_ground", "_m", "_planes", "_power")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self._m, self._power, self._fronts = m, power, fronts
        self._ground: list[int] | None = None
        self._afloat: list[int] | None = None
        self._planes: list[int] | None = None

    def openings(self) -> list[bool]:
        """For each of the sorts of units in the roster whether any of it that is nobody's cargo can be given an order.

        Mostly one of the first that are asked can, so nothing is listed here.
        """
        state, found = self._m.state, list[bool]()
        spaces, flags, aboard, home, chosen = state.space, state.flags, state.cargo_of, state.home, state.front_choice
        fronts, here = self._fronts, _fronts_flags(self._fronts)
        for units, barred, whole in zip(roster(self._m).sorts(self._power), _BARRED, _PART_OF, strict=True):
            if whole >= 0 and not found[whole]:
                found.append(False)
                continue
            for u in units:
                if (
                    not flags[u] & barred and spaces[u] >= 0 and aboard[u] < 0
                    and (chosen[u] in fronts if u in chosen else here[home[u]])
                ):  # fmt: skip
                    found.append(True)
                    break
            else:
                found.append(False)
        return found

    # ---- who they are
    @property
    def planes(self) -> list[int]:
        if self._planes is None:
            self._planes = self._able(roster(self._m).air[self._power])
        return self._planes

    @property
    def air(self) -> list[int]:
        """Planes on land."""
        aboard = self._m.state.cargo_of
        return [u for u in self.planes if aboard[u] < 0]

    @property
    def decks(self) -> list[int]:
        """Planes on carriers."""
        units = roster(self._m)
        if not units.carriers[self._power]:
            return []
        state = self._m.state
        spaces, flags, aboard, kinds, carrier = state.space, state.flags, state.cargo_of, state.kind, K.carrier
        found = [
            u for u in units.air[self._power]
            if aboard[u] >= 0 and not flags[u] & _BARRED_AFLOAT and spaces[u] >= 0 and kinds[aboard[u]] == carrier
        ]  # fmt: skip
        return [u for u in found if on_fronts(self._m, u, self._fronts)]

    @property
    def afloat(self) -> list[int]:
        if self._afloat is None:
            self._afloat = self._able(roster(self._m).naval[self._power])
        return self._afloat

    @property
    def bombers(self) -> list[int]:
        """Bombers on land, improved ones too."""
        return self._ashore(roster(self._m).of_kind(self._power, K.bomber), _BARRED_AFLOAT)

    @property
    def fighters(self) -> list[int]:
        return self._ashore(roster(self._m).of_kind(self._power, K.fighter), _BARRED_AFLOAT)

    @property
    def ships(self) -> dict[int, list[int]]:
        """Ships by where they are."""
        return self._by_space(self.afloat)

    @property
    def patrol(self) -> dict[int, list[int]]:
        """Ships that may patrol, by where they are."""
        flags = self._m.state.flags
        able = self._able(roster(self._m).warships[self._power])
        return self._by_space([u for u in able if not flags[u] & RAIDER])

    @property
    def subs(self) -> list[int]:
        return self._able(roster(self._m).submarines[self._power])

    @property
    def transports(self) -> list[int]:
        return self._able(roster(self._m).ferries[self._power])

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

    def _able(self, units: Sequence[int]) -> list[int]:
        """Ships and planes that can be given an order."""
        return able(self._m, units, self._fronts, _BARRED_AFLOAT)

    def _ashore(self, units: Sequence[int], barred: int) -> list[int]:
        """Those that are nobody's cargo."""
        aboard = self._m.state.cargo_of
        return [u for u in able(self._m, units, self._fronts, barred) if aboard[u] < 0]

    @property
    def ground(self) -> list[int]:
        """Ground units, aboard ships too."""
        if self._ground is None:
            self._ground = able(self._m, roster(self._m).ground[self._power], self._fronts, _BARRED_ASHORE)
        return self._ground

    @property
    def airborne(self) -> list[int]:
        """Airborne units on land."""
        return self._ashore(roster(self._m).drops[self._power], _BARRED_ASHORE)


@functools.cache
def _is_everywhere(fronts: tuple[int, ...]) -> bool:
    """Whether these are all the fronts there are."""
    return len(set(fronts)) == len(A.fronts)


@functools.cache
def _fronts_flags(fronts: tuple[int, ...]) -> tuple[bool, ...]:
    """Per space whether it lies on one of the fronts."""
    wanted = frozenset(fronts)
    return tuple(not wanted.isdisjoint(found) for found in A.front_of)


def sorted_units(m: M, power: int, fronts: tuple[int, ...]) -> Sorted:
    key = ("sorted", power, fronts)
    found: Sorted | None = m.cache.get(key)
    if found is None:
        found = m.cache[key] = Sorted(m, power, fronts)
    return found
