"""A server in this process, with a clock that a test sets, and the places it sends its calls to."""

from __future__ import annotations

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from aiosmtpd.controller import Controller

from sandtable.server.app import Settings, create_app
from sandtable.server.guards import Guard

PATIENCE = 60


class Inside:
    """A server in a thread. `time.days` are added to the time of day that it goes by."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.later = 0.0
        self.url = f"http://127.0.0.1:{self.port}"
        usual: dict[str, Any] = {
            "thinkers": 1,
            "call_seconds": 0.0,
            "call_every": 0.2,
            "private_hooks": True,
            "port": self.port,
        }
        self.settings = Settings(**{"database": f"sqlite:///{folder / 'matches.db'}", **usual, **settings})
        self.app = create_app(self.settings, now=lambda: time.time() + self.later)
        guarded: Any = Guard(self.app, rate=1e9, burst=1e9)
        config = uvicorn.Config(
            guarded, port=self.port, log_config=None, access_log=False, lifespan="on", ws="websockets-sansio"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + PATIENCE
        while not self._server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)

    def wait(self, seconds: float) -> None:
        """Let time pass on the server, at once."""
        self.later += seconds

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)


class Somebody:
    """A person at a browser: their key, and what they ask."""

    def __init__(self, server: Inside, name: str = "", **profile: Any) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE)
        self.key = ""
        if name:
            self.become(self.post("/api/me", {"name": name, **profile})["key"])

    def become(self, key: str) -> None:
        self.key = key
        self.http.headers["X-Person"] = key

    def post(self, path: str, body: Any = None, status: int | None = None, seat: str = "") -> Any:
        headers = {"Authorization": f"Bearer {seat}"} if seat else {}
        answer = self.http.post(path, json=body if body is not None else {}, headers=headers)
        assert answer.status_code == status if status else answer.is_success, answer.text
        return answer.json() if answer.content else None

    def get(self, path: str, status: int = 200, **headers: str) -> Any:
        answer = self.http.get(path, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json() if "json" in answer.headers.get("content-type", "") else answer.content

    def act(self, match: str, role: str, action: dict[str, Any]) -> Any:
        number = self.get(f"/api/matches/{match}")["number"]
        body = {"role": role, "action": action, "answers": number, "id": f"{time.monotonic_ns()}"}
        return self.post(f"/api/matches/{match}/act", body)


class Listener:
    """Takes whatever is posted to it."""

    def __init__(self, status: int = 201) -> None:
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self.status = status
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                listener.heard.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(listener.status)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait_for(self, n: int, seconds: float = PATIENCE) -> list[tuple[str, dict[str, str], bytes]]:
        return until(lambda: self.heard if len(self.heard) >= n else None, seconds)

    def json(self, place: int) -> Any:
        return json.loads(self.heard[place][2])

    def stop(self) -> None:
        self._server.shutdown()


class Postbox:
    """A mail server on this machine."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self._controller = Controller(self, hostname="127.0.0.1", port=_free_port())
        self._controller.start()
        self.url = f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append(envelope)
        return "250 taken"

    def wait_for(self, n: int) -> list[str]:
        found = until(lambda: self.mails if len(self.mails) >= n else None, PATIENCE)
        return [one.content.decode() for one in found]

    def stop(self) -> None:
        self._controller.stop()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def until(look: Any, seconds: float = PATIENCE) -> Any:
    """Return what `look` finds, as soon as it does."""
    deadline = time.monotonic() + seconds
    while (found := look()) is None or found is False:
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
    return found
