"""The outlook of a Barbarossa match: how likely the Axis is to hold all three capitals in time.

A logistic curve over a few plain facts of the position. The weights were fitted on matches between quick colonels with
varied doctrines; they carry no rule of the game and no hidden knowledge.
"""

from __future__ import annotations

import math

from ..facts.territory import territory
from ..model.atlas import ARMIES, ATLAS, AXIS, INF, MECH, SOVIET
from ..model.places import SOVIET_CAPITALS
from ..model.state import War
from ..rules.budget import budget
from ..rules.supply import cut_off
from ..rules.victory import last_turn

_NEAR = tuple(ATLAS.step[x] for x in SOVIET_CAPITALS)
_FAR = 8


def _rings() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Per capital: the hexes at each distance from it."""
    out = []
    for capital in SOVIET_CAPITALS:
        rings: list[tuple[int, ...]] = []
        inner: set[int] = set()
        for reach in range(_FAR):
            disc = {x for x in ATLAS.within(capital, reach) if not ATLAS.is_sea[x]}
            rings.append(tuple(sorted(disc - inner)))
            inner = disc
        out.append(tuple(rings))
    return tuple(out)


_RINGS = _rings()


def facts(s: War) -> list[float]:
    """What the outlook is made from, each about the size of one."""
    owner, at, strength = s.owner, s.army_at, s.strength
    held = [owner[x] == AXIS for x in SOVIET_CAPITALS]
    count = sum(held)
    left = last_turn(s) - s.turn + (1 if s.side == AXIS else 0)
    sums = [0.0] * 4
    lost = [0.0, 0.0]
    standing = [0] * len(SOVIET_CAPITALS)
    where = {x: n for n, x in enumerate(SOVIET_CAPITALS)}
    gone = [cut_off(s, side, territory(s, side)) for side in (AXIS, SOVIET)]
    for army in range(2 * ARMIES):
        place = at[army]
        if place < 0:
            continue
        side, foot, tanks = army // ARMIES, strength[army * 5 + INF], strength[army * 5 + MECH]
        if place in gone[side]:
            lost[side] += foot + tanks
        else:
            sums[2 * side] += foot
            sums[2 * side + 1] += tanks
        if place in where:
            standing[where[place]] += foot + tanks
    sites = guard = inside = 0
    weakest, miles = 10, 0
    for number in range(len(SOVIET_CAPITALS)):
        if held[number]:
            inside += min(8, standing[number])
            continue
        sites += min(4, sum(owner[x] == AXIS for x in _NEAR[number]))
        guard += min(12, standing[number])
        weakest = min(weakest, standing[number])
        miles += next((d for d, ring in enumerate(_RINGS[number]) if any(owner[x] == AXIS for x in ring)), _FAR)
    late = max(0, 3 - left)
    return [
        1.0, float(s.side == AXIS), float(count == 1), float(count == 2), sums[0] / 10, sums[1] / 10, sums[2] / 10,
        sums[3] / 10, lost[0] / 10, lost[1] / 10, budget(s, AXIS) / 10, budget(s, SOVIET) / 10, sites / 4, guard / 10,
        weakest / 10, miles / 5, inside / 8, left / 4, late * 1.0, late * (count == 2), left * count / 8,
        left * sums[1] / 50, left * budget(s, SOVIET) / 50,
    ]  # fmt: skip


WEIGHTS: tuple[float, ...] = (
    -2.607, 0.98, 0.161, 1.711, 1.056, -0.018, -1.105, -2.246, 0.68, -0.391, 0.809, -0.483, 0.431, -0.416, 0.635,
    -0.413, -0.166, -1.733, -1.723, 0.187, -0.0, 1.804, 0.537,
)  # fmt: skip


def log_odds(s: War) -> float:
    """The Axis' chance as log odds."""
    return math.fsum(w * f for w, f in zip(WEIGHTS, facts(s), strict=True))


def chance(s: War) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds(s)))))
