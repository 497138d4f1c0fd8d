"""The WebSocket of a match: carries the messages of the host's lines."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

from sandtable.core import SandtableError
from sandtable.host import Host, Line
from sandtable.host.errors import explain
from sandtable.host.messages import Hello

from .guards import Buckets

HELLO_SECONDS = 10
MOST_WAITING = 256
"""Messages that may wait for a slow reader before it is cut off; it then comes back and catches up."""
PAUSE_SECONDS = 0.05
"""How long a client that says too much is not listened to."""


TOO_SLOW, REVOKED = (4408, "too slow, come back"), (4401, "this seat link is no longer good")


class Outbox:
    """What a client has not been sent yet. None: nothing more is sent, and `why` says the reason."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
        self.why = TOO_SLOW

    def put(self, message: bytes) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.end(TOO_SLOW)

    def end(self, why: tuple[int, str] = REVOKED) -> None:
        """Send nothing more, not even what waits."""
        while not self.messages.empty():
            self.messages.get_nowait()
        self.why = why
        self.messages.put_nowait(None)


@websocket("/api/matches/{match:str}/live")
async def live_socket(socket: WebSocket[Any, Any, Any], match: str) -> None:
    """Open a line to a match."""
    host: Host = socket.app.state.host
    outbox = Outbox()
    await socket.accept()
    try:
        hello = msgspec.json.decode(await asyncio.wait_for(socket.receive_text(), HELLO_SECONDS), type=Hello)
        person = await socket.app.state.people.who(hello.person)
        line = await host.connect(match, hello, outbox.put, outbox.end, person)
    except (TimeoutError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        await socket.close(4400, "say who you are first")
        return
    except SandtableError as error:
        await socket.close(4000 + explain(error, None, "en")[0], str(error)[:120])
        return
    except (WebSocketDisconnect, WebSocketException):
        return
    reader = asyncio.create_task(_read(socket, line, socket.app.state.socket_buckets))
    writer = asyncio.create_task(_write(socket, outbox))
    try:
        await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        line.close()
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)


async def _read(socket: WebSocket[Any, Any, Any], line: Line, buckets: Buckets) -> None:
    """Hear the client, one message after the other. A client that leaves is noticed here."""
    name = f"{id(line)}"
    try:
        while True:
            words = await socket.receive_data(mode="text")
            while not buckets.allows(name):
                await asyncio.sleep(PAUSE_SECONDS)
            await line.hear(words)
    except (WebSocketDisconnect, WebSocketException):
        return
    finally:
        buckets.forget(name)


async def _write(socket: WebSocket[Any, Any, Any], outbox: Outbox) -> None:
    while True:
        message = await outbox.messages.get()
        if message is None:
            await socket.close(*outbox.why)
            return
        await socket.send_data(message.decode(), mode="text")
