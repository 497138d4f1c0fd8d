"""Which units can be given an order in a step: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Refusal

from ..facts.roster import roster
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..model.state import CUT_OFF, IN_CONVOY, MOVED, RAIDER, SURPRISED, M

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


_AIR, _NAVAL, _WARSHIPS, _SUBMARINES, _BOMBERS, _FIGHTERS, _FERRIES, _DROPS, _GROUND, _CARRIERS = range(10)
"""The sorts of units that a roster tells apart."""


_BARRED = (*(_BARRED_AFLOAT,) * 7, _BARRED_ASHORE)
"""For each of them but the last two the flags that keep them from getting orders."""


_PART_OF = (-1, -1, _NAVAL, _NAVAL, _AIR, _AIR, _NAVAL, -1)
"""For each of them the sort that it is a part of, -1 where there is none: where no plane is free no bomber is."""


def begun(m: M, power: int, fronts: tuple[int, ...]) -> tuple[list[int], ...]:
    """A power's units by sort, without those that began the turn on other fronts: the same for a whole step.

    Of ships in a port on two fronts it is asked later which one they chose; carriers are all there.
    """
    units = roster(m)
    if _is_everywhere(fronts):
        return units.sorts(power)
    home = m.state.home
    return m.kept(("begun", power, fronts), (units, home), lambda: _begun(units.sorts(power), home, fronts))


def _begun(sorts: tuple[list[int], ...], home: Sequence[int], fronts: tuple[int, ...]) -> tuple[list[int], ...]:
    here = _fronts_flags(fronts)
    found = [[u for u in units if home[u] >= 0 and here[home[u]]] for units in sorts[:_CARRIERS]]
    return (*found, sorts[_CARRIERS])


class Sorted:
    """A power's units that can still be given an order in this step, by what they are; listed when somebody asks."""

    __slots__ = ("_afloat", "_begun", "_fronts", "_ground", "_m", "_planes")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self._m, self._fronts = m, fronts
        self._begun = begun(m, power, fronts)
        self._ground: list[int] | None = None
        self._afloat: list[int] | None = None
        self._planes: list[int] | None = None

    def openings(self) -> list[bool]:
        """For each of the sorts of units in the roster whether any of it that is nobody's cargo can be given an order.

        Mostly one of the first that are asked can, so nothing is listed here.
        """
        state = self._m.state
        found: list[bool] = []
        spaces, flags, aboard, chosen = state.space, state.flags, state.cargo_of, state.front_choice
        fronts = self._fronts
        for units, barred, whole in zip(self._begun, _BARRED, _PART_OF, strict=False):
            if whole >= 0 and not found[whole]:
                found.append(False)
                continue
            for u in units:
                if (
                    not flags[u] & barred and spaces[u] >= 0 and aboard[u] < 0
                    and (u not in chosen or chosen[u] in fronts)
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
            self._planes = self._able(_AIR)
        return self._planes

    @property
    def air(self) -> list[int]:
        """Planes on land."""
        aboard = self._m.state.cargo_of
        return [u for u in self.planes if aboard[u] < 0]

    @property
    def decks(self) -> list[int]:
        """Planes on carriers."""
        if not self._begun[_CARRIERS]:
            return []
        state = self._m.state
        aboard, kinds, carrier = state.cargo_of, state.kind, K.carrier
        found = [u for u in self._begun[_AIR] if aboard[u] >= 0 and kinds[aboard[u]] == carrier]
        return self._free(found, _BARRED_AFLOAT) if found else found

    @property
    def afloat(self) -> list[int]:
        if self._afloat is None:
            self._afloat = self._able(_NAVAL)
        return self._afloat

    @property
    def bombers(self) -> list[int]:
        """Bombers on land, improved ones too."""
        return self._ashore(_BOMBERS)

    @property
    def fighters(self) -> list[int]:
        return self._ashore(_FIGHTERS)

    @property
    def ships(self) -> dict[int, list[int]]:
        """Ships by where they are."""
        return self._by_space(self.afloat)

    @property
    def patrol(self) -> dict[int, list[int]]:
        """Ships that may patrol, by where they are."""
        return self._by_space(self._free(self._begun[_WARSHIPS], _BARRED_AFLOAT | RAIDER))

    @property
    def subs(self) -> list[int]:
        return self._able(_SUBMARINES)

    @property
    def transports(self) -> list[int]:
        return self._able(_FERRIES)

    @property
    def hunters(self) -> list[int]:
        """Bombers, submarines and raiders: what Strategic Warfare is made with."""
        found = [*self.bombers, *self.subs]
        if self._m.option("raiders"):
            flags = self._m.state.flags
            found += [u for ships in self.ships.values() for u in ships if flags[u] & RAIDER]
        return found

    @property
    def ground(self) -> list[int]:
        """Ground units, aboard ships too."""
        if self._ground is None:
            self._ground = self._free(self._begun[_GROUND], _BARRED_ASHORE)
        return self._ground

    @property
    def airborne(self) -> list[int]:
        """Airborne units on land."""
        return self._ashore(_DROPS)

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

    def _able(self, sort: int) -> list[int]:
        """Those of a sort that can be given an order."""
        return self._free(self._begun[sort], _BARRED[sort])

    def _ashore(self, sort: int) -> list[int]:
        """Those that are nobody's cargo."""
        aboard = self._m.state.cargo_of
        return [u for u in self._able(sort) if aboard[u] < 0]

    def _free(self, units: Sequence[int], barred: int) -> list[int]:
        """Those without a barring flag that did not choose another front."""
        state = self._m.state
        spaces, flags, chosen = state.space, state.flags, state.front_choice
        found = [u for u in units if not flags[u] & barred and spaces[u] >= 0]
        if chosen and not chosen.keys().isdisjoint(found):
            fronts = self._fronts
            found = [u for u in found if u not in chosen or chosen[u] in fronts]
        return found


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
