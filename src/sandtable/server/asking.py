"""Who asks, and in which language: what the parts of the HTTP API have in common."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated, Any, cast

from litestar import Request
from litestar.datastructures import State as AppState
from litestar.params import Parameter

from sandtable.core import LANGUAGES
from sandtable.host import Host, Visit

from .calls import Caller
from .guards import client_of
from .people import People

Req = Request[Any, Any, AppState]
Lang = Annotated[str | None, Parameter(query="lang", description="en or de", max_length=8, required=False)]
Role = Annotated[str | None, Parameter(query="role", max_length=80, required=False)]


def host_of(request: Req) -> Host:
    return cast(Host, request.app.state.host)


def language_of(request: Req, lang: str | None) -> str:
    """Return the reader's language: asked for, or preferred by the browser, or English."""
    if lang in LANGUAGES:
        return lang
    preferred = request.headers.get("accept-language", "")[:2].lower()
    return preferred if preferred in LANGUAGES and lang is None else "en"


def owner_of(request: Req) -> str:
    """Return a name for who asks: a hash of their address that nobody can turn back into it."""
    key: bytes = request.app.state.owner_key
    return hmac.new(key, client_of(request.scope).encode(), hashlib.sha256).hexdigest()[:32]


def secret_of(request: Req) -> str | None:
    """Return the seat's secret that the request carries."""
    words = request.headers.get("authorization", "")
    return words[7:].strip() if words.lower().startswith("bearer ") else None


def people_of(request: Req) -> People:
    return cast(People, request.app.state.people)


def caller_of(request: Req) -> Caller:
    return cast(Caller, request.app.state.caller)


def key_of(request: Req) -> str | None:
    """Return the key of a person's device that the request carries."""
    return request.headers.get("x-person") or None


async def person_of(request: Req, *, must: bool = False) -> str:
    """Return the id of the person who asks; '' if nobody knows them. `must`: that is an error."""
    people, key = people_of(request), key_of(request)
    return await (people.must(key) if must else people.who(key))


def origin_of(request: Req) -> str:
    """Return the address under which this server was found: what it was told to be, or what the browser calls it."""
    settings = request.app.state.settings
    found = f"{request.url.scheme}://{request.headers.get('host', 'localhost')[:150]}{settings.root}"
    return str(settings.url or found).rstrip("/")


async def visit(request: Req, match: str, lang: str | None = None) -> Visit:
    """Come to a match with the seat whose secret the request carries, or as the person whose key it carries."""
    person = await person_of(request)
    return await host_of(request).visit(match, secret_of(request), language_of(request, lang), person)
