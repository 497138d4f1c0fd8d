"""The WebSocket of a match: the first message says who listens, then moves and words come as they are made.

A client may also make its moves here: {"type": "act", "role", "action", "answers", "id"}; the answer is "acted" with
the same id, or "error" with what the HTTP API would have said. With `full` in the first message every move comes with
the table as the seat sees it, so that nothing has to be fetched.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

from sandtable.core import LANGUAGES, SandtableError

from .errors import explain
from .guards import Buckets
from .hub import Hub
from .links import find_seat
from .log import lines_of
from .rooms import Guest, Rooms
from .wire import at_once, wire_of

log = logging.getLogger("sandtable.server")


class Hello(msgspec.Struct):
    """What a client says first. No seat: a spectator."""

    seat: str | None = None
    lang: str = "en"
    full: bool = False


class ActMessage(msgspec.Struct, tag_field="type", tag="act"):
    """A move over the WebSocket."""

    role: str
    action: msgspec.Raw
    answers: int
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


@websocket("/api/matches/{match:str}/live")
async def live_socket(socket: WebSocket[Any, Any, Any], match: str) -> None:
    """Listen to a match."""
    hub: Hub = socket.app.state.hub
    rooms: Rooms = socket.app.state.rooms
    await socket.accept()
    try:
        hello = msgspec.json.decode(await asyncio.wait_for(socket.receive_text(), 10), type=Hello)
        live = await hub.live(match)
        seat = find_seat(live.seats, hello.seat)
        if hello.seat and seat is None:
            raise SandtableError("this seat link does not belong to this match")
    except (TimeoutError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        await socket.close(4400, "say who you are first")
        return
    except SandtableError as error:
        await socket.close(4404, str(error)[:120])
        return
    except (WebSocketDisconnect, WebSocketException):
        return
    language = hello.lang if hello.lang in LANGUAGES else "en"
    wire = wire_of(socket.scope)
    guest = Guest(seat.roles if seat else (), seat.place if seat else None, language, full=hello.full, wire=wire)
    rooms.enter(match, guest)
    if seat is not None and seat.handed_over:
        await hub.store.hand_over(match, seat.place, False)
        live.seats = await hub.store.seats(match)
        hub.tell(match, "seat", seat.place)
    guest.send(
        msgspec.json.encode({"type": "hello", "number": live.match.number, "asked": live.row.asked, "you": guest.roles})
    )
    talk = Talk(hub, match, guest, socket.app.state.socket_buckets)
    if wire is not None:
        wire.heard = talk.hear
    reader = asyncio.create_task(_read(socket, talk))
    writer = asyncio.create_task(_write(socket, guest))
    try:
        await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        rooms.leave(match, guest)
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)


async def _read(socket: WebSocket[Any, Any, Any], talk: Talk) -> None:
    """What comes the usual way. A guest that leaves is noticed here."""
    try:
        while True:
            await talk.answer(await socket.receive_data(mode="text"))
    except (WebSocketDisconnect, WebSocketException):
        return
    finally:
        talk.end()


class Talk:
    """What one guest says: moves of his seat, one after the other; whatever else is sent is turned away."""

    def __init__(self, hub: Hub, match: str, guest: Guest, buckets: Buckets) -> None:
        self.hub, self.match, self.guest, self.buckets = hub, match, guest, buckets
        self._name = f"{id(guest)}"
        self._heard: deque[str] = deque()
        self._answering: asyncio.Task[None] | None = None
        self._busy = False

    def hear(self, words: str) -> None:
        """Something came over the wire. While it is being answered, nothing more is taken off the network."""
        self._heard.append(words)
        if self._busy:
            self._hold(True)
        else:
            self._busy = True
            self._answering = at_once(self._answer_all())

    async def _answer_all(self) -> None:
        try:
            while self._heard:
                try:
                    await self.answer(self._heard.popleft())
                except Exception:  # the next message is not to blame for it
                    log.exception("a message could not be answered")
                    self.guest.send(_error("", 500, "server", "something went wrong on the server"))
        finally:
            self._busy = False
            self._hold(False)

    def _hold(self, still: bool) -> None:
        if self.guest.wire is not None:
            self.guest.wire.hold(still)

    async def answer(self, words: str) -> None:
        if not self.buckets.allows(self._name):
            self.guest.send(_error("", 429, "too-many", "too many messages; wait a little"))
            return
        self.guest.send(await _act(words, self.hub, self.match, self.guest))

    def end(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
        self.buckets.forget(self._name)


async def _act(data: str, hub: Hub, match: str, guest: Guest) -> bytes:
    try:
        wish = msgspec.json.decode(data, type=ActMessage)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _error("", 400, "malformed", "the message cannot be read")
    if wish.role not in guest.roles:
        return _error(wish.id, 403, "http", "your seat does not hold that role")
    try:
        request = f"{guest.place}:{wish.id}"[:64]
        move = await hub.act(match, wish.role, bytes(wish.action), answers=wish.answers, request=request)
    except SandtableError as error:
        status, code, message, rule = explain(error, (await hub.live(match)).match, guest.language)
        return _error(wish.id, status, code, message, rule)
    await asyncio.sleep(0)  # the others hear of it first: who moved knows already
    game = (await hub.live(match)).match.game
    told = list(lines_of(game, move, guest.roles, game.texts(guest.language)))
    return msgspec.json.encode({"type": "acted", "id": wish.id, "number": move.number, "events": told})


def _error(request: str, status: int, code: str, message: str, rule: str | None = None) -> bytes:
    body = {"code": code, "message": message, **({"rule": rule} if rule else {})}
    return msgspec.json.encode({"type": "error", "id": request, "status": status, "error": body})


async def _write(socket: WebSocket[Any, Any, Any], guest: Guest) -> None:
    while True:
        message = await guest.queue.get()
        if message is None:
            await socket.close(4408, "too slow, come back")
            return
        await socket.send_data(message.decode(), mode="text")
        guest.waiting = not guest.queue.empty()
