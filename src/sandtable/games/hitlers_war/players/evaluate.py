"""What a position is worth to a side: strength, production, objectives, supply, weighed by what wins the scenario."""

from __future__ import annotations

from ..facts.territory import territory
from ..model.atlas import ALLIES, ARMIES, ATLAS, AXIS, SIDES, SOVIET
from ..model.places import BERLIN, BRITISH_CAPITALS, FRANCE, GREAT_BRITAIN, PARIS, SOVIET_CAPITALS, WORKS
from ..model.state import War
from ..rules.budget import production
from ..rules.control import capacity
from ..rules.supply import cut_off
from ..rules.victory import last_turn, two_players
from .doctrine import LOSS
from .outlook import log_odds

WON = 400.0
_ODDS = 20.0
"""What one step of log odds counts, so that it compares with strength points."""
_HORIZON = 4
"""Seasons of production that count."""
_LAND = 0.12


def strength(s: War, side: int) -> float:
    """Points in armies by their price; those cut off from supply count little."""
    lost = cut_off(s, side, territory(s, side))
    total = 0.0
    for army in range(side * ARMIES, side * ARMIES + ARMIES):
        at = s.army_at[army]
        if at < 0 or s.idle[army]:
            continue
        base = army * 5
        value = sum(LOSS[kind] * s.strength[base + kind] for kind in range(5))
        total += value * (0.3 if at in lost else 1.0)
    return total


def objectives(s: War) -> float:
    """What the victory conditions say, from the Axis' point of view."""
    value = 0.0
    if s.owner[BERLIN] != AXIS:
        value -= WON
    if s.setting.politics:
        value += 6.0 * sum(s.owner[x] == AXIS for x in SOVIET_CAPITALS)
        value += 40.0 * (s.owner[PARIS] == AXIS or bool(s.surrendered[FRANCE]))
        value += 25.0 * sum(s.owner[x] == AXIS for x in BRITISH_CAPITALS) + 20.0 * bool(s.surrendered[GREAT_BRITAIN])
    return value


def standing(s: War, side: int) -> float:
    """A side's own means: armies, production of the coming seasons, land."""
    seasons = min(_HORIZON, max(0, last_turn(s) - s.turn))
    held = sum(s.owner[x] == side for x in ATLAS.land)
    value = strength(s, side) + seasons * production(s, side) + _LAND * held
    if seasons < _HORIZON:
        value += 1.5 * sum(capacity(s, x) for x in WORKS if s.owner[x] == side)
    return value


def evaluate(s: War, side: int) -> float:
    """The position from one side's point of view; bigger is better."""
    if s.outcome is not None:
        if not s.outcome.winners:
            return 0.0
        return WON if SIDES[side] in s.outcome.winners else -WON
    if s.setting.victory == "capitals":
        value = _ODDS * log_odds(s)
        return value if side == AXIS else -value
    goals = objectives(s)
    means = standing(s, AXIS) - 0.5 * (standing(s, SOVIET) + standing(s, ALLIES))
    if side == AXIS:
        return means + goals
    value = -means - goals
    if not two_players(s):
        other = SOVIET + ALLIES - side
        value += 0.3 * (standing(s, side) - standing(s, other))
    return value
