"""The production budget: every healthy point a side controls, and what holds some of them back.

Chapters 'Production Points', 'Production Limitations', the special rules of Barbarossa, 'Suez Canal'.
"""

from __future__ import annotations

from ..model.atlas import ALLIES, ATLAS, AXIS, SOVIET
from ..model.places import INDIA, SIBERIA, SOVIET_HEXES, SUEZ, WORKS
from ..model.state import War
from .control import healthy

_RULES = ATLAS.rules


def update_mobilization(s: War) -> None:
    """The Soviet limit falls by its date, or, if it was lengthened, by invasion or a later date.

    [hw-mobil-1] [hw-mobil-3]
    """
    if s.mobilized or not s.setting.politics:
        return
    if not s.extended:
        if s.turn >= ATLAS.turn("mobilization"):
            s.mobilized = s.turn
        return
    owner = s.owner
    held = sum([owner[x] == AXIS for x in SOVIET_HEXES])
    if held >= int(_RULES["mobilization"]["axis_hexes"]) or s.turn >= ATLAS.turn("extended_mobilization"):
        s.mobilized = s.turn


def siberia_works(s: War) -> bool:
    """Whether Siberian industry produces for the Soviets yet.  [hw-bar-special-4] [hw-mobil-4]"""
    if s.setting.politics:
        return bool(s.mobilized) and s.turn > s.mobilized
    return s.turn >= s.setting.siberian_industry


def production(s: War, side: int) -> int:
    """What a side's territory yields this turn.  [hw-prod-1] [hw-mobil-1] [hw-mobil-2] [hw-suez-1]"""
    home = abroad = 0
    owner = s.owner
    for space in WORKS:
        if owner[space] != side:
            continue
        points = healthy(s, space)
        if space == SIBERIA:
            if side != SOVIET or siberia_works(s):
                abroad += points
        elif space == INDIA and side == ALLIES and owner[SUEZ] == AXIS and s.setting.politics:
            continue
        elif side == SOVIET and space in SOVIET_HEXES:
            home += points
        else:
            abroad += points
    if side == SOVIET and s.setting.politics and not s.mobilized:
        home = min(home, int(_RULES["mobilization"]["limit"]))
    return home + abroad


def handicap(s: War, side: int) -> int:
    """Points that a side gets once, in the first season, to make up for a weaker player: option `handicap`."""
    given = int(s.options.get("handicap", 0))
    return abs(given) if s.turn == s.setting.first_turn and (given > 0) == (side == AXIS) else 0


def budget(s: War, side: int) -> int:
    """The points a side may spend in this production phase.

    [hw-bar-special-2] [hw-lend-3] [hw-uboat-4] [hw-uboat-5]
    """
    points = production(s, side) + handicap(s, side)
    if side == AXIS:
        points -= s.setting.axis_reduction
    if side == SOVIET:
        points += s.lent
    if side == ALLIES:
        points -= s.raided
    return max(0, points)
