"""Research and technology (Campaign Game II): prices that fall by investment, luck, and the example of others."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Refusal
from sandtable.core.columns import having, put

from ..model.atlas import ALLIES, ATLAS, SIDES, SOVIET
from ..model.events import Researched
from ..model.state import M, War, has_carriers
from ..model.technology import ITEMS, PRICES, SIXTH, cell

_TABLE = ATLAS.tables
_STEPS = _TABLE["research_track"]["steps"]
LAST_STEP = len(_STEPS)
_ITEMS = len(ITEMS)
_MOST_A_TURN = int(_TABLE["research_track"]["max_points_per_item_per_turn"])


def price(s: War, side: int, item: str) -> int:
    """What a side pays now, in sixths; 0 while the item is prohibited or not its own.  [hw-cost-1] [hw-cost-3]"""
    return s.price[cell(side, item)]


def cost_of(s: War, side: int, item: str, number: int) -> int:
    """Whole production points for so many at once: remainders are lost."""
    return -(-price(s, side, item) * number // SIXTH)


def next_price(s: War, side: int, item: str) -> int | None:
    """The price of the next tech level; None at the last one."""
    level = s.level[cell(side, item)]
    prices = PRICES[item]
    return prices[level + 1] if 0 <= level < len(prices) - 1 else None


def cheaper_elsewhere(s: War, side: int, item: str) -> bool:
    """Whether another side pays less for the item now.  [hw-research-special-3]"""
    own = price(s, side, item)
    return any(0 < price(s, other, item) < own for other in range(3) if other != side)


def cheapest(s: War, side: int, item: str) -> bool:
    """Whether the item is cheaper here than with both other sides.  [hw-research-special-2]"""
    own = price(s, side, item)
    others = [s.price[cell(other, item)] for other in range(3) if other != side]
    return not any(0 < each <= own for each in others)


def most_points(s: War, side: int, item: str) -> int:
    """Points a side may still spend on an item this turn.

    [hw-research-1] [hw-research-special-1] [hw-research-special-2] [hw-research-special-4] [hw-research-max]
    """
    key = cell(side, item)
    most = _MOST_A_TURN
    if side == SOVIET and not s.at_war:
        most = 1
    if price(s, side, item) and cheapest(s, side, item):
        most = 1
    return max(0, min(most - s.invested.get(key, 0), LAST_STEP - s.track[key], s.budget))


def why_no_carrier(s: War, item: str) -> Refusal | None:
    """Carriers come with their own optional rule.  [hw-fleet-5]"""
    return Refusal("hw-fleet-5", "hw-no-carriers") if item == "carrier" and not has_carriers(s) else None


def why_no_research(s: War, side: int, item: str) -> Refusal | None:
    """Why no point can go to an item now."""
    key = cell(side, item)
    if refusal := why_no_carrier(s, item):
        return refusal
    if s.level[key] < 0:
        return Refusal("hw-research-1", "hw-item-not-yours", item=f"@{item}")
    if next_price(s, side, item) is None:
        return Refusal("hw-cost-2", "hw-item-best", item=f"@{item}")
    if s.track[key] >= LAST_STEP:
        return Refusal("hw-research-max", "hw-research-complete", item=f"@{item}")
    if s.budget < 1:
        return Refusal("hw-research-1", "hw-no-money", needed=1, left=s.budget)
    if most_points(s, side, item) < 1:
        if side == SOVIET and not s.at_war:
            return Refusal("hw-research-special-1", "hw-peace-research", item=f"@{item}")
        if price(s, side, item) and cheapest(s, side, item):
            return Refusal("hw-research-special-2", "hw-cheapest-research", item=f"@{item}")
        return Refusal("hw-research-1", "hw-two-points", item=f"@{item}")
    return None


def fundable(s: War, side: int) -> Iterator[str]:
    """Items that a side can put a point into."""
    return (item for item in ITEMS if why_no_research(s, side, item) is None)


def result_of(step: int, die: int) -> str:
    """A, B or C under the marker's space.  [hw-research-2] [hw-research-track]"""
    return next(letter for letter in "ABC" if die in _STEPS[str(step)][letter])


def letter_for(s: War, side: int, item: str, die: int) -> str:
    """What a roll for an item brings.  [hw-research-2] [hw-research-special-3] [hw-research-special-4]"""
    key = cell(side, item)
    letter = result_of(s.track[key], die)
    return "A" if letter == "B" and s.price[key] and cheaper_elsewhere(s, side, item) else letter


def improve(s: War, side: int, item: str, letter: str) -> None:
    """What a result does to the price.  [hw-research-a] [hw-research-b] [hw-research-b-fraction]"""
    key = cell(side, item)
    lower = next_price(s, side, item)
    assert lower is not None
    if letter == "A":
        s.level = put(s.level, key, s.level[key] + 1)
        s.price = put(s.price, key, lower)
    elif letter == "B" and s.price[key]:
        gap = s.price[key] - lower
        if gap > SIXTH:
            s.price = put(s.price, key, s.price[key] - SIXTH)
        elif gap == SIXTH:
            s.price = put(s.price, key, s.price[key] - (SIXTH // 2))


def test(m: M, side: int, item: str) -> None:
    """Roll for an item.  [hw-research-2] [hw-research-c] [hw-research-special-3] [hw-research-special-4]"""
    s = m.state
    key = cell(side, item)
    letter = letter_for(s, side, item, m.roll(why="hw-research-2"))
    s.tested = having(s.tested, key, 1)
    m.emit(Researched(side=f"@{SIDES[side]}", item=f"@{item}", result=letter))
    if letter == "C":
        back = _TABLE["efficiency"][str(m.roll(why="hw-efficiency-table"))]
        s.track = put(s.track, key, 0 if back == "start" else max(0, s.track[key] + int(back)))
        return
    improve(s, side, item, letter)
    s.track = put(s.track, key, 0)


def american_science(s: War) -> None:
    """The United States brings its own start in atomic bombs and ships.  [hw-research-us]"""
    for item, level in ATLAS.rules["united_states"]["tech"].items():
        key = cell(ALLIES, item)
        if s.level[key] < int(level):
            s.level = put(s.level, key, int(level))
            s.price = put(s.price, key, PRICES[item][int(level)])
