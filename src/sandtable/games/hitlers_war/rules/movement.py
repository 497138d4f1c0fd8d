"""Movement: re-arranging strength points behind friendly lines.

Chapters 'Movement', 'Stacking', 'Strength Point Movement Across Seas', 'Activity Limitations'. A point moves from army
to army; armies are created to receive points and vanish when they are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Named, Refusal

from ..facts.territory import Part
from ..model.actions import Points
from ..model.atlas import ALLIES, AMPH, ARMIES, ATLAS, AXIS, KINDS, MISSILES, PARA, SPACES, STACK
from ..model.places import FRENCH_HEXES, SIBERIA
from ..model.state import NO_POINTS, War, army_name, side_of, space_name, stacked
from . import italian
from .sealift import reach, seas_for

_SIBERIANS_LEAVE = ATLAS.turn("siberian_army")


# ---- rules
def holds(s: War, army: int) -> tuple[str, str] | None:
    """The rule that keeps an army where it is, and its text: no supply, not yet in the war, or waiting in Siberia.

    [hw-unsupplied-3] [hw-limit-1] [hw-limit-3] [hw-bar-special-3]
    """
    if s.stuck[army]:
        return "hw-unsupplied-3", "hw-army-unsupplied"
    if s.idle[army]:
        return "hw-limit-1", "hw-army-unaligned"
    if s.army_at[army] == SIBERIA and s.turn < _SIBERIANS_LEAVE:
        return s.setting.rule_of.get("siberia", "hw-limit-3"), "hw-siberia-frozen"
    return None


def why_held(s: War, army: int) -> Refusal | None:
    """Why an army may not move at all."""
    rule = holds(s, army)
    return Refusal(*rule, army=army_name(army)) if rule else None


def axis_in_france(s: War) -> bool:
    """Whether an Axis strength point is in mainland France: of an army, a finished fort or a missile counter.

    [hw-limit-2] [hw-fort-1]
    """
    standing = (*s.army_at[:ARMIES], *s.missile_at[:MISSILES], *(x for x in s.fort if s.owner[x] == AXIS))
    return not FRENCH_HEXES.isdisjoint(standing)


def kept_in_france(s: War, side: int, at: int) -> bool:
    """Whether points of a side in a space must stay in France: Allied ones while the Axis is there.  [hw-limit-2]"""
    return side == ALLIES and at in FRENCH_HEXES and s.setting.politics and axis_in_france(s)


def bounds(s: War, army: int) -> tuple[frozenset[int], str, str] | None:
    """The spaces that an army's points may not leave now, the rule and its text; None where nothing binds them.

    Allied points stay in France while the Axis stands there, Italian ones in Italian territory.
    [hw-limit-2] [hw-ital-3]
    """
    if italian.is_bound(s, army):
        return italian.territory(), "hw-ital-3", "hw-italian-home"
    if kept_in_france(s, side_of(army), s.army_at[army]):
        return FRENCH_HEXES, "hw-limit-2", "hw-stay-in-france"
    return None


def why_not_to(s: War, army: int, to: int, number: int) -> Refusal | None:
    """The rule that keeps so many points of an army from going to a space.  [hw-move-2]"""
    bound = bounds(s, army)
    if bound and to not in bound[0] and s.owner[to] == side_of(army):
        return Refusal(*bound[1:], army=army_name(army), to=space_name(to))
    seas = seas_for(s, side_of(army), s.army_at[army], to, number)
    return seas if isinstance(seas, Refusal) else None


def within_reach(s: War, army: int, number: int) -> Part:
    """All spaces that so many points of an army can get to, the one they are in included."""
    start, bound = s.army_at[army], bounds(s, army)
    part = reach(s, side_of(army), start, number)
    return part.trimmed(start, bound[0]) if bound else part


def destinations(s: War, army: int, number: int, *, staying: bool = False) -> Named:
    """The spaces that so many points of an army may go to; where they may stay, their own comes first."""
    start = s.army_at[army]
    others = within_reach(s, army, number).others(start)
    return Named((start, *others) if staying else others, SPACES, why=lambda to: why_not_to(s, army, to, number))


def why_not_mixed(army: str, chosen: Points, held: Sequence[int] = NO_POINTS) -> Refusal | None:
    """Paratroops and amphibious points never share an army, here with what it holds.  [hw-parawater-2]"""
    kinds = dict(chosen)
    drop, land = KINDS[PARA] in kinds, KINDS[AMPH] in kinds
    if (drop and (land or held[AMPH])) or (land and held[PARA]):
        return Refusal("hw-parawater-2", "hw-para-amph", army=army)
    return None


def overstacked(s: War, side: int) -> list[int]:
    """Hexes of a side that hold more than ten points; boxes have no limit.  [hw-stack-1] [hw-stack-3]"""
    places = sorted(set(s.army_at[side * 12 : side * 12 + 12]))
    return [x for x in places if x >= 0 and not ATLAS.is_box[x] and stacked(s, x) > STACK]


# ---- doing it
def count(chosen: Points) -> int:
    return sum(number for _, number in chosen)
