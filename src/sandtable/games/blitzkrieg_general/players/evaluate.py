"""What a position is worth to a side: industry, forces, countries fallen, and how near either is to winning."""

from __future__ import annotations

from ..facts.production import potentials
from ..model.atlas import ATLAS, BE, MAJORS
from ..model.state import AT_WAR, CONQUERED, BKState, enemy_side, strength

_POINT, _FALLEN, _WON = 3.0, 25.0, 1000.0
"""Worth of a point of production, of a fallen major, of the match."""
_HOME = 12.0
"""Worth of a whole home country on the way to its fall."""
_KINDS = {"land": 1.0, "armour": 1.6, "air": 1.2, "ship": 0.8}


def evaluate(state: BKState, side: int) -> float:
    """Bigger is better for the side."""
    if state.outcome is not None:
        if not state.outcome.winners:
            return 0.0
        return _WON if state.side[MAJORS.index(state.outcome.winners[0])] == side else -_WON
    other = enemy_side(side)
    return _assets(state, side) - _assets(state, other)


def _assets(state: BKState, side: int) -> float:
    total = 0.0
    for major, points in enumerate(potentials(state)):
        if state.side[major] != side:
            continue
        total += _POINT * points
        if state.standing[major] == CONQUERED:
            total -= _FALLEN
        else:
            homes = ATLAS.homes[major]
            lost = sum(1 for s in homes if state.side[state.control[s]] not in (side, -1))
            total -= _HOME * (lost / len(homes)) ** 2 * (0.5 if major == BE else 1.0)
    for unit, place in enumerate(state.place):
        nation = state.nation[unit]
        if place < 0 or state.side[nation] != side or (nation >= 8 and state.standing[nation] != AT_WAR):
            continue
        kind = "air" if ATLAS.is_air[unit] else "ship" if ATLAS.is_ship[unit] else "land"
        if kind == "land" and ATLAS.shots[unit] > 1:
            kind = "armour"
        total += _KINDS[kind] * strength(state, unit) + (2.0 if ATLAS.is_hq[unit] else 0.0)
    return total
