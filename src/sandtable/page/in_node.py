"""Runs a program in the Python of the page, under Node: for tests and figures, without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sandtable.core import SandtableError

from . import archives, site

SCRIPT = Path(__file__).with_name("node.mjs")


class NotRun(SandtableError):
    """The program failed, or there is no Node to run it."""


def run(sources: site.Sources, games: Sequence[str], program: Path, words: Sequence[Sequence[str]]) -> str:
    """Run a program once with each list of words, in one interpreter; returns what it printed."""
    node = shutil.which("node")
    if node is None:
        raise NotRun("Node.js is not on the path")
    library = archives.library(sources.pyodide / "python_stdlib.zip")
    packed = {"engine.zip": archives.engine(), **dict(site.wheels(sources))}
    packed |= {f"{game}.zip": archives.game(game) for game in games}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in packed.items():
            (Path(folder) / name).write_bytes(data)
        standard = Path(folder) / "python_stdlib.zip"
        standard.write_bytes(library)
        command = [node, str(SCRIPT), str(sources.pyodide), str(standard), str(program), json.dumps(words)]
        command += [str(Path(folder) / name) for name in packed]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotRun(f"the program failed in the page's Python: {done.stderr[-2000:]}")
    return done.stdout
