"""Every error as one sentence, with a status that the API describes."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from sandtable.core import SandtableError, Unknown
from sandtable.host.errors import WENT_WRONG, Stale, explain
from sandtable.host.messages import ErrorBody

log = logging.getLogger("sandtable.server")


class ErrorAnswer(msgspec.Struct):
    error: ErrorBody
    number: int | None = None
    """Where the match stands now, when the move came too late."""


_WORDS = {
    400: "the request cannot be understood",
    401: "a seat link is missing or wrong",
    403: "not for this seat",
    404: "there is no such thing",
    405: "not that way",
    409: "the match has moved on; `number` says where it stands",
    413: "the request is too large",
    415: "not JSON",
    422: "the rules say no; `rule` says which",
    429: "too many requests",
    503: "it is unknown whether it was written, or the server is full",
}
ERRORS = {
    code: ResponseSpec(data_container=ErrorAnswer, description=words, generate_examples=False)
    for code, words in _WORDS.items()
}


def answer(status: int, body: ErrorBody, number: int | None = None) -> Response[Any]:
    return Response(msgspec.json.encode(ErrorAnswer(body, number)), status_code=status, media_type="application/json")


def sandtable_error(request: Request[Any, Any, Any], error: SandtableError) -> Response[Any]:
    live = request.app.state.host.matches.peek(request.path_params.get("match", ""))
    language = "de" if request.query_params.get("lang") == "de" else "en"
    status, body = explain(error, live.game if live else None, language)
    if isinstance(error, Unknown) and request.method == "GET":
        status = 404
    return answer(status, body, error.number if isinstance(error, Stale) else None)


def http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    words = _WORDS.get(error.status_code, "that did not work")
    detail = error.detail if error.status_code < 500 and error.detail else words
    extra = error.extra
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        detail = "; ".join(f"{item.get('key', 'body')}: {item.get('message', '')}" for item in extra[:3])
    response = answer(error.status_code, ErrorBody("http", " ".join(str(detail).split())[:300]))
    if error.headers:
        response.headers.update({k: v for k, v in error.headers.items() if k.lower() in ("allow", "retry-after")})
    return response


def unreadable(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Broken UTF-8 or JSON nested too deeply."""
    return answer(400, ErrorBody("malformed", "the request cannot be read"))


def server_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A fault of ours: logged, and told in one sentence without what may be secret."""
    log.error("a request failed: %s %s", request.method, request.scope.get("path_template", ""), exc_info=error)
    return answer(500, ErrorBody("server", WENT_WRONG))
