"""The HTTP API at the table of a match: looking, choosing, moving, talking."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from litestar import Controller, get, post
from litestar.exceptions import NotAuthorizedException, NotFoundException, PermissionDeniedException
from litestar.params import Parameter

from sandtable.core import (
    Draw,
    Odds,
    Order,
    Refusal,
    Resign,
    SandtableError,
    Undo,
)
from sandtable.core.table import Table
from sandtable.odds.shown import shown
from sandtable.odds.words import in_words

from . import bodies as b
from .asking import Lang, Req, hub_of, language_of, my_seat, plain_turn, seat_in, store_of, viewpoint
from .errors import ERRORS
from .labels import add_labels, is_closed
from .log import LogLine, lines


class AtTheTable(Controller):
    """Looking at a match and playing it."""

    path = "/api/matches/{match:str}"
    tags = ["play"]  # noqa: RUF012

    @get("/table", responses=ERRORS, summary="The table as my seat sees it, now or after any move")
    async def table(
        self,
        request: Req,
        match: str,
        at: Annotated[int | None, Parameter(query="at", ge=0, required=False)] = None,
        role: Annotated[str | None, Parameter(query="role", max_length=80, required=False)] = None,
        lang: Lang = None,
    ) -> Table:
        live = await hub_of(request).live(match)
        seat = await seat_in(request, live)
        played = live.match if at is None else await hub_of(request).at(match, at)
        if live.row.outcome is not None or live.row.kind == "import":
            if role is not None and role not in played.roles:
                raise NotFoundException("there is no such role in this match")
            eyes = role if role is not None else viewpoint(seat, played.waiting_for(), None)
        else:
            eyes = viewpoint(seat, played.waiting_for(), role)
        return played.table(eyes, language_of(request, lang))

    @get("/offers", responses=ERRORS, summary="What a role of mine may do now")
    async def offers(
        self, request: Req, match: str, role: Annotated[str, Parameter(query="role", max_length=80)], lang: Lang = None
    ) -> b.OffersAnswer:
        live = await hub_of(request).live(match)
        await my_seat(request, live, role)
        played, texts = live.match, live.match.game.texts(language_of(request, lang))
        out = []
        for index, offer in enumerate(played.offers(role).offers):
            face = played.game.codec.builtins(offer.describe())
            hint = f"verb.{offer.hint}" if offer.hint else f"verb.{offer.verb}"
            face.update(index=index, label=texts.say(hint if hint in texts else f"verb.{offer.verb}"))
            if not is_closed(face):
                out.append(add_labels(face, texts))
        return b.OffersAnswer(played.number, role, out, played.can_undo(role))

    @post(
        "/offers/next", status_code=200, responses=ERRORS, summary="The next field of an offer, given the ones before"
    )
    async def next_field(self, request: Req, match: str, data: b.NextField, lang: Lang = None) -> dict[str, Any]:
        live = await hub_of(request).live(match)
        await my_seat(request, live, data.role)
        found = live.match.offers(data.role).offers
        if data.index >= len(found):
            raise NotFoundException("there is no such offer")
        offer = found[data.index]
        if len(data.prefix) > len(offer.fields):
            raise SandtableError("that offer has no more fields")
        prefix: list[Any] = []
        for field, value in zip(offer.fields, data.prefix, strict=False):
            value = _tuples(value)
            domain = field.given(prefix)
            if not _is_in(domain, value):
                refusal = domain.why(value) or Refusal(
                    offer.rule, "sandtable-not-available", field=field.name, value=str(value)
                )
                raise refusal
            prefix.append(value)
        answer: dict[str, Any] = live.match.game.codec.builtins(offer.describe(prefix))
        if data.so_far is not None and len(prefix) < len(offer.fields):
            walk = offer.fields[len(prefix)].given(prefix)
            onward = getattr(walk, "describe_next", None)
            if onward is None:
                raise SandtableError("that field is not a walk")
            answer["next"] = live.match.game.codec.builtins(onward(_tuples(data.so_far)))
        return add_labels(answer, live.match.game.texts(language_of(request, lang)), len(prefix))

    @post("/act", status_code=200, responses=ERRORS, summary="Make a move")
    async def act(self, request: Req, match: str, data: b.Act, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, json.dumps(data.action).encode(), data, lang)

    @post("/undo", status_code=200, responses=ERRORS, summary="Take back my last move")
    async def undo(self, request: Req, match: str, data: b.Take, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, msgspec.json.encode(Undo()), data, lang)

    @post("/resign", status_code=200, responses=ERRORS, summary="Give up")
    async def resign(self, request: Req, match: str, data: b.Take, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, msgspec.json.encode(Resign()), data, lang)

    @post("/draw", status_code=200, responses=ERRORS, summary="Agree to a draw, or no longer")
    async def draw(self, request: Req, match: str, data: b.DrawWish, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, msgspec.json.encode(Draw(data.agree)), data, lang)

    @post("/orders", status_code=200, responses=ERRORS, summary="My standing orders for windows")
    async def orders(self, request: Req, match: str, data: b.OrdersWish, lang: Lang = None) -> b.Acted:
        order = Order(None if data.ask is None else tuple(data.ask), data.quiet_until)
        return await self._do(request, match, data.role, msgspec.json.encode(order), data, lang)

    async def _do(self, request: Req, match: str, role: str, action: bytes, data: Any, lang: str | None) -> b.Acted:
        hub = hub_of(request)
        live = await hub.live(match)
        seat = await my_seat(request, live, role)
        if live.row.kind == "import":
            raise PermissionDeniedException("an imported match is played on in a branch")
        move = await hub.act(match, role, action, answers=data.answers, request=f"{seat.place}:{data.id}"[:64])
        told = lines(live.match.game, [move], seat.roles, language_of(request, lang))
        return b.Acted(move.number, data.id, told)

    @post(
        "/why-not", status_code=200, responses=ERRORS, summary="Whether an action is allowed, and which rule forbids it"
    )
    async def why_not(self, request: Req, match: str, data: b.Ask, lang: Lang = None) -> b.WhyNot:
        live = await hub_of(request).live(match)
        await my_seat(request, live, data.role)
        refusal = live.match.why_not(data.role, live.match.parse(data.action))
        if refusal is None:
            return b.WhyNot(True)
        return b.WhyNot(False, refusal.rule, live.match.explain(refusal, language_of(request, lang)))

    @post("/odds", status_code=200, responses=ERRORS, summary="The exact odds of what an action would start")
    async def odds(self, request: Req, match: str, data: b.Ask, lang: Lang = None) -> Odds | None:
        live = await hub_of(request).live(match)
        await my_seat(request, live, data.role)
        found = shown(live.match, data.role, live.match.parse(data.action))
        return None if found is None else in_words(found, live.match.game.texts(language_of(request, lang)))

    @get("/log", responses=ERRORS, summary="What happened, as far as I may know")
    async def log(
        self,
        request: Req,
        match: str,
        since: Annotated[int, Parameter(query="since", ge=0, le=10_000_000)] = 0,
        lang: Lang = None,
    ) -> list[LogLine]:
        live = await hub_of(request).live(match)
        seat = await seat_in(request, live)
        over = live.row.outcome is not None or live.row.kind == "import"
        roles = live.match.roles if over else (seat.roles if seat else ())
        moves = await store_of(request).tail(match, since)
        return lines(live.match.game, moves, roles, language_of(request, lang))

    @get("/moves", responses=ERRORS, summary="All moves, for the scrubber")
    async def moves(self, request: Req, match: str, lang: Lang = None) -> list[b.MoveInfo]:
        live = await hub_of(request).live(match)
        rows = await store_of(request).tail(match)
        gone = {row.takes_back for row in rows}
        game, language = live.match.game, language_of(request, lang)
        secret = live.row.outcome is None and live.row.kind != "import" and not game.public(live.match.state)
        texts = game.texts(language)
        verbs = ["" if secret else str(json.loads(row.action)["do"]) for row in rows]
        return [
            b.MoveInfo(
                row.number,
                row.role,
                verb,
                plain_turn(game, row.turn, language),
                row.at,
                row.number in gone,
                texts.say(f"verb.{verb}") if f"verb.{verb}" in texts else verb,
            )
            for row, verb in zip(rows, verbs, strict=True)
        ]

    @post("/chat", status_code=200, responses=ERRORS, summary="Say something")
    async def say(self, request: Req, match: str, data: b.ChatWish) -> b.ChatLine:
        live = await hub_of(request).live(match)
        seat = await seat_in(request, live)
        if seat is None:
            raise NotAuthorizedException("spectators listen")
        line = await store_of(request).say(match, seat.name, seat.roles, data.text)
        hub_of(request).tell_chat(match, line)
        return b.ChatLine(**line)

    @get("/chat", responses=ERRORS, summary="What was said")
    async def talk(
        self, request: Req, match: str, since: Annotated[int, Parameter(query="since", ge=0, le=2**53)] = 0
    ) -> list[b.ChatLine]:
        await hub_of(request).live(match)
        return [b.ChatLine(**line) for line in await store_of(request).talk(match, since)]


def _tuples(value: Any) -> Any:
    """JSON lists as the tuples that actions hold."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _is_in(domain: Any, value: Any) -> bool:
    try:
        return value in domain
    except TypeError:
        return False
