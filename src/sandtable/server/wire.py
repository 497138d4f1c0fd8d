"""A short way for WebSocket messages, where the server is uvicorn.

ASGI carries each message through a queue, a task and the framework, and each answer through as many again. Once
somebody listens on the wire itself, he has a message as it comes off the network, and what he says goes out at once.
Other servers have no wire; there everything takes the usual way.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from litestar.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

_NAME = "sandtable.wire"


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with an ear of its own."""

    heard: Callable[[str], None] | None = None
    """Called with every text that comes in; as long as there is nobody, the application gets it."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions[_NAME] = self

    def send_receive_event_to_app(self) -> None:
        if self.heard is not None and self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                words = b"".join(self.frames).decode()
            except UnicodeDecodeError:
                pass  # turned away as usual
            else:
                self.frames = []
                self.heard(words)
                return
        super().send_receive_event_to_app()

    def tell(self, message: bytes) -> bool:
        """Send a text at once; False where the other end is slow or gone."""
        if self.disconnected or self.close_sent or not self.writable.is_set():
            return False
        self.conn.send_text(message)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def hold(self, still: bool) -> None:
        """Take nothing more off the network for now, or go on."""
        if still != self.read_paused and not self.disconnected:
            self.read_paused = still
            if still:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()


def wire_of(scope: Scope) -> Wire | None:
    """The wire of a connection, if its server has one."""
    extensions: dict[str, Any] = scope.get("extensions") or {}
    return extensions.get(_NAME)


def at_once(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run a coroutine up to the first thing it has to wait for, and what is left as a task."""
    try:
        waits_for = coroutine.send(None)
    except StopIteration:
        return None
    return asyncio.get_running_loop().create_task(_rest(coroutine, waits_for))


@types.coroutine
def _rest(coroutine: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    while True:
        try:
            given, error = (yield waits_for), None
        except BaseException as raised:  # the task was cancelled, for one: the coroutine is to know
            given, error = None, raised
        try:
            waits_for = coroutine.send(given) if error is None else coroutine.throw(error)
        except StopIteration:
            return
