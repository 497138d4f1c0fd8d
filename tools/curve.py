"""Draw the learning curves that examples/learn.py wrote: the share of matches won against recruit.

python -m tools.curve docs/learning/*.csv --out docs/pictures/learning.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from sandtable.lab import plots

GOAL = 0.8


def points(file: Path) -> list[tuple[float, float]]:
    """The minutes of learning and the share that was won, a draw counted as not won."""
    with file.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["what"].endswith("against recruit")]
    return [(float(row["cpu_minutes"]), int(row["won"]) / int(row["of"])) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.curve", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("curves", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    words = parser.parse_args()
    found = {file.stem: points(file) for file in words.curves}
    drawn = plots.progress(found, "minutes of processor time", GOAL)
    words.out.write_text(" ".join(drawn.split()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
