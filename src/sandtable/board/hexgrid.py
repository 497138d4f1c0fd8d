"""Hex geometry: from the number printed in a hex to its neighbours, its distance to another hex, its place on paper.

Two ways of numbering hexes are used by the games:

* `LetteredRows`: rows are letters counted from the south (A, B, C, ...), hexes in a row are numbered from the west,
  hexes stand on a point, and every second row (B, D, ...) sits half a hex further east. "Q15" is row Q, hex 15.
* `NumberedColumns`: four digits, two for the column from the west and two for the row from the north, hexes lie on a
  flat side, and every even column sits half a hex further north. "1712" is column 17, row 12.

    >>> from sandtable.board import LetteredRows, NumberedColumns
    >>> LetteredRows().neighbours("Q15")
    ['R15', 'Q16', 'P15', 'P14', 'Q14', 'R14']
    >>> NumberedColumns().distance("1712", "2511")
    8

Neighbours always come clockwise from the north, and `directions` names them in the same order: direction number 0 of
`LetteredRows` is "NE", of `NumberedColumns` "N". The opposite of direction d is (d + 3) % 6.

Inside, a hex is a pair (q, r) of "axial" coordinates: two axes at 60 degrees, so that a step in a given direction adds
the same pair everywhere, without a case for shifted rows. Only the naming knows about shifted rows. The grid has no
edge: which hexes exist is the atlas's business (see `hex_graph`), here a hex has a name or it has none.

On paper, the centres of neighbouring hexes are 1 apart, x grows to the east and y to the south, as on a screen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import sqrt
from typing import ClassVar

Axial = tuple[int, int]
Point = tuple[float, float]

_HALF_ROOT_3 = sqrt(3) / 2


class BadHexName(ValueError):
    """The text does not name a hex of this grid."""


class HexGrid(ABC):
    """What both grids share. A grid says how names and axial coordinates belong together and which way hexes lie."""

    directions: ClassVar[tuple[str, ...]]
    """Names of the six directions, clockwise from the north."""
    vectors: ClassVar[tuple[Axial, ...]]
    """What one step in each direction adds to the axial coordinates."""

    @abstractmethod
    def axial(self, name: str) -> Axial:
        """Axial coordinates of a named hex; `BadHexName` where the name is none of this grid."""

    @abstractmethod
    def name_at(self, q: int, r: int) -> str | None:
        """Name of the hex at axial coordinates; None where this numbering has no name for it."""

    @abstractmethod
    def plane(self, q: float, r: float) -> Point:
        """Place on paper of axial coordinates."""

    def centre(self, name: str) -> Point:
        """Centre of a hex on paper: x to the east, y to the south, neighbouring centres 1 apart."""
        return self.plane(*self.axial(name))

    def corners(self, name: str) -> list[Point]:
        """The six corners of a hex on paper, clockwise; its side towards direction d runs from corner d to d + 1.

        A corner is the middle of the three hex centres around it, so that touching hexes share their corners.
        """
        q, r = self.axial(name)
        found = []
        for d in range(6):
            (q1, r1), (q2, r2) = self.vectors[d - 1], self.vectors[d]
            found.append(self.plane((3 * q + q1 + q2) / 3, (3 * r + r1 + r2) / 3))
        return found

    def neighbour(self, name: str, direction: int | str) -> str | None:
        """The hex next to this one in a direction (its number or its name); None where it has no name."""
        if direction not in (range(6) if isinstance(direction, int) else self.directions):
            raise ValueError(f"no direction {direction!r}: expected 0 to 5 or one of {', '.join(self.directions)}")
        q, r = self.axial(name)
        dq, dr = self.vectors[direction if isinstance(direction, int) else self.directions.index(direction)]
        return self.name_at(q + dq, r + dr)

    def neighbours(self, name: str) -> list[str]:
        """The neighbours that have a name, clockwise from the north."""
        q, r = self.axial(name)
        around = (self.name_at(q + dq, r + dr) for dq, dr in self.vectors)
        return [hex_name for hex_name in around if hex_name is not None]

    def direction(self, here: str, there: str) -> int | None:
        """Number of the direction that leads from a hex to a neighbour; None where they are not neighbours."""
        q1, r1 = self.axial(here)
        q2, r2 = self.axial(there)
        step = (q2 - q1, r2 - r1)
        return self.vectors.index(step) if step in self.vectors else None

    def distance(self, here: str, there: str) -> int:
        """Hexes to go from one to the other, the first not counted and the last counted."""
        q1, r1 = self.axial(here)
        q2, r2 = self.axial(there)
        return axial_distance(q1, r1, q2, r2)

    def line(self, here: str, there: str) -> list[str | None]:
        """The hexes on the straight line between two centres, both ends included.

        Where the line runs along a hexside the same one of the two hexes is always taken, also when the line is drawn
        from the other end. None stands for a hex of the line that has no name.
        """
        q1, r1 = self.axial(here)
        q2, r2 = self.axial(there)
        return [self.name_at(q, r) for q, r in axial_line(q1, r1, q2, r2)]

    def ring(self, name: str, radius: int) -> list[str]:
        """The named hexes at exactly this distance, clockwise, beginning straight in the first direction."""
        if radius < 0:
            raise ValueError(f"a ring has no radius {radius}")
        q, r = self.axial(name)
        if radius == 0:
            return [name]
        q, r = q + self.vectors[0][0] * radius, r + self.vectors[0][1] * radius
        found = []
        for side in range(6):
            dq, dr = self.vectors[(side + 2) % 6]
            for _ in range(radius):
                hex_name = self.name_at(q, r)
                if hex_name is not None:
                    found.append(hex_name)
                q, r = q + dq, r + dr
        return found

    def disc(self, name: str, radius: int) -> list[str]:
        """The named hexes up to this distance, ring by ring from the middle."""
        return [hex_name for k in range(radius + 1) for hex_name in self.ring(name, k)]


class LetteredRows(HexGrid):
    """Rows A, B, C, ... from south to north, hexes on a point, every second row half a hex further east."""

    directions = ("NE", "E", "SE", "SW", "W", "NW")
    vectors = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))

    def __init__(self, letters: str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ") -> None:
        if len(set(letters)) != len(letters):
            raise ValueError(f"row letters repeat: {letters}")
        self.letters = letters

    def row_and_number(self, name: str) -> tuple[int, int]:
        """Row counted from 1 in the south, and number in the row."""
        row, digits = self.letters.find(name[:1]) + 1, name[1:]
        if not name or row == 0 or not _is_number(digits) or digits[0] == "0":
            raise BadHexName(f"{name!r} is no hex: expected a row letter and a number, like 'Q15'")
        return row, int(digits)

    def name_of(self, row: int, number: int) -> str | None:
        """Name from row (1 is the southernmost) and number; None outside the letters or below number 1."""
        return f"{self.letters[row - 1]}{number}" if 1 <= row <= len(self.letters) and number >= 1 else None

    def axial(self, name: str) -> Axial:
        row, number = self.row_and_number(name)
        return number + row // 2, -row

    def name_at(self, q: int, r: int) -> str | None:
        return self.name_of(-r, q - (-r) // 2)

    def plane(self, q: float, r: float) -> Point:
        return q + r / 2, r * _HALF_ROOT_3


class NumberedColumns(HexGrid):
    """Names CCRR: columns from west to east, rows from north to south, hexes on a side, even columns half a hex up."""

    directions = ("N", "NE", "SE", "S", "SW", "NW")
    vectors = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

    def column_and_row(self, name: str) -> tuple[int, int]:
        """Column from the west and row from the north, as printed."""
        if len(name) != 4 or not _is_number(name):
            raise BadHexName(f"{name!r} is no hex: expected two digits of column and two of row, like '1712'")
        return int(name[:2]), int(name[2:])

    def name_of(self, column: int, row: int) -> str | None:
        """Name from column and row; None where they need more than two digits."""
        return f"{column:02d}{row:02d}" if 0 <= column <= 99 and 0 <= row <= 99 else None

    def axial(self, name: str) -> Axial:
        column, row = self.column_and_row(name)
        return column, row - column // 2

    def name_at(self, q: int, r: int) -> str | None:
        return self.name_of(q, r + q // 2)

    def plane(self, q: float, r: float) -> Point:
        # An odd column's hex has y equal to its row; the constant keeps that so.
        return q * _HALF_ROOT_3, r + q / 2 - 0.5


def axial_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """Steps between two hexes given by axial coordinates."""
    dq, dr = q2 - q1, r2 - r1
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def axial_line(q1: int, r1: int, q2: int, r2: int) -> list[Axial]:
    """The hexes on the straight line between two centres, in whole numbers, so that no rounding error can move it.

    The line is cut into as many equal parts as there are steps, and each cut belongs to the nearest hex. All is
    scaled by 12 and the line pushed aside by a hair (1, 2, -3 twelfths of a part): no cut can then be equally near to
    two hexes, and because the push does not depend on the direction of travel, the way back is the same line.
    """
    steps = axial_distance(q1, r1, q2, r2)
    if steps == 0:
        return [(q1, r1)]
    unit = 12 * steps
    line = []
    for i in range(steps + 1):
        q = (q1 * (steps - i) + q2 * i) * 12 + 1
        r = (r1 * (steps - i) + r2 * i) * 12 + 2
        s = -q - r
        near_q, near_r, near_s = ((2 * value + unit) // (2 * unit) for value in (q, r, s))
        off_q, off_r, off_s = abs(near_q * unit - q), abs(near_r * unit - r), abs(near_s * unit - s)
        # The three rounded numbers must add up to 0; the one that was rounded most gives way.
        if off_q > off_r and off_q > off_s:
            near_q = -near_r - near_s
        elif off_r > off_s:
            near_r = -near_q - near_s
        line.append((near_q, near_r))
    return line


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
