"""What a power is after: which land draws its troops, and when it goes to war with whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.core.facts import fact

from ..facts.control import control_side
from ..facts.winter import is_winter
from ..model.atlas import ATLAS, NEUTRAL
from ..model.calendar import has_come
from ..model.state import AT_WAR, NEUTRAL_POWER, M, W2State
from ..rules.politics import declare_refusal
from .sight import CAPITAL, Sight, holders, spread, worth

A = ATLAS
K = ATLAS.kinds
WEST = (A.britain, A.usa)
_LAST = 600.0
"""What the capital is worth that ends the war."""
_LOW_COUNTRIES = ("belgium", "netherlands")
_NOT_YET = 0.4
"""How much an enemy counts who is not yet in the war."""


def taken(state: W2State, power: int) -> bool:
    """Whether a power's capital is in enemy hands."""
    return control_side(state, A.capital[power]) == 1 - A.side[power]


def polish_war(state: W2State) -> bool:
    """Whether Germany's share of Poland still has to be taken."""
    return any(control_side(state, s) == 1 for s in A.pact_german)


class Ground(NamedTuple):
    """Who holds what, as a power sees it."""

    state: W2State
    power: int
    side: int
    holder: Sequence[int]


def prize(sight: Sight | Ground, space: int) -> float:
    """Return what taking a land space from the enemy is worth, in dollars."""
    state, value = sight.state, worth(sight.state, space)
    if space in A.capital:
        enemies = [p for p in range(NEUTRAL) if A.side[p] != sight.side]
        lost = sum(taken(state, p) for p in enemies if A.capital[p] != space)
        need = 1 if sight.side == 0 else len(enemies) - 1
        value = _LAST if lost >= need else value + CAPITAL
    return value


def eastward(state: W2State) -> bool:
    """Whether Germany gathers against the USSR: France has fallen, or the Soviets will soon come by themselves."""
    return state.status[A.ussr] == NEUTRAL_POWER and (
        taken(state, A.france) or has_come(state, A.house["dates"]["german_attack_on_ussr"])
    )


def goals(sight: Sight | Ground) -> dict[int, float]:
    """Return the land that draws a power's troops, with how strongly."""
    state, side = sight.state, sight.side
    found: dict[int, float] = {}
    for space in A.land:
        if sight.holder[space] == 1 - side:
            found[space] = prize(sight, space)
    if side == 0 and eastward(state):
        found |= {s: _NOT_YET * prize(sight, s) for s in A.land if state.owner[s] == A.ussr}
    if side == 1 and sight.power == A.ussr and state.status[A.ussr] == NEUTRAL_POWER:
        found |= {s: worth(state, s) for s in A.pact_soviet if state.owner[s] != A.ussr}
    return found


def pull(sight: Sight, aim: int = -1, force: float = 1.0, focus: float = 1.0) -> Mapping[int, float]:
    """Return how strongly every land space draws a power's troops, one of them more or less than usual, and so much
    more Paris and Berlin."""
    return _pull(sight.state, sight.power, aim, force, focus)


@fact("owner", "status", "lost_flag", "vichy", "patron", "turn", "scenario")
def _pull(state: W2State, power: int, aim: int, force: float, focus: float) -> Mapping[int, float]:
    sight = Ground(state, power, A.side[power], holders(state))
    shut = [state.owner[s] == NEUTRAL if A.is_land[s] else True for s in range(len(A.names))]
    if power == A.germany and not polish_war(state):
        for name in _LOW_COUNTRIES:
            for space in A.minor_spaces[A.minor_index[name]]:
                shut[space] = False
    wanted = goals(sight)
    if aim in wanted:
        wanted[aim] *= force
    for capital in (A.capital[A.france], A.capital[A.germany]):
        if capital in wanted:
            wanted[capital] *= focus
    return spread(wanted, shut)


def main_effort(state: W2State, power: int) -> int:
    """Return the land on which a power's troops are massed; -1: none in particular.

    For Germany it is Paris, once Poland is down. For the Western Allies it is Rome, once Paris has fallen: it lies by
    the sea, and Italy's army, fleet and money go with it.
    """
    if power in WEST:
        return A.capital[A.italy] if taken(state, A.france) and not taken(state, A.italy) else -1
    if power != A.germany or polish_war(state) or state.status[A.france] != AT_WAR or taken(state, A.france):
        return -1
    return A.capital[A.france]


# ---- declarations ----------------------------------------------------------------------------------------------------
def declaration(m: M, power: int) -> str | None:
    """Return the country on which a power declares war now: None is the wise choice nearly always.

    Germany goes round the French line through the Low Countries once Poland is down, and into the USSR at the first
    chance after France, in a season that leaves time; the USSR answers a breach of the pact.
    """
    state = m.state
    if power == A.ussr and state.status[power] == NEUTRAL_POWER:
        return A.powers[A.germany] if state.breach == 1 else None
    if power != A.germany or is_winter(state):
        return None
    wanted: list[str] = []
    if not polish_war(state) and not taken(state, A.france) and state.status[A.france] == AT_WAR:
        wanted += _LOW_COUNTRIES
    if eastward(state) and taken(state, A.france):
        wanted.append(A.powers[A.ussr])
    return next((name for name in wanted if declare_refusal(m, power, name) is None), None)
