"""Redeployment: points go to the moves that help most, troops to the front, planes to bases near it."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core import Action, Offers

from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..facts.whereabouts import planes_at
from ..model.actions import Done, Rail, Rebase, Ship
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


def redeploy(m: M, power: int, offers: Offers, look: Callable[[M, int], Campaign]) -> Action:
    """The best single move; nothing more where none brings enough in."""
    if points_left(m.state, power) <= 0:
        return Done()
    if offers[Ship]:
        voyage = cross_the_sea(m, power, offers)
        if voyage is not None:
            return voyage
    if not offers[Rail] and not offers[Rebase]:
        return Done()
    camp = look(m, power)
    best, action = _LEAST, None
    for score, found in (best_rail(m, power, camp), best_base(m, power, camp)):
        if found is not None and score > best:
            best, action = score, found
    return action if action is not None else Done()


def best_rail(m: M, power: int, camp: Campaign) -> tuple[float, Action | None]:
    state, seen = m.state, set[tuple[int, int]]()
    best, action = 0.0, None
    for unit in roster(state).ground[power]:
        here = state.space[unit]
        key = (here, state.kind[unit])
        if here < 0 or state.cargo_of[unit] >= 0 or key in seen or state.flags[unit] & SPENT:
            continue
        seen.add(key)
        stays = not camp.may_leave(unit, here, -1)
        now = camp.score(unit, here)
        for space in rail_reach(m, unit):
            if stays and not camp.urgent(here, space):
                continue
            gain = camp.score(unit, space) - now
            if space != here and gain > best and rail_refusal(m, unit, space) is None:
                best, action = gain, Rail(unit_name(state, unit), A.names[space])
    return best, action


def best_base(m: M, power: int, camp: Campaign) -> tuple[float, Action | None]:
    """A base nearer to the front with room left, and not where the enemy is about to come in."""
    state, seen = m.state, set[tuple[int, int]]()
    best, action = 0.0, None
    for unit in roster(state).air[power]:
        here = state.space[unit]
        key = (here, state.kind[unit])
        if here < 0 or state.cargo_of[unit] >= 0 or key in seen or state.flags[unit] & SPENT or not A.is_land[here]:
            continue
        seen.add(key)
        now = camp.shelter(unit, here)
        crowd = stack_sum(state, planes_at(state, here, camp.side)) - air_limit(state, here)
        if crowd > 0:
            now -= K.cost[state.kind[unit]]
        for name in rebase_targets(m, unit).lands:
            space = A.index[name]
            room = air_limit(state, space) - stack_sum(state, planes_at(state, space, camp.side))
            gain = camp.shelter(unit, space) - now
            if gain > best and room >= K.stack[state.kind[unit]]:
                best, action = gain, Rebase(unit_name(state, unit), name)
    return best, action


def cross_the_sea(m: M, power: int, offers: Offers) -> Action | None:
    """Troops of the USA come over to Britain, where they are of use."""
    if power != A.usa or points_left(m.state, power) < 2:
        return None
    state, offer = m.state, offers[Ship][0]
    home = A.capital[A.usa]
    for ship in offer.fields[0].given(()):
        loads = [u for u in offer.fields[1].given((ship,)) if state.space[unit_of(state, u)] == home]
        loads = [u for u in loads if K.cls[state.kind[unit_of(state, u)]] in (GROUND, AIR)]
        loads.sort(key=lambda u: (-K.cost[state.kind[unit_of(state, u)]], u))
        for load in loads[:3]:
            goals = [s for s in offer.fields[2].given((ship, load)) if A.homeland[A.index[s]] == A.britain]
            if goals:
                return Ship(ship, load, max(goals, key=lambda s: (A.value[A.index[s]], s)))
        if loads:
            return None
    return None
