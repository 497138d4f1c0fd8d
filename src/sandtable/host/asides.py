"""Work beside the match that takes a while: the luck of its dice, rehearsals. It is done where computer players think.

Each piece of work is plain data, takes about a second, and knows nothing of the pieces before it. Who wants the rest
asks again, so it can be stopped at any time by not asking.
"""

from __future__ import annotations

import logging
import traceback
from typing import Any, Protocol, TypeVar

import msgspec

from .errors import HostError
from .luck import Weigh, weigh
from .rehearsals import Rehearse, rehearse

Aside = Weigh | Rehearse
T = TypeVar("T")
log = logging.getLogger("sandtable.host")


class Done(msgspec.Struct):
    """The result of a piece of work as JSON, or what went wrong."""

    value: msgspec.Raw = msgspec.Raw(b"null")
    fault: str = ""


class Hands(Protocol):
    """Who does the work."""

    async def aside(self, task: Aside, owner: str) -> bytes: ...


def do(task: Aside) -> bytes:
    """Do a piece of work; returns it done, as JSON. A fault in it must not end the process it is done in."""
    try:
        found: Any = weigh(task) if isinstance(task, Weigh) else rehearse(task)
    except Exception:
        return msgspec.json.encode(Done(fault=traceback.format_exc()))
    return msgspec.json.encode(Done(msgspec.Raw(msgspec.json.encode(found))))


async def done_by(hands: Hands, task: Aside, owner: str, kind: type[T]) -> T:
    """Have a piece of work done and return its result."""
    done = msgspec.json.decode(await hands.aside(task, owner), type=Done)
    if done.fault:
        log.error("a piece of work for %s failed: %s", task.game, done.fault)
        raise HostError("this could not be worked out; nothing has changed")
    return msgspec.json.decode(done.value, type=kind)
