"""Running the server: in one process, or in several on one PostgreSQL database."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import msgspec
import uvicorn
from litestar import Litestar

from sandtable.core import SandtableError

from .app import Settings, create_app
from .storage import Store, database_url

_ENVIRONMENT = "SANDTABLE_SERVER_SETTINGS"
_PACKAGE = Path(__file__).resolve().parents[1]


class CannotServe(SandtableError):
    """The server cannot be started as asked."""


def data_folder() -> Path:
    """Where a person's own matches are kept."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "sandtable"


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
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise CannotServe(f"no port can be opened on {host}")


def serve(settings: Settings, *, host: str, port: int, workers: int = 1, quiet: bool = True) -> None:
    """Serve until stopped."""
    if workers > 1 and database_url(settings.database).startswith("sqlite"):
        raise CannotServe("several workers need a PostgreSQL database; SQLite serves one")
    asyncio.run(_try_database(settings.database))
    if workers > 1:
        settings = msgspec.structs.replace(settings, alone=False)
    options = {
        "host": host,
        "port": port,
        "log_level": "warning" if quiet else "info",
        "access_log": False,  # addresses of seats are never written down
        "timeout_keep_alive": 30,
        "ws": "websockets-sansio",
        "ws_max_size": 64 * 1024,
        "ws_ping_interval": 20.0,
        "ws_per_message_deflate": not settings.keep_secrets,  # 100 KB become 12; not worth it on one's own machine
        "limit_concurrency": 10_000,
        "server_header": False,
        "timeout_graceful_shutdown": 3,
    }
    if workers == 1:
        uvicorn.run(create_app(settings), **options)  # type: ignore[arg-type]
        return
    os.environ[_ENVIRONMENT] = msgspec.json.encode(settings).decode()
    uvicorn.run("sandtable.server.run:from_environment", factory=True, workers=workers, **options)  # type: ignore[arg-type]


async def _try_database(url: str) -> None:
    """Say at once, in one sentence, when the database cannot be used; bring its tables up to date when it can."""
    store = await Store.open(url)
    await store.close()


def from_environment() -> Litestar:
    """The application of a worker process."""
    return create_app(msgspec.json.decode(os.environ[_ENVIRONMENT], type=Settings))
