"""Which units can be given an order in a part of the Movement phase: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal

from ..facts.fronts import (
    AIRBORNE,
    BOMBERS,
    CARRIERS,
    FERRIES,
    FIGHTERS,
    GROUND_UNITS,
    PLANES,
    SHIPS,
    SUBMARINES,
    WARSHIPS,
    begun,
    on_fronts,
)
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..model.state import CUT_OFF, IN_CONVOY, MOVED, RAIDER, SURPRISED, W2State

K = ATLAS.kinds
BARRED = tuple(MOVED | SURPRISED | (CUT_OFF if what == GROUND else 0) for what in K.cls)
"""Per kind the flags that keep a unit from getting orders.  [w2e-surprise-move] [w2e-cutoff-move]"""
_REASONS = (
    (MOVED, "w2e-movement-path", "has-moved"),
    (SURPRISED, "w2e-surprise-move", ""),
    (CUT_OFF, "w2e-cutoff-move", ""),
)


def idle_refusal(s: W2State, unit: int, fronts: tuple[int, ...]) -> Refusal | None:
    """Why a unit can be given no order in this step.

    [w2e-surprise-move] [w2e-cutoff-move] [w2e-movement-order] [w2e-convoy-units-no-patrol]
    """
    kind = s.kind[unit]
    if s.space[unit] == IN_CONVOY:
        return Refusal("w2e-convoy-units-no-patrol", unit=K.told[kind])
    barring = s.flags[unit] & BARRED[kind]
    for flag, rule, reason in _REASONS if barring else ():
        if barring & flag:
            return Refusal(rule, reason, unit=K.told[kind])
    if not on_fronts(s, unit, fronts):
        return Refusal("w2e-movement-order", "other-front", unit=K.told[kind])
    return None


_AFLOAT, _ASHORE = BARRED[K.transport], BARRED[K.airborne]
_BARRED = (*(_AFLOAT,) * 7, _ASHORE)
"""For each sort of units but the last two the flags that keep them from getting orders."""
_PART_OF = (-1, -1, SHIPS, SHIPS, PLANES, PLANES, SHIPS, -1)
"""For each of them the sort that it is a part of, -1 where there is none: where no plane is free no bomber is."""


class Movers:
    """A power's units that can still be given an order in this step, by what they are; listed when somebody asks."""

    def __init__(self, s: W2State, power: int, fronts: tuple[int, ...]) -> None:
        self._s, self.fronts = s, fronts
        self._begun = begun(s, power, fronts)

    def openings(self) -> list[bool]:
        """Return for each sort of units whether any that is nobody's cargo can be given an order.

        Mostly one of the first that are asked can, so nothing is listed here.
        """
        s, fronts = self._s, self.fronts
        found: list[bool] = []
        spaces, flags, aboard, chosen = s.space, s.flags, s.cargo_of, s.front_choice
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
    def air(self) -> list[int]:
        """Planes on land."""
        return self._ashore(PLANES)

    @property
    def decks(self) -> list[int]:
        """Planes on carriers."""
        if not self._begun[CARRIERS]:
            return []
        aboard, kinds = self._s.cargo_of, self._s.kind
        found = [u for u in self._begun[PLANES] if aboard[u] >= 0 and kinds[aboard[u]] == K.carrier]
        return self._free(found, _AFLOAT) if found else found

    @property
    def bombers(self) -> list[int]:
        """Bombers on land, improved ones too."""
        return self._ashore(BOMBERS)

    @property
    def fighters(self) -> list[int]:
        """Fighters on land, improved ones too."""
        return self._ashore(FIGHTERS)

    @property
    def ships(self) -> dict[int, list[int]]:
        """Ships by where they are."""
        return self._by_space(self._able(SHIPS))

    @property
    def patrol(self) -> dict[int, list[int]]:
        """Ships that may patrol, by where they are."""
        return self._by_space(self._free(self._begun[WARSHIPS], _AFLOAT | RAIDER))

    @property
    def submarines(self) -> list[int]:
        """Submarines."""
        return self._able(SUBMARINES)

    @property
    def transports(self) -> list[int]:
        """Transports."""
        return self._able(FERRIES)

    @property
    def hunters(self) -> list[int]:
        """Bombers, submarines and raiders: what Strategic Warfare is made with."""
        found = [*self.bombers, *self.submarines]
        if self._s.options.get("raiders"):
            flags = self._s.flags
            found += [u for ships in self.ships.values() for u in ships if flags[u] & RAIDER]
        return found

    @property
    def ground(self) -> list[int]:
        """Ground units, aboard ships too."""
        return self._free(self._begun[GROUND_UNITS], _ASHORE)

    @property
    def airborne(self) -> list[int]:
        """Airborne units on land."""
        return self._ashore(AIRBORNE)

    def _by_space(self, units: Sequence[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for unit in units:
            found.setdefault(self._s.space[unit], []).append(unit)
        return found

    def _able(self, sort: int) -> list[int]:
        """Return those of a sort that can be given an order."""
        return self._free(self._begun[sort], _BARRED[sort])

    def _ashore(self, sort: int) -> list[int]:
        """Return those that are nobody's cargo."""
        aboard = self._s.cargo_of
        return [u for u in self._able(sort) if aboard[u] < 0]

    def _free(self, units: Sequence[int], barred: int) -> list[int]:
        """Return those without a barring flag that did not choose another front."""
        spaces, flags, chosen = self._s.space, self._s.flags, self._s.front_choice
        found = [u for u in units if not flags[u] & barred and spaces[u] >= 0]
        if chosen and not chosen.keys().isdisjoint(found):
            fronts = self.fronts
            found = [u for u in found if u not in chosen or chosen[u] in fronts]
        return found
