"""What a Blitzkrieg General battle can come to, as one table of both sides' positions, and whole rounds added to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sandtable.odds.dice import hits

from ..model.state import AT_AIR, AT_LAND
from .lines import LEFT, Aims, Line, Side
from .round import Chart

NEVER = 1e-9
"""A round is less likely than this to change anything: whoever can fire has nobody to hit."""
_NOTHING = 1e-12
"""Positions less likely than this are left out: all of them together are less than a hundred-millionth."""


def steps_of(side: Side) -> int:
    """Steps that a side still has, in the battle or gone from it."""
    return sum(now & (LEFT - 1) for now in side)


class Positions:
    """Chances of all pairs of what both sides have left. A battle only ever goes down in this table."""

    def __init__(self, a: Side, d: Side) -> None:
        self.sides: tuple[list[Side], list[Side]] = ([], [])
        self.index: tuple[dict[Side, int], dict[Side, int]] = ({}, {})
        self.by_steps: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        self.most = sum(a) + sum(d)
        self.table: list[list[float]] = []
        """By the numbers of both sides' positions; a row is as long as it has been needed."""

    def number(self, side: int, steps: Side) -> int:
        """The number of what a side has left."""
        known = self.index[side].get(steps)
        if known is None:
            known = self.index[side][steps] = len(self.sides[side])
            self.sides[side].append(steps)
            self.by_steps[side].setdefault(steps_of(steps), []).append(known)
            if side == 0:
                self.table.append([])
        return known

    def add(self, rows: Iterable[tuple[int, float]], columns: Collection[tuple[int, float]], scale: float) -> None:
        """Add every pair of what the attackers and the defenders come to, as independent changes."""
        width = len(self.sides[1])
        for number, chance in rows:
            row = self.table[number]
            if len(row) < width:
                row.extend([0.0] * (width - len(row)))
            chance *= scale
            for column, part in columns:
                row[column] += chance * part

    def add_block(self, group: Mapping[Side, float], others: Mapping[tuple[Side, int], float], scale: float) -> None:
        """Add a block of a round, in which no bombs fall."""
        columns = [(self.number(1, steps), part) for (steps, _), part in others.items()]
        self.add([(self.number(0, steps), part) for steps, part in group.items()], columns, scale)

    def clear(self, a: Side, d: Side) -> None:
        """Take a pair out of the table."""
        self.table[self.number(0, a)][self.number(1, d)] = 0.0

    def drain(self) -> Iterator[tuple[Side, Side, float]]:
        """Take out all pairs, those with most left first. Whoever takes one may add others below it, or put it
        elsewhere."""
        for total in range(self.most, -1, -1):
            again = True
            while again:  # a position that flyers have left has as many steps as before
                again = False
                for left in sorted(self.by_steps[0]):
                    columns = self.by_steps[1].get(total - left, [])
                    for number in list(self.by_steps[0][left]):
                        row = self.table[number]
                        for column in list(columns):
                            if column < len(row) and (chance := row[column]) > _NOTHING:
                                row[column] = 0.0
                                again = True
                                yield self.sides[0][number], self.sides[1][column], chance


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
        # some of our flyers may fall in this round: then the enemy's losses fall as against a side without any
        groups: dict[bool, list[tuple[int, float]]] = {flies: []}
        rows = mine.hit_by(second)
        for row in rows:
            groups.setdefault(flies and mine.flies[row[0]], []).append(row)
        columns = {then: self.grid(1, d, second.aims, flies, then).hit_by(first) for then in groups}
        # the first of both is no hit at all; only there does everything stay as it is
        same = rows[0][1] * columns[flies][0][1]
        if same > 1.0 - NEVER:
            return False
        for then, group in groups.items():
            table.add(group, columns[then], chance / (1.0 - same))
        table.clear(a, d)
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
        self.numbers = [[table.number(side, one) for one in row] for row in left]
        self.flies = {table.number(side, one): chart.flies(side, one) > 0 for row in left for one in row}
        """Whether the side still has flyers, by the number of the position."""

    def hit_by(self, line: Line) -> list[tuple[int, float]]:
        """The positions that a volley can lead to, and their chances. More dice than targets hit no more than these."""
        in_air, below = line.values[AT_AIR], line.values[AT_LAND]
        air = hits(in_air, min(self.room[AT_AIR], len(in_air)))
        land = hits(below, min(self.room[AT_LAND], len(below)))
        return [
            (number, p * q)
            for row, p in zip(self.numbers, air, strict=False)
            for number, q in zip(row, land, strict=False)
        ]
