"""A real server in a process of its own, with the demonstration game on it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
GAME = "three-crowns"
PATIENCE = 60
"""Seconds to wait for an answer: a busy machine is not a fault."""
PLAIN: dict[str, Any] = {"timeout": PATIENCE, "verify": False}
"""No certificates are needed on loopback, and reading them takes 25 ms a client."""


def get(address: str, **how: Any) -> httpx.Response:
    return httpx.get(address, **PLAIN | how)


def post(address: str, **how: Any) -> httpx.Response:
    return httpx.post(address, **PLAIN | how)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process(Protocol):
    """What a server needs of its process."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...


class Server:
    """A server process that can be killed and started again on the same database."""

    def __init__(self, database: str, *, port: int | None = None, **settings: Any) -> None:
        self.database = database
        self.port = port or free_port()
        self.settings = settings
        self.process: Process | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        settings = dict(self.settings)
        rate, burst = settings.pop("rate_limit", (1e9, 1e9))
        run = f"serve(s, host='127.0.0.1', port={self.port})"
        code = (
            "from sandtable.server.app import Settings\n"
            "from sandtable.server.run import serve\n"
            f"s = Settings(**{{**dict(database={self.database!r}, rate={rate}, burst={burst}, thinkers=1, quota=None,"
            f" connections=10000, sockets=10000), **{settings!r}}})\n"
            f"if __name__ == '__main__':\n    {run}\n"
        )
        # not a pipe: nobody reads it, and a full one would hold the server up
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = self.run(code)
        deadline = time.monotonic() + 120  # a crowded machine is not a broken server
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self.log().decode()[-2000:]}")
            try:
                httpx.get(f"{self.url}/api/health", timeout=1, verify=False)
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        self.kill()
        raise RuntimeError(f"the server does not answer: {self.log().decode()[-2000:]}")

    def run(self, code: str) -> Process:
        """Run the server's program in a process of its own."""
        return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=self.environment(), stderr=self._log)

    def log(self) -> bytes:
        """Return what the server has written to stderr since its last start."""
        self._log.seek(0)
        return self._log.read()

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "SANDTABLE_GAMES": DEMO}

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


DEMO = f"{GAME}=tests.demo.game:GAME"


class Seat:
    """One person at the table, over HTTP."""

    def __init__(self, url: str, match: str, secret: str | None, roles: list[str]) -> None:
        self.match, self.secret, self.roles = match, secret, roles
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        self.http = httpx.Client(base_url=f"{url}/api/matches/{match}", headers=headers, **PLAIN)

    def info(self) -> dict[str, Any]:
        return dict(self.http.get("").raise_for_status().json())

    def act(self, role: str, action: dict[str, Any], answers: int, request: str | None = None) -> httpx.Response:
        body = {"role": role, "action": action, "answers": answers, "id": request or uuid.uuid4().hex}
        return self.http.post("/act", json=body)


def create(url: str, seats: list[dict[str, Any]] | None = None, **more: Any) -> tuple[str, list[Seat]]:
    body = {"game": GAME, "scenario": "war", "seats": seats or [], **more}
    made = httpx.post(f"{url}/api/matches", json=body, **PLAIN)
    assert made.status_code == 201, made.text
    data = made.json()
    return data["match"], [Seat(url, data["match"], s["secret"], s["roles"]) for s in data["seats"]]


ONE_EACH = [{"roles": ["red"]}, {"roles": ["blue"]}, {"roles": ["green"]}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    running = Server(f"sqlite:///{folder / 'matches.db'}")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def postgres_url():
    """A database server of our own; the tests that need it are skipped where there is no PostgreSQL."""
    from .postgres import Postgres, needed_programs

    running = Postgres(needed_programs())
    yield running.url
    running.stop()
