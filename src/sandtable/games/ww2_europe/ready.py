"""Which units can be given an order in a step: fronts, Surprise, Cut Off, and what they are."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from sandtable.core import Refusal

from .atlas import ATLAS
from .kinds import AIR, GROUND
from .roster import Roster, kind_row, roster
from .state import (
    CUT_OFF,
    IN_CONVOY,
    MOVED,
    RAIDER,
    SURPRISED,
    M,
)
from .whereabouts import index

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


class Stationed:
    """A power's units that began the turn on some fronts, by the tables of the roster; asked for again and again.

    Only of units that have not moved: of the others it does not know which front they chose.
    """

    __slots__ = ("_chosen", "_fronts", "_home", "_known", "_power", "_units")

    def __init__(
        self, home: Sequence[int], chosen: Mapping[int, int], units: Roster, power: int, fronts: tuple[int, ...]
    ) -> None:
        self._home, self._chosen = home, chosen
        self._units, self._power, self._fronts = units, power, fronts
        self._known: dict[tuple[str, int], list[int]] = {}

    def of(self, table: str, row: int = -1) -> list[int]:
        """Those in the power's list of a table, or in another one of it."""
        row = self._power if row < 0 else row
        found = self._known.get((table, row))
        if found is None:
            home, chosen, fronts, here = self._home, self._chosen, self._fronts, _fronts_flags(self._fronts)
            all_of_them = self._units.table(table)[row]
            found = self._known[table, row] = all_of_them if _is_everywhere(fronts) else [
                u for u in all_of_them
                if (chosen[u] in fronts if u in chosen else home[u] >= 0 and here[home[u]])
            ]  # fmt: skip
        return found

    def of_kind(self, base: int) -> list[int]:
        """Those of a plain kind and its improved versions."""
        return self.of("kinds", kind_row(self._power, base))


def stationed(m: M, power: int, fronts: tuple[int, ...]) -> Stationed:
    units, home, flags, choices = roster(m), m.state.home, m.state.flags, m.state.front_choice
    chosen = {u: front for u, front in choices.items() if not flags[u] & MOVED} if choices else choices
    return m.kept(
        ("stationed", power, fronts), (units, home, chosen), lambda: Stationed(home, chosen, units, power, fronts)
    )


_BARRED = (*(_BARRED_AFLOAT,) * 7, _BARRED_ASHORE)
"""For each of the sorts of units that a roster tells apart the flags that keep them from getting orders."""


class Sorted:
    """A power's units that can still be given an order in this step, by what they are; listed when somebody asks."""

    __slots__ = ("_afloat", "_fronts", "_ground", "_m", "_planes", "_power", "_stationed")

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self._m, self._power, self._fronts = m, power, fronts
        self._stationed: Stationed | None = None
        self._ground: list[int] | None = None
        self._afloat: list[int] | None = None
        self._planes: list[int] | None = None

    @property
    def _units(self) -> Stationed:
        if self._stationed is None:
            self._stationed = stationed(self._m, self._power, self._fronts)
        return self._stationed

    def openings(self) -> list[bool]:
        """For each of the sorts of units in the roster whether any of it that is nobody's cargo can be given an order.

        Mostly one of the first that are asked can, so nothing is listed here.
        """
        state, found = self._m.state, list[bool]()
        spaces, flags, aboard, home, chosen = state.space, state.flags, state.cargo_of, state.home, state.front_choice
        fronts, here = self._fronts, _fronts_flags(self._fronts)
        for units, barred in zip(roster(self._m).sorts(self._power), _BARRED, strict=True):
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
            self._planes = self._able(self._units.of("air"), _BARRED_AFLOAT)
        return self._planes

    @property
    def air(self) -> list[int]:
        """Planes on land."""
        aboard = self._m.state.cargo_of
        return [u for u in self.planes if aboard[u] < 0]

    @property
    def decks(self) -> list[int]:
        """Planes on carriers."""
        carriers = roster(self._m).carriers[self._power]
        if not carriers:
            return []
        state, power, rows = self._m.state, self._power, index(self._m).rows
        spaces, flags, aboard, powers, kinds = state.space, state.flags, state.cargo_of, state.power, state.kind
        found = [
            u for ship in carriers if spaces[ship] >= 0 for u in rows[spaces[ship]]
            if aboard[u] == ship and powers[u] == power and not flags[u] & _BARRED_AFLOAT and K.cls[kinds[u]] == AIR
        ]  # fmt: skip
        found.sort()
        return [u for u in found if on_fronts(self._m, u, self._fronts)]

    @property
    def afloat(self) -> list[int]:
        if self._afloat is None:
            self._afloat = self._able(self._units.of("naval"), _BARRED_AFLOAT)
        return self._afloat

    @property
    def bombers(self) -> list[int]:
        """Bombers on land, improved ones too."""
        return self._ashore(self._units.of_kind(K.bomber), _BARRED_AFLOAT)

    @property
    def fighters(self) -> list[int]:
        return self._ashore(self._units.of_kind(K.fighter), _BARRED_AFLOAT)

    @property
    def ships(self) -> dict[int, list[int]]:
        """Ships by where they are."""
        return self._by_space(self.afloat)

    @property
    def patrol(self) -> dict[int, list[int]]:
        """Ships that may patrol, by where they are."""
        flags = self._m.state.flags
        able = self._able(self._units.of("warships"), _BARRED_AFLOAT)
        return self._by_space([u for u in able if not flags[u] & RAIDER])

    @property
    def subs(self) -> list[int]:
        return self._able(self._units.of("submarines"), _BARRED_AFLOAT)

    @property
    def transports(self) -> list[int]:
        return self._able(self._units.of("ferries"), _BARRED_AFLOAT)

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
        spaces, flags = self._m.state.space, self._m.state.flags
        return [u for u in units if not flags[u] & barred and spaces[u] >= 0]

    def _ashore(self, units: Sequence[int], barred: int) -> list[int]:
        """Those that are nobody's cargo."""
        state = self._m.state
        spaces, flags, aboard = state.space, state.flags, state.cargo_of
        return [u for u in units if not flags[u] & barred and spaces[u] >= 0 and aboard[u] < 0]

    @property
    def ground(self) -> list[int]:
        """Ground units on land."""
        if self._ground is None:
            self._ground = self._ashore(self._units.of("ground"), _BARRED_ASHORE)
        return self._ground

    @property
    def airborne(self) -> list[int]:
        """Airborne units on land."""
        return self._ashore(self._units.of("drops"), _BARRED_ASHORE)


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
