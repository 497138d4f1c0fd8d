"""Who asks, and in which language: what the parts of the HTTP API have in common."""

from __future__ import annotations

from typing import Annotated, Any, cast

from litestar import Request
from litestar.datastructures import State as AppState
from litestar.params import Parameter

from sandtable.core import LANGUAGES
from sandtable.host import Host, Visit

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


async def visit(request: Req, match: str, lang: str | None = None) -> Visit:
    """Come to a match with the seat whose secret the request carries."""
    words = request.headers.get("authorization", "")
    secret = words[7:].strip() if words.lower().startswith("bearer ") else None
    return await host_of(request).visit(match, secret, language_of(request, lang))
