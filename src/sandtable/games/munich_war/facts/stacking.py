"""The stacking limits (chapter 9)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ..model.atlas import ATLAS, COUNTRY, NOBODY

_IS_MOBILE = tuple(unit.mobile for unit in ATLAS.units)
_IS_ARMY = tuple(unit.army for unit in ATLAS.units)
_IS_MARSH = tuple(bool(ATLAS.marshes >> at & 1) for at in range(ATLAS.hex_count))
_LIMITS = ATLAS.tables["stacking"]
_ARMIES, _OTHERS = int(_LIMITS["armies"]), int(_LIMITS["other_mobile"])
_STATIC, _MARSH = int(_LIMITS["static"]), int(_LIMITS["marsh_total"])


def broken_limit(units: Sequence[int], at: int) -> tuple[str, str] | None:
    """[mw-9.0-c] [mw-9.0-e] [mw-9.0-f] [mw-9.0-f-exception] [mw-2.5.3] The rule that a stack in a hex breaks, and the
    word for it."""
    mobile = armies = 0
    nation, mixed = NOBODY, False
    for unit in units:
        if _IS_MOBILE[unit]:
            mobile += 1
            armies += _IS_ARMY[unit]
            country = COUNTRY[unit]
            if country != nation:
                mixed = mixed or nation != NOBODY
                nation = country
    if _IS_MARSH[at] and len(units) > _MARSH:
        return "mw-9.0-f-exception", "marsh-stack"
    if len(units) - mobile > _STATIC:
        return "mw-9.0-f", "two-static"
    if mixed:
        return "mw-9.0-c", "other-nation"
    if armies and mobile > _ARMIES:
        return "mw-9.0-e", "army-stack"
    if mobile > _OTHERS:
        return "mw-9.0-e", "corps-stack"
    return None


def ways_to_stay(stack: Sequence[int], at: int) -> list[frozenset[int]]:
    """[mw-9.1-c] The parts of an overstacked hex's units that may stay, each as large as it can be."""
    found: list[frozenset[int]] = []
    for size in range(len(stack), 0, -1):
        for kept in itertools.combinations(stack, size):
            if not broken_limit(kept, at) and not any(larger.issuperset(kept) for larger in found):
                found.append(frozenset(kept))
    return found
