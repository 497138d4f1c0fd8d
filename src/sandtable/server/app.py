"""The application: everything put together."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, NotFoundException
from litestar.middleware import DefineMiddleware
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import ScalarRenderPlugin
from litestar.static_files import create_static_files_router

from sandtable.core import SandtableError, memory
from sandtable.host import Host

from . import errors
from .api_games import Games, health
from .api_matches import AtTheTable, Matches
from .description import Description
from .guards import Buckets, Guard
from .processes import Processes
from .socket import live_socket
from .storage import Store


class Settings(msgspec.Struct, frozen=True):
    """How a server is run."""

    database: str
    alone: bool = True
    """The only process on this database."""
    keep_secrets: bool = False
    """Serves one person on their own machine: it remembers their seat links."""
    client: str | None = None
    """The folder of the built browser client."""
    rate: float = 50.0
    burst: float = 300.0
    thinkers: int = max(1, (os.cpu_count() or 2) - 1)
    think_seconds: float = 5.0


def create_app(settings: Settings) -> Litestar:
    """The server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        store = await Store.open(settings.database)
        host = Host(
            store,
            Processes(settings.thinkers),
            alone=settings.alone,
            keep_secrets=settings.keep_secrets,
            think_seconds=settings.think_seconds,
        )
        app.state.update({"host": host, "store": store, "socket_buckets": Buckets(settings.rate, settings.burst)})
        memory.settle()
        tasks = [asyncio.create_task(host.run())]
        if store.is_postgres and not settings.alone:
            from .notices import listen

            tasks.append(asyncio.create_task(listen(settings.database, host)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await host.close()
            await store.close()

    handlers: list[Any] = [Games, Matches, AtTheTable, health, live_socket]
    if settings.client is not None:
        handlers.extend(_client(Path(settings.client)))
    return Litestar(
        route_handlers=handlers,
        lifespan=[lifespan],
        middleware=[DefineMiddleware(Guard, rate=settings.rate, burst=settings.burst)],
        request_max_body_size=256 * 1024,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=2000, gzip_compress_level=4, exclude=[r"^/api/games/[^/]+/map$"]
        ),
        openapi_config=OpenAPIConfig(
            title="Sandtable",
            version="1",
            path="/api/schema",
            description="Board wargames with their rules enforced.",
            render_plugins=[ScalarRenderPlugin(), Description()],
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


def _client(folder: Path) -> list[Any]:
    """The browser client: hashed assets, and one page for every path a person may open."""

    def page() -> Response[bytes]:
        path = folder / "index.html"
        if not path.exists():
            raise NotFoundException("the browser client is not built")
        return Response(path.read_bytes(), media_type="text/html", headers={"cache-control": "no-cache"})

    @get(["/", "/m/{rest:path}", "/replay/{rest:path}", "/dice/{rest:path}"], include_in_schema=False)
    async def index() -> Response[bytes]:
        return page()

    assets = create_static_files_router(
        path="/assets", directories=[folder / "assets"], cache_control=None, include_in_schema=False
    )
    return [index, assets] if (folder / "assets").is_dir() else [index]
