"""What can go wrong at a match, each with the status and code that a client is told."""

from __future__ import annotations

from typing import Any

from sandtable.core import Game, Malformed, Refusal, SandtableError, Unknown

from .messages import ErrorBody

WENT_WRONG = "something went wrong on the server; look at the match before you try again"


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


class NotInLesson(HostError):
    """The lesson wants another move; it says why, and names the rule."""

    status, code = 422, "lesson"

    def __init__(self, message: str, rule: str | None) -> None:
        super().__init__(message)
        self.rule = rule


class Stale(HostError):
    """The move answers a decision that is no longer open."""

    status, code = 409, "stale"

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number
        """Where the match stands."""


class Reused(HostError):
    """The id was used for another request."""

    status, code = 409, "id-reused"


class Unsure(HostError):
    """Nobody knows whether it was written: the storage failed while it was writing."""

    status, code = 503, "unknown"

    def __init__(self) -> None:
        super().__init__("it is unknown whether this was written; send it again with the same id, or look at the match")


class Unavailable(HostError):
    """The storage cannot be reached, and nothing was written."""

    status, code = 503, "unavailable"

    def __init__(self) -> None:
        super().__init__("the server cannot reach its storage; nothing has changed, try again in a moment")


class Busy(HostError):
    """There is too much of it for one client."""

    status, code = 429, "too-many"


class RefusedUnit(Refusal):
    """The rules say no to one of several units."""

    def __new__(cls, unit: str, refusal: Refusal) -> RefusedUnit:
        return super().__new__(cls, refusal.rule, refusal.reason)

    def __init__(self, unit: str, refusal: Refusal) -> None:
        super().__init__(refusal.rule, refusal.reason, **refusal.facts)
        self.unit = unit


def explain(error: SandtableError, game: Game[Any] | None, language: str) -> tuple[int, ErrorBody]:
    """Return the status and the body of the error that a client is told."""
    if isinstance(error, HostError):
        return error.status, ErrorBody(error.code, str(error), error.rule if isinstance(error, NotInLesson) else None)
    if isinstance(error, Refusal):
        sentence = game.texts(language).refusal(error) if game is not None else str(error)
        return 422, ErrorBody("refused", sentence, error.rule, getattr(error, "unit", None))
    code = "malformed" if isinstance(error, Malformed) else "unknown" if isinstance(error, Unknown) else "bad-input"
    return 400, ErrorBody(code, str(error))
