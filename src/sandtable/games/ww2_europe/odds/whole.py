"""Battles and raids of World War II in Europe that follow from an action with dice of its own, such as a search."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from sandtable.core import Action, Match, Odds
from sandtable.odds.walk import TooMany, outcomes, state_of

from ..model.actions import Combine, Separate
from ..model.state import W2State
from ..rules.interception_phase import Encounter
from .ahead import carry_out, told
from .preview import battle_of, in_short, searchers, whole_battle
from .rounds import MOST, MOST_OF_ALL, TooLarge

_MOST_DICE = 300
"""Ways that the dice before a battle can fall: three of them, as for searches one after the other."""


def battle_ahead(match: Match[W2State], role: str, action: Action, most: int = MOST_OF_ALL) -> Odds | None:
    """Every way in which the battle can end that the action starts, goes on with or may find; None where there is none,
    where it is too large, or where too many other dice come before it.

    The game itself carries the action out, every die of it, up to the first battle; from there on its sums go on.
    """
    if battle_of(match.play, role, action) is not None:
        return whole_battle(match.play, role, action, most)
    try:
        ends = outcomes(match, lambda twin: carry_out(twin.play, role, action), most=_MOST_DICE)
        alike: dict[Hashable, tuple[float, Match[W2State]]] = {}
        for chance, twin in ends:
            key = state_of(twin) if len(ends) > 1 else ()
            alike[key] = (chance + alike[key][0], alike[key][1]) if key in alike else (chance, twin)
        found = told(match.play, action, [(chance, twin.play) for chance, twin in alike.values()], most)
    except (TooMany, TooLarge):
        return None
    step = match.step
    if found is None or not isinstance(action, Separate) or not isinstance(step, Encounter):
        return found
    groups = len(searchers(match.play, step))
    if groups < 2:
        return found
    missed = sum(row.probability for row in found.results if row.name == "result.not-found")
    basis = f"basis.separate?groups={groups}&percent={round(100 * (1 - missed))}"
    return replace(found, policy="policy.first-fight", aim="aim.first-fight", basis=basis)


def shown_odds(match: Match[W2State], role: str, action: Action) -> Odds | None:
    """The preview; for a search, and where there is no preview, the battle that the action may lead to."""
    dice = match.preview(role, action)
    if dice is None or isinstance(action, (Combine, Separate)):
        return in_short(battle_ahead(match, role, action, MOST)) or dice
    return dice
