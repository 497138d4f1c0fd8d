"""Running the server: in one process, or in several on one PostgreSQL database."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
import sys
from pathlib import Path

import msgspec
import platformdirs
import uvicorn

from sandtable.core import SandtableError
from sandtable.players.helpers import end_with_parent

from . import logs
from .app import Settings, create_app
from .connections import DOOR, Patient
from .database import database_url
from .guards import Guard
from .storage import Store

_ENVIRONMENT = "SANDTABLE_SERVER_SETTINGS"
_PACKAGE = Path(__file__).resolve().parents[1]
NO_CLIENT = "the browser client is missing: start with ./sandtable in a checkout, or install the wheel"


class CannotServe(SandtableError):
    """The server cannot be started as asked."""


def data_folder() -> Path:
    """Where a person's own matches are kept: the place for it on their system."""
    return platformdirs.user_data_path("sandtable", appauthor=False)


def client_folder() -> Path | None:
    """The built browser client: in the checkout, or in an installed package."""
    for folder in (_PACKAGE.parents[1] / "web" / "dist", _PACKAGE / "server" / "client"):
        if (folder / "index.html").exists():
            return folder
    return None


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or any free one where it is taken; 0 asks for any."""
    for port in (wanted, 0):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            try:
                bind(probe, host, port)
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise CannotServe(f"no port can be opened on {host}")


def check(database: str, *, host: str, port: int, workers: int = 1) -> None:
    """Raise an error, in one sentence, where the server could not be run; bring the database's tables up to date."""
    check_port(host, port)
    if workers > 1 and database_url(database).startswith("sqlite"):
        raise CannotServe("several workers need a PostgreSQL database; SQLite serves one")
    asyncio.run(_try_database(database))


def check_port(host: str, port: int) -> None:
    """Raise `CannotServe` where the server could not listen."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        try:
            bind(probe, host, port)
        except OSError as error:
            reason = "another program listens there" if error.errno == errno.EADDRINUSE else error.strerror or error
            raise CannotServe(f"port {port} of {host} cannot be opened: {reason}") from None


def bind(probe: socket.socket, host: str, port: int) -> None:
    """Bind a socket as the server will. On Windows SO_REUSEADDR would let two servers share a port."""
    if os.name == "posix":
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind((host, port))


def serve(settings: Settings, *, host: str, port: int, workers: int = 1) -> None:
    """Serve until stopped; `check` comes first."""
    settings = msgspec.structs.replace(settings, owner_key=secrets.token_hex(32), host=host, port=port)
    options = {
        "host": host,
        "port": port,
        "log_config": None,  # one place for logs: `logs.py`
        "access_log": False,  # addresses of seats are never written down
        "timeout_keep_alive": 30,
        "ws": "websockets-sansio",
        "ws_max_size": 64 * 1024,
        "ws_ping_interval": 20.0,
        "ws_per_message_deflate": not settings.keep_secrets,  # 100 KB become 12; not worth it on one's own machine
        "limit_concurrency": 20_000,
        "server_header": False,
        "timeout_graceful_shutdown": 3,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": ",".join(settings.proxies),
    }
    if workers == 1:
        if needs_selector(settings.database):
            config = uvicorn.Config(application(settings), http=Patient, loop="none", **options)  # type: ignore[arg-type]
            with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
                runner.run(uvicorn.Server(config).serve())
        else:
            uvicorn.run(application(settings), http=Patient, **options)  # type: ignore[arg-type]
        return
    os.environ[_ENVIRONMENT] = msgspec.json.encode(settings).decode()
    uvicorn.run(
        "sandtable.server.run:from_environment",
        factory=True,
        workers=workers,
        http="sandtable.server.connections:Patient",
        **options,  # type: ignore[arg-type]
    )


def needs_selector(database: str) -> bool:
    """Whether the event loop must be one with a selector: psycopg cannot use the one that Windows has by default.

    Worker processes have it anyway.
    """
    return sys.platform == "win32" and database_url(database).startswith("postgresql")


async def _try_database(url: str) -> None:
    store = await Store.open(url)
    await store.close()


def application(settings: Settings) -> Guard:
    """Return the application behind its guard, and set the process up for it."""
    logs.set_up(settings.log)
    DOOR.most, DOOR.proxies = settings.connections, settings.proxies
    return Guard(
        create_app(settings),
        names=settings.names,
        sockets=settings.sockets,
        rate=settings.rate,
        burst=settings.burst,
        root=settings.root,
        is_behind_proxy=bool(settings.proxies),
    )


def from_environment() -> Guard:
    """Return the application of a worker process, which ends with the process that started it."""
    end_with_parent()
    return application(msgspec.json.decode(os.environ[_ENVIRONMENT], type=Settings))
