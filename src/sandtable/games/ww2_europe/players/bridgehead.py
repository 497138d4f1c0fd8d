"""A second front: ships are kept for it, and troops go over the sea to where the army already stands ashore."""

from __future__ import annotations

from sandtable.core import Action, Offers

from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..model.actions import Ship, Steam
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..model.state import BOX, M
from ..rules.redeployment import points_left
from . import economy
from .watch import Watch

A = ATLAS
K = ATLAS.kinds
_FARE = 2
"""Redeployment Points for a ship and its load."""
_GAIN = 6.0
"""What a crossing must bring in."""


def reinforce(camp: Watch, offers: Offers, kept: int = 0) -> Action | None:
    """Return the crossing that helps most, from the homeland or a quiet shore to one near the enemy.

    Some points are kept for convoys.
    """
    state, power = camp.state, camp.sight.power
    if not offers[Ship] or points_left(state, power) < _FARE + kept:
        return None
    offer = offers[Ship][0]
    best, found = _GAIN, None
    ports: set[int] = set()
    for ship in offer.fields[0].given(()):
        port = state.space[unit_of(state, str(ship))]
        if port in ports:
            continue
        ports.add(port)
        seen: set[tuple[int, int]] = set()
        for load in offer.fields[1].given((ship,)):
            unit = unit_of(state, str(load))
            kind, here = state.kind[unit], state.space[unit]
            if K.cls[kind] != GROUND or (here, kind) in seen or state.power[unit] != power:
                continue
            seen.add((here, kind))
            if not camp.may_leave(unit, here, -1):
                continue
            now = camp.score(unit, here)
            for goal in offer.fields[2].given((ship, load)):
                land = A.index[str(goal)]
                if A.homeland[land] == power:
                    continue
                gain = camp.score(unit, land) - now
                if gain > best:
                    best, found = gain, Ship(str(ship), str(load), str(goal))
    return found


def fetch(m: M, power: int, offers: Offers) -> Action | None:
    """An empty transport overseas goes back for those who wait at home; each ship bought instead would be a unit less."""
    if not offers[Steam] or ships_missing(m, power) <= 0:
        return None
    state, home = m.state, [p for p in A.coast[A.capital[power]] if A.is_port[p]]
    for ship in economy.idle_ships(m, power, K.transport):
        if state.space[ship] not in home:
            for port in home:
                action = Steam(unit_name(state, ship), A.names[port])
                if offers.refuse(action) is None:
                    return action
    return None


def ships_missing(m: M, power: int) -> int:
    """Transports that a power lacks at home for its troops who wait there to cross, as far as its points carry them."""
    state, home = m.state, A.capital[power]
    waiting = sum(state.space[u] == home for u in roster(state).ground[power])
    ships = [u for u in roster(state).naval[power] if state.kind[u] == K.transport]
    at_home = sum(state.space[u] in A.coast[home] or state.space[u] <= BOX for u in ships)
    return max(0, min(waiting, state.rps[power] // _FARE) - at_home)
