"""What can be built in Campaign Game II, and what it costs at each tech level."""

from __future__ import annotations

from fractions import Fraction

from .atlas import ATLAS

ITEMS = ("infantry", "mechanized", "tac_air", "paratroop", "amphibious", "fort", "u_boat", "asw", "capital_ship",
         "carrier", "air_defense", "bomber", "escort", "missile", "atomic_bomb")  # fmt: skip
"""What can be built in Campaign Game II, in the order of the research section."""
ITEM = {name: number for number, name in enumerate(ITEMS)}


def cell(side: int, item: str) -> int:
    """Return the place of a side's item in the columns by side and item."""
    return side * len(ITEMS) + ITEM[item]


SIXTH = 6
"""Prices are kept in sixths of a production point: halves and thirds stay exact."""


def _sixths(cost: object) -> int:
    """A printed price in sixths of a point; 0 for a prohibited level."""
    return 0 if isinstance(cost, str) and cost.startswith("P") else int(Fraction(str(cost)) * SIXTH)


PRICES: dict[str, tuple[int, ...]] = {
    item: tuple(_sixths(cost) for cost in ATLAS.tables["capability"][item]) for item in ITEMS
}
"""Per item: its price at each tech level.  [hw-tech-table-land] [hw-tech-table-strategic] [hw-cost-2]"""


def starting(side: str) -> tuple[list[int], list[int]]:
    """Return what a side pays at the start for each item, in sixths, and its tech levels; -1 where it has none.

    [hw-cost-4] [hw-research-startpos] [hw-research-start-costs]
    """
    costs = ATLAS.tables["start_tech"][side]
    prices = [_sixths(costs[item]) if item in costs else 0 for item in ITEMS]
    printed = {item: list(map(str, ATLAS.tables["capability"][item])) for item in costs if item in ITEM}
    return prices, [printed[item].index(str(costs[item])) if item in costs else -1 for item in ITEMS]
