"""Advanced naval rules, Conditions of the Battle: day or night, good or bad weather."""

from __future__ import annotations

CALM_DAY, FOUL_DAY, CLEAR_NIGHT, FOUL_NIGHT = range(4)
WEATHER = ((0, 0, 1), (-1, -2, 1), (-1, 0, 0), (-2, 0, 0))
"""Naval modifier, air modifier, whether air units take part.  [w2e-adv-naval-conditions-effects]"""
NAMES = ("day-good", "day-bad", "night-good", "night-bad")


def conditions(die: int, night_wanted: bool) -> int:
    """What a roll means.  [w2e-adv-naval-conditions] [w2e-adv-naval-night-choice]"""
    if die <= 3:
        return CLEAR_NIGHT if night_wanted else CALM_DAY
    if die == 4:
        return FOUL_DAY
    if die == 5:
        return CALM_DAY if night_wanted else CLEAR_NIGHT
    return FOUL_NIGHT
