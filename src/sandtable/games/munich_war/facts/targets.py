"""What can be attacked, and by whom (11.0 to 11.5)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from operator import or_

from sandtable.core.bits import bits
from sandtable.core.facts import fact

from ..model.atlas import ATLAS, COUNTRY, NOBODY
from ..model.hexsets import shifted
from ..model.state import ATTACKED, NO_ATTACK, MunichState
from .board import board
from .politics import invadable

_ATTACK = tuple(unit.attack for unit in ATLAS.units)
_BY_NATION = {
    unit: place for place, unit in enumerate(unit for country in ATLAS.countries for unit in country.units)
}.__getitem__
"""A unit's place when counters are sorted by nation."""


def is_fresh(s: MunichState, unit: int) -> bool:
    """[mw-11.0-c] [mw-11.0-d] Whether a unit has an attack left in this phase."""
    return not s.flags[unit] & (ATTACKED | NO_ATTACK) and bool(_ATTACK[unit][s.steps[unit]])


def neutral_prey(s: MunichState, country: int) -> int:
    """[mw-5.4-a] Units of neutrals that a country may invade can be attacked: that is an invasion."""
    return invadable(s, country) & board(s).neutral


def attack_targets(s: MunichState, side: int) -> int:
    """[mw-11.4-a] [mw-11.5] Hexes that units which have not attacked yet can attack: those next to them, and those
    that Marines at sea are sworn to."""
    return functools.reduce(or_, _targets(s, side), 0)


@fact("where", "side", "flags", "steps", "assaults")
def has_targets(s: MunichState, side: int) -> bool:
    """Whether there is anything to attack: the first unit that can is enough."""
    return any(_targets(s, side))


def _front(s: MunichState, side: int) -> int:
    """Hexes of a side next to others'."""
    known = board(s)
    return known.occupied[side] & shifted(known.occupied[1 - side] | known.neutral, ATLAS.land_edges)


def _targets(s: MunichState, side: int) -> Iterator[int]:
    """Stack by stack and nation by nation: the hexes its units can attack."""
    known = board(s)
    enemies, stacks = known.occupied[1 - side], known.stacks
    prey: dict[int, int] = {}
    front = _front(s, side)
    while front:
        at = front.bit_length() - 1
        front ^= 1 << at
        seen = NOBODY
        for unit in stacks[at]:
            nation = COUNTRY[unit]
            if nation != seen and is_fresh(s, unit):
                if nation not in prey:
                    prey[nation] = enemies | neutral_prey(s, nation) if known.neutral else enemies
                yield ATLAS.zone[at] & prey[nation]
                seen = nation
    for unit, target in s.assaults.items():
        if is_fresh(s, unit):
            yield 1 << target & enemies


@fact("where", "side", "flags", "steps", "assaults")
def attackers(s: MunichState, side: int, target: int) -> Mapping[int, list[int]]:
    """[mw-11.2] [mw-11.3] [mw-11.4-b] [mw-11.4-c] By nation: the units that may attack a hex; nations never mix."""
    known = board(s)
    found: dict[int, list[int]] = {}
    units = [unit for at in bits(ATLAS.zone[target] & known.occupied[side]) for unit in known.stacks[at]]
    units += [unit for unit, sworn in s.assaults.items() if sworn == target]
    units.sort(key=_BY_NATION)
    enemy = known.occupied[1 - side] >> target & 1
    for unit in units:
        country = COUNTRY[unit]
        if is_fresh(s, unit) and (enemy or neutral_prey(s, country) >> target & 1):
            found.setdefault(country, []).append(unit)
    return found
