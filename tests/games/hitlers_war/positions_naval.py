"""Positions of Campaign Game II: prices, boxes, fleets, missiles and morale, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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

    def turn(self, name: str) -> Second:
        super().turn(name)
        return self

    def hold(self, side: str, *hexes: str) -> Second:
        super().hold(side, *hexes)
        return self

    def unroll(self, side: str, *steps: Step) -> list[str]:
        """Run the first of these steps once: the steps that then wait, the next one first."""
        self.s.side = side_number(side)
        self.s.stack = (*reversed(steps),)
        steps[0].run(self.match.play)
        return [type(step).__name__ for step in reversed(self.s.stack)]

    # ---- prices
    def price(self, side: str, item: str) -> Any:
        return Fraction(self.s.price[self.key(side, item)], SIXTH)

    def level(self, side: str, item: str) -> int:
        return self.s.level[self.key(side, item)]

    def at_level(self, side: str, item: str, level: int) -> Second:
        self.s.level = put(self.s.level, self.key(side, item), level)
        self.s.price = put(self.s.price, self.key(side, item), PRICES[item][level])
        return self

    def costs(self, side: str, item: str, price: Any) -> Second:
        self.s.price = put(self.s.price, self.key(side, item), int(Fraction(price) * SIXTH))
        return self

    def step_of(self, side: str, item: str) -> int:
        return self.s.track[self.key(side, item)]

    def on_step(self, side: str, item: str, step: int) -> Second:
        self.s.track = put(self.s.track, self.key(side, item), step)
        return self

    def money(self, points: int) -> Second:
        self.s.budget = points
        return self

    # ---- boxes
    def box(self, side: str, item: str) -> int:
        return self.s.box[self.key(side, item)]

    def boxed(self, side: str, item: str, number: int) -> Second:
        self.s.box = put(self.s.box, self.key(side, item), number)
        return self

    def fleet(self, side: str) -> int:
        """Capital ships at sea."""
        return self.s.at_sea[side_number(side)]

    def to_sea(self, side: str, ships: int) -> Second:
        self.s.at_sea = put(self.s.at_sea, side_number(side), ships)
        return self

    @property
    def boats(self) -> int:
        """U-boats at sea."""
        return self.s.at_sea[3]

    def wolves(self, boats: int) -> Second:
        self.s.at_sea = put(self.s.at_sea, 3, boats)
        return self

    # ---- missiles and morale
    def missile(self, side: str, number: int, at: str, points: int, bombs: int = 0) -> int:
        counter = side_number(side) * 3 + number - 1
        self.s.missile_at = put(self.s.missile_at, counter, ATLAS.index[at])
        self.s.missiles = put(self.s.missiles, counter, points)
        self.s.bombs = put(self.s.bombs, counter, bombs)
        return counter

    def spirits(self, germany: int = 10, britain: int = 10) -> Second:
        self.s.morale = (germany, britain)
        return self

    @property
    def germany(self) -> int:
        return self.s.morale[0]

    @property
    def britain(self) -> int:
        return self.s.morale[1]


class Admiral(Second):
    """Campaign Game II with the optional naval action; all fleets are taken off."""

    def __init__(self, **options: Any) -> None:
        super().__init__(naval_action=True, **options)
        count = len(NAMES)
        s = self.s
        s.fleet_at, s.fleet_state = (-1,) * count, (PORT,) * count
        s.ships, s.carriers = (0,) * count, (0,) * count
        s.raided = 0

    def ships(self, name: str, at: str, ships: int, carriers: int = 0, *, sea: bool = False) -> Admiral:
        """Put a fleet into a port or out to sea; the place 'raid' is the raid box."""
        fleet = INDEX[name]
        self.s.fleet_at = put(self.s.fleet_at, fleet, RAID_BOX if at == "raid" else ATLAS.index[at])
        self.s.fleet_state = put(self.s.fleet_state, fleet, SEA if sea or at == "raid" else PORT)
        self.s.ships, self.s.carriers = put(self.s.ships, fleet, ships), put(self.s.carriers, fleet, carriers)
        return self

    def find(self, name: str) -> str | None:
        """Where a fleet is: 'Q10', 'Q8 at sea', 'raid', or nowhere."""
        fleet = INDEX[name]
        space, state = self.s.fleet_at[fleet], self.s.fleet_state[fleet]
        if space == RAID_BOX:
            return "raid"
        if space < 0:
            return None
        return f"{ATLAS.names[space]}{' at sea' if state == SEA else ''}"

    def afloat(self, name: str) -> tuple[int, int]:
        """Capital ships and carriers of a fleet."""
        return self.s.ships[INDEX[name]], self.s.carriers[INDEX[name]]
