"""Older versions of the games' rules, so that every saved match replays under the rules it was played by.

A pin is a zip file named `<game>_<rules version>.zip`. It holds the game's whole folder as it was, under that name.
The tool `tools/pin` makes one before a change of play raises `rules_version`. A pinned game needs only what a game that
lives elsewhere needs: the core's documented interface.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def pinned(game: str, rules: int) -> Any | None:
    """Return the game as it was at that version of its rules; None where no pin of it is kept."""
    name = f"{game.replace('-', '_')}_{rules}"
    archive = _HERE / f"{name}.zip"
    if not archive.is_file():
        return None
    if not any((Path(folder) / name).is_dir() for folder in __path__):
        import atexit  # what only an old match needs is not imported with the package
        import shutil
        import tempfile
        import zipfile

        folder = tempfile.mkdtemp(prefix="sandtable-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        zipfile.ZipFile(archive).extractall(folder)
        __path__.append(folder)
        importlib.invalidate_caches()
    return importlib.import_module(f"{__name__}.{name}.game").GAME
