"""Connections: how many one address may have, and how long a request may take to arrive."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 10.0


class Doorkeeper:
    """Counts the open connections of each address."""

    def __init__(self, most: int, proxies: tuple[str, ...] = ()) -> None:
        self.most, self.proxies = most, proxies
        self.open: Counter[str] = Counter()
        self.turned_away = 0

    def enter(self, address: str) -> bool:
        """Return whether one more connection of this address may stay."""
        if self.open[address] >= self.most and address not in self.proxies:
            self.turned_away += 1
            return False
        self.open[address] += 1
        return True

    def leave(self, address: str) -> None:
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]


DOOR = Doorkeeper(256)
"""Of this process: uvicorn makes the protocols, and passes nothing on to them."""


class Patient(HttpToolsProtocol):
    """Uvicorn's HTTP protocol with a deadline for headers and a limit of connections for each address."""

    _deadline: asyncio.TimerHandle | None = None
    _address: str | None = None

    def connection_made(self, transport: Any) -> None:
        peer = transport.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else "local"
        if not DOOR.enter(address):
            transport.abort()
            return
        self._address = address
        super().connection_made(transport)
        self._wait_for_headers()

    def _wait_for_headers(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.abort()

    def _in_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def data_received(self, data: bytes) -> None:
        if self._address is None:
            return
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_headers()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._in_time()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()  # from here on it is a socket, and counted as one
        if self._address is not None:
            DOOR.leave(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        if self._address is None:
            return
        DOOR.leave(self._address)
        super().connection_lost(exc)
