"""Missile counters on the map: they move like armies and do not fight (Campaign Game II)."""

from __future__ import annotations

from sandtable.core import Field, Offer, OneOf, Refusal

from .actions import MoveMissile
from .atlas import ATLAS
from .state import Playing, War, is_campaign_2, space_name
from .territory import part_names, sea_labels

COUNTERS: int = ATLAS.tables["limits"]["missile_counters"]


def counter_name(counter: int) -> str:
    return f"Missile {counter % COUNTERS + 1}"


def counters_of(side: int) -> range:
    return range(side * COUNTERS, side * COUNTERS + COUNTERS)


def find(side: int, name: str) -> int:
    """The side's counter of this name; -1 where there is none."""
    return next((counter for counter in counters_of(side) if counter_name(counter) == name), -1)


def _reach(s: War, side: int, counter: int) -> list[str]:
    key = (side, bytes(s.owner), (), frozenset[int]())
    start = s.missile_at[counter]
    return [name for name in part_names(key, sea_labels(*key)[start]) if name != space_name(start)]


def movement_offers(m: Playing, side: int) -> list[Offer]:
    """[hw-missile-2]"""
    s = m.state
    if not is_campaign_2(s):
        return []
    mine = {counter_name(c): c for c in counters_of(side) if s.missile_at[c] >= 0}
    if not mine:
        return []

    def ways(name: str) -> OneOf:
        return OneOf(_reach(s, side, mine[name]), lambda to: Refusal("hw-move-2", "hw-not-friendly", to=to))

    movable = [name for name, counter in mine.items() if _reach(s, side, counter)]
    if not movable:
        return []
    return [
        Offer(
            MoveMissile,
            Field("counter", "unit", OneOf(movable)),
            Field("to", "space", ways),
            rule="hw-missile-2",
        )
    ]


def take_movement(m: Playing, action: object) -> bool:
    if not isinstance(action, MoveMissile):
        return False
    s = m.state
    s.missile_at[find(s.side, action.counter)] = ATLAS.index[action.to]
    return True
