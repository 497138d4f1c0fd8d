"""Benchmark of the server under load, beside boardgame.io's own server driven in the same way by the same program.

Both are driven by tools/loadbench (Node): live matches with two seats each, moves at a steady rate, and the time from
a seat's move until the other seat has the new position. Ours is committed to disk by then; boardgame.io's default
storage, which is what is measured, keeps matches in memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandtable.core import Match, Order
from sandtable.core import replay as files
from sandtable.games import find
from sandtable.lab.bench import Bench, Figure, Peer, suite

ROOT = Path(__file__).resolve().parents[3]
DRIVER = ROOT / "tools" / "loadbench"
MATCHES, RATE, SECONDS, ROUNDS, IDLE = 500, 100, 10, 3, 5000
ORDERS = 19_000
"""Moves of the match file that an abuser sends: two megabytes."""
DEMO = "three-crowns=tests.demo.game:GAME"


@suite("server under load")
def load_figures(bench: Bench) -> Iterator[Figure]:
    """500 live matches, 1,000 WebSocket seats, 100 moves a second in all."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None or not DRIVER.exists():
        bench.say("the load benchmark needs a checkout, Node and npm: left out")
        return
    if not (DRIVER / "node_modules").exists():
        subprocess.run([npm, "ci", "--silent"], cwd=DRIVER, check=True)
    runs = [(_ours(node), _theirs(node)) for _ in range(ROUNDS)]  # by turns, so that both have the same weather
    for name, key in (("median", "p50"), ("99th percentile", "p99")):
        ours, theirs = (statistics.median(figures[key] for figures in side) for side in zip(*runs, strict=True))
        yield Figure(
            f"a move until the other seat has it, {name} ({MATCHES} matches, {RATE} moves/s, middle of {ROUNDS} runs)",
            ours,
            "ms",
            (Peer("boardgame.io (in memory)", theirs, bar=1.0),),
        )
    full = [_ours(node, IDLE) for _ in range(ROUNDS)]
    abused = [_ours(node, IDLE, abused=True) for _ in range(ROUNDS)]
    for name, key, unit in (("99th percentile", "p99", "ms"), ("memory", "memory", "MB")):
        yield Figure(f"the same with {IDLE:,} idle sockets: {name}", statistics.median(one[key] for one in full), unit)
    yield Figure(
        "and while one client abuses the server in four ways: 99th percentile",
        statistics.median(one["p99"] for one in abused),
        "ms",
        note="long thinking, large match files, headers that never end, pages that are not there",
    )


def _free_port() -> int:
    """A free port whose neighbour is free too: the peer's lobby listens there."""
    while True:
        with socket.socket() as probe, socket.socket() as neighbour:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
            try:
                neighbour.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


def _drive(node: str, target: str, port: int, idle: int = 0) -> dict[str, Any]:
    words = [node, "load.mjs", target, f"http://127.0.0.1:{port}", str(MATCHES), str(RATE), str(SECONDS), str(idle)]
    done = subprocess.run(words, cwd=DRIVER, capture_output=True, text=True, timeout=300, check=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if figures["failures"] or figures["seen"] < figures["made"] * 0.95:
        raise RuntimeError(f"the load run against {target} failed: {figures} {done.stderr[-300:]}")
    return figures


def _ours(node: str, idle: int = 0, *, abused: bool = False) -> dict[str, Any]:
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SANDTABLE_GAMES": DEMO, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        words = [sys.executable, "-m", "sandtable.cli", "serve", "--port", str(port)]
        words += ["--database", f"sqlite:///{folder}/load.db"]
        server = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/api/health")
            with _abuser(node, port, Path(folder)) if abused else contextlib.nullcontext():
                return {**_drive(node, "sandtable", port, idle), "memory": _memory(server.pid)}
        finally:
            server.terminate()
            server.wait(20)


def _memory(process: int) -> float:
    """What a process holds, in megabytes."""
    told = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+([0-9]+) kB", told)[0]) / 1024


@contextlib.contextmanager
def _abuser(node: str, port: int, folder: Path) -> Iterator[None]:
    """A client that does what tools/loadbench/abuse.mjs says."""
    file = folder / "large.sandtable"
    file.write_bytes(_large_file())
    words = [node, "abuse.mjs", f"http://127.0.0.1:{port}", str(file)]
    abuser = subprocess.Popen(words, cwd=DRIVER, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        abuser.kill()
        abuser.wait()


def _large_file() -> bytes:
    """A legal match file with very many moves: standing orders, which end nothing."""
    game = find(DEMO.partition("=")[2])
    match = Match.new(game, next(iter(game.scenarios)), seed=1)
    for _ in range(ORDERS):
        match.apply(match.roles[0], Order())
    return files.save(match)


def _theirs(node: str) -> dict[str, Any]:
    port = _free_port()
    server = subprocess.Popen([node, "peer.mjs", str(port)], cwd=DRIVER, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port + 1}/games")
        return _drive(node, "peer", port)
    finally:
        server.terminate()
        server.wait(20)


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    for _ in range(200):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"no answer from {address}")
