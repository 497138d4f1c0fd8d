"""Small choices that every level makes in the same way: who takes a hit, what the Pacific gets."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Action, Offers
from sandtable.games.ww2_europe.actions import Lose
from sandtable.games.ww2_europe.atlas import ATLAS
from sandtable.games.ww2_europe.battle import Battle
from sandtable.games.ww2_europe.kinds import AIR, GROUND
from sandtable.games.ww2_europe.lookup import unit_of
from sandtable.games.ww2_europe.state import M, W2State

from .sight import worth

A = ATLAS
K = ATLAS.kinds
_PACIFIC = A.rules["usa_pacific"]


def field_values(offers: Offers, act: type[Action]) -> list[str]:
    """The values of the first field of an offer."""
    return [str(value) for value in offers[act][0].fields[0].given(())]


def cheapest(state: W2State, units: Iterable[int]) -> list[int]:
    """Units, the one that is missed least first: a ship that is only damaged is missed less than one that sinks."""

    def price(unit: int) -> tuple[int, int]:
        kind = state.kind[unit]
        armoured = K.hits[kind] > state.damage[unit] + 1
        return (0 if armoured else K.cost[kind], unit)

    return sorted(units, key=price)


def lose_action(m: M, power: int, offers: Offers) -> Action:
    """The owner gives up the cheapest; who may choose among enemies takes the dearest.

    The last unit on foot of an attack is dearer than a plane where the ground is worth more than the plane.
    """
    state = m.state
    named = {unit_of(state, name): name for name in field_values(offers, Lose)}
    order = cheapest(state, named)
    if A.side[state.power[order[0]]] != A.side[power]:
        return Lose(named[order[-1]])
    step = state.stack[-1]
    if isinstance(step, Battle) and not step.sea and step.phase == "hits-a" and step.attacker == A.side[power]:
        walkers = [u for u in step.live(m, step.att) if K.cls[state.kind[u]] == GROUND]
        planes = [u for u in order if K.cls[state.kind[u]] == AIR]
        if (
            len(walkers) == 1
            and order[0] in walkers
            and planes
            and worth(state, step.space) > K.cost[state.kind[planes[0]]]
        ):
            return Lose(named[planes[0]])
    return Lose(named[order[0]])


def pacific_share(state: W2State) -> int:
    """What the USA puts aside now so that nothing is owed at the end of the year."""
    if state.debt:
        return min(state.debt, state.money[A.usa])
    due = min(int(_PACIFIC["amount"]), int(_PACIFIC["pro_rata_per_turn"]) * (state.pot_turns + 1))
    return max(0, min(due - state.pot, state.money[A.usa]))
