"""The HTTP API of the games: their names, maps and rules."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import time

import msgspec
from litestar import Controller, Response, get
from litestar.exceptions import NotFoundException

from sandtable.core import SandtableError
from sandtable.games import registered
from sandtable.host import Host, lessons, lobby
from sandtable.host import messages as m
from sandtable.host.tasks import WorkHealth

from .asking import Lang, Req, language_of
from .errors import ERRORS


class Health(msgspec.Struct):
    """How the server is: 'ok' when all its work goes on and it can write."""

    status: str
    matches: int
    """How many are in memory."""
    work: list[WorkHealth]
    storage: str
    """'ok', or what is wrong with it."""


@functools.cache
def map_of(game: str) -> tuple[bytes, str] | None:
    """Return the game's map, zipped, and its hash."""
    path = registered(game).home / "data" / "map.json"
    if not path.exists():
        return None
    data = path.read_bytes()
    return gzip.compress(data, 9, mtime=0), hashlib.sha256(data).hexdigest()[:20]


class Games(Controller):
    """Games, their maps and their rules."""

    path = "/api/games"
    tags = ["games"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="All games")
    async def list_games(self, request: Req, lang: Lang = None) -> list[m.GameInfo]:
        return lobby.list_games(language_of(request, lang))

    @get("/{game:str}/map", responses=ERRORS, summary="The map to draw on", include_in_schema=True)
    async def map_file(self, request: Req, game: str) -> Response[bytes]:
        found = map_of(registered(game).id)
        if found is None:
            raise NotFoundException(f"{game} has no map")
        data, tag = found
        headers = {"etag": f'"{tag}"', "cache-control": "public, max-age=3600", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == f'"{tag}"':
            return Response(b"", status_code=304, headers=headers, media_type="application/json")
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(data, headers={**headers, "content-encoding": "gzip"}, media_type="application/json")
        return Response(gzip.decompress(data), headers=headers, media_type="application/json")

    @get("/{game:str}/lessons", responses=ERRORS, summary="The lessons, in the order of the course")
    async def lessons(self, request: Req, game: str, lang: Lang = None) -> list[m.LessonInfo]:
        return lessons.list_lessons(registered(game), language_of(request, lang))

    @get("/{game:str}/rules", responses=ERRORS, summary="The rules, item by item")
    async def rules(self, request: Req, game: str, lang: Lang = None) -> list[m.RuleInfo]:
        return lobby.rules_of(registered(game).id, language_of(request, lang))


@get("/api/health", responses=ERRORS, summary="Whether the server is well", tags=["server"])
async def health(request: Req) -> Response[Health]:
    """Answers 503 if a task of the server is stuck or the storage cannot be written."""
    host: Host = request.app.state.host
    storage = await _storage(request)
    work = host.tasks.health()
    is_well = storage == "ok" and all(task.ok for task in work)
    found = Health("ok" if is_well else "failing", host.matches.held[0], work, storage)
    return Response(found, status_code=200 if is_well else 503)


@get("/api/ready", responses=ERRORS, summary="Whether the server can take requests", tags=["server"])
async def ready(request: Req) -> Response[dict[str, str]]:
    """Answers 503 while the storage cannot be written: send requests elsewhere."""
    storage = await _storage(request)
    return Response({"storage": storage}, status_code=200 if storage == "ok" else 503)


async def _storage(request: Req) -> str:
    """Return 'ok' if something could be written, or what is wrong. It is tried at most once a second."""
    state = request.app.state
    at, found = getattr(state, "storage_tried", (0.0, ""))
    if state.store.work.is_broken or time.monotonic() - at > 1.0:
        try:
            await asyncio.wait_for(state.store.try_write(), 5.0)
            found = "ok"
        except (SandtableError, TimeoutError) as error:
            found = str(error) or "it does not answer"
        state.storage_tried = (time.monotonic(), found)
    return str(found)
