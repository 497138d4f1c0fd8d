"""What stands between the world and the API: limits of rate and time, headers, origins."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
    "img-src 'self' data: blob:; style-src 'self'; script-src 'self'; connect-src 'self'; worker-src 'self' blob:"
)
_POLICY = (b"content-security-policy", POLICY.encode())
_EMBEDDED = (b"content-security-policy", POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").encode())
"""Of a page that others may show within theirs: it can be read, and nothing can be done in it."""
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
BODY_SECONDS = 10.0
log = logging.getLogger("sandtable.server")
MOST_CLIENTS = 10_000


class Buckets:
    """A token bucket for each client: `rate` requests a second, bursts of `burst`."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        now = time.monotonic()
        level, then = self._levels.pop(client, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        self._levels[client] = (level - 1 if level >= 1 else level, now)
        if len(self._levels) > MOST_CLIENTS:
            self._levels.popitem(last=False)  # the one that asked longest ago
        return level >= 1

    def forget(self, client: str) -> None:
        self._levels.pop(client, None)


class Guard:
    """ASGI middleware round the whole application: one for all routes, and for paths that are none."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        rate: float = 50.0,
        burst: float = 300.0,
        names: Collection[str] = (),
        sockets: int = 100,
        root: str = "",
        is_behind_proxy: bool = False,
    ) -> None:
        self.app = app
        self.root = root
        """The path under which a proxy shows the server. It may pass it on or take it off: both are understood."""
        self.is_behind_proxy = is_behind_proxy
        self.buckets = Buckets(rate, burst)
        self.names = frozenset(names)
        """The host names the server answers to; none given: to all."""
        self.most_sockets = sockets
        self.sockets: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter()
        self._has_warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if self.root and (path + "/").startswith(self.root + "/"):
            scope["path"] = path.removeprefix(self.root) or "/"
            scope["raw_path"] = scope["path"].encode()
        client = client_of(scope)
        reason = self._why_not(scope, client)
        if reason is not None:
            self.turned_away[reason[1]] += 1
            await _turn_away(scope["type"] == ScopeType.WEBSOCKET, *reason, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            self.sockets[client] += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.sockets[client] -= 1
                if not self.sockets[client]:
                    del self.sockets[client]
        else:
            await self.app(scope, _in_time(receive), _with_headers(send, scope))

    def _why_not(self, scope: Scope, client: str) -> tuple[int, str, str] | None:
        """Return status, code and sentence for a request that is turned away."""
        headers = Headers(scope)
        self._look_for_proxy(headers)
        if not self.buckets.allows(client):
            return 429, "too-many", "too many requests; wait a little"
        if self.names and not {_name_of(host) for host in self._hosts(headers)} & self.names:
            return 403, "other-name", "this server is not called that"
        if scope["type"] == ScopeType.WEBSOCKET:
            if not self._is_ours(headers):
                return 403, "other-origin", "another origin"
            if self.sockets[client] >= self.most_sockets:
                return 429, "too-many-sockets", "too many open connections"
        elif scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            if not self._is_ours(headers):
                return 403, "other-origin", "another site may not do that"
            kind = headers["content-type"].partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "not-json", "send it as application/json"
        return None

    def _hosts(self, headers: Headers) -> set[str]:
        """Return what the request calls this server, in the words of its client. Only a proxy may say it anew."""
        told = headers["x-forwarded-host"].partition(",")[0].strip() if self.is_behind_proxy else ""
        return {headers["host"].lower(), *([told.lower()] if told else [])}

    def _is_ours(self, headers: Headers) -> bool:
        """Whether it comes from our own pages; programs send no Origin.

        A proxy may hide what its clients call the server. Then our own pages are those of our own names.
        """
        origin = headers["origin"]
        where = urlsplit(origin).netloc.lower()
        return not origin or where in self._hosts(headers) or (self.is_behind_proxy and _name_of(where) in self.names)

    def _look_for_proxy(self, headers: Headers) -> None:
        """Say once that all clients behind a proxy share their limits while nobody has named it."""
        if headers["x-forwarded-for"] and not self.is_behind_proxy and not self._has_warned:
            self._has_warned = True
            log.warning("requests come through a proxy: name it with --proxy, or all its clients share one limit")


class Headers:
    """The headers of a request by name; '' for one that is not there."""

    def __init__(self, scope: Scope) -> None:
        self._all = dict(scope.get("headers", []))

    def __getitem__(self, name: str) -> str:
        return self._all.get(name.encode(), b"").decode("latin-1")


def client_of(scope: Scope) -> str:
    """Return the address of who asks."""
    client = scope.get("client")
    return client[0] if client else "local"


def _name_of(host: str) -> str:
    """Return a Host header without its port."""
    return host.lower().rpartition(":")[0] if not host.endswith("]") and ":" in host else host.lower()


async def _turn_away(is_socket: bool, status: int, code: str, sentence: str, send: Send) -> None:
    if is_socket:
        await send({"type": "websocket.close", "code": 4000 + status, "reason": sentence})
        return
    body = msgspec.json.encode({"error": {"code": code, "message": sentence}})
    headers = [
        (b"content-type", b"application/json"),
        (b"retry-after", b"1"),
        (b"content-security-policy", POLICY.encode()),
        *HEADERS,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
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


def _is_embedded(scope: Scope) -> bool:
    """Whether a story is asked for as it is shown within another page."""
    return scope["path"].startswith("/story/") and b"embed=1" in scope.get("query_string", b"").split(b"&")


def _with_headers(send: Send, scope: Scope) -> Send:
    is_api, policy = scope["path"].startswith("/api/"), _EMBEDDED if _is_embedded(scope) else _POLICY

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message["headers"], policy, *HEADERS]
            if is_api and not any(name.lower() == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        await send(message)

    return with_headers
