"""The records of a simulation as files: JSON, and tables as Parquet and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from sandtable.core import Game
from sandtable.lab.plots import place_names
from sandtable.lab.simulate import Record, Summary


def write_json(folder: Path, records: Sequence[Record], summary: Summary) -> list[Path]:
    """Write the records and the summary as JSON; returns the paths."""
    paths = []
    for name, value in (("records", records), ("summary", summary)):
        path = folder / f"{name}.json"
        path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1))
        paths.append(path)
    return paths


def missing() -> list[str]:
    """The packages that reports and Parquet files need and that are not installed."""
    return [name for name in ("matplotlib", "pyarrow") if find_spec(name) is None]


def write_tables(folder: Path, game: Game[Any], records: Sequence[Record]) -> list[Path]:
    """Write the tables as Parquet and as CSV; returns the paths."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    paths = []
    for name, rows in tables(game, records).items():
        if name == "luck" and not rows:
            continue
        columns = rows[0] if rows else dict.fromkeys(COLUMNS[name], "")
        table = pa.table({column: [row[column] for row in rows] for column in columns})
        pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
        pyarrow.csv.write_csv(table, folder / f"{name}.csv")
        paths += [folder / f"{name}.parquet", folder / f"{name}.csv"]
    return paths


SEAT = "seat_"
"""What the columns with the players begin with: one for each role."""
COLUMNS = {
    "matches": ("game", "seed", "winner", "winners", "level", "reason", "decisions", "turns", "seconds"),
    "curves": ("seed", "turn", "turn_name", "measure", "role", "value"),
    "battles": ("seed", "space", "place", "battles"),
    "luck": ("seed", "measure", "side", "luck", "variance"),
}
"""The columns of each table; docs/lab.md says what they mean."""


def tables(game: Game[Any], records: Sequence[Record]) -> dict[str, list[dict[str, Any]]]:
    """The records as rows of flat tables that join on `seed`: what pandas.DataFrame takes.

    matches has a row for each match, curves one for each turn and measure, battles one for each space, and luck one for
    each measure and side; luck is empty where no dice were weighed.
    """
    names = place_names(game)
    sides = {role: side for side, roles in game.alliances.items() for role in roles}
    values: dict[str, Iterator[tuple[Any, ...]]] = {
        "matches": (
            (
                game.id,
                r.seed,
                side(r.winners, sides),
                "+".join(r.winners),
                r.level,
                r.reason,
                r.decisions,
                r.turns,
                r.seconds,
            )
            for r in records
        ),
        "curves": (
            (r.seed, number, r.turn_names[number - 1], *_measure(name), value)
            for r in records
            for name, found in r.curves.items()
            for number, value in enumerate(found, 1)
        ),
        "battles": (
            (r.seed, space, names.get(space, space), count) for r in records for space, count in r.battles.items()
        ),
        "luck": ((r.seed, *_measure(name), *found) for r in records for name, found in r.luck.items()),
    }
    made = {name: [dict(zip(COLUMNS[name], row, strict=True)) for row in rows] for name, rows in values.items()}
    for row, record in zip(made["matches"], records, strict=True):
        row |= {f"{SEAT}{role}": level for role, level in record.seats.items()}
    return made


def side(winners: Sequence[str], sides: Mapping[str, str]) -> str:
    """The alliance that won, or 'draw'."""
    return next((sides.get(role, role) for role in winners), "draw")


def _measure(name: str) -> tuple[str, str]:
    """'production.axis' is the measure 'production' of the role 'axis'."""
    kind, _, role = name.partition(".")
    return kind, role
