"""What a Blitzkrieg General battle can come to, as one table of both sides' positions, and whole rounds added to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sandtable.odds.dice import hits

from ..model.state import AT_AIR, AT_LAND
from .lines import LEFT, Aims, Line, Side
from .round import Chart

NEVER = 1e-9
"""A round is less likely than this to change anything: whoever can fire has nobody whom he could hit."""
_NOTHING = 1e-12
"""Positions less likely than this are left out: all of them together are less than a hundred-millionth."""


def steps_of(side: Side) -> int:
    """Steps that a side still has, in the battle or gone from it."""
    return sum(now & (LEFT - 1) for now in side)


class Positions:
    """Chances of all pairs of what both sides have left, as one growing matrix; a battle only ever goes down in it."""

    def __init__(self, a: Side, d: Side) -> None:
        self.sides: tuple[list[Side], list[Side]] = ([], [])
        self.index: tuple[dict[Side, int], dict[Side, int]] = ({}, {})
        self.sums: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        self.most = sum(a) + sum(d)
        self.table = np.zeros((64, 64))
        self._blocks: dict[int, tuple[object, npt.NDArray[np.int64], npt.NDArray[np.float64]]] = {}

    def number(self, side: int, steps: Side) -> int:
        known = self.index[side].get(steps)
        if known is None:
            known = self.index[side][steps] = len(self.sides[side])
            self.sides[side].append(steps)
            self.sums[side].setdefault(steps_of(steps), []).append(known)
            size = self.table.shape[side]
            if known >= size:
                self.table = np.pad(self.table, ((0, size), (0, 0)) if side == 0 else ((0, 0), (0, size)))
        return known

    def put(self, a: Side, d: Side, chance: float) -> None:
        here = self.number(0, a), self.number(1, d)
        self.table[here] += chance

    def clear(self, a: Side, d: Side) -> None:
        self.table[self.number(0, a), self.number(1, d)] = 0.0

    def add(self, group: dict[Side, float], others: dict[tuple[Side, int], float], scale: float) -> None:
        """Every pair of the one with the other, as independent changes."""
        rows, p = self._row(group, lambda: ((0, steps) for steps in group))
        columns, q = self._row(others, lambda: ((1, steps) for steps, _ in others))
        self.table[rows[:, None], columns] += (p * scale)[:, None] * q

    def _row(
        self, chances: Mapping[Any, float], places: Callable[[], Iterable[tuple[int, Side]]]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The block as numbers. It is kept here, so that no other can take its place in memory."""
        known = self._blocks.get(id(chances))
        if known is None:
            made = np.array([self.number(side, steps) for side, steps in places()], dtype=np.int64)
            known = self._blocks[id(chances)] = (chances, made, np.array(list(chances.values())))
        return known[1], known[2]

    def drain(self) -> Iterator[tuple[Side, Side, float]]:
        """All positions, those with most left first. Whoever takes one may add others below it, or put it elsewhere."""
        for total in range(self.most, -1, -1):
            again = True
            while again:  # a position that flyers have left has as many steps as before
                again = False
                for left in sorted(self.sums[0]):
                    for row in list(self.sums[0][left]):
                        for column in list(self.sums[1].get(total - left, ())):
                            chance = float(self.table[row, column])
                            if chance > _NOTHING:
                                self.table[row, column] = 0.0
                                again = True
                                yield self.sides[0][row], self.sides[1][column], chance


class Grids:
    """Rounds on land as whole grids of hits: so many in the air by so many on the ground, for each side."""

    def __init__(self, chart: Chart, table: Positions) -> None:
        self.chart, self.table = chart, table
        self._known: dict[tuple[int, Side, Aims, bool, bool], Grid] = {}

    def spread(self, a: Side, d: Side, chance: float) -> bool:
        """Add what one round makes of a position to the table; False where it is no such round."""
        chart, table = self.chart, self.table
        lines = chart.plain_lines(a, d)
        if lines is None:
            return False
        first, second = lines
        flies, foe_flies = chart.flies(0, a) > 0, chart.flies(1, d) > 0
        mine = self.grid(0, a, first.aims, foe_flies, foe_flies)
        rows, p = mine.hit_by(second)
        # some of our flyers may fall in this round: then the enemy's losses fall as against a side without any
        still = mine.still_flies[: rows.shape[0], : rows.shape[1]]
        groups = [(flies, None)] if not flies or still.all() else [(True, still), (False, ~still)]
        same = 0.0
        sums = []
        for flying, chosen in groups:
            columns, q = self.grid(1, d, second.aims, flies, flying).hit_by(first)
            if chosen is None or chosen[0, 0]:
                # the first cell of both grids is no hit at all; only there does everything stay as it is
                same = float(p[0, 0] * q[0, 0])
            some = (rows.ravel(), p.ravel()) if chosen is None else (rows[chosen], p[chosen])
            sums.append((*some, columns.ravel(), q.ravel()))
        if same > 1.0 - NEVER:
            return False
        scale = chance / (1.0 - same)
        for numbers, chances, columns, q in sums:
            table.table[numbers[:, None], columns] += (chances * scale)[:, None] * q
        table.table[table.number(0, a), table.number(1, d)] = 0.0
        return True

    def grid(self, side: int, steps: Side, aims: Aims, foe_flies: bool, then: bool) -> Grid:
        """What is left of a side after any hits, when the other has flyers or not: as it fires, and as losses fall."""
        key = (side, steps, aims, foe_flies, then)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Grid(self.chart, self.table, *key)
        return known


class Grid:
    """The positions of one side by hits in the air (down) and on the ground (across)."""

    def __init__(
        self, chart: Chart, table: Positions, side: int, steps: Side, aims: Aims, foe_flies: bool, then: bool
    ) -> None:
        self.room = chart.room_of(side, steps, aims, foe_flies)
        ground = [steps]
        for _ in range(min(chart.dice[1 - side], self.room[AT_LAND])):
            ground.append(chart.hit(side, ground[-1], aims, then, AT_LAND))
        left = [ground]
        for _ in range(min(chart.dice[1 - side], self.room[AT_AIR])):
            left.append([chart.hit(side, one, aims, then, AT_AIR) for one in left[-1]])
        self.numbers = np.array([[table.number(side, one) for one in row] for row in left])
        self.still_flies = np.array([[chart.flies(side, one) > 0 for one in row] for row in left])

    def hit_by(self, line: Line) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The positions that a volley can lead to, and their chances. More dice than targets hit no more than these."""
        air, land = line.values[AT_AIR], line.values[AT_LAND]
        chances = both_segments(air, land, min(self.room[AT_AIR], len(air)), min(self.room[AT_LAND], len(land)))
        return self.numbers[: chances.shape[0], : chances.shape[1]], chances


@lru_cache(maxsize=20_000)
def both_segments(air: tuple[int, ...], land: tuple[int, ...], up: int, down: int) -> npt.NDArray[np.float64]:
    """Chances of hits in the air (down) and on the ground (across), each up to what can be hit there."""
    return np.outer(hits(air, up), hits(land, down))
