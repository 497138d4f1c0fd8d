"""A second front: ships are kept for it, and troops go over the sea to where the army already stands ashore."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Action, Offers

from ..facts.names import unit_of
from ..facts.roster import roster
from ..model.actions import Ship
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..model.state import M
from ..rules.redeployment import points_left
from . import expedition, ministry
from .expedition import may_land
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


def follow_up(camp: Watch, ships: Sequence[int]) -> tuple[list[Action], list[int]]:
    """Return the voyages that bring troops to where the army stands ashore, and the ships that are left."""
    orders, left = list[Action](), list(ships)
    shores = [s for s in A.land if camp.sight.holder[s] == camp.side and A.coast[s] and camp.stays(s)]
    for unit in expedition.cargoes(camp, camp.free, -1) if shores and ships else ():
        if not left:
            break
        goal = best_shore(camp, unit, shores)
        voyage = expedition.first_voyage(camp, left, unit, goal) if goal >= 0 else None
        if voyage is not None:
            left.remove(voyage.ship)
            orders.append(expedition.embark(camp, voyage, goal))
            camp.room[goal] -= K.stack[camp.state.kind[unit]]
            camp.left.setdefault(goal, []).append(unit)
            camp.changed()
    return orders, left


def best_shore(camp: Watch, unit: int, shores: Sequence[int]) -> int:
    """Return where a unit from overseas is of most use; -1 where it is of none."""
    able = [s for s in shores if camp.room[s] >= K.stack[camp.state.kind[unit]] and may_land(camp.m, unit, s)]
    best = max(able, key=lambda s: (camp.score(unit, s), s), default=-1)
    gain = camp.score(unit, best) - camp.score(unit, camp.state.space[unit]) if best >= 0 else 0.0
    return best if gain > _GAIN else -1


def waiting(m: M, power: int) -> int:
    """Troops who wait at home to cross the sea."""
    return sum(m.state.space[u] == A.capital[power] for u in roster(m.state).ground[power])


def lift(m: M, power: int) -> int:
    """How many units its points carry over the sea in a turn."""
    return m.state.rps[power] // _FARE


def ships_missing(m: M, power: int) -> int:
    """Transports that a power lacks for as many of those who wait as can cross; a ship fetches them from anywhere."""
    return max(0, min(waiting(m, power), lift(m, power)) - ministry.afloat(m, power))
