"""Strength point movement across seas: which seas a side may use, and how much it may carry.

Chapters 'Sea Movement' of the Fall of Germany and 'Entry Into the War: Italy' of Campaign Game I.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations

from sandtable.core import Refusal
from sandtable.core.columns import having

from ..facts.seaways import blockade
from ..facts.territory import territory
from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES, SOVIET
from ..model.state import ITALY_AXIS, War, has_sea, space_name

_CHART = ATLAS.tables["sea_transport"]
_SEA = {name: number for number, name in enumerate(ATLAS.seas)}
UNLIMITED = 1 << 20
ATLANTIC, MEDITERRANEAN, RED = _SEA["atlantic"], _SEA["mediterranean"], _SEA["red_persian"]
AMERICA = frozenset(ATLAS.spaces(ATLAS.rules["places"]["america"]))
_RULE_OF_SEA = {
    _SEA["baltic"]: "hw-seamove-baltic",
    _SEA["black"]: "hw-seamove-black",
    _SEA["caspian"]: "hw-seamove-black",
    ATLANTIC: "hw-seamove-atlantic",
    MEDITERRANEAN: "hw-seamove-med",
    RED: "hw-seamove-persian",
}
_MALTA, _GIBRALTAR = ATLAS.place("malta"), ATLAS.place("gibraltar")
_FRANCE = ATLAS.country_index["france"]
_TO_AMERICA = int(_CHART["allied"]["to_from_us_canada"])


def sea_limits(s: War, side: int) -> Mapping[int, int]:
    """How many points a side may carry through each sea in a turn; seas not named are closed to it.

    [hw-seamove-baltic] [hw-seamove-black] [hw-seamove-atlantic] [hw-seamove-persian] [hw-seamove-white]
    [hw-seamove-med] [hw-italy-4] [hw-italy-5] [hw-italy-6] [hw-sea-transport-table]
    """
    if not has_sea(s):
        return {}
    foothold = s.owner[_GIBRALTAR] == ALLIES or not s.surrendered[_FRANCE]
    return _limits(side, s.italy == ITALY_AXIS, s.owner[_MALTA] == AXIS, foothold)


@cache
def _limits(side: int, italy_axis: bool, malta: bool, foothold: bool) -> Mapping[int, int]:
    """The chart by what it depends on: Italy, Malta, and an Allied foothold in the west of the Mediterranean."""
    if side == AXIS:
        limits = {_SEA["baltic"]: int(_CHART["axis"]["baltic"])}
        if italy_axis:
            chart = _CHART["axis"]["mediterranean"]
            limits[MEDITERRANEAN] = int(chart["italy_axis_and_malta" if malta else "italy_axis"])
    elif side == SOVIET:
        limits = {_SEA[name]: int(_CHART["soviet"][name]) for name in ("black", "caspian")}
    else:
        limits = {ATLANTIC: UNLIMITED, RED: int(_CHART["allied"]["red_persian"])}
        if not italy_axis:
            limits[MEDITERRANEAN] = UNLIMITED
        elif foothold:
            limits[MEDITERRANEAN] = int(_CHART["allied"]["mediterranean"]["italy_axis"]["gibraltar_or_france"])
    return dict(sorted(limits.items()))


def supply_seas(s: War, side: int) -> tuple[int, ...]:
    """Seas that carry a side's supply: those that carry its points, and the lakes for the Soviets.

    [hw-seasupply-1] [hw-seasupply-2] [hw-seasupply-3]
    """
    seas = tuple(sea_limits(s, side))
    if side == SOVIET and seas:
        return tuple(sorted({*seas, *(_SEA[name] for name in _CHART["soviet"]["supply_extra"])}))
    return seas


@lru_cache(maxsize=64)
def _subsets(seas: tuple[int, ...], dear: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Every choice of seas, those first that use the fewest limited ones."""
    every = [some for size in range(1, len(seas) + 1) for some in combinations(seas, size)]
    return tuple(sorted(every, key=lambda some: (sum(sea in dear for sea in some), len(some))))


def open_seas(s: War, side: int, number: int) -> tuple[int, ...]:
    """Seas that can still carry so many points of the side this turn."""
    lifted = s.lifted
    if not lifted:
        return tuple([sea for sea, most in sea_limits(s, side).items() if most >= number])
    return tuple([sea for sea, most in sea_limits(s, side).items() if most - lifted.get(sea, 0) >= number])


def america_room(s: War) -> int:
    """Points that may still go to or come from America this turn.  [hw-seamove-atlantic] [hw-trans-2]"""
    return _TO_AMERICA + s.shipping - s.crossed


def seas_for(s: War, side: int, start: int, goal: int, number: int) -> tuple[int, ...] | Refusal:
    """The seas that points must use from one friendly space to another, or the rule that stops them.

    [hw-move-2] [hw-seamove-combined]
    """
    mine = territory(s, side)
    land = mine.land.labels
    if land[goal] < 0:
        return Refusal("hw-move-2", "hw-not-friendly", to=space_name(goal))
    if land[start] >= 0 and land[start] == land[goal]:
        return ()
    limits = sea_limits(s, side)
    dear = frozenset(sea for sea, most in limits.items() if most < UNLIMITED)
    barred = blockade(s, side)
    overseas = (start in AMERICA) != (goal in AMERICA) or (start in AMERICA and start != goal)
    if overseas and america_room(s) < number:
        return Refusal("hw-seamove-atlantic", "hw-america-full", left=america_room(s), number=number)
    usable = open_seas(s, side, number)
    joined = mine.by_sea(usable, barred).labels
    if joined[start] == joined[goal]:
        for seas in _subsets(usable, dear):
            labels = mine.by_sea(seas, barred).labels
            if labels[start] == labels[goal]:
                return seas
    for seas in _subsets(tuple(sorted(limits)), dear):
        labels = mine.by_sea(seas, barred).labels
        if labels[start] == labels[goal]:
            full = next(sea for sea in seas if sea not in usable)
            left = limits[full] - s.lifted.get(full, 0)
            return Refusal(_RULE_OF_SEA[full], "hw-sea-full", sea=f"@{ATLAS.seas[full]}", left=left, number=number)
    names = {"start": space_name(start), "to": space_name(goal), "side": f"@{SIDES[side]}"}
    return Refusal("hw-move-3", "hw-not-connected", **names)


def carry(s: War, side: int, start: int, goal: int, number: int, seas: tuple[int, ...]) -> None:
    """Count points carried by sea against the turn's limits."""
    if not seas:
        return
    for sea in seas:
        s.lifted = having(s.lifted, sea, s.lifted.get(sea, 0) + number)
    if start in AMERICA or goal in AMERICA:
        s.crossed += number
