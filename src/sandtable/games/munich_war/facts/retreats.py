"""The ways a unit can retreat after combat (chapter 12)."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core.bits import bits
from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.state import MunichState
from .board import board, limit_broken_by
from .politics import enterable, side_of

Path = tuple[int, ...]
_FORTS = frozenset(unit.index for unit in ATLAS.units if unit.fort)
_FARTHEST = 12  # an overstacked retreat goes on; no search has to look farther than this


def steps_back(s: MunichState, unit: int, at: int) -> int:
    """[mw-12.1-a] [mw-12.1-c] [mw-12.1-d] [mw-5.4-c] [mw-19.0-mountain-b] Hexes a retreating unit may step into."""
    face = ATLAS.units[unit]
    enemies = board(s).occupied[1 - s.side[face.country]]
    return ATLAS.after_combat[face.terrain][at] & enterable(s, face.country) & ~enemies


@functools.lru_cache(maxsize=8192)
def _ring(start: int, distance: int) -> int:
    return ATLAS.ring(start, distance)


def has_fort(s: MunichState, side: int, at: int) -> bool:
    """Whether a fortification of a side stands in a hex."""
    return any(unit in _FORTS and side_of(s, unit) == side for unit in board(s).stack(at))


def all_paths(s: MunichState, unit: int, distance: int, most: int = _FARTHEST) -> list[tuple[int, Path]]:
    """[mw-12.0-b] [mw-12.1-e] [mw-12.1-f] [mw-12.2-e] [mw-12.1-b] [mw-10.4-b] Every full retreat with what it costs in
    steps, one for each enemy zone entered and no more than `most`: each hex is one farther from the start; a fort may
    end it early; an overstacked end carries it on."""
    start, side = s.where[unit], side_of(s, unit)
    zones = board(s).zoc[1 - side]
    found: list[tuple[int, Path]] = []
    to_try: list[tuple[int, Path]] = [(0, ())]
    while to_try:
        cost, path = to_try.pop()
        at = path[-1] if path else start
        far = len(path)
        if path:
            room, full = limit_broken_by(s, unit, at) is None, far >= distance
            if room and (full or has_fort(s, side, at)):
                found.append((cost, path))
            if (full and room) or far >= _FARTHEST:
                continue
        onward = [
            (cost + (zones >> there & 1), (*path, there))
            for there in bits(steps_back(s, unit, at) & _ring(start, far + 1))
        ]
        to_try += [way for way in reversed(onward) if way[0] <= most]
    return found


@fact("where", "side", "steps", "options")
def best_paths(s: MunichState, unit: int, distance: int) -> Sequence[Path]:
    """[mw-12.1-g] The retreats it may choose: none that destroys it while another does not, of those none that runs on
    because it would overstack while another need not, and of those the ones into the fewest enemy zones."""
    alive = all_paths(s, unit, distance, s.steps[unit] - 1)
    ranks = [(len(path) > distance, cost) for cost, path in alive]
    best = min(ranks, default=None)
    return [path for rank, (_, path) in zip(ranks, alive, strict=True) if rank == best]
