"""Who asks, in which language, from which seat: what the parts of the HTTP API have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

from litestar import Request
from litestar.datastructures import State as AppState
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.params import Parameter

from sandtable.core import (
    LANGUAGES,
    Game,
)

from .hub import Hub, Live
from .links import find_seat
from .rooms import Rooms
from .storage import SeatRow, Store

Req = Request[Any, Any, AppState]
Lang = Annotated[str | None, Parameter(query="lang", description="en or de", max_length=8, required=False)]


def hub_of(request: Req) -> Hub:
    return cast(Hub, request.app.state.hub)


def store_of(request: Req) -> Store:
    return hub_of(request).store


def rooms_of(request: Req) -> Rooms:
    return cast(Rooms, request.app.state.rooms)


def language_of(request: Req, lang: str | None) -> str:
    """The reader's language: asked for, or preferred by the browser, or English."""
    if lang in LANGUAGES:
        return lang
    preferred = request.headers.get("accept-language", "")[:2].lower()
    return preferred if preferred in LANGUAGES and lang is None else "en"


def bearer(request: Req) -> str | None:
    words = request.headers.get("authorization", "")
    return words[7:].strip() if words.lower().startswith("bearer ") else None


async def seat_in(request: Req, live: Live) -> SeatRow | None:
    """The seat whose secret the request carries; None for a spectator. A wrong secret is an error, not a spectator."""
    secret = bearer(request)
    if secret is None:
        return None
    seat = find_seat(live.seats, secret)
    if seat is None:
        raise NotAuthorizedException("this seat link does not belong to this match")
    return seat


async def my_seat(request: Req, live: Live, role: str) -> SeatRow:
    """The requester's seat, which must hold the role."""
    seat = await seat_in(request, live)
    if seat is None:
        raise NotAuthorizedException("a seat link is needed for that")
    if role not in seat.roles:
        raise PermissionDeniedException("your seat does not hold that role")
    if seat.handed_over:
        hub = hub_of(request)
        await hub.store.hand_over(live.row.id, seat.place, False)
        live.seats = await hub.store.seats(live.row.id)
        hub.tell(live.row.id, "seat", seat.place)
    return seat


def viewpoint(seat: SeatRow | None, asked: Sequence[str], role: str | None) -> str | None:
    """Whose eyes: a role of the seat; the public's for a spectator."""
    if seat is None:
        if role:
            raise PermissionDeniedException("a spectator sees what everybody may know")
        return None
    if role:
        if role not in seat.roles:
            raise PermissionDeniedException("your seat does not hold that role")
        return role
    return next((mine for mine in seat.roles if mine in asked), seat.roles[0])


def plain_turn(game: Game[Any], turn: str, language: str) -> str:
    return game.turn_name(turn, game.texts(language))
