"""A guard for every game: before a movement ends, the enemy's best shot at each decisive place is looked at.

What the enemy can reach depends on where the own troops stand after the move, so it is asked of the finished plan. A
game says how it plans with orders to hold given first, and which orders would close what a plan leaves open; an order
that costs more than the place is worth it does not name, and so accepts the risk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

P = TypeVar("P")
K = TypeVar("K")
V = TypeVar("V")
ROUNDS = 2
"""How often a plan is made again."""


def guarded(
    plan: Callable[[Mapping[K, V]], P], closing: Callable[[P, Mapping[K, V]], Mapping[K, V]], rounds: int = ROUNDS
) -> P:
    """The plan after which the enemy finds least open: made again with orders to hold while there are new ones."""
    orders: dict[K, V] = {}
    made = plan(orders)
    for _ in range(rounds):
        more = closing(made, orders)
        if all(orders.get(key) == value for key, value in more.items()):
            break
        orders |= more
        made = plan(orders)
    return made
