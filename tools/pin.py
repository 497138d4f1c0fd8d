"""Keep a game's rules as they are now: `python tools/pin.py GAME` writes src/sandtable/games/pins/<game>_<n>.zip.

Run it before a change of play raises the game's `rules_version`. The same folder gives the same bytes.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import sandtable

STAMP = (1980, 1, 1, 0, 0, 0)


def pin(game: str) -> Path:
    """Write the pin of a game's present rules and return its path."""
    found = sandtable.find(game)
    home = Path(str(found.home))
    name = f"{home.name}_{found.rules_version}"
    path = home.parent / "pins" / f"{name}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(home.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                entry = zipfile.ZipInfo(f"{name}/{file.relative_to(home).as_posix()}", STAMP)
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return path


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(pin(wanted))
