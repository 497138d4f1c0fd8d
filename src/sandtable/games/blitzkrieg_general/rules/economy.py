"""7.3 and 7.6.1-7.6.4: what each major's production flag shows, from the map, the agreements and the cards."""

from __future__ import annotations

from itertools import compress
from operator import ne

from ..facts.relations import ground
from ..model.atlas import BE, GERMANY, ITALY, JAPAN, USA, USSR, atlas
from ..model.state import AT_WAR, CONQUERED, NEUTRAL, BKState, at_war
from ..model.tables import LIMITS


def area_value(state: BKState, space: int, nation: int) -> int:
    """What an area gives to the nation that controls it. [bg-7.6.1-left-right] [bg-7.6.2-conquer] [bg-7.6.2-reconquer]
    [bg-time-france-be-pacific] [bg-time-baltic]"""
    found = atlas()
    if found.germany_only[space]:
        return 0
    owner = found.owner[space]
    if nation == BE and found.be_pacific[space] and not state.be_pacific:
        return 0
    if owner == nation or (state.side[owner] >= 0 and state.side[owner] == state.side[nation]):
        return found.left[space]
    return found.right[space]


def update_agreements(state: BKState) -> None:
    """Deliveries that have come to an end. [bg-7.6.4-cancel] [bg-time-ussr-germany] [bg-time-romania] [bg-time-sweden]
    [bg-time-usa-japan] [bg-time-usa-japan-adv] [bg-time-delivery-end]"""
    if any(state.deliveries):
        state.deliveries = tuple(
            lasts and _still_delivers(state, giver, receiver)
            for lasts, (giver, receiver, _) in zip(state.deliveries, atlas().deliveries, strict=True)
        )


def _still_delivers(state: BKState, giver: int, receiver: int) -> bool:
    found = atlas()
    if giver >= 8:
        return state.standing[giver] == NEUTRAL and all(state.control[s] == giver for s in found.homes[giver])
    if at_war(state, giver, receiver):
        return False
    late = not state.advanced and state.turn >= found.fixed["usa_japan_delivery_ends"]
    return giver != USA or not (state.embargo or late)


def is_on_peace_footing(state: BKState, major: int) -> bool:
    """The USSR before it fights the European Axis, the USA before it fights at all. [bg-7.6.3-ussr-italy]
    [bg-7.6.3-usa]"""
    if major == USSR:
        fights = at_war(state, USSR, GERMANY) or at_war(state, USSR, ITALY)
        return not fights and not state.soviet_full
    return major == USA and state.standing[USA] == NEUTRAL


def potential(state: BKState, major: int) -> int:
    """The production flag of a major."""
    return potentials(state)[major]


def potentials(state: BKState) -> tuple[int, ...]:
    """The production flags of all majors, remembered while nothing changes hands."""
    known, key = ground(state).potentials, (
        state.bonus, state.deliveries, state.soviet_full, state.us_level, state.be_pacific, state.trust_to_japan,
        state.advanced,
    )  # fmt: skip
    if key not in known:
        known[key] = _potentials(state)
    return known[key]


def _potentials(state: BKState) -> tuple[int, ...]:
    """[bg-7.6-potential] [bg-7.6-minor-production] [bg-7.6.3-others] [bg-8.3-war-production]"""
    found = atlas()
    control, standing = state.control, state.standing
    # a minor produces for who plays it while it is at war; the entry for nobody stays unused
    master = [who if nation < 8 or standing[nation] == AT_WAR else -1 for nation, who in enumerate(state.master)]
    totals = [*state.bonus, 0]
    peace = is_on_peace_footing(state, USSR)
    if peace:
        totals[USSR] += found.peace_production[USSR]
    # first as if everybody held what was his at the start, then what is in other hands
    for nation, points in found.own_production:
        totals[master[nation]] += points
    if not state.be_pacific:
        totals[master[BE]] -= found.be_pacific_points
    if peace and master[USSR] == USSR:
        totals[USSR] -= found.soviet_home_points
    holders = found.of_producing(control)
    for place in list(compress(range(len(holders)), map(ne, holders, found.producing_owner))):
        space, owner, nation = found.producing[place], found.producing_owner[place], holders[place]
        home = peace and found.home_of[space] == USSR
        if not (home and master[owner] == USSR):
            totals[master[owner]] -= area_value(state, space, owner)
        if not (home and master[nation] == USSR):
            totals[master[nation]] += area_value(state, space, nation)
    totals[GERMANY] += sum(found.right[s] for s in found.ore_for_germany if _reaches_germany(state, s))
    if state.trust_to_japan:
        kept = (found.trust_nation, found.bnl)
        totals[JAPAN] += sum(found.right[s] for s in found.bnl_islands if control[s] in kept)
    for lasts, (_, receiver, points) in zip(state.deliveries, found.deliveries, strict=True):
        totals[receiver] += points if lasts else 0
    if is_on_peace_footing(state, USA):
        totals[USA] = state.bonus[USA] + (state.us_level if state.advanced else LIMITS["us_basic"])
    return tuple(0 if standing[major] == CONQUERED else max(0, totals[major]) for major in range(8))


def _reaches_germany(state: BKState, space: int) -> bool:
    """Whether what only Germany can use is in the hands of its side."""
    owner = state.control[space]
    return state.side[owner] == state.side[GERMANY] and state.standing[owner] == AT_WAR


def balance_with_japan(state: BKState) -> int:
    """Right-hand numbers the USSR has lost to Japan, less those it took. [bg-7.6.3-ussr-japan-loss]"""
    found = atlas()
    lost = sum(found.right[s] for s in found.homes[USSR] if state.master[state.control[s]] == JAPAN)
    won = sum(found.right[s] for s in found.areas_of[JAPAN] if state.master[state.control[s]] == USSR)
    return lost - won


def refresh_production(state: BKState) -> None:
    """Move every flag to where it belongs, at once. [bg-6.8-production] [bg-6.8-immediate]"""
    update_agreements(state)
    if state.advanced and at_war(state, USSR, JAPAN) and balance_with_japan(state) >= LIMITS["ussr_japan_balance"]:
        state.soviet_full = True
    if not at_war(state, USSR, JAPAN):
        state.soviet_full = False
    state.production = potentials(state)
