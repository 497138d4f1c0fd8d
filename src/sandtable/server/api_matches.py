"""The HTTP API of matches, for the lobby and for bots. It calls the same functions of the host as a line does."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.params import Parameter

from sandtable.core import Odds
from sandtable.core.table import Table
from sandtable.host import messages as m
from sandtable.host.log import LogLine

from .asking import Lang, Req, Role, host_of, language_of, visit
from .errors import ERRORS

IMPORT_LIMIT = 32 * 1024 * 1024
Move = Annotated[int | None, Parameter(query="at", ge=0, required=False)]


class Matches(Controller):
    """The lobby: making, finding and importing matches."""

    path = "/api/matches"
    tags = ["matches"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="Public matches, and mine (X-Seats: secrets, comma separated)")
    async def list_matches(
        self, request: Req, lang: Lang = None, mine: Annotated[bool, Parameter(query="mine")] = False
    ) -> list[m.MatchLine]:
        secrets = [secret.strip() for secret in request.headers.get("x-seats", "").split(",") if secret.strip()]
        return await host_of(request).list_matches(secrets, language_of(request, lang), mine=mine)

    @post("/", responses=ERRORS, summary="Start a match")
    async def create(self, request: Req, data: m.CreateMatch) -> m.MatchCreated:
        return await host_of(request).create(data)

    @post("/import", responses=ERRORS, summary="Bring in a match file", request_max_body_size=IMPORT_LIMIT)
    async def import_file(self, request: Req, data: m.ImportFile) -> m.MatchCreated:
        return await host_of(request).import_file(data)


class AtTheTable(Controller):
    """Looking at a match and playing it."""

    path = "/api/matches/{match:str}"
    tags = ["play"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="A match")
    async def info(self, request: Req, match: str, lang: Lang = None) -> m.MatchInfo:
        return await (await visit(request, match, lang)).info()

    @get("/table", responses=ERRORS, summary="The table as my seat sees it, now or after any move")
    async def table(self, request: Req, match: str, at: Move = None, role: Role = None, lang: Lang = None) -> Table:
        return await (await visit(request, match, lang)).table(at, role or None)

    @get("/offers", responses=ERRORS, summary="What a role of mine may do now")
    async def offers(
        self, request: Req, match: str, role: Annotated[str, Parameter(query="role", max_length=80)], lang: Lang = None
    ) -> m.OffersAnswer:
        return await (await visit(request, match, lang)).offers(role)

    @post(
        "/offers/next", status_code=200, responses=ERRORS, summary="The next field of an offer, given the ones before"
    )
    async def next_field(self, request: Req, match: str, data: m.Next, lang: Lang = None) -> m.OfferInfo:
        return await (await visit(request, match, lang)).next(data)

    @post("/act", status_code=200, responses=ERRORS, summary="Make a move, take one back, resign, agree to a draw")
    async def act(self, request: Req, match: str, data: m.Act, lang: Lang = None) -> m.Acted:
        at_match = await visit(request, match, lang)
        move = await at_match.act(data)
        return m.Acted(move.number, data.id, at_match.lines_of(move))

    @post(
        "/why-not", status_code=200, responses=ERRORS, summary="Whether an action is allowed, and which rule forbids it"
    )
    async def why_not(self, request: Req, match: str, data: m.WhyNot, lang: Lang = None) -> m.WhyNotAnswer:
        return await (await visit(request, match, lang)).why_not(data)

    @post("/odds", status_code=200, responses=ERRORS, summary="The exact odds of what an action would start")
    async def odds(self, request: Req, match: str, data: m.AskOdds, lang: Lang = None) -> Odds | None:
        return await (await visit(request, match, lang)).odds(data)

    @get("/log", responses=ERRORS, summary="What happened, as far as I may know")
    async def log(
        self,
        request: Req,
        match: str,
        since: Annotated[int, Parameter(query="since", ge=0, le=10_000_000)] = 0,
        lang: Lang = None,
    ) -> list[LogLine]:
        return await (await visit(request, match, lang)).log(since)

    @post("/branch", responses=ERRORS, summary="Play on from any move in a private match")
    async def branch(self, request: Req, match: str, data: m.Branch) -> m.MatchCreated:
        return await (await visit(request, match)).branch(data)

    @get("/dice", responses=ERRORS, summary="The seed and every die of a finished match")
    async def dice(self, request: Req, match: str) -> m.DiceAnswer:
        return await (await visit(request, match)).dice()

    @get("/file", responses=ERRORS, summary="The match file (with the seed when the match is over)")
    async def export(self, request: Req, match: str) -> Response[bytes]:
        at_match = await visit(request, match)
        name = f"{at_match.live.row.game}-{match[:8]}.sandtable"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(await at_match.file(), media_type="application/x-ndjson", headers=headers)
