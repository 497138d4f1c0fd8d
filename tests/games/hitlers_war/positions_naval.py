"""Positions of Campaign Game II: prices, boxes, fleets, missiles and morale, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

from sandtable.core import Step
from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.atlas import ATLAS, side_number
from sandtable.games.hitlers_war.model.fleets import INDEX, NAMES, PORT, RAID_BOX, SEA
from sandtable.games.hitlers_war.model.technology import ITEM, ITEMS, PRICES, SIXTH
from tests.games.hitlers_war.positions import Position


class Second(Position):
    """Campaign Game II with the armies taken off."""

    def __init__(self, **options: Any) -> None:
        super().__init__("campaign-2", **options)

    @staticmethod
    def key(side: str, item: str) -> int:
        return side_number(side) * len(ITEMS) + ITEM[item]

    def unroll(self, side: str, *steps: Step) -> list[str]:
        """Run the first of these steps once: the steps that then wait, the next one first."""
        self.state.side = side_number(side)
        self.state.stack = (*reversed(steps),)
        steps[0].run(self.m)
        return [type(step).__name__ for step in reversed(self.state.stack)]

    # ---- prices
    def price(self, side: str, item: str) -> Any:
        return Fraction(self.state.price[self.key(side, item)], SIXTH)

    def level(self, side: str, item: str) -> int:
        return self.state.level[self.key(side, item)]

    def at_level(self, side: str, item: str, level: int) -> Self:
        self.state.level = put(self.state.level, self.key(side, item), level)
        self.state.price = put(self.state.price, self.key(side, item), PRICES[item][level])
        return self

    def costs(self, side: str, item: str, price: Any) -> Self:
        self.state.price = put(self.state.price, self.key(side, item), int(Fraction(price) * SIXTH))
        return self

    def step_of(self, side: str, item: str) -> int:
        return self.state.track[self.key(side, item)]

    def on_step(self, side: str, item: str, step: int) -> Self:
        self.state.track = put(self.state.track, self.key(side, item), step)
        return self

    def money(self, points: int) -> Self:
        self.state.budget = points
        return self

    # ---- boxes
    def box(self, side: str, item: str) -> int:
        return self.state.box[self.key(side, item)]

    def boxed(self, side: str, item: str, number: int) -> Self:
        self.state.box = put(self.state.box, self.key(side, item), number)
        return self

    def fleet(self, side: str) -> int:
        """Capital ships at sea."""
        return self.state.at_sea[side_number(side)]

    def to_sea(self, side: str, ships: int) -> Self:
        self.state.at_sea = put(self.state.at_sea, side_number(side), ships)
        return self

    @property
    def boats(self) -> int:
        """U-boats at sea."""
        return self.state.at_sea[3]

    def wolves(self, boats: int) -> Self:
        self.state.at_sea = put(self.state.at_sea, 3, boats)
        return self

    # ---- missiles and morale
    def missile(self, side: str, number: int, at: str, points: int, bombs: int = 0) -> int:
        counter = side_number(side) * 3 + number - 1
        self.state.missile_at = put(self.state.missile_at, counter, ATLAS.index[at])
        self.state.missiles = put(self.state.missiles, counter, points)
        self.state.bombs = put(self.state.bombs, counter, bombs)
        return counter

    def spirits(self, germany: int = 10, britain: int = 10) -> Self:
        self.state.morale = (germany, britain)
        return self

    @property
    def germany(self) -> int:
        return self.state.morale[0]

    @property
    def britain(self) -> int:
        return self.state.morale[1]


class Admiral(Second):
    """Campaign Game II with the optional naval action; all fleets are taken off."""

    def __init__(self, **options: Any) -> None:
        super().__init__(naval_action=True, **options)
        count = len(NAMES)
        s = self.state
        s.fleet_at, s.fleet_state = (-1,) * count, (PORT,) * count
        s.ships, s.carriers = (0,) * count, (0,) * count
        s.raided = 0

    def ships(self, name: str, at: str, ships: int, carriers: int = 0, *, sea: bool = False) -> Self:
        """Put a fleet into a port or out to sea; the place 'raid' is the raid box."""
        fleet = INDEX[name]
        self.state.fleet_at = put(self.state.fleet_at, fleet, RAID_BOX if at == "raid" else ATLAS.index[at])
        self.state.fleet_state = put(self.state.fleet_state, fleet, SEA if sea or at == "raid" else PORT)
        self.state.ships, self.state.carriers = (
            put(self.state.ships, fleet, ships),
            put(self.state.carriers, fleet, carriers),
        )
        return self

    def find(self, name: str) -> str | None:
        """Where a fleet is: 'Q10', 'Q8 at sea', 'raid', or nowhere."""
        fleet = INDEX[name]
        space, state = self.state.fleet_at[fleet], self.state.fleet_state[fleet]
        if space == RAID_BOX:
            return "raid"
        if space < 0:
            return None
        return f"{ATLAS.names[space]}{' at sea' if state == SEA else ''}"

    def afloat(self, name: str) -> tuple[int, int]:
        """Capital ships and carriers of a fleet."""
        return self.state.ships[INDEX[name]], self.state.carriers[INDEX[name]]
