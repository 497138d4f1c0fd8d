"""The build command: atlas in, map.json out, for one game or for all.

Each game is registered with the module that knows its kind of board; a builder is a function `build(game) -> dict`.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tools.mapbuild import base

FORMAT = 1
LIMIT_GZIPPED = 300_000
BUILDERS: dict[str, str] = {
    "hitlers-war": "tools.mapbuild.hexes",
    "munich-war": "tools.mapbuild.hexes",
    "blitzkrieg-general": "tools.mapbuild.areas",
    "ww2-europe": "tools.mapbuild.areas",
}
"""Which module builds which game."""


def map_path(game: str) -> Path:
    """Where a game's built map is committed."""
    return base.GAMES / game.replace("-", "_") / "data" / "map.json"


def atlas_path(game: str) -> Path:
    """Where a game's atlas lies."""
    return base.GAMES / game.replace("-", "_") / "data" / "atlas.json"


def load_atlas(game: str) -> dict[str, Any]:
    """A game's atlas."""
    atlas: dict[str, Any] = json.loads(atlas_path(game).read_text(encoding="utf-8"))
    return atlas


def load_map(game: str) -> dict[str, Any]:
    """A game's committed map."""
    built: dict[str, Any] = json.loads(map_path(game).read_text(encoding="utf-8"))
    return built


def build(game: str) -> dict[str, Any]:
    """Build one game's map in memory."""
    builder: Callable[[str], dict[str, Any]] = importlib.import_module(BUILDERS[game]).build
    return builder(game)


def gzipped(text: str) -> int:
    """How many bytes the map takes on the wire."""
    return len(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mapbuild", description="Build the drawable maps.")
    parser.add_argument("game", choices=[*BUILDERS, "all"])
    parser.add_argument("--png", type=Path, metavar="DIR", help="also draw each sheet into this folder")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the committed map differs")
    options = parser.parse_args(arguments)
    missing = base.packages_missing()
    if missing:
        print(missing, file=sys.stderr)
        return 2
    status = 0
    for game in BUILDERS if options.game == "all" else [options.game]:
        built = build(game)
        text = base.dumps(built)
        size = gzipped(text)
        print(f"{game}: {len(text.encode('utf-8')):,} bytes, {size:,} gzipped")
        if size > LIMIT_GZIPPED:
            print(f"{game}: over the limit of {LIMIT_GZIPPED:,} bytes gzipped", file=sys.stderr)
            status = 1
        elif options.check:
            if not map_path(game).is_file() or map_path(game).read_text(encoding="utf-8") != text:
                print(f"{game}: the committed map differs from what the build makes", file=sys.stderr)
                status = 1
        else:
            base.write_json(map_path(game), built)
        if options.png:
            from tools.mapbuild import render

            for sheet in built["sheets"]:
                render.render(built, options.png / f"{game}-{sheet['id']}.png", sheet=sheet["id"])
    return status
