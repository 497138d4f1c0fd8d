"""Word between server processes on PostgreSQL: one channel for all, 'match:number' or 'match:chat' as payload."""

from __future__ import annotations

import asyncio
import logging

import psycopg
from sqlalchemy.engine import make_url

from .hub import Hub, NoMatch
from .rooms import Rooms
from .storage import CHANNEL

log = logging.getLogger("sandtable.server")


async def listen(url: str, hub: Hub, rooms: Rooms) -> None:
    """Hear of moves that other processes committed, and tell the guests of this one. Reconnects for ever."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for notice in connection.notifies():
                    await _heard(notice.payload, hub, rooms)
        except (psycopg.OperationalError, OSError) as error:
            log.warning("lost the word from other servers, trying again: %s", error)
            await asyncio.sleep(0.5)


async def _heard(payload: str, hub: Hub, rooms: Rooms) -> None:
    match, _, what = payload.partition(":")
    if not rooms.has(match):
        return  # it is read when it is next asked for
    try:
        if what == "chat":
            for line in await hub.store.talk(match, hub.chat_told.get(match, 0)):
                hub.tell_chat(match, line)
        else:
            await hub.catch_up_and_tell(match)
    except NoMatch:
        log.warning("word of a match that is not there")
