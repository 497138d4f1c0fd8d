"""Clients that play through every fault and write down what they were told; the checker then reads it all.

python -m tests.server.torture kill sqlite 1000          kill -9 under load
python -m tests.server.torture kill postgresql 1000
python -m tests.server.torture power sqlite 1000         power cuts: what was not synced is lost or torn
python -m tests.server.torture restart postgresql 100    the database is stopped at once and started again
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx

from sandtable.host import MatchRow, MoveRow
from sandtable.server.storage import Store

from .conftest import ROOT, Seat, Server, create
from .disk import FaultyServer
from .history import Asked, Looked, check
from .postgres import Postgres, find_programs

POSTURES = ("march", "dig in")


NEST = """
import json, os, sys
import sandtable.server.app, sandtable.server.run
for line in sys.stdin:
    code, log = json.loads(line)
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        exec(code, {"__name__": "__main__"})
        os._exit(0)
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
"""
"""Has everything imported and forks a server when asked: a start takes half the time, and there are thousands."""


class Hatched:
    """A server's process that came out of the nest."""

    def __init__(self, nest: subprocess.Popen[str], code: str, log: str) -> None:
        assert nest.stdin is not None
        assert nest.stdout is not None
        self._told, self._ended = nest.stdout, threading.Event()
        nest.stdin.write(json.dumps([code, log]) + "\n")
        nest.stdin.flush()
        self.pid = int(self._told.readline())
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        self._told.readline()
        self._ended.set()

    def poll(self) -> int | None:
        return 0 if self._ended.is_set() else None

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("server", timeout or 0.0)
        return 0

    def send_signal(self, sig: int) -> None:
        os.kill(self.pid, sig)


class Nest(Server):
    """A server that is started and killed very often."""

    _nest: subprocess.Popen[str] | None = None

    def run(self, code: str) -> Hatched:
        if self._nest is None:
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            self._nest = subprocess.Popen([sys.executable, "-c", NEST], cwd=ROOT, env=self.environment(), **pipes)
        return Hatched(self._nest, code, f"/proc/{os.getpid()}/fd/{self._log.fileno()}")


class FaultyNest(FaultyServer, Nest):
    """The same on a disk that can fail."""


class Client(threading.Thread):
    """Plays matches of its own at random, sends again what was not answered, and remembers everything."""

    def __init__(self, server: Server, seed: int) -> None:
        super().__init__(daemon=True, name=f"client-{seed}")
        self.server, self.rng, self.stopping = server, Random(seed), False
        self.asked: list[Asked] = []
        self.looked: list[Looked] = []
        self.seats: dict[str, Seat] = {}
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stopping:
                self.play_one()
        except Exception as error:
            self.failure = error

    def again(self, call: Callable[[], httpx.Response]) -> httpx.Response | None:
        """Return the answer; tried until there is one that is no 'come back later'. None: the test is over."""
        while not self.stopping:
            try:
                answer = call()
                if answer.status_code < 500:
                    return answer
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        return None

    def play_one(self) -> None:
        try:
            match, (seat, *_) = create(self.server.url)
        except (httpx.TransportError, AssertionError):
            time.sleep(0.05)
            return
        self.seats[match] = seat
        for _ in range(60):
            info = self.again(lambda: seat.http.get(""))
            if info is None or info.status_code != 200 or info.json()["over"]:
                return
            number = int(info.json()["number"])
            self.looked.append(Looked(self.name, match, number))
            for role in info.json()["asked"][:1]:
                self.move(match, seat, role, number)

    def move(self, match: str, seat: Seat, role: str, number: int) -> None:
        actions: list[dict[str, Any]] = [{"do": "plan", "posture": self.rng.choice(POSTURES)}, {"do": "end-moves"}]
        actions += [{"do": "pass"}, {"do": "draw", "agree": self.rng.random() < 0.5}]
        action = actions[3] if self.rng.random() < 0.3 else actions[0 if number % 12 < 3 else self.rng.randrange(3)]
        key = uuid.uuid4().hex
        one = Asked(match, f"0:{key}", role, action, [])
        self.asked.append(one)
        while not self.stopping:
            try:
                answer = seat.act(role, action, number, key)
            except httpx.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code == 200:
                one.told.append(("made", int(answer.json()["number"])))
                if self.rng.random() < 0.9:
                    return  # otherwise it is sent again all the same
            elif answer.status_code >= 500:
                one.told.append(("unknown", answer.status_code))
                time.sleep(0.02)
            else:
                one.told.append(("refused", answer.status_code))
                return


async def read_all(database: str) -> tuple[dict[str, MatchRow], dict[str, list[MoveRow]]]:
    """Return everything that the database holds."""
    store = await Store.open(database, sole=False)
    try:
        ids = await store.ids()
        rows = {row.id: row for row in await store.list_matches(ids)}
        return rows, {match: list(await store.tail(match)) for match in ids}
    finally:
        await store.close()


def torture(server: Server, fault: Callable[[Random], None], times: int, clients: int = 4) -> dict[str, int]:
    """Let clients play through so many faults; returns what was done. Raises if anything is wrong."""
    rng = Random(times)
    players = [Client(server, seed) for seed in range(clients)]
    for player in players:
        player.start()
    for done in range(times):
        time.sleep(rng.uniform(0.1, 0.6))
        fault(rng)
        if (done + 1) % 50 == 0:
            print(f"{done + 1} of {times}", flush=True)
    time.sleep(1.0)
    for player in players:
        player.stopping = True
    for player in players:
        player.join(30)
    server.stop()
    rows, moves = asyncio.run(read_all(server.database))
    failures = [player.failure for player in players if player.failure is not None]
    assert not failures, failures
    asked = [one for player in players for one in player.asked]
    wrong = check(asked, [look for player in players for look in player.looked], rows, moves)
    wrong += [f"lost: match {match}" for player in players for match in player.seats if match not in rows]
    assert not wrong, "\n".join(wrong[:20])
    acknowledged = sum(any(kind == "made" for kind, _ in one.told) for one in asked)
    assert acknowledged > times
    unsure = sum(any(kind == "unknown" for kind, _ in one.told) for one in asked)
    return {"faults": times, "matches": len(rows), "acknowledged": acknowledged, "unknown": unsure}


def kill(server: Server) -> Callable[[Random], None]:
    def fault(rng: Random) -> None:
        server.kill()
        server.start()

    return fault


def cut_power(server: FaultyServer) -> Callable[[Random], None]:
    def fault(rng: Random) -> None:
        if rng.random() < 0.3:  # syncs fail for a while before the light goes out
            server.set_fault("fail-sync", True)
            time.sleep(rng.uniform(0.0, 0.3))
        server.cut_power(rng if rng.random() < 0.5 else None)
        server.set_fault("fail-sync", False)
        server.start()

    return fault


def restart(database: Postgres) -> Callable[[Random], None]:
    def fault(rng: Random) -> None:
        database.restart()

    return fault


def main(what: str, kind: str, times: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = None
        if kind == "postgresql":
            programs = find_programs()
            assert programs is not None, "PostgreSQL is not installed"
            database = Postgres(programs)
        try:
            if what == "power":
                faulty = FaultyNest(Path(folder))
                print(torture(faulty, cut_power(faulty), times))
            elif what == "restart" and database is not None:
                print(torture(Nest(database.url), restart(database), times))
            else:
                server = Nest(database.url if database else f"sqlite:///{folder}/matches.db")
                print(torture(server, kill(server), times))
        finally:
            if database is not None:
                database.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
