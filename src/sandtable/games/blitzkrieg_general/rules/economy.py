"""7.6.3 and 7.6.4: agreements, and the flags that follow the map at once."""

from __future__ import annotations

from ..facts.production import potentials
from ..model.atlas import ATLAS, JAPAN, USA, USSR
from ..model.state import NEUTRAL, BKState, at_war
from ..model.tables import LIMITS


def update_agreements(state: BKState) -> None:
    """End the deliveries whose time is over. [bg-7.6.4-cancel] [bg-time-ussr-germany] [bg-time-romania]
    [bg-time-sweden] [bg-time-usa-japan] [bg-time-usa-japan-adv] [bg-time-delivery-end]"""
    if any(state.deliveries):
        state.deliveries = tuple(
            lasts and _still_delivers(state, giver, receiver)
            for lasts, (giver, receiver, _) in zip(state.deliveries, ATLAS.deliveries, strict=True)
        )


def _still_delivers(state: BKState, giver: int, receiver: int) -> bool:
    if giver >= 8:
        return state.standing[giver] == NEUTRAL and all(state.control[s] == giver for s in ATLAS.homes[giver])
    if at_war(state, giver, receiver):
        return False
    late = not state.advanced and state.turn >= ATLAS.fixed["usa_japan_delivery_ends"]
    return giver != USA or not (state.embargo or late)


def balance_with_japan(state: BKState) -> int:
    """Return the right-hand numbers the USSR has lost to Japan, less those it took. [bg-7.6.3-ussr-japan-loss]"""
    lost = sum(ATLAS.right[s] for s in ATLAS.homes[USSR] if state.master[state.control[s]] == JAPAN)
    won = sum(ATLAS.right[s] for s in ATLAS.areas_of[JAPAN] if state.master[state.control[s]] == USSR)
    return lost - won


def refresh_production(state: BKState) -> None:
    """Move every production flag to where it belongs. [bg-6.8-production] [bg-6.8-immediate]"""
    update_agreements(state)
    if state.advanced and at_war(state, USSR, JAPAN) and balance_with_japan(state) >= LIMITS["ussr_japan_balance"]:
        state.soviet_full = True
    if not at_war(state, USSR, JAPAN):
        state.soviet_full = False
    state.production = potentials(state)
