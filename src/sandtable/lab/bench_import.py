"""Benchmarks of the import: a fresh interpreter imports the package, and the peer's, by turns."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec

from sandtable.lab.bench import Bench, Figure, Peer, suite

MOST_MILLISECONDS, MOST_MEGABYTES = 60.0, 40.0
"""What we promise."""
ROUNDS = 7
CODE = """
import time
began = time.process_time()
import {0}
taken = time.process_time() - began
try:
    with open("/proc/self/status", encoding="ascii") as file:
        memory = next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
except OSError:
    memory = 0.0
print(taken * 1000, memory)
"""


def imported(module: str, bytecode: str) -> tuple[float, float]:
    """Return the milliseconds of processor time and the most megabytes of an import in a fresh interpreter.

    Compiled modules are kept in the folder `bytecode`. Only Linux tells the megabytes; elsewhere they are 0.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(module)], capture_output=True, text=True, check=True,
        env={**env, "PYTHONPYCACHEPREFIX": bytecode},
    )  # fmt: skip
    milliseconds, megabytes = map(float, done.stdout.split())
    return milliseconds, megabytes


@suite("import")
def import_figures(bench: Bench) -> Iterator[Figure]:
    modules = ["sandtable", *(["chess"] if find_spec("chess") else [])]
    if len(modules) == 1:
        bench.say("python-chess is not installed: no figures of it")
    with tempfile.TemporaryDirectory() as bytecode:  # as installed: the first import of all compiles, no other does
        rounds = [[imported(module, bytecode) for module in modules] for _ in range(ROUNDS)]
    best = [
        (min(times), min(sizes)) for times, sizes in (zip(*found, strict=True) for found in zip(*rounds, strict=True))
    ]
    for place, (name, unit, most) in enumerate(
        (("import sandtable", "ms", MOST_MILLISECONDS), ("memory after it", "MB", MOST_MEGABYTES))
    ):
        ours, *theirs = (found[place] for found in best)
        peers = [Peer("import chess", value) for value in theirs]
        yield Figure(name, ours, unit, (Peer("promised at most", most, 1.0), *peers))
