"""Schema: a game's columns as tables of numbers, for programs that learn.

A state is a row of columns; which of them are about spaces, which about units, and whether a number is a quantity or
stands for a thing, only the game knows. It says so once, in `model/schema.py`:

    SCHEMA = Schema(
        Rows("space", ATLAS.names, (index("owner", 6), number("fort"), index("country", 40, fixed=COUNTRY_OF))),
        Rows("army", ATLAS.army_names, (index("army_at", len(ATLAS.names) + 1, least=-1), number("strength", width=5))),
        match=(number("turn"), index("side", 3)),
    )

`sandtable.env` makes arrays of it. Anything an action can name has one number in all tables together, see `thing`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

import msgspec

WORDS = 64
"""How many numbers there are for words of actions that name no row ('infantry', 'full'); found by a checksum."""


class Column(msgspec.Struct, frozen=True):
    """One column of the state, and what its numbers mean. Made by the functions below."""

    name: str
    kind: str
    """index, number, bits, sets or holders: see the functions of these names."""
    size: int = 0
    """How many different things an index may stand for; how many bits there are."""
    least: int = 0
    """The value that index 0 stands for. Values below it count as it."""
    width: int = 1
    """How many numbers of it belong to each row."""
    fixed: tuple[int, ...] = ()
    """The numbers themselves, where they never change: what is printed on the board or the counter."""

    @property
    def places(self) -> int:
        """How many numbers of a row it makes."""
        return self.size if self.kind == "bits" else self.width

    @property
    def most(self) -> int:
        """The largest number it makes; 0 where nothing limits it."""
        return {"index": self.size - 1, "holders": self.size - 1, "bits": 1, "sets": 1}.get(self.kind, 0)


def index(name: str, size: int, *, least: int = 0, width: int = 1, fixed: Sequence[int] = ()) -> Column:
    """A column of things: 0 stands for the value `least`, `size` - 1 for the last one."""
    return Column(name, "index", size, least, width, tuple(fixed))


def number(name: str, *, width: int = 1, fixed: Sequence[int] = ()) -> Column:
    """A column of quantities, taken as they are."""
    return Column(name, "number", width=width, fixed=tuple(fixed))


def bits(name: str, size: int, *, fixed: Sequence[int] = ()) -> Column:
    """A column of flags: each bit makes a number of its own, 0 or 1."""
    return Column(name, "bits", size, fixed=tuple(fixed))


def sets(name: str, *, width: int = 1) -> Column:
    """A set of rows as little-endian bytes, one bit a row, or several such sets: 1 for rows in it."""
    return Column(name, "sets", width=width)


def holders(name: str, size: int) -> Column:
    """For each of `size` - 1 holders the rows it has: 0 for a row that nobody has, else 1 + the holder."""
    return Column(name, "holders", size)


class Rows:
    """A table: things of one kind, each with its numbers."""

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        columns: Sequence[Column],
        *,
        find: Callable[[str], int | None] | None = None,
    ) -> None:
        """`find` returns the row of a name where a thing's name can change; otherwise `names` are what actions say."""
        self.name, self.names, self.columns = name, tuple(names), tuple(columns)
        rows = {thing: row for row, thing in enumerate(self.names) if thing}
        self.find: Callable[[str], int | None] = find or rows.get
        self.first = 0
        """The number of its first row among all things."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def places(self) -> int:
        """How many numbers a row has."""
        return sum(column.places for column in self.columns)


class Schema:
    """All tables of a game, and the numbers that belong to the match as a whole."""

    def __init__(self, *tables: Rows, match: Sequence[Column] = ()) -> None:
        self.tables, self.match = tables, Rows("match", ("",), match)
        self.things = 1
        """How many numbers there are for things: 0 is nothing, then the rows of the tables, then words."""
        for table in tables:
            table.first = self.things
            self.things += len(table)
        self.words = self.things
        """The number of the first word."""
        self.things += WORDS
        self._known: dict[object, int] = {"": 0, None: 0}

    def thing(self, value: object) -> int:
        """Return the number of what a field of an action names: a row of a table, or a word."""
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._find(str(value))
        return found

    def _find(self, name: str) -> int:
        for table in self.tables:
            row = table.find(name)
            if row is not None and 0 <= row < len(table):
                return table.first + row
        return self.words + zlib.crc32(name.encode()) % WORDS

    def __repr__(self) -> str:
        """Every table with its columns, one a line: what `sandtable.env` observes."""
        lines = []
        for table in (*self.tables, self.match):
            lines.append(f"{table.name}: {len(table)} rows of {table.places}, things from {table.first}")
            place = 0
            for column in table.columns:
                where = f"{place}" if column.places == 1 else f"{place} to {place + column.places - 1}"
                size = f" of {column.size}, 0 is {column.least}" if column.kind == "index" else ""
                lines.append(f"  {where}: {column.name} ({column.kind}{size}{', printed' if column.fixed else ''})")
                place += column.places
        return "\n".join(lines)
