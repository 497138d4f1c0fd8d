"""Build: where finished units may appear."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.whereabouts import at
from ..model.atlas import ATLAS, DESERT, FACTORY, IMPASSABLE
from ..model.kinds import GROUND, NAVAL
from ..model.state import BOX, M
from .stacking import crowded

A = ATLAS
K = ATLAS.kinds

FINISHED = BOX
"""Units that have left Build Box 1 and wait to be placed."""

INFANTRY, OTHERS, SHIPS = range(3)
_HOMELAND = ("w2e-unit-infantry-recruit", "w2e-factory-build", "w2e-port-construction")
"""Per category the rule that builds it in the Homeland."""

Placed = tuple[tuple[int, int], ...]
"""(space, count) of units placed this turn: three separate counts."""


def category(kind: int) -> int:
    return _CATEGORY[kind]


_CATEGORY = tuple(
    INFANTRY if K.base[kind] == K.infantry else SHIPS if what == NAVAL else OTHERS for kind, what in enumerate(K.cls)
)


def finished(m: M, power: int) -> list[int]:
    power_of = m.state.power
    return [u for u in at(m.state, FINISHED) if power_of[u] == power]


def place_refusal(m: M, unit: int, space: int, placed: Placed) -> Refusal | None:
    """Why a finished unit cannot appear in a space.

    [w2e-build-control] [w2e-build-infantry] [w2e-build-others] [w2e-build-naval] [w2e-unit-infantry-recruit]
    """
    state = m.state
    kind, power = state.kind[unit], state.power[unit]
    what = _CATEGORY[kind]
    land, name = A.land_at[space], A.told[space]
    if land < 0 or A.homeland[land] != power or (what == SHIPS) == A.is_land[space]:
        return Refusal(_HOMELAND[what], "not-homeland", space=name)
    if state.owner[land] != power or state.start_owner[land] != power:
        return Refusal("w2e-build-control", space=name)
    factory = A.feature[land] == FACTORY and not state.damaged[land]
    value, count = 0 if state.damaged[land] else A.value[land], placed.count((space, what))
    if what == INFANTRY:
        if A.terrain[land] & (DESERT | IMPASSABLE) and A.feature[land] != FACTORY:
            return Refusal("w2e-terrain-impassable-build", space=name)
        if count >= max(1, value):
            return Refusal("w2e-build-infantry", space=name, most=max(1, value))
    elif not factory:
        rule = "w2e-port-construction" if what == SHIPS else "w2e-build-others"
        return Refusal(rule, "no-factory", space=name)
    elif count >= value:
        rule = "w2e-build-naval" if what == SHIPS else "w2e-build-others"
        return Refusal(rule, "factory-full", space=name, most=value)
    return crowded(state, land, A.side[power], K.stack[kind]) if K.cls[kind] == GROUND else None


def _sites(power: int, what: int) -> list[int]:
    lands = [s for s in A.land if A.homeland[s] == power and (what == INFANTRY or A.feature[s] == FACTORY)]
    return [A.port_of_land[s] for s in lands if A.port_of_land[s] >= 0] if what == SHIPS else lands


_SITES = tuple(tuple(_sites(power, what) for what in (INFANTRY, OTHERS, SHIPS)) for power in range(len(A.powers)))


def sites(power: int, what: int) -> list[int]:
    """Return where a power's units of a category may ever appear: infantry in its homeland, others at its factories."""
    return _SITES[power][what]
