"""The records of a simulation as files: JSON, and Parquet tables."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

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


def write_parquet(folder: Path, records: Sequence[Record]) -> list[Path]:
    """Write tables that join on `seed`: matches, curves (a row per turn and measure), battles (a row per space).

    Where dice were weighed, luck too (a row per measure and side).
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = []
    for name, rows in tables(records).items():
        if name == "luck" and not rows:
            continue
        path = folder / f"{name}.parquet"
        pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(_schema(pa)[name])), path)
        paths.append(path)
    return paths


def tables(records: Sequence[Record]) -> dict[str, list[dict[str, Any]]]:
    """The records as rows of tables."""
    return {
        "matches": [
            {
                "seed": r.seed,
                "seats": [{"role": role, "level": level} for role, level in r.seats.items()],
                "winners": r.winners,
                "level": r.level,
                "reason": r.reason,
                "decisions": r.decisions,
                "turns": r.turns,
                "seconds": r.seconds,
            }
            for r in records
        ],
        "curves": [
            {"seed": r.seed, "turn": number, "name": r.turn_names[number - 1], "measure": measure, "value": value}
            for r in records
            for measure, values in r.curves.items()
            for number, value in enumerate(values, 1)
        ],
        "battles": [
            {"seed": r.seed, "space": space, "battles": count}
            for r in records
            for space, count in r.battles.items()
        ],
        "luck": [
            {"seed": r.seed, "measure": measure, "luck": luck, "variance": variance}
            for r in records
            for measure, (luck, variance) in r.luck.items()
        ],
    }  # fmt: skip


def _schema(pa: Any) -> dict[str, list[tuple[str, Any]]]:
    text, whole, real = pa.string(), pa.int64(), pa.float64()
    seats = pa.list_(pa.struct([("role", text), ("level", text)]))
    return {
        "matches": [
            ("seed", text), ("seats", seats), ("winners", pa.list_(text)), ("level", text), ("reason", text),
            ("decisions", whole), ("turns", whole), ("seconds", real),
        ],
        "curves": [("seed", text), ("turn", whole), ("name", text), ("measure", text), ("value", real)],
        "battles": [("seed", text), ("space", text), ("battles", whole)],
        "luck": [("seed", text), ("measure", text), ("luck", real), ("variance", real)],
    }  # fmt: skip
