"""The HTTP API of the games: their names, maps and rules."""

from __future__ import annotations

import functools
import gzip
import hashlib

import msgspec
from litestar import Controller, Response, get
from litestar.exceptions import NotFoundException

from sandtable.games import registered
from sandtable.host import lobby
from sandtable.host import messages as m

from .asking import Lang, Req, language_of
from .errors import ERRORS


class Health(msgspec.Struct):
    status: str
    matches: int


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

    @get("/{game:str}/rules", responses=ERRORS, summary="The rules, item by item")
    async def rules(self, game: str) -> list[m.RuleInfo]:
        return lobby.rules_of(registered(game).id)


@get("/api/health", responses=ERRORS, summary="Whether the server is well", tags=["server"])
async def health(request: Req) -> Health:
    return Health("ok", await request.app.state.store.count())
