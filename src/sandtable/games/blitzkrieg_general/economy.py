"""7.3 and 7.6.1-7.6.4: what each major's production flag shows, from the map, the agreements and the cards."""

from __future__ import annotations

from .atlas import BE, GERMANY, ITALY, JAPAN, USA, USSR, atlas
from .state import AT_WAR, CONQUERED, NEUTRAL, BKState, at_war
from .tables import LIMITS


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
    """The production flag of a major. [bg-7.6-potential] [bg-7.6-minor-production] [bg-7.6.3-others]
    [bg-8.3-war-production]"""
    found = atlas()
    if state.standing[major] == CONQUERED:
        return 0
    total = state.bonus[major]
    if major == USA and is_on_peace_footing(state, USA):
        return max(0, total + (state.us_level if state.advanced else LIMITS["us_basic"]))
    peace = major == USSR and is_on_peace_footing(state, USSR)
    if peace:
        total += found.peace_production[USSR]
    for space, owner in zip(found.producing, found.producing_owner, strict=True):
        nation = state.control[space]
        if state.master[nation] != major or (nation >= 8 and state.standing[nation] != AT_WAR):
            continue
        if peace and found.home_of[space] == USSR:
            continue
        total += found.left[space] if owner == nation and nation != BE else area_value(state, space, nation)
    if major == GERMANY:
        total += sum(found.right[s] for s in found.ore_for_germany if _reaches_germany(state, s))
    if major == JAPAN and state.trust_to_japan:
        total += sum(found.right[s] for s in found.bnl_islands if state.control[s] in (found.trust_nation, found.bnl))
    for index, (_, receiver, points) in enumerate(found.deliveries):
        if receiver == major and state.deliveries[index]:
            total += points
    return max(0, total)


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
    state.production = tuple(potential(state, major) for major in range(8))
