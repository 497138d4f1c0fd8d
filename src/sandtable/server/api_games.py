"""The HTTP API of the games: their names, maps and rules."""

from __future__ import annotations

import functools
import gzip
import hashlib
import tomllib
from typing import Any

from litestar import Controller, Response, get
from litestar.exceptions import NotFoundException

from sandtable.core import Game
from sandtable.games import find, games
from sandtable.players import levels

from . import bodies as b
from .asking import Lang, Req, language_of, store_of
from .errors import ERRORS


@functools.cache
def map_of(game: str) -> tuple[bytes, str] | None:
    """The game's map, zipped, and its hash."""
    path = find(game).home / "data" / "map.json"
    if not path.exists():
        return None
    data = path.read_bytes()
    return gzip.compress(data, 9, mtime=0), hashlib.sha256(data).hexdigest()[:20]


@functools.cache
def ledger_of(game: str) -> list[b.RuleInfo]:
    path = find(game).home / "data" / "ledger.toml"
    items = tomllib.loads(path.read_text(encoding="utf-8"))["rule"] if path.exists() else []
    return [
        b.RuleInfo(item["id"], item["title"], item["says"], item.get("scope", ""), item.get("kind", ""))
        for item in items
    ]


def game_info(game: Game[Any], language: str) -> b.GameInfo:
    texts = game.texts(language)

    def words(kind: str, name: str) -> tuple[str, str]:
        blurb = f"{kind}.{name}.blurb"
        title = f"{kind}.{name}.name" if f"{kind}.{name}.name" in texts else f"{kind}.{name}"
        return (texts.say(title) if title in texts else name), (texts.say(blurb) if blurb in texts else "")

    side = {role: name for name, roles in game.alliances.items() for role in roles}
    return b.GameInfo(
        id=game.id,
        title=texts.say("game.title") if "game.title" in texts else game.title,
        blurb=texts.say("game.blurb") if "game.blurb" in texts else "",
        roles=[b.RoleInfo(role, texts.name(f"@{role}"), side.get(role, role)) for role in game.roles],
        alliances={name: list(roles) for name, roles in game.alliances.items()},
        scenarios=[
            b.ScenarioInfo(s.id, *words("scenario", s.id), list(game.roles_in(s.id)), s.turns)
            for s in game.scenarios.values()
        ],
        options=[
            b.OptionInfo(o.id, *words("option", o.id), o.default, list(o.choices), list(o.scenarios), o.rule)
            for o in game.options.values()
        ],
        levels=list(levels(game)),
        windows=list(game.windows()),
        has_map=(game.home / "data" / "map.json").exists(),
    )


class Games(Controller):
    """Games, their maps and their rules."""

    path = "/api/games"
    tags = ["games"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="All games")
    async def list_games(self, request: Req, lang: Lang = None) -> list[b.GameInfo]:
        return [game_info(find(name), language_of(request, lang)) for name in games()]

    @get("/{game:str}/map", responses=ERRORS, summary="The map to draw on", include_in_schema=True)
    async def map_file(self, request: Req, game: str) -> Response[bytes]:
        found = map_of(find(game).id)
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
    async def rules(self, game: str) -> list[b.RuleInfo]:
        return ledger_of(find(game).id)


@get("/api/health", responses=ERRORS, summary="Whether the server is well", tags=["server"])
async def health(request: Req) -> b.Health:
    return b.Health("ok", await store_of(request).count())
