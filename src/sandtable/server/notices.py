"""Word between server processes on PostgreSQL: one channel for all, 'match:number' or 'match:chat' as payload."""

from __future__ import annotations

import asyncio
import logging

import psycopg
from sqlalchemy.engine import make_url

from sandtable.host import Host
from sandtable.host.errors import NotFound

from .storage import CHANNEL

log = logging.getLogger("sandtable.server")


async def listen(url: str, host: Host) -> None:
    """Hear of moves that other processes committed, and tell the clients of this one. Reconnects for ever."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for notice in connection.notifies():
                    await _heard(notice.payload, host)
        except (psycopg.OperationalError, OSError) as error:
            log.warning("lost the word from other servers, trying again: %s", error)
            await asyncio.sleep(0.5)


async def _heard(payload: str, host: Host) -> None:
    match, _, what = payload.partition(":")
    try:
        await host.heard_elsewhere(match, chat=what == "chat")
    except NotFound:
        log.warning("word of a match that is not there")
