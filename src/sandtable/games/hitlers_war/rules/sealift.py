"""Strength point movement across seas: which seas a side may use, and how much it may carry.

Chapters 'Sea Movement' of the Fall of Germany and 'Entry Into the War: Italy' of Campaign Game I.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

from sandtable.core import Refusal
from sandtable.core.columns import having

from ..facts.seaways import blockade
from ..facts.territory import Part, territory
from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES, SOVIET
from ..model.places import AMERICA, FRANCE, GIBRALTAR, MALTA
from ..model.state import ITALY_AXIS, ITALY_BEATEN, War, space_name

_CHART = ATLAS.tables["sea_transport"]
_SEA = {name: number for number, name in enumerate(ATLAS.seas)}
UNLIMITED = 1 << 20
ATLANTIC, MEDITERRANEAN, RED = _SEA["atlantic"], _SEA["mediterranean"], _SEA["red_persian"]
_OLD_WORLD = frozenset(ATLAS.land) - AMERICA
_RULE_OF_SEA = {
    _SEA["baltic"]: "hw-seamove-baltic",
    _SEA["black"]: "hw-seamove-black",
    _SEA["caspian"]: "hw-seamove-black",
    ATLANTIC: "hw-seamove-atlantic",
    MEDITERRANEAN: "hw-seamove-med",
    RED: "hw-seamove-persian",
}
_TO_AMERICA = int(_CHART["allied"]["to_from_us_canada"])


class SeaChart:
    """What a side may carry by sea in a turn."""

    def __init__(self, side: int, limits: Mapping[int, int]) -> None:
        self.limits = dict(sorted(limits.items()))
        """Sea -> points it carries; seas not named are closed to the side."""
        dear = {sea for sea, most in limits.items() if most < UNLIMITED}
        every = [some for size in range(1, len(limits) + 1) for some in combinations(self.limits, size)]
        self.choices = sorted(every, key=lambda some: (len(dear.intersection(some)), len(some)))
        """Every choice of seas, those first that use the fewest limited ones."""
        lakes = _CHART["soviet"]["supply_extra"] if side == SOVIET and limits else ()
        self.supply = tuple(sorted({*limits, *(_SEA[name] for name in lakes)}))
        """Seas that carry its supply: those that carry its points, and the lakes for the Soviets.

        [hw-seasupply-1] [hw-seasupply-2] [hw-seasupply-3]
        """


def _chart(side: int, italy_axis: bool, malta: bool, foothold: bool) -> SeaChart:
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
    return SeaChart(side, limits)


_CLOSED = tuple(SeaChart(side, {}) for side in range(len(SIDES)))
_YES_NO = (False, True)
_CHARTS = {key: _chart(*key) for key in product(range(len(SIDES)), _YES_NO, _YES_NO, _YES_NO)}


def sea_chart(s: War, side: int) -> SeaChart:
    """Return what a side may carry by sea.

    [hw-seamove-baltic] [hw-seamove-black] [hw-seamove-atlantic] [hw-seamove-persian] [hw-seamove-white]
    [hw-seamove-med] [hw-italy-4] [hw-italy-5] [hw-italy-6] [hw-sea-transport-table]
    """
    if not s.setting.sea:
        return _CLOSED[side]
    foothold = s.owner[GIBRALTAR] == ALLIES or not s.surrendered[FRANCE]
    return _CHARTS[side, s.italy == ITALY_AXIS, s.owner[MALTA] == AXIS, foothold]


def supply_seas(s: War, side: int) -> tuple[int, ...]:
    """Return the seas that carry a side's supply, and those that did until its enemies closed them.

    The Allies begin with the Mediterranean; the Axis has it with Italy and loses it with Italy.
    """
    seas = sea_chart(s, side).supply
    fought_for = side == ALLIES or (side == AXIS and s.italy == ITALY_BEATEN)
    return (*seas, MEDITERRANEAN) if fought_for and s.setting.politics else seas


def open_seas(s: War, side: int, number: int) -> tuple[int, ...]:
    """Return the seas that can still carry so many points of the side this turn."""
    lifted = s.lifted
    return tuple([sea for sea, most in sea_chart(s, side).limits.items() if most - lifted.get(sea, 0) >= number])


def america_room(s: War) -> int:
    """Return how many points may still go to or come from America this turn.  [hw-seamove-atlantic] [hw-trans-2]"""
    return _TO_AMERICA + s.shipping - s.crossed


def this_side(start: int) -> frozenset[int]:
    """Return the spaces that points reach without a voyage to or from America."""
    return frozenset((start,)) if start in AMERICA else _OLD_WORLD


def reach(s: War, side: int, start: int, number: int) -> Part:
    """Return all spaces that so many points can get to by land and sea, the start included.

    [hw-move-2] [hw-seamove-combined] [hw-seamove-atlantic]
    """
    part = territory(s, side).by_sea(open_seas(s, side, number), blockade(s, side)).part(start)
    return part if number <= america_room(s) or side != ALLIES else part.trimmed(start, this_side(start))


def seas_for(s: War, side: int, start: int, goal: int, number: int) -> tuple[int, ...] | Refusal:
    """Return the seas that points must use from one friendly space to another, or the rule that stops them.

    [hw-move-2] [hw-seamove-combined]
    """
    mine = territory(s, side)
    land = mine.land.labels
    if land[goal] < 0:
        return Refusal("hw-move-2", "hw-not-friendly", to=space_name(goal))
    if land[start] == land[goal]:
        return ()
    if goal not in this_side(start) and america_room(s) < number:
        return Refusal("hw-seamove-atlantic", "hw-america-full", left=america_room(s), number=number)
    chart, usable, barred = sea_chart(s, side), open_seas(s, side, number), blockade(s, side)

    def join(seas: tuple[int, ...]) -> bool:
        labels = mine.by_sea(seas, barred).labels
        return labels[start] == labels[goal]

    if join(usable):
        return next(seas for seas in chart.choices if set(seas) <= set(usable) and join(seas))
    for seas in filter(join, chart.choices):
        full = next(sea for sea in seas if sea not in usable)
        left = chart.limits[full] - s.lifted.get(full, 0)
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
