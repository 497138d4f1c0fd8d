"""The WebSocket of a match: the first message says who listens, then moves and words come as they are made."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

from sandtable.core import LANGUAGES, SandtableError

from .hub import Hub
from .links import find_seat
from .rooms import Guest, Rooms


class Hello(msgspec.Struct):
    """What a client says first. No seat: a spectator."""

    seat: str | None = None
    lang: str = "en"


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
    guest = Guest(seat.roles if seat else (), seat.place if seat else None, language)
    rooms.enter(match, guest)
    if seat is not None and seat.handed_over:
        await hub.store.hand_over(match, seat.place, False)
        live.seats = await hub.store.seats(match)
        hub.tell(match, "seat", seat.place)
    guest.send(
        msgspec.json.encode({"type": "hello", "number": live.match.number, "asked": live.row.asked, "you": guest.roles})
    )
    reader = asyncio.create_task(_read(socket))
    writer = asyncio.create_task(_write(socket, guest))
    try:
        await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        rooms.leave(match, guest)
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)


async def _read(socket: WebSocket[Any, Any, Any]) -> None:
    """Clients only say hello; whatever else they send is not listened to, but their leaving is noticed."""
    try:
        while True:
            await socket.receive_data(mode="text")
    except (WebSocketDisconnect, WebSocketException):
        return


async def _write(socket: WebSocket[Any, Any, Any], guest: Guest) -> None:
    while True:
        message = await guest.queue.get()
        if message is None:
            await socket.close(4408, "too slow, come back")
            return
        await socket.send_data(message.decode(), mode="text")
