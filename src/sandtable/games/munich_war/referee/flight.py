"""Where air units take off and fly (16.3, 16.10)."""

from __future__ import annotations

from ..model.atlas import ATLAS, NOBODY
from .position import UNITS, Position, around, is_city, is_land


def air_bases(position: Position, number: int) -> set[int]:
    """16.3: controlled cities of the country, and cities with land units of it; no enemy zone, no terror."""
    country = UNITS[number].country
    side = position.sides[country]
    found = set()
    for at in range(ATLAS.hex_count):
        if ATLAS.faces[at] is None or not is_city(at) or at in position.zones[1 - side] or position.feared(at):
            continue
        home = ATLAS.country_of[at] == country and position.controls(side, at)
        if home or any(UNITS[n].country == country for n in position.stacks.get(at, ())):
            found.add(at)
    return found


def air_targets(position: Position, number: int, base: int, *, alone: bool = True) -> set[int]:
    """Land hexes in range, not over neutrals but for one that is invaded; `alone`: no friendly aircraft is there."""
    unit = UNITS[number]
    side = position.sides[unit.country]
    taken = {
        position.state.where[other.index]
        for other in UNITS
        if alone and other.air and other.index != number and position.sides[other.country] == side
    }
    found: set[int] = set()
    victims = [c for c in ATLAS.countries[unit.country].invades if position.sides[c] == NOBODY]
    for victim in (NOBODY, *victims):
        for at in in_range(position, base, unit.range, victim):
            if is_land(at) and at not in taken and (victim == NOBODY or ATLAS.country_of[at] == victim):
                found.add(at)
    return found


def in_range(position: Position, base: int, most: int, victim: int) -> set[int]:
    """Hexes that are reached without flying over a neutral other than the victim."""
    seen, front = {base}, [base]
    for _ in range(most):
        onward = []
        for here in front:
            for to in around(here):
                over = not is_land(to) or position.is_open(to) or ATLAS.country_of[to] == victim
                if to not in seen and over:
                    seen.add(to)
                    onward.append(to)
        front = onward
    return seen


def lift_targets(position: Position, number: int, base: int) -> set[int]:
    """16.10: hexes with land units of the country, to bring supplies; its launch hex, to wait for a passenger."""
    unit = UNITS[number]
    found = {
        at
        for at in air_targets(position, number, base) - {base}
        if any(UNITS[n].country == unit.country for n in position.stacks.get(at, ()))
    }
    if base in air_targets(position, number, base) and carried(position, base, position.sides[unit.country]):
        found.add(base)
    return found


def carried(position: Position, at: int, side: int) -> set[int]:
    """16.10.1: non-mechanized units in the hex, corps-sized or smaller."""
    return {
        n
        for n in position.stacks.get(at, ())
        if position.side(n) == side and UNITS[n].mobile and not UNITS[n].mechanized and not UNITS[n].army
    }
