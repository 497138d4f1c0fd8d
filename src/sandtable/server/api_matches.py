"""The HTTP API of matches, for the lobby and for bots. It calls the same functions of the host as a line does."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.params import Parameter

from sandtable.core import Odds
from sandtable.core.table import Table
from sandtable.host import messages as m
from sandtable.host import stories
from sandtable.host.errors import Busy
from sandtable.host.log import LogLine
from sandtable.host.rehearsals import Rehearsed

from .asking import Lang, Req, Role, host_of, language_of, owner_of, person_of, secret_of, visit
from .errors import ERRORS

IMPORT_LIMIT = 16 * 1024 * 1024
MOST_IMPORTS = 1
"""Match files of one client at a time."""
Move = Annotated[int | None, Parameter(query="at", ge=0, required=False)]


def imports_of(request: Req) -> dict[tuple[str, str], m.ImportProgress]:
    """Return the match files that are being brought in, by owner and id."""
    found: dict[tuple[str, str], m.ImportProgress] = request.app.state.imports
    return found


class Matches(Controller):
    """The lobby: making, finding and importing matches."""

    path = "/api/matches"
    tags = ["matches"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="Public matches, and mine (X-Seats: secrets, comma separated)")
    async def list_matches(
        self, request: Req, lang: Lang = None, mine: Annotated[bool, Parameter(query="mine")] = False
    ) -> list[m.MatchLine]:
        secrets = [secret.strip() for secret in request.headers.get("x-seats", "").split(",") if secret.strip()]
        person = await person_of(request)
        return await host_of(request).list_matches(secrets, language_of(request, lang), mine=mine, person=person)

    @post("/", responses=ERRORS, summary="Start a match")
    async def create(self, request: Req, data: m.CreateMatch) -> m.MatchCreated:
        return await host_of(request).create(data, owner_of(request), await person_of(request))

    @post("/{match:str}/delete", status_code=204, responses=ERRORS, summary="Delete a match in which nobody else sits")
    async def delete(self, request: Req, match: str) -> None:
        await host_of(request).delete(match, secret_of(request), await person_of(request))

    @post("/lesson", responses=ERRORS, summary="Begin a lesson")
    async def begin_lesson(self, request: Req, data: m.BeginLesson) -> m.MatchCreated:
        return await host_of(request).begin_lesson(data, owner_of(request))

    @post("/import", responses=ERRORS, summary="Bring in a match file", request_max_body_size=IMPORT_LIMIT)
    async def import_file(self, request: Req, data: m.ImportFile) -> m.MatchCreated:
        owner, under_way = owner_of(request), imports_of(request)
        if sum(key[0] == owner for key in under_way) >= MOST_IMPORTS:
            raise Busy("a match file of yours is being brought in; wait for it")
        key = (owner, data.id)
        under_way[key] = m.ImportProgress(0, 0)

        def progress(done: int, of: int) -> None:
            under_way[key] = m.ImportProgress(done, of)

        try:
            return await host_of(request).import_file(data, owner, progress)
        finally:
            del under_way[key]

    @get("/import", responses=ERRORS, summary="How far a match file of mine is, by the id I gave it")
    async def import_progress(
        self, request: Req, own_id: Annotated[str, Parameter(query="id", max_length=64)] = ""
    ) -> m.ImportProgress:
        return imports_of(request).get((owner_of(request), own_id), m.ImportProgress(0, 0))


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

    @get("/view", responses=ERRORS, summary="The state as a role of mine may know it, for bots that think ahead")
    async def view(
        self, request: Req, match: str, role: Annotated[str, Parameter(query="role", max_length=80)]
    ) -> m.ViewAnswer:
        return await (await visit(request, match)).view(role)

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

    @post("/act-all", status_code=200, responses=ERRORS, summary="Make several moves as one: all or none")
    async def act_all(self, request: Req, match: str, data: m.ActAll, lang: Lang = None) -> m.Acted:
        at_match = await visit(request, match, lang)
        move = await at_match.act(data)
        return m.Acted(move.number, data.id, at_match.lines_of(move))

    @post("/reach", status_code=200, responses=ERRORS, summary="Where units can go, or which can go to a place")
    async def reach(self, request: Req, match: str, data: m.Reach, lang: Lang = None) -> list[m.PlaceInfo]:
        return await (await visit(request, match, lang)).reach(data)

    @post("/send", status_code=200, responses=ERRORS, summary="Send units to a place: all or none")
    async def send(self, request: Req, match: str, data: m.SendTo, lang: Lang = None) -> m.Acted:
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

    @post("/weigh", status_code=200, responses=ERRORS, summary="The exact odds of what units sent together would start")
    async def weigh(self, request: Req, match: str, data: m.Weigh, lang: Lang = None) -> Odds | None:
        return await (await visit(request, match, lang)).weigh(data)

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
        return await (await visit(request, match)).branch(data, owner_of(request))

    @post("/seat", status_code=200, responses=ERRORS, summary="Claim, renew or release the seat whose secret I send")
    async def change_seat(self, request: Req, match: str, data: m.ChangeSeat) -> m.SeatGiven:
        return await host_of(request).change_seat(match, secret_of(request), data, await person_of(request))

    @get("/invitation", responses=ERRORS, summary="What the invitation is to whose secret I send")
    async def invitation(self, request: Req, match: str, lang: Lang = None) -> m.Invitation:
        return await host_of(request).invitation(match, secret_of(request), language_of(request, lang))

    @post("/take", status_code=200, responses=ERRORS, summary="Take an open seat of a challenge")
    async def take_seat(self, request: Req, match: str, data: m.TakeSeat) -> m.SeatGiven:
        return await host_of(request).take_seat(match, data, await person_of(request))

    @get("/story", responses=ERRORS, summary="A published story of the match, or mine")
    async def story(
        self,
        request: Req,
        match: str,
        number: Annotated[int | None, Parameter(query="number", ge=1, le=10_000_000, required=False)] = None,
        lang: Lang = None,
    ) -> m.StoryFace:
        return await stories.read(await visit(request, match, lang), number)

    @post("/story/annotate", status_code=200, responses=ERRORS, summary="Say something about a move, in my story")
    async def annotate(self, request: Req, match: str, data: m.Annotate, lang: Lang = None) -> m.StoryFace:
        return await stories.annotate(await visit(request, match, lang), data)

    @post("/story/variation", status_code=200, responses=ERRORS, summary="Put what I played on a branch into my story")
    async def add_variation(self, request: Req, match: str, data: m.AddVariation, lang: Lang = None) -> m.StoryFace:
        return await stories.add_variation(await visit(request, match, lang), data)

    @post("/story/publish", status_code=200, responses=ERRORS, summary="Let others read my story, or no longer")
    async def publish(self, request: Req, match: str, data: m.Publish, lang: Lang = None) -> m.StoryFace:
        return await stories.publish(await visit(request, match, lang), data)

    @get(
        "/luck", responses=ERRORS, summary="Every die of a finished match against its odds; ask again until it is there"
    )
    async def luck(self, request: Req, match: str, lang: Lang = None) -> m.LuckAnswer:
        return await (await visit(request, match, lang)).luck()

    @post("/rehearse", status_code=200, responses=ERRORS, summary="Who wins when the computer plays on from a position")
    async def rehearse(self, request: Req, match: str, data: m.AskRehearsal) -> Rehearsed:
        return await (await visit(request, match)).rehearse(data)

    @get("/dice", responses=ERRORS, summary="The seed and every die of a finished match")
    async def dice(self, request: Req, match: str) -> m.DiceAnswer:
        return await (await visit(request, match)).dice()

    @get("/file", responses=ERRORS, summary="The match file (with the seed when the match is over), or with a story")
    async def export(
        self,
        request: Req,
        match: str,
        story: Annotated[int | None, Parameter(query="story", ge=1, le=10_000_000, required=False)] = None,
    ) -> Response[bytes]:
        at_match = await visit(request, match)
        name = f"{at_match.live.row.game}-{match[:8]}.sandtable"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(await at_match.file(story), media_type="application/x-ndjson", headers=headers)
