"""Small choices that every level makes in the same way: who takes a hit, what the Pacific gets."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.core import Action, Offers

from ..facts.names import names_of, unit_of
from ..facts.whereabouts import ground_of_side
from ..model.actions import (
    Abort,
    ChooseBattle,
    ChooseConvoy,
    Combine,
    Evade,
    Fight,
    GiveBattle,
    Lose,
    Ration,
    Retreat,
    Separate,
)
from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.kinds import AIR, GROUND
from ..model.state import M, W2State
from ..rules.battle_phase import Battle
from ..rules.interception_phase import Encounter
from .chances import Chances
from .sight import worth

A = ATLAS
K = ATLAS.kinds
_PACIFIC = A.rules["usa_pacific"]
_WINTER = str(A.house["seasons"]["winter"])


def field_values(offers: Offers, act: type[Action]) -> list[str]:
    """Return the values of the first field of an offer."""
    return [str(value) for value in offers[act][0].fields[0].given(())]


def may(offers: Offers, act: type[Action]) -> bool:
    """Whether there is anything of a kind to do; a rule may close its offer."""
    return any(offers[act])


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
    """Return what the USA puts aside now so that nothing is owed at the end of the year."""
    if state.debt:
        return min(state.debt, state.money[A.usa])
    due = min(int(_PACIFIC["amount"]), int(_PACIFIC["pro_rata_per_turn"]) * (state.pot_turns + 1))
    return max(0, min(due - state.pot, state.money[A.usa]))


def late_share(state: W2State) -> int:
    """What the USA must put aside now if the rest of the year's income pays the rest; nothing in a year without end."""
    if state.debt:
        return min(state.debt, state.money[A.usa])
    track = turn_track(state.scenario)
    left = next((n for n, name in enumerate(track[state.turn :]) if name.startswith(_WINTER)), None)
    if left is None:
        return 0
    due = min(int(_PACIFIC["amount"]), int(_PACIFIC["pro_rata_per_turn"]) * (state.pot_turns + 1 + left))
    return max(0, min(due - state.pot - left * A.value[A.capital[A.usa]], state.money[A.usa]))


def least(state: W2State, named: Iterable[str]) -> str:
    """Return the unit that is missed least."""
    units = {unit_of(state, name): name for name in named}
    return units[cheapest(state, units)[0]]


def ration(offers: Offers) -> Action:
    """Troops eat first: as few dollars as may be go aboard where both want the room."""
    return next(iter(offers[Ration][0]))


def first_battle(m: M, offers: Offers) -> Action:
    """The battle for the dearest ground comes first."""
    spaces = field_values(offers, ChooseBattle)
    return ChooseBattle(max(spaces, key=lambda s: (worth(m.state, A.index[s]) if A.is_land[A.index[s]] else 0.0, s)))


def stand(m: M, power: int, step: Battle, offers: Offers, chances: Chances, attrition: float = 1.0) -> Action:
    """Fight on or leave, by what either comes to in dollars; an attacker may count enemy losses for more."""
    state = m.state
    mine = A.side[power] == step.attacker
    if (not mine and step.space in A.capital) or not (offers[Retreat] or offers[Abort]):
        return Fight()
    chance = chances.fight(m, step if step.phase.startswith("abort") else replace(step, round=step.round + 1))
    ground = 0.0 if step.sea else worth(state, step.space)
    if mine:
        good = chance.win * ground + chance.theirs * attrition >= chance.ours
    else:
        good = (1 - chance.win) * ground + chance.ours >= chance.theirs
    if good:
        return Fight()
    if offers[Retreat]:
        spaces = field_values(offers, Retreat)
        return Retreat(max(spaces, key=lambda s: (shelter(m, A.side[power], s), s)))
    if offers[Abort]:
        units = all_planes(offers)
        return Abort(units) if units else Fight()
    return Fight()


def shelter(m: M, side: int, name: str) -> float:
    """Return how good a space is to fall back to."""
    if not name:
        return 0.0
    space = A.index[name]
    friends = len(ground_of_side(m.state, space, side))
    return friends + worth(m.state, space) / 10


def all_planes(offers: Offers) -> tuple[str, ...]:
    """Return all planes that may turn back."""
    found = offers[Abort][0].fields[0].given(())
    return tuple(str(name) for name in getattr(found, "items", ()))


def meet(m: M, step: Encounter, offers: Offers) -> Action | None:
    """At sea: the weaker slips away, the stronger looks for the enemy as one."""
    state = m.state
    if offers[Evade]:
        seekers, here = step.patrollers(m, step.side), step.able(m)
        ours = sum(K.combat[state.kind[u]] for u in here) * len(here)
        theirs = sum(K.combat[state.kind[u]] for u in seekers) * len(seekers)
        return GiveBattle(names_of(state, here)) if ours > theirs else Evade()
    if offers[ChooseConvoy]:
        return next(iter(offers[ChooseConvoy][0]))
    return Combine() if offers[Combine] else Separate()
