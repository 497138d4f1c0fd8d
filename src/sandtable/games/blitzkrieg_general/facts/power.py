"""How hard units hit, terrain and weather left out."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

from sandtable.core.facts import fact

from ..model.atlas import ARM, ATLAS
from ..model.state import BKState

_SIDES = 6
_FRONT = [min(front, _SIDES) / _SIDES * shots for front, shots in zip(ATLAS.front, ATLAS.shots, strict=True)]
_BACK = [min(back, _SIDES) / _SIDES * shots for back, shots in zip(ATLAS.back, ATLAS.shots, strict=True)]


@fact("flipped")
def powers(s: BKState) -> list[float]:
    """Return the hits that each unit scores in a round on the average."""
    return [_BACK[unit] if flipped else _FRONT[unit] for unit, flipped in enumerate(s.flipped)]


@fact("here", "nation", "flipped")
def marches_of(s: BKState, nations: int) -> Mapping[int, float]:
    """Return by area the power of the land units of some nations that could march there; nations as bits."""
    here, nation, power = s.here, s.nation, powers(s)
    is_land, kind, beside = ATLAS.is_land, ATLAS.type, ATLAS.land_next
    out: dict[int, float] = {}
    for space in ATLAS.land:
        stack = here[space]
        if not stack:
            continue
        units = [u for u in stack if nations >> nation[u] & 1 and is_land[u]]
        if not units:
            continue
        near = fsum([power[u] for u in units])
        for other in beside[space]:
            out[other] = out.get(other, 0.0) + near
        fast = fsum([power[u] for u in units if kind[u] == ARM])
        if fast:
            for other in {t for next_ in beside[space] for t in beside[next_]} - {space, *beside[space]}:
                out[other] = out.get(other, 0.0) + fast
    return out
