"""Redeployment: points go to the moves that help most, troops to the front, planes to bases near it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sandtable.core import Action, Offers

from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..facts.whereabouts import planes_at
from ..model.actions import Rail, Rebase, Ship
from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND
from ..model.state import SPENT, M
from ..rules.redeployment import points_left, rail_reach, rail_refusal, rebase_targets
from ..rules.stacking import air_limit, stack_sum
from .campaign import Campaign

A = ATLAS
K = ATLAS.kinds
_LEAST = 1.5
"""What a move must bring in to be worth a point."""


def moves(m: M, power: int, offers: Offers, look: Callable[[M, int], Campaign]) -> list[Action]:
    """Return moves that bring enough in, the best first; no two of them begin or end in the same space."""
    state, points = m.state, points_left(m.state, power)
    if points <= 0 or (not offers[Rail] and not offers[Rebase]):
        return []
    camp = look(m, power)
    marches = list(rails(m, power, camp))
    if camp.pact_guard and camp.in_poland(-1) < camp.pact_guard:  # nothing else is worth a war on two fronts
        found = [move for move in marches if camp.watches(move.unit, move.to)]
    else:
        found = [*marches, *bases(m, power, camp)]
    found.sort(key=lambda move: -move.gain)
    touched, chosen = set[int](), list[Action]()
    for move in found:
        here = state.space[move.unit]
        if here in touched or move.to in touched:
            continue
        if K.cls[state.kind[move.unit]] == AIR:
            chosen.append(Rebase(unit_name(state, move.unit), A.names[move.to]))
        elif may_go(camp, move.unit, move.to) and rail_refusal(m, move.unit, move.to) is None:
            camp.shift(move.unit, move.to)
            chosen.append(Rail(unit_name(state, move.unit), A.names[move.to]))
        else:
            continue
        touched |= {here, move.to}
        if len(chosen) == points:
            break
    return chosen


def may_go(camp: Campaign, unit: int, to: int) -> bool:
    """Whether a unit can be spared where it is, or is needed elsewhere more."""
    here = camp.state.space[unit]
    return camp.may_leave(unit, here, -1) or camp.urgent(here, to)


class Move(NamedTuple):
    """A unit that would be of more use elsewhere."""

    gain: float
    unit: int
    to: int


def rails(m: M, power: int, camp: Campaign) -> Iterator[Move]:
    """Return troops that are of more use where the railway takes them."""
    state, seen, in_need = m.state, set[tuple[int, int]](), camp.in_need()
    for unit in roster(state).ground[power]:
        here = state.space[unit]
        key = (here, state.kind[unit])
        if here < 0 or state.cargo_of[unit] >= 0 or key in seen or state.flags[unit] & SPENT:
            continue
        seen.add(key)
        stays = not camp.may_leave(unit, here, -1)
        if stays and not in_need:
            continue
        least = camp.score(unit, here) + _LEAST
        for space in rail_reach(m, unit):
            if space != here and (not stays or camp.urgent(here, space)):
                gain = camp.score(unit, space) - least
                if gain > 0:
                    yield Move(gain, unit, space)


def bases(m: M, power: int, camp: Campaign) -> Iterator[Move]:
    """Return planes with a base nearer to the front that has room, and not where the enemy is about to come in."""
    state, seen, room = m.state, set[tuple[int, int]](), dict[int, int]()
    for unit in roster(state).air[power]:
        here = state.space[unit]
        key = (here, state.kind[unit])
        if here < 0 or state.cargo_of[unit] >= 0 or key in seen or state.flags[unit] & SPENT or not A.is_land[here]:
            continue
        seen.add(key)
        least = camp.shelter(unit, here) + _LEAST
        crowd = stack_sum(state, planes_at(state, here, camp.side)) - air_limit(state, here)
        if crowd > 0:
            least -= K.cost[state.kind[unit]]
        for name in rebase_targets(m, unit).lands:
            space = A.index[name]
            gain = camp.shelter(unit, space) - least
            if gain > 0:
                if space not in room:
                    room[space] = air_limit(state, space) - stack_sum(state, planes_at(state, space, camp.side))
                if room[space] >= K.stack[state.kind[unit]]:
                    yield Move(gain, unit, space)


def cross_the_sea(m: M, power: int, offers: Offers, *, planes: bool = True) -> Action | None:
    """Troops of the USA come over to Britain, where they are of use, and `planes` too."""
    if power != A.usa or points_left(m.state, power) < 2 or not offers[Ship]:
        return None
    state, offer = m.state, offers[Ship][0]
    home, tried = A.capital[A.usa], set[int]()
    for ship in offer.fields[0].given(()):
        port = state.space[unit_of(state, ship)]
        if port in tried:
            continue
        tried.add(port)  # another fleet may have a way where the first has none
        loads = [u for u in offer.fields[1].given((ship,)) if state.space[unit_of(state, u)] == home]
        loads = [u for u in loads if K.cls[state.kind[unit_of(state, u)]] in (GROUND, AIR if planes else GROUND)]
        loads.sort(key=lambda u: (-K.cost[state.kind[unit_of(state, u)]], u))
        for load in loads[:3]:
            goals = [s for s in offer.fields[2].given((ship, load)) if A.homeland[A.index[s]] == A.britain]
            if goals:
                return Ship(ship, load, max(goals, key=lambda s: (A.value[A.index[s]], s)))
    return None
