"""Victory of every scenario, for two and for three players, with its levels."""

from __future__ import annotations

from fractions import Fraction

from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES, SOVIET
from ..model.places import BERLIN, GERMANY, SOVIET_CAPITALS
from ..model.state import M, War
from .control import capacity

LEVELS = ("marginal", "substantial", "decisive")
_CHART = ATLAS.rules["victory"]


def two_players(s: War) -> bool:
    """Soviets and Allies are one player's: their victory is one.  [hw-fall-seq-2]"""
    return s.options.get("players") == 2


def production_held(s: War, side: int) -> int:
    """All production points a side controls, devastated ones included.

    [hw-fall-victory-5] [hw-c1-victory-ratio] [hw-c1-victory-berlin]
    """
    if side == AXIS and s.surrendered[GERMANY]:
        return 0
    return sum(capacity(s, x) for x in ATLAS.land if s.owner[x] == side and ATLAS.production[x])


def at_once(m: M) -> bool:
    """Victories that come the moment a hex falls; whether the match is over."""
    s = m.state
    if s.outcome is not None:
        return True
    berlin = s.owner[BERLIN]
    if s.setting.victory == "capitals":
        if all(s.owner[x] == AXIS for x in SOVIET_CAPITALS):
            m.end((SIDES[AXIS],), "victory", "hw-bar-victory-1")
        elif berlin == SOVIET:
            m.end((SIDES[SOVIET],), "victory", "hw-bar-victory-3")
    elif berlin in (SOVIET, ALLIES):
        if s.setting.victory == "berlin":
            finish(m)
        elif two_players(s):
            m.end((SIDES[SOVIET], SIDES[ALLIES]), "victory", "hw-c1-victory-two")
    return s.outcome is not None


def finish(m: M) -> None:
    """The game is over: by the fall of Berlin or by the calendar."""
    s = m.state
    berlin_axis = s.owner[BERLIN] == AXIS and not s.surrendered[GERMANY]
    if s.setting.victory == "capitals":
        m.end((SIDES[SOVIET],), "victory", "hw-bar-victory-2")
    elif s.setting.victory == "berlin":
        _finish_fall(m, berlin_axis)
    elif two_players(s):
        winners = (SIDES[AXIS],) if berlin_axis else (SIDES[SOVIET], SIDES[ALLIES])
        m.end(winners, "victory", "hw-c1-victory-two")
    else:
        _finish_campaign(m)


def _finish_fall(m: M, berlin_axis: bool) -> None:
    """[hw-fall-victory-2] [hw-fall-victory-3] [hw-fall-victory-4] [hw-fall-special-1]"""
    s = m.state
    if berlin_axis:
        m.end((SIDES[AXIS],), "victory", "hw-fall-victory-2")
    elif two_players(s):
        m.end((SIDES[SOVIET], SIDES[ALLIES]), "victory", "hw-fall-special-1")
    else:
        top, bottom = _CHART["soviet_share"]
        if bottom * production_held(s, SOVIET) >= top * production_held(s, ALLIES):
            m.end((SIDES[SOVIET],), "victory", "hw-fall-victory-3")
        else:
            m.end((SIDES[ALLIES],), "victory", "hw-fall-victory-4")


def ratio(held: list[int], side: int) -> Fraction:
    """A side's production against the sum of the other two; everything against nothing counts as its own number.

    [hw-c1-victory-ratio]
    """
    others = sum(held) - held[side]
    return Fraction(held[side], others) if others else Fraction(held[side])


def level_of(s: War, side: int, share: Fraction, *, berlin_axis: bool) -> int:
    """0 for none, then marginal, substantial, decisive.  [hw-c1-victory-axis] [hw-c1-victory-soviet]
    [hw-c1-victory-allied]"""
    chart = _CHART[SIDES[side]]
    if side == AXIS:
        if not berlin_axis:
            return 0
        if share >= Fraction(*chart["decisive"]):
            return 3
        return 2 if share > Fraction(*chart["substantial"]) else 1
    for number in (3, 2, 1):
        if share >= Fraction(*chart[LEVELS[number - 1]]):
            return number
    return 0


def _finish_campaign(m: M) -> None:
    """The highest level wins; equal levels go to the higher ratio, equal ratios share.  [hw-c1-victory-highest]"""
    s = m.state
    berlin_axis = s.owner[BERLIN] == AXIS and not s.surrendered[GERMANY]
    held = [production_held(s, side) for side in (AXIS, SOVIET, ALLIES)]
    shares = [ratio(held, side) for side in (AXIS, SOVIET, ALLIES)]
    levels = [level_of(s, side, shares[side], berlin_axis=berlin_axis) for side in (AXIS, SOVIET, ALLIES)]
    best = max(levels)
    if best == 0:
        m.end((), "draw", "hw-c1-victory-highest")
        return
    top = max(shares[side] for side in range(3) if levels[side] == best)
    winners = tuple(SIDES[side] for side in range(3) if levels[side] == best and shares[side] == top)
    m.end(winners, LEVELS[best - 1], "hw-c1-victory-highest")


def last_turn(s: War) -> int:
    """The last season of the scenario.  [hw-bar-turns] [hw-fall-turns] [hw-c1-turns]"""
    return s.setting.last_turn_two_players if two_players(s) else s.setting.last_turn
