"""The application: everything put together."""

from __future__ import annotations

import asyncio
import functools
import os
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, NotFoundException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Server
from litestar.static_files import create_static_files_router

from sandtable.core import SandtableError, memory
from sandtable.host import Host

from . import api_people, errors
from .accounts import Accounts, Provider
from .api_games import Games, health, ready
from .api_matches import AtTheTable, Matches
from .calls import EVERY_SECONDS, WAIT_SECONDS, Caller
from .description import Description
from .guards import Buckets
from .metrics import metrics
from .people import People
from .processes import Processes
from .ratings import count
from .reference import Reference, style
from .roads import Roads
from .socket import live_socket
from .storage import Store

ROOMS = ("m", "replay", "dice", "story", "report")
"""The pages of the browser client."""


class Settings(msgspec.Struct, frozen=True):
    """How a server is run."""

    database: str
    keep_secrets: bool = False
    """Serves one person on their own machine: it remembers their seat links."""
    client: str | None = None
    """The folder of the built browser client."""
    rate: float = 50.0
    burst: float = 300.0
    names: tuple[str, ...] = ()
    """The host names it answers to; none: to all."""
    root: str = ""
    """The path under which a proxy shows the server: '/sandtable', or nothing."""
    proxies: tuple[str, ...] = ()
    """The proxies whose word about a client's address is believed."""
    connections: int = 256
    """How many connections one address may have open, and how many WebSockets."""
    sockets: int = 100
    quota: int | None = 500
    """How many running matches one client may have."""
    expire_days: float | None = 30.0
    """After how many days a match is deleted in which nobody has made a move."""
    log: str = "text"
    """How logs are written: text, json, or quiet for warnings only."""
    owner_key: str = ""
    """What clients' addresses are hashed with; made anew at every start."""
    host: str = "127.0.0.1"
    port: int = 0
    """Where it listens, for the links that people are shown."""
    url: str = ""
    """Its address as others write it, for the links that are sent; '': as each of them found it."""
    mail: str = ""
    """The server that takes mail: smtp://USER:PASSWORD@HOST:PORT, or smtps://; '': no mail is sent."""
    mail_from: str = ""
    call_seconds: float = WAIT_SECONDS
    """How long a move waits before its player is called."""
    call_every: float = EVERY_SECONDS
    """How often it is looked who is waited for."""
    private_hooks: bool = False
    """People may be called at addresses of our own network too."""
    provider: Provider | None = None
    """Whose accounts people may sign in with."""
    thinkers: int = max(1, (os.cpu_count() or 2) - 1)
    think_seconds: float = 5.0


def create_app(settings: Settings, now: Callable[[], float] | None = None) -> Litestar:
    """The server as an ASGI application. `now` tells the time of day."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        store = await Store.open(settings.database)
        processes = Processes(settings.thinkers)
        host = Host(
            store,
            processes,
            run_import=processes.run_import,
            alone=not store.is_postgres,
            keep_secrets=settings.keep_secrets,
            think_seconds=settings.think_seconds,
            quota=settings.quota,
            expire_days=settings.expire_days,
            now=now,
        )
        people = People(store, host.now)
        roads = Roads(people, mail=settings.mail, sender=settings.mail_from, private=settings.private_hooks)
        caller = Caller(host, people, roads, wait=settings.call_seconds)
        app.state.update(
            {
                "host": host,
                "people": people,
                "caller": caller,
                "accounts": None if settings.provider is None else Accounts(settings.provider),
                "settings": settings,
                "store": store,
                "processes": processes,
                "imports": {},
                "socket_buckets": Buckets(settings.rate, settings.burst),
                "owner_key": settings.owner_key.encode() or secrets.token_bytes(32),
            }
        )
        memory.settle()
        tasks = [
            asyncio.create_task(host.run()),
            asyncio.create_task(host.tasks.repeat("calls", settings.call_every, caller.round)),
            asyncio.create_task(host.tasks.repeat("ratings", settings.call_every, lambda: count(store, host.now()))),
        ]
        if store.is_postgres:  # other servers may be on it at any time
            from .notices import listen

            work = functools.partial(listen, settings.database, host)
            tasks.append(asyncio.create_task(host.tasks.repeat("notices", 0.5, work)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await host.close()
            await store.close()

    handlers: list[Any] = [
        Games, Matches, AtTheTable, health, ready, metrics, live_socket, style, *api_people.HANDLERS,
    ]  # fmt: skip
    if settings.client is not None:
        handlers.extend(_client(Path(settings.client), settings.root))
    return Litestar(
        route_handlers=handlers,
        lifespan=[lifespan],
        request_max_body_size=256 * 1024,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=2000, gzip_compress_level=4, exclude=[r"^/api/games/[^/]+/map$"]
        ),
        openapi_config=OpenAPIConfig(
            title="Sandtable",
            version="1",
            path="/api/schema",
            description="Board wargames with their rules enforced.",
            servers=[Server(url=settings.root or "/")],
            render_plugins=[Reference(), Description()],
        ),
        exception_handlers={
            SandtableError: errors.sandtable_error,
            HTTPException: errors.http_error,
            UnicodeDecodeError: errors.unreadable,
            RecursionError: errors.unreadable,
            Exception: errors.server_error,
        },
        logging_config=None,
    )


def _client(folder: Path, root: str) -> list[Any]:
    """The browser client: hashed assets, and one page for every path a person may open."""

    def page() -> Response[str]:
        path = folder / "index.html"
        if not path.exists():
            raise NotFoundException("the browser client is not built")
        # its addresses are relative, for a static site in any folder; here the page has many paths
        text = path.read_text(encoding="utf-8").replace('="./', f'="{root}/')
        text = text.replace("<title>", f'<meta name="sandtable-root" content="{root}" />\n    <title>', 1)
        return Response(text, media_type="text/html", headers={"cache-control": "no-cache"})

    @get(
        [
            "/",
            "/m/{rest:path}",
            "/replay/{rest:path}",
            "/dice/{rest:path}",
            "/story/{rest:path}",
            "/report/{rest:path}",
        ],
        include_in_schema=False,
    )
    async def index() -> Response[str]:
        return page()

    assets = create_static_files_router(
        path="/assets", directories=[folder / "assets"], cache_control=None, include_in_schema=False
    )

    @get("/push.js", include_in_schema=False)
    async def push_worker() -> Response[bytes]:
        text = (folder / "push.js").read_bytes()
        return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache"})

    handlers = [index, assets] if (folder / "assets").is_dir() else [index]
    return [*handlers, push_worker] if (folder / "push.js").exists() else handlers
