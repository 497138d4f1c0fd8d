"""What stands between the world and the API: limits of rate and time, headers, origins."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
    "img-src 'self' data: blob:; style-src 'self'; script-src 'self'; connect-src 'self'; worker-src 'self' blob:"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
BODY_SECONDS = 10.0
MOST_CLIENTS = 10_000


class Buckets:
    """A token bucket for each client: `rate` requests a second, bursts of `burst`."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._levels: dict[str, tuple[float, float]] = {}

    def allows(self, client: str) -> bool:
        now = time.monotonic()
        level, then = self._levels.get(client, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        if len(self._levels) > MOST_CLIENTS:
            self._levels.clear()
        self._levels[client] = (level - 1 if level >= 1 else level, now)
        return level >= 1

    def forget(self, client: str) -> None:
        self._levels.pop(client, None)


class Guard:
    """ASGI middleware round the whole application."""

    def __init__(self, app: ASGIApp, *, rate: float, burst: float) -> None:
        self.app = app
        self.buckets = Buckets(rate, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_socket = scope["type"] == ScopeType.WEBSOCKET
        is_api = scope["path"].startswith("/api/")
        client = scope.get("client")
        if is_api and not self.buckets.allows(client[0] if client else "local"):
            await self._turn_away(is_socket, send)
            return
        if is_socket:
            if is_same_origin(scope):
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 4403, "reason": "another origin"})
            return
        await self.app(scope, _in_time(receive), _with_headers(send, is_api))

    async def _turn_away(self, is_socket: bool, send: Send) -> None:
        if is_socket:
            await send({"type": "websocket.close", "code": 4429, "reason": "too many requests"})
            return
        body = msgspec.json.encode({"error": {"code": "too-many", "message": "too many requests; wait a little"}})
        headers = [(b"content-type", b"application/json"), (b"retry-after", b"1"), *HEADERS]
        await send({"type": "http.response.start", "status": 429, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _in_time(receive: Receive) -> Receive:
    """A sender that dribbles its request is cut off: the whole body must be there in time."""
    deadline, complete = time.monotonic() + BODY_SECONDS, False

    async def patient() -> Any:
        nonlocal complete
        if complete:
            return await receive()
        try:
            message: Any = await asyncio.wait_for(_awaited(receive), max(0.01, deadline - time.monotonic()))
        except TimeoutError:
            return {"type": "http.disconnect"}
        complete = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return patient


async def _awaited(receive: Receive) -> Any:
    return await receive()


def _with_headers(send: Send, is_api: bool) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message["headers"], *HEADERS]
            if is_api and not any(name.lower() == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        await send(message)

    return with_headers


def is_same_origin(scope: Scope) -> bool:
    """A browser's WebSocket must come from our own pages; programs send no Origin."""
    headers = dict(scope.get("headers", []))
    origin = headers.get(b"origin", b"").decode("latin-1")
    if not origin:
        return True
    return urlsplit(origin).netloc.lower() == headers.get(b"host", b"").decode("latin-1").lower()
