"""What can go wrong at a match, each with the status and code that a client is told."""

from __future__ import annotations

from typing import Any

from sandtable.core import Game, Malformed, Refusal, SandtableError, Unknown

from .messages import ErrorBody


class HostError(SandtableError):
    """A request that cannot be met. `status` is the HTTP status that fits it."""

    status = 400
    code = "bad-input"


class NotSeated(HostError):
    """A seat link is needed, or the one given is wrong."""

    status, code = 401, "no-seat"


class NotAllowed(HostError):
    """This seat may not do that."""

    status, code = 403, "not-allowed"


class Frozen(NotAllowed):
    """The match can be read but not go on."""

    code = "frozen"


class NotFound(HostError):
    """There is no such match, move or offer."""

    status, code = 404, "not-found"


class Stale(HostError):
    """The move answers a decision that is no longer open."""

    status, code = 409, "stale"

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number
        """Where the match stands."""


def explain(error: SandtableError, game: Game[Any] | None, language: str) -> tuple[int, ErrorBody]:
    """Return the status and the body of the error that a client is told."""
    if isinstance(error, HostError):
        return error.status, ErrorBody(error.code, str(error))
    if isinstance(error, Refusal):
        sentence = game.texts(language).refusal(error) if game is not None else str(error)
        return 422, ErrorBody("refused", sentence, error.rule)
    code = "malformed" if isinstance(error, Malformed) else "unknown" if isinstance(error, Unknown) else "bad-input"
    return 400, ErrorBody(code, str(error))
