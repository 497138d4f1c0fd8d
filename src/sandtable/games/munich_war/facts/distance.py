"""How far apart hexes are over land, and how a goal is felt from afar."""

from __future__ import annotations

import functools

from sandtable.core.bits import bits

from ..model.atlas import ATLAS
from ..model.hexsets import flood, shifted

FAR = 60
DECAY = 0.75
"""How much of a goal's pull is left one hex farther away."""


@functools.cache
def distances(origin: int) -> tuple[int, ...]:
    """Distance over land from every hex to one, in hexes; FAR where there is no way."""
    found = [FAR] * ATLAS.hex_count
    front = seen = 1 << origin
    steps = 0
    while front:
        for at in bits(front):
            found[at] = steps
        front = shifted(front, ATLAS.land_edges) & ~seen
        seen |= front
        steps += 1
    return tuple(found)


@functools.cache
def around(at: int, steps: int) -> int:
    """Hexes within so many steps over land."""
    return flood(1 << at, ATLAS.land_edges, ATLAS.land, steps)


@functools.cache
def _pull(origin: int) -> tuple[float, ...]:
    """What a goal worth 1 is felt as in every hex."""
    return tuple(0.0 if steps >= FAR else DECAY**steps for steps in distances(origin))


@functools.lru_cache(maxsize=512)
def pull(goals: tuple[tuple[int, float], ...]) -> tuple[float, ...]:
    """The summed pull of several goals (hex, worth) on every hex."""
    total = [0.0] * ATLAS.hex_count
    for at, worth in goals:
        total = [felt + worth * share for felt, share in zip(total, _pull(at), strict=True)]
    return tuple(total)
