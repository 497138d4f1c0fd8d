"""7.3 and 7.6.1-7.6.4: what an area gives, and what each major's production flag shows."""

from __future__ import annotations

from itertools import compress
from operator import ne
from typing import Final

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, BE, GERMANY, ITALY, JAPAN, USA, USSR
from ..model.state import AT_WAR, CONQUERED, NEUTRAL, BKState, at_war
from ..model.tables import LIMITS
from .ground import GROUND, enemy_industry

_FLAGS: Final = ("bonus", "deliveries", "soviet_full", "us_level", "be_pacific", "trust_to_japan", "advanced")


def area_value(s: BKState, space: int, nation: int) -> int:
    """Return what an area gives to the nation that controls it. [bg-7.6.1-left-right] [bg-7.6.2-conquer]
    [bg-7.6.2-reconquer] [bg-time-france-be-pacific] [bg-time-baltic] [bg-card-vichy-no-production]"""
    if ATLAS.germany_only[space] or nation == ATLAS.vichy_nation:
        return 0
    owner = ATLAS.owner[space]
    if nation == BE and ATLAS.be_pacific[space] and not s.be_pacific:
        return 0
    if owner == nation or (s.side[owner] >= 0 and s.side[owner] == s.side[nation]):
        return ATLAS.left[space]
    return ATLAS.right[space]


def is_on_peace_footing(s: BKState, major: int) -> bool:
    """Return whether a major produces as in peace: the USSR before it fights the European Axis, the USA before it
    fights at all. [bg-7.6.3-ussr-italy] [bg-7.6.3-usa]"""
    if major == USSR:
        fights = at_war(s, USSR, GERMANY) or at_war(s, USSR, ITALY)
        return not fights and not s.soviet_full
    return major == USA and s.standing[USA] == NEUTRAL


@fact(*_FLAGS, *GROUND)
def potentials(s: BKState) -> tuple[int, ...]:
    """Return the production flags of all majors. [bg-7.6-potential] [bg-7.6-minor-production] [bg-7.6.3-others]
    [bg-8.3-war-production]"""
    control, standing = s.control, s.standing
    # a minor produces for who plays it while it is at war; the entry for nobody stays unused
    master = [who if nation < 8 or standing[nation] == AT_WAR else -1 for nation, who in enumerate(s.master)]
    totals = [*s.bonus, 0]
    peace = is_on_peace_footing(s, USSR)
    if peace:
        totals[USSR] += ATLAS.peace_production[USSR]
    # first as if everybody held what was theirs at the start, then what is in other hands
    for nation, points in ATLAS.own_production:
        totals[master[nation]] += points
    if not s.be_pacific:
        totals[master[BE]] -= ATLAS.be_pacific_points
    if peace and master[USSR] == USSR:
        totals[USSR] -= ATLAS.soviet_home_points
    holders = ATLAS.of_producing(control)
    for place in list(compress(range(len(holders)), map(ne, holders, ATLAS.producing_owner))):
        space, owner, nation = ATLAS.producing[place], ATLAS.producing_owner[place], holders[place]
        home = peace and ATLAS.home_of[space] == USSR
        if not (home and master[owner] == USSR):
            totals[master[owner]] -= area_value(s, space, owner)
        if not (home and master[nation] == USSR):
            totals[master[nation]] += area_value(s, space, nation)
    totals[GERMANY] += sum(ATLAS.right[ore] for ore in ATLAS.ore_for_germany if _reaches_germany(s, ore))
    if s.trust_to_japan:
        kept = (ATLAS.trust_nation, ATLAS.bnl)
        totals[JAPAN] += sum(ATLAS.right[island] for island in ATLAS.bnl_islands if control[island] in kept)
    for lasts, (_, receiver, points) in zip(s.deliveries, ATLAS.deliveries, strict=True):
        totals[receiver] += points if lasts else 0
    if is_on_peace_footing(s, USA):
        totals[USA] = s.bonus[USA] + (s.us_level if s.advanced else LIMITS["us_basic"])
    return tuple(0 if standing[major] == CONQUERED else max(0, totals[major]) for major in range(8))


def _reaches_germany(s: BKState, space: int) -> bool:
    """Whether what only Germany can use is in the hands of its side."""
    owner = s.control[space]
    return s.side[owner] == s.side[GERMANY] and s.standing[owner] == AT_WAR


@fact("be_pacific", *GROUND)
def worth_bombing(s: BKState, nation: int) -> frozenset[int]:
    """Return the enemy areas that give anything. [bg-6.5.6-cap]"""
    return frozenset(
        space
        for space in enemy_industry(s, nation)
        if ATLAS.germany_only[space] or area_value(s, space, s.control[space]) > 0
    )
