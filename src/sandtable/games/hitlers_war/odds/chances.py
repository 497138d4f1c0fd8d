"""Chances of the Firepower Table: losses as exact distributions, and as odds that can be shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.core import Modifier, Odds, Result

from ..model.atlas import SIDES, losses_for
from ..model.state import War, armies_in, side_of, total
from ..rules.control import has_garrison, who_defends
from ..rules.firepower import groups

Spread = dict[int, Fraction]
"""Number -> how likely it is."""
_SIXTH = Fraction(1, 6)


def one_fire(strength: int, added: int, *, capped: bool) -> Spread:
    """Losses of one fire on the table, groups of ten rolled apart."""
    spread: Spread = {0: Fraction(1)}
    for column in groups(strength, capped=capped):
        die: Spread = {}
        for face in range(1, 7):
            lost = losses_for(column, face + added)
            die[lost] = die.get(lost, Fraction(0)) + _SIXTH
        spread = both(spread, die)
    return spread


def both(a: Spread, b: Spread) -> Spread:
    """The sum of two independent numbers."""
    out: Spread = {}
    for x, p in a.items():
        for y, q in b.items():
            out[x + y] = out.get(x + y, Fraction(0)) + p * q
    return out


def at_most(spread: Spread, most: int) -> Spread:
    """Losses beyond what can be lost are ignored.  [hw-assault-11]"""
    out: Spread = {}
    for number, p in spread.items():
        out[min(number, most)] = out.get(min(number, most), Fraction(0)) + p
    return out


def less(spread: Spread, absorbed: int) -> Spread:
    """Losses after a fort has absorbed its share.  [hw-fort-9]"""
    out: Spread = {}
    for number, p in spread.items():
        left = max(0, number - absorbed)
        out[left] = out.get(left, Fraction(0)) + p
    return out


def fire_odds(title: str, spread: Spread, side: str, modifiers: Sequence[Modifier] = ()) -> Odds:
    """A distribution of losses as odds; success is any loss at all."""
    results = [Result(float(p), "result.hits", {side: number}) for number, p in sorted(spread.items())]
    mean = float(sum(number * p for number, p in spread.items()))
    hit = float(sum((p for number, p in spread.items() if number), Fraction(0)))
    return Odds(title, results, hit, tuple(modifiers), {side: mean}, "policy.now")


def air_then_ground(air: Spread, ground: Spread, flying: int, others: int, there: int) -> Spread:
    """Losses of an assault: tac air to the attack in the air, then whatever is there to the fire on the ground.

    `flying`: tac air of the armies, which is part of `there`; `others`: a coast's air, which falls after it and which
    the fire on the ground does not reach.  [hw-air-3] [hw-assault-11]
    """
    out: Spread = {}
    for shot, p in at_most(air, flying + others).items():
        for hit, q in at_most(ground, there - min(shot, flying)).items():
            out[shot + hit] = out.get(shot + hit, Fraction(0)) + p * q
    return out


# ---- what can be lost
def in_space(s: War, space: int) -> int:
    """Points that ground fire can remove from a space: tac air too, when nothing else is left."""
    armies = [a for a in armies_in(s, space) if side_of(a) != s.side]
    return sum(total(s, a) for a in armies) + s.fort.get(space, 0) + s.home.get(space, 0) + has_garrison(s, space)


def into_space(s: War, space: int, fire: Spread, modifiers: Sequence[Modifier] = ()) -> Odds:
    """Fire into an enemy space: its fort absorbs what it still can, and no more is lost than is there."""
    room = s.fort.get(space, 0) - s.absorbed.get(space, 0)
    spread = at_most(less(fire, max(0, room)), in_space(s, space))
    return fire_odds("odds.fire", spread, SIDES[who_defends(s, space)], modifiers)
