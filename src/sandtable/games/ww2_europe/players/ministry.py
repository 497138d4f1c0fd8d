"""The colonel's money: walls and men where a capital wants them, a depot for those who are about to land."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from sandtable.core import Action, Offers

from ..facts.roster import roster
from ..model.actions import Buy, BuyDepot, BuyFortress, Done, Repair, SetAside
from ..model.atlas import ATLAS
from ..model.state import BOX, DEAD, IN_CONVOY, M, W2State
from ..rules.buy import buy_refusal, count_units
from . import economy
from .choices import field_values, may, pacific_share
from .watch import Watch

A = ATLAS
K = ATLAS.kinds
SHOPPING: dict[str, dict[str, int]] = {
    "germany": {"infantry": 8, "tank": 6, "tac_bomber": 5, "artillery": 2, "fighter": 1, "mech": 2},
    "italy": {"infantry": 12, "tac_bomber": 3, "tank": 1},
    "france": {"infantry": 12, "artillery": 3, "tac_bomber": 3},
    "great_britain": {"infantry": 9, "tac_bomber": 3, "tank": 2, "transport": 4},
    "usa": {"infantry": 5, "tank": 4, "tac_bomber": 3, "transport": 3},
    "ussr": {"infantry": 1},
}
"""What each power buys, in shares; the USSR has its planes from what Moscow wants over it."""

OVERSEAS: dict[str, dict[str, int]] = SHOPPING | {
    "great_britain": {"infantry": 2, "tac_bomber": 5, "tank": 7, "transport": 1},
    "usa": {"infantry": 2, "tank": 9, "artillery": 1, "transport": 1},
}
"""The same for those who mean to stay ashore: American bombers cannot cross the ocean."""

PLANES = 0.5
"""How readily planes are bought for a capital in danger."""


def coming(m: M, power: int) -> int:
    """Return the Stack Points of ground units that are being raised."""
    state = m.state
    return sum(
        K.stack[state.kind[u]] for u in roster(state).ground[power] if state.space[u] <= BOX and state.space[u] != DEAD
    )


class Wishes(NamedTuple):
    """What a power wants beside the walls and men of its capitals."""

    ships: int
    depot: bool
    planes: float = PLANES
    """How readily planes are bought for a capital in danger."""
    bombers: int = 0
    fighters: int = 0
    shopping: dict[str, dict[str, int]] = SHOPPING
    pacific: Callable[[W2State], int] = pacific_share


def purchase(m: M, camp: Watch, offers: Offers, rng: Random, wishes: Wishes) -> Action:
    """Return what to buy: repairs and walls first, then men for capitals in want, then the list."""
    ships, depot, planes, bombers, fighters, shopping, pacific = wishes
    state, power = m.state, camp.sight.power
    if offers[SetAside] or may(offers, Repair) or not may(offers, Buy):
        found = economy.purchase(m, power, offers, rng, None, pacific)
        if isinstance(found, SetAside | Repair | Done):
            return found
    capital = A.capital[power]
    if (
        may(offers, BuyFortress)
        and A.names[capital] in field_values(offers, BuyFortress)
        and camp.wanted.get(capital, 0) > 3
    ):
        return BuyFortress(A.names[capital])
    if fighters > 0 and buy_refusal(m, power, K.fighter, False) is None:
        return Buy(K.names[K.fighter], False)
    if bombers and ships > afloat(m, power) and buy_refusal(m, power, K.transport, False) is None:
        return Buy(K.names[K.transport], False)
    if bombers > count_units(m, power, K.bomber) and buy_refusal(m, power, K.bomber, False) is None:
        return Buy(K.names[K.bomber], False)
    if depot and may(offers, BuyDepot) and not state.depots[power]:
        return BuyDepot()
    if camp.lacks(capital) > coming(m, power) and buy_refusal(m, power, K.infantry, False) is None:
        return Buy(K.names[K.infantry], False)
    if (
        camp.bare(capital)
        and buy_refusal(m, power, K.tac_bomber, False) is None
        and (power == A.ussr or rng.random() < planes)
    ):
        return Buy(K.names[K.tac_bomber], False)
    if ships > afloat(m, power) and buy_refusal(m, power, K.transport, False) is None:
        return Buy(K.names[K.transport], False)
    return economy.purchase(m, power, offers, rng, shopping, pacific)


def afloat(m: M, power: int) -> int:
    """Transports that sail in no convoy, those being built included."""
    state = m.state
    ships = (u for u in roster(state).naval[power] if state.kind[u] == K.transport)
    return sum(state.space[u] not in (DEAD, IN_CONVOY) for u in ships)
