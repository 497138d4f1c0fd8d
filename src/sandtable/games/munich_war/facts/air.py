"""Bases and flights of air units (16.3), and who can intercept whom (16.6)."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from sandtable.core.bits import bits
from sandtable.core.facts import fact

from ..model.atlas import ATLAS, NOBODY, STRIDE
from ..model.hexsets import flood
from ..model.state import AVAILABLE, FLOWN, GROUNDED, SURPRISED, MunichState
from .board import board, flying
from .control import controlled, terror
from .politics import air_forces, open_hexes

_STATIC_OF = tuple(tuple(unit for unit in country.units if ATLAS.units[unit].static) for country in ATLAS.countries)


def fliers(s: MunichState, side: int) -> list[int]:
    """[mw-16.1-a] [mw-16.2-a] [mw-int-zero] Air units of a side that may take off."""
    where, flags = s.where, s.flags
    return [unit for unit in air_forces(s)[side] if where[unit] == AVAILABLE and not flags[unit] & (GROUNDED | FLOWN)]


@fact("where", "side", "owned", "terror")
def _bases(s: MunichState, country: int) -> int:
    known, side = board(s), s.side[country]
    held = known.mobile[country]
    for other in _STATIC_OF[country]:
        if s.where[other] >= 0:
            held |= 1 << s.where[other]
    own = ATLAS.countries[country].hexes & controlled(s)[side]
    return ATLAS.cities & (own | held) & ~known.zoc[1 - side] & ~terror(s)


def bases(s: MunichState, unit: int) -> int:
    """[mw-16.3-b] [mw-16.3-c] [mw-16.8.2-e] Cities an air unit may take off from."""
    return _bases(s, ATLAS.units[unit].country)


@fact("side")
def _flight(s: MunichState, country: int, distance: int, base: int) -> int:
    sky = open_hexes(s) | ATLAS.sea_hexes
    found = in_range(base, sky, distance)
    near = within(base, distance)
    for neutral in ATLAS.countries[country].invades:
        land = ATLAS.countries[neutral].hexes
        if land & near and s.side[neutral] == NOBODY:
            found |= in_range(base, sky | land, distance) & land
    return found


def flight(s: MunichState, unit: int, base: int) -> int:
    """[mw-16.3-a] [mw-16.3-d] [mw-16.3-e] [mw-5.1-b] [mw-5.1-d] Hexes in range from a base, over anything but neutrals;
    a neutral that the unit's country may invade can be flown into."""
    face = ATLAS.units[unit]
    return _flight(s, face.country, face.range, base)


def in_range(base: int, sky: int, distance: int) -> int:
    """Hexes that can be flown to through these in so many steps: only the sky that near matters."""
    return _flown(base, sky & within(base, distance), distance)


@functools.cache
def within(base: int, distance: int) -> int:
    """All hexes of the board so near."""
    return flood(1 << base, ATLAS.all_edges, ATLAS.board, distance)


@functools.lru_cache(maxsize=16384)
def _flown(base: int, sky: int, distance: int) -> int:
    """Ring by ring, in all six directions at once: where a flight leaves the board there is no sky."""
    even, odd = ATLAS.even_columns, ATLAS.odd_columns
    seen = front = 1 << base
    while front and distance:
        high, low = front & even, front & odd
        front = front << 1 | front >> 1 | front << STRIDE | front >> STRIDE
        front |= high << STRIDE - 1 | high >> STRIDE + 1 | low << STRIDE + 1 | low >> STRIDE - 1
        front &= sky & ~seen
        seen |= front
        distance -= 1
    return seen


def quarry(s: MunichState, side: int) -> int:
    """[mw-16.3-note] [mw-16.5-a] Hexes with enemy air units that nobody intercepts yet."""
    enemies = flying(s, 1 - side)
    return enemies & ~flying(s, side) if enemies else 0


@fact("where", "side", "flags", "owned", "terror")
def interceptors(s: MunichState, side: int) -> Mapping[int, int]:
    """[mw-16.0-strike] [mw-16.6.1-b] [mw-23.2-note] Airstrikes that reach an enemy air unit, with their bases."""
    found: dict[int, int] = {}
    game = quarry(s, side)
    if not game:
        return found
    sky = open_hexes(s) | ATLAS.sea_hexes
    reached: dict[tuple[int, int], int] = {}
    for unit in fliers(s, side):
        face = ATLAS.units[unit]
        if not face.strike or s.flags[unit] & SURPRISED:
            continue
        kind = face.country, face.range
        from_here = reached.get(kind)
        if from_here is None:
            # The sky is the same both ways: what the prey's hex is in range of can reach it.
            from_here, fields = 0, bases(s, unit)
            for at in bits(game):
                if fields & within(at, face.range):
                    from_here |= fields & in_range(at, sky, face.range)
            reached[kind] = from_here
        if from_here:
            found[unit] = from_here
    return found
