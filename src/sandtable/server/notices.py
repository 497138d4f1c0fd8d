"""Word between server processes on PostgreSQL: one channel for all.

The payload is 'match:number' for a move, 'match:seats' or 'match:chat'.
"""

from __future__ import annotations

import logging

import psycopg
from sqlalchemy.engine import make_url

from sandtable.core import SandtableError
from sandtable.host import Host

from .storage import CHANNEL

log = logging.getLogger("sandtable.server")


async def listen(url: str, host: Host) -> None:
    """Hear of moves that other processes committed, and tell the clients of this one, until the connection breaks."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await psycopg.AsyncConnection.connect(address, autocommit=True, connect_timeout=10)
    async with connection:
        await connection.execute(f"LISTEN {CHANNEL}")
        await host.catch_up()
        while True:
            async for notice in connection.notifies(timeout=5.0):
                await _heard(notice.payload, host)
            host.tasks.goes_well("notices")


async def _heard(payload: str, host: Host) -> None:
    match, _, what = payload.partition(":")
    try:
        await host.heard_elsewhere(match, chat=what == "chat")
    except SandtableError as error:  # one bad match does not stop the word of the others
        log.warning("word of a match that cannot be read: %s", error)
