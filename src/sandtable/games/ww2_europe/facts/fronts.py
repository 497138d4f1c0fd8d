"""Fronts: which units began the turn on them."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.state import W2State
from .roster import roster

A = ATLAS
K = ATLAS.kinds
PLANES, SHIPS, WARSHIPS, SUBMARINES, BOMBERS, FIGHTERS, FERRIES, AIRBORNE, GROUND_UNITS, CARRIERS = range(10)
"""Sorts of units that get different orders."""


@functools.cache
def is_everywhere(fronts: tuple[int, ...]) -> bool:
    """Whether these are all the fronts there are."""
    return len(set(fronts)) == len(A.fronts)


@functools.cache
def lies_on(fronts: tuple[int, ...]) -> tuple[bool, ...]:
    """Return per space whether it lies on one of the fronts."""
    wanted = frozenset(fronts)
    return tuple(not wanted.isdisjoint(found) for found in A.front_of)


def on_fronts(s: W2State, unit: int, fronts: tuple[int, ...]) -> bool:
    """Whether a unit began the turn on one of these fronts.  [w2e-initiative-advantage] [w2e-multi-front-port]"""
    chosen = s.front_choice.get(unit)
    return chosen in fronts if chosen is not None else lies_on(fronts)[s.home[unit]]


@fact("kind", "power", "home")
def begun(s: W2State, power: int, fronts: tuple[int, ...]) -> tuple[Sequence[int], ...]:
    """Return a power's units by sort, without those that began the turn on other fronts.

    Of ships in a port on two fronts it is asked later which one they chose; carriers are all there.
    """
    units = roster(s)
    sorts = (
        units.air[power], units.naval[power], units.warships[power], units.submarines[power],
        units.of_kind(power, K.bomber), units.of_kind(power, K.fighter), units.ferries[power], units.drops[power],
        units.ground[power], units.carriers[power],
    )  # fmt: skip
    if is_everywhere(fronts):
        return sorts
    here, home = lies_on(fronts), s.home
    found = [[u for u in those if home[u] >= 0 and here[home[u]]] for those in sorts[:CARRIERS]]
    return (*found, sorts[CARRIERS])
